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
INSERT INTO statements (q) VALUES
	('SELECT * FROM t WHERE during @> $1'),
	('SELECT * FROM t WHERE $1 <@ during'),
	('SELECT * FROM t WHERE during @> ''[2026-01-01,2026-02-01)'''),
	('SELECT * FROM t WHERE during @> ''2026-01-01'''),
	('SELECT * FROM t WHERE during @> ''2026-01-01''::timestamptz'),
	('SELECT * FROM t WHERE during && $1'),
	('SELECT * FROM t WHERE during <@ $1'),
	('SELECT * FROM t WHERE during <@ ''[2026-01-01,2026-02-01)'''),
	('SELECT * FROM t WHERE during = $1'),
	('SELECT * FROM t WHERE ts <@ $1'),
	('SELECT * FROM t WHERE ts <@ ''[2026-01-01,2026-02-01)'''),
	('SELECT * FROM t WHERE ts <@ tstzrange($1, $2)'),
	('SELECT * FROM t WHERE ts <@ during'),
	('SELECT * FROM t WHERE $1 @> ts'),
	('SELECT * FROM t WHERE ''[2026-01-01,2026-02-01)'' @> ts'),
	('SELECT * FROM t WHERE ts <@ tm'),
	('SELECT * FROM t WHERE tm @> $1'),
	('SELECT * FROM t WHERE b <@ $1'),
	('SELECT * FROM t WHERE b <@ ''[1,2]'''),
	('SELECT * FROM t WHERE b <@ br'),
	('SELECT * FROM t WHERE br @> $1'),
	('SELECT * FROM t WHERE br @> 1::bigint'),
	('SELECT * FROM t WHERE br @> 1'),
	('SELECT * FROM t WHERE 1 <@ ir'),
	('SELECT * FROM t WHERE i <@ ir'),
	('SELECT * FROM t WHERE im @> $1'),
	('SELECT * FROM t WHERE n <@ nr'),
	('SELECT * FROM t WHERE n <@ $1'),
	('SELECT * FROM t WHERE dr @> $1'),
	('SELECT * FROM t WHERE dr @> ''2026-01-01'''),
	('SELECT 1 <@ ''[1,2]'''),
	('SELECT ''1'' <@ ''[1,2]'''),
	('SELECT $1 <@ $2'),
	('SELECT $1 @> $2'),
	('SELECT $1 && $2'),
	('SELECT NULL <@ NULL'),
	('SELECT ''[1,2]'' @> 1'),
	('SELECT int4range(1, 2) @> ''1'''),
	('SELECT * FROM t WHERE ia @> $1'),
	('SELECT * FROM t WHERE ia <@ ''{1,2}'''),
	('SELECT * FROM t WHERE ta <@ $1'),
	('SELECT * FROM t WHERE tsa <@ $1'),
	('SELECT * FROM t WHERE ''{a}'' <@ ta'),
	('SELECT * FROM t WHERE j @> $1'),
	('SELECT * FROM t WHERE j <@ ''{"a": 1}'''),
	('SELECT * FROM t WHERE ''{"a": 1}'' <@ j'),
	('SELECT * FROM t WHERE box @> $1'),
	('SELECT * FROM t WHERE p <@ $1'),
	('SELECT * FROM t WHERE p <@ ''((0,0),(1,1))'''),
	('SELECT * FROM t WHERE q <@ $1'),
	('SELECT * FROM t WHERE b = $1'),
	('SELECT * FROM t WHERE b > ''7'''),
	('SELECT * FROM t WHERE b BETWEEN $1 AND $2'),
	('SELECT * FROM t WHERE ts >= $1'),
	('SELECT * FROM t WHERE txt = $1'),
	('SELECT * FROM t WHERE u = $1'),
	('SELECT * FROM t WHERE by < $1'),
	('SELECT ''a'' = ''b'''),
	('SELECT $1 = $2'),
	('SELECT $1 < ''a'''),
	('SELECT min($1)'),
	('SELECT max(b), min(ts), max(txt) FROM t'),
	('SELECT greatest(''a'', $1), coalesce($1, ''x'')'),
	('SELECT b::text, ts::text, n::bigint, b::numeric, by::text FROM t'),
	('SELECT * FROM t ORDER BY b, u, ts'),
	('SELECT DISTINCT u, b FROM t'),
	('SELECT lower($1), upper(''[1,2]'')'),
	('SELECT 1 UNION SELECT ''2'''),
	('INSERT INTO t (b, ts, during, u) VALUES ($1, $2, $3, $4)'),
	('INSERT INTO t (b, ts, n) VALUES (''1'', ''2026-01-01'', 1::bigint)'),
	('UPDATE t SET during = during * $1 WHERE during @> now()'),
	('DELETE FROM t WHERE during << $1');

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
CREATE TABLE before AS SELECT n, q, understood(q) AS plan FROM statements;
CREATE EXTENSION idtypes;
CREATE TABLE after AS SELECT n, q, understood(q) AS plan FROM statements;

-- what has changed: nothing
SELECT q, b.plan AS before, a.plan AS after
	FROM before b FULL JOIN after a USING (n, q)
	WHERE b.plan IS DISTINCT FROM a.plan ORDER BY n;
-- that was no comparison of nothing
SELECT count(*) AS statements, count(*) FILTER (WHERE plan LIKE '%Index%') > 10 AS many_by_index,
	count(*) FILTER (WHERE plan ~ '^[0-9A-Z]{5} ') BETWEEN 1 AND 30 AS some_are_errors
	FROM after;
SELECT q, split_part(plan, chr(10), 1) AS first_line, substring(plan FROM 'Index Cond: [^\n]*')
	FROM after WHERE n IN (1, 3, 8, 10) ORDER BY n;

-- the operators that the extension adds take its own types only
SELECT o.oid::regoperator FROM pg_operator o JOIN pg_depend d
	ON d.classid = 'pg_operator'::regclass AND d.objid = o.oid AND d.deptype = 'e'
	JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'idtypes'
	WHERE NOT EXISTS (SELECT FROM pg_depend td WHERE td.classid = 'pg_type'::regclass
			AND td.objid = o.oprleft AND td.deptype = 'e' AND td.refobjid = e.oid)
		OR NOT EXISTS (SELECT FROM pg_depend td WHERE td.classid = 'pg_type'::regclass
			AND td.objid = o.oprright AND td.deptype = 'e' AND td.refobjid = e.oid);
-- and no cast applies without being asked for
SELECT c.castsource::regtype, c.casttarget::regtype FROM pg_cast c JOIN pg_depend d
	ON d.classid = 'pg_cast'::regclass AND d.objid = c.oid AND d.deptype = 'e'
	WHERE c.castcontext <> 'e';

\c :home
DROP DATABASE regress_idtypes_foreign;
