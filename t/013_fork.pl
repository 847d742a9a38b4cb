# A backend that makes a child of itself with fork(), as os.fork of an untrusted PL/Python does: a
# child is refused by all that generates, or needs the shared memory, and so repeats no id and holds
# nothing up; its parent goes on.

use t::IdTypesTest;
use List::Util qw(uniq);

my $library = build_library('functions');
my $ids = 100;
my $refused = '0A000: cannot generate identifiers in a child process of a session';

# each generator; what promises nothing but must not repeat a parent's random bits; and what else
# attaches to the shared memory
my @generate = ((map { $_->{call} } @generators), q{uid11_generate('fullrand')},
	q{scru160_generate_at('2026-01-01')});
my @others = (
	'tid64_settled()',
	'count(*) FROM idtypes_generators()',
	'count(*) FROM idtypes_restart_generators()',
	'count(*) FROM idtypes_advance_generators(now())');

my $node = new_node('main');
$node->sql("CREATE FUNCTION fork_and_call(text, int) RETURNS text
	AS '$library' LANGUAGE c STRICT");

sub fork_and_call
{
	my ($session, $call, $n) = @_;

	$call = "(SELECT $call FROM (VALUES (1)) v (g))" if $call !~ /FROM/;
	return split /\n/, $session->query_safe("SELECT fork_and_call(\$\$$call\$\$, $n)");
}

sub test_fork
{
	my ($label) = @_;

	foreach my $call (@generate)
	{
		# A session that has random bytes and, of a block, words, and one that has nothing.
		my @made = fork_and_call(session($node), $call, $ids);

		is(splice(@made, $ids, 1), $refused, "$label: $call: a child is refused");
		is(uniq(@made), 2 * $ids, "$label: $call: its parent goes on, and no id comes twice");
		is((fork_and_call(session($node), $call, 0))[0],
			$refused, "$label: $call: also where its parent had not generated an id");
	}
	foreach my $call (@others)
	{
		is((fork_and_call(session($node), $call, 1))[1],
			$refused, "$label: $call: a child is refused");
	}
	return;
}

test_fork('loaded on use');

# Loaded by the postmaster, whose children all backends are
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'idtypes'");
$node->restart;
test_fork('preloaded');

# A child does not end what its parent's transaction holds back.
my $session = session($node);
$session->query_safe('BEGIN');
my $open = $session->query_safe('SELECT tid64_generate()');
fork_and_call($session, 'tid64_generate()', 0);
$node->sql('SELECT pg_sleep(0.01)');
is($node->sql("SELECT tid64_settled() > '$open'"), 'f', 'the ids of its parent stay held back');
$session->query_safe('COMMIT');

$node->stop;
done_testing();
