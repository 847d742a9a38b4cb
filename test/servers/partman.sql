-- Partitions kept by pg_partman: for each type what doc/partitioning.md says, by the page's own
-- statements, which are the files :page1 and so on.
SET client_min_messages = warning;
\i test/lib/ask.sql
SET timezone = 'UTC';
CREATE SCHEMA partman;
CREATE EXTENSION pg_partman SCHEMA partman;
SELECT extversion AS version, extversion LIKE '4.%' AS old
	FROM pg_extension WHERE extname = 'pg_partman' \gset
\echo # pg_partman :version

CALL for_each_type('CREATE TABLE @T@_ids (id @T@ NOT NULL) PARTITION BY RANGE (id)');
\if :old
SELECT ask('is refused as it comes', $$SELECT err($q$SELECT partman.create_parent('public.@T@_ids',
	'id', p_type := 'native', p_interval := '1 month')$q$)
	LIKE '%types that are integer or date/timestamp. Supplied column is of type @T@%'$$);
\q
\endif

CREATE FUNCTION make_parent(parent text, t text, since text DEFAULT NULL) RETURNS boolean
LANGUAGE sql AS $$
	SELECT partman.create_parent('public.' || parent, 'id', '1 month',
		p_time_encoder := format('public.%s_time_encoder', t),
		p_time_decoder := format('public.%s_time_decoder', t), p_start_partition := since)
$$;
-- What the partitions of a table hold, but for the default one.
CREATE FUNCTION held(parent text, decoder text) RETURNS tstzrange[] LANGUAGE plpgsql AS $$
DECLARE
	found_so_far tstzrange[];
