# More ids than an instant has: wait for the next, or raise the error that is asked for.  tid64 and
# snowish, which take the next instant at once, lead the clock by no more than a second.
#
# The server's clocks stand still while instants are used up, so that it does not matter how fast
# the machine is.

use t::IdTypesTest;

# With steps of up to 2^16 a millisecond of ulidflake has some 30 ids.
my $clock = new_clock();
my $node = new_node('main', clock => $clock, conf => "idtypes.ulidflake_increment_bits = 16\n");

# What each generator can be made to do: more ids than it has while the clock stands still, and how
# many there are in an instant at most.
my @overflowing = map { my %case; @case{qw(generator call ids most)} = @$_; \%case } (
	[ 'tid64', 'tid64_generate()', 1_000_100, 1 ],
	[ 'uid11 snowish', q{uid11_generate('snowish')}, 1010 * 4096, 4096 ],
	[ 'uid11 ts-seq-rand', q{uid11_generate('ts-seq-rand')}, 5000, 4096 ],
	[ 'ulidflake', 'ulidflake_generate()', 5000, 2**20 ],
	[ 'ulidflake', 'ulidflake_generate_scalable()', 5000, 2**15 ],
	[ 'uuid7', 'uuid7_generate()', 5000, 4000 ]);

# Wait
$node->set('idtypes.on_overflow', 'wait');
my $session = session($node);
# looks on, often
my $observer = session($node);
foreach my $case (@overflowing)
{
	my ($generator, $call, $ids) = @$case{qw(generator call ids)};
	my ($type) = $call =~ /^([a-z0-9]+)_/;
	my $before = state_of($node, $generator, 'counter_waits');

	stop_clock($clock);
	# a series in FROM would be a table of that size
	$session->send("SELECT sum(n), max(n) FROM
		(SELECT count(*) FILTER (WHERE rises) AS n FROM
			(SELECT id, (id > lag(id) OVER ()) IS NOT FALSE AS rises FROM
				(SELECT $call AS id FROM (SELECT generate_series(1, $ids)) s OFFSET 0) a) b
		GROUP BY ${type}_timestamp(id)) c");
	ok(wait_for(sub { state_of($node, $generator, 'counter_waits') > $before }),
		"$call: waits when there are no more, and that is counted");
	start_clock($clock);

	my ($rising, $most) = split /\|/, $session->query('');
	my $waits = state_of($node, $generator, 'counter_waits') - $before;

	is($rising, $ids, "$call: then all $ids ids are there, in order");
	# by steps of one from its begin, an instant is used up to its last
	cmp_ok($most, $type =~ /^u(lidflake|uid7)$/ ? '<=' : '==',
		$case->{most}, "$call: as many as an instant has");
	cmp_ok($waits, '<', $ids, "$call: only the calls that waited count");
	note("$call: $ids ids, $most in an instant, $waits waits");
}
stop_clock($clock);

# ---- What each wait counts as ----

# Of all generators, so that nothing else rises either.
sub all_waits
{
	return $node->sql('SELECT generator, counter_waits, clock_waits, mark_waits
			FROM idtypes_generators()');
}

# What is generated while the clock stands still, and moves by a millisecond whenever the session is
# seen to wait, or to be at work, as it is in the last microseconds of an instant, through which it
# spins: so the mark, which lies a second ahead at least, is renewed in time.
sub waits_rise($label, $cause, $calls)
{
	my @before = split /[|\n]/, all_waits();
	my $state = '';

	$session->send("SELECT count(ulidflake_generate_scalable()) AS n$cause
		FROM generate_series(1, $calls)");
	wait_for(
		sub {
			$state = $observer->query("SELECT coalesce(wait_event_type, state) FROM pg_stat_activity
					WHERE pid = $session->{pid} AND (state = 'active' OR query ~ 'AS n$cause')");
			advance_clock($clock, 0.001) if $state =~ /^(Extension|active)$/;
			return $state eq 'Client';
		}) or die "the session does not return: $state";
	is($session->query(''), $calls, "$label: ids are made");

	my @after = split /[|\n]/, all_waits();
	my @rose = grep { $after[$_] ne $before[$_] } 0 .. $#after;
	my ($row) = grep { $before[$_] eq 'ulidflake' } 0 .. $#before;

	is_deeply(\@rose, [ $row + $cause ], "$label: that rises, and nothing else");
	return $after[ $row + $cause ] - $before[ $row + $cause ];
}

advance_clock($clock, 2);
$node->sql('SELECT ulidflake_generate()');
waits_rise('a counter that runs out', 1, 40);
set_clock($clock, '-60');
waits_rise('a clock that was set back', 2, 40);
set_clock($clock, '+3600');
is(waits_rise('a clock past the mark', 3, 1), 1, 'a clock past the mark: one call waits');

# Error
$node->set('idtypes.on_overflow', 'error');
foreach my $case (@overflowing)
{
	my ($generator, $call, $ids) = @$case{qw(generator call ids)};
	my $error = $node->error_of(
		"\\set VERBOSITY verbose\nSELECT count($call) FROM (SELECT generate_series(1, $ids)) s");

	like(
		$error,
		qr/ERROR:  2200H: generator "$generator" has used up the ids of this instant/,
		"$call: names the generator");
	like($error, qr/DETAIL:  The next can be generated in \d+ us\./, "$call: says when");

	advance_clock($clock, 0.001);
	is($node->sql("SELECT count($call)"), 1, "$call: and generates again later");
}

# Blocks of xids lose none: a session that is alone gets all that a millisecond has, 64 for each
# block that it takes.
advance_clock($clock, 1);
my $xids = 'SELECT count(DISTINCT id) FROM
	(SELECT uid11_generate() AS id FROM (SELECT generate_series(1, 1 << 22)) g OFFSET 0) s';
is($session->query($xids), 1 << 22, 'an instant has all xids in blocks');
like($node->error_of('SELECT uid11_generate()'),
	qr/generator "uid11 xid" has used up the ids of this instant/, 'and not one more');

# How far several clients lead the clock when they want as many ids as they can get: by a second,
# and where the clock goes on they follow it.
$node->set('idtypes.on_overflow', 'wait');
foreach my $case (@overflowing[ 0, 1 ])
{
	my ($generator, $call) = @$case{qw(generator call)};
	my $load = start_load($node, clients => 4,
		scripts => ["SELECT count($call) FROM generate_series(1, 20000)"]);

	foreach my $pass (1 .. 5)
	{
		# a tick of snowish is a millisecond
		ok(wait_for(sub { lead_of($observer, $generator) > 0.998 }, 0.01),
			"$generator: pass $pass: clients use up the lead");
		cmp_ok(lead_of($observer, $generator), '<=', 1, "$generator: pass $pass: and no more");
		advance_clock($clock, 0.3);
	}
	start_clock($clock);
	ok(stop_load($load), "$generator: no client failed");
	stop_clock($clock);
}

$node->stop;
done_testing();
