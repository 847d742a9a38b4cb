# idtypes_advance_generators(): from when it has returned, no id is of the tick of an instant or an
# earlier one, whatever the clock says, what others do meanwhile, and whether the server crashes.

use t::IdTypesTest;

my $clock = new_clock();
my $node = new_node('main', clock => $clock, conf => "fsync = on\n");
my $tick = longest_tick($node);
my $now = 'clock_timestamp()';
my @names = map { $_->{name} } @generators;
my $mark = $node->data_dir . '/idtypes.mark';

# An instant that is given in seconds, to the microsecond.
sub at($seconds)
{
	return sprintf("timestamptz 'epoch' + interval '1 us' * %.0f", $seconds * 1e6);
}

# Calls it, and returns where each generator starts, in seconds.
sub advance($arguments)
{
	return {
		map { split /\|/ } split /\n/,
		$node->sql("SELECT generator, extract(epoch FROM starts)
				FROM idtypes_advance_generators($arguments)")
	};
}

sub advance_error($arguments)
{
	return $node->error_of(
		"\\set VERBOSITY verbose\nSELECT * FROM idtypes_advance_generators($arguments)");
}

# Tests that each generator is past an instant, as a server or a session sees it; returns the times
# of its ids.
sub all_past($asked, $instant, $label)
{
	my $times = id_times($asked);

	# a tick of siq, whose instant is rounded up
	cmp_ok($times->{$_}, '>', $instant, "$label: $_ is past it") foreach @names;
	return $times;
}

# The next start is that of a new cluster, as it has no mark.
sub start_anew
{
	$node->stop('immediate');
	unlink($mark) or die $!;
	advance_clock($clock, $_[0]);
	$node->start;
}

my $nothing_made = 'SELECT count(last_time) + count(lead) FROM idtypes_generators()';
my $leads = q{SELECT min(lead) > interval '59 min' FROM idtypes_generators()};

# ---- NULL ----

like(advance_error($_),
	qr/ERROR:  22004: argument "instant" of .* must not be null.*HINT:  The largest id of an/s,
	"$_: an error")
  foreach 'NULL', "NULL, '1 day', 'siq'", 'NULL, NULL, NULL';
like(advance_error("$now, NULL"),
	qr/ERROR:  22004: argument "at_most" of .* must not be null\nDETAIL:  No generator was/,
	'at_most: an error');
ok(!-e $mark, 'and not even a mark');

# its arguments and its columns have names of their own, so that a function can wrap it
$node->sql(q{CREATE FUNCTION wrapped(t timestamptz, OUT generator text) LANGUAGE plpgsql AS $$ BEGIN
	SELECT a.generator INTO STRICT wrapped.generator
		FROM idtypes_advance_generators(t, for_generator => 'siq') a; END $$});
is($node->sql("SELECT wrapped('2000-01-01')"), 'siq', 'wrapped in a function');

# ---- Before all time ----

# Some formats begin later than their clock word does: no generator starts where its format has no
# ids.
start_anew(0);
my $instant = 0.0005;
my $starts = advance(at($instant));
is(keys %$starts, @names, 'before all time: a row for each generator');
cmp_ok($starts->{$_}, '>', $instant, "before all time: $_ starts after it") foreach @names;
start_anew(0);

# ---- Ahead of the clock ----

# before the first id of the server, and with one that has made some
foreach my $label ('unused', 'used')
{
	my $position = -s $node->logfile;

	if ($label eq 'used')
	{
		advance_clock($clock, 7200);
		id_times($node);
	}
	my $instant = $node->seconds("date_trunc('second', $now) + interval '1 h'");
	my $starts = advance(at($instant));

	is_deeply([ sort keys %$starts ], [ sort @names ], "$label: a row for each generator");
	is($node->sql($nothing_made), 0, "$label: none has made an id there");
	is( $node->sql(q{SELECT largest_lead > interval '59 min' FROM idtypes_status()}),
		't', "$label: but the lead shows");
	like(slurp_file($node->logfile, $position), qr/identifier generators were advanced past /,
		"$label: and the log says so");

	# each starts with the tick that follows
	my $times = id_times($node);
	foreach my $name (@names)
	{
		cmp_ok($starts->{$name}, '>', $instant, "$label: $name starts after the instant");
		cmp_ok($starts->{$name}, '<=', $instant + 1.1 * $tick, "$label: $name in the next tick");
		cmp_ok($times->{$name}, '>=', $starts->{$name}, "$label: $name starts there");
	}
	is($node->sql($leads), 't', "$label: then that shows");

	# once more, and with an instant that is behind: nothing moves, nor is the mark written
	id_times($node);
	my $file = slurp_file($mark);
	my $again = advance(at($instant));
	my $behind = advance("$now - interval '10 years'");
	cmp_ok($again->{$_}, '>=', $starts->{$_}, "$label: again: $_ stays") foreach @names;
	cmp_ok($behind->{$_}, '>=', $starts->{$_}, "$label: behind: $_ stays") foreach @names;
	is(slurp_file($mark), $file, "$label: neither writes the mark");
	is($node->sql($leads), 't', "$label: and what was made shows");
}

# Calls in a row do not add up: the mark, where the server would start, stays as close.
foreach my $n (1 .. 10)
{
	my $instant = $node->seconds("$now + interval '2 h'") + 60 * $n;

	advance(at($instant));
	cmp_ok(reserved_until($node) - $instant,
		'<=', 0.005 + 1.1 * $tick, "call $n: the mark is as far ahead");
}

# One generator alone
$instant = $node->seconds("$now + interval '4 h'");
is_deeply([ keys %{ advance(at($instant) . ", for_generator => 'uid11 xid'") } ],
	['uid11 xid'], 'one generator: a row');
my $times = id_times($node);
cmp_ok($times->{$_}, $_ eq 'uid11 xid' ? '>' : '<', $instant, "one generator: where $_ is")
  foreach @names;

# The administrator can take that back.
$node->sql('SELECT idtypes_restart_generators()');
is($node->sql(q{SELECT count(*) FROM idtypes_generators() WHERE lead >= '3 s'}),
	0, 'restarted: each generator is back at the clock');
cmp_ok(largest_lead($node), '<', 3, 'restarted: all are');

# ---- Errors ----

my $before = reserved_until($node);
like(advance_error("'$_'"), qr/ERROR:  22008: identifier generators cannot be advanced to .*"$_"/,
	"$_: an error")
  foreach 'infinity', '-infinity';
foreach my $arguments (
	"$now + interval '25 h'",
	"$now + interval '1 min', '59 s'",
	"$now + interval '1 min', '59 s', 'siq'",
	"$now - interval '1 h', '-61 min'")
{
	my $stderr = advance_error($arguments);

	like($stderr, qr/ERROR:  22008: timestamp ".*" is too far ahead of the system clock/,
		"$arguments: an error");
	like($stderr, qr/HINT:  .*pass a larger at_most/, "$arguments: and what to do");
}
like(advance_error("$now, for_generator => 'uid11'"),
	qr/ERROR:  22023: unknown generator "uid11".*HINT:  Known ones are: siq, .*uid11 xid, /s,
	'a generator that there is not: an error that lists them');
# snowish ends before the others, and for them too there must be a time to start at
like(
	advance_error("'2100-01-01', '200 years'$_"),
	qr/ERROR:  22008: timestamp "2100.*" is past the end of generator "uid11 snowish"/,
	"past the end of one$_: an error")
  foreach '', ", 'uid11 snowish'", ", 'siq'";
is(reserved_until($node), $before, 'an error writes no mark');
cmp_ok(largest_lead($node), '<', 3, 'and moves nothing');

# A disk that fails
set_fake($clock, error => 5);
like(advance_error("$now + interval '1 h'"), qr/could not fdatasync file "idtypes\.mark"/,
	'a disk that fails: an error');
set_fake($clock, error => 0);
cmp_ok(largest_lead($node), '<', 3, 'a disk that fails: nothing has moved');
id_times($node);
all_lead($node, '<', 3, 'a disk that fails: ids are of the clock');

# ---- Within the tick of the clock ----

# Blocks that sessions have taken of that tick are void, and while the clock is in it they wait.
my $taker = session($node);
stop_clock($clock);
$node->sql('CREATE UNLOGGED TABLE made (id_time numeric)');
my $observer = session($node);

# Advances to the tick of the clock, in which the session has ids left, and tests its next one.
sub is_of_another_tick($label, $generator)
{
	my $waits = 'SELECT sum(counter_waits) FROM idtypes_generators()';
	my $tick = $observer->sql("SELECT extract(epoch FROM $now)");

	$waits = $observer->sql($waits) . " < ($waits)";
	advance("clock_timestamp(), '1 day', '$generator->{name}'");
	# some have their lead, and make an id at once
	$taker->send("INSERT INTO made
		SELECT extract(epoch FROM $generator->{type}_timestamp($generator->{call})) AS id_time
		FROM generate_series(1, 1) g");
	ok( wait_until(
			$node, "SELECT $waits OR state = 'idle'
				FROM pg_stat_activity WHERE pid = $taker->{pid} AND query ~ 'AS id_time'"),
		"$label: waits, or has an id");
	# past the longest tick of a type
	advance_clock($clock, 1.01);
	$taker->query('');
	cmp_ok($observer->sql('DELETE FROM made RETURNING id_time'),
		'>', $tick, "$label: makes one of another tick");
}

foreach my $overflow ('wait', 'error')
{
	$node->set('idtypes.on_overflow', $overflow);
	foreach my $generator (@generators)
	{
		advance_clock($clock, 5);
		$taker->query('SELECT uid11_generate()');
		is_of_another_tick("$overflow: $generator->{name}", $generator);
	}
}
$node->set('idtypes.on_overflow', 'wait');

# The rest of a tick's last block becomes void as well, though no clock word has to advance then.
advance_clock($clock, 5);
is( $taker->query(
		'SELECT min(t) = max(t) FROM (SELECT uid11_timestamp(uid11_generate()) AS t
			FROM (SELECT generate_series(1, (1 << 22) - 1)) g OFFSET 0) s'),
	't', 'all xids of a tick but one');
is_of_another_tick('the last xid of a tick', grep { $_->{name} eq 'uid11 xid' } @generators);
$_->quit foreach $taker, $observer;
start_clock($clock);

# ---- Crashes ----

# at once after the call
$instant = $node->seconds("$now + interval '5 h'");
advance(at($instant));
$node->restart('immediate');
$times = all_past($node, $instant, 'a crash after it');
cmp_ok($times->{siq}, '<', $instant + 5, 'a crash after it: siq not by far');

# and when the mark has been written, but no clock word has advanced
$instant = $node->seconds("$now + interval '6 h'");
my $administrator = session($node);
set_fake($clock, hold => 10**12);
$administrator->send('SELECT * FROM idtypes_advance_generators(' . at($instant) . ')');
ok(wait_for_sync($clock), 'a crash within: the mark is being written');
cmp_ok(reserved_until($node), '>', $instant, 'a crash within: the new one');
my $made = id_times($node);
cmp_ok($made->{$_}, '<', $instant, "a crash within: $_ goes on meanwhile") foreach @names;
$node->stop('immediate');
set_fake($clock, hold => 0);
$administrator->quit;
$node->start;
$times = all_past($node, reserved_until($node) - 1, 'a crash within');
cmp_ok($times->{$_}, '>', $made->{$_}, "a crash within: $_ repeats nothing") foreach @names;

# ---- While others generate ----

create_id_tables($node);
my $load = start_load($node, clients => 4);
wait_for_ids($node) or die 'no load';
$administrator = session($node);
$administrator->sql('SET client_min_messages = warning');
foreach my $n (1 .. 20)
{
	$administrator->sql("SELECT count(*) FROM
		idtypes_advance_generators($now + interval '8 h' + interval '10 ms' * $n)");
	is( $administrator->sql(q{SELECT count(*) FROM idtypes_generators()
			WHERE last_time > clock_timestamp() + interval '7 h' AND lead IS NULL}),
		0, "call $n under load");
}
$administrator->quit;
ok(wait_for_ids($node), 'under load: clients go on');
ok(stop_load($load), 'under load: no client failed');
check_ids($node, 'under load');

# ---- A new cluster that takes over the rows of another one ----

# Its clock is behind: past the last of the ids that it has got, it repeats none.
# Of these, the same tick and counter are the same id: nothing else of it is drawn.
my @plain = grep { $_->{name} =~ /^(?:siq|tid64|uid11 snowish)$/ } @generators;

# The old cluster makes what is plain in an instant.
start_anew(0);
create_keyed_tables($node);
stop_clock($clock);
$instant = $node->seconds;
$node->sql(insert_keyed($_, 100)) foreach @plain;
start_clock($clock);
foreach my $generator (@generators)
{
	$node->sql(insert_keyed($generator, 100)) unless grep { $_ == $generator } @plain;
}

# Without the call: where the new clock comes to that instant, ids repeat.
start_anew(-100);
stop_clock($clock);
advance_clock($clock, $instant - $node->seconds);
like($node->error_of(insert_keyed($_, 100)),
	qr/duplicate key/, "without the call, ids of $_->{name} repeat")
  foreach @plain;
start_clock($clock);

# With it, the primary key would say if one did.
start_anew(-100);
cmp_ok($node->seconds, '<', $instant, 'the clock is behind');
$node->sql(join ';', map {
	"SELECT idtypes_advance_generators(max($_->{type}_timestamp(id))) FROM $_->{keyed}"
} @generators);
foreach my $generator (@generators)
{
	my ($type, $table) = @$generator{qw(type keyed)};
	my $last = $node->sql("SELECT max(${type}_timestamp(id)) FROM $table");

	is($node->error_of(insert_keyed($generator, 100)),
		'', "with the call, $generator->{name} repeats nothing");
	is($node->sql("SELECT count(*) FROM $table WHERE ${type}_timestamp(id) > '$last'"),
		100, "with the call, $generator->{name} goes on in later ticks");
}

# ---- The end of a format's time ----

# The last tick is never handed out, so one before it must be left.
my $end = q{timestamptz '2081-07-18 02:58:46.662Z'};
my $snowish = "'100 years', 'uid11 snowish'";
like(
	advance_error("$end + interval '$_ ms', $snowish"),
	qr/is past the end of generator "uid11 snowish"/,
	"the end: an error $_ ms from it") foreach 1, 0, -1;
advance("$end - interval '2 ms', $snowish");
is( $node->sql("SELECT uid11_timestamp(uid11_generate('snowish')) = $end - interval '1 ms'"),
	't', 'the end: the last tick that there is');
# when the clock has passed that end, the others go on
my $seconds = $node->seconds("$end + interval '1 day' - $now");
$node->stop('immediate');
set_clock($clock, $seconds);
$node->start;
is(keys %{ advance("$now + interval '1 h', for_generator => 'siq'") }, 1, 'the end: not of siq');
like(advance_error("$now + interval '1 h'"), qr/is past the end of generator "uid11 snowish"/,
	'the end: but with all, an error');
$node->stop('immediate');

done_testing();
