# What a clock that was wrong leaves behind: nothing, once it has caught up; and where it was far
# ahead, what takes the generators back to it.  And what comes at the end of a format's time.

use t::IdTypesTest;

my $clock = new_clock();
my $node = new_node(
	'main',
	conf => "idtypes.ulidflake_increment_bits = 16\nfsync = on\n",
	clock => $clock);
my $day = 86400;

sub generate_all($ids)
{
	$node->sql(join ';', map { "SELECT count($_->{call}) FROM generate_series(1, $ids) g" }
		  @generators);
}

# ---- An old step ----

foreach my $step (60, 600)
{
	generate_all(2);
	move_clock($clock, -$step);
	generate_all(2);
	all_lead($node, '>', $step - 50, "$step s back");
	is( state_of($node, 'siq', "burst_lead >= lead AND burst_lead > interval '1 s' * ($step - 50)"),
		't', "$step s back: and a burst would");
	advance_clock($clock, $step + 12);
	is(state_of($node, 'ulidflake', "lead = '0' AND burst_lead = '0'"),
		't', "$step s back: 12 s after the clock has caught up, that is gone");
	is(state_of($node, 'tid64', "lead = '0' AND burst_lead = '1 s'"),
		't', "$step s back: but for what tid64 may lead at any time");
	bursts_lead_little($node, 6000, "$step s back");

	# a full counter is an error again
	$node->set('idtypes.on_overflow', 'error');
	like(
		$node->error_of(
			'SELECT count(ulidflake_generate_scalable()) FROM generate_series(1, 6000)'),
		qr/generator "ulidflake" has used up the ids of this instant/,
		"$step s back: a full counter is an error again");
	$node->set('idtypes.on_overflow', 'wait');
}

# Under a load that takes every tick the lead shrinks all the same, by at least a sixteenth of the
# time that passes.  Each of these ids takes a tick or two.
move_clock($clock, -60);
generate_all(2);
my $before = lead_of($node, 'ulidflake');
my $began = $node->seconds;
$node->sql('SELECT count(ulidflake_generate_scalable()) FROM generate_series(1, 5000)');
my $ended = $node->seconds;
my $after = lead_of($node, 'ulidflake');
cmp_ok($before - $after, '>=', ($ended - $began) / 16 - 0.002, 'the lead shrinks under load');
note(sprintf('under load, the lead went from %.3f s to %.3f s in %.3f s',
		$before, $after, $ended - $began));
advance_clock($clock, 70);

# ---- A clock that was far ahead ----

# Sends a statement in whose course the session is held up, once it has read the system clock so
# many times.
sub start_held($session, $sql, $name, $readings = 1)
{
	set_fake($clock, reader => $session->{pid});
	$session->send($sql);
	foreach my $reading (1 .. $readings)
	{
		set_fake($clock, reader => $session->{pid}) if $reading > 1;
		ok(wait_for(sub { fake($clock, 'reader') < 0 }), "$name, reading $reading");
	}
}

