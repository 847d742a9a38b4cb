--
-- What the extension puts into the catalogs: uniform over the types, complete, and nothing that
-- other people's SQL could stumble over.  A query that lists objects lists those that break a rule.
-- The functions and casts that not all types have are listed by the type's own test.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
CREATE TEMP VIEW functions AS
	SELECT p.*, m.identity, m.general, m.t
	FROM members m JOIN pg_proc p ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid;
-- how many of a kind there must be
SELECT cardinality(type_names()) AS all_types \gset

-- the types: ids of 8 bytes lie in memory as a bigint does, longer ones as a uuid does
SELECT t.typname FROM pg_type b, pg_type t JOIN members ON classid = 'pg_type'::regclass
		AND objid = t.oid
	WHERE b.oid = CASE t.typlen WHEN 8 THEN 'bigint' ELSE 'uuid' END::regtype
		AND t.typtype = 'b' AND t.typelem = 0
		AND (t.typlen >= 8, t.typbyval, t.typalign, t.typstorage, t.typcategory, t.typdelim,
			t.typcollation) <> (true, b.typbyval, b.typalign, 'p', 'U', ',', 0);
SELECT regexp_replace(rngtypid::regtype::text, '^' || t, 'T') AS range,
		regexp_replace(rngmultitypid::regtype::text, '^' || t, 'T') AS multirange,
		regexp_replace(rngcanonical::text, '^' || t, 'T') AS canonical,
		regexp_replace(rngsubdiff::text, '^' || t, 'T') AS subdiff, count(*) = :all_types AS all
	FROM pg_range JOIN members ON classid = 'pg_type'::regclass AND objid = rngtypid
	WHERE rngsubtype::regtype::text = t GROUP BY 1, 2, 3, 4;

-- what more than one type has, it has with the same properties; a field may be wider in one
SELECT general, array_agg(t ORDER BY t) FROM functions WHERE t IS NOT NULL GROUP BY 1
	HAVING count(DISTINCT (
			replace(regexp_replace(pg_get_function_result(oid), '\m' || t, 'T', 'g'),
				'bigint', 'integer'),
			provolatile, proparallel, proisstrict, proleakproof, procost, prorows, prosupport <> 0,
			prokind)) > 1;

-- every object has a comment, apart from those that the server makes none for
SELECT kind, identity FROM members
	WHERE obj_description(objid, classid::regclass::name) IS NULL
		AND kind NOT IN ('cast', 'operator class', 'operator family')
		AND NOT (kind = 'type' AND identity LIKE '%[]') ORDER BY 1, 2;

-- volatility: all is immutable but generators, of which each type has two or more, the point up to
-- which their ids are settled, what adds an interval, and what of no type reads the statistics or
-- the shared memory
SELECT identity, provolatile FROM functions
	WHERE provolatile <> CASE WHEN general ~ '^T_(generate|settled)' THEN 'v'
		WHEN general ~ '^T_.*interval' THEN 's' ELSE 'i' END ORDER BY 1;
SELECT regexp_replace(general, '\(.*', '') AS name, count(DISTINCT t) = :all_types AS all
	FROM functions WHERE general ~ '^T_(generate(_at)?|settled)\(' GROUP BY 1 ORDER BY 1;
-- all may run in parallel workers, but those that are volatile; some of them not even in the leader
-- of workers: those that change what all sessions generate, and the point up to which ids are
-- settled, whose use is the next statement's snapshot
SELECT identity, provolatile, proparallel FROM functions
	WHERE (provolatile = 'v') <> (proparallel <> 's') ORDER BY 1;
SELECT regexp_replace(coalesce(general, identity), '\(.*', '') AS name, count(*) = :all_types AS all
	FROM functions WHERE proparallel = 'u' GROUP BY 1 ORDER BY 1;
