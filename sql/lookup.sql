--
-- Objects that other people made, with names that the planner code looks up: it takes none of them,
-- and of a type that is not the extension's it knows nothing.  The suite asan tries many more.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
CREATE SCHEMA idlookup;
SET search_path = idlookup, public;
\pset format unaligned
\pset tuples_only on

-- An enum with a range type and a helper whose result is no range.  This crashed the server.
CREATE TYPE mood AS ENUM ('a', 'b');
CREATE TYPE moodrange AS RANGE (SUBTYPE = mood);
CREATE FUNCTION mood_range_lt(timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS
	'SELECT 4711::bigint';
CREATE FUNCTION lt(mood, timestamptz) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN RETURN true; END';
CREATE OPERATOR < (LEFTARG = mood, RIGHTARG = timestamptz, FUNCTION = lt, RESTRICT = idtypes_sel,
	JOIN = idtypes_joinsel);
CREATE TABLE moods AS SELECT 'a'::mood AS m FROM generate_series(1, 300);
ANALYZE moods;
SELECT explained($$SELECT * FROM moods WHERE m < '2026-01-01Z'::timestamptz$$)
	#> '{Plan,Plan Rows}' AS a_third;
SELECT explained($$SELECT * FROM moods a JOIN moods b ON a.m < now() + b.m::text::interval$$)
	#> '{Plan,Plan Rows}' AS a_third;
-- With a helper that fits, it is the server's default all the same.
DROP FUNCTION mood_range_lt;
CREATE FUNCTION mood_range_lt(timestamptz) RETURNS moodrange LANGUAGE sql IMMUTABLE STRICT AS
	$$SELECT 'empty'::moodrange$$;
SELECT explained($$SELECT * FROM moods WHERE m < '2026-01-01Z'::timestamptz$$)
	#> '{Plan,Plan Rows}' AS a_third;

-- Helpers of uid11 that are not the extension's, or not as it made them.
CREATE TABLE ids (id uid11);
INSERT INTO ids SELECT uid11_make('2026-01-01Z'::timestamptz + n * interval '1 s', 0)
	FROM generate_series(1, 300) n;
CREATE INDEX ON ids (id);
ANALYZE ids;
SET enable_seqscan = off;
-- True if the plan has an index condition, which only comparisons make.
CREATE FUNCTION has_condition(clause text) RETURNS boolean LANGUAGE sql AS $$
	SELECT explained('SELECT id FROM ids WHERE ' || clause)::text LIKE '%"Index Cond"%'
$$;
-- What becomes of both kinds of conditions, and how many rows they give, after the change of a
-- helper, which is undone.
CREATE FUNCTION changed(change text) RETURNS text LANGUAGE plpgsql AS $body$
DECLARE
	instant text := $$id < '2026-01-01 00:00:10Z'::timestamptz$$;
	range text := $$id <@ (SELECT uid11_range('2026-01-01Z', '2026-01-01 00:00:10Z'))$$;
	result text;
	rows text;
BEGIN
	BEGIN
		SET search_path = public, idlookup;
		EXECUTE change;
		EXECUTE format('SELECT concat_ws(%L, (SELECT count(*) FROM ids WHERE %s),
			(SELECT count(*) FROM ids WHERE %s))', ', ', instant, range) INTO rows;
		SELECT string_agg(kind, ', ') INTO result
			FROM (VALUES ('instant', instant), ('range', range)) v (kind, clause)
			WHERE has_condition(clause);
		RAISE SQLSTATE 'RB000';
	EXCEPTION WHEN SQLSTATE 'RB000' THEN
		RETURN concat_ws(', ', rows, coalesce(result, 'none'));
	END;
END
$body$;
SELECT changed('') AS unchanged;
-- another function of the name, made a member of the extension
SELECT what || ': ' || changed($$
	ALTER EXTENSION idtypes DROP FUNCTION uid11_range_lt(timestamptz);
	ALTER FUNCTION uid11_range_lt(timestamptz) RENAME TO genuine;
	CREATE FUNCTION uid11_range_lt(timestamptz) RETURNS $$ || what || $$;
	ALTER EXTENSION idtypes ADD FUNCTION uid11_range_lt(timestamptz)$$)
FROM unnest(ARRAY[
	$$uid11range LANGUAGE sql IMMUTABLE STRICT AS 'SELECT NULL::public.uid11range'$$,
	$$bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT 4711::bigint'$$,
	$$SETOF uid11range AS '$libdir/idtypes', 'uid11_range_lt' LANGUAGE C IMMUTABLE STRICT$$,
	$$uid11 AS '$libdir/idtypes', 'uid11_min' LANGUAGE C IMMUTABLE STRICT$$,
	$$int8range AS '$libdir/idtypes', 'uid11_range_lt' LANGUAGE C IMMUTABLE STRICT$$,
	$$uid11range AS '$libdir/idtypes', 'uid11_range_lt' LANGUAGE C STABLE STRICT$$,
	$$uid11range AS '$libdir/idtypes', 'uid11_range_lt' LANGUAGE C IMMUTABLE$$,
	$$uid11range AS '$libdir/idtypes', 'uid11_range_lt' LANGUAGE C IMMUTABLE STRICT$$]) what;
-- the extension's own, but no member: only a change of the function itself is noticed at once
SELECT 'no member: ' || changed($$
	ALTER EXTENSION idtypes DROP FUNCTION uid11_range_last(uid11range);
	ALTER FUNCTION uid11_range_last(uid11range) COST 2$$);
-- the range type under another name
SELECT 'renamed range: ' || changed('ALTER TYPE uid11range RENAME TO uid11_range');
-- no function that reads a prefix without an error, as in SQL objects of an older library
BEGIN;
ALTER EXTENSION idtypes DROP FUNCTION uid11_try_prefix(text);
DROP FUNCTION uid11_try_prefix(text);
SELECT condition, explained('SELECT FROM ids WHERE ' || condition) #> '{Plan,Plan Rows}' AS default,
		outcome('SELECT count(*) FROM ids WHERE ' || condition) AS rows
	FROM unnest(ARRAY[$$id ^@ ''$$, $$id ^@ ANY ('{""}')$$, $$id ^@ ALL ('{""}')$$]) condition;
ROLLBACK;
-- back as they were
SELECT changed('') AS unchanged;

-- Support functions of ours at functions that they do not fit.
CREATE FUNCTION says_text(uid11, uid11range) RETURNS text LANGUAGE plpgsql IMMUTABLE
	SUPPORT uid11_contained_support AS $$BEGIN RETURN 'text'; END$$;
CREATE FUNCTION says_text(uid11, timestamptz) RETURNS text LANGUAGE plpgsql IMMUTABLE
	SUPPORT idtypes_lt_support AS $$BEGIN RETURN 'text'; END$$;
CREATE FUNCTION foreign_args(int, int8) RETURNS boolean LANGUAGE plpgsql IMMUTABLE
	SUPPORT uid11_contained_support AS $$BEGIN RETURN true; END$$;
CREATE FUNCTION foreign_args(text, int4range) RETURNS boolean LANGUAGE plpgsql IMMUTABLE
	SUPPORT uid11_contained_support AS $$BEGIN RETURN true; END$$;
CREATE TABLE others AS SELECT 1 AS i, int4range(1, 5) AS r;
CREATE INDEX ON others USING gist (r);
SELECT DISTINCT says_text(id, '(,)'::uid11range), says_text(id, '2026-01-01Z'::timestamptz)
	FROM ids;
SELECT foreign_args(i, 5::int8), foreign_args('x', r) FROM others
	WHERE foreign_args('x', r) AND foreign_args(i, 5::int8);

SET client_min_messages = error;
DROP SCHEMA idlookup CASCADE;