sub restart_generators
{
	return {
		map { my ($name, @values) = split /\|/, $_, -1; $name => \@values } split /\n/,
		$node->sql('SELECT generator, extract(epoch FROM repeats_from),
				extract(epoch FROM repeats_until), extract(epoch FROM clock_timestamp())
			FROM idtypes_restart_generators()')
	};
}

my $position = -s $node->logfile;
create_id_tables($node);
move_clock($clock, 30 * $day);
generate_all(10);
like(
	slurp_file($node->logfile, $position),
	qr/LOG:  the system clock was set forward by (?:2591999\.9\d\d|2592000\.0\d\d) s/,
	'a jump forward is in the log');
move_clock($clock, -30 * $day);
generate_all(2);
all_lead($node, '>', 29 * $day, '30 days ahead');
cmp_ok(largest_lead($node), '>', 29 * $day, '30 days ahead: idtypes_status() shows it');

# An error of the disk comes before anything has changed.
set_fake($clock, error => 5);
like($node->error_of('SELECT * FROM idtypes_restart_generators()'),
	qr/ERROR:  could not fsync file "idtypes\.mark\.new"/, 'a disk that fails: an error');
set_fake($clock, error => 0);
all_lead($node, '>', 29 * $day, 'a disk that fails: all are where they were');

# while others generate
my $load = start_load($node, clients => 4);
ok(wait_for_ids($node), 'clients are served');
my $repeats = restart_generators();
foreach my $generator (@generators)
{
	my ($from, $until, $now) = @{ $repeats->{ $generator->{name} } };

	cmp_ok($from, '<=', $now, "restarted: $generator->{name} may repeat from now on");
	cmp_ok($until, '>', $now + 29 * $day, "restarted: $generator->{name} may repeat up to then");
}
all_lead($node, '<', 3, 'restarted');
ok(wait_for_ids($node), 'restarted: clients go on');
ok(stop_load($load), 'restarted: no client failed');
foreach my $generator (@generators)
{
	is( $node->sql("SELECT count(*) - count(DISTINCT $generator->{key}) FROM $generator->{table}"),
		0,
		"restarted: $generator->{name} repeats none of its ids");
}
cmp_ok(reserved_until($node), '<', $repeats->{siq}[2] + $day, 'restarted: the mark is back');
like(slurp_file($node->logfile), qr/identifier generators were taken back to the system clock/,
	'restarted: the log says so');

# And it stays there, though a session has read a clock word that lies far ahead, or the clock
# before that was set right.  Nor does such a reading take a session beyond the mark.
foreach my $case ([ 'clock word', 1 ], [ 'clock', 1 ], [ 'clock', 0 ])
{
	my ($read, $restarts) = @$case;
	my $late = session($node);

	stop_clock($clock);
	move_clock($clock, 30 * $day);
	if ($read eq 'clock word')
	{
		generate_all(1);
		move_clock($clock, -30 * $day);
	}
	start_held($late, "SELECT siq_generate('example.org', 'message')",
		"late: it has read the $read", 2);
	move_clock($clock, -30 * $day) if $read eq 'clock';
	$repeats = restart_generators() if $restarts;
	set_fake($clock, reader => 0);
	start_clock($clock);
	$late->query('');
	$late->quit;
	cmp_ok(reserved_until($node), '<', $repeats->{siq}[2] + $day,
		"late: the $read is read, the mark is back") if $restarts;
	is(state_of($node, 'siq', 'last_time < (SELECT mark FROM idtypes_status())'),
		't', "late: the $read is read, it stays before the mark");
}

# Another restart within the tick to which the words went back leaves the first counter of the next
# tick to chance.
{
	my @counters;

	stop_clock($clock);
	foreach (1 .. 8)
	{
		move_clock($clock, -0.01);
		$node->sql('SELECT * FROM idtypes_restart_generators()') foreach 1, 2;
		move_clock($clock, 0.001);
		push @counters,
		  $node->sql('SELECT scru160_counter(scru160_generate()) || $$ $$ ||
			ulidflake_randomness(ulidflake_generate())');
	}
	start_clock($clock);
	cmp_ok(scalar(grep { /^\d{3,} \d{3,}$/ } @counters),
		'>=', 1, "two restarts in a tick: random starts (@counters)");
}

# Nothing is ahead: nothing may repeat, and order is kept.
my $id = $node->sql('SELECT pg_sleep(1.1), tid64_generate()') =~ s/.*\|//r;
$repeats = restart_generators();
is($repeats->{$_}[0] . $repeats->{$_}[1], '', "in order: $_ repeats nothing")
  foreach keys %$repeats;
is($node->sql("SELECT tid64_generate() > '$id'"), 't', 'in order: it goes on');

# Nor is anything ahead that others are given while it is at work, here 50 ms after it has read the
# clock.  The clock stands still, so that no session reaches the mark, which the call keeps from
# being renewed.
my $administrator = session($node);
stop_clock($clock);
advance_clock($clock, 3);
generate_all(1);
start_held($administrator, 'SELECT count(repeats_from) FROM idtypes_restart_generators()',
	'at work: it has read the clock');
advance_clock($clock, 0.05);
generate_all(1);
my $siq = "siq_generate('example.org', 'message')";
$id = $node->sql("SELECT $siq");
set_fake($clock, reader => 0);
is($administrator->query(''), 0, 'at work: nothing of that is ahead');
is($node->sql("SELECT $siq > '$id'"), 't', 'at work: order is kept');

# Who comes, while the new mark is written, to where that will be waits for it.
move_clock($clock, 30 * $day);
generate_all(1);
move_clock($clock, -30 * $day);
my $mark_waits = state_of($node, 'siq', 'mark_waits');
start_held($administrator, 'SELECT count(repeats_from) FROM idtypes_restart_generators()',
	'at work: it is about to set the mark');
set_fake($clock, hold => 10**12);
set_fake($clock, reader => 0);
ok(wait_for_sync($clock), 'at work: the new mark is being written');
advance_clock($clock, 3);
my $waiter = session($node);
$waiter->send("SELECT $siq");
wait_until(
	$node, "SELECT mark_waits > $mark_waits OR last_time > clock_timestamp() - interval '1 s'
		FROM idtypes_generators() WHERE generator = 'siq'");
is(state_of($node, 'siq', "mark_waits > $mark_waits"), 't', 'at work: others wait for the mark');
set_fake($clock, hold => 0);
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
		set_fake($clock, error => 5);
		$takers[0]->query($xids);
		set_fake($clock, error => 0);
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
$node->restart('immediate');
generate_all(2);
all_lead($node, '<', 5, 'after a crash: still back');

# A generator that no session has used has not begun because of it.
$node->stop('immediate');
advance_clock($clock, 5);
$node->start;
restart_generators();
is($node->sql('SELECT count(last_time) FROM idtypes_generators()'),
	0, 'unused: none has begun');

# ---- The end of time ----

# Tests that the clock is out of range for generators.
sub out_of_range($label, @which)
{
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	like($node->error_of("SELECT $_->{call} FROM generate_series(0, 1) g"),
		qr/ERROR:  the system clock is out of range for generator "$_->{name}"/,
		"$label: $_->{name}")
	  foreach @which;
}

# The clock is in 2156 for a moment, and one scru160 is asked for; uid11 ends in 2151 and 2081.
my $to_2156 = $node->seconds(q{'2156-01-01 00:00:00+00' - clock_timestamp()});
move_clock($clock, $to_2156);
$node->sql('SELECT scru160_generate()');
my @uid11 = grep { $_->{type} eq 'uid11' } @generators;
out_of_range('2156: has an end', @uid11);
move_clock($clock, -$to_2156);
$node->restart('immediate');
foreach my $generator (@uid11)
{
	my $ended = qr/ERROR:  generator "$generator->{name}" has come to the end of its time/;

	like(
		$node->error_of("SELECT $generator->{call}"),
		qr/$ended.*HINT:  .*idtypes_restart_generators\(\)/s,
		"after 2156: $generator->{name} makes nothing of another time, try $_, and says why")
	  foreach 1 .. 3;
}
is($node->sql("SELECT scru160_timestamp(scru160_generate()) > '2156-01-01'"),
	't', 'after 2156: scru160 goes on from there');
$repeats = restart_generators();
generate_all(2);
all_lead($node, '<', 5, 'after 2156, restarted');

# Before a format's time there is none to go back to: a clock that has never been right.
my $to_2020 = $node->seconds(q{'2020-01-01 00:00:00+00' - clock_timestamp()});
$node->stop('immediate');
unlink($node->data_dir . '/idtypes.mark') or die $!;
move_clock($clock, $to_2020);
$node->start;
restart_generators();
out_of_range('2020, restarted: has yet to begin',
	grep { $_->{type} eq 'ulidflake' } @generators);

move_clock($clock, -$to_2020);

# A clock before 1970, with a mark and without one: generators are not taken back to it, and the
# next start takes the mark that is there then.
foreach my $mark ('a mark', 'no mark')
{
	my $label = "1965, $mark";
	my $to_1965 = $node->seconds(q{'1965-01-01 00:00:00+00' - clock_timestamp()});

	$node->stop('immediate');
	unlink($node->data_dir . '/idtypes.mark') or die $! if $mark eq 'no mark';
	move_clock($clock, $to_1965);
	$node->start;
	my $stderr = $node->error_of('SELECT * FROM idtypes_restart_generators()');
	like($stderr,
		qr/ERROR:  identifier generators cannot be taken back to a time before 1970/,
		"$label: an error");
	like($stderr, qr/DETAIL:  The system clock shows 1965-01-01 /, "$label: which shows it");
	out_of_range($label, @generators) if $mark eq 'no mark';
	$node->error_of('SELECT * FROM idtypes_advance_generators(clock_timestamp())');
	cmp_ok(reserved_until($node), '>', 0, "$label: the mark is not before 1970");
	move_clock($clock, -$to_1965);
	$node->restart('immediate');
	is($node->error_of($one_of_each), '', "$label: the next start generates");
}

$node->stop;
done_testing();