-- all are strict but windows, whose ends may be missing, the constructors of ranges and aggregates,
-- and what may name a generator
SELECT coalesce(general, identity) AS general, count(*) = :all_types AS all
	FROM functions WHERE NOT proisstrict GROUP BY 1 ORDER BY 1;
-- leakproof are the comparisons, membership and what the planner makes of that
SELECT regexp_replace(general, '\(.*', '') AS name, count(*) = :all_types AS all
	FROM functions WHERE proleakproof GROUP BY 1 ORDER BY 1;
-- with untrusted search paths in mind: no function runs with another's rights
SELECT identity FROM functions WHERE prosecdef OR proconfig IS NOT NULL;

-- operators: commutators and negators are complete, and go both ways
SELECT o.oid::regoperator FROM members JOIN pg_operator o
		ON classid = 'pg_operator'::regclass AND objid = o.oid
	WHERE o.oprcode = 0 OR o.oprrest = 0 OR o.oprjoin = 0
		OR ('timestamptz'::regtype IN (o.oprleft, o.oprright) OR o.oprleft = o.oprright)
			AND (o.oprcom = 0 OR o.oprnegate = 0)
		OR EXISTS (SELECT FROM pg_operator c WHERE c.oid = o.oprcom
			AND (c.oprcom <> o.oid OR c.oprleft <> o.oprright OR c.oprright <> o.oprleft
				OR c.oprcode = 0))
		OR EXISTS (SELECT FROM pg_operator n WHERE n.oid = o.oprnegate
			AND (n.oprnegate <> o.oid OR n.oprleft <> o.oprleft OR n.oprright <> o.oprright
				OR n.oprcode = 0));
SELECT regexp_replace(o.oprleft::regtype::text, t, 'T') AS left, o.oprname,
		regexp_replace(o.oprright::regtype::text, t, 'T') AS right,
		o.oprcanmerge, o.oprcanhash, c.oprname AS commutator, n.oprname AS negator, o.oprrest,
		o.oprjoin, count(*) = :all_types AS all
	FROM members JOIN pg_operator o ON classid = 'pg_operator'::regclass AND objid = o.oid
		LEFT JOIN pg_operator c ON c.oid = o.oprcom LEFT JOIN pg_operator n ON n.oid = o.oprnegate
	GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY 1, 2, 3;
-- each has an own type on both sides, but the comparisons with instants and ^@; those of two types
-- are in no operator family
SELECT o.oid::regoperator FROM members m JOIN pg_operator o
		ON m.classid = 'pg_operator'::regclass AND m.objid = o.oid
	WHERE NOT (SELECT count(*) = 2
		FROM unnest(ARRAY[o.oprleft, o.oprright]) side WHERE EXISTS (SELECT FROM members t
			WHERE t.classid = 'pg_type'::regclass AND t.objid = side)
			OR side = CASE WHEN o.oprname = '^@' THEN 'text'::regtype
				WHEN o.oprname IN ('<', '<=', '>=', '>') THEN 'timestamptz'::regtype END)
		OR (o.oprleft <> o.oprright AND EXISTS (SELECT FROM pg_amop WHERE amopopr = o.oid));

-- operator classes
SELECT c.oid, amvalidate(c.oid) FROM members JOIN pg_opclass c
	ON classid = 'pg_opclass'::regclass AND objid = c.oid WHERE NOT amvalidate(c.oid);
SELECT a.amname, regexp_replace(c.opcname, '^' || c.opcintype::regtype, 'T') AS class, c.opcdefault,
		count(*) = :all_types AS all, count(DISTINCT (SELECT array_agg((s.amprocnum,
			regexp_replace(s.amproc::text, '^' || c.opcintype::regtype, 'T')) ORDER BY s.amprocnum)
			FROM pg_amproc s WHERE s.amprocfamily = c.opcfamily)) AS kinds
	FROM members JOIN pg_opclass c ON classid = 'pg_opclass'::regclass AND objid = c.oid
		JOIN pg_am a ON a.oid = c.opcmethod
	GROUP BY 1, 2, 3 ORDER BY 1, 2;
