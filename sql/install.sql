--
-- Installing: without a language, in a schema of its own, by an ordinary role, moved, dropped and
-- installed again; every version, and every step from one to another.
--
SET client_min_messages = warning;
SELECT current_database() AS home \gset
CREATE DATABASE regress_idtypes_install TEMPLATE template0;
CREATE ROLE regress_idtypes_owner;
CREATE ROLE regress_idtypes_other;
GRANT CREATE ON DATABASE regress_idtypes_install TO regress_idtypes_owner;
\c regress_idtypes_install
SET client_min_messages = warning;
-- no script needs a language that a database may lack
DROP EXTENSION plpgsql;
CREATE EXTENSION idtypes;
-- the functions of the server that what the script makes has the name of
CREATE TABLE named AS SELECT DISTINCT s.proname AS name
	FROM pg_extension e JOIN pg_depend d ON d.refobjid = e.oid AND d.deptype = 'e'
		JOIN pg_proc f ON d.classid = 'pg_proc'::regclass AND f.oid = d.objid AND f.prokind = 'f',
		regexp_matches(pg_get_functiondef(f.oid), '[a-z_]{3,}', 'g') word
		JOIN pg_proc s ON s.proname = word[1] AND s.pronamespace = 'pg_catalog'::regnamespace
	WHERE e.extname = 'idtypes';
GRANT SELECT ON named TO PUBLIC;
DROP EXTENSION idtypes;
CREATE EXTENSION plpgsql;
-- a role that may create in the database may install; others may not
SET ROLE regress_idtypes_other;
CREATE EXTENSION idtypes;
SET ROLE regress_idtypes_owner;
CREATE SCHEMA ids;
-- what the installing role put into the schema must not be run by the script, as a superuser
CREATE FUNCTION ids.seize() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'run as %', current_user;
END
$$;
DO $$
DECLARE
	name text;
	types text;
	body text := 'RETURNS %s LANGUAGE plpgsql AS ''BEGIN PERFORM ids.seize(); END''';
BEGIN
	FOR name, types IN SELECT named.name, t FROM named, unnest(ARRAY['', 'text', 'text, text',
			'text, text, text', 'text, text, varchar', 'text, VARIADIC text[]', 'varchar', 'int',
			'name', 'regtype', 'anyelement', 'anyelement, anyelement']) t LOOP
		EXECUTE format('CREATE FUNCTION ids.%I(%s) ' || body, name, types, 'text');
	END LOOP;
	FOR name, types IN SELECT op, t FROM unnest('{||,>=,=,<,<@,@>}'::text[]) op,
			unnest('{text,int,anyelement,anyarray,name}'::text[]) t LOOP
		EXECUTE format('CREATE OR REPLACE FUNCTION ids.trap(%s, %1$s) ' || body, types, 'boolean');
		EXECUTE format('CREATE OPERATOR ids.%s (FUNCTION = ids.trap, LEFTARG = %2$s,
			RIGHTARG = %2$s)', name, types);
	END LOOP;
