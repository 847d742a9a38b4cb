--
-- Ids beside instants, and id ^@ text: how they are understood, in whatever words.  The answers are
-- asked for by the suite compare and, of an index and of partitions, in indexes.sql; plans in
-- plans.sql.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
CREATE SCHEMA idinstants;
SET search_path = idinstants, public;
\pset format unaligned
\pset tuples_only on

-- Ids of neighbouring ticks, several in a tick; those at the ends of the type; and NULL.
SELECT FROM setseed(0.5);
CALL for_each_type($$CREATE TABLE @T@_ids AS
	SELECT unnest(ARRAY[@T@_min(t), @T@_max(t)]) AS id
	FROM (SELECT '2026-01-01Z'::timestamptz + random() * interval '3 ms'
		FROM generate_series(1, 120)) x (t)
	UNION ALL SELECT unnest(ARRAY[@T@_range_first('(,)'), @T@_range_last('(,)'), NULL])$$);

-- what differs from T_min() and T_max(): between two ticks they mean the tick before
SELECT id >= timestamptz '2026-01-01 00:00:00.0005Z', id >= uid11_min('2026-01-01 00:00:00.0005Z'),
		id < timestamptz '2026-01-01 00:00:00.0005Z', id <= uid11_max('2026-01-01 00:00:00.0005Z')
	FROM uid11_max('2026-01-01Z') id;
-- uid11 compares as without a profile
SELECT (id > timestamptz '2026-01-01Z') = (uid11_timestamp(id) > timestamptz '2026-01-01Z')
	FROM uid11_generate('fullrand') id;

-- a date and a timestamp are instants by the session's time zone
-- (OFFSET 0: from 16 on, the rows of the aggregate are sorted before it asks for its arguments)
SELECT * FROM for_types($$SELECT string_agg(compared, ', ' ORDER BY zone) FROM (
	SELECT zone, concat_ws(' ', zone, id >= date '2026-01-02',
			timestamp '2026-01-02 00:00' <= id, id < date '2026-01-02') AS compared
		FROM @T@_min('2026-01-02 00:00Z') id, unnest('{-1,0,1}'::int[]) zone,
			set_config('timezone', format('<%s>%s', zone, -zone), true)
		OFFSET 0) s$$);
SET timezone = 'UTC';

