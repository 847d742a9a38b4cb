--
-- Window frames with offsets: RANGE BETWEEN ... PRECEDING AND ... FOLLOWING over an id is the same
-- over the instant in it.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
SET max_parallel_workers_per_gather = 0;
-- there are days of 23 and of 25 hours
SET timezone = 'Europe/Berlin';
CREATE SCHEMA idwindows;
SET search_path = idwindows, public;
\pset format unaligned
\pset tuples_only on

-- Ids of a few days around a change of the clocks, several in a tick among them and equal ones; ids
-- from all the time that the type has, those at its ends, and NULL.
CALL for_each_type('CREATE TABLE @T@_data (id @T@, v bigint)');
CREATE PROCEDURE fill() LANGUAGE sql AS $body$
	CALL for_each_type($$
		TRUNCATE @T@_data;
		WITH instants (t) AS (
			SELECT '2026-03-28 00:00Z'::timestamptz + random() * interval '3 days'
			FROM generate_series(1, 36)
			UNION ALL
			SELECT first + random() * (last - first)
			FROM generate_series(1, 24), (SELECT @T@_timestamp(@T@_range_first('(,)')),
				@T@_timestamp(@T@_range_last('(,)'))) ends (first, last)),
		ids (id) AS (
			SELECT (substr(b, 1, length(b) - 1) || noise(1))::@T@
			FROM instants, generate_series(1, 2), LATERAL (SELECT @T@_min(t)::bytea) smallest (b)
			UNION ALL
			SELECT unnest(ARRAY[@T@_range_first('(,)'), @T@_range_last('(,)'), NULL]))
		INSERT INTO @T@_data SELECT id, (random() * 1e12)::bigint
			FROM ids, generate_series(1, 2) WHERE random() < 0.8;
	$$)
$body$;

-- Frames whose ends are offsets, or none.  CURRENT ROW is not among them: equal ids are fewer than
-- equal instants.
CREATE TABLE frame (clause text);
INSERT INTO frame VALUES ('RANGE BETWEEN ''1 hour'' PRECEDING AND ''0'' FOLLOWING'),
	('RANGE BETWEEN ''0'' PRECEDING AND ''0'' FOLLOWING'),
	('RANGE BETWEEN ''1 day'' PRECEDING AND ''1 day'' FOLLOWING'),
	('RANGE BETWEEN ''3 ms'' PRECEDING AND ''7 us'' FOLLOWING'),
	('RANGE BETWEEN ''24 hours'' PRECEDING AND ''1 second'' PRECEDING'),
	('RANGE BETWEEN ''1 minute'' FOLLOWING AND ''1 day 5 hours'' FOLLOWING'),
	('RANGE BETWEEN ''1 month 2 days'' PRECEDING AND ''1 hour'' PRECEDING'),
	('RANGE BETWEEN ''70 years'' PRECEDING AND ''100 years'' FOLLOWING'),
	('RANGE BETWEEN UNBOUNDED PRECEDING AND ''1 hour'' FOLLOWING'),
	('RANGE BETWEEN ''1 day'' PRECEDING AND UNBOUNDED FOLLOWING');
-- intervals without end, which there are from PostgreSQL 17 on
INSERT INTO frame SELECT clause FROM unnest(ARRAY[
		'RANGE BETWEEN ''infinity'' PRECEDING AND ''1 h'' PRECEDING',
		'RANGE BETWEEN ''1 h'' PRECEDING AND ''infinity'' FOLLOWING',
		'RANGE BETWEEN ''infinity'' FOLLOWING AND UNBOUNDED FOLLOWING']) clause
	WHERE current_setting('server_version_num')::int >= 170000;

