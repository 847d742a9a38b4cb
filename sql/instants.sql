--
-- Ids beside instants: id < <= >= > timestamptz mean what T_timestamp(id) means there, for all ids
-- and instants; and id ^@ text is id <@ T_prefix(text).  Plans are in plans.sql.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
CREATE SCHEMA idinstants;
SET search_path = idinstants, public;
\pset format unaligned
\pset tuples_only on

-- Ids of a few neighbouring ticks, several in a tick; of all the time that the type has; those at
-- its ends; and NULL.  Instants at, just before and just after those of the ids, between ticks,
-- beyond the format's time, at the ends of the server's, the infinite ones, and NULL.
CALL for_each_type('CREATE TABLE @T@_ids (id @T@)');
CALL for_each_type('CREATE TABLE @T@_instants (ts timestamptz)');
CREATE PROCEDURE fill() LANGUAGE sql AS $body$
	CALL for_each_type($$
		TRUNCATE @T@_ids, @T@_instants;
		WITH ends (first, last) AS (SELECT @T@_timestamp(@T@_range_first('(,)')),
				@T@_timestamp(@T@_range_last('(,)'))),
		instants (t) AS (
			SELECT '2026-01-01Z'::timestamptz + random() * interval '3 ms'
			FROM generate_series(1, 40)
			UNION ALL SELECT '2026-01-01Z'::timestamptz + n * interval '7 us'
			FROM generate_series(1, 20) n
			UNION ALL SELECT first + random() * (last - first) FROM ends, generate_series(1, 20))
		INSERT INTO @T@_ids SELECT unnest(ARRAY[@T@_min(t), @T@_max(t),
				(substr(@T@_min(t)::bytea, 1, length(@T@_min(t)::bytea) - 1) || noise(1))::@T@])
			FROM instants
			UNION ALL SELECT unnest(ARRAY[@T@_range_first('(,)'), @T@_range_last('(,)'), NULL]);
		INSERT INTO @T@_instants
			SELECT unnest(ARRAY[t, t + interval '1 us', t - interval '1 us'])
			FROM (SELECT DISTINCT @T@_timestamp(id) FROM @T@_ids) i (t)
			UNION SELECT '2026-01-01Z'::timestamptz + random() * interval '3 ms'
			FROM generate_series(1, 40)
			UNION SELECT unnest('{infinity, -infinity, 294276-12-31 23:59:59.999999Z,
				4714-11-24 00:00:00Z BC, 1970-01-01 00:00:00Z, NULL}'::timestamptz[]);
	$$)
$body$;
-- The comparisons, with i for the id or the instant in it; those under NOT as well.
CREATE TABLE comparison AS SELECT format(negated, format(form, op)) AS clause
	FROM unnest('{<,<=,>=,>}'::text[]) op, unnest('{i %s ts,ts %s i}'::text[]) form,
		unnest('{%s,NOT (%s)}'::text[]) negated;

-- How many answers differ from those for the instant in the id, and how many are of each kind.
CREATE FUNCTION wrong(t text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	one text;
	counts bigint[];
	sums bigint[] := '{0,0,0,0}';
BEGIN
	FOR one IN SELECT clause FROM comparison LOOP
		EXECUTE format('SELECT ARRAY[
				count(*) FILTER (WHERE (%1$s) IS DISTINCT FROM (%2$s)),
				count(*) FILTER (WHERE %1$s), count(*) FILTER (WHERE NOT (%1$s)),
				count(*) FILTER (WHERE (%1$s) IS NULL)]
			FROM %3$s_ids AS ids (i), %3$s_instants', one,
			regexp_replace(one, '\mi\M', format('%s_timestamp(i)', t)), t) INTO counts;
		SELECT array_agg(s + c ORDER BY n) INTO sums
			FROM unnest(sums, counts) WITH ORDINALITY u (s, c, n);
	END LOOP;
	RETURN format('%s wrong%s', sums[1], CASE WHEN sums[2] < 100000 OR sums[3] < 100000
		OR sums[4] < 1000 THEN format(', but of %s', sums) END);
