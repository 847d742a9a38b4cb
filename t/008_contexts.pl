# Generators wherever the server can call them: parallel queries, logical replication, and backends
# that are ended while they wait.  Prepared and aborted transactions are in 022_settled.pl.

use t::IdTypesTest;

my $node = new_node(
	'main',
	init => { allows_streaming => 'logical' },
	conf => "max_worker_processes = 16\n");

# Parallel query: workers scan, the leader generates, and a worker that is made to is refused.
$node->sql(q{CREATE TABLE source AS SELECT g FROM generate_series(1, 10000) g; ANALYZE source;
	CREATE FUNCTION called(text) RETURNS text LANGUAGE plpgsql PARALLEL SAFE AS
		$$ DECLARE result text; BEGIN
			EXECUTE format('SELECT %s FROM (VALUES (1)) v (g)', $1) INTO result;
			RETURN result;
		END $$});
my $parallel = q{SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
	SET min_parallel_table_scan_size = 0; SET parallel_leader_participation = off;
	\\set VERBOSITY verbose
	};
foreach my $call ((map { $_->{call} } @generators), q{uid11_generate('fullrand')})
{
	like($node->sql("$parallel EXPLAIN (VERBOSE) SELECT g, $call FROM source"),
		qr/Gather .*Output: [^\n]*generate.*Parallel Seq Scan.*Output: g$/s,
		"$call: below it, workers scan");
	like(
		$node->error_of("$parallel SELECT count(called(\$\$$call\$\$)) FROM source"),
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
	send_query($session,
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
	$session->{run}->kill_kill;
}

$node->stop;
done_testing();
