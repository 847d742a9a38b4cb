--
-- Other people's SQL: statements with untyped literals and parameters resolve
-- and plan after CREATE EXTENSION as they did before.  This needs a database
-- without the extension.
--
SET client_min_messages = warning;
SELECT current_database() AS home \gset
CREATE DATABASE regress_idtypes_foreign TEMPLATE template0;
\c regress_idtypes_foreign
SET client_min_messages = warning;
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

CREATE TABLE t (
	i int, b bigint, n numeric, ts timestamptz, txt text, by bytea, u uuid,
	ir int4range, br int8range, nr numrange, during tstzrange, dr daterange,
	im int4multirange, tm tstzmultirange, ia int[], ta text[], tsa timestamptz[], j jsonb,
	box box, p point, ip inet, q tsquery);
CREATE INDEX ON t (b);
CREATE INDEX ON t (ts);
CREATE INDEX ON t USING gist (during);
CREATE INDEX ON t USING gist (br);
CREATE INDEX ON t USING gist (tm);
CREATE INDEX ON t USING gin (ia);
CREATE INDEX ON t USING gin (j);
SET enable_seqscan = off;
SET enable_bitmapscan = off;

CREATE TABLE statements (n int GENERATED ALWAYS AS IDENTITY, q text);
-- each column beside each literal, parameter and expression, on either side, and beside each other
CREATE TABLE operands AS SELECT attname::text AS operand, true AS is_column
	FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0
	UNION ALL SELECT unnest(ARRAY['$1', '$2', 'NULL', '1', '1::bigint', 'now()', '''2026-01-01''',
		'''[1,2]''', '''[2026-01-01,2026-02-01)''', '''{1,2}''', '''{"a": 1}''',
		'''((0,0),(1,1))''']), false;
INSERT INTO statements (q) SELECT format('SELECT * FROM t WHERE %s %s %s', a.operand, op, b.operand)
	FROM operands a, operands b, unnest('{<@,@>,&&}'::text[]) op
	WHERE op = '<@' OR NOT (a.is_column AND b.is_column);
COPY statements (q) FROM stdin;
SELECT * FROM t WHERE b = $1
SELECT * FROM t WHERE b > '7'
SELECT * FROM t WHERE b BETWEEN $1 AND $2
SELECT * FROM t WHERE ts >= $1
SELECT * FROM t WHERE txt = $1
SELECT * FROM t WHERE u = $1
SELECT * FROM t WHERE by < $1
SELECT 'a' = 'b'
SELECT $1 = $2
SELECT $1 < 'a'
SELECT min($1)
SELECT max(b), min(ts), max(txt) FROM t
SELECT greatest('a', $1), coalesce($1, 'x')
SELECT b::text, ts::text, n::bigint, b::numeric, by::text FROM t
SELECT * FROM t ORDER BY b, u, ts
SELECT DISTINCT u, b FROM t
SELECT lower($1), upper('[1,2]')
SELECT 1 UNION SELECT '2'
INSERT INTO t (b, ts, during, u) VALUES ($1, $2, $3, $4)
INSERT INTO t (b, ts, n) VALUES ('1', '2026-01-01', 1::bigint)
UPDATE t SET during = during * $1 WHERE during @> now()
DELETE FROM t WHERE during << $1
\.

-- Statements with strings of every kind, where a cast from text could change what is meant; also
-- those of contrib modules, as far as this server has them.
CREATE TABLE strings (
	text text, varchar varchar(30), bpchar char(10), name name, texts text[], varchars varchar[]);
CREATE DOMAIN email AS text CHECK (VALUE LIKE '%@%');
CREATE DOMAIN code AS varchar(8);
ALTER TABLE strings ADD email email, ADD code code;
DO $$
DECLARE
	extension text;
	type text;
BEGIN
	FOR extension, type IN SELECT e, t FROM (VALUES ('citext', 'citext'), ('ltree', 'ltree'),
			('isn', 'isbn13'), ('hstore', 'hstore')) v (e, t)
		JOIN pg_available_extensions a ON a.name = e ORDER BY e
	LOOP
		EXECUTE 'CREATE EXTENSION ' || extension;
		EXECUTE format('ALTER TABLE strings ADD %1$s %1$s', type);
	END LOOP;
