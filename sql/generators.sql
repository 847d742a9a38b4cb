--
-- Generators: order, uniqueness, fields, settings and who may see what.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

-- 10000 ids of each, in the order in which they were made
CREATE TEMP TABLE generators (made text, type text, call text);
INSERT INTO generators VALUES
	('siqs', 'siq', 'siq_generate(''example.org'', ''post'')'),
	('siqs_user', 'siq', 'siq_generate('''', ''user'')'),
	('scru160s', 'scru160', 'scru160_generate()'),
	('scru160s_us', 'scru160', 'scru160_generate(''microsecond'')'),
	('tid64s', 'tid64', 'tid64_generate()'),
	('xids', 'uid11', 'uid11_generate()'),
	('fullrands', 'uid11', 'uid11_generate(''fullrand'')'),
	('snowishs', 'uid11', 'uid11_generate(''snowish'')'),
	('ts_seq_rands', 'uid11', 'uid11_generate(''ts-seq-rand'')'),
	('ulidflakes', 'ulidflake', 'ulidflake_generate()'),
	('ulidflakes_scalable', 'ulidflake', 'ulidflake_generate_scalable()');
CREATE FUNCTION made(generators, before timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('CREATE TEMP TABLE %I AS SELECT n, %s AS id FROM generate_series(1, 10000) n',
		$1.made, $1.call);
	-- A time may lie ahead of the clock by a second where the tick counts, and by the reserve of
	-- the time mark if the server has just been started.
	EXECUTE format('SELECT count(DISTINCT id) || '' different''
		|| CASE WHEN bool_and(id > previous) THEN '', increasing'' ELSE '''' END
		|| CASE WHEN bool_and(ts >= previous_ts) THEN '', time not going back'' ELSE '''' END
		|| CASE WHEN bool_and(ts >= %1$s_timestamp(%1$s_min($1))
			AND ts < clock_timestamp() + interval ''5 s'')
			THEN '', of now'' ELSE '''' END
		FROM (SELECT id, ts, lag(id) OVER w AS previous, lag(ts) OVER w AS previous_ts
			FROM (SELECT n, id, %1$s_timestamp(id) AS ts FROM %2$I) x WINDOW w AS (ORDER BY n)) y',
		$1.type, $1.made) INTO result USING before;
	RETURN result;
END
$$;
SELECT made, made(g, clock_timestamp()) FROM generators g;
-- the same of whatever generates according to the catalog, with the defaults of its arguments
SELECT replace(made(('known_' || name, t, call), clock_timestamp()), ', increasing', ''),
		count(DISTINCT t) = cardinality(type_names()) AS all_types
	FROM generators_known WHERE NOT at GROUP BY 1;