BEGIN
	EXECUTE format('SELECT array_agg(tstzrange(%1$s(m[1]), %1$s(m[2])) ORDER BY %1$s(m[1]))
		FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid,
			regexp_matches(pg_get_expr(relpartbound, c.oid), $r$''([^'']+)''.*''([^'']+)''$r$) m
		WHERE inhparent = %2$L::regclass', decoder, parent) INTO found_so_far;
	RETURN found_so_far;
END
$$;
-- Some months, the one of now being 0.
CREATE FUNCTION months(first int, last int) RETURNS tstzrange[] LANGUAGE sql
RETURN (SELECT array_agg(tstzrange(m, m + interval '1 month') ORDER BY m) FROM generate_series(
	date_trunc('month', now()) + first * interval '1 month',
	date_trunc('month', now()) + last * interval '1 month', '1 month') m);

SELECT ask('is refused as it comes', $$SELECT err($q$SELECT make_parent('@T@_ids', '@T@')$q$)
	LIKE '%types that are integer, numeric, date/timestamp or specially encoded text. '
		'Supplied column is of type @T@%'$$);

-- what uuid and text columns hold
\set file :page 4
\i :file
SELECT ok('siq as uuid: months', held('letter', 'siq_uuid_decoder') = months(-4, 4));
INSERT INTO letter DEFAULT VALUES;
INSERT INTO letter SELECT siq_min(date_trunc('month', now()) + interval '3 months')::uuid;
SELECT ok('siq as uuid: rows in their partitions', count(*) = 2) FROM letter
	WHERE to_char(siq_timestamp(id::siq), 'YYYYMM01') = right(tableoid::regclass::text, 8);
SELECT partman.run_maintenance('public.letter');
SELECT ok('siq as uuid: maintenance goes on from the last row',
	held('letter', 'siq_uuid_decoder') = months(-4, 7));

-- uuid of version 7, which pg_partman knows, beside idtypes_uuid
\set file :page 5
\i :file
INSERT INTO visit (page) SELECT 'p' FROM generate_series(1, 100);
SELECT ok('uuid: new ids are in the partition of the month', count(*) = 100)
	FROM visit WHERE to_char(now(), 'YYYYMM01') = right(tableoid::regclass::text, 8);
SELECT ok('uuid: a window is looked for in one partition', scans(format(
	'visit WHERE uuid7_within(id, %L, %L)', date_trunc('month', now()) + interval '2 days',
	date_trunc('month', now()) + interval '3 days')) = 1);

-- the text of a siq starts with its checksum and does not sort
CREATE FUNCTION ask_of_text(name text, question text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT answer FROM ask(name, question) answer WHERE answer !~ '^(not )?ok - siq'
$$;
CALL for_each_type('CREATE TABLE @T@_text (id text COLLATE "C" NOT NULL) PARTITION BY RANGE (id)');
SELECT ask_of_text('as text is accepted', $$SELECT make_parent('@T@_text', '@T@')$$);
SELECT ask_of_text('as text: months', $$
	SELECT held('@T@_text', '@T@_time_decoder') = months(-4, 4)$$);
CALL for_each_type($$INSERT INTO @T@_text SELECT @T@_min(date_trunc('month', now())
	+ n * interval '1 month')::text FROM generate_series(-1, 1) n WHERE '@T@' <> 'siq'$$);
SELECT ask_of_text('as text: rows in their partitions', $$SELECT count(*) = 3 FROM @T@_text
	WHERE to_char(@T@_timestamp(id::@T@), 'YYYYMM01') = right(tableoid::regclass::text, 8)$$);

-- the types themselves, after the documented change
\set file :page 1
\i :file
\set file :page 2
\i :file
SELECT ok('documented table: months', held('event', 'uid11_time_decoder') = months(-4, 4));
\set file :page 3
\i :file
-- late in a month pg_partman makes one more
SELECT ok('documented table: retention, and months to come',
	(held('event', 'uid11_time_decoder'))[1:7] = months(-2, 4));

SELECT ask('is accepted after the change', $$SELECT make_parent('@T@_ids', '@T@',
	to_char(now() - interval '4 months', 'YYYY-MM-01'))$$);
SELECT ask('months', $$SELECT held('@T@_ids', '@T@_time_decoder') = months(-4, 4)$$);
CALL for_each_type($$INSERT INTO @T@_ids
	SELECT @T@_min(date_trunc('month', now()) + n * interval '1 month' + o)
	FROM generate_series(-4, 2) n, (VALUES (interval '0'), ('27 days 23:59:59.999')) v (o)$$);
SELECT ask('rows in their partitions', $$SELECT count(*) = 14 FROM @T@_ids
	WHERE to_char(@T@_timestamp(id), 'YYYYMM01') = right(tableoid::regclass::text, 8)$$);
CALL for_each_type($$DO 'BEGIN PERFORM partman.run_maintenance(''public.@T@_ids''); END'$$);
SELECT ask('months to come after the newest row', $$
	SELECT held('@T@_ids', '@T@_time_decoder') = months(-4, 6)$$);
UPDATE partman.part_config SET retention = '2 months', retention_keep_table = false
	WHERE parent_table LIKE '%\_ids';
CALL for_each_type($$DO 'BEGIN PERFORM partman.run_maintenance(''public.@T@_ids''); END'$$);
SELECT ask('old months are gone, and their rows', $$
	SELECT held('@T@_ids', '@T@_time_decoder') = months(-2, 6) AND count(*) = 10 FROM @T@_ids$$);
SELECT ask('show_partition_info() knows the instants', $$SELECT count(*) = 9
	FROM partman.show_partitions('public.@T@_ids') p, partman.show_partition_info(
		'public.' || partition_tablename, '1 month', 'public.@T@_ids') i
	WHERE to_char(child_start_time, 'YYYYMMDD') = right(partition_tablename, 8)
		AND child_end_time = child_start_time + interval '1 month'$$);
SELECT ask('a day is looked for in one partition', $$SELECT scans(format(
	'@T@_ids WHERE id <@ @T@_range(%L, %L)', date_trunc('month', now()) + interval '2 days',
	date_trunc('month', now()) + interval '3 days')) = 1$$);

-- why the page warns of updates: pg_partman made anew does not know the types, and says so
CREATE TABLE kept AS SELECT * FROM partman.part_config WHERE parent_table = 'public.event';
DROP EXTENSION pg_partman;
CREATE EXTENSION pg_partman SCHEMA partman;
INSERT INTO partman.part_config TABLE kept;
\set ON_ERROR_STOP 0
SELECT partman.run_maintenance();
