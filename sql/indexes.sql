--
-- Each kind of index, partitioning and constraint over an id column, of all types: the plan
-- that uses it, and that its answers are those of a scan that compares the bytes of the ids.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA idindexes;
SET search_path = idindexes, public;
:take_two;
\pset format unaligned
\pset tuples_only on

CREATE FUNCTION plans(query text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT concat(types, ':', chr(10), result)
		FROM for_types(format('SELECT plan_of(''@T@'', %L)', query))
$$;

CALL for_each_type($$
	CREATE TABLE @T@_data (id @T@, key bytea, v serial);
	CREATE TABLE @T@_btree (id @T@, v int);
	CREATE INDEX ON @T@_btree (id) INCLUDE (v);
	CREATE TABLE @T@_hash (id @T@, v int);
	CREATE INDEX ON @T@_hash USING hash (id);
	CREATE TABLE @T@_minmax (id @T@, v int);
	CREATE INDEX ON @T@_minmax USING brin (id) WITH (pages_per_range = 1);
	CREATE TABLE @T@_multi (id @T@, v int);
	CREATE INDEX ON @T@_multi USING brin (id @T@_minmax_multi_ops) WITH (pages_per_range = 1);
	CREATE TABLE @T@_bloom (id @T@, v int);
	CREATE INDEX ON @T@_bloom USING brin (id @T@_bloom_ops (n_distinct_per_range = -1))
		WITH (pages_per_range = 1);
	CREATE TABLE @T@_gist (id @T@, v int);
	CREATE INDEX ON @T@_gist USING gist (id);

	CREATE TABLE @T@_byhash (id @T@, v int) PARTITION BY HASH (id);
	CREATE TABLE @T@_byhash_0 PARTITION OF @T@_byhash FOR VALUES WITH (MODULUS 4, REMAINDER 0);
	CREATE TABLE @T@_byhash_1 PARTITION OF @T@_byhash FOR VALUES WITH (MODULUS 4, REMAINDER 1);
	CREATE TABLE @T@_byhash_2 PARTITION OF @T@_byhash FOR VALUES WITH (MODULUS 4, REMAINDER 2);
	CREATE TABLE @T@_byhash_3 PARTITION OF @T@_byhash FOR VALUES WITH (MODULUS 4, REMAINDER 3);

	CREATE TABLE @T@_byrange (id @T@, v int) PARTITION BY RANGE (id);
	CREATE TABLE @T@_byrange_1 PARTITION OF @T@_byrange
		FOR VALUES FROM (@T@_min('2026-01-01 00:00Z')) TO (@T@_min('2026-01-04 00:00Z'));
	CREATE TABLE @T@_byrange_2 PARTITION OF @T@_byrange
		FOR VALUES FROM (@T@_min('2026-01-04 00:00Z')) TO (@T@_min('2026-01-07 00:00Z'));
	CREATE TABLE @T@_byrange_3 PARTITION OF @T@_byrange
		FOR VALUES FROM (@T@_min('2026-01-07 00:00Z')) TO (@T@_min('2026-01-10 00:00Z'));
	CREATE TABLE @T@_byrange_rest PARTITION OF @T@_byrange DEFAULT;
$$);

-- Fills all tables with ids of ten days, a tenth of them twice, some of neighbouring ticks, some of
-- all the time that the type has, the smallest and the largest of all, and NULL; but for those and
-- one in ten in the order of time, as tables with a BRIN index are.
CREATE PROCEDURE fill(ids int) LANGUAGE sql AS $body$
	CALL for_each_type(format($$
		TRUNCATE @T@_data, @T@_btree, @T@_hash, @T@_minmax, @T@_multi, @T@_bloom, @T@_gist,
			@T@_byhash, @T@_byrange RESTART IDENTITY;
		INSERT INTO @T@_data (id)
			SELECT (substr(b, 1, 6) || noise(length(b) - 6))::@T@
			FROM (SELECT @T@_min('2026-01-01 00:00Z'::timestamptz
					+ random() * interval '10 days')::bytea
				FROM generate_series(1, %s)) x (b)
			ORDER BY CASE WHEN random() < 0.9 THEN b END;
		INSERT INTO @T@_data (id) SELECT id FROM @T@_data WHERE random() < 0.1;
		INSERT INTO @T@_data (id) SELECT unnest(ARRAY[@T@_min(t), @T@_max(t)])
			FROM (SELECT '2026-01-05Z'::timestamptz + random() * interval '3 ms'
				FROM generate_series(1, 40)) near (t);
		INSERT INTO @T@_data (id) SELECT @T@_min(first + random() * (last - first))
			FROM generate_series(1, 20), (SELECT @T@_timestamp(@T@_range_first('(,)')),
				@T@_timestamp(@T@_range_last('(,)'))) ends (first, last);
		INSERT INTO @T@_data (id) VALUES (lower(@T@_prefix(''))), (upper(@T@_prefix(''))), (NULL);
		UPDATE @T@_data SET key = @T@_sortable(id::bytea);
		INSERT INTO @T@_btree SELECT id, v FROM @T@_data ORDER BY v;
		INSERT INTO @T@_hash SELECT id, v FROM @T@_data ORDER BY v;
		INSERT INTO @T@_minmax SELECT id, v FROM @T@_data ORDER BY v;
		INSERT INTO @T@_multi SELECT id, v FROM @T@_data ORDER BY v;
		INSERT INTO @T@_bloom SELECT id, v FROM @T@_data ORDER BY v;
		INSERT INTO @T@_gist SELECT id, v FROM @T@_data ORDER BY v;
		INSERT INTO @T@_byhash SELECT id, v FROM @T@_data ORDER BY v;
		INSERT INTO @T@_byrange SELECT id, v FROM @T@_data ORDER BY v;
		SELECT brin_summarize_new_values(indexrelid) FROM pg_index
			WHERE indrelid = ANY ('{@T@_minmax,@T@_multi,@T@_bloom}'::regclass[]);
	$$, ids))
$body$;

-- What a table is asked: a condition, with an operator for %s; the values to ask with, and what the
-- condition says of the bytes or the instant of an id.  Values are ids that the table has, a random
-- one, the smallest and the largest of all; windows between two ids; instants of ids, beside them,
-- at both ends of the type, past them, and without end.
CREATE TABLE questions (about text, clause text, means text, type text, operands text);
INSERT INTO questions VALUES
	('ids', 'id %s $1', 'key %s @T@_sortable($1::bytea)', '@T@', $$
		(SELECT id FROM @T@_data WHERE id IS NOT NULL ORDER BY random() LIMIT 4)
		UNION ALL SELECT @T@_min('2026-01-01Z'::timestamptz + random() * interval '9 days')
		UNION ALL SELECT unnest(ARRAY[lower(r), upper(r)]) FROM @T@_prefix('') r$$),
	('windows', 'id <@ $1', 'key BETWEEN @T@_sortable(lower($1)::bytea)
		AND @T@_sortable(upper($1)::bytea)', '@T@range', $$
		SELECT @T@range(min(id), max(id), '[]') FROM generate_series(1, 10) n, LATERAL (SELECT id
			FROM @T@_data WHERE id IS NOT NULL AND n > 0 ORDER BY random() LIMIT 2) ends
		GROUP BY n$$);
INSERT INTO questions SELECT 'instants', form, replace(form, 'id', '@T@_timestamp(id)'),
		'timestamptz', $$
		SELECT t + n * interval '1 us' FROM generate_series(-1, 1) n, (
			(SELECT @T@_timestamp(id) FROM @T@_data WHERE @T@_timestamp(id)
				BETWEEN '2026-01-05Z' AND '2026-01-05 00:00:00.003Z' ORDER BY random() LIMIT 2)
			UNION ALL SELECT @T@_timestamp(unnest(ARRAY[lower(r), upper(r)]))
				FROM @T@_prefix('') r) i (t)
		UNION ALL SELECT unnest('{infinity,-infinity,NULL}'::timestamptz[])$$
	FROM unnest('{id %s $1,NOT ($1 %s id)}'::text[]) form;

-- Asks a table of type t, each value as a constant and as the parameter of a generic plan.
CREATE FUNCTION probe(t text, kind text, asked text, operators text[]) RETURNS text
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
LANGUAGE plpgsql AS $$
DECLARE
	query constant text := format('SELECT array_agg(v ORDER BY v) FROM %s_%s WHERE ', t, kind);
	one record;
	value text;
	truth int[];
	by_constant int[];
	by_parameter int[];
	checked int := 0;
	wrong int := 0;
	hits int := 0;
BEGIN
	FOR one IN SELECT DISTINCT replace(clause, '%s', op) AS clause,
				'SELECT array_agg(v ORDER BY v) FROM @T@_data WHERE '
					|| replace(means, '%s', op) AS truth, type, operands
			FROM questions, unnest(operators) op WHERE about = asked LOOP
		EXECUTE replace(format('PREPARE truth(%s) AS %s', one.type, one.truth), '@T@', t);
		EXECUTE replace(format('PREPARE question(%s) AS %s', one.type, query || one.clause),
			'@T@', t);
		FOR value IN EXECUTE replace(one.operands, '@T@', t) LOOP
			EXECUTE format('EXECUTE truth(%L)', value) INTO truth;
			EXECUTE format('EXECUTE question(%L)', value) INTO by_parameter;
			EXECUTE query || replace(one.clause, '$1', replace(format('%L::%s', value, one.type),
				'@T@', t)) INTO by_constant;
			wrong := wrong + (by_constant IS DISTINCT FROM truth)::int
				+ (by_parameter IS DISTINCT FROM truth)::int;
			checked := checked + 2;
			hits := hits + (truth IS NOT NULL)::int * 2;
		END LOOP;
		DEALLOCATE truth;
		DEALLOCATE question;
	END LOOP;
	RETURN format('%s answers, %s wrong%s', checked, wrong,
		CASE WHEN hits <= checked / 3 THEN format(', but only %s with ids', hits) END);
END
$$;
CREATE FUNCTION answers(kind text, operators text[], VARIADIC about text[]) RETURNS SETOF text
LANGUAGE sql AS $$
	SELECT concat_ws(': ', asked, types, result) FROM unnest(about) asked,
		for_types(format('SELECT probe(''@T@'', %L, %L, %L)', kind, asked, operators))
$$;

SELECT FROM setseed(0.5);
CALL fill(3000);
CALL for_each_type('ANALYZE @T@_data, @T@_btree, @T@_hash, @T@_minmax, @T@_multi, @T@_bloom');
CALL for_each_type('ANALYZE @T@_gist, @T@_byhash, @T@_byrange');

SET enable_seqscan = off;

-- The plans for the ids that compare so with one of 5 January, and for those of a day.
CREATE FUNCTION uses(kind text, VARIADIC operators text[]) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT plans(format('SELECT id FROM @T@_%s WHERE id %s %s', kind, op,
			CASE op WHEN '<@' THEN '@T@_range(''2026-01-05 00:00Z'', ''2026-01-06 00:00Z'')'
				ELSE '@T@_min(''2026-01-05 06:07:08Z'')' END))
		FROM unnest(operators) op
$$;

-- B-tree
SET enable_bitmapscan = off;
SELECT uses('btree', '=', '<', '<=', '>', '>=', '<@');
SELECT plans('SELECT id FROM @T@_btree ORDER BY id DESC LIMIT 5');
SELECT plans('SELECT max(id) FROM @T@_btree');
-- downwards
BEGIN;
CALL for_each_type('DROP INDEX @T@_btree_id_v_idx');
CALL for_each_type('CREATE INDEX ON @T@_btree (id DESC NULLS LAST)');
SELECT uses('btree', '=', '<', '<=', '>', '>=', '<@');
SELECT answers('btree', '{=,<,<=,>,>=}', 'ids', 'windows');
ROLLBACK;
SELECT * FROM for_types($$SELECT
	(SELECT array_agg(v ORDER BY id, v) FROM @T@_btree) =
		(SELECT array_agg(v ORDER BY key, v) FROM @T@_data) AND
	(SELECT concat(min(id), max(id)) FROM @T@_btree) =
		(SELECT concat((array_agg(id ORDER BY key))[1], (array_agg(id ORDER BY key DESC))[1])
			FROM @T@_data WHERE id IS NOT NULL)$$);

-- hash
SELECT uses('hash', '=');

-- GiST: nothing to recheck, and the ids can be read from the index
SELECT format('VACUUM %s_gist', t) FROM unnest(type_names()) t
\set ECHO none
\gexec
\set ECHO all
SELECT uses('gist', '=', '<>', '<', '<=', '>', '>=', '<@');
SELECT * FROM for_types($$SELECT
	(SELECT string_agg(id::text, ' ' ORDER BY id) FROM @T@_gist WHERE id >= lower(@T@_prefix(''))) =
		(SELECT string_agg(id::text, ' ' ORDER BY key) FROM @T@_data)$$);
-- built anew over rows, which sorts: the entries of a page have the order of ids
CALL for_each_type('REINDEX TABLE @T@_gist');
SELECT answers('gist', '{=,<>,<,<=,>,>=}', 'ids');
CALL for_each_type('CREATE TEMP TABLE @T@_page AS
	SELECT id, key FROM @T@_data WHERE id IS NOT NULL ORDER BY md5(v::text) LIMIT 50');
CALL for_each_type('CREATE INDEX ON @T@_page USING gist (id)');
SELECT * FROM for_types($$SELECT
	(SELECT array_agg(id) FROM @T@_page WHERE id >= lower(@T@_prefix(''))) =
		(SELECT array_agg(id ORDER BY key) FROM @T@_page)$$);
SET enable_bitmapscan = on;

-- BRIN
SELECT uses('minmax', '=', '<', '<=', '>', '>=', '<@');
SELECT uses('multi', '=', '<', '<=', '>', '>=', '<@');
SELECT uses('bloom', '=');
CREATE TABLE too_wide (id scru160);
CREATE INDEX ON too_wide USING brin (id scru160_bloom_ops (n_distinct_per_range = -1));
SELECT split_part(err('INSERT INTO too_wide VALUES (scru160_generate())'), ' (', 1);

-- They leave out most of a table.  (Minmax does not here, as one id in ten is out of order.)
CREATE FUNCTION share_read(tab regclass, condition text) RETURNS float8 LANGUAGE sql AS $$
	SELECT ((plan->>'Exact Heap Blocks')::int + (plan->>'Lossy Heap Blocks')::int) * 8192.0
		/ pg_relation_size(tab)
	FROM explained(format('SELECT v FROM %s WHERE %s', tab, condition), ', ANALYZE') e,
		LATERAL (SELECT e->'Plan') p (plan)
$$;
SELECT * FROM for_types($$SELECT share_read('@T@_multi',
	'id <@ @T@_range(''2026-01-05 00:00Z'', ''2026-01-05 06:00Z'')') BETWEEN 0.01 AND 0.4$$);
SELECT * FROM for_types($$SELECT share_read('@T@_bloom', format('id = %L', id)) BETWEEN 0.01 AND 0.4
	FROM @T@_data WHERE v = 1500$$);

-- exclusion constraints
CALL for_each_type($$
	CREATE TABLE @T@_exclude (id @T@, during int4range,
		EXCLUDE USING gist (id WITH =, during WITH &&));
	INSERT INTO @T@_exclude SELECT DISTINCT id, '[1,5)'::int4range FROM @T@_data
		WHERE id IS NOT NULL;
	INSERT INTO @T@_exclude SELECT id, '[5,6)' FROM @T@_exclude;
	INSERT INTO @T@_exclude VALUES (NULL, '[1,5)'), (NULL, '[1,5)');
$$);
SELECT regexp_replace(
	err('INSERT INTO uid11_exclude VALUES (''jpXCZedGfVQ'', ''[5,9)'')'), ' +', ' ', 'g');
SELECT * FROM for_types($$SELECT format('%s, %s wrong', count(*), count(*) FILTER (WHERE
		err(format('INSERT INTO @T@_exclude VALUES (%L, ''[3,5)'')', id)) !~ '^23P01'))
	FROM (SELECT DISTINCT id FROM @T@_data WHERE id IS NOT NULL ORDER BY id LIMIT 100) s$$);

-- Where two rows overlap they must have one id.
CALL for_each_type($$
	CREATE TABLE @T@_unequal (id @T@, during int4range,
		EXCLUDE USING gist (id WITH <>, during WITH &&));
	INSERT INTO @T@_unequal
		SELECT id, int4range(n, n + 5) FROM generate_series(1, 2), (SELECT id,
			dense_rank() OVER (ORDER BY id)::int * 10 AS n FROM @T@_data WHERE id IS NOT NULL) d;
$$);
SELECT * FROM for_types($$SELECT string_agg(DISTINCT split_part(err(format('INSERT INTO @T@_unequal
		SELECT %L, during FROM @T@_unequal WHERE id = %L LIMIT 1', other, id)), ':', 1), ', ')
	FROM (SELECT id, lag(id) OVER (ORDER BY id) AS other FROM (SELECT DISTINCT id FROM @T@_unequal
		ORDER BY id LIMIT 100) d) pairs WHERE other IS NOT NULL$$);
-- hash partitions
SELECT concat(types, ':', chr(10), result) FROM for_types($$SELECT regexp_replace(plan_of('@T@',
	'SELECT id FROM @T@_byhash WHERE id = @T@_min(''2026-01-05 00:00Z'')'),
	'byhash_\d', 'byhash_N', 'g')$$);
SELECT * FROM for_types($$SELECT count(*) || ' partitions, evenly filled: ' ||
		bool_and(rows BETWEEN 0.8 * total / 4 AND 1.2 * total / 4)
	FROM (SELECT count(*) AS rows, sum(count(*)) OVER () AS total FROM @T@_byhash
		GROUP BY tableoid) s$$);

-- range partitions: chosen when planning for constants, when executing for parameters
SELECT uses('byrange', '=', '<', '<=', '>', '>=', '<@');
SET plan_cache_mode = force_generic_plan;
CALL for_each_type($$
	PREPARE @T@_before(timestamptz) AS SELECT id FROM @T@_byrange WHERE id < @T@_min($1);
	PREPARE @T@_within(timestamptz, timestamptz) AS
		SELECT id FROM @T@_byrange WHERE id <@ @T@_range($1, $2);
	PREPARE @T@_is(@T@) AS SELECT id FROM @T@_byhash WHERE id = $1;
$$);
SELECT plans('EXECUTE @T@_before(''2026-01-02 00:00Z'')');
SELECT plans('EXECUTE @T@_within(''2026-01-05 00:00Z'', ''2026-01-06 00:00Z'')');
SELECT DISTINCT substring(plans('EXECUTE @T@_is(@T@_min(''2026-01-02 00:00Z''))'),
	'Subplans Removed: \d+');
RESET plan_cache_mode;
SELECT * FROM for_types($$SELECT count(*) FILTER (WHERE part <> 'rest') > 2500 AND bool_and(part =
		CASE WHEN key < @T@_sortable(@T@_min('2026-01-01 00:00Z')::bytea) THEN 'rest'
			WHEN key < @T@_sortable(@T@_min('2026-01-04 00:00Z')::bytea) THEN '1'
			WHEN key < @T@_sortable(@T@_min('2026-01-07 00:00Z')::bytea) THEN '2'
			WHEN key < @T@_sortable(@T@_min('2026-01-10 00:00Z')::bytea) THEN '3'
			ELSE 'rest' END)
	FROM (SELECT key, split_part(b.tableoid::regclass::text, '_', 3) AS part
		FROM @T@_byrange b JOIN @T@_data d USING (v)) s$$);
-- the bounds that the catalog shows, and pg_dump writes, are the same
SELECT * FROM for_types($$SELECT err(replace('CREATE TABLE again PARTITION OF @T@_byrange '
		|| pg_get_expr(relpartbound, oid), '@' || 'T@', '@T@'))
		LIKE '42P17: partition "again" would overlap partition "@T@_byrange_2"%'
	FROM pg_class WHERE relname = '@T@_byrange_2'$$);

-- What only PostgreSQL 18 has says nothing but what is wrong, so that the output is everybody's.
CREATE PROCEDURE expect_from_18(query text, wanted text) LANGUAGE plpgsql AS $$
DECLARE
	t text;
	result text;
BEGIN
	IF current_setting('server_version_num')::int < 180000 THEN
		RETURN;
	END IF;
	FOREACH t IN ARRAY type_names() LOOP
		result := outcome(replace(query, '@T@', t));
		IF result NOT LIKE replace(wanted, '@T@', t) THEN
			RAISE WARNING '%: % is %, not %', t, query, result, wanted;
		END IF;
	END LOOP;
END
$$;

-- skip scan: a B-tree whose first column is an id answers conditions on the second, with one
-- descent or two for each of ten ids (among them the first and the last of all) and NULL
CALL for_each_type($$
	CREATE TABLE @T@_skip AS SELECT d.id, n AS v
		FROM generate_series(1, 3000) n, ((SELECT DISTINCT id FROM @T@_data
				WHERE id <@ @T@_range('2026-01-01Z', '2026-01-11Z') ORDER BY id LIMIT 8)
			UNION ALL SELECT unnest(ARRAY[lower(r), upper(r), NULL]) FROM @T@_prefix('') r) d;
	CREATE INDEX ON @T@_skip (id, v);
	ANALYZE @T@_skip;
$$);
SET enable_bitmapscan = off;
CALL expect_from_18($$SELECT plan_of('@T@', 'SELECT id FROM @T@_skip WHERE v = 77')$$,
	'Index Only Scan using T_skip_id_v_idx%Index Cond: (v = 77)');
CALL expect_from_18($$SELECT substring(plan_of('@T@', 'SELECT id FROM @T@_skip WHERE v = 77',
	', ANALYZE, TIMING OFF, SUMMARY OFF, BUFFERS OFF'), 'Index Searches: (\d+)')::int
	BETWEEN 10 AND 24$$, 'true');
CALL expect_from_18($$SELECT substring(plan_of('@T@', 'SELECT id FROM @T@_skip
	WHERE id <@ @T@_range(''2026-01-01 00:00Z'', NULL) AND v IN (77, 78)',
	', ANALYZE, TIMING OFF, SUMMARY OFF, BUFFERS OFF'), 'Index Searches: (\d+)')::int
	BETWEEN 8 AND 24$$, 'true');
SELECT * FROM for_types($$SELECT
	(SELECT array_agg(id ORDER BY id)::text FROM @T@_skip WHERE v = 77) =
		(SELECT array_agg(id ORDER BY id)::text FROM @T@_skip WHERE v::text = '77') AND
	(SELECT array_agg(id)::text FROM (SELECT id FROM @T@_skip WHERE v = 77 ORDER BY id DESC) s) =
		(SELECT array_agg(id ORDER BY id DESC)::text FROM @T@_skip WHERE v::text = '77') AND
	(SELECT count(*) = 16 FROM @T@_skip
		WHERE id <@ @T@_range('2026-01-01 00:00Z', '2026-01-11 00:00Z') AND v IN (77, 78))$$);
SET enable_bitmapscan = on;

-- keys with a time of validity; a foreign key finds what several rows cover together
CALL expect_from_18($$CREATE TABLE @T@_key (id @T@, valid_at int4range,
		PRIMARY KEY (id, valid_at WITHOUT OVERLAPS));
	CREATE TABLE @T@_reference (id @T@, valid_at int4range,
		FOREIGN KEY (id, PERIOD valid_at) REFERENCES @T@_key (id, PERIOD valid_at));
	INSERT INTO @T@_key SELECT DISTINCT id, '[1,5)'::int4range FROM @T@_data WHERE id IS NOT NULL;
	INSERT INTO @T@_key SELECT id, '[5,9)' FROM @T@_key;
	INSERT INTO @T@_reference SELECT id, '[3,7)' FROM @T@_key WHERE valid_at @> 1;
	SELECT count(*) > 2500 FROM @T@_reference$$, 'true');
CALL expect_from_18($$SELECT err('INSERT INTO @T@_key SELECT id, ''[8,10)'' FROM @T@_data
	WHERE v = 7')$$, '23P01: conflicting key value violates exclusion constraint "@T@_key_pkey"%');
CALL expect_from_18($$SELECT err('INSERT INTO @T@_reference SELECT id, ''[8,10)'' FROM @T@_data
	WHERE v = 7')$$, '23503: insert or update on table "@T@_reference" violates foreign key%');
CALL expect_from_18($$SELECT err('DELETE FROM @T@_key WHERE valid_at @> 5')$$, '23503: %');
CALL expect_from_18($$SELECT plan_of('@T@', format('SELECT * FROM @T@_key WHERE id = %L
	AND valid_at && ''[2,3)''', (SELECT id FROM @T@_data WHERE v = 7)))$$,
	'%T_key_pkey%Index Cond: ((id = %');

-- The answers of all of them, with other ids.
CALL ask_again('indexes', 'CALL fill(1500)', $$SELECT concat_ws(': ', kind, answer)
	FROM unnest('{btree,minmax,multi,gist,byrange,byhash}'::text[]) kind,
		answers(kind, '{=,<>,<,<=,>,>=}', 'ids', 'windows') answer
	UNION ALL SELECT concat_ws(': ', kind, answer)
	FROM unnest('{hash,bloom}'::text[]) kind, answers(kind, '{=}', 'ids') answer
	UNION ALL SELECT concat_ws(': ', kind, answer)
	FROM unnest('{btree,byrange}'::text[]) kind, answers(kind, '{<,<=,>,>=}', 'instants') answer$$,
	'^\w+: \w+: all: \d+ answers, 0 wrong$');

-- Space beside uuid (doc/faq.md), and beside ids kept as text (doc/partitioning.md), in percent.
CREATE FUNCTION percent(of text, beside text) RETURNS numeric LANGUAGE sql AS $$
	SELECT round(pg_relation_size(of) * 100.0 / pg_relation_size(beside))
$$;
CREATE TABLE in_uuid AS
	SELECT lpad(to_hex(n), 32, '0')::uuid AS id FROM generate_series(1, 100000) AS n;
CREATE TABLE in_tid64 AS SELECT tid64_generate() AS id FROM generate_series(1, 100000);
CREATE INDEX new_uuid ON in_uuid (id);
CREATE INDEX new_tid64 ON in_tid64 (id);
-- up to the last page used, as newer majors extend a table in advance
SELECT round((SELECT (max(ctid)::text::point)[0] + 1 FROM in_tid64) * 100
		/ (SELECT (max(ctid)::text::point)[0] + 1 FROM in_uuid)) AS table,
	percent('new_tid64', 'new_uuid') AS new_index;
CREATE FUNCTION of_text(type text, OUT of_column numeric, OUT of_index numeric)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE own AS SELECT %s_generate() AS id
		FROM generate_series(1, 20000)', type);
	CREATE TABLE as_text AS SELECT id::text COLLATE "C" AS id FROM own;
	CREATE INDEX own_id ON own (id);
	CREATE INDEX as_text_id ON as_text (id);
	SELECT round((SELECT avg(pg_column_size(id)) FROM as_text)
		/ (SELECT avg(pg_column_size(id)) FROM own), 1), percent('as_text_id', 'own_id') / 100
		INTO of_column, of_index;
	DROP TABLE own, as_text;
END
$$;
-- an entry of an index takes a multiple of the machine's alignment
SELECT min(of_column), max(of_column), (round(min(of_index), 1), round(max(of_index), 1))
		= (SELECT CASE max_data_alignment WHEN 8 THEN 1.4 ELSE 1.2 END,
			CASE max_data_alignment WHEN 8 THEN 1.8 ELSE 1.6 END FROM pg_control_init())
	FROM unnest('{scru160,tid64,uid11,ulidflake}'::text[]) AS type, of_text(type);

DROP SCHEMA idindexes CASCADE;
