# The random fields of generated ids, over many ids: each bit is set half of the time and does not
# follow that of its neighbour, and repeats are as frequent as chance makes them.
#
# Each test fails by chance once in a million runs.  Samples are kept from the first failed one on.

use t::IdTypesTest;

my $ids = $stress ? 1_000_000 : 200_000;

# Two-sided quantile of the normal distribution.
my $sigmas = 4.8916;

# Each random field as a bigint: how an id is generated, how the field is extracted from it, and its
# width in bits.  Of some, only the first id of a tick has it fresh (starts); it does not repeat
# within a tick (once); or it is its differences within a tick, from 1, that are random (steps).
my $scru160_half = q{('x' || substr(scru160_hex(id), %d, 12))::bit(48)::bigint};
my @fields = (
	[ 'scru160_generate()', sprintf($scru160_half, 17), 48 ],
	[ 'scru160_generate()', sprintf($scru160_half, 29), 48 ],
	[ 'scru160_generate()', 'scru160_counter(id)', 15, 'starts' ],
	[ q{scru160_generate('microsecond')}, 'scru160_counter(id) % 64', 5, 'starts' ],
	[ 'uid11_generate()', 'uid11_random(id)::bigint', 22, 'once' ],
	[ q{uid11_generate('fullrand')}, 'div(id::numeric, 4294967296)::bigint', 32 ],
	[ q{uid11_generate('fullrand')}, 'mod(id::numeric, 4294967296)::bigint', 32 ],
	[ q{uid11_generate('ts-seq-rand')}, 'id::bigint & 1023', 10 ],
	[ 'ulidflake_generate()', 'ulidflake_randomness(id)', 20, 'starts' ],
	[ 'ulidflake_generate_scalable()', 'ulidflake_randomness(id) >> 5', 15, 'starts' ],
	[ 'ulidflake_generate()', 'ulidflake_randomness(id)', 8, 'steps' ],
	[ 'uuid7_generate()', "('x' || right(id::text, 12))::bit(48)::bigint", 48 ],
	[ 'uuid7_generate()', "('x' || substr(id::text, 20, 4))::bit(16)::int & 16383", 14 ]);

my $node = new_node('main');

# The field's values and their ticks, in the order in which they were generated.
sub sample($call, $field, $what)
{
	my ($type) = $call =~ /^([a-z0-9]+)_/;
	my $tick = $call =~ /fullrand/ ? 'n' : "extract(epoch FROM ${type}_timestamp(id))";
	my $source = "SELECT n, $call AS id FROM generate_series(1, $ids) n";
	my $select = 'SELECT v, tick FROM sample ORDER BY n';

	# a pause, so that each id has a tick of its own
	$source = "SELECT n, $call AS id FROM generate_series(1, $ids / 100) n,
		LATERAL (SELECT pg_sleep(n * 0.0 + 0.0011)) s" if $what eq 'starts';
	$select = 'SELECT step, tick FROM
		(SELECT n, tick, v - lag(v) OVER (PARTITION BY tick ORDER BY n) AS step FROM sample) s
		WHERE step IS NOT NULL ORDER BY n' if $what eq 'steps';
	return split /\n/,
	  $node->sql("WITH sample AS MATERIALIZED (SELECT n, $field AS v, $tick AS tick
			FROM ($source OFFSET 0) s) $select");
}

foreach (@fields)
{
	my ($call, $field, $bits, $what) = (@$_, '');
	my $name = "$call $field $what";
	my @sample = sample($call, $field, $what);
	my @values = map { (split /\|/)[0] } @sample;
	my $n = @values;

	# steps are 1 to 2^bits - 1, so their bits are a little more often set than not
	my $half = $what eq 'steps' ? 2**($bits - 1) / (2**$bits - 1) : 0.5;

	cmp_ok($n, '>=', $ids / 200, "$name: $n values");

	# Balance of each bit, and whether it follows that of the value before
	my $all = pack('Q*', @values);
	my $changed = substr($all, 8) ^ substr($all, 0, -8);
	my $out_of_range = grep { $_ >= 2**$bits || $_ < 0 } @values;
	is($out_of_range, 0, "$name: $bits bits");

	# as strict for the worst of the bits as for a single one
	my $tolerance = sqrt($sigmas**2 + 2 * log(2 * $bits));
	my $alike = $half**2 + (1 - $half)**2;
	my ($worst_set, $worst_same) = (0, 0);
	foreach my $bit (0 .. $bits - 1)
	{
		# %64b* counts the bits of a string
		my $mask = pack('Q', 1 << $bit) x $n;
		my $set = unpack('%64b*', $all & $mask);
		my $same = $n - 1 - unpack('%64b*', $changed & $mask);

		$worst_set = max($worst_set, abs($set - $n * $half) / sqrt($n * $half * (1 - $half)));
		$worst_same = max($worst_same,
			abs($same - ($n - 1) * $alike) / sqrt(($n - 1) * $alike * (1 - $alike)));
	}
	cmp_ok($worst_set, '<', $tolerance, "$name: each bit is set half of the time");
	cmp_ok($worst_same, '<', $tolerance, "$name: and does not follow the one before");

	# Birthdays: pairs of equal values, among those that could be.  Their number has its mean for
	# its variance; few pairs, or pairs of few values, spread further than in a normal distribution.
	my $days = $what eq 'steps' ? 2**$bits - 1 : 2**$bits;
	my %of_value;
	my $pairs = 0;
	$pairs += $of_value{$_}++ foreach @values;
	my $expected = $n * ($n - 1) / 2 / $days;
	if ($what eq 'once')
	{
		my (%of_tick, %of_both);
		my $repeated = 0;

		foreach (@sample)
		{
			my (undef, $tick) = split /\|/;

			$expected -= ($of_tick{$tick}++) / $days;
			$repeated += $of_both{$_}++;
		}
		is($repeated, 0, "$name: no value twice in a tick");
	}
	note(
		sprintf(
			'%s: %d values, worst bit %.2f sigma, neighbour %.2f, %d pairs, %.1f expected',
			$name, $n, $worst_set, $worst_same, $pairs, $expected));
	cmp_ok(abs($pairs - $expected), '<', 1.25 * $sigmas * sqrt($expected) + 8,
		"$name: as many repeats as chance makes");
	unless (Test::More->builder->is_passing)
	{
		my $file = "${PostgreSQL::Test::Utils::log_path}/sample_" . $name =~ s/\W+/_/gr;

		append_to_file($file, join('', map { "$_\n" } @values));
		diag("the sample is in $file");
	}
}

$node->stop;
done_testing();