END
$$;
-- The same where the planner knows the instant, or will know it, and the rows are found by an
-- index, or in partitions: how many instants get other ids than by the instants in the ids.
CALL for_each_type($$
	CREATE TABLE @T@_keys (id @T@);
	CREATE INDEX ON @T@_keys (id);
	CREATE TABLE @T@_parts (id @T@) PARTITION BY RANGE (id);
	CREATE TABLE @T@_parts_old PARTITION OF @T@_parts
		FOR VALUES FROM (MINVALUE) TO (@T@_min('2026-01-01Z'));
	CREATE TABLE @T@_parts_new PARTITION OF @T@_parts
		FOR VALUES FROM (@T@_max('2026-01-01Z')) TO (MAXVALUE);
	CREATE TABLE @T@_parts_rest PARTITION OF @T@_parts DEFAULT;
$$);
CREATE FUNCTION wrong_plans(t text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	one text;
	tab text;
	instant timestamptz;
	wanted text;
	ids text;
	checked int := 0;
	wrong int := 0;
BEGIN
	EXECUTE format('TRUNCATE %1$s_keys, %1$s_parts', t);
	EXECUTE format('INSERT INTO %1$s_keys TABLE %1$s_ids', t);
	EXECUTE format('INSERT INTO %1$s_parts TABLE %1$s_ids', t);
	FOR one IN SELECT clause FROM comparison LOOP
		FOR instant IN EXECUTE format('(SELECT ts FROM %1$s_instants ORDER BY random() LIMIT 5)
			UNION SELECT unnest(ARRAY[''infinity'', ''-infinity'', NULL,
				%1$s_timestamp(%1$s_range_first(''(,)'')),
				%1$s_timestamp(%1$s_range_first(''(,)'')) - interval ''1 us'',
				%1$s_timestamp(%1$s_range_last(''(,)'')),
				%1$s_timestamp(%1$s_range_last(''(,)'')) + interval ''1 us''])', t)
		LOOP
			EXECUTE format('SELECT string_agg(i::text, '' '' ORDER BY i)
				FROM %1$s_ids AS ids (i), (SELECT %2$L::timestamptz) instant (ts) WHERE %3$s', t,
				instant, regexp_replace(one, '\mi\M', format('%s_timestamp(i)', t))) INTO wanted;
			FOREACH tab IN ARRAY '{keys,parts}'::text[] LOOP
				EXECUTE format('SELECT string_agg(i::text, '' '' ORDER BY i)
					FROM %s_%s AS ids (i) WHERE %s', t, tab,
					replace(one, 'ts', format('%L::timestamptz', instant))) INTO ids;
				checked := checked + 1;
				wrong := wrong + (ids IS DISTINCT FROM wanted)::int;
				EXECUTE format('SELECT string_agg(i::text, '' '' ORDER BY i)
					FROM %s_%s AS ids (i) WHERE %s', t, tab, replace(one, 'ts', '$1'))
					INTO ids USING instant;
				wrong := wrong + (ids IS DISTINCT FROM wanted)::int;
			END LOOP;
		END LOOP;
	END LOOP;
	RETURN format('%s wrong%s', wrong, CASE WHEN checked < 300 THEN ' of few' END);
END
$$;

SELECT FROM setseed(0.5);
CALL fill();
SELECT * FROM for_types($$SELECT wrong('@T@')$$);
SET enable_seqscan = off;
SET plan_cache_mode = force_generic_plan;
SELECT * FROM for_types($$SELECT wrong_plans('@T@')$$);
RESET plan_cache_mode;
RESET enable_seqscan;

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
-- what there is not: = and <>, row comparisons, the order of both; an array is compared row by row
SELECT * FROM for_types($$SELECT replace(string_agg(
		regexp_replace(err('SELECT FROM @T@_ids WHERE ' || clause), '\n.*', ''), chr(10)
		ORDER BY n), '@T@', 'T')
	FROM unnest('{id = now(),id <> now(),now() = id,
		"(id, 1) > (now(), 1)",id IN (now()),id IS DISTINCT FROM now(),
		id > ''1 hour''::interval,id > 1.5}'::text[]) WITH ORDINALITY u (clause, n)$$);
SELECT * FROM for_types($$SELECT concat_ws(' ', id > ANY (a), id > ALL (a), id > ANY (a[3:]))
	FROM @T@_min('2026-01-02Z') id,
		LATERAL (SELECT '{2026-01-01Z,2026-01-03Z}'::timestamptz[]) array_ (a)$$);
-- domains, and functions called without their operators
CALL for_each_type('CREATE DOMAIN @T@_domain AS @T@');
SELECT * FROM for_types($$SELECT concat_ws(' ', id::@T@_domain > timestamptz '2026-01-01Z',
		timestamptz '2026-01-01Z' >= id::@T@_domain, @T@_gt_timestamptz(id, '2026-01-01Z'),
		@T@_timestamptz_gt('2026-01-01Z', id)) FROM @T@_min('2026-01-02Z') id$$);

-- prefixes: as T_prefix(), with its errors
SELECT * FROM for_types($$SELECT count(*) FILTER (WHERE (id ^@ p) IS DISTINCT FROM
		(id <@ @T@_prefix(p))) || ' wrong, ' || bool_or(id ^@ p AND length(p) > 5) ||
		bool_or(NOT id ^@ p)
	FROM @T@_ids, (SELECT left(@T@_prefixed(id), n) FROM @T@_ids, generate_series(1, 8) n
		WHERE random() < 0.1 UNION SELECT '' UNION SELECT NULL) prefixes (p)$$);
SELECT * FROM for_types($$SELECT count(*) FILTER (WHERE id ^@ '') = count(id) FROM @T@_ids$$);
SELECT * FROM for_types($$SELECT string_agg((err(format('SELECT id ^@ %L FROM @T@_ids', p)) =
		err(format('SELECT @T@_prefix(%L)', p)))::text, ' ')
	FROM unnest('{!,5!,2026-01-01," 5",zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz}'::text[]) p$$);

-- T_try_prefix() is NULL where T_prefix() raises an error, and otherwise the same
SELECT * FROM for_types($$SELECT count(*) FILTER (WHERE @T@_try_prefix(p) IS DISTINCT FROM
		CASE WHEN err(format('SELECT @T@_prefix(%L)', p)) LIKE 'no error%' THEN @T@_prefix(p) END)
		|| ' wrong, ' || bool_or(@T@_try_prefix(p) IS NULL)
		|| bool_or(NOT isempty(@T@_try_prefix(p)))
	FROM (SELECT left(@T@_prefixed(id), n) || (ARRAY['', '!', 'i', '-'])[n % 4 + 1]
		FROM @T@_ids, generate_series(0, 40) n WHERE random() < 0.1
		UNION SELECT unnest('{"",k,c,zz," 5",NULL}'::text[])) prefixes (p)$$);
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

-- Once more with other ids and instants.
CALL ask_again('instants', 'CALL fill()', $$SELECT concat_ws(': ', what, r.types, r.result)
	FROM unnest('{wrong, wrong_plans}'::text[]) what,
		for_types(format('SELECT %s(''@T@'')', what)) r$$, '^\w+: all: 0 wrong$');
DROP SCHEMA idinstants CASCADE;
