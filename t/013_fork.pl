# A backend that makes a child of itself with fork(), as os.fork of an untrusted PL/Python does: the
# child repeats none of its parent's ids, and its ids are not counted twice.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use IdTypesTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $library = build_library('fork');
my $ids = 100;
my $clock = new_clock();

# each generator, and what promises nothing but must not repeat a parent's random bits either
my %calls = (
	'siq' => [ 'siq_generate(text, text, int)', '{example.org, message, 0}' ],
	'scru160' => [ 'scru160_generate(text)', '{default}' ],
	'scru160 microsecond' => [ 'scru160_generate(text)', '{microsecond}' ],
	'tid64' => [ 'tid64_generate()', '{}' ],
	'uid11 xid' => [ 'uid11_generate(text)', '{xid}' ],
	'uid11 snowish' => [ 'uid11_generate(text)', '{snowish}' ],
	'uid11 ts-seq-rand' => [ 'uid11_generate(text)', '{ts-seq-rand}' ],
	'uid11 fullrand' => [ 'uid11_generate(text)', '{fullrand}' ],
	'ulidflake' => [ 'ulidflake_generate()', '{}' ],
	'ulidflake scalable' => [ 'ulidflake_generate_scalable()', '{}' ],
	'scru160 at an instant' =>
	  [ 'scru160_generate_at(timestamptz, text)', '{2026-01-01 00:00:00+00, default}' ]);

sub test_fork
{
	my ($node, $label) = @_;

	$node->safe_psql(
		'postgres', "CREATE FUNCTION fork_and_call(regprocedure, text[], int, int, int) RETURNS text
			AS '$library' LANGUAGE c STRICT");
	foreach my $name (sort keys %calls)
	{
		# Within one tick, so that what a process took for itself remains good; one that has
		# begun, as a server just started waits for one to come.
		if ($name eq 'uid11 xid')
		{
			$node->safe_psql('postgres', "SELECT uid11_generate('xid')");
			stop_clock($clock);
		}
		my ($function, $arguments) = @{ $calls{$name} };
		my @made = split /\n/,
		  $node->safe_psql('postgres',
			"SELECT fork_and_call('$function', '$arguments', $ids, $ids, 0)");
		my %seen;

		start_clock($clock) if $name eq 'uid11 xid';
		$seen{$_}++ foreach @made;
		is(scalar(@made), 3 * $ids, "$label: $name: parent, child, parent");
		is(scalar(keys %seen), 3 * $ids, "$label: $name: no id twice");
	}

	# A process reports what it has made once a second: a child after a while all that it has to.
	my $generated = "SELECT generated FROM idtypes_generators() WHERE generator = 'tid64'";
	my $clients =
	  q{SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'client backend'};

	$node->poll_query_until('postgres', $clients) or die 'a session has not ended';
	my $before = $node->safe_psql('postgres', $generated);
	$node->safe_psql('postgres', "SELECT fork_and_call('tid64_generate()', '{}', $ids, 1, 1100)");
	$node->poll_query_until('postgres', $clients) or die 'a session has not ended';
	my $counted = $node->safe_psql('postgres', $generated) - $before;
	is($counted, 2 * $ids + 1, "$label: each id is counted once");
	$node->safe_psql('postgres', 'DROP FUNCTION fork_and_call');
	return;
}

my $node = new_node('main', clock => $clock);
test_fork($node, 'loaded on use');

# Loaded by the postmaster, whose children all backends are
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'idtypes'");
$node->stop;
with_fake_clock($clock, sub { $node->start });
test_fork($node, 'preloaded');

$node->stop;
done_testing();
