# Functions wherever the server can call them: parallel queries, compiled expressions, logical
# replication, backends that are ended while they wait, and children that backends make of
# themselves.  Prepared and aborted transactions are in 022_settled.pl.

use t::IdTypesTest;
use List::Util qw(uniq);

my $node = new_node(
	'main',
	init => { allows_streaming => 'logical' },
	conf => <<'END');
max_worker_processes = 16
jit_above_cost = 0
jit_inline_above_cost = 0
jit_optimize_above_cost = -1
END

# Parallel query: workers scan, the leader generates, and a worker that is made to is refused.
$node->sql(q{CREATE TABLE source AS SELECT g FROM generate_series(1, 10000) g; ANALYZE source;
	CREATE FUNCTION called(text) RETURNS text LANGUAGE plpgsql PARALLEL SAFE AS
		$$ DECLARE result text; BEGIN
			EXECUTE format('SELECT %s FROM (VALUES (1)) v (g)', $1) INTO result;
			RETURN result;
		END $$});
my $parallel = q{SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
	SET min_parallel_table_scan_size = 0; SET parallel_leader_participation = off;};
foreach my $call ((map { $_->{call} } @generators), q{uid11_generate('fullrand')})
{
	like($node->sql("$parallel EXPLAIN (VERBOSE) SELECT g, $call FROM source"),
		qr/Gather .*Output: [^\n]*generate.*Parallel Seq Scan.*Output: g$/s,
		"$call: below it, workers scan");
	like(
		$node->error_of(
			"\\set VERBOSITY verbose\n$parallel SELECT count(called(\$\$$call\$\$)) FROM source"),
		qr/25000: cannot generate identifiers in a parallel worker/,
		"$call: a worker is refused");
}

# Logical replication: on the subscriber an apply worker calls the default of a column that the
# publisher does not have, and a trigger.  It has an empty search path, so the trigger's function
# brings its own.
my $subscriber = new_node(
	'subscriber',
	init => { allows_streaming => 'logical' },
	conf => "max_worker_processes = 16\nwal_retrieve_retry_interval = 100ms\n");
$node->sql(
	'CREATE TABLE replicated (n int PRIMARY KEY); CREATE PUBLICATION p FOR TABLE replicated');
$subscriber->sql(q{CREATE TABLE replicated (
		n int PRIMARY KEY, by_default tid64 DEFAULT tid64_generate(), by_trigger siq);
	CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS
		$$ BEGIN new.by_trigger := siq_generate('example.org', 'message'); RETURN new; END $$;
	CREATE TRIGGER fill BEFORE INSERT ON replicated FOR EACH ROW EXECUTE FUNCTION fill();
	ALTER TABLE replicated ENABLE ALWAYS TRIGGER fill;});
$subscriber->sql(
	q{CREATE SUBSCRIPTION s CONNECTION '} . $node->connstr . q{ dbname=postgres' PUBLICATION p});
$subscriber->wait_for_subscription_sync($node, 's');
foreach my $i (1 .. 5)
{
	$node->sql(
		"INSERT INTO replicated SELECT g FROM generate_series($i * 1000, $i * 1000 + 999) g");
}
# others generate at the same time
my $own = $subscriber->sql(
	'SELECT count(DISTINCT tid64_generate()) FROM generate_series(1, 50000)');
$node->wait_for_catchup('s');
is($own, 50000, 'sessions of a subscriber');
my $replicated = q{SELECT count(*), count(DISTINCT by_default), count(DISTINCT by_trigger),
	string_agg(DISTINCT concat_ws(' ', tid64_clock_id(by_default) - 32, siq_shard(by_trigger)), ',')
	FROM replicated};
is($subscriber->sql($replicated),
	'5000|5000|5000|7 7', 'an apply worker generates by default and by trigger');

# A number that cannot be stops an apply worker that begins with it, until it is corrected.
my $position = -s $subscriber->logfile;
$subscriber->sql('ALTER SUBSCRIPTION s DISABLE');
ok(wait_until($subscriber, 'SELECT count(pid) = 0 FROM pg_stat_subscription'), 'no apply worker');
$subscriber->set('idtypes.node_id', 'abc');
$subscriber->sql('ALTER SUBSCRIPTION s ENABLE');
$node->sql('INSERT INTO replicated VALUES (0)');
ok($subscriber->wait_for_log(qr/ERROR:  invalid value for .*node_id": "abc"/, $position),
	'an apply worker refuses');
is($subscriber->sql($replicated), '5000|5000|5000|7 7', 'and has no row');
$subscriber->set('idtypes.node_id', 8);
$node->wait_for_catchup('s');
is($subscriber->sql($replicated), '5001|5001|5001|7 7,8 8', 'until corrected');
$subscriber->stop;

# A session that waits most of the time can be cancelled and terminated, and others do not notice.
$node->set('idtypes.ulidflake_increment_bits', 16);
foreach my $end ('pg_cancel_backend', 'pg_terminate_backend')
{
	my $session = session($node);
	my $waits = state_of($node, 'ulidflake', 'counter_waits');

	# some hours of ids, and not in a table of that size
	$session->send(
		'SELECT count(ulidflake_generate()) FROM (SELECT generate_series(1, 1000000000)) s');
	ok(wait_for(sub { state_of($node, 'ulidflake', 'counter_waits') > $waits }),
		"$end: a session waits");
	is($node->sql("SELECT $end($session->{pid})"), 't', "$end: sent");
	ok( wait_until(
			$node, "SELECT count(*) = 0 FROM pg_stat_activity
				WHERE pid = $session->{pid} AND state = 'active'"),
		"$end: the session stops");
	is( $node->sql('SELECT count(DISTINCT ulidflake_generate()) FROM generate_series(1, 100)'),
		100,
		"$end: others go on");
	$session->quit;
}

# ---- Just-in-time compilation ----

# Expressions that are compiled and inlined wherever that is possible give what the others give, and
# end no session: every function of an id alone, every comparison, and ids as text and from text.
# Without optimization, because that may remove what inlining could not resolve.
my $compiles = $node->sql('SET jit = on; SELECT pg_jit_available()') eq 't';
my %types = map { $_->{type} => 1 } grep { $_->{stored} eq $_->{type} } @generators;
  SKIP: foreach my $type (sort keys %types)
{
	skip 'the server has no just-in-time compiler', 3 unless $compiles;
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

# ---- A child of a backend ----

# A backend may fork(), as os.fork of an untrusted PL/Python does: a child is refused by all that
# generates, or needs the shared memory, and so repeats no id and holds nothing up; its parent goes
# on.
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

$node->sql("CREATE FUNCTION fork_and_call(text, int) RETURNS text
	AS '$library' LANGUAGE c STRICT");

sub fork_and_call($session, $call, $n)
{
	$call = "(SELECT $call FROM (VALUES (1)) v (g))" if $call !~ /FROM/;
	return split /\n/, $session->sql("SELECT fork_and_call(\$\$$call\$\$, $n)");
}

sub test_fork($label)
{
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
}

test_fork('loaded on use');

# Loaded by the postmaster, whose children all backends are
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'idtypes'");
$node->restart;
test_fork('preloaded');

# A child does not end what its parent's transaction holds back.
my $session = session($node);
$session->sql('BEGIN');
my $open = $session->sql('SELECT tid64_generate()');
fork_and_call($session, 'tid64_generate()', 0);
$node->sql('SELECT pg_sleep(0.01)');
is($node->sql("SELECT tid64_settled() > '$open'"), 'f', 'the ids of its parent stay held back');
$session->sql('COMMIT');

$node->stop;
done_testing();