END
$$;
-- users' own overloaded functions, which are resolved by the casts there are
CREATE FUNCTION over(text) RETURNS text LANGUAGE sql AS $$SELECT 'text'$$;
CREATE FUNCTION over(integer) RETURNS text LANGUAGE sql AS $$SELECT 'integer'$$;
CREATE FUNCTION over(timestamptz) RETURNS text LANGUAGE sql AS $$SELECT 'timestamptz'$$;
CREATE FUNCTION pair(anyelement, anyelement) RETURNS text LANGUAGE sql AS $$SELECT 'alike'$$;
CREATE FUNCTION pair(text, bigint) RETURNS text LANGUAGE sql AS $$SELECT 'text, bigint'$$;
CREATE FUNCTION pair(varchar, uuid) RETURNS text LANGUAGE sql AS $$SELECT 'varchar, uuid'$$;
CREATE FUNCTION listed(VARIADIC text[]) RETURNS text LANGUAGE sql AS $$SELECT 'listed'$$;
CREATE TEMP TABLE templates AS SELECT format('SELECT @C@ %s %s FROM strings', op, operand) AS q
	FROM unnest('{=,<>,<,>=,LIKE,<@,@>,||}'::text[]) op,
		unnest('{$1,''x'',text,ANY ($1),"ANY (''{a,b}'')"}'::text[]) operand;
COPY templates FROM stdin;
SELECT * FROM strings WHERE $1 = @C@
SELECT * FROM strings WHERE @C@ BETWEEN $1 AND $2
SELECT * FROM strings WHERE @C@ IN ($1, $2)
SELECT * FROM strings WHERE @C@ IS DISTINCT FROM $1
SELECT * FROM strings WHERE (@C@, text) < ($1, $2)
SELECT $1 || @C@ FROM strings
SELECT coalesce(@C@, $1) FROM strings
SELECT coalesce(@C@, 'x', text) FROM strings
SELECT greatest(@C@, $1), least(@C@, 'x') FROM strings
SELECT CASE @C@ WHEN $1 THEN 1 WHEN 'x' THEN 2 END FROM strings
SELECT ARRAY[@C@, $1] FROM strings
SELECT @C@ FROM strings UNION SELECT 'x'
SELECT min(@C@), max(@C@), count(DISTINCT @C@) FROM strings
SELECT length(@C@), lower(@C@), md5(@C@) FROM strings
SELECT over(@C@) FROM strings
SELECT pair(@C@, $1) FROM strings
SELECT pair(@C@, @C@) FROM strings
SELECT listed(@C@, $1, 'x') FROM strings
SELECT @C@::text, @C@::varchar, @C@::name FROM strings
SELECT @C@::uuid FROM strings
SELECT @C@::bigint FROM strings
SELECT * FROM strings a JOIN strings b USING (@C@)
SELECT * FROM strings a JOIN t ON a.@C@ = t.txt
SELECT * FROM strings a JOIN t ON a.@C@ = t.b
INSERT INTO strings (@C@) VALUES ($1)
INSERT INTO strings (@C@) SELECT text FROM strings
INSERT INTO t (txt) SELECT @C@ FROM strings
INSERT INTO t (u) SELECT @C@ FROM strings
INSERT INTO t (b) SELECT @C@ FROM strings
UPDATE strings SET @C@ = $1 WHERE @C@ = $2
\.
INSERT INTO statements (q) SELECT replace(q, '@C@', attname)
	FROM templates, pg_attribute WHERE attrelid = 'strings'::regclass AND attnum > 0;
COPY statements (q) FROM stdin;
SELECT over($1)
SELECT over(1::smallint)
SELECT pair($1, $2)
SELECT pair('x', 1)
SELECT $1::text = $2
SELECT 'x@y'::email = $1
SELECT NULL UNION SELECT 'x' UNION SELECT $1
SELECT * FROM (VALUES ('x'), ($1)) v (c) WHERE c = $2
SELECT '{x}'::text[] || $1
SELECT row(1, 'x') = row($1, $2)
\.

-- Statements with instants of every kind, and all that they can be compared with; and the server's
-- own "starts with".
CREATE TABLE moments (
	ts timestamptz, local timestamp, day date, time time, timetz timetz, span interval,
	number bigint, word text, guid uuid, bytes bytea, during tstzrange, many timestamptz[]);
CREATE INDEX ON moments (ts);
CREATE INDEX ON moments (day);
CREATE DOMAIN moment AS timestamptz;
ALTER TABLE moments ADD moment moment;
INSERT INTO statements (q) SELECT format('SELECT * FROM moments WHERE %s', format(form, a.attname,
		op, b.attname))
	FROM pg_attribute a, pg_attribute b, unnest('{<,<=,>=,>,=,^@}'::text[]) op,
		unnest(ARRAY['%s %s %s']) form
	WHERE a.attrelid = 'moments'::regclass AND a.attnum > 0 AND b.attrelid = a.attrelid
		AND b.attnum > 0;
