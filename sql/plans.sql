--
-- id <@ range: in which positions an index or partition answers, and that the
-- rows are those of a brute-force condition.  Every plan is made for all
-- types; types whose plans differ only in their names share a line.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

SET max_parallel_workers_per_gather = 0;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET enable_material = off;
SET enable_memoize = off;
CREATE SCHEMA idplans;
SET search_path = idplans, public;
:take_two;

CREATE ROLE regress_idtypes_reader;
GRANT USAGE ON SCHEMA idplans TO regress_idtypes_reader;

-- The types, and a prefix of some of their rows: the shortest one of less than ten hours.
CREATE TABLE types (t text, prefix text);
GRANT SELECT ON types TO regress_idtypes_reader;
CALL for_each_type($$
	INSERT INTO types SELECT '@T@', prefix
		FROM (SELECT left(whole, len), @T@_prefix(left(whole, len))
			FROM @T@_prefixed(@T@_min('2026-01-02 12:00Z')) whole,
				generate_series(1, length(whole)) len) p (prefix, r)
		WHERE @T@_timestamp(upper(r)) - @T@_timestamp(lower(r)) < '10 hours'
		ORDER BY length(prefix) LIMIT 1$$);

-- @T@ is the type, @P@ its prefix, @W@ one day as a time window, @R@ the same as a range of ids.
CREATE FUNCTION expand(q text, t text) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT replace(replace(replace(replace(q,
		'@R@', '@T@_range(''2026-01-02 00:00Z'', ''2026-01-03 00:00Z'')'),
		'@W@', 'tstzrange(''2026-01-02 00:00Z'', ''2026-01-03 00:00Z'')'),
		'@P@', (SELECT prefix FROM idplans.types WHERE types.t = $2)), '@T@', t)
$$;

CREATE PROCEDURE for_all(q text) LANGUAGE plpgsql AS $$
DECLARE
	t text;
BEGIN
	FOREACH t IN ARRAY type_names() LOOP
		EXECUTE expand(q, t);
	END LOOP;
END
$$;

-- The schema brute has the operators once more, in PL/pgSQL, of which the planner knows nothing.
CREATE SCHEMA brute;
GRANT USAGE ON SCHEMA brute TO regress_idtypes_reader;
CREATE PROCEDURE add_brute(name text, l text, op text, r text, body text) LANGUAGE sql AS $$
	CALL for_each_type(format('CREATE FUNCTION brute.%1$I(l %2$s, r %4$s) RETURNS boolean
			LANGUAGE plpgsql IMMUTABLE AS ''BEGIN RETURN %5$s; END'';
		CREATE OPERATOR brute.%3$s (FUNCTION = brute.%1$I, LEFTARG = %2$s, RIGHTARG = %4$s)',
		name, l, op, r, body))
$$;
CALL add_brute('contained', '@T@', '<@', '@T@range', 'r OPERATOR(pg_catalog.@>) l');
CALL add_brute('starts', '@T@', '^@', 'text', 'starts_with(public.@T@_prefixed(l), r)');
DO $$
DECLARE
	op text;
BEGIN
	FOREACH op IN ARRAY '{<,<=,>=,>}'::text[] LOOP
		CALL add_brute(op, '@T@', op, 'timestamptz', 'public.@T@_timestamp(l) ' || op || ' r');
		CALL add_brute(op, 'timestamptz', op, '@T@', 'l ' || op || ' public.@T@_timestamp(r)');
	END LOOP;