END
$$;
SELECT count(*) > 10 AS many FROM named;
CREATE DOMAIN ids.text AS pg_catalog.int4 CHECK (ids.seize() IS NULL);
CREATE EXTENSION idtypes SCHEMA ids;
SELECT type, canonical FROM ids.idtypes_identify('5LyPtcHZqCc');
SELECT rolsuper FROM pg_roles WHERE rolname = 'regress_idtypes_owner';
DROP DOMAIN ids.text;
-- (a Debian package's build tests what is yet to be installed, which the server does not list)
SELECT extowner::regrole, extnamespace::regnamespace, extrelocatable,
		(extversion = default_version) IS NOT FALSE AS current
	FROM pg_extension LEFT JOIN pg_available_extensions ON name = extname
	WHERE extname = 'idtypes';
-- all that the extension brought is in that schema
SELECT n.nspname, count(*) > 200 AS many FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
	AND e.extname = 'idtypes' JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
	JOIN pg_namespace n ON n.oid = p.pronamespace WHERE d.deptype = 'e' GROUP BY 1;

-- it works without the schema on the search path
CREATE TABLE ids.t (id ids.uid11 PRIMARY KEY DEFAULT ids.uid11_generate(), n int);
INSERT INTO ids.t SELECT ids.uid11_make('2026-01-01Z', n), n FROM generate_series(1, 1000) n;
INSERT INTO ids.t (n) VALUES (0);
-- the bounds of a range come from the index, whichever the schema
CREATE FUNCTION ids.by_index(schema text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	line text;
	found_it boolean := false;
BEGIN
	SET LOCAL enable_seqscan = off;
	SET LOCAL enable_bitmapscan = off;
	FOR line IN EXECUTE format('EXPLAIN (COSTS OFF) SELECT * FROM ids.t
		WHERE id OPERATOR(%1$I.<@) %1$I.uid11_prefix(''5LyPtcHZ'')', schema)
	LOOP
		found_it := found_it OR line ~ 'Index Cond:.*>=.*<[ )]';
	END LOOP;
	RETURN found_it;
END
$$;
SELECT ids.by_index('ids');
SELECT count(*) FROM ids.t WHERE id OPERATOR(ids.<@) ids.uid11_range('2026-01-01Z', '2026-01-02Z');
SELECT n FROM ids.t WHERE id OPERATOR(ids.=) '5LyPtcHZqCc';

-- moved: by a superuser, who owns the objects of any trusted extension
RESET ROLE;
CREATE SCHEMA elsewhere;
GRANT USAGE, CREATE ON SCHEMA elsewhere TO regress_idtypes_owner;
SET ROLE regress_idtypes_owner;
ALTER EXTENSION idtypes SET SCHEMA elsewhere;
RESET ROLE;
ALTER EXTENSION idtypes SET SCHEMA elsewhere;
SET ROLE regress_idtypes_owner;
SELECT ids.by_index('elsewhere');
SELECT count(*) FROM ids.t WHERE id OPERATOR(elsewhere.<@)
	elsewhere.uid11_range('2026-01-01Z', '2026-01-02Z');
INSERT INTO ids.t (n) VALUES (-1);
SELECT count(*), pg_typeof(elsewhere.min(id)) FROM ids.t;

-- dropped: not while it is in use, and then with all it brought
\set VERBOSITY sqlstate
DROP EXTENSION idtypes;
\set VERBOSITY default
DROP TABLE ids.t;
DROP EXTENSION idtypes;
SELECT count(*) FROM pg_proc WHERE probin LIKE '%idtypes%';
SELECT count(*) FROM pg_type
	WHERE typnamespace IN ('ids'::regnamespace, 'elsewhere'::regnamespace);
CREATE EXTENSION idtypes SCHEMA ids;
SELECT ids.tid64_compact('3kxn-lhr-3gxq-23');
RESET ROLE;

-- a version is the same, whichever way the database came to it
DROP EXTENSION idtypes;
\getenv srcdir PG_ABS_SRCDIR
\set objects :srcdir '/sql/objects.psql'
\set ECHO none
\i :objects
\set ECHO all
CREATE TEMP TABLE walked AS
	SELECT source, target, NULL::int AS objects, NULL::int AS differences
	FROM pg_extension_update_paths('idtypes') WHERE path IS NOT NULL;
CREATE TEMP TABLE fresh (LIKE objects);
CREATE TEMP TABLE updated (LIKE objects);
CREATE VIEW differences AS
	(TABLE fresh EXCEPT ALL TABLE updated) UNION ALL (TABLE updated EXCEPT ALL TABLE fresh);
DO $$
DECLARE
	way record;
BEGIN
	FOR way IN TABLE walked LOOP
		TRUNCATE fresh, updated;
		EXECUTE format('CREATE EXTENSION idtypes VERSION %L', way.target);
		INSERT INTO fresh TABLE objects;
		DROP EXTENSION idtypes;
		EXECUTE format('CREATE EXTENSION idtypes VERSION %L', way.source);
		EXECUTE format('ALTER EXTENSION idtypes UPDATE TO %L', way.target);
		INSERT INTO updated TABLE objects;
		DROP EXTENSION idtypes;
		UPDATE walked SET objects = (SELECT count(DISTINCT object) FROM fresh),
				differences = (SELECT count(*) FROM differences)
			WHERE (source, target) = (way.source, way.target);
	END LOOP;
END
$$;
SELECT * FROM walked WHERE objects < 500 OR differences <> 0;
-- the default version can be reached from all others
SELECT version FROM pg_available_extension_versions v JOIN pg_available_extensions USING (name)
	WHERE name = 'idtypes' AND version <> default_version
		AND NOT EXISTS (SELECT FROM walked WHERE (source, target) = (version, default_version));
-- any difference would be seen
CREATE EXTENSION idtypes;
TRUNCATE fresh, updated;
INSERT INTO fresh TABLE objects;
ALTER OPERATOR FAMILY uid11_ops USING btree DROP FUNCTION 2 (uid11, uid11);
COMMENT ON FUNCTION uid11_hash(uid11) IS 'else';
GRANT EXECUTE ON FUNCTION idtypes_status() TO regress_idtypes_owner;
INSERT INTO updated TABLE objects;
SELECT object, array_agg(DISTINCT property ORDER BY property) FROM differences
	GROUP BY 1 ORDER BY 1;
\c :home
DROP DATABASE regress_idtypes_install;
DROP ROLE regress_idtypes_owner, regress_idtypes_other;
