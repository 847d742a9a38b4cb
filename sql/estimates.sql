--
-- Row estimates of id <@ range against the truth.  Tables are small enough for ANALYZE to read
-- every row, so that the answers repeat.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

SET default_statistics_target = 100;
CREATE SCHEMA idestimates;
SET search_path = idestimates, public;
:take_two;

CREATE FUNCTION estimated(q text) RETURNS float8 LANGUAGE sql AS $$
	SELECT (explained(q)->'Plan'->>'Plan Rows')::float8
$$;

-- 30,000 ids, one a second.
CALL for_each_type($call$
	CREATE TABLE @T@_uniform AS SELECT (substr(b, 1, 5) || noise(i, length(b) - 5))::@T@ AS id
		FROM (SELECT i, @T@_min(timestamptz '2026-01-01 00:00Z' + i * interval '1 s')::bytea AS b
			FROM generate_series(1, 30000) i) s;
	ANALYZE @T@_uniform;
$call$);

-- A condition for a type: A to D are ids at 02:00, 02:10, 02:20 and 02:30, with 600 rows between
-- two of them, R(A,B) the range of ids from A to B, and S(A,B) the same, but no constant.
CREATE FUNCTION spelled(condition text, t text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	condition := regexp_replace(condition, '\mS\((\w+),(\w+)\)',
		'@T@range(\1, \2, left(''[]'' || now()::text, 2))', 'g');
	condition := regexp_replace(condition, '\mR\((\w+),(\w+)\)',
		'@T@range(\1, \2, ''[]'')', 'g');
	FOR i IN 0..3 LOOP
		condition := regexp_replace(condition, '\m' || chr(65 + i) || '\M',
			'@T@_min(''2026-01-01 02:' || i || '0Z'')', 'g');
	END LOOP;
	RETURN replace(condition, '@T@', t);
END
$$;
-- Whether the estimates of a condition are within a factor of the truth for all types.
CREATE FUNCTION judged(condition text, q text DEFAULT 'SELECT * FROM @T@_uniform WHERE ',
	factor float8 DEFAULT 1.5)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	query text := q || condition;
	t text;
	guess float8;
	truth float8;
	wrong text;
BEGIN
	FOREACH t IN ARRAY type_names() LOOP
		q := spelled(query, t);
		guess := estimated(q);
		EXECUTE 'SELECT count(*) FROM (' || q || ') s' INTO truth;
		IF greatest(guess, 1) / greatest(truth, 1) NOT BETWEEN 1 / factor AND factor THEN
			wrong := concat_ws(', ', wrong,
				format('%s: %s for %s: EXPLAIN %s;', t, guess, truth, q));
		END IF;
	END LOOP;
	RETURN coalesce(wrong, 'good');
END
$$;

-- all bounds together, however written and in whatever order
SELECT condition, judged(condition) FROM unnest(ARRAY[
	'id <@ R(A,B)',
	'id <@ @T@_range(''2026-01-01 02:00:00Z'', ''2026-01-01 02:00:03Z'')',
	'id >= A AND id <= B',
	'id < B AND id > A',
	'B > id AND A <= id',
	'id BETWEEN A AND B',
	'id BETWEEN SYMMETRIC B AND A',
	'id <@ S(A,B)',
	'@T@_contained_by(id, S(A,B))',
	'id <@ R(A,NULL) AND id < B',
	'id < B AND id <@ S(A,NULL)',
	'id <@ R(A,C) AND id <@ R(NULL,B)',
	'id <@ S(A,C) AND id <@ S(A,B)',
	'id <@ S(A,B) AND id <@ S(A,B)',
	'id <@ R(B,D) AND id <@ S(A,C) AND id >= A AND id < D',
	'(id, ctid) >= (A, ''(0,1)'') AND id < B',
	'(id, ctid) >= (A, ''(0,1)'') AND (id, ctid) < (B, ''(0,1)'')',
	'id <@ S(A,D) AND (B, ''(0,1)''::tid) > (id, ctid)',
	'id <@ R(A,B) AND id >= B',
	'id <@ R(A,B) AND id <@ NULL',
	'id <@ ''(,)''',
	'id <@ ''empty''',
	'id <@ @T@_range(''2026-01-01 08:19Z'', NULL)',
	'id <@ @T@_range(NULL, ''2025-01-01Z'')',
	'id <@ S(A,B) AND id <@ (S(C,D) * R(A,B))',
	'id <@ R(A,B) AND id > NULL',
	-- what is combined with them
	'id >= A AND id < B AND ctid IS NOT NULL AND id IS NOT NULL',
	'(id >= A AND id < B) OR (id < D AND id >= C)',
	'id <@ S(A,B) OR id <@ S(C,D)',
	'id >= A AND (id <@ S(A,B) OR id <@ R(C,D))',
	'id >= A AND id < D AND (id < B OR id >= C)',
	'(id <@ R(A,D)) IS TRUE AND ctid IS NOT NULL',
	'NOT (id < A OR id > B)',
	'id >= A AND id < D AND NOT (id < B)',
	'id >= A AND id < D AND NOT id <@ S(A,B)',
	'NOT (NOT id >= A OR id > B)',
	'id >= A AND (id < B) IS NOT TRUE'
	]) condition;

-- planning inside of planning, which ends or fails, while the conditions are looked at
CREATE FUNCTION failing(id anyelement) RETURNS anyelement LANGUAGE plpgsql STABLE AS $$
BEGIN
	RAISE division_by_zero;
END
$$;
CREATE FUNCTION planning(id anyelement) RETURNS anyelement LANGUAGE plpgsql STABLE AS $$
DECLARE
	query text := format('SELECT FROM %1$s_uniform'
		' WHERE id > %2$L AND id <@ %1$srange(%2$L, %3$s) LIMIT 1', pg_typeof(id), id, '%s');
BEGIN
	EXECUTE format(query, 'NULL');
	EXECUTE format(query, format('failing(%L::%s)', id, pg_typeof(id)));
EXCEPTION WHEN division_by_zero THEN
	RETURN id;
END
$$;
SELECT condition, for_types(format('SELECT round(estimated(spelled(%L, ''@T@''))::numeric, -2)',
		'SELECT * FROM @T@_uniform WHERE ' || condition)) AS ids
	FROM unnest(ARRAY[
	'id >= planning(A) AND id < planning(B)',
	'id < planning(B) AND (id >= planning(A) OR id <@ @T@range(planning(A), planning(B)))'
	]) condition;

-- Beside a bigint, an id does no worse.  That is the number of its first eight bytes, which sorts
-- alike; both arrive evenly, ever more often, or in bursts of ten seconds each hour of 40 days.
CREATE FUNCTION number_of(id bytea) RETURNS bigint LANGUAGE sql IMMUTABLE AS
	$$SELECT ('x' || encode(substr(id, 1, 8), 'hex'))::bit(64)::bigint$$;
CREATE TABLE arrivals AS SELECT * FROM (VALUES ('uniform', '40 * 86400 * random()'),
	('skewed', '40 * 86400 * random() ^ 0.2'),
	('bursty', 'floor(random() * 960) * 3600 + random() ^ 2 * 10')) v (arrival, seconds);
CREATE PROCEDURE arrive() LANGUAGE plpgsql AS $body$
DECLARE
	one arrivals;
BEGIN
	FOR one IN TABLE arrivals LOOP
		CALL for_each_type(format($$
			DROP TABLE IF EXISTS @T@_%1$s;
			CREATE TABLE @T@_%1$s AS SELECT id, number_of(id::bytea) AS number,
					floor(random() * 20)::int AS every_20, floor(random() * 200)::int AS every_200,
					row_number() OVER (ORDER BY id) AS n
				FROM (SELECT @T@_min(timestamptz '2026-01-01Z' + (%2$s) * interval '1 s')::bytea
					FROM generate_series(1, 20000)) m (b),
					LATERAL (SELECT (substr(b, 1, 6) || noise(length(b) - 6))::@T@) i (id);
			CREATE INDEX ON @T@_%1$s (id);
			CREATE INDEX ON @T@_%1$s (number);
			CREATE INDEX ON @T@_%1$s (every_20);
			CREATE INDEX ON @T@_%1$s (every_200);
			ANALYZE @T@_%1$s$$, one.arrival || '_arrived', one.seconds));
	END LOOP;
END
$body$;
-- By what factor a query's estimate is off, none, one and two rows being as good as the same; and
-- the indexes of its plan, that of the number named as the id's.
CREATE FUNCTION off(q text, truth float8) RETURNS float8 LANGUAGE sql AS $$
	SELECT greatest(guess / t, t / guess)
	FROM greatest(estimated(q), 2) guess, greatest(truth, 2) t
$$;
CREATE FUNCTION indexes(q text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(DISTINCT replace(name[1], 'number', 'id'), ' ')
	FROM regexp_matches(explained(q)::text, '"Index Name": "([^"]+)"', 'g') name
$$;
-- Of windows at places by chance, which estimates are off by a factor of two (of ten, where there
-- are few rows), and by half as much again as that of the bigint, which one window of each table
-- may be; for which of them together with another column another index is taken, which a plan as
-- good as equal may do, in 2 % of the cases.
CREATE FUNCTION worse() RETURNS text LANGUAGE plpgsql AS $body$
DECLARE
	one record;
	off_here text[];
	others_here text[];
	off_all text[] := '{}';
	others_all text[] := '{}';
	cases_here int;
	cases int := 0;
BEGIN
	FOR one IN SELECT format('%s_%s_arrived', t, arrival) AS name
			FROM unnest(type_names()) t, arrivals LOOP
		EXECUTE replace($$
			SELECT CASE WHEN count(DISTINCT (width, place)) FILTER (WHERE is_off) > 1
					THEN array_agg(ours) FILTER (WHERE is_off) END,
				array_agg(ours || more) FILTER (WHERE is_other),
				count(*) FILTER (WHERE width <= 500)
			FROM unnest('{4,20,100,500,5000}'::int[]) width, generate_series(1, 3) place,
				LATERAL (SELECT 1 + floor(random() * (20000 - width - place))::int) p (first),
				LATERAL (SELECT id AS since, number AS lo FROM @A@ WHERE n = first) a,
				LATERAL (SELECT id AS upto, number AS hi FROM @A@ WHERE n = first + width) b,
				unnest(ARRAY['id <@ ''[%1$s,%2$s]''', 'id >= ''%1$s'' AND id <= ''%2$s''',
					'id < ''%2$s'' AND id <@ ''[%1$s,)''',
					'id <@ ''[%1$s,)'' AND id <@ ''(,%2$s]''']) form,
				format('SELECT every_20 FROM @A@ WHERE ' || form, since, upto) ours,
				format('SELECT every_20 FROM @A@ WHERE number BETWEEN %s AND %s', lo, hi) plain,
				unnest('{" AND every_20 = 5"," AND every_200 = 5"}'::text[]) more,
				LATERAL (SELECT off(ours, width + 1) > greatest(1.5 * off(plain, width + 1),
						CASE WHEN width < 100 THEN 10 ELSE 2 END),
					width <= 500 AND indexes(ours || more) IS DISTINCT FROM indexes(plain || more))
					v (is_off, is_other)$$, '@A@', one.name)
			INTO off_here, others_here, cases_here;
		off_all := off_all || off_here;
		others_all := others_all || others_here;
		cases := cases + cases_here;
	END LOOP;
	IF cardinality(others_all) > 0.02 * cases THEN
		off_all := off_all || others_all;
	END IF;
	RETURN format('%s cases each: %s', cases / cardinality(type_names()),
		coalesce(nullif(array_to_string(off_all, '; '), ''), 'good'));
END
$body$;
CALL ask_again('estimates', 'CALL arrive()', 'SELECT worse()', '^288 cases each: good$');

-- beyond what is known: parameters of generic plans, as the server has it for its own types
SET plan_cache_mode = force_generic_plan;
CREATE TABLE plain (id bigint);
INSERT INTO plain SELECT generate_series(1, 30000);
ANALYZE plain;
CALL for_each_type($call$
	PREPARE @T@_one (@T@) AS SELECT * FROM @T@_uniform WHERE id > $1;
	PREPARE @T@_pair (@T@, @T@) AS SELECT * FROM @T@_uniform WHERE id >= $1 AND id < $2;
	PREPARE @T@_range_pair (@T@range) AS SELECT * FROM @T@_uniform WHERE id <@ $1;
	PREPARE @T@_keyset (@T@) AS SELECT * FROM @T@_uniform
		WHERE id <@ @T@_range('2026-01-01 02:00Z', '2026-01-01 02:10Z') AND id < $1;
	PREPARE @T@_keyset_end (@T@) AS SELECT * FROM @T@_uniform
		WHERE id <@ @T@_range('2026-01-01 08:19:50Z', NULL) AND id < $1;
$call$);
PREPARE plain_one (bigint) AS SELECT * FROM plain WHERE id > $1;
PREPARE plain_pair (bigint, bigint) AS SELECT * FROM plain WHERE id >= $1 AND id < $2;
SELECT name, CASE WHEN name ~ 'one' THEN estimated('EXECUTE plain_one(1)')
		WHEN name ~ 'pair' THEN estimated('EXECUTE plain_pair(1, 1)') END AS bigint,
	for_types(format('SELECT estimated(''EXECUTE @T@_%s'')', name)) AS ids
	FROM unnest('{one(NULL),"pair(NULL, NULL)",range_pair(NULL),keyset(NULL),keyset_end(NULL)}'
		::text[]) name;
RESET plan_cache_mode;
-- relabelled, which makes another order of them, the statistics of a column say nothing
SELECT estimated('SELECT * FROM plain WHERE id::tid64 < 100::bigint::tid64');

-- comparisons with instants, alone and together with ids, and prefixes by ^@
SELECT condition, judged(replace(condition, '~', 'timestamptz ''2026-01-01 02:')) FROM unnest(ARRAY[
	'id >= ~00Z'' AND id < ~10Z''',
	'id BETWEEN ~00Z'' AND ~10Z''',
	'~10Z'' > id AND ~00Z'' <= id',
	'NOT id < ~00Z'' AND NOT id >= ~10Z''',
	'id >= ~00Z''',
	'id < ~00Z''',
	'id > ~00Z'' + (now() - now()) AND id <= ~10Z'' + (now() - now())',
	'id >= date ''2026-01-01'' AND id < ~00Z''',
	'id >= ~00Z'' AND id < B',
	'id >= A AND id < ~10Z'' + (now() - now())',
	'id <@ R(A,C) AND id < ~10Z'' AND id > now() - interval ''100 years''',
	'id < ~10Z'' AND (id >= ~00Z'' OR id < ~00Z'')',
	'id < ~00Z'' OR id > ~10Z''',
	'@T@_ge_timestamptz(id, ~00Z'')',
	'@T@_timestamptz_gt(~00Z'' + (now() - now()), id)',
	'id > timestamptz ''infinity''',
	'id < timestamptz ''infinity''',
	'id >= timestamptz ''-infinity'' + (now() - now())',
	'id > NULL::timestamptz + (now() - now())',
	'id ^@ ''''']) condition;
-- arrays of prefixes, of all lengths of the text of two ids, as the OR of them
SELECT condition, string_agg(DISTINCT judged(replace(replace(condition,
		'P', 'left(@T@_prefixed(A), ' || n || ')'),
		'Q', 'nullif(left(@T@_prefixed(@T@_min(''2026-01-01 06:00Z'')), ' || n ||
		'), left(@T@_prefixed(A), ' || n || '))'), factor => 2), ', ') AS all_lengths
FROM unnest(ARRAY['id ^@ ANY (ARRAY[P])', 'id ^@ ANY (ARRAY[P, Q])',
		'NOT (id ^@ ANY (ARRAY[P]))']) condition,
	generate_series(1, 28) n
GROUP BY condition ORDER BY condition;
-- statistics that this session has read are read again after the next ANALYZE, also where VACUUM
-- FULL moves the second of two versions that one transaction made to the place of the first
CREATE PROCEDURE most_deleted() LANGUAGE sql AS $$
	CALL for_each_type('DELETE FROM @T@_later WHERE id < timestamptz ''2026-01-01 02:10Z''
		OR id > timestamptz ''2026-01-01 02:30Z''; ANALYZE @T@_later');
$$;
CALL for_each_type('CREATE TABLE @T@_later AS TABLE @T@_uniform; ANALYZE @T@_later');
SELECT judged('id <@ R(A,C)', 'SELECT * FROM @T@_later WHERE ') AS all_rows;
CALL most_deleted();
SELECT judged('id <@ R(A,C)', 'SELECT * FROM @T@_later WHERE ') AS few_rows;
-- without an earlier version, whose removal would move the others
CALL for_each_type('DROP TABLE @T@_later; CREATE TABLE @T@_later AS TABLE @T@_uniform');
VACUUM FULL pg_statistic;
BEGIN;
CALL for_each_type('ANALYZE @T@_later');
SELECT judged('id <@ R(A,C)', 'SELECT * FROM @T@_later WHERE ') AS all_rows;
CALL most_deleted();
COMMIT;
VACUUM FULL pg_statistic;
SELECT judged('id <@ R(A,C)', 'SELECT * FROM @T@_later WHERE ') AS few_rows;
-- one open end that is not known is what bigint gives, of partitions too; so is one in a join
CALL for_each_type($$
	CREATE TABLE @T@_halves (id @T@) PARTITION BY RANGE (id);
	CREATE TABLE @T@_first_half PARTITION OF @T@_halves
		FOR VALUES FROM (MINVALUE) TO (@T@_min('2026-01-01 04:10Z'));
	CREATE TABLE @T@_other_half PARTITION OF @T@_halves
		FOR VALUES FROM (@T@_min('2026-01-01 04:10Z')) TO (MAXVALUE);
	INSERT INTO @T@_halves TABLE @T@_uniform;
	ANALYZE @T@_halves;
	CREATE TABLE @T@_ten AS SELECT timestamptz '2026-01-01 02:00Z' AS t, 1::bigint AS n
		FROM generate_series(1, 10);
	ANALYZE @T@_ten;
	PREPARE @T@_since (timestamptz) AS SELECT * FROM @T@_uniform WHERE id >= $1;
	PREPARE @T@_until (timestamptz) AS SELECT * FROM @T@_uniform WHERE $1 > id;
	PREPARE @T@_between (timestamptz) AS SELECT * FROM @T@_uniform WHERE id BETWEEN $1 AND $1;
	PREPARE @T@_halves_since (timestamptz) AS SELECT * FROM @T@_halves WHERE id >= $1;
	PREPARE @T@_halves_until (timestamptz) AS SELECT * FROM @T@_halves WHERE id < $1;
$$);
SET plan_cache_mode = force_generic_plan;
SELECT query, for_types(format('SELECT estimated(%L)', query)) AS rows FROM unnest('{
	EXECUTE @T@_since(now()),EXECUTE @T@_until(now()),EXECUTE @T@_between(now()),
	EXECUTE @T@_halves_since(now()),EXECUTE @T@_halves_until(now()),
	SELECT FROM @T@_ten JOIN @T@_uniform ON id >= t,SELECT FROM @T@_ten JOIN @T@_halves ON id >= t}'
	::text[]) query;
RESET plan_cache_mode;
-- an index on the instant in the id has statistics, which the cast uses as well
CALL for_each_type('CREATE INDEX @T@_time ON @T@_uniform (@T@_timestamp(id))');
CALL for_each_type('ANALYZE @T@_uniform');
SELECT condition, judged(replace(condition, '~', 'timestamptz ''2026-01-01 02:')) FROM unnest(ARRAY[
	'@T@_timestamp(id) >= ~00Z'' AND @T@_timestamp(id) < ~10Z''',
	'id::timestamptz BETWEEN ~00Z'' AND ~10Z''',
	'@T@_timestamp(id) > ~00Z''']) condition;
CALL for_each_type('DROP INDEX @T@_time');

-- what the planner believes of an index condition is what it believes of the conditions that it
-- was made of, whatever else there is
CALL for_each_type($call$
	CREATE TABLE @T@_indexed AS SELECT id, (row_number() OVER ())::int % 50 AS v FROM @T@_uniform;
	CREATE INDEX @T@_indexed_id ON @T@_indexed (id);
	ANALYZE @T@_indexed;
$call$);
-- The indexes that a query of a type scans, with the rows expected of each, and those of the query;
-- and of which types that is so.
CREATE FUNCTION scans(q text, t text) RETURNS text LANGUAGE sql AS $$
	SELECT concat((SELECT string_agg(concat_ws(' ', replace(node->>'Index Name', t, 'T'),
				CASE WHEN node->>'Node Type' = 'Bitmap Index Scan'
					THEN round((node->>'Plan Rows')::numeric, -1) END), ', ' ORDER BY i)
			FROM jsonb_path_query(plan::jsonb, 'strict $.** ? (exists (@."Index Name"))')
				WITH ORDINALITY n (node, i)),
		' of ', round((plan->'Plan'->>'Plan Rows')::numeric, -1))
	FROM explained(q) plan
$$;
CREATE FUNCTION scanned(q text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(concat_ws(': ', nullif(types, 'all'), result), '; ')
	FROM for_types(format('SELECT scans(spelled(%L, ''@T@''), ''@T@'')', q))
$$;
SET enable_seqscan = off;
SET enable_indexscan = off;
SELECT condition, scanned('SELECT * FROM @T@_indexed WHERE ' || condition) AS rows
	FROM unnest(ARRAY[
	'id <@ R(A,B)',
	'id <@ S(A,B)',
	'id <@ S(NULL,B)',
	'id <@ format(''[%s,%s]'', A, B)::@T@range',
	'@T@_contained_by(id, S(A,B))',
	'id < B AND id <@ S(A,D)',
	'id <@ S(A,D) AND id < B AND v <> 7',
	'id <@ S(A,D) AND id <@ S(A,B)',
	'(id, v) >= (A, 7) AND id < B',
	'(id, v) >= (A, 7) AND (id, v) < (B, 7)',
	'id > least(lower(S(A,D)), B) AND (id, v) > (greatest(lower(S(A,D)), B), 7) AND id < C',
	'id <@ S(A,B) OR id <@ S(C,D)',
	'id > A AND id < D AND (id <@ S(A,B) OR (id > C AND id < D))']) condition;
-- of an expression a range stays in the query, and one comparison may hold for all ids
CALL for_each_type($call$
	CREATE TABLE @T@_stored AS SELECT id::bytea AS bytes FROM @T@_uniform;
	CREATE INDEX @T@_stored_id ON @T@_stored ((bytes::@T@));
	ANALYZE @T@_stored;
$call$);
SELECT condition, scanned('SELECT * FROM @T@_stored WHERE ' || condition) AS rows
	FROM unnest(ARRAY[
	'bytes::@T@ <@ R(A,B)',
	'bytes::@T@ <@ R(NULL,A)',
	'bytes::@T@ <@ R(D,NULL)',
	'bytes::@T@ <@ R(NULL,B) AND bytes::@T@ >= A',
	'bytes::@T@ <@ R(A,B) OR bytes::@T@ <@ R(NULL,A)',
	'@T@_contained_by(bytes::@T@, R(NULL,A))']) condition;

-- partial indexes: what a predicate says is not an index condition again, but counts
CALL for_each_type($call$
	DROP INDEX @T@_indexed_id;
	CREATE INDEX @T@_indexed_part ON @T@_indexed (v)
		WHERE id >= @T@_min('2026-01-01 02:00Z') AND id < @T@_min('2026-01-01 02:30Z');
$call$);
SELECT condition, scanned('SELECT * FROM @T@_indexed WHERE ' || condition) AS rows
	FROM unnest(ARRAY[
	'v = 7 AND id < D AND id >= A',
	'v <= 9 AND id < D AND id >= A',
	'v <= 9 AND id < D AND id >= A AND id < B']) condition;
CALL for_each_type($call$
	DROP INDEX @T@_indexed_part;
	CREATE INDEX @T@_indexed_part ON @T@_indexed (id)
		WHERE id >= @T@_min('2026-01-01 02:00Z') AND id < @T@_min('2026-01-01 02:30Z');
$call$);
SELECT condition, scanned('SELECT * FROM @T@_indexed WHERE ' || condition) AS rows
	FROM unnest(ARRAY[
	'id <@ R(A,B)',
	'id <@ S(A,B) AND id >= A AND id < D',
	'id < D AND id >= A AND v <> 7',
	'id < D AND id >= A AND id < B']) condition;
-- of two bounds the tighter one counts: a predicate that says the other leaves that one out
CALL for_each_type($call$
	DROP INDEX @T@_indexed_part;
	CREATE INDEX @T@_indexed_part ON @T@_indexed (id) WHERE id < @T@_min('2026-01-01 02:20Z');
$call$);
SELECT condition, scanned('SELECT * FROM @T@_indexed WHERE ' || condition) AS rows
	FROM unnest(ARRAY['id < D AND id < A', 'id < A AND id < D']) condition;

-- only a B-tree can use a row comparison: BRIN expects the rows of the rest, and those of the pages
CALL for_each_type($call$
	DROP INDEX @T@_indexed_part;
	CREATE INDEX @T@_indexed_brin ON @T@_indexed USING brin (id) WITH (pages_per_range = 1);
$call$);
SELECT condition, r.* FROM unnest(ARRAY[
	'id <@ R(C,D)',
	'(id, v) < (D, 7) AND id >= C AND id <@ S(A,D)',
	'(id, v) > (C, 7) AND id >= B AND id < D']) condition,
	for_types(format('SELECT regexp_replace(scans(spelled(%L, ''@T@''), ''@T@''),
			''brin [67]\d\d'', ''brin about 600'')',
		'SELECT * FROM @T@_indexed WHERE ' || condition)) r;
RESET enable_seqscan;
RESET enable_indexscan;

-- whether a bound's own rows are in the window matters where an id has many: here 20, every 10
-- minutes, and the first 100 ids are taken for the most common ones
CALL for_each_type($call$
	CREATE TABLE @T@_repeated AS
		SELECT @T@_min(timestamptz '2025-12-31 00:00Z' + i % 300 * interval '10 min') AS id
			FROM generate_series(1, 6000) i UNION ALL SELECT NULL FROM generate_series(1, 2000);
	ANALYZE @T@_repeated;
$call$);
SELECT condition, judged(condition, 'SELECT * FROM @T@_repeated WHERE ') FROM unnest(ARRAY[
	'id BETWEEN A AND B',
	'id >= A AND id < B',
	'id > A AND id <= B',
	'id > A AND id < B',
	'id <@ @T@_range(''2026-01-01 02:00Z'', ''2026-01-01 02:10Z'')',
	'id <@ S(A,B) AND id < B',
	'id >= A AND (id < B OR id > C) AND id <= D',
	'id >= @T@_min(''2026-01-02 01:50Z'')',
	'id > @T@_min(''2026-01-02 01:50Z'')',
	'id <@ R(A,A)',
	'id <@ @T@_range(''2025-12-31 02:00Z'', ''2025-12-31 02:00Z'', ''[]'')',
	'id BETWEEN @T@_min(''2025-12-31 02:00Z'') AND @T@_min(''2025-12-31 02:10Z'')',
	'id > @T@_min(''2025-12-31 02:00Z'') AND id < @T@_min(''2025-12-31 02:10Z'')']) condition;
SELECT judged('id <@ ''(,)''', 'SELECT * FROM @T@_repeated WHERE ', 1.1) AS all_but_nulls;

-- the first and the last bucket have a pace of their own: an id an hour, the others one a second
CALL for_each_type($call$
	CREATE TABLE @T@_slow_ends AS SELECT @T@_min(timestamptz '2026-01-01 00:00Z'
			+ least(i, 100) * interval '1 hour' + greatest(i - 100, 0) * interval '1 s'
			+ greatest(i - 9900, 0) * interval '1 hour') AS id
		FROM generate_series(1, 10000) i;
	ANALYZE @T@_slow_ends;
$call$);
SELECT condition, judged(condition, 'SELECT * FROM @T@_slow_ends WHERE ') FROM unnest(ARRAY[
	'id < @T@_min(''2026-01-02Z'')',
	'id <@ @T@_range(''2026-01-02Z'', ''2026-01-03Z'')',
	'id <@ @T@_range(''2026-01-07Z'', ''2026-01-08Z'')',
	'id >= @T@_min(''2026-01-08Z'')']) condition;

-- on partitions too, and when joined with a column of ranges; by index, as the truth takes long
CALL for_each_type($call$
	CREATE INDEX @T@_uniform_id ON @T@_uniform (id);
	CREATE TABLE @T@_split (id @T@) PARTITION BY RANGE (id);
	CREATE TABLE @T@_split_1 PARTITION OF @T@_split
		FOR VALUES FROM (MINVALUE) TO (@T@_min('2026-01-01 02:15Z'));
	CREATE TABLE @T@_split_2 PARTITION OF @T@_split
		FOR VALUES FROM (@T@_min('2026-01-01 02:15Z')) TO (MAXVALUE);
	INSERT INTO @T@_split SELECT * FROM @T@_uniform;
	CREATE INDEX ON @T@_split (id);
	ANALYZE @T@_split;
	CREATE TABLE @T@_windows AS SELECT @T@_range(ts, ts + interval '2 min') AS r
		FROM generate_series(timestamptz '2026-01-01 00:10Z', '2026-01-01 08:00Z', '20 min') ts;
	INSERT INTO @T@_windows SELECT NULL FROM generate_series(1, 8);
	INSERT INTO @T@_windows SELECT 'empty' FROM generate_series(1, 80);
	ANALYZE @T@_windows;
$call$);
SELECT condition, judged(condition, 'SELECT * FROM @T@_split WHERE ') FROM unnest(ARRAY[
	'id <@ R(A,B)',
	'id <@ R(A,D)',
	'id <@ S(A,D)',
	'id >= A AND id <= D AND id < C',
	'id < C AND id <@ S(A,NULL)']) condition;
SELECT q, judged('', q) FROM unnest(ARRAY[
	'SELECT * FROM @T@_windows JOIN @T@_uniform ON id <@ r',
	'SELECT * FROM @T@_windows JOIN @T@_uniform ON @T@_contained_by(id, r)',
	'SELECT * FROM @T@_windows WHERE @T@_min(''2026-01-01 00:10:05Z'') <@ r',
	'SELECT * FROM @T@_windows JOIN @T@_split ON id <@ r',
	'SELECT * FROM @T@_windows JOIN @T@_split
		ON @T@_range_last(r) >= id AND id >= @T@_range_first(r)',
	'SELECT * FROM @T@_windows LEFT JOIN @T@_split ON id <@ r']) q;
-- one window of the others, whatever else limits the id
SET enable_seqscan = off;
SET enable_indexscan = off;
SELECT scanned('SELECT * FROM @T@_windows JOIN @T@_uniform ON id <@ r AND id > A');
RESET enable_seqscan;
RESET enable_indexscan;
CALL for_each_type('DROP INDEX @T@_uniform_id');
-- the index of a table with children says nothing about those
CALL for_each_type($call$
	CREATE TABLE @T@_parent (id @T@);
	CREATE INDEX ON @T@_parent (id);
	CREATE TABLE @T@_child () INHERITS (@T@_parent);
	INSERT INTO @T@_parent VALUES (@T@_min('2026-01-01Z'));
	INSERT INTO @T@_child TABLE @T@_uniform;
	ANALYZE @T@_parent;
	INSERT INTO @T@_parent VALUES (@T@_min('2026-06-01Z'));
	CREATE TABLE @T@_days AS SELECT @T@_range(ts, ts + interval '12 h') AS r
		FROM generate_series(timestamptz '2026-01-02 00:00Z', '2026-04-01 00:00Z', '1 day') ts;
	ANALYZE @T@_days;
$call$);
SELECT judged('', 'SELECT * FROM @T@_days JOIN @T@_parent ON id <@ r');

-- rows newer than the statistics go on at the old pace as far as the index reaches, and one that is
-- far away does not matter
CALL for_each_type($call$
	CREATE TABLE @T@_growing AS SELECT id FROM @T@_uniform WHERE id < @T@_min('2026-01-01 02:00Z');
	CREATE INDEX ON @T@_growing (id);
$call$);
-- what is pending comes to the counters now, not after ANALYZE
SELECT pg_stat_force_next_flush();
CALL for_each_type('ANALYZE @T@_growing');
CALL for_each_type($call$
	INSERT INTO @T@_growing SELECT id FROM @T@_uniform WHERE id <@
		@T@_range('2026-01-01 02:00Z', '2026-01-01 02:30Z');
$call$);
SELECT pg_stat_force_next_flush();
SELECT condition, judged(condition, 'SELECT * FROM @T@_growing WHERE ') FROM unnest(ARRAY[
	'id >= A', 'id >= B', 'id >= C', 'id > B AND id < C', 'id <@ S(A,D)', 'id >= D',
	'id <@ @T@_range(''2026-01-01 01:55Z'', ''2026-01-01 02:05Z'')',
	'id <@ @T@_range(''2026-01-01 01:00Z'', ''2026-01-01 01:10Z'')']) condition;
CALL for_each_type('INSERT INTO @T@_growing VALUES (@T@_min(''2080-01-01Z''))');
SELECT condition, judged(condition, 'SELECT * FROM @T@_growing WHERE ') FROM unnest(ARRAY[
	'id > B AND id < C',
	'id <@ @T@_range(''2026-01-01 01:00Z'', ''2026-01-01 01:10Z'')']) condition;

-- an index in descending order serves, too, but not one of some of the rows
CALL for_each_type($call$
	CREATE TABLE @T@_partly AS SELECT id FROM @T@_uniform WHERE id < @T@_min('2026-01-01 02:00Z');
	CREATE INDEX ON @T@_partly (id DESC);
	CREATE INDEX ON @T@_partly (id) WHERE id < @T@_min('2026-01-01 01:50Z');
$call$);
SELECT pg_stat_force_next_flush();
CALL for_each_type('ANALYZE @T@_partly');
CALL for_each_type($call$
	INSERT INTO @T@_partly SELECT id FROM @T@_uniform WHERE id <@
		@T@_range('2026-01-01 02:00Z', '2026-01-01 02:30Z');
$call$);
SELECT pg_stat_force_next_flush();
SELECT condition, judged(condition, 'SELECT * FROM @T@_partly WHERE ')
	FROM unnest('{id >= A,id >= B,id < @T@_min(''2026-01-01Z'')}'::text[]) condition;

-- one id far away does not make the rows before it seem new that were only updated
CALL for_each_type($call$
	CREATE TABLE @T@_updated AS SELECT id, 1 AS n FROM @T@_uniform;
	CREATE INDEX ON @T@_updated (id);
$call$);
SELECT pg_stat_force_next_flush();
CALL for_each_type('ANALYZE @T@_updated');
CALL for_each_type($call$
	UPDATE @T@_updated SET n = 2;
	INSERT INTO @T@_updated VALUES (@T@_min('2027-01-01Z'));
$call$);
SELECT pg_stat_force_next_flush();
SELECT judged('id > @T@_min(''2026-01-01 08:19Z'')', 'SELECT * FROM @T@_updated WHERE ', 3);
\set ECHO none
SELECT format('VACUUM %s_updated', t) FROM unnest(type_names()) t \gexec
\set ECHO all
SELECT judged('id > @T@_min(''2026-01-01 08:19Z'')', 'SELECT * FROM @T@_updated WHERE ', 3)
	AS after_vacuum;

-- the cumulative statistics that the planner has looked at are not kept for the transaction
BEGIN;
SELECT for_types('SELECT estimated(''SELECT * FROM @T@_growing WHERE id >= @T@_min(now())'') > 0');
CALL for_each_type('SELECT pg_stat_reset_single_table_counters(''@T@_growing''::regclass)');
SELECT for_types('SELECT n_mod_since_analyze FROM pg_stat_user_tables
	WHERE relid = ''@T@_growing''::regclass');
COMMIT;
-- nor is a snapshot of them given up
BEGIN;
SET LOCAL stats_fetch_consistency = snapshot;
CREATE TEMPORARY TABLE before ON COMMIT DROP AS
	SELECT relid, n_mod_since_analyze AS n FROM pg_stat_user_tables;
CALL for_each_type('SELECT pg_stat_reset_single_table_counters(''@T@_uniform''::regclass)');
SELECT for_types('SELECT estimated(''SELECT * FROM @T@_growing WHERE id >= @T@_min(now())'') > 0');
SELECT count(*) > 0 AS compared, bool_and(n_mod_since_analyze = n) AS equal
	FROM pg_stat_user_tables JOIN before USING (relid) WHERE schemaname = 'idestimates';
COMMIT;

-- Planning reads no more pages than for a bigint: the index's end on the side of the window, and
-- there not all of the rows that have been deleted.  One row fills a page.
CREATE FUNCTION pages_read(q text) RETURNS int LANGUAGE sql AS $$
	SELECT (planning->>'Shared Hit Blocks')::int + (planning->>'Shared Read Blocks')::int
	FROM explained(q, ', BUFFERS, SUMMARY') e, LATERAL (SELECT e->'Planning') p (planning)
$$;
CREATE TABLE expired (id uid11, n bigint, filler text) WITH (autovacuum_enabled = off);
ALTER TABLE expired ALTER filler SET STORAGE PLAIN;
INSERT INTO expired SELECT id, id::bigint, repeat('x', 5000)
	FROM generate_series(1, 600) i,
		uid11_min(timestamptz '2026-01-01 00:00Z' + i * interval '1 min') id;
CREATE INDEX ON expired (id);
CREATE INDEX ON expired (n);
ANALYZE expired;
DELETE FROM expired WHERE id < uid11_min('2026-01-01 07:00Z');
-- what is in the caches of the catalog after the first
SELECT pages_read(format('SELECT FROM expired WHERE %s > %L::%s', c, v, t)) IS NOT NULL AS warm
	FROM (SELECT uid11_min('2026-01-01 05:00Z')) m (id),
		LATERAL (VALUES ('id', id::text, 'uid11'), ('n', id::bigint::text, 'bigint')) u (c, v, t);
-- conditions at an instant: 1 is its id, 2 that as bigint, and 3 the instant, which is no constant
SELECT at, ids, CASE WHEN ours > bigint + 5 THEN format('%s pages, %s for bigint', ours, bigint)
		ELSE 'as bigint' END AS reads
	FROM (VALUES
			('00:02', 'id <@ uid11_range(''2026-01-01Z'', %3$s) OR id < %1$L OR id <= %1$L',
				'n < %2$s'),
			('00:02', 'id < %1$L', 'n < %2$s'),
			('09:58', 'id > %1$L', 'n > %2$s'),
			('09:58', 'id <@ uid11_range(%3$s, NULL)', 'n >= %2$s'),
			('09:58', 'id <@ uid11_range(NULL, %3$s)', 'n < %2$s'),
			('09:58', 'uid11_range_first(uid11_range(NULL, %3$s)) <= id', 'n >= %2$s'))
			v (at, ids, numbers),
		LATERAL (SELECT timestamptz '2026-01-01Z' + at::interval) i (instant),
		LATERAL (SELECT format('timestamptz %L + (now() - now())', instant)) e (expression),
		LATERAL (SELECT uid11_min(instant)) m (id),
		pages_read('SELECT FROM expired WHERE ' || format(ids, id, id::bigint, expression)) ours,
		pages_read('SELECT FROM expired WHERE ' || format(numbers, id, id::bigint)) bigint;

-- rows newer than the statistics are expected past their end without an index, too
INSERT INTO uid11_uniform
	SELECT uid11_min(timestamptz '2026-01-01 00:00Z' + i * interval '1 s')
	FROM generate_series(30001, 36000) i;
SELECT estimated('SELECT * FROM uid11_uniform WHERE id <@
	uid11_range(timestamptz ''2026-01-01 09:10Z'', ''2026-01-01 09:20Z'')')
	BETWEEN 300 AND 1200 AS new_rows;

-- semi- and anti-joins, of the ids in any of the ranges and of the ranges with any id: many that
-- overlap in one place or in two, some apart from each other, and half of them without ids
CALL for_each_type($call$
	CREATE TABLE @T@_sparse AS SELECT id
		FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM @T@_uniform) s WHERE n % 10 = 0;
	ANALYZE @T@_sparse;
	CREATE TABLE @T@_spans AS
		SELECT kind, @T@_range(since, since + width) AS r
		FROM (SELECT 'overlapping', timestamptz '2026-01-01 01:00Z' + i * interval '10 s',
					interval '30 min' FROM generate_series(1, 40) i
			UNION ALL SELECT 'clusters', timestamptz '2026-01-01 01:00Z' + i * interval '10 s'
					+ i % 2 * interval '5 h', interval '20 min' FROM generate_series(1, 40) i
			UNION ALL SELECT 'disjoint', timestamptz '2026-01-01 00:00Z' + i * interval '10 min',
					interval '4 min' FROM generate_series(1, 48) i
			UNION ALL SELECT 'half', timestamptz '2026-01-01 04:00Z' + i * interval '10 min',
					interval '4 min' FROM generate_series(1, 52) i) s (kind, since, width);
	CREATE TABLE @T@_overlapping AS SELECT r FROM @T@_spans WHERE kind = 'overlapping';
	CREATE TABLE @T@_clusters AS SELECT r FROM @T@_spans WHERE kind = 'clusters';
	CREATE TABLE @T@_disjoint AS SELECT r FROM @T@_spans WHERE kind = 'disjoint';
	CREATE TABLE @T@_half AS SELECT r FROM @T@_spans WHERE kind = 'half';
	ANALYZE @T@_overlapping, @T@_clusters, @T@_disjoint, @T@_half;
$call$);
SELECT kind, negation,
		judged('', format('SELECT * FROM @T@_sparse WHERE %s EXISTS (SELECT FROM @T@_%s
			WHERE id <@ r)', negation, kind), 3) AS ids,
		judged('', format('SELECT * FROM @T@_%s WHERE %s EXISTS (SELECT FROM @T@_sparse
			WHERE id <@ r)', kind, negation), 3) AS ranges
	FROM unnest('{overlapping,clusters,disjoint,half}'::text[]) kind,
		unnest('{"",NOT}'::text[]) negation;

-- attached to an operator with a domain over ranges, which the server's own estimators refuse, ours
-- guess; lookup.sql has more of those that they do not understand
CREATE DOMAIN checked_range AS uid11range;
CREATE TABLE checked AS SELECT r::checked_range FROM uid11_windows;
ANALYZE checked;
CREATE FUNCTION holds(uid11, checked_range) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN RETURN $1 <@ $2::uid11range; END';
CREATE OPERATOR =#= (FUNCTION = holds, LEFTARG = uid11, RIGHTARG = checked_range,
	RESTRICT = idtypes_sel, JOIN = idtypes_joinsel);
SELECT estimated('SELECT * FROM checked WHERE uid11_min(''2026-01-01Z'') =#= r') > 0 AS restriction,
	estimated('SELECT * FROM checked JOIN uid11_uniform ON id =#= r') > 0 AS joins;
DROP OPERATOR =#= (uid11, checked_range);
-- a constant of a domain over ranges, as beside others in an array, is estimated as the range is
CALL for_each_type('CREATE DOMAIN @T@domain AS @T@range');
SELECT * FROM for_types($$SELECT CASE WHEN of_domain = of_range THEN 'same'
			ELSE format('%s for %s', of_domain, of_range) END
	FROM (SELECT 'SELECT * FROM @T@_uniform WHERE id <@ ANY (ARRAY[(SELECT @T@range(NULL, NULL)),
			@T@_range(timestamptz ''2026-01-01 01:00Z'', ''2026-01-01 02:00Z'')]::@T@%s[])') v (q),
		LATERAL (SELECT estimated(format(q, 'domain')), estimated(format(q, 'range')))
			e (of_domain, of_range)$$);

-- Statistics that ANALYZE does not make, as from 18 on the owner of a table may import them: no
-- plan fails.
CALL for_each_type($call$
	CREATE TABLE @T@_odd AS SELECT id, @T@range(id, id, '[]') AS r
		FROM @T@_uniform, generate_series(1, 2)
		WHERE id <@ @T@_range(timestamptz '2026-01-01 01:00Z', '2026-01-01 01:10Z');
	CREATE TABLE @T@_parted (id @T@) PARTITION BY RANGE (id);
	CREATE INDEX ON @T@_parted (id);
$call$);
CREATE FUNCTION after_import(t text, fault text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	query text;
BEGIN
	EXECUTE format('ANALYZE %I_odd', t);
	EXECUTE replace('WITH changed AS (UPDATE pg_statistic SET ' || fault || ' RETURNING 1)
		SELECT 1 / count(*) FROM changed', '@T@', t);
	FOREACH query IN ARRAY ARRAY[
		$q$@T@_odd WHERE id <@ '(,)'$q$,
		$q$@T@_odd WHERE id <@ (SELECT r FROM @T@_odd)$q$,
		$q$@T@_odd WHERE id <@ @T@_range(timestamptz '2026-01-01Z', '2027-01-01Z')$q$,
		$q$@T@_odd a JOIN @T@_odd b ON a.id <@ b.r$q$,
		$q$@T@_odd a WHERE EXISTS (SELECT FROM @T@_odd b WHERE a.id <@ b.r)$q$,
		$q$@T@_odd b WHERE EXISTS (SELECT FROM @T@_odd a WHERE a.id <@ b.r)$q$,
		$q$@T@_parted a JOIN @T@_odd b ON a.id <@ b.r$q$]
	LOOP
		query := replace(query, '@T@', t);
		RETURN NEXT outcome(format('SELECT estimated(%L) >= 0', 'SELECT * FROM ' || query));
	END LOOP;
END
$$;
SELECT fault, for_types.* FROM (VALUES
	(1, 'more NULLs than rows', $$stanullfrac = 2 WHERE starelid = '@T@_odd'::regclass$$),
	(2, 'fewer than none', $$stanullfrac = -1 WHERE starelid = '@T@_odd'::regclass$$),
	(3, 'empty ranges as bounds', $$stavalues1 = array_in('{empty,empty}', '@T@range'::regtype, -1)
		WHERE starelid = '@T@_odd'::regclass AND stakind1 = 7$$),
	(4, 'more empty ranges than rows',
		$$stanumbers2 = '{2}' WHERE starelid = '@T@_odd'::regclass AND stakind2 = 6$$),
	(5, 'fewer frequencies than common values',
		$$stanumbers1 = '{0.5}' WHERE starelid = '@T@_odd'::regclass AND stakind1 = 1$$),
	(6, 'of a partitioned table alone', $$starelid = '@T@_parted'::regclass
		WHERE starelid = '@T@_odd'::regclass AND staattnum = 1$$)) imported (n, fault, written),
	for_types(format($$SELECT string_agg(DISTINCT e, ' ') FROM after_import('@T@', %L) e$$,
		written))
ORDER BY n;

-- no statistics at all
CREATE TABLE unknown (id uid11);
INSERT INTO unknown SELECT id FROM uid11_uniform;
SELECT estimated('SELECT * FROM unknown WHERE id <@ uid11_prefix(''4A'')')
	BETWEEN 1 AND 36000 AS sane;

-- under row-level security, statistics may be looked at only because the comparison is leakproof
CREATE ROLE regress_idtypes_stranger;
GRANT USAGE ON SCHEMA idestimates TO regress_idtypes_stranger;
GRANT SELECT ON siq_uniform TO regress_idtypes_stranger;
ALTER TABLE siq_uniform ENABLE ROW LEVEL SECURITY;
CREATE POLICY everything ON siq_uniform USING (true);
SET ROLE regress_idtypes_stranger;
SELECT estimated('SELECT * FROM siq_uniform WHERE id <@
	siq_range(timestamptz ''2026-01-01 01:00Z'', ''2026-01-01 02:00Z'')')
	BETWEEN 1800 AND 7200 AS known,
	estimated('SELECT * FROM siq_uniform WHERE id >= siq_min(''2026-01-01 01:00Z'')
		AND id < siq_min(''2026-01-01 02:00Z'')') BETWEEN 1800 AND 7200 AS known_too;
RESET ROLE;
-- if it were not, they would not be looked at
ALTER FUNCTION siq_diff(siq, siq) NOT LEAKPROOF;
SET ROLE regress_idtypes_stranger;
SELECT estimated('SELECT * FROM siq_uniform WHERE id <@
		siq_range(timestamptz ''2026-01-01 01:00Z'', ''2026-01-01 02:00Z'')') AS default,
	estimated('SELECT * FROM siq_uniform WHERE id >= siq_min(''2026-01-01 01:00Z'')
		AND id < siq_min(''2026-01-01 02:00Z'')') AS default_too;
RESET ROLE;
ALTER FUNCTION siq_diff(siq, siq) LEAKPROOF;

-- what the estimator says at DEBUG2; once before, so that the server's caches have nothing to say
CREATE TABLE told (id uid11 PRIMARY KEY);
INSERT INTO told SELECT uid11_make('2026-01-01Z'::timestamptz + n * interval '1 s', 0)
	FROM generate_series(1, 3000) n;
ANALYZE told;
CREATE FUNCTION twice() RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	FOR level IN 1 .. 2 LOOP
		PERFORM set_config('client_min_messages', (ARRAY['warning', 'debug2'])[level], true);
		PERFORM estimated('SELECT * FROM told WHERE id > ''2026-01-01 00:10Z''::timestamptz
			AND id <@ uid11_range(''2026-01-01Z'', ''2026-01-01 00:12Z'')');
		PERFORM estimated('SELECT * FROM told WHERE id <@ (SELECT uid11_range(now(), NULL))');
	END LOOP;
	PERFORM set_config('client_min_messages', 'warning', true);
END
$$;
SELECT twice();

DROP SCHEMA idestimates CASCADE;
DROP ROLE regress_idtypes_stranger;
