-- demo.sql: what the types do, on real rows.
--
-- "./dev demo" runs it on a server of its own; by hand, in a new database:
--
--	psql -X -q -v rows=250000 -f tools/demo.sql

\set ON_ERROR_STOP on
\pset footer off
\pset pager off
SET client_min_messages = warning;
CREATE EXTENSION idtypes;

\echo '== 1. A table whose key knows when it was made\n'
\set ECHO queries
CREATE TABLE post (id uid11 PRIMARY KEY DEFAULT uid11_generate(), title text);
INSERT INTO post (title) VALUES ('Hello'), ('World') RETURNING id, title;
\echo '-- what was made in the last minute, and when?'
SELECT title, uid11_timestamp(id) AS made FROM post
WHERE id <@ uid11_range(now() - interval '1 minute', NULL);
\set ECHO none
SELECT left(max(id)::text, 5) AS prefix FROM post \gset
\set ECHO queries
\echo '-- look up by the beginning of an id'
SELECT * FROM post WHERE id <@ uid11_prefix(:'prefix');
\set ECHO none

-- The types, with the call that makes an id and the text that prefixes are of.
CREATE TABLE types AS
	SELECT t.oid::int AS number, typname::text AS t, typname || CASE typname
			WHEN 'siq' THEN '_generate(''example.org'', ''post'')' ELSE '_generate()' END AS call,
		CASE typname WHEN 'siq' THEN 'siq_hex(id)' ELSE 'id::text' END AS shown
	FROM pg_type t JOIN pg_depend d ON classid = 'pg_type'::regclass AND objid = t.oid
		JOIN pg_extension e ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid
	WHERE extname = 'idtypes' AND deptype = 'e' AND typtype = 'b' AND typelem = 0;

-- One query of those that a template gives for each type: %1$s is the type, %2$s the call, %3$s the
-- text for prefixes.
CREATE FUNCTION of_all(template text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(format(template, t, call, shown), ' UNION ALL ' ORDER BY number) FROM types
$$;

\echo '== 2. Five types, beside uuid\n'
SELECT of_all('SELECT ''%1$s'' AS type, length(id::bytea) AS bytes, id::text,
		%1$s_timestamp(id) AS "its own time" FROM (SELECT %2$s AS id) new')
	|| ' UNION ALL SELECT ''uuid'', 16, gen_random_uuid()::text, NULL' \gexec

\echo '== 3. Tables keyed by them, filled by their DEFAULT\n'
CREATE FUNCTION seconds(statement text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	began timestamptz := clock_timestamp();
BEGIN
	EXECUTE statement;
	RETURN extract(epoch FROM clock_timestamp() - began);
END
$$;
CREATE TABLE keys AS SELECT number, t, call FROM types
	UNION ALL VALUES ((SELECT max(number) FROM types) + 1, 'uuid', 'gen_random_uuid()');
SELECT format('CREATE TABLE by_%1$s (id %1$s PRIMARY KEY DEFAULT %2$s, n integer NOT NULL);
	CREATE TABLE by_%1$s_text (id text COLLATE "C" PRIMARY KEY, n integer NOT NULL)', t, call)
FROM keys \gexec
SELECT t AS key, :rows AS rows,
	round(seconds(format('INSERT INTO by_%s (n) SELECT generate_series(1, %s)', t, :rows)), 1)
		AS seconds,
	round(seconds(format('INSERT INTO by_%1$s_text SELECT id::text, n FROM by_%1$s ORDER BY n',
		t)), 1) AS "the same ids as text"
FROM keys ORDER BY number;
VACUUM ANALYZE;

\echo '== 4. Sorted by id is sorted by time\n'
SELECT of_all('SELECT ''%1$s'' AS type, count(*) AS rows,
		count(*) FILTER (WHERE ts < previous_ts) AS "time goes back",
		count(*) FILTER (WHERE n < previous_n) AS "not in order of insertion",
		to_char(min(ts), ''HH24:MI:SS.MS'') AS first, to_char(max(ts), ''HH24:MI:SS.MS'') AS last
	FROM (SELECT n, lag(n) OVER by_id AS previous_n, %1$s_timestamp(id) AS ts,
			lag(%1$s_timestamp(id)) OVER by_id AS previous_ts
		FROM by_%1$s WINDOW by_id AS (ORDER BY id)) sorted') \gexec
\echo 'The lower bits of a uid11 are random within its millisecond; the others count.\n'

\echo '== 5. Prefixes and time windows are index conditions\n'
\echo 'The text of a siq begins with its checksum.  So its prefixes are of its hexadecimal digits,'
\echo 'which begin with the time: siq_hex(id) shows them.\n'
-- The longest prefix of an id from the midst of a table that some dozens of rows or more share.
SELECT of_all(format('(SELECT ''%%1$s'' AS t, prefix FROM (SELECT %%3$s AS whole FROM by_%%1$s
			ORDER BY id OFFSET %s LIMIT 1) one, generate_series(1, length(whole)) length,
		LATERAL (SELECT left(whole, length) AS prefix) p, LATERAL (SELECT count(*) AS matches
			FROM by_%%1$s WHERE id <@ %%1$s_prefix(prefix)) m
	WHERE matches >= 20 ORDER BY matches LIMIT 1)', :rows * 45 / 100)) AS prefixes \gset
-- A query and its plan; planned twice, as the first time in a session mostly loads catalogs.
CREATE FUNCTION plan(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	EXECUTE 'EXPLAIN ' || query;
	RETURN NEXT query;
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, BUFFERS OFF) ' || query LOOP
		RETURN NEXT '  ' || line;
	END LOOP;
	RETURN NEXT '';
END
$$;
\pset format unaligned
\pset tuples_only on
SELECT plan(format('SELECT * FROM by_%1$s WHERE id <@ %1$s_prefix(%2$L)', t, prefix))
FROM (:prefixes) p;
\echo 'A thousand new rows, and those of the last second.  The window has no end, as the time of'
\echo 'new ids may lead the clock:\n'
INSERT INTO by_tid64 (n) SELECT :rows + generate_series(1, 1000);
SELECT plan('SELECT * FROM by_tid64 WHERE id <@ tid64_range(now() - interval ''1 second'', NULL)');
\pset format aligned
\pset tuples_only off

\echo '== 6. Bytes\n'
CREATE FUNCTION per_row(relation text, rows bigint) RETURNS numeric LANGUAGE sql AS $$
	SELECT round(pg_relation_size(relation) / rows::numeric, 1)
$$;
SELECT t AS key, per_row('by_' || t, :rows) AS "table, bytes/row",
	per_row('by_' || t || '_pkey', :rows) AS "index, bytes/entry",
	per_row('by_' || t || '_text', :rows) AS "as text: table",
	per_row('by_' || t || '_text_pkey', :rows) AS "as text: index"
FROM keys ORDER BY number;
