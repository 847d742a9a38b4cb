--
-- idtypes_uuid, on columns of the server's type uuid.  test/oracle/compare.py compares its values.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
CREATE SCHEMA iduuid;
CREATE EXTENSION idtypes_uuid SCHEMA iduuid;
SET search_path = iduuid, public;
SET max_parallel_workers_per_gather = 0;

-- all that is frozen
SELECT kind, replace(identity, 'iduuid.', '') AS object, concat_ws(' ', provolatile, proparallel,
		CASE WHEN proisstrict THEN 'strict' END, CASE WHEN proleakproof THEN 'leakproof' END) AS is,
	obj_description(d.objid, d.classid::regclass::name) IS NULL AS has_no_comment
FROM pg_extension e JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass
		AND d.refobjid = e.oid AND d.deptype = 'e'
	LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid,
	pg_identify_object(d.classid, d.objid, 0) i (kind)
WHERE e.extname = 'idtypes_uuid' AND kind <> 'cast'
	AND identity !~ '\[\]$'	-- array types, which are members from 17 on
ORDER BY kind, identity COLLATE "C";
SELECT extowner::regrole = current_user::regrole AS mine, extrelocatable FROM pg_extension
	WHERE extname = 'idtypes_uuid';

-- errors
SELECT errors('uuid_prefix(%L)', '017f22e', '017f-', '017f22e2--', '017F22Eg', '2026-01-01',
	repeat('f', 33), U&'\00e9', ' 01');
SELECT uuid_try_prefix('017f-'), uuid_prefix('017F22E279B0-7');
SELECT errors('uuid7_min(%L)', 'infinity', '1969-12-31 23:59:59.999Z', '10889-08-02 05:31:50.656Z');
SELECT errors('uuid7_range(%s)', $$'2026-01-02', '2026-01-01'$$, $$NULL, NULL, '{}'$$,
	$$NULL, NULL, NULL$$, $$'[2026-01-02,2026-01-01)'$$);
SELECT errors('uuid7_within(NULL, %s)', $$'2026-01-02', '2026-01-01'$$);

-- Ids whose number a bigint has, too, ever fewer in 100 days, of a millisecond each; every tenth
-- row more is of version 4.
CREATE TABLE ids AS SELECT (left(uuid7_min(ts)::text, 14) || '7' || right(rest, 21))::uuid AS id,
		(extract(epoch FROM ts) * 1000)::bigint AS number, ts, i
	FROM generate_series(1, 30000) i,
		LATERAL (SELECT date_trunc('ms', '2026-01-01Z'::timestamptz + (100 * 86400
			* (1 - power(1 - i / 30001.0, 0.7))) * interval '1 s'),
			overlay(md5(i::text)::uuid::text PLACING 'a' FROM 20)) v (ts, rest);
ALTER TABLE ids ADD PRIMARY KEY (id);
CREATE INDEX ON ids (number);
CREATE TABLE mixed AS SELECT id, ts FROM ids UNION ALL
	SELECT overlay(overlay(md5('x' || i)::uuid::text PLACING '4' FROM 15) PLACING '8'
		FROM 20)::uuid, NULL FROM generate_series(1, 3000) i;
ALTER TABLE mixed ADD PRIMARY KEY (id);
ANALYZE ids, mixed;
SELECT count(*), count(*) FILTER (WHERE uuid7_timestamp(id) = ts) AS v7,
	count(*) FILTER (WHERE uuid7_timestamp(id) IS NULL) AS v4 FROM mixed;

-- none of the others is ever within a time; with bare bounds many are
SELECT since, upto, (SELECT count(*) FROM mixed WHERE ts >= coalesce(since, '-infinity')
		AND ts < coalesce(upto, 'infinity')) AS rows,
	(SELECT count(*) FROM mixed WHERE uuid7_within(id, since, upto)) AS within,
	(SELECT count(*) FROM mixed WHERE id <@ uuid7_range(since, upto) AND ts IS NULL) > 0 AS bare
FROM (VALUES (NULL::timestamptz, NULL::timestamptz), (NULL, '2026-02-01Z'), ('2026-03-01Z', NULL),
	('2026-01-15Z', '2026-01-16Z'), ('-infinity', 'infinity'),
	('2027-01-01Z', '2028-01-01Z')) v (since, upto);
SELECT uuid7_within(NULL, NULL, NULL) AS null_is_not,
	uuid7_within('017F22E2-79B0-7CC3-98C4-DC0C0C07398F', '2022-02-22 14:22:22-05', NULL) AS rfc;
BEGIN;
DELETE FROM mixed WHERE uuid7_within(id, NULL, '2026-12-31Z');
SELECT count(*), min((ts IS NULL)::int) AS only_v4 FROM mixed;
ROLLBACK;

-- estimates: as those of bigint, at 30 places, of constants, what is stable, and parameters
CREATE FUNCTION estimated(q text) RETURNS float8 LANGUAGE sql AS
	$$ SELECT (explained(q)->'Plan'->>'Plan Rows')::float8 $$;
