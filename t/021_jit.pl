# Just-in-time compilation: expressions that are compiled and inlined wherever that is possible give
# what the others give, and end no session.  Without optimization, because that may remove what
# inlining could not resolve.

use t::IdTypesTest;

my $node = new_node('main', conf => <<'END');
jit_above_cost = 0
jit_inline_above_cost = 0
jit_optimize_above_cost = -1
END
plan(skip_all => 'the server has no just-in-time compiler')
  if $node->sql('SET jit = on; SELECT pg_jit_available()') ne 't';

# Every function of an id alone, every comparison, and ids as text and from text.
my %types = map { $_->{type} => 1 } grep { $_->{stored} eq $_->{type} } @generators;
foreach my $type (sort keys %types)
{
	$node->sql("CREATE TABLE ${type}_ids AS
		SELECT ${type}_min(timestamptz '2026-01-01Z' + n * interval '1 min') AS id
		FROM generate_series(1, 100) n");
	my $calls = $node->sql("
		SELECT string_agg(format('%s(id)::text', proname), ', ' ORDER BY proname)
		FROM pg_proc
		WHERE pronargs = 1 AND proargtypes[0] = '$type'::regtype AND provolatile = 'i'
			AND prorettype <> 'cstring'::regtype AND prokind = 'f' AND NOT proretset
			AND pronamespace = (SELECT typnamespace FROM pg_type WHERE oid = '$type'::regtype)");
	my $query = "SELECT md5(string_agg(concat_ws('|', id, id::text::$type, id < other, id <= other,
			id = other, id <> other, id >= other, id > other, id > timestamptz '2026-01-01 00:30Z',
			id <@ ${type}_range(timestamptz '2026-01-01 00:10Z', '2026-01-01 00:20Z'), $calls), ','
			ORDER BY id))
		FROM (SELECT id, lag(id, 3) OVER (ORDER BY id) AS other FROM ${type}_ids) i
		WHERE id >= ${type}_min('2026-01-01Z') AND ${type}_timestamp(id) < '2026-01-02Z'";

	cmp_ok($calls =~ tr/,//, '>', 3, "$type: functions of an id were found");
	is($node->sql("SET jit = on; $query"), $node->sql("SET jit = off; $query"),
		"$type: compiled expressions give what the others give");
	like($node->sql("SET jit = on; EXPLAIN (ANALYZE) $query"),
		qr/Inlining true, Optimization false/, "$type: they were compiled");
}

done_testing();
