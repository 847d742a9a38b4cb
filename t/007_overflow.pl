# More ids than an instant has: wait for the next, or raise the error that is asked for.  tid64 and
# snowish, which take the next instant at once, lead the clock by no more than a second.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use IdTypesTest;
use List::Util qw(max);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep time);

# With steps of up to 2^16 a millisecond of ulidflake has some 20 ids.
my $node = new_node('main', conf => "idtypes.ulidflake_increment_bits = 16\n");

# What each generator can be made to do: more ids than it has at that speed, and how many there are
# in an instant at most.
my @overflowing = (
	{
		generator => 'tid64',
		call => 'tid64_generate()',
		type => 'tid64',
		ids => 4_000_000,
		most => 1
	},
	{
		generator => 'ulidflake',
		call => 'ulidflake_generate()',
		type => 'ulidflake',
		ids => 5000,
		most => 2**20
	},
	{
		generator => 'ulidflake',
		call => 'ulidflake_generate_scalable()',
		type => 'ulidflake',
		ids => 5000,
		most => 2**15
	});

sub waits_of
{
	my ($generator) = @_;

	return $node->safe_psql('postgres',
		"SELECT waits FROM idtypes_generators() WHERE generator = '$generator'");
}

sub set_overflow
{
	my ($value) = @_;

	$node->append_conf('postgresql.conf', "idtypes.on_overflow = $value");
	$node->reload;
	$node->poll_query_until('postgres',
		"SELECT current_setting('idtypes.on_overflow', true) = '$value'")
	  or die 'no reload';
	return;
}

# Wait
set_overflow('wait');
foreach my $case (@overflowing)
{
	my ($generator, $call, $type, $ids) = @$case{qw(generator call type ids)};
	my $before = waits_of($generator);
	my ($distinct, $most, $instants, $span) = split /\|/,
	  $node->safe_psql(
		'postgres', "SELECT sum(n), max(n), count(*), extract(epoch FROM max(ts) - min(ts)) FROM
			(SELECT ts, count(DISTINCT id) AS n FROM
				(SELECT ${type}_timestamp(id) AS ts, id FROM
					(SELECT $call AS id FROM generate_series(1, $ids) OFFSET 0) a) b
			GROUP BY ts) c");
	my $waits = waits_of($generator) - $before;

	is($distinct, $ids, "$call: all $ids ids, waiting where there were no more");
	cmp_ok($most, '<=', $case->{most}, "$call: at most $case->{most} in an instant");
	cmp_ok($waits, '>', 0, "$call: waits are counted");
	cmp_ok($waits, '<', $ids, "$call: and only the calls that waited");
	note("$call: $ids ids in $instants instants and $span s, $waits waits");
}
my $before = waits_of('uid11 xid');
$node->safe_psql('postgres', 'SELECT count(uid11_generate()) FROM generate_series(1, 100000)');
is(waits_of('uid11 xid'), $before, 'a generator that has enough does not wait');

# Error
set_overflow('error');
foreach my $case (@overflowing)
{
	my ($generator, $call, $ids) = @$case{qw(generator call ids)};
	my $stderr = '';
	my $sql = "SELECT count($call) FROM generate_series(1, $ids)";

	isnt($node->psql('postgres', "\\set VERBOSITY verbose\n$sql", stderr => \$stderr),
		0, "$call: error");
	like(
		$stderr,
		qr/ERROR:  2200H: generator "$generator" has used up the ids of this instant/,
		"$call: names the generator");
	like($stderr, qr/DETAIL:  The next can be generated in \d+ us\./, "$call: says when");

	# a client can deal with it
	is( $node->safe_psql(
			'postgres', "CREATE TEMP TABLE caught (n int);
			DO \$\$ BEGIN PERFORM $call FROM generate_series(1, $ids);
			EXCEPTION WHEN sequence_generator_limit_exceeded THEN INSERT INTO caught VALUES (1);
			END \$\$;
			SELECT pg_sleep(1.1);
			SELECT count(*), $call IS NOT NULL FROM caught;") =~ s/^\n//r,
		'1|t',
		"$call: can be caught, and generates again later");
}
set_overflow('wait');

# How far tid64 leads when several clients want as many as they can get
my $seconds = $stress ? 30 : 4;
my $script = PostgreSQL::Test::Utils::tempdir() . '/fast.sql';
append_to_file($script,
	"SELECT count(tid64_generate()), count(uid11_generate('snowish'))
		FROM generate_series(1, 20000);\n" =~ s/\n\t+/ /r
);
my $began = time();
my ($generated, $last) = split /\|/,
  $node->safe_psql('postgres', q{SELECT generated, extract(epoch FROM last_time)
	FROM idtypes_generators() WHERE generator = 'tid64'});
my $load = IPC::Run::start(
	[
		'pgbench', '--no-vacuum', '-c', 4, '-j', 2, '-T', $seconds, '-f', $script,
		'-h', $node->host, '-p', $node->port, 'postgres'
	],
	'>', \my $stdout, '2>', \my $stderr);
my %lead = (tid64 => 0, 'uid11 snowish' => 0);
while (time() < $began + $seconds)
{
	foreach my $generator (keys %lead)
	{
		$lead{$generator} = max($lead{$generator}, lead_of($node, $generator));
	}
}
ok(IPC::Run::finish($load), 'clients at full speed') or diag($stderr);
my $rate = ($node->safe_psql('postgres',
	q{SELECT generated FROM idtypes_generators() WHERE generator = 'tid64'}) - $generated)
  / (time() - $began);
note(sprintf('tid64: %.0f ids a second, lead %.3f s; snowish: lead %.3f s',
		$rate, $lead{tid64}, $lead{'uid11 snowish'}));
note('this machine was too slow to make tid64 lead') if $lead{tid64} < 0.5;
# The system clock and the monotonic one drift by some microseconds meanwhile.
cmp_ok($lead{$_}, '<=', 1.001, "$_ leads by no more than a second") foreach sort keys %lead;

$node->stop;
done_testing();
