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

-- How often the support function says something else than the server's for the instants: of any
-- two ids, also such as are an offset apart, and any offset, also one beyond the end of time; and
-- what the server's says.  A frame is what its two calls for each end say.
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
			FROM (SELECT timestamptz '2026-03-29 00:00:00.5Z') i (at),
				LATERAL ((SELECT id FROM @T@_data ORDER BY random() LIMIT 6)
					UNION ALL SELECT unnest(ARRAY[@T@_min(t), @T@_max(t)])
					FROM unnest(ARRAY[at, at + interval '1 us', at + interval '1 hour']) t) val (v),
				LATERAL ((SELECT id FROM @T@_data ORDER BY random() LIMIT 3)
					UNION ALL SELECT unnest(ARRAY[@T@_min(at), @T@_max(at)])) base (b),
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
SELECT * FROM for_types($$SELECT replace(string_agg(
		err(format('SELECT count(*) OVER (ORDER BY id RANGE %s) FROM @T@_data', frame)), chr(10)
		ORDER BY n), '@T@', 'T')
	FROM unnest(ARRAY['interval ''-1 hour'' PRECEDING', '5 PRECEDING', 'NULL::interval PRECEDING',
		'BETWEEN CURRENT ROW AND ''400000 years'' FOLLOWING']) WITH ORDINALITY u (frame, n)$$);

-- Once more with other ids.
CALL ask_again('windows', 'CALL fill()', $$SELECT concat_ws(': ', r.types, r.result)
	FROM for_types('SELECT wrong_answers(''@T@'')') r$$, '^all: 0 wrong of .*$');

DROP SCHEMA idwindows CASCADE;