CREATE FUNCTION in_tick(type text, call text, ts timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	result boolean;
BEGIN
	EXECUTE format('SELECT bool_and(%2$s BETWEEN %1$s_min(ts) AND %1$s_max(ts))
		FROM (SELECT $1 AS ts FROM generate_series(1, 100)) x', type, call) INTO result USING ts;
	RETURN result;
END
$$;
SELECT in_tick(t, call, '2026-01-02 03:04:05.678901Z'),
		count(DISTINCT t) = cardinality(type_names()) AS all_types
	FROM generators_known WHERE at GROUP BY 1;

-- what is in their fields, but for the numbers of the server (t/006_settings.pl) and what is random
-- (t/010_random.pl)
SELECT count(DISTINCT siq_shard(id)) AS shards,
	min(siq_shard(id)) = pg_backend_pid() % 256 AS is_pid,
	bool_and(siq_domain_hash(id) = siq_domain_hash('example.org')) AS domain,
	bool_and(siq_type(id) = 'message') AS type, min(siq_serial(id)) AS first_serial,
	bool_and(siq_serial(id) = CASE WHEN siq_timestamp(id) = previous THEN previous_serial + 1
		ELSE 0 END) AS counts
	FROM (SELECT id, lag(siq_timestamp(id)) OVER w AS previous,
		lag(siq_serial(id)) OVER w AS previous_serial FROM siqs WINDOW w AS (ORDER BY n)) x;
SELECT count(DISTINCT scru160_random(id)) AS random_fields,
	bool_and(CASE WHEN scru160_timestamp(id) = previous THEN counter = previous_counter + 1
		ELSE counter < 32768 END) AS counts
	FROM (SELECT id, scru160_counter(id) AS counter, lag(scru160_timestamp(id)) OVER w AS previous,
		lag(scru160_counter(id)) OVER w AS previous_counter FROM scru160s
		WINDOW w AS (ORDER BY n)) x;
SELECT count(DISTINCT scru160_random(id)) AS random_fields,
	max(counter >> 6) < 1000 AS microseconds,
	bool_and(CASE WHEN (scru160_timestamp(id), counter >> 6) = (previous, previous_counter >> 6)
		THEN counter = previous_counter + 1 ELSE counter & 63 < 32 END) AS counts
	FROM (SELECT id, scru160_counter(id) AS counter, lag(scru160_timestamp(id)) OVER w AS previous,
		lag(scru160_counter(id)) OVER w AS previous_counter FROM scru160s_us
		WINDOW w AS (ORDER BY n)) x;

-- arguments that differ from call to call, one at a time and all of them
CREATE TEMP TABLE kinds (domain text, type text, local_id int, profile text);
INSERT INTO kinds VALUES ('example.org', 'event', 0, 'xid'),
	('other.example', 'user', 7, 'ts-seq-rand'),
	(repeat('long.', 20) || 'example', 'product', 256, 'snowish'),
	('0', 'event', 1, 'xid'), ('example.org', 'group', 0, 'ts-seq-rand');
SELECT bool_and(siq_domain_hash(siq_generate(domain, 'post')) = siq_domain_hash(domain))
		AS domain,
	bool_and(siq_type(siq_generate('example.org', type)) = type
		AND siq_type(siq_generate_at('2026-01-01', 'example.org', type)) = type) AS type,
	bool_and(siq_domain_hash(siq_generate('example.org', 'post', local_id)) =
		siq_domain_hash('example.org', local_id)) AS local_id,
	bool_and(siq_domain_hash(siq_generate_at('2026-01-01', domain, type, local_id)) =
		siq_domain_hash(domain, local_id)) AS at,
	count(uid11_machine) FILTER (WHERE profile = 'snowish') AS snowish,
	count(uid11_machine) AS machines
	FROM kinds, LATERAL (SELECT (uid11_parts(uid11_generate(profile), profile)).machine)
		AS u(uid11_machine);

-- settings: the administrator's alone
SELECT name, vartype, setting, boot_val, min_val, max_val, enumvals, context, pending_restart
	FROM pg_settings WHERE name LIKE 'idtypes.%' ORDER BY name COLLATE "C";
CREATE ROLE regress_idtypes_user;
CREATE ROLE regress_idtypes_monitor;
GRANT pg_monitor TO regress_idtypes_monitor;
\pset format unaligned
\pset tuples_only on
SELECT err('SET idtypes.node_id = 1');
SET ROLE regress_idtypes_user;
SELECT err('SET idtypes.on_overflow = error');
SELECT err('SELECT * FROM idtypes_generators()');
RESET ROLE;
SELECT err('SET idtypes.nodeid = 1');
\pset tuples_only off
\pset format aligned
-- everybody may generate, members of pg_monitor may look
SET ROLE regress_idtypes_user;
SELECT count(tid64_generate()) FROM generate_series(1, 3);
SET ROLE regress_idtypes_monitor;
SELECT bool_and(last_time > now() - interval '1 day') AS recent,
	bool_and(lead >= '0' AND lead < '5 s') AS lead, bool_and(burst_lead >= lead) AS burst,
	bool_and(generated >= 10000) AS generated,
	count(DISTINCT split_part(generator, ' ', 1)) = cardinality(type_names()) AS all_types
	FROM idtypes_generators() WHERE generator <> 'uuid7';
RESET ROLE;
-- everybody may ask up to where ids are settled; t/022_settled.pl says more of it
SET ROLE regress_idtypes_user;
SELECT * FROM for_types($$SELECT @T@_timestamp(@T@_settled())
	BETWEEN now() - interval '1 day' AND now() + interval '5 s' AS recent$$);
RESET ROLE;
DROP ROLE regress_idtypes_user, regress_idtypes_monitor;

-- Fields that name the server, or the error instead.  A new session has the new settings.
CREATE FUNCTION fields() RETURNS SETOF text LANGUAGE sql AS $$
	SELECT CASE WHEN e LIKE 'no error%' THEN outcome('SELECT ' || field) ELSE e END
	FROM unnest(ARRAY['siq_shard(siq_generate(''a'', ''tag''))',
			'siq_shard(siq_generate_at(''2026-01-01'', ''a'', ''tag''))',
			'tid64_clock_id(tid64_generate())', 'tid64_clock_id(tid64_generate_at(''2026-01-01''))',
			'(uid11_parts(uid11_generate(''snowish''), ''snowish'')).machine',
			'(uid11_parts(uid11_generate_at(''2026-01-01'', ''snowish''), ''snowish'')).machine',
			'ulidflake_scalability(ulidflake_generate_scalable())',
			'ulidflake_scalability(ulidflake_generate_scalable_at(''2026-01-01''))'])
			WITH ORDINALITY u (field, n), err('SELECT ' || field) e ORDER BY n
$$;
-- the same as the server tells it
CREATE FUNCTION told() RETURNS SETOF text LANGUAGE sql AS $$
	SELECT format('%s.%s: %s by %s%s', type, field, coalesce(value::text, 'refused'), source,
			CASE WHEN missing THEN ', missing' END) FROM idtypes_node_numbers()
$$;
-- a number that not all fields can hold; the field's own setting comes first.  (t/006_settings.pl
-- asks for other numbers, and settings of other kinds.)
ALTER SYSTEM SET idtypes.node_id = 960;
ALTER SYSTEM SET idtypes.siq_shard = 255;
SELECT pg_reload_conf();
\c
\pset format unaligned
\pset tuples_only on
SELECT fields();
SELECT told();
ALTER SYSTEM RESET idtypes.siq_shard;
ALTER SYSTEM RESET idtypes.node_id;
-- steps of one
ALTER SYSTEM SET idtypes.ulidflake_increment_bits = 1;
SELECT pg_reload_conf();
\c
CREATE TEMP TABLE steps AS SELECT n, ulidflake_generate() AS id FROM generate_series(1, 10000) n;
SELECT min(step), max(step) FROM (SELECT ulidflake_timestamp(id) AS ts, lag(ulidflake_timestamp(id))
	OVER w AS previous, id::bigint - lag(id::bigint) OVER w AS step FROM steps
	WINDOW w AS (ORDER BY n)) x WHERE ts = previous;
ALTER SYSTEM RESET idtypes.ulidflake_increment_bits;
SELECT pg_reload_conf();
\c
\pset tuples_only off
\pset format aligned
SELECT count(tid64_generate());
SELECT name, setting FROM pg_settings WHERE name LIKE 'idtypes.%' AND setting <> boot_val;
-- the bits by chance below a given instant, of which doc/uniqueness.md has the numbers: those in
-- which some of 400 ids differ
CREATE FUNCTION random_bits(call text, OUT bits int) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format($q$SELECT length(replace(bit_or(first # one)::text, '0', ''))
		FROM (SELECT bits AS one, first_value(bits) OVER () AS first FROM (
			SELECT ('x' || encode((%s)::bytea, 'hex'))::varbit AS bits
			FROM generate_series(1, 400)) AS b) AS ids$q$, call) INTO bits;
END
$$;
SELECT call, random_bits(replace(call, '(', '(' || quote_literal('2026-01-01Z'))) FROM unnest(ARRAY[
	'scru160_generate_at()', 'scru160_generate_at(, ''microsecond'')', 'uid11_generate_at()',
	'uid11_generate_at(, ''ts-seq-rand'')', 'uid11_generate_at(, ''snowish'')',
	'ulidflake_generate_at()', 'ulidflake_generate_scalable_at()',
	'siq_generate_at(, ''example.org'', ''user'')',
	'siq_generate_at(, ''example.org'', ''content'')', 'tid64_generate_at()']) AS call;
DROP FUNCTION random_bits(text);
DROP FUNCTION fields, told;
