-- Checks of the data of fill.sql on whatever server it has come to: a line "ok - " or "not ok - "
-- for each.
SET timezone = 'UTC';
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS amcheck;

-- Whether rows are found by the index, as many and the same as without it.
CREATE FUNCTION pg_temp.by_index(tablename text, condition text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	query text := format('SELECT concat_ws(chr(32), count(*), md5(string_agg(x::text, chr(10)
		ORDER BY n))) FROM %I x WHERE %s', tablename, condition);
	name text := format('%s: index agrees on %s', tablename, condition);
	plan text := '';
	line text;
	without text;
BEGIN
	SET LOCAL enable_seqscan = off;
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		plan := plan || line;
	END LOOP;
	EXECUTE query INTO line;
	SET LOCAL enable_seqscan = on;
	SET LOCAL enable_indexscan = off;
	SET LOCAL enable_indexonlyscan = off;
	SET LOCAL enable_bitmapscan = off;
	EXECUTE query INTO without;
	RESET enable_indexscan;
	RESET enable_indexonlyscan;
	RESET enable_bitmapscan;
	RETURN CASE WHEN plan !~ 'Index' THEN ok(name, false, plan)
		ELSE ok(name, line = without AND line !~ '^0 ', line || ', without ' || without) END;
END
$$;

SELECT pg_temp.by_index(t || '_' || name, of_shape(condition, t, name))
	FROM samples, shapes, unnest(conditions) condition;
SELECT pg_temp.by_index('guids', condition) FROM unnest(ARRAY[
	$$uuid7_within(id, '2024-06-10Z', '2024-07-01Z')$$, $$id <@ uuid_prefix('019')$$,
	$$n > 0 AND id <@ uuid7_range('2024-06-10Z', '2024-07-01Z')$$,
	$$span @> (SELECT max(id::text)::uuid FROM guids)$$]) condition;
SELECT ok('uuid: the view, the default and the check', (SELECT count(*) FROM guids_of_june) = 29
	AND uuid7_generate() > (SELECT max(id::text)::uuid FROM guids WHERE n <= 200));

-- B-trees, with all rows of their tables, and tables; from 18 on GIN indexes, too
CREATE FUNCTION pg_temp.check_relation(relation regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	kind text := coalesce((SELECT amname FROM pg_class c JOIN pg_am a ON a.oid = relam
		WHERE c.oid = relation), 'no');
	name text := format('%s: amcheck', relation);
	broken text;
BEGIN
	CASE kind
		WHEN 'btree' THEN PERFORM bt_index_parent_check(relation, true, true);
		WHEN 'gin' THEN EXECUTE 'SELECT gin_index_check($1)' USING relation;
		ELSE SELECT string_agg(msg, '; ') INTO broken FROM verify_heapam(relation);
	END CASE;
	RETURN ok(name, broken IS NULL, broken);
EXCEPTION WHEN OTHERS THEN
	RETURN ok(name, false, SQLERRM);
END
$$;
SELECT pg_temp.check_relation(c.oid) FROM pg_class c JOIN pg_am a ON a.oid = relam
	WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'm', 'i')
		AND (amname IN ('heap', 'btree')
			OR amname = 'gin' AND to_regproc('gin_index_check') IS NOT NULL)
	ORDER BY c.oid::regclass::text;

-- partitions: rows that are put in now go where those are that were there
SELECT ask('hash partitions hold what belongs to them', $$
	SELECT bool_and(satisfies_hash_partition('@T@_by_hash'::regclass, 4,
		right(tableoid::regclass::text, 1)::int, id)) AND count(DISTINCT tableoid) = 4
	FROM @T@_by_hash$$);
BEGIN;
CALL for_each_type($call$
	CREATE TEMP TABLE was AS
		SELECT tableoid::regclass::text AS part, x::text AS line FROM @T@_by_hash x;
	CREATE TEMP TABLE again AS TABLE @T@_by_hash;
	TRUNCATE @T@_by_hash;
	INSERT INTO @T@_by_hash TABLE again;
	CREATE TEMP TABLE @T@_moved AS SELECT part, line FROM was
		EXCEPT SELECT tableoid::regclass::text, x::text FROM @T@_by_hash x;
	DROP TABLE was, again;
$call$);
SELECT ask('hash partitions route as before', 'SELECT count(*) = 0 FROM @T@_moved');
ROLLBACK;
SELECT ask('one partition is searched for an id', $$
	SELECT scans(format('@T@_by_hash WHERE id = %L', id)) = 1
		AND scans(format('@T@_by_list WHERE id = %L', id)) = 1
		AND scans(format('@T@_by_range WHERE id <@ %L::@T@range', span)) = 1
	FROM samples WHERE t = '@T@'$$);

SELECT ask('the foreign key holds, and refuses', $$SELECT
	(SELECT count(*) = 0 FROM @T@_child LEFT JOIN @T@_parent p ON p.id = parent
		WHERE p.id IS NULL AND parent IS NOT NULL)
	AND err('INSERT INTO @T@_child VALUES (@T@_max(''2030-01-01Z''))') LIKE '23503: %'$$);
SELECT ask('CHECK, EXCLUDE and the domain refuse', $$SELECT
	err('INSERT INTO @T@_parent VALUES (@T@_min(''2024-02-01Z''))') LIKE '23514: %'
	AND err('INSERT INTO @T@_data (recent) VALUES (@T@_min(''2024-02-01Z''))') LIKE '23514: %'
	AND err('INSERT INTO @T@_parent SELECT id FROM @T@_data WHERE n = 7') LIKE '23505: %'
	AND count(*) = 2 FROM pg_constraint
	WHERE conrelid = '@T@_parent'::regclass AND contype IN ('x', 'c')$$);
SELECT ask('the materialized view is what it would be anew', $$SELECT count(*) > 100
	AND md5(string_agg(v::text, ' ' ORDER BY id)) =
		(SELECT md5(string_agg(v::text, ' ' ORDER BY p.id))
		FROM @T@_parent p JOIN @T@_child ON parent = p.id, LATERAL (SELECT p.id, made) v
		WHERE p.id <@ @T@_range('2024-06-20Z', '2024-10-20Z'))
	FROM @T@_view v$$);