-- what has no type stays an id: literals, and parameters
CREATE FUNCTION parameters(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE 'PREPARE s AS ' || query;
	SELECT parameter_types INTO result FROM pg_prepared_statements WHERE name = 's';
	DEALLOCATE s;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END
$$;
SELECT * FROM for_types($$SELECT replace(string_agg(clause || ': '
		|| parameters('SELECT FROM @T@_ids WHERE ' || clause), chr(10) ORDER BY n), '@T@', 'T')
	FROM unnest('{id > $1,$1 >= id,id BETWEEN $1 AND $2,id > $1 AND $1 > now(),id > $1::timestamptz,
		id > now() - $1,id > now() - $1::interval,id ^@ $1,$1 = id}'::text[])
		WITH ORDINALITY u (clause, n)$$);
SELECT * FROM for_types($$SELECT substring(replace(err(
	'SELECT FROM @T@_ids WHERE id > ''2026-01-01'''), '@T@', 'T') FROM 'HINT.*')$$);
SELECT * FROM for_types($$SELECT substring(replace(err(
	'SELECT FROM @T@_ids WHERE id BETWEEN ''today'' AND now()'), '@T@', 'T') FROM 'HINT.*')$$);
-- an array is compared row by row
SELECT * FROM for_types($$SELECT concat_ws(' ', id > ANY (a), id > ALL (a), id > ANY (a[3:]))
	FROM @T@_min('2026-01-02Z') id,
		LATERAL (SELECT '{2026-01-01Z,2026-01-03Z}'::timestamptz[]) array_ (a)$$);
-- domains, and functions called without their operators
CALL for_each_type('CREATE DOMAIN @T@_domain AS @T@');
SELECT * FROM for_types($$SELECT concat_ws(' ', id::@T@_domain > timestamptz '2026-01-01Z',
		timestamptz '2026-01-01Z' >= id::@T@_domain, @T@_gt_timestamptz(id, '2026-01-01Z'),
		@T@_timestamptz_gt('2026-01-01Z', id)) FROM @T@_min('2026-01-02Z') id$$);

-- prefixes: the errors of T_prefix()
SELECT * FROM for_types($$SELECT string_agg((err(format('SELECT id ^@ %L FROM @T@_ids', p)) =
		err(format('SELECT @T@_prefix(%L)', p)))::text, ' ')
	FROM unnest('{!,5!,2026-01-01," 5",zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz}'::text[]) p$$);

-- arrays of prefixes: any of them, all of them, many and some of them NULL
CALL for_each_type($$CREATE TABLE @T@_starts AS SELECT array_agg(p) AS prefixes
	FROM (SELECT left(@T@_prefixed(id), (random() * 12)::int), (random() * 60)::int FROM @T@_ids
		WHERE id IS NOT NULL
		UNION ALL SELECT unnest(ARRAY['', NULL]), n FROM generate_series(55, 65) n) s (p, n)
	GROUP BY n$$);
SELECT * FROM for_types($$SELECT count(*) FILTER (WHERE (id ^@ ANY (prefixes), id ^@ ALL (prefixes))
		IS DISTINCT FROM (any_, all_)) || ' wrong, ' ||
		bool_and(id IS NULL OR id ^@ ANY (prefixes)) || bool_or(id ^@ ALL (prefixes))
	FROM @T@_ids, @T@_starts, LATERAL (SELECT CASE WHEN bool_or(is_in) THEN true
			WHEN bool_and(is_in IS NOT NULL) THEN false END,
			CASE WHEN bool_or(NOT is_in) THEN false WHEN bool_and(is_in IS NOT NULL) THEN true END
		FROM (SELECT id <@ @T@_prefix(p) FROM unnest(prefixes) p) s (is_in)) brute (any_, all_)$$);
-- text that is not a prefix is an error where a row gets to it, not when planning
SELECT * FROM for_types($$SELECT string_agg((SELECT string_agg(left(err(
			'SELECT FROM @T@_ids WHERE ' || others || clause), 8), ', ' ORDER BY n)
		FROM unnest(ARRAY['', 'id IS NULL AND ', 'false AND ']) WITH ORDINALITY u (others, n)),
		chr(10))
	FROM unnest(ARRAY['id ^@ ''5!''', 'NOT id ^@ ''5!''', 'id ^@ ANY (ARRAY[''5!'', ''''])',
		'id ^@ ALL (ARRAY['''', ''5!''])', '@T@_starts_with(id, ''5!'')']) clause$$);

-- what is no id has no prefix, in whatever words
CREATE FUNCTION bad() RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN '5!'; END $$;
CALL for_each_type($$CREATE TABLE @T@_none AS SELECT NULL::@T@ AS id, bad() AS p;
	PREPARE @T@_none AS SELECT id ^@ $1 FROM @T@_none$$);
SET plan_cache_mode = force_generic_plan;
SELECT * FROM for_types($$SELECT outcome('EXECUTE @T@_none(''5!'')') || ' ' || string_agg(
		outcome('SELECT ' || clause || ' FROM @T@_none, (SELECT p AS q FROM @T@_none) n'), ' ')
	FROM unnest(ARRAY['id ^@ ''5!''', 'id ^@ p', 'id ^@ q', 'id ^@ bad()', 'NOT id ^@ lower(p)',
		'id ^@ (SELECT bad())', 'id ^@ ANY (ARRAY[p])', 'id ^@ ALL (ARRAY[q])',
		'@T@_starts_with(id, p)']) clause$$);
RESET plan_cache_mode;
-- an estimate raises no error for text that only execution reads
SELECT * FROM for_types($$SELECT string_agg(left(err(
		'EXPLAIN SELECT FROM @T@_ids WHERE ' || clause), 8), ', ')
	FROM unnest(ARRAY['id ^@ bad()', '@T@_starts_with(id, bad())', 'id ^@ ANY (ARRAY[bad()])',
		'id <@ @T@_prefix(bad())', 'id >= lower(@T@_prefix(bad()))']) clause$$);

-- a view prints them as they were written, and what it prints is the same view
CALL for_each_type($$CREATE VIEW @T@_view AS SELECT id FROM @T@_ids
	WHERE id >= timestamptz '2026-01-01Z' AND now() > id AND id < date '2027-01-01'
		AND NOT id ^@ '22' AND id BETWEEN timestamptz '2020-01-01Z' AND @T@_max('2030-01-01Z')$$);
SELECT * FROM for_types($$SELECT replace(replace(pg_get_viewdef('@T@_view'), '@T@_ids.', ''),
	'@T@', 'T')$$);
CALL for_each_type($call$DO $$BEGIN
	EXECUTE 'CREATE VIEW @T@_again AS ' || pg_get_viewdef('@T@_view');
	ASSERT pg_get_viewdef('@T@_view') = pg_get_viewdef('@T@_again');
END$$$call$);
-- also where the operators are not on the path
SELECT * FROM for_types($$SELECT pg_get_viewdef('idinstants.@T@_view')
		~ 'OPERATOR\(public\.>=\).*OPERATOR\(public\.\^@\)'
	FROM set_config('search_path', '', true)$$);

DROP SCHEMA idinstants CASCADE;