-- B-tree: the functions of uid11, as of all
SELECT s.amprocnum, s.amproc FROM pg_opfamily f JOIN pg_amproc s ON s.amprocfamily = f.oid
	WHERE f.opfname = 'uid11_ops' AND f.opfmethod = (SELECT oid FROM pg_am WHERE amname = 'btree')
		AND s.amprocnum <> 6 ORDER BY 1;
-- B-tree's for skip scans and GiST's for WITHOUT OVERLAPS, only where the server has these
SELECT amname, amprocnum, count(members) = CASE WHEN
			current_setting('server_version_num')::int < 180000 THEN 0 ELSE :all_types END AS right
	FROM (VALUES ('btree', 6), ('gist', 12)) a (amname, amprocnum)
		LEFT JOIN (pg_amproc s JOIN pg_opfamily f ON f.oid = s.amprocfamily
			JOIN pg_am ON pg_am.oid = f.opfmethod
			JOIN members ON classid = 'pg_opfamily'::regclass AND objid = f.oid)
		USING (amname, amprocnum) GROUP BY 1, 2 ORDER BY 1;

-- casts that all types have: none is implicit; those of strings, of bigint and from integer are by
-- assignment
SELECT general, c.castcontext, c.castmethod,
		regexp_replace(c.castfunc::regproc::text, '^(public\.)?' || t, 'T') AS function
	FROM members JOIN pg_cast c ON classid = 'pg_cast'::regclass AND objid = c.oid
	GROUP BY 1, 2, 3, 4 HAVING count(*) = :all_types ORDER BY 1;
SELECT identity FROM members JOIN pg_cast c ON classid = 'pg_cast'::regclass AND objid = c.oid
	WHERE c.castcontext <> CASE WHEN c.castsource IN ('text'::regtype, 'varchar'::regtype,
				'character'::regtype, 'integer'::regtype)
				OR 'bigint'::regtype IN (c.castsource, c.casttarget)
			THEN 'a' ELSE 'e' END;

-- aggregates
SELECT general, regexp_replace(a.aggcombinefn::text, '^' || t, 'T') AS combine,
		regexp_replace(a.aggsortop::regoperator::text, '\m' || t, 'T', 'g') AS sort_operator,
		p.proparallel, count(*) = :all_types AS all
	FROM members JOIN pg_aggregate a ON classid = 'pg_proc'::regclass AND objid = a.aggfnoid
		JOIN pg_proc p ON p.oid = a.aggfnoid GROUP BY 1, 2, 3, 4 ORDER BY 1;

-- nothing hides an object of the server: no function of the same name and argument types
SELECT f.identity FROM functions f JOIN pg_proc p ON p.proname = f.proname
	AND p.proargtypes = f.proargtypes AND p.pronamespace = 'pg_catalog'::regnamespace;
SELECT t.typname FROM members JOIN pg_type t ON classid = 'pg_type'::regclass AND objid = t.oid
	JOIN pg_type c ON c.typname = t.typname AND c.typnamespace = 'pg_catalog'::regnamespace;
-- all are for everybody but those that show the state of the generators, or change it
SELECT identity, proacl IS NOT NULL AS restricted FROM functions
	WHERE NOT has_function_privilege('public', oid, 'execute');
-- no function needs a language that a database may lack
SELECT f.identity FROM functions f LEFT JOIN pg_language l ON l.oid = f.prolang
	WHERE l.lanname NOT IN ('c', 'internal', 'sql');
-- the library tells its name and version, which PostgreSQL shows from 18 on
DO $$
BEGIN
	IF current_setting('server_version_num')::int >= 180000 THEN
		ASSERT (SELECT m.version = s.version FROM pg_get_loaded_modules() m, idtypes_status() s
			WHERE m.module_name = 'idtypes');
	END IF;
END
$$;
