# What a clock that was wrong leaves behind: nothing, once it has caught up; and where it was far
# ahead, what takes the generators back to it.  And what comes at the end of a format's time.

use FindBin;
use lib $FindBin::RealBin;
use IdTypesTest;
use Time::HiRes qw(sleep);

my $clock = new_clock();
my $node = new_node(
	'main',
	conf => "idtypes.ulidflake_increment_bits = 16\nfsync = on\n",
	clock => $clock);
my $day = 86400;
my @no_lead = grep { $_->{name} !~ /tid64|snowish/ } @generators;

sub generate_all
{
	my ($ids) = @_;

	$node->safe_psql('postgres', "SELECT count($_->{call}) FROM generate_series(1, $ids) g")
	  foreach @generators;
	return;
}

sub columns_of
{
	my ($columns, $name) = @_;

	return $node->safe_psql('postgres',
		"SELECT $columns FROM idtypes_generators() WHERE generator = '$name'");
}

# ----------
# An old step
# ----------

foreach my $step (60, 600)
{
	generate_all(2);
	move_clock($clock, -$step);
	generate_all(2);
	cmp_ok(lead_of($node, $_->{name}), '>', $step - 50, "$step s back: $_->{name} leads")
	  foreach @generators;
	is( columns_of("burst_lead >= lead AND burst_lead > interval '1 s' * ($step - 50)", 'siq'),
		't', "$step s back: and a burst would");
	advance_clock($clock, $step + 12);
	is(columns_of("lead = '0' AND burst_lead = '0'", 'ulidflake'),
		't', "$step s back: 12 s after the clock has caught up, that is gone");
	is(columns_of("lead = '0' AND burst_lead = '1 s'", 'tid64'),
		't', "$step s back: but for what tid64 may lead at any time");
	foreach my $generator (@generators)
	{
		my $most = $generator->{name} =~ /tid64|snowish/ ? 1 : 0;
		my $lead = burst_lead($node, $generator, 6000);

		cmp_ok($lead, '<=', $most,
			"$step s back: a burst of $generator->{name} leads by at most $most s");
		note("$step s back: a burst of $generator->{name} leads by $lead s");
	}

	# a full counter is an error again
	$node->append_conf('postgresql.conf', 'idtypes.on_overflow = error');
	$node->reload;
	$node->poll_query_until('postgres',
		"SELECT current_setting('idtypes.on_overflow', true) = 'error'")
	  or die 'no reload';
	my $stderr = '';
	$node->psql(
		'postgres', 'SELECT count(ulidflake_generate_scalable()) FROM generate_series(1, 6000)',
		stderr => \$stderr);
	like($stderr, qr/generator "ulidflake" has used up the ids of this instant/,
		"$step s back: a full counter is an error again");
	$node->append_conf('postgresql.conf', 'idtypes.on_overflow = wait');
	$node->reload;
	$node->poll_query_until('postgres',
		"SELECT current_setting('idtypes.on_overflow', true) = 'wait'")
	  or die 'no reload';
}

# Under a load that takes every tick the lead shrinks all the same, by at least a sixteenth of the
# time that passes.  Each of these ids takes a tick or two.
move_clock($clock, -60);
generate_all(2);
my $time = 'SELECT extract(epoch FROM clock_timestamp())';
my $before = lead_of($node, 'ulidflake');
my $began = $node->safe_psql('postgres', $time);
$node->safe_psql('postgres',
	'SELECT count(ulidflake_generate_scalable()) FROM generate_series(1, 5000)');
my $ended = $node->safe_psql('postgres', $time);
my $after = lead_of($node, 'ulidflake');
cmp_ok($before - $after, '>=', ($ended - $began) / 16 - 0.002, 'the lead shrinks under load');
note(sprintf('under load, the lead went from %.3f s to %.3f s in %.3f s',
		$before, $after, $ended - $began));
advance_clock($clock, 70);

# ----------
# A clock that was far ahead
# ----------

