# A backend that makes a child of itself with fork(), as os.fork of an untrusted PL/Python does: the
# child repeats none of its parent's ids, its ids are not counted twice, and it never takes the
# lock, which no process would release for it.

use t::IdTypesTest;
use List::Util qw(uniq);

my $library = build_library('functions');
my $ids = 100;
my $clock = new_clock();

# each generator, and what promises nothing but must not repeat a parent's random bits either
my @calls = (
	q{siq_generate('example.org', 'message')},
	'scru160_generate()',
	q{scru160_generate('microsecond')},
	'tid64_generate()',
	'uid11_generate()',
	q{uid11_generate('snowish')},
	q{uid11_generate('ts-seq-rand')},
	q{uid11_generate('fullrand')},
	'ulidflake_generate()',
	'ulidflake_generate_scalable()',
	q{scru160_generate_at('2026-01-01')});

sub test_fork
{
	my ($node, $label) = @_;
	# however long this takes, another session renews the mark
	my $mover = session($node);

	send_query($mover, "SELECT scru160_generate() \\watch 0.1\n");
	foreach my $call (@calls)
	{
		# Within one tick, so that what a process took for itself remains good; one that has
		# begun, as a server just started waits for one to come.
		if ($call eq 'uid11_generate()')
		{
			$node->sql('SELECT uid11_generate()');
			stop_clock($clock);
		}
		my @made = split /\n/, $node->sql("SELECT fork_and_call(\$\$$call\$\$, $ids, $ids, 0)");

		start_clock($clock) if $call eq 'uid11_generate()';
		is(scalar(@made), 3 * $ids, "$label: $call: parent, child, parent");
		is(uniq(@made), 3 * $ids, "$label: $call: no id twice");
	}

	# A process reports what it has made once a second: a child after a while all that it has to.
	my $clients = "SELECT count(*) = 1 FROM pg_stat_activity
		WHERE backend_type = 'client backend' AND pid <> $mover->{pid}";

	wait_until($node, $clients) or die 'a session has not ended';
	my $before = state_of($node, 'tid64', 'generated');
	$node->sql("SELECT fork_and_call('tid64_generate()', $ids, 1, 1100)");
	wait_until($node, $clients) or die 'a session has not ended';
	my $counted = state_of($node, 'tid64', 'generated') - $before;
	is($counted, 2 * $ids + 1, "$label: each id is counted once");
	$mover->{run}->kill_kill;
	return;
}

my $node = new_node('main', clock => $clock, conf => "fsync = on\n");
$node->sql("CREATE FUNCTION fork_and_call(text, int, int, int) RETURNS text
	AS '$library' LANGUAGE c STRICT");
test_fork($node, 'loaded on use');

# Loaded by the postmaster, whose children all backends are
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'idtypes'");
$node->restart;
test_fork($node, 'preloaded');

# ----------
# What needs the lock
# ----------

my $refused = 'a child process of a session cannot take the lock of the identifier generators';
my $session;

# The child of a process, or undef.
sub child_of
{
	my ($process) = @_;

	return (slurp_file("/proc/$process/task/$process/children") =~ /(\d+)/)[0];
}

# Lets a child of the session generate ten ids, and returns when it runs.
sub start_child
{
	send_query($session, "SELECT fork_and_call('tid64_generate()', 0, 10, 0)");
	ok(wait_for(sub { child_of($session->{pid}) }), 'the session has a child');
	return;
}

# The same beyond the mark, with a clock that stands still; returns when it waits.
sub start_child_beyond_mark
{
	my $waits = state_of($node, 'tid64', 'mark_waits');

	advance_clock($clock, 3600);
	start_child();
	ok(wait_for(sub { state_of($node, 'tid64', 'mark_waits') > $waits }),
		'which waits for the mark');
	return;
}

# Lets time pass until the session has its result.
sub result_in_time
{
	ok( wait_for(
			sub {
				advance_clock($clock, 11);
				$node->sql("SELECT state = 'idle' FROM pg_stat_activity
					WHERE pid = $session->{pid}") eq 't';
			}),
		'in time, the child gives up');
	return $session->query('');
}

my %with_lock = (
	restart => 'count(*) FROM idtypes_restart_generators()',
	advance => 'count(*) FROM idtypes_advance_generators(now())');
foreach my $call (values %with_lock, 'tid64_generate()')
{
	is($node->sql("SELECT fork_and_call('$call', 0, 1, 0)"),
		"$refused: The session had not generated an id before it called fork().\n",
		'a child does not attach');
}
my $generators = $node->sql('SELECT count(*) FROM idtypes_generators()');
foreach my $what (sort keys %with_lock)
{
	is( $node->sql("SELECT fork_and_call('$with_lock{$what}', 1, 1, 0)"),
		"$generators\n$refused: idtypes_${what}_generators() needs it.\n$generators\n",
		"nor does it $what the generators");
}

stop_clock($clock);
$session = session($node);
$session->query('SELECT tid64_generate()');

# No other session generates.
my $synced = fake($clock, 'synced');
start_child_beyond_mark();
is(result_in_time(), "$refused: It waited for another session to move the mark, and none did.\n",
	'beyond the mark: a child raises an error');
is(fake($clock, 'synced'), $synced, 'beyond the mark: it has not written it');

# Another session generates.
start_child_beyond_mark();
is( $node->sql("SELECT wait_event FROM pg_stat_activity WHERE pid = $session->{pid}"),
	'', 'beyond the mark: its parent does not wait for that');
my $other = $node->sql('SELECT tid64_generate()');
my %made = map { $_ => 1 } $other, split /\n/, $session->query('');
is(scalar(grep { /^\S{13,16}$/ } keys %made), 11, 'beyond the mark: a child goes on with others');

# Killed in that, or in what it does instead: a disk that hangs shows which.
set_fake($clock, hold => 10**12);
start_child_beyond_mark();
is(kill('KILL', child_of($session->{pid})), 1, 'a child is killed');
set_fake($clock, hold => 0);
is($node->error_of('SELECT tid64_generate()'), '', 'others go on');
$session->query('');
$session->quit;

# The first process that generates settles the clock words
$node->restart;
$session = session($node);
$session->query('SELECT * FROM idtypes_status()');
$synced = fake($clock, 'synced');
start_child();
is(result_in_time(), "$refused: It waited for another session to move the mark, and none did.\n",
	'after a start: a child raises an error');
is(fake($clock, 'synced'), $synced, 'after a start: it has not written the mark');
$session->query('SELECT tid64_generate()');

# Without its parent
start_child_beyond_mark();
my $position = -s $node->logfile;
is(kill('KILL', $session->{pid}), 1, 'a session is killed');
ok($node->wait_for_log(qr/child: \Q$refused\E: Its session has ended/, $position),
	'its child raises an error');
ok(wait_until($node, 'SELECT tid64_generate() IS NOT NULL'), 'others go on');
$session->{run}->kill_kill;

start_clock($clock);
$node->stop;
done_testing();