INSERT INTO statements (q) SELECT 'SELECT * FROM moments WHERE ' || format(form, attname, op)
	FROM pg_attribute, unnest('{<,<=,>=,>,=,^@}'::text[]) op, unnest(ARRAY['%1$s %2$s $1',
		'$1 %2$s %1$s', '%1$s %2$s ''2026-01-01''', '''12:00'' %2$s %1$s',
		'%1$s %2$s now() - interval ''1 hour''', '%1$s %2$s $1::timestamptz',
		'now() - $1 %2$s %1$s', '%1$s %2$s date ''2026-01-01''', '%1$s %2$s current_date',
		'%1$s %2$s timestamp ''2026-01-01 12:00''', '%1$s %2$s $1::text', '%1$s %2$s NULL',
		'%1$s %2$s ANY ($1)', '%1$s %2$s ALL (many)', 'NOT %1$s %2$s ''2026-01-01''',
		'(%1$s, 1) %2$s ($1, $2)', '%1$s %2$s (SELECT ts FROM moments)']) form
	WHERE attrelid = 'moments'::regclass AND attnum > 0;
INSERT INTO statements (q) SELECT format('SELECT * FROM moments WHERE %s', format(form, attname))
	FROM pg_attribute, unnest(ARRAY['%s BETWEEN $1 AND $2', '%s BETWEEN now() AND ''2027-01-01''',
		'%s NOT BETWEEN SYMMETRIC $1 AND now()', '%s IN ($1, now())', 'greatest(%s, $1) > ts']) form
	WHERE attrelid = 'moments'::regclass AND attnum > 0;
INSERT INTO statements (q) SELECT format('SELECT %s', format(form, op))
	FROM unnest('{<,<=,>=,>,^@}'::text[]) op, unnest(ARRAY['$1 %s $2', '$1 %s ''a''', 'NULL %s $1',
		'''a'' %s ''b''', 'now() %s $1', '$1 %s now()', 'NULL %s now()', 'now() %s ''tomorrow''',
		'current_date %s $1', '''a''::name %s $1', '''a''::varchar %s ''b''',
		'$1::bpchar %s $2']) form;

-- How a statement is understood: types of its parameters and its plan, or its error.
CREATE FUNCTION understood(q text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	types regtype[];
	line text;
	result text;
BEGIN
	EXECUTE 'PREPARE s AS ' || q;
	SELECT parameter_types INTO types FROM pg_prepared_statements WHERE name = 's';
	result := types::text;
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE) EXECUTE s' || CASE WHEN types = '{}' THEN ''
			ELSE '(NULL' || repeat(', NULL', cardinality(types) - 1) || ')' END
	LOOP
		result := result || chr(10) || line;
	END LOOP;
	DEALLOCATE s;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;

SET plan_cache_mode = force_generic_plan;
CREATE FUNCTION understood_in_zones(q text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(understood(q), chr(10))
	FROM unnest('{Asia/Kolkata,UTC}'::text[]) zone, set_config('timezone', zone, true)
$$;
CREATE TABLE before AS SELECT n, q, understood_in_zones(q) AS plan FROM statements;
CREATE EXTENSION idtypes;
CREATE TABLE after AS SELECT n, q, understood_in_zones(q) AS plan FROM statements;

-- what has changed: nothing
SELECT q, b.plan AS before, a.plan AS after
	FROM before b FULL JOIN after a USING (n, q)
	WHERE b.plan IS DISTINCT FROM a.plan ORDER BY n;
-- that was no comparison of nothing
SELECT count(*) FILTER (WHERE plan !~ '^[0-9A-Z]{5} ') >= 1000 AS many_plans,
	count(*) FILTER (WHERE plan LIKE '%Index%') > 10 AS many_by_index,
	count(*) FILTER (WHERE plan ~ '^[0-9A-Z]{5} ') > 30 AS some_are_errors
	FROM after;
SELECT q, split_part(plan, chr(10), 1) AS first_line, substring(plan FROM 'Index Cond: [^\n]*')
	FROM after WHERE q IN ('SELECT * FROM t WHERE during @> $1', 'SELECT * FROM t WHERE ts <@ $1',
		'SELECT * FROM t WHERE during <@ ''[2026-01-01,2026-02-01)''') ORDER BY n;

-- with idtypes_uuid, only what was an error
CREATE EXTENSION idtypes_uuid;
CREATE TABLE beside AS SELECT n, q, understood_in_zones(q) AS plan FROM statements;
SELECT q, split_part(a.plan, chr(10), 1) AS was
	FROM after a FULL JOIN beside b USING (n, q)
	WHERE b.plan IS DISTINCT FROM a.plan ORDER BY n;

\c :home
DROP DATABASE regress_idtypes_foreign;