# Sends a statement in whose course the session is held up, once it has read the system clock.
sub start_held
{
	my ($session, $sql, $name) = @_;

	hold_reader($clock, $session->query('SELECT pg_backend_pid()'));
	$session->query_until(qr/begins/, "\\echo begins\n$sql;\n");
	ok(wait_for(sub { reader_is_held($clock) }), $name);
	return;
}

sub restart_generators
{
	my %repeats;

	foreach my $line (
		split /\n/,
		$node->safe_psql(
			'postgres', "SELECT generator, extract(epoch FROM repeats_from),
				extract(epoch FROM repeats_until), extract(epoch FROM clock_timestamp())
				FROM idtypes_restart_generators()"))
	{
		my ($name, @values) = split /\|/, $line;

		$repeats{$name} = \@values;
	}
	return \%repeats;
}

my $position = log_position($node);
create_id_tables($node, 'postgres');
move_clock($clock, 30 * $day);
generate_all(10);
like(
	log_since($node, $position),
	qr/LOG:  the system clock was set forward by (?:2591999\.9\d\d|2592000\.0\d\d) s/,
	'a jump forward is in the log');
move_clock($clock, -30 * $day);
generate_all(2);
cmp_ok(lead_of($node, $_->{name}), '>', 29 * $day, "30 days ahead: $_->{name} leads")
  foreach @generators;
cmp_ok(
	$node->safe_psql('postgres', 'SELECT extract(epoch FROM largest_lead) FROM idtypes_status()'),
	'>', 29 * $day, '30 days ahead: idtypes_status() shows it');

# An error of the disk comes before anything has changed.
set_disk($clock, error => 5);
my $stderr = '';
$node->psql('postgres', 'SELECT * FROM idtypes_restart_generators()', stderr => \$stderr);
set_disk($clock, error => 0);
like($stderr, qr/ERROR:  could not fsync file "idtypes\.mark\.new"/,
	'a disk that fails: an error');
cmp_ok(lead_of($node, $_->{name}),
	'>', 29 * $day, "a disk that fails: $_->{name} is where it was")
  foreach @generators;

# while others generate
my $load = start_load($node, 'postgres', clients => 4);
$node->poll_query_until('postgres', 'SELECT min(generated) > 100 FROM idtypes_generators()');
my $repeats = restart_generators();
foreach my $generator (@generators)
{
	my ($from, $until, $now) = @{ $repeats->{ $generator->{name} } };

	cmp_ok($from, '<=', $now, "restarted: $generator->{name} may repeat from now on");
	cmp_ok($until, '>', $now + 29 * $day, "restarted: $generator->{name} may repeat up to then");
	cmp_ok(lead_of($node, $generator->{name}), '<', 3, "restarted: $generator->{name} is back");
}
my $generated = $node->safe_psql('postgres', 'SELECT max(generated) FROM idtypes_generators()');
ok(wait_until($node, "SELECT min(generated) > $generated + 100 FROM idtypes_generators()"),
	'restarted: clients go on');
ok(stop_load($load), 'restarted: no client failed');
foreach my $generator (@generators)
{
	is( $node->safe_psql(
			'postgres',
			"SELECT count(*) - count(DISTINCT $generator->{key}) FROM $generator->{table}"),
		0,
		"restarted: $generator->{name} repeats none of its ids");
}
cmp_ok(reserved_until($node), '<', $repeats->{siq}[2] + $day, 'restarted: the mark is back');
like(slurp_file($node->logfile), qr/identifier generators were taken back to the system clock/,
	'restarted: the log says so');

# And it stays there, though somebody has read a word before that lies far ahead, or the clock
# before it was set right.
foreach my $read ('word', 'clock')
{
	my $late = session($node);

	stop_clock($clock);
	move_clock($clock, 30 * $day);
	if ($read eq 'word')
	{
		generate_all(1);
		move_clock($clock, -30 * $day);
	}
	start_held($late, "SELECT siq_generate('example.org', 'message')",
		"late: it has read the $read");
	move_clock($clock, -30 * $day) if $read eq 'clock';
	$repeats = restart_generators();
	release_reader($clock);
	start_clock($clock);
	$late->query('');
	cmp_ok(reserved_until($node), '<', $repeats->{siq}[2] + $day,
		"late: the $read is read, the mark is back");
	$late->quit;
}

# Nor does such a reading take anybody beyond the mark.
my $late = session($node);
stop_clock($clock);
move_clock($clock, 30 * $day);
start_held($late, "SELECT siq_generate('example.org', 'message')", 'late: it has read the clock');
move_clock($clock, -30 * $day);
release_reader($clock);
start_clock($clock);
$late->query('');
$late->quit;
is(columns_of('last_time < (SELECT mark FROM idtypes_status())', 'siq'),
	't', 'late: it stays before the mark');

# Nothing is ahead: nothing may repeat, and order is kept.
my $id = $node->safe_psql('postgres', 'SELECT pg_sleep(1.1), tid64_generate()') =~ s/.*\|//r;
$repeats = restart_generators();
is($repeats->{$_}[0] . $repeats->{$_}[1], '', "in order: $_ repeats nothing")
  foreach keys %$repeats;
is($node->safe_psql('postgres', "SELECT tid64_generate() > '$id'"), 't', 'in order: it goes on');

# Nor is anything ahead that others are given while it is at work, here 50 ms after it has read the
# clock.  That stands still, so that nobody comes to the mark, which it keeps from being moved on.
my $administrator = session($node);
stop_clock($clock);
advance_clock($clock, 3);
generate_all(1);
start_held($administrator, 'SELECT count(repeats_from) FROM idtypes_restart_generators()',
	'at work: it has read the clock');
advance_clock($clock, 0.05);
generate_all(1);
my $siq = "siq_generate('example.org', 'message')";
$id = $node->safe_psql('postgres', "SELECT $siq");
release_reader($clock);
is($administrator->query(''), 0, 'at work: nothing of that is ahead');
is($node->safe_psql('postgres', "SELECT $siq > '$id'"), 't', 'at work: order is kept');

# Who comes, while the new mark is written, to where that will be waits for it.
move_clock($clock, 30 * $day);
generate_all(1);
move_clock($clock, -30 * $day);
my $mark_waits = columns_of('mark_waits', 'siq');
start_held($administrator, 'SELECT count(repeats_from) FROM idtypes_restart_generators()',
	'at work: it is about to set the mark');
set_disk($clock, hold => 10**12);
release_reader($clock);
ok(wait_for(sub { disk($clock, 'held') > 0 }), 'at work: the new mark is being written');
advance_clock($clock, 3);
my $waiter = session($node);
$waiter->query_until(qr/begins/, "\\echo begins\nSELECT $siq;\n");
wait_until(
	$node, "SELECT mark_waits > $mark_waits OR last_time > clock_timestamp() - interval '1 s'
		FROM idtypes_generators() WHERE generator = 'siq'");
is(columns_of("mark_waits > $mark_waits", 'siq'), 't', 'at work: others wait for the mark');
set_disk($clock, hold => 0);
$_->query(''), $_->quit foreach $waiter, $administrator;
start_clock($clock);

# Nor does a session then hand out what it took before, when the clock comes to that instant again:
# others take that anew.  Not even if it comes there after a call that failed.
my @takers = map { session($node) } 0, 1;
my $xids = 'SELECT string_agg(uid11_generate()::text, E\'\\n\') FROM generate_series(1, 5)';
stop_clock($clock);
foreach my $fails (0, 1)
{
	my $label = $fails ? 'restarted, then the disk fails' : 'restarted';
	my %times;

	advance_clock($clock, 10);
	move_clock($clock, 10);
	$takers[0]->query($xids);
	move_clock($clock, -10);
	restart_generators();
	advance_clock($clock, 5);
	if ($fails)
	{
		set_disk($clock, error => 5);
		$takers[0]->query($xids);
		set_disk($clock, error => 0);
		like($takers[0]{stderr}, qr/could not fdatasync/, "$label: a call needs the mark");
	}
	advance_clock($clock, 5);
	$times{$_}++ foreach map { split /\n/, $takers[$_]->query($xids) } 1, 0, 1, 0;
	is_deeply([ grep { $times{$_} > 1 } keys %times ], [], "$label: no xid made since comes twice");
	is(keys %times, 20, "$label: of all that were made");
}
start_clock($clock);
$_->quit foreach @takers;

# It also holds after a crash.
$node->stop('immediate');
with_fake_clock($clock, sub { $node->start });
generate_all(2);
cmp_ok(lead_of($node, $_->{name}), '<', 5, "after a crash: $_->{name} is still back")
  foreach @generators;

# A generator that nobody has used has not begun because of it.
$node->stop('immediate');
advance_clock($clock, 5);
with_fake_clock($clock, sub { $node->start });
restart_generators();
is($node->safe_psql('postgres', 'SELECT count(last_time) FROM idtypes_generators()'),
	0, 'unused: none has begun');

# Only for who may
$node->safe_psql('postgres', 'CREATE ROLE watcher LOGIN IN ROLE pg_monitor');
$node->psql(
	'postgres', 'SELECT * FROM idtypes_restart_generators()',
	stderr => \$stderr,
	connstr => $node->connstr('postgres') . ' user=watcher');
like($stderr, qr/permission denied for function idtypes_restart_generators/,
	'not for members of pg_monitor');

# ----------
# The end of time
# ----------

# The clock is in 2156 for a moment, and one scru160 is asked for; uid11 ends in 2151 and 2081.
my $to_2156 = $node->safe_psql('postgres',
	q{SELECT extract(epoch FROM '2156-01-01 00:00:00+00' - clock_timestamp())});
move_clock($clock, $to_2156);
$node->safe_psql('postgres', 'SELECT scru160_generate()');
foreach my $generator (grep { $_->{type} eq 'uid11' } @generators)
{
	$node->psql('postgres', "SELECT $generator->{call}", stderr => \$stderr);
	like($stderr, qr/ERROR:  the system clock is out of range for generator "$generator->{name}"/,
		"2156: $generator->{name} has an end");
}
move_clock($clock, -$to_2156);
$node->stop('immediate');
with_fake_clock($clock, sub { $node->start });
foreach my $generator (grep { $_->{type} eq 'uid11' } @generators)
{
	foreach (1 .. 3)
	{
		isnt($node->psql('postgres', "SELECT $generator->{call}", stderr => \$stderr),
			0, "after 2156: $generator->{name} makes nothing of another time");
	}
	like(
		$stderr,
		qr/ERROR:  generator "$generator->{name}" has come to the end of its time/,
		"after 2156: $generator->{name} says why");
	like($stderr, qr/HINT:  .*idtypes_restart_generators\(\)/, "after 2156: and what to do");
}
is($node->safe_psql('postgres', "SELECT scru160_timestamp(scru160_generate()) > '2156-01-01'"),
	't', 'after 2156: scru160 goes on from there');
$repeats = restart_generators();
generate_all(2);
cmp_ok(lead_of($node, $_->{name}), '<', 5, "after 2156, restarted: $_->{name} is back")
  foreach @generators;

# Before a format's time there is none to go back to: a clock that has never been right.
my $to_2020 = $node->safe_psql('postgres',
	q{SELECT extract(epoch FROM '2020-01-01 00:00:00+00' - clock_timestamp())});
$node->stop('immediate');
unlink($node->data_dir . '/idtypes.mark') or die $!;
move_clock($clock, $to_2020);
with_fake_clock($clock, sub { $node->start });
restart_generators();
foreach my $generator (grep { $_->{type} eq 'ulidflake' } @generators)
{
	$node->psql('postgres', "SELECT $generator->{call} FROM generate_series(0, 1) g",
		stderr => \$stderr);
	like($stderr, qr/ERROR:  the system clock is out of range for generator "$generator->{name}"/,
		"2020, restarted: $generator->{name} has yet to begin");
}

$node->stop;
done_testing();