PREPARE w (timestamptz, timestamptz) AS SELECT * FROM ids WHERE id <@ uuid7_range($1, $2);
PREPARE v (timestamptz, timestamptz) AS SELECT * FROM ids WHERE uuid7_within(id, $1, $2);
SET plan_cache_mode = force_custom_plan;
SELECT way, count(*), array_agg(DISTINCT concat(since, ' ', length, ': ', guess, ' for ', bigint))
	FILTER (WHERE guess NOT BETWEEN 0.98 * bigint - 1 AND 1.02 * bigint + 2) AS other
FROM (SELECT '2026-01-01Z'::timestamptz + o AS since, length
		FROM unnest(ARRAY['3 days 5 hours', '17 days 7 hours', '42 days', '77 days 1 hour',
				'99 days 12 hours', '120 days']::interval[]) o,
			unnest('{1 minute,1 hour,12 hours,3 days,20 days}'::interval[]) length) windows,
	estimated(format('SELECT * FROM ids WHERE number >= %s AND number < %s', 1000
		* extract(epoch FROM since)::bigint, 1000 * extract(epoch FROM since + length)::bigint))
		bigint,
	(VALUES ('constant', 'SELECT * FROM ids WHERE id <@ uuid7_range(%1$L, %2$L)'),
		('stable', 'SELECT * FROM ids
			WHERE id <@ uuid7_range(%1$L, %1$L::timestamptz + %3$L::interval)'),
		('parameter', 'EXECUTE w (%1$L, %2$L)'),
		('within', 'EXECUTE v (%1$L, %2$L)')) ways (way, q),
	estimated(format(q, since, since + length, length)) guess
GROUP BY way ORDER BY way;

-- plans: the index answers; where there is something to prove, comparisons replace the clause
SET enable_seqscan = off;
SET enable_bitmapscan = off;
CREATE TABLE windows AS SELECT since, uuid7_range(since, since + interval '1 hour') AS r
	FROM generate_series('2026-01-05Z'::timestamptz, '2026-02-05Z', '1 day') since;
CREATE TABLE parts (id uuid PRIMARY KEY, ts timestamptz) PARTITION BY RANGE (id);
DO $$
BEGIN
	FOR i IN 0 .. 3 LOOP
		EXECUTE format('CREATE TABLE part%s PARTITION OF parts FOR VALUES FROM (%L) TO (%L)', i,
			uuid7_min('2026-01-01Z'::timestamptz + i * interval '30 days'),
			uuid7_min('2026-01-31Z'::timestamptz + i * interval '30 days'));
	END LOOP;
END
$$;
INSERT INTO parts SELECT id, ts FROM ids;
CREATE TABLE partial AS TABLE ids;
CREATE INDEX january ON partial (number) WHERE id <@ uuid7_range('2026-01-01Z', '2026-02-01Z');
CREATE INDEX few ON ids (number) WHERE i < 10;
ANALYZE windows, parts, partial;
CREATE FUNCTION shown(q text) RETURNS text LANGUAGE sql AS
	$$ SELECT regexp_replace(replace(plan_of('uuid', q), 'idT.', ''), '\mT(?=\d|_|range|\M)',
		'uuid', 'g') $$;
\pset format unaligned
\pset tuples_only on
SET plan_cache_mode = force_generic_plan;
PREPARE p (timestamptz, timestamptz) AS SELECT * FROM parts WHERE id <@ uuid7_range($1, $2);
SELECT q || chr(10) || shown(q) || chr(10)
FROM unnest(ARRAY[
	'SELECT * FROM ids WHERE id <@ uuid7_range(''2026-02-01Z'', ''2026-02-02Z'')',
	'SELECT * FROM ids WHERE uuid7_within(id, ''2026-02-01Z'', ''2026-02-02Z'')',
	'SELECT * FROM ids WHERE uuid7_within(id, now() - interval ''1 day'', NULL)',
	'SELECT * FROM ids WHERE id <@ uuid_prefix(''019c1'')',
	'SELECT * FROM ids WHERE id <@ uuid7_range(NULL, ''2026-02-01Z'')',
	'SELECT * FROM ids WHERE id <@ uuid7_range(NULL, NULL)',
	'SELECT * FROM ids WHERE id <@ ''empty''',
	'EXECUTE v (''2026-02-01Z'', ''2026-02-02Z'')',
	'SELECT * FROM windows JOIN ids ON id <@ r',
	'SELECT * FROM windows JOIN ids ON uuid7_within(id, since, since + interval ''1 hour'')',
	'SELECT * FROM parts WHERE uuid7_within(id, ''2026-02-01Z'', ''2026-02-02Z'')',
	'EXECUTE p (''2026-02-01Z'', ''2026-02-02Z'')',
	'SELECT * FROM partial WHERE number > 0 AND id <@ uuid7_range(''2026-01-03Z'', ''2026-01-04Z'')'
	]) q;
-- of partitions, the estimates are the server's; a join with ranges has the rows of those
SELECT explained('EXECUTE p (''2026-02-01Z'', ''2026-02-02Z'')')->'Plan'->'Subplans Removed';
SELECT (SELECT count(*) FROM windows JOIN ids ON id <@ r) AS rows,
	estimated('SELECT * FROM windows JOIN ids ON id <@ r') AS estimate;
-- where constraints are to exclude tables
BEGIN;
ALTER TABLE partial ADD CHECK (id <@ uuid7_range('2026-01-01Z', '2027-01-01Z'));
SET LOCAL constraint_exclusion = on;
SELECT shown('SELECT * FROM partial WHERE id <@ uuid7_range(''2027-01-01Z'', NULL)');
ROLLBACK;
-- BRIN, and a policy: only what is leakproof goes below it
CREATE TABLE brin AS TABLE ids;
CREATE INDEX ON brin USING brin (id);
CREATE ROLE regress_idtypes_reader;
GRANT USAGE ON SCHEMA iduuid TO regress_idtypes_reader;
GRANT SELECT ON ids TO regress_idtypes_reader;
ALTER TABLE ids ENABLE ROW LEVEL SECURITY;
CREATE POLICY even ON ids USING (i % 2 = 0);
SET enable_bitmapscan = on;
SELECT shown('SELECT * FROM brin WHERE id <@ uuid7_range(''2026-02-01Z'', ''2026-02-02Z'')');
SET ROLE regress_idtypes_reader;
SELECT shown('SELECT * FROM ids WHERE uuid7_within(id, ''2026-02-01Z'', ''2026-02-02Z'')');
RESET ROLE;

-- Other people's objects of the names that the planner code looks up: none is taken.
CREATE FUNCTION changed(change text) RETURNS text LANGUAGE plpgsql AS $body$
DECLARE
	q text := $$SELECT * FROM brin
		WHERE id <@ (SELECT iduuid.uuid7_range('2026-01-03Z', '2026-01-03 12:00Z'))$$;
	rows int;
BEGIN
	EXECUTE change;
	EXECUTE 'SELECT count(*) FROM (' || q || ') s' INTO rows;
	RAISE SQLSTATE 'RB000' USING message = concat(rows, ' rows, ', CASE WHEN explained(q)::text
		LIKE '%"Index Cond"%' THEN 'by index' ELSE 'by all rows' END);
EXCEPTION WHEN SQLSTATE 'RB000' THEN
	RETURN SQLERRM;
END
$body$;
CREATE INDEX ON brin (id);
SELECT change || ': ' || changed(change)
FROM unnest(ARRAY['', 'ALTER EXTENSION idtypes_uuid DROP FUNCTION uuid_range_first(uuidrange);
	ALTER FUNCTION uuid_range_first(uuidrange) RENAME TO genuine;
	CREATE FUNCTION uuid_range_first(uuidrange) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT
		AS ''SELECT NULL::uuid'';
	ALTER EXTENSION idtypes_uuid ADD FUNCTION uuid_range_first(uuidrange)',
	'ALTER FUNCTION uuid_range_last(uuidrange) STABLE',
	'ALTER EXTENSION idtypes_uuid DROP TYPE uuidrange',
	'CREATE SCHEMA other; ALTER EXTENSION idtypes_uuid SET SCHEMA other;
	CREATE TYPE iduuid.uuidrange AS RANGE (SUBTYPE = uuid);
	SET LOCAL search_path = other, iduuid, public;
	CREATE FUNCTION iduuid.uuid7_range(timestamptz, timestamptz) RETURNS other.uuidrange
		LANGUAGE sql AS ''SELECT other.uuid7_range($1, $2, ''''[)'''')'''
	]) change;
-- a range over uuid of another name, with our estimator and support: the server's defaults
CREATE TYPE guids AS RANGE (SUBTYPE = uuid);
CREATE FUNCTION in_guids(uuid, guids) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT
	AS 'elem_contained_by_range' SUPPORT uuid_contained_support;
CREATE OPERATOR <@ (FUNCTION = in_guids, LEFTARG = uuid, RIGHTARG = guids,
	RESTRICT = idtypes_uuid_sel, JOIN = idtypes_uuid_joinsel);
SELECT shown('SELECT * FROM brin WHERE id <@ guids(uuid7_min(''2026-02-01Z''), NULL)');
SELECT estimated('SELECT * FROM brin a JOIN brin b ON a.id <@ guids(b.id, NULL)') > 0;

-- dropped with all it brought
DEALLOCATE ALL;
SET client_min_messages = error;
DROP SCHEMA iduuid CASCADE;
DROP ROLE regress_idtypes_reader;
SELECT count(*) FROM pg_proc WHERE proname LIKE 'uuid7%' OR proname LIKE '%idtypes_uuid%';