-- How many ids have another frame than the instants in them have.
CREATE FUNCTION wrong_frames(t text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	one record;
	wrong int;
	size float8;
	all_wrong int := 0;
	sizes float8[] := '{}';
BEGIN
	FOR one IN SELECT * FROM frame,
			unnest('{ASC, DESC, ASC NULLS FIRST, DESC NULLS LAST}'::text[]) direction,
			unnest('{"", EXCLUDE CURRENT ROW}'::text[]) exclusion LOOP
		EXECUTE format('SELECT count(*) FILTER (WHERE (n, s) IS DISTINCT FROM (m, r)), avg(n)
			FROM (SELECT count(*) OVER by_id AS n, sum(v) OVER by_id AS s,
					count(*) OVER by_time AS m, sum(v) OVER by_time AS r
				FROM %1$s_data
				WINDOW by_id AS (ORDER BY id %2$s %3$s %4$s),
					by_time AS (ORDER BY %1$s_timestamp(id) %2$s %3$s %4$s)) f',
			t, one.direction, one.clause, one.exclusion) INTO wrong, size;
		all_wrong := all_wrong + wrong;
		sizes := sizes || round(size::numeric, 2)::float8;
	END LOOP;
	RETURN format('%s wrong%s', all_wrong, CASE WHEN
			(SELECT count(DISTINCT n) FROM unnest(sizes) n) < 10
		THEN format(', but most of one size: %s', sizes) END);
END
$$;

-- How often the support function says something else than the server's for the instants: of any
-- two ids and any offset, also one beyond the end of time, and what the server's says.
CREATE FUNCTION wrong_answers(t text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	wrong int;
	kinds text;
BEGIN
	EXECUTE replace($query$
		SELECT count(*) FILTER (WHERE answer <> wanted),
			string_agg(DISTINCT wanted, ', ' ORDER BY wanted) FILTER (WHERE wanted !~ '^22007')
		FROM (SELECT
				outcome(format('SELECT @T@_in_range(%L, %L, %L, %L, %L)', v, b, o, sub, less))
					AS answer,
				outcome(format(
					'SELECT in_range(%L::timestamptz, %L::timestamptz, %L::interval, %L, %L)',
					@T@_timestamp(v), @T@_timestamp(b), o, sub, less)) AS wanted
			FROM (SELECT id FROM @T@_data ORDER BY random() LIMIT 8) val (v),
				(SELECT id FROM @T@_data ORDER BY random() LIMIT 4) base (b),
				-- the infinite ones are errors before 17, both here and there
				unnest('{0, 1 us, 1 hour, 1 mon -30 days, 90 years, 400000 years, -1 us, -1 mon,
					infinity, -infinity, NULL}'::text[]) o,
				unnest('{true, false, NULL}'::boolean[]) sub,
				unnest('{true, false}'::boolean[]) less) a $query$, '@T@', t) INTO wrong, kinds;
	RETURN format('%s wrong of %s', wrong, kinds);
END
$$;

SELECT FROM setseed(0.5);
CALL fill();
SELECT * FROM for_types($$SELECT wrong_frames('@T@')$$);
SELECT * FROM for_types($$SELECT wrong_answers('@T@')$$);

-- An index is read in order, and nothing is sorted; a default frame's offset needs no cast.
CALL for_each_type('CREATE INDEX ON @T@_data (id)');
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT * FROM for_types($$SELECT plan ~ 'WindowAgg.*Index Only Scan using T_data_id_idx' AND
		plan !~ 'Sort' FROM plan_of('@T@', 'SELECT count(*) OVER (ORDER BY id
			RANGE BETWEEN interval ''1 hour'' PRECEDING AND CURRENT ROW) FROM @T@_data') plan$$);
SELECT * FROM for_types($$SELECT plan ~ 'WindowAgg.*Index Only Scan Backward using T_data_id_idx'
		AND plan !~ 'Sort' FROM plan_of('@T@', 'SELECT count(*) OVER (ORDER BY id DESC
			RANGE ''1 hour'' PRECEDING) FROM @T@_data') plan$$);
RESET enable_seqscan;
RESET enable_bitmapscan;

-- Peers are equal ids, not ids of one tick: CURRENT ROW reaches as far as the id itself, an offset
-- of 0 as far as its tick.
SELECT * FROM for_types($$SELECT string_agg(concat_ws(' ', n, to_row, to_tick, ties, peers), ', '
		ORDER BY n)
	FROM (SELECT n, count(*) OVER (w RANGE BETWEEN '1 hour' PRECEDING AND CURRENT ROW) AS to_row,
			count(*) OVER (w RANGE BETWEEN '1 hour' PRECEDING AND '0' FOLLOWING) AS to_tick,
			count(*) OVER (w RANGE BETWEEN '0' PRECEDING AND '0' FOLLOWING EXCLUDE TIES) AS ties,
			count(*) OVER (w RANGE BETWEEN '0' PRECEDING AND '0' FOLLOWING EXCLUDE GROUP) AS peers
		FROM unnest(ARRAY[@T@_min('2026-01-01Z'), @T@_max('2026-01-01Z'), @T@_max('2026-01-01Z'),
				@T@_min('2026-01-01 00:00:01Z')]) WITH ORDINALITY u (id, n)
		WINDOW w AS (ORDER BY id)) f$$);

-- Offsets that are none.
SELECT * FROM for_types($$SELECT regexp_replace(err('SELECT count(*) OVER (ORDER BY id
	RANGE interval ''-1 hour'' PRECEDING) FROM @T@_data'), '@T@', 'T', 'g')$$);
SELECT * FROM for_types($$SELECT regexp_replace(err('SELECT count(*) OVER (ORDER BY id
	RANGE 5 PRECEDING) FROM @T@_data'), '@T@', 'T', 'g')$$);
SELECT * FROM for_types($$SELECT regexp_replace(err('SELECT count(*) OVER (ORDER BY id
	RANGE NULL::interval PRECEDING) FROM @T@_data'), '@T@', 'T', 'g')$$);
SELECT * FROM for_types($$SELECT regexp_replace(err('SELECT count(*) OVER (ORDER BY id
	RANGE BETWEEN CURRENT ROW AND ''400000 years'' FOLLOWING) FROM @T@_data'), '@T@', 'T', 'g')$$);

-- Once more with other ids.
CALL ask_again('windows', 'CALL fill()', $$SELECT concat_ws(': ', what, r.types, r.result)
	FROM unnest('{wrong_frames, wrong_answers}'::text[]) what,
		for_types(format('SELECT %s(''@T@'')', what)) r$$, '^\w+: all: 0 wrong( of .*)?$');

DROP SCHEMA idwindows CASCADE;