END
$$;
-- What is to be said of the rows of a query: nothing if there are some, and the schema brute has
-- the same.
CREATE FUNCTION noted(q text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	path text;
	one record;
	rows text[];
	others text[];
BEGIN
	IF q ~ '^(UPDATE|DELETE)|random' THEN
		RETURN NULL;
	END IF;
	FOREACH path IN ARRAY '{"brute, idplans, public","idplans, public"}'::text[] LOOP
		PERFORM set_config('search_path', path, true);
		others := rows;
		rows := '{}';
		FOR one IN EXECUTE q LOOP
			rows := rows || one::text;
		END LOOP;
		SELECT array_agg(r ORDER BY r) INTO rows FROM unnest(rows) r;
	END LOOP;
	RETURN CASE WHEN rows IS DISTINCT FROM others THEN 'wrong rows'
		WHEN rows IS NULL THEN 'no rows' END;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END
$$;
CREATE FUNCTION plans(q text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT concat(types, ':', chr(10), result)
		FROM for_types(format('SELECT concat_ws(chr(10), plan_of(''@T@'', e), noted(e))
			FROM expand(%L, ''@T@'') e', q))
$$;

-- One id a minute from 2026-01-01 on: the first five bytes are of that instant, the rest is noise.
CALL for_all($$
	CREATE TABLE @T@_plain (id @T@, v int);
	INSERT INTO @T@_plain
		SELECT (substr(b, 1, 5) || noise(i, length(b) - 5))::@T@, i
		FROM (SELECT i, @T@_min(timestamptz '2026-01-01 00:00Z' + i * interval '1 min')::bytea AS b
			FROM generate_series(0, 4999) i) s;
	INSERT INTO @T@_plain VALUES (NULL, -1);
	CREATE INDEX ON @T@_plain (id);
	CREATE TABLE @T@_windows (k int, r @T@range);
	INSERT INTO @T@_windows VALUES (1, @R@), (2, 'empty'), (3, NULL),
		(4, @T@_range('2026-01-02 12:00Z', '2026-01-02 13:00Z')),
		(5, @T@_range('2026-01-04 09:00Z', NULL));
	ANALYZE @T@_plain;
	ANALYZE @T@_windows;
$$);

-- constants: a window, a prefix, the function behind the operator
SELECT plans('SELECT * FROM @T@_plain WHERE id <@ @R@');
SELECT plans('SELECT * FROM @T@_plain WHERE id <@ @T@_prefix(''@P@'')');
SELECT plans('SELECT * FROM @T@_plain WHERE @T@_contained_by(id, @R@)');

-- a stable expression
SELECT plans('SELECT * FROM @T@_plain WHERE id <@ @T@_range(now() - interval ''1 hour'', now())');

-- parameters: generic plans
SET plan_cache_mode = force_generic_plan;
CALL for_all($$
	PREPARE @T@_range_is(@T@range) AS SELECT id FROM @T@_plain WHERE id <@ $1;
	PREPARE @T@_prefix_is AS SELECT id FROM @T@_plain WHERE id <@ @T@_prefix($1);
	PREPARE @T@_untyped AS SELECT id FROM @T@_plain WHERE id <@ $1;
$$);
SELECT DISTINCT parameter_types::text = format('{%srange}', replace(name, '_untyped', ''))
	FROM pg_prepared_statements WHERE name LIKE '%untyped';
SELECT plans('EXECUTE @T@_range_is(@R@)');
SELECT plans('EXECUTE @T@_prefix_is(''@P@'')');

-- a sub-select, a joined table, a correlated sub-select
SELECT plans('SELECT * FROM @T@_plain WHERE id <@ (SELECT r FROM @T@_windows WHERE k = 1)');
SELECT plans('SELECT * FROM @T@_windows JOIN @T@_plain ON id <@ r');
SELECT plans('SELECT * FROM @T@_windows LEFT JOIN @T@_plain ON id <@ r');
SELECT plans('SELECT * FROM @T@_windows w WHERE EXISTS
	(SELECT FROM @T@_plain WHERE id <@ w.r OFFSET 0)');
SELECT plans('SELECT * FROM @T@_windows w WHERE k = 7 OR EXISTS
	(SELECT FROM @T@_plain WHERE id <@ w.r)');
SELECT plans('SELECT w.k, p.v FROM @T@_windows w, @T@_plain p
	WHERE p.id <@ (SELECT r FROM @T@_windows o WHERE o.k = w.k)');

-- views and SQL functions
CALL for_all($$
	CREATE VIEW @T@_view AS SELECT id, v + 1 AS v FROM @T@_plain;
	CREATE VIEW @T@_day AS SELECT id FROM @T@_plain WHERE id <@ @R@;
	CREATE FUNCTION @T@_with_prefix(text) RETURNS SETOF @T@_plain LANGUAGE sql STABLE AS
		'SELECT * FROM @T@_plain WHERE id <@ @T@_prefix($1)';
	CREATE FUNCTION @T@_within(@T@, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
		'SELECT $1 <@ @T@_prefix($2)';
$$);
SELECT plans('SELECT * FROM @T@_view WHERE id <@ @R@');
SELECT plans('SELECT * FROM @T@_day');
SELECT plans('SELECT * FROM @T@_with_prefix(''@P@'')');
SELECT plans('SELECT * FROM @T@_plain WHERE @T@_within(id, ''@P@'')');

-- row-level security: the condition is leakproof, so it goes below the policy
CALL for_all($$
	CREATE TABLE @T@_secret (id @T@, v int);
	INSERT INTO @T@_secret SELECT * FROM @T@_plain;
	CREATE INDEX ON @T@_secret (id);
	ANALYZE @T@_secret;
	ALTER TABLE @T@_secret ENABLE ROW LEVEL SECURITY;
	CREATE POLICY even ON @T@_secret USING (v % 2 = 0);
	GRANT SELECT ON @T@_secret, @T@_plain TO regress_idtypes_reader;
$$);
SET ROLE regress_idtypes_reader;
SELECT plans('SELECT * FROM @T@_secret WHERE id <@ @R@');
RESET ROLE;

-- NULL, empty, unbounded and half-bounded ranges
SELECT plans('SELECT * FROM @T@_plain WHERE id <@ NULL');
SELECT plans('SELECT * FROM @T@_plain WHERE id <@ ''empty''');
SELECT count(*) FROM uid11_plain WHERE id <@ 'empty';
SELECT plans('SELECT * FROM @T@_plain WHERE id <@ ''(,)''');
SELECT plans('SELECT * FROM @T@_plain WHERE id <@ @T@_range(''2026-01-04 00:00Z'', NULL)');
SELECT plans('SELECT * FROM @T@_plain WHERE id <@ @T@range(@T@_min(''2026-01-04 00:00Z''), NULL)');

-- a range that changes from row to row cannot be looked up
SELECT plans('SELECT * FROM @T@_plain
	WHERE id <@ @T@_range(timestamptz ''2026-01-02 00:00Z'' + random() * interval ''1 s'', NULL)');

-- negation, disjunction, CASE
SET enable_bitmapscan = on;
SELECT plans('SELECT * FROM @T@_plain WHERE id <@ @R@ OR id <@ @T@_prefix(''@P@'')');
SET enable_bitmapscan = off;
SELECT plans('SELECT * FROM @T@_plain WHERE NOT id <@ @R@');
SELECT plans('SELECT CASE WHEN v > 1 THEN id <@ @R@ END FROM @T@_plain WHERE v = 5');

-- BRIN in joins, and with a bloom filter
CALL for_all($$
	CREATE TABLE @T@_brin (id @T@, v int);
	CREATE TABLE @T@_bloom (id @T@, v int);
	INSERT INTO @T@_brin SELECT * FROM @T@_plain;
	INSERT INTO @T@_bloom SELECT * FROM @T@_plain;
	CREATE INDEX ON @T@_brin USING brin (id) WITH (pages_per_range = 2);
	CREATE INDEX ON @T@_bloom USING brin (id @T@_bloom_ops) WITH (pages_per_range = 2);
	CREATE TABLE @T@_spans (k int, r @T@range);
	INSERT INTO @T@_spans SELECT v, @T@range(id, lead(id) OVER (ORDER BY id)) FROM @T@_plain
		WHERE id IS NOT NULL;
	CREATE INDEX ON @T@_spans USING gist (r);
	ANALYZE @T@_brin;
	ANALYZE @T@_bloom;
	ANALYZE @T@_spans;
$$);
SET enable_bitmapscan = on;
SELECT plans('SELECT * FROM @T@_windows JOIN @T@_brin ON id <@ r');
SELECT plans('SELECT * FROM @T@_bloom WHERE id <@ @R@');
SELECT plans('SELECT * FROM @T@_bloom WHERE id <@ (SELECT r FROM @T@_windows WHERE k = 1)');
SET enable_bitmapscan = off;
-- an index on ranges, asked for the ranges of one id
SELECT plans('SELECT * FROM @T@_spans WHERE @T@_min(''2026-01-02 12:00Z'') <@ r');

-- range partitions with bounds written as instants, one of them divided further
CALL for_all($$
	CREATE TABLE @T@_parts (id @T@, v int) PARTITION BY RANGE (id);
	CREATE TABLE @T@_parts_1 PARTITION OF @T@_parts
		FOR VALUES FROM (@T@_min('2026-01-01 00:00Z')) TO (@T@_min('2026-01-02 00:00Z'));
	CREATE TABLE @T@_parts_2 PARTITION OF @T@_parts
		FOR VALUES FROM (@T@_min('2026-01-02 00:00Z')) TO (@T@_min('2026-01-03 00:00Z'))
		PARTITION BY RANGE (id);
	CREATE TABLE @T@_parts_2a PARTITION OF @T@_parts_2
		FOR VALUES FROM (MINVALUE) TO (@T@_min('2026-01-02 12:00Z'));
	CREATE TABLE @T@_parts_2b PARTITION OF @T@_parts_2
		FOR VALUES FROM (@T@_min('2026-01-02 12:00Z')) TO (MAXVALUE);
	CREATE TABLE @T@_parts_3 PARTITION OF @T@_parts
		FOR VALUES FROM (@T@_min('2026-01-03 00:00Z')) TO (@T@_min('2026-01-04 00:00Z'));
	CREATE TABLE @T@_parts_rest PARTITION OF @T@_parts DEFAULT;
	INSERT INTO @T@_parts SELECT * FROM @T@_plain;
	CREATE INDEX ON @T@_parts (id);
	ANALYZE @T@_parts;
	PREPARE @T@_part AS SELECT id FROM @T@_parts WHERE id <@ $1;
	PREPARE @T@_part_prefix AS SELECT id FROM @T@_parts WHERE id <@ @T@_prefix($1);
$$);
SELECT plans('SELECT * FROM @T@_parts WHERE id <@ @R@');
SELECT plans('SELECT * FROM @T@_parts WHERE id <@ @T@range(NULL, @T@_min(''2026-01-01 06:00Z''))');
SELECT plans('SELECT * FROM @T@_parts WHERE id <@ ''empty''');
SELECT plans('SELECT * FROM @T@_parts WHERE id <@ @R@ AND NOT id <@
	@T@_range(''2026-01-02 12:00Z'', ''2026-01-03 00:00Z'')');
SET enable_bitmapscan = on;
SELECT plans('SELECT * FROM @T@_parts
	WHERE id <@ @T@_range(''2026-01-01 06:00Z'', ''2026-01-01 07:00Z'')
	OR id <@ @T@_range(''2026-01-01 08:00Z'', ''2026-01-01 09:00Z'')');
SET enable_bitmapscan = off;
SELECT plans('UPDATE @T@_parts SET v = 0 WHERE id <@
	@T@_range(''2026-01-02 06:00Z'', ''2026-01-02 07:00Z'')');
SELECT plans('DELETE FROM @T@_parts WHERE id <@
	@T@_range(''2026-01-03 06:00Z'', ''2026-01-03 07:00Z'')');
SELECT plans('SELECT v FROM (SELECT id, v FROM @T@_parts UNION ALL SELECT id, v FROM @T@_plain) u
	WHERE id <@ @R@');

-- a volatile range is evaluated once for each row: here all before the rows, or all after them
CREATE SEQUENCE turns;
CALL for_all($$CREATE FUNCTION @T@_turn() RETURNS @T@range LANGUAGE plpgsql VOLATILE COST 1 AS
	'BEGIN RETURN CASE nextval(''turns'') % 2 WHEN 1 THEN @T@_range(NULL, ''2025-01-01Z'')
		ELSE @T@_range(''2027-01-01Z'', NULL) END; END'$$);
SELECT * FROM for_types('SELECT count(*) FROM @T@_parts WHERE id <@ @T@_turn()');

-- a range, an instant or a prefix of the same row chooses no partition: a partial index serves, and
-- the statistics of an index on the condition count, as they do for a plain table
CALL for_all($$
	CREATE TABLE @T@_own (id @T@, r @T@range, t timestamptz, p text, n int)
		PARTITION BY RANGE (id);
	CREATE TABLE @T@_own_rest PARTITION OF @T@_own DEFAULT;
	INSERT INTO @T@_own SELECT id, CASE WHEN v % 50 = 0 THEN @T@range(id, id, '[]') END,
		CASE WHEN v % 50 = 0 THEN '2025-01-01Z'::timestamptz ELSE '2027-01-01Z' END,
		left(@T@_prefixed(CASE WHEN v % 50 = 0 THEN id ELSE @T@_min('2027-01-01Z') END), 12), v
		FROM @T@_plain;
	CREATE INDEX ON @T@_own (n) WHERE id <@ r;
	CREATE INDEX ON @T@_own (n) WHERE id > t;
	CREATE INDEX ON @T@_own (n) WHERE id ^@ p;
	CREATE INDEX ON @T@_own ((id <@ r), (id > t), (id ^@ p));
	ANALYZE @T@_own;
$$);
SELECT plans('SELECT n FROM @T@_own WHERE id <@ r AND n > 10');
SELECT plans('SELECT n FROM @T@_own WHERE id > t AND n > 10');
SELECT plans('SELECT n FROM @T@_own WHERE id ^@ p AND n > 10');
SELECT * FROM for_types($$SELECT string_agg(format('%s of the partition, %s of the parent: %s',
		explained('SELECT FROM @T@_own_rest WHERE ' || clause)->'Plan'->>'Plan Rows',
		explained('SELECT FROM @T@_own WHERE ' || clause)->'Plan'->>'Plan Rows', clause), chr(10))
	FROM unnest(ARRAY['id <@ r', 'id > t', 'id ^@ p', '(id <@ r) IS TRUE', '(id > t) IS TRUE',
		'(id ^@ p) IS TRUE']) clause$$);

-- partitions chosen at run time: parameters, and the rows of a nested loop
SELECT plans('EXECUTE @T@_part(@R@)');
SELECT plans('EXECUTE @T@_part(NULL)');
SELECT * FROM for_types($$SELECT substring(plan, 'Subplans Removed: (\d)')::int >= 2
		AND strpos(plan,
		'((id >= T_range_first(T_prefix($1))) AND (id <= T_range_last(T_prefix($1))))') > 0
	FROM plan_of('@T@', expand('EXECUTE @T@_part_prefix(''@P@'')', '@T@')) plan$$);
CREATE FUNCTION scans(q text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT types || ': ' || result FROM for_types(format(
		'SELECT concat_ws('', '', format(''%%s scans run, %%s never'',
				count(*) FILTER (WHERE line LIKE ''%%(actual%%''),
				count(*) FILTER (WHERE line LIKE ''%%(never executed)%%'')), noted(e))
			FROM expand(%L, ''@T@'') e, regexp_split_to_table(plan_of(''@T@'', e,
				'', ANALYZE, TIMING OFF, SUMMARY OFF''), chr(10)) line
			WHERE line LIKE ''%%Scan%%_parts%%'' GROUP BY e', q))
$$;
SELECT scans('SELECT * FROM @T@_windows w, @T@_parts p WHERE w.k = 1 AND p.id <@ w.r');
-- and what costs little: arithmetic in a time zone, and functions that are inlined
CREATE FUNCTION a_day(n int) RETURNS tstzrange LANGUAGE sql STABLE AS $$
	SELECT tstzrange(date_trunc('day', timestamptz '2026-01-02 12:00Z' + n * (now() - now()),
		'UTC'), '2026-01-03 00:00Z') $$;
SELECT scans('SELECT * FROM @T@_parts WHERE id <@ @T@_range(a_day(1))');
SELECT scans('SELECT * FROM @T@_parts WHERE id <@ @T@_range(
	date_trunc(''day'', (timestamptz ''2026-01-02 12:00Z'' + (now() - now()))
		AT TIME ZONE ''Europe/Berlin'') AT TIME ZONE ''Europe/Berlin'',
	(date_trunc(''day'', (timestamptz ''2026-01-02 12:00Z'' + (now() - now()))
		AT TIME ZONE ''Europe/Berlin'') + interval ''23 h'') AT TIME ZONE ''Europe/Berlin'')');
-- not a function that costs more; but a join with its result chooses them
CREATE FUNCTION costly_day() RETURNS tstzrange LANGUAGE plpgsql STABLE AS
	'BEGIN RETURN a_day(1); END';
SELECT scans('SELECT * FROM @T@_parts WHERE id <@ @T@_range(costly_day())');
SELECT scans('SELECT * FROM costly_day() w JOIN @T@_parts ON id <@ @T@_range(w)');
-- a sub-select is not run twice, so it chooses no partitions; their indexes serve it
SELECT plans('SELECT * FROM @T@_parts WHERE id <@ (SELECT r FROM @T@_windows WHERE k = 1)');


-- partitions by hash, and inheritance children with CHECK constraints
CALL for_all($$
	CREATE TABLE @T@_hash (id @T@, v int) PARTITION BY HASH (id);
	CREATE TABLE @T@_hash_0 PARTITION OF @T@_hash FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE @T@_hash_1 PARTITION OF @T@_hash FOR VALUES WITH (MODULUS 2, REMAINDER 1);
	INSERT INTO @T@_hash SELECT * FROM @T@_plain;
	CREATE INDEX ON @T@_hash (id);
	ANALYZE @T@_hash;
	CREATE TABLE @T@_parent (id @T@, v int);
	CREATE TABLE @T@_child_1 (CHECK (id < @T@_min('2026-01-02 00:00Z'))) INHERITS (@T@_parent);
	CREATE TABLE @T@_child_2 (CHECK (id >= @T@_min('2026-01-02 00:00Z'))) INHERITS (@T@_parent);
	INSERT INTO @T@_child_1 SELECT * FROM @T@_plain WHERE @T@_timestamp(id) < '2026-01-02 00:00Z';
	INSERT INTO @T@_child_2 SELECT * FROM @T@_plain WHERE @T@_timestamp(id) >= '2026-01-02 00:00Z';
	ANALYZE @T@_parent;
$$);
SELECT plans('SELECT * FROM @T@_hash WHERE id <@ @R@');
SELECT plans('SELECT * FROM @T@_parent WHERE id <@ @R@');

-- CHECK constraints written with <@, wherever the table stands in FROM; of the tables of a view too
CALL for_all($$
	CREATE TABLE @T@_checked (id @T@, v int);
	CREATE TABLE @T@_checked_1 (CHECK (id <@ @T@_range(NULL, '2026-01-02 00:00Z')))
		INHERITS (@T@_checked);
	CREATE TABLE @T@_checked_2 (CHECK (id <@ @T@_range('2026-01-02 00:00Z', NULL)))
		INHERITS (@T@_checked);
	CREATE VIEW @T@_both AS SELECT * FROM @T@_checked_1 UNION ALL SELECT * FROM @T@_checked_2;
$$);
SELECT plans('SELECT * FROM @T@_checked WHERE id <@ @R@');
SELECT plans('SELECT * FROM @T@_windows w, @T@_checked c WHERE c.id <@ @R@ AND w.k = c.v');
SELECT plans('SELECT * FROM @T@_both WHERE id <@ @R@');
SELECT plans('SELECT * FROM @T@_windows w, @T@_both b WHERE b.id <@ @R@ AND w.k = b.v');

-- a table is not searched when it is attached, if such a constraint says what the bounds say
CALL for_all($$
	CREATE TABLE @T@_whole (id @T@ NOT NULL) PARTITION BY RANGE (id);
	CREATE TABLE @T@_attached (id @T@ NOT NULL, CHECK (id <@ @R@));
	CREATE TABLE @T@_searched (id @T@ NOT NULL, CHECK (id <@ @T@_range('2026-01-03Z', NULL)));
$$);
BEGIN;
CALL for_all($$
	ALTER TABLE @T@_whole ATTACH PARTITION @T@_attached
		FOR VALUES FROM (@T@_min('2026-01-02Z')) TO (@T@_min('2026-01-03Z'));
	ALTER TABLE @T@_whole ATTACH PARTITION @T@_searched
		FOR VALUES FROM (@T@_min('2026-01-03Z')) TO (@T@_min('2026-01-04Z'));
$$);
SELECT * FROM for_types('SELECT string_agg(format(''%s: %s'', substr(relname,
		length(''@T@_'') + 1), seq_scan), '', '' ORDER BY relname)
	FROM pg_stat_xact_user_tables WHERE relname IN (''@T@_attached'', ''@T@_searched'')');
COMMIT;

-- a partial index with <@ serves whatever window lies within its own, however that is written
CALL for_all('CREATE INDEX @T@_within ON @T@_plain (v) WHERE id <@ @R@');
SELECT plans('SELECT * FROM @T@_plain WHERE v = 7 AND id <@ @R@');
SELECT plans('SELECT * FROM @T@_plain WHERE v = 7 AND id >= @T@_min(''2026-01-02 06:00Z'')
	AND id < @T@_min(''2026-01-02 07:00Z'')');
CALL for_all('DROP INDEX @T@_within');

-- and the other way round; also where the window has no end, is one id, or is asked for by ON
-- CONFLICT: whether the index is proven for each way to write a window
CREATE FUNCTION proven(predicate text, VARIADIC conditions text[])
RETURNS TABLE (condition text, plan text) LANGUAGE plpgsql AS $$
DECLARE
	types text;
BEGIN
	CALL for_all('CREATE INDEX @T@_within ON @T@_plain (v) WHERE ' || predicate);
	FOREACH condition IN ARRAY conditions LOOP
		FOR types, plan IN SELECT * FROM for_types(format('SELECT CASE WHEN plan_of(''@T@'',
				expand(''SELECT * FROM @T@_plain WHERE v = 7 AND ('' || %L || '')'', ''@T@''))
			LIKE ''%%T_within%%'' THEN ''proven'' ELSE ''not proven'' END', condition)) LOOP
			plan := types || ': ' || plan;
			RETURN NEXT;
		END LOOP;
	END LOOP;
	CALL for_all('DROP INDEX @T@_within');
END
$$;
SELECT * FROM proven('id <@ @R@', 'id <@ @R@',
	'id >= @T@_min(''2026-01-02Z'') AND id < @T@_min(''2026-01-03Z'')',
	'@T@_min(''2026-01-03Z'') > id AND @T@_min(''2026-01-02Z'') <= id',
	'id BETWEEN lower(@R@) AND upper(@R@)',
	'id <@ @T@_prefix(''@P@'') AND id <@ @R@',
	'id <@ @R@ AND id > @T@_min(''2026-01-02 01:00Z'')',
	'id <@ @T@_range(''2026-01-02 01:00Z'', ''2026-01-02 02:00Z'') OR
		id >= @T@_min(''2026-01-02 03:00Z'') AND id < @T@_min(''2026-01-03Z'')',
	'NOT (id < @T@_min(''2026-01-02Z'') OR id >= @T@_min(''2026-01-03Z''))',
	'id > @T@_min(''2026-01-02Z'')');
SELECT * FROM proven('id <@ @T@_range(''2026-01-02Z'', NULL)', 'id <@ @R@',
	'id >= @T@_min(''2026-01-03Z'')', 'id > @T@_min(''2026-01-01Z'')');
SELECT * FROM proven('id <@ @T@_range(NULL, ''2026-01-02Z'')',
	'id < @T@_min(''2026-01-02Z'')', 'id <= @T@_min(''2026-01-02Z'')');
SELECT * FROM proven('id >= @T@_min(''2026-01-02Z'') AND id < @T@_min(''2026-01-03Z'')',
	'id <@ @R@', 'id <@ @T@_range(''2026-01-02 06:00Z'', ''2026-01-02 07:00Z'')');
-- what the planner cannot prove, as it does not know that nothing lies between two ids
SELECT * FROM proven('id BETWEEN lower(@R@) AND upper(@R@)', 'id <@ @R@',
	'id BETWEEN lower(@R@) AND upper(@R@)',
	'id <@ @T@_range(''2026-01-02 06:00Z'', ''2026-01-02 07:00Z'')');
CALL for_all('CREATE UNIQUE INDEX @T@_within ON @T@_plain (v) WHERE id <@ @R@');
SELECT * FROM for_types($$SELECT string_agg((err(expand('INSERT INTO @T@_plain VALUES (NULL, 1)
		ON CONFLICT (v) WHERE ' || condition || ' DO NOTHING', '@T@')) LIKE 'no error%')::text, ' ')
	FROM unnest(ARRAY['id <@ @R@',
		'id >= @T@_min(''2026-01-02Z'') AND id < @T@_min(''2026-01-03Z'')',
		'id BETWEEN lower(@R@) AND upper(@R@)']) condition$$);
CALL for_all('DROP INDEX @T@_within');
-- NOT leaves out the partition that is all of the window
SELECT plans('SELECT * FROM @T@_parts WHERE NOT id <@ @R@');

-- a table that is no heap understands comparisons only
CREATE ACCESS METHOD regress_idtypes_heap TYPE TABLE HANDLER heap_tableam_handler;
CALL for_all($$
	CREATE TABLE @T@_other (id @T@, v int) USING regress_idtypes_heap;
	INSERT INTO @T@_other SELECT * FROM @T@_plain;
	ANALYZE @T@_other;
$$);
SELECT plans('SELECT * FROM @T@_other WHERE id <@ @R@');
SELECT plans('SELECT * FROM @T@_other WHERE id <@ @T@_range(a_day(1))');

-- several windows: an array is searched row by row; as a multirange it has no two that overlap, and
-- is joined
SELECT plans('SELECT * FROM @T@_plain WHERE id <@ ANY (ARRAY[@R@, @R@])');
SELECT plans('SELECT * FROM unnest(@T@multirange(VARIADIC ARRAY[@R@, @R@])) w
	JOIN @T@_plain ON id <@ w');

-- ids beside instants: constants, expressions, dates, either side first, both bounds, under NOT
SELECT plans('SELECT * FROM @T@_plain WHERE id >= timestamptz ''2026-01-04 00:00Z''');
SELECT plans('SELECT * FROM @T@_plain
	WHERE id BETWEEN timestamptz ''2026-01-02Z'' AND timestamptz ''2026-01-02 12:00Z''');
SELECT plans('SELECT * FROM @T@_plain WHERE NOT id < timestamptz ''2026-01-04 00:00Z''');
SELECT plans('SELECT * FROM @T@_plain WHERE id > now() - interval ''1 hour''');
SELECT plans('SELECT * FROM @T@_plain WHERE now() - interval ''1 hour'' < id');
SELECT plans('SELECT * FROM @T@_plain WHERE NOT (id <= now() - interval ''1 hour'')');
SELECT plans('SELECT * FROM @T@_plain WHERE id > now() - interval ''1 hour'' AND now() >= id');
SELECT plans('SELECT * FROM @T@_plain WHERE id >= date ''2026-01-04''');
SELECT plans('SELECT * FROM @T@_plain WHERE id < timestamp ''2026-01-01 10:00''');
SELECT plans('SELECT * FROM @T@_plain WHERE @T@_timestamptz_lt(now(), id)');
-- what is beyond the time of the type, or of the server: none, and all
SELECT plans('SELECT * FROM @T@_plain WHERE id > timestamptz ''infinity''');
SELECT plans('SELECT * FROM @T@_plain WHERE id > timestamptz ''-infinity''');
-- parameters, a sub-select, joins
CALL for_all($$
	CREATE TABLE @T@_moments (k int, t timestamptz);
	INSERT INTO @T@_moments VALUES (1, '2026-01-02Z'), (2, '2026-01-03Z'), (3, NULL),
		(4, 'infinity'), (5, '-infinity');
	ANALYZE @T@_moments;
	PREPARE @T@_since(timestamptz) AS SELECT id FROM @T@_plain WHERE id >= $1;
	PREPARE @T@_cast AS SELECT id FROM @T@_plain WHERE id >= $1::timestamptz;
$$);
SELECT plans('EXECUTE @T@_since(''2026-01-04Z'')');
SELECT plans('EXECUTE @T@_cast(''2026-01-04Z'')');
SELECT plans('SELECT * FROM @T@_plain WHERE id >= (SELECT t FROM @T@_moments WHERE k = 1)');
SELECT plans('SELECT * FROM @T@_moments m JOIN @T@_plain p ON p.id < m.t');
SELECT plans('SELECT * FROM @T@_moments m, LATERAL (SELECT id FROM @T@_plain p WHERE p.id >= m.t
	ORDER BY id LIMIT 1) first');
-- row-level security and security barriers, with ^@ too
CALL for_all($$
	CREATE VIEW @T@_barrier WITH (security_barrier) AS SELECT id, v FROM @T@_plain WHERE v % 2 = 0;
	CREATE TABLE @T@_secret_parts (id @T@, v int, n bigint) PARTITION BY RANGE (id);
	CREATE TABLE @T@_secret_part PARTITION OF @T@_secret_parts DEFAULT;
	INSERT INTO @T@_secret_parts TABLE @T@_secret;
	UPDATE @T@_secret_parts SET n = v;
	CREATE INDEX ON @T@_secret_parts (id);
	CREATE INDEX ON @T@_secret_parts (n);
	ANALYZE @T@_secret_parts;
	ALTER TABLE @T@_secret_parts ENABLE ROW LEVEL SECURITY;
	CREATE POLICY even ON @T@_secret_parts USING (v % 2 = 0);
	GRANT SELECT ON @T@_barrier, @T@_moments, @T@_secret_parts TO regress_idtypes_reader;
	PREPARE @T@_secret_since(timestamptz) AS SELECT id FROM @T@_secret WHERE id >= $1;
	PREPARE @T@_secret_starts AS SELECT id FROM @T@_secret WHERE id ^@ $1;
$$);
SET ROLE regress_idtypes_reader;
SELECT plans('SELECT * FROM @T@_secret WHERE id > timestamptz ''2026-01-04Z''');
SELECT plans('SELECT * FROM @T@_secret WHERE id > now() - interval ''1 hour''');
SELECT plans('EXECUTE @T@_secret_since(''2026-01-04Z'')');
SELECT plans('SELECT * FROM @T@_secret WHERE id ^@ ''@P@''');
SELECT plans('EXECUTE @T@_secret_starts(''@P@'')');
SELECT plans('SELECT * FROM @T@_barrier WHERE id > now() - interval ''1 hour''');
SELECT plans('SELECT * FROM @T@_moments m JOIN @T@_secret s ON s.id >= m.t');
-- on partitions, too, where the server does so for a bigint: that of 18.6 does not
SELECT * FROM for_types($$SELECT count(*) FILTER (WHERE plan LIKE '%Index Cond%') <> 1
	FROM unnest('{s.id >= m.t, s.n >= m.k}'::text[]) c,
		plan_of('@T@', 'SELECT * FROM @T@_moments m JOIN @T@_secret_parts s ON ' || c) plan$$);
RESET ROLE;
-- partitions: chosen by constants when planning, and otherwise when executing
SELECT plans('SELECT * FROM @T@_parts WHERE id >= timestamptz ''2026-01-03Z''
	AND id < timestamptz ''2026-01-03 12:00Z''');
SELECT plans('SELECT * FROM @T@_parts WHERE NOT id >= timestamptz ''2026-01-02Z''');
SELECT plans('SELECT * FROM @T@_parts WHERE id > timestamptz ''infinity''');
CALL for_all('PREPARE @T@_parts_before(timestamptz) AS SELECT id FROM @T@_parts WHERE id < $1');
SELECT plans('EXECUTE @T@_parts_before(''2026-01-02Z'')');
SELECT scans('EXECUTE @T@_parts_before(''2026-01-02Z'')');
SELECT scans('SELECT * FROM @T@_parts WHERE id < date ''2026-01-02''');
-- under NOT, what is not known when planning leaves the partitions beside those that are wanted
SELECT scans('SELECT * FROM @T@_parts WHERE NOT id >= date ''2026-01-02''');
SELECT scans('SELECT * FROM @T@_moments m JOIN @T@_parts p ON p.id < m.t AND m.k = 1');
SELECT plans('SELECT * FROM @T@_checked WHERE id < timestamptz ''2026-01-01Z''');
SELECT plans('SELECT * FROM @T@_other WHERE id >= timestamptz ''2026-01-04Z''');
SELECT plans('SELECT * FROM @T@_other WHERE id >= date ''2026-01-04''');
-- partial indexes, and unique ones in ON CONFLICT: proven by what is known when planning
SELECT * FROM proven('id >= timestamptz ''2026-01-02Z''', 'id >= timestamptz ''2026-01-02Z''',
	'id > timestamptz ''2026-01-02Z''', 'timestamptz ''2026-01-03Z'' < id', 'id <@ @R@',
	'id >= @T@_min(''2026-01-02Z'')', 'NOT id < timestamptz ''2026-01-02Z''',
	'id BETWEEN timestamptz ''2026-01-02Z'' AND now()', 'id >= timestamptz ''2026-01-01Z''',
	'id >= date ''2026-01-03''', 'id > now()');
SELECT * FROM proven('id <@ @R@',
	'id >= timestamptz ''2026-01-02Z'' AND id < timestamptz ''2026-01-03Z''',
	'id >= timestamptz ''2026-01-02Z'' AND id <= timestamptz ''2026-01-03Z''');
SELECT * FROM proven('id ^@ ''@P@''', 'id ^@ ''@P@''', 'id <@ @T@_prefix(''@P@'')',
	'id ^@ left(''@P@'', -1)');
CALL for_all('CREATE UNIQUE INDEX @T@_within ON @T@_plain (v)
	WHERE id >= timestamptz ''2026-01-02Z''');
SELECT * FROM for_types($$SELECT string_agg((err(expand('INSERT INTO @T@_plain VALUES (NULL, 1)
		ON CONFLICT (v) WHERE ' || condition || ' DO NOTHING', '@T@')) LIKE 'no error%')::text, ' ')
	FROM unnest(ARRAY['id >= timestamptz ''2026-01-02Z''', 'id > timestamptz ''2026-01-02Z''',
		'id >= @T@_min(''2026-01-02Z'')', 'id >= timestamptz ''2026-01-01Z''']) condition$$);
CALL for_all('DROP INDEX @T@_within');
-- BRIN
SET enable_bitmapscan = on;
SELECT plans('SELECT * FROM @T@_brin WHERE id >= timestamptz ''2026-01-04Z''');
SELECT plans('SELECT * FROM @T@_brin WHERE id > now() - interval ''1 hour''');
SELECT plans('SELECT * FROM @T@_brin WHERE id ^@ ''@P@''');
SELECT plans('SELECT * FROM @T@_moments m JOIN @T@_brin b ON b.id >= m.t');
SET enable_bitmapscan = off;
-- what no index serves: arrays
SELECT plans('SELECT * FROM @T@_plain WHERE id > ANY (ARRAY[now(), ''2026-01-04Z''])');
SELECT plans('SELECT * FROM @T@_plain WHERE id ^@ ANY (ARRAY[''7'', ''66''])');
-- text that is not a prefix; the parameter of a search box
SELECT plans('SELECT * FROM @T@_plain WHERE id ^@ ''5!''');
CALL for_all('PREPARE @T@_search (text) AS
	SELECT id FROM @T@_plain WHERE id <@ @T@_try_prefix($1)');
SELECT plans('EXECUTE @T@_search(NULL)');
-- the rows of more queries, among them those of ranges of one id
SELECT * FROM for_types($$SELECT string_agg(coalesce(noted(expand(q, '@T@')), 'right'), ', ')
	FROM unnest(ARRAY['SELECT * FROM @T@_plain WHERE id <@ @T@_try_prefix(''@P@'')',
		'SELECT * FROM @T@_parts WHERE id ^@ ''@P@''',
		'SELECT * FROM @T@_moments m JOIN @T@_parts p ON p.id < m.t',
		'SELECT * FROM @T@_plain WHERE id <@
			(SELECT @T@range(id, id, ''[]'') FROM @T@_plain WHERE v = 77)',
		'SELECT * FROM @T@_plain q, @T@_parts p
			WHERE q.v BETWEEN 77 AND 90 AND p.id <@ @T@range(q.id, q.id, ''[]'')']) q$$);
-- a prefix by ^@ is planned as one by <@
SELECT * FROM for_types($$SELECT bool_and(plan_of('@T@', expand(form, '@T@'))
		= plan_of('@T@', regexp_replace(expand(form, '@T@'), '\^@ (p|''.*'')',
			'<@ @T@_prefix(\1)')))
	FROM unnest(ARRAY['SELECT * FROM @T@_plain WHERE id ^@ ''@P@''',
		'SELECT * FROM @T@_plain WHERE NOT id ^@ ''@P@''',
		'SELECT * FROM @T@_plain WHERE id ^@ ''''',
		'SELECT * FROM @T@_parts WHERE id ^@ ''@P@''',
		'SELECT * FROM (SELECT k::text FROM @T@_windows) v (p) JOIN @T@_plain ON id ^@ p',
		'SELECT * FROM (SELECT k::text FROM @T@_windows) v (p) JOIN @T@_parts ON id ^@ p'])
		form$$);

DROP SCHEMA idplans, brute CASCADE;
DROP ACCESS METHOD regress_idtypes_heap;
DROP ROLE regress_idtypes_reader;
