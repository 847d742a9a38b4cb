--
-- What the extension puts into the catalogs: uniform over the types, complete, and nothing that
-- other people's SQL could stumble over.  A query that lists objects lists those that break a rule.
--
\set ECHO none
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/setup.psql'
\i :setup
\set ECHO all
-- the members of the extension, by name with the type's name replaced
CREATE TEMP VIEW members AS
	SELECT d.classid, d.objid, i.type COLLATE "C" AS kind, i.identity COLLATE "C" AS identity
	FROM pg_depend d JOIN pg_extension e ON d.refobjid = e.oid AND e.extname = 'idtypes',
		pg_identify_object(d.classid, d.objid, 0) i
	WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e';
CREATE TEMP VIEW functions AS
	SELECT p.*, m.identity, substring(m.identity FROM '\m(siq|scru160|tid64|uid11|ulidflake)') AS t
	FROM members m JOIN pg_proc p ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid;

-- the types
SELECT typname, typlen, typbyval = (typlen = 8
			AND (SELECT typbyval FROM pg_type WHERE typname = 'int8')) AS by_value_as_int8,
		CASE WHEN typlen = 8 THEN (SELECT i.typalign = t.typalign FROM pg_type i
			WHERE typname = 'int8')::text ELSE typalign::text END AS align,
		typstorage, typtype, typcategory, typdelim, typcollation
	FROM pg_type t JOIN members ON classid = 'pg_type'::regclass AND objid = oid
	WHERE typtype = 'b' AND typelem = 0 ORDER BY typname;
SELECT rngtypid::regtype, rngsubtype::regtype, rngmultitypid::regtype, rngcanonical, rngsubdiff
	FROM pg_range JOIN members ON classid = 'pg_type'::regclass AND objid = rngtypid ORDER BY 2;

-- What more than one type has, it has with the same properties.  All is there five times but this.
CREATE TEMP VIEW common AS
	SELECT regexp_replace(identity, '\m' || t, 'T', 'g') AS identity,
		array_agg(t::text ORDER BY t) AS ts,
		count(DISTINCT (regexp_replace(pg_get_function_result(oid), '\m' || t, 'T', 'g'),
			provolatile, proparallel, proisstrict, proleakproof, procost, prorows, prosupport <> 0,
			prokind)) AS kinds
	FROM functions WHERE t IS NOT NULL GROUP BY 1;
SELECT identity, ts FROM common WHERE kinds > 1;
\pset format unaligned
\pset tuples_only on
SELECT array_to_string(ts, ' ') || ': '
		|| regexp_replace(identity, '\m(public|pg_catalog)\.', '', 'g')
	FROM common WHERE cardinality(ts) < 5 ORDER BY 1;
\pset tuples_only off
\pset format aligned

-- every object has a comment, apart from those that the server makes none for
SELECT kind, identity FROM members
	WHERE obj_description(objid, classid::regclass::name) IS NULL
		AND kind NOT IN ('cast', 'operator class', 'operator family')
		AND NOT (kind = 'type' AND identity LIKE '%[]') ORDER BY 1, 2;

-- volatility: generators are volatile, all else is immutable but what reads the statistics
SELECT regexp_replace(proname, '^(siq|scru160|tid64|uid11|ulidflake)_', 'T_') AS name, provolatile,
		count(*)
	FROM functions WHERE provolatile <> 'i' GROUP BY 1, 2 ORDER BY 1;
-- all may run in parallel
SELECT identity FROM functions WHERE proparallel <> 's';
-- all are strict but windows, whose ends may be missing, the constructors of ranges and aggregates
SELECT regexp_replace(identity, '\m' || t, 'T', 'g') AS identity, count(*)
	FROM functions WHERE NOT proisstrict GROUP BY 1 ORDER BY 1;
-- leakproof are the comparisons, membership and what the planner makes of that
SELECT regexp_replace(proname, '^' || t, 'T') AS name, count(*)
	FROM functions WHERE proleakproof GROUP BY 1 ORDER BY 1;
-- with untrusted search paths in mind: no function runs with another's rights
SELECT identity FROM functions WHERE prosecdef OR proconfig IS NOT NULL;

-- operators: commutators and negators are complete, and go both ways
SELECT o.oid::regoperator FROM members JOIN pg_operator o
		ON classid = 'pg_operator'::regclass AND objid = o.oid
	WHERE o.oprcode = 0 OR o.oprrest = 0 OR o.oprjoin = 0
		OR (o.oprleft = o.oprright AND (o.oprcom = 0 OR o.oprnegate = 0))
		OR EXISTS (SELECT FROM pg_operator c WHERE c.oid = o.oprcom
			AND (c.oprcom <> o.oid OR c.oprleft <> o.oprright OR c.oprcode = 0))
		OR EXISTS (SELECT FROM pg_operator n WHERE n.oid = o.oprnegate
			AND (n.oprnegate <> o.oid OR n.oprleft <> o.oprleft OR n.oprcode = 0));
SELECT o.oprname, regexp_replace(o.oprright::regtype::text, o.oprleft::regtype::text, 'T') AS right,
		o.oprcanmerge, o.oprcanhash, c.oprname AS commutator, n.oprname AS negator, o.oprrest,
		o.oprjoin, count(*)
	FROM members JOIN pg_operator o ON classid = 'pg_operator'::regclass AND objid = o.oid
		LEFT JOIN pg_operator c ON c.oid = o.oprcom LEFT JOIN pg_operator n ON n.oid = o.oprnegate
	GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2;
-- each has an own type on both sides
SELECT o.oid::regoperator FROM members m JOIN pg_operator o
		ON m.classid = 'pg_operator'::regclass AND m.objid = o.oid
	WHERE NOT (SELECT count(*) = 2
		FROM unnest(ARRAY[o.oprleft, o.oprright]) side WHERE EXISTS (SELECT FROM members t
			WHERE t.classid = 'pg_type'::regclass AND t.objid = side));

-- operator classes
SELECT c.oid, amvalidate(c.oid) FROM members JOIN pg_opclass c
	ON classid = 'pg_opclass'::regclass AND objid = c.oid WHERE NOT amvalidate(c.oid);
SELECT a.amname, regexp_replace(c.opcname, '^' || c.opcintype::regtype, 'T') AS class, c.opcdefault,
		count(*), count(DISTINCT (SELECT array_agg((s.amprocnum, regexp_replace(s.amproc::text,
			'^' || c.opcintype::regtype, 'T')) ORDER BY s.amprocnum) FROM pg_amproc s
			WHERE s.amprocfamily = c.opcfamily)) AS kinds
	FROM members JOIN pg_opclass c ON classid = 'pg_opclass'::regclass AND objid = c.oid
		JOIN pg_am a ON a.oid = c.opcmethod
	GROUP BY 1, 2, 3 ORDER BY 1, 2;
-- B-tree: the functions of uid11, as of all; number 6, skip support, only where the server has it
SELECT s.amprocnum, s.amproc FROM pg_opfamily f JOIN pg_amproc s ON s.amprocfamily = f.oid
	WHERE f.opfname = 'uid11_ops' AND f.opfmethod = (SELECT oid FROM pg_am WHERE amname = 'btree')
		AND s.amprocnum <> 6 ORDER BY 1;
SELECT count(*) = CASE WHEN current_setting('server_version_num')::int >= 180000 THEN 5 ELSE 0 END
		AS skip_support
	FROM pg_opfamily f JOIN pg_amproc s ON s.amprocfamily = f.oid JOIN members
		ON classid = 'pg_opfamily'::regclass AND objid = f.oid
	WHERE f.opfmethod = (SELECT oid FROM pg_am WHERE amname = 'btree') AND s.amprocnum = 6;

-- casts: none applies without being asked for; "b" are those of the same bytes
SELECT c.castsource::regtype AS source, c.casttarget::regtype AS target, c.castcontext,
		c.castmethod, nullif(c.castfunc, 0)::regproc AS function
	FROM members JOIN pg_cast c ON classid = 'pg_cast'::regclass AND objid = c.oid
	ORDER BY c.castsource::regtype::text COLLATE "C", c.casttarget::regtype::text COLLATE "C";

-- aggregates
SELECT a.aggfnoid::regprocedure, a.aggcombinefn, a.aggsortop::regoperator, p.proparallel
	FROM members JOIN pg_aggregate a ON classid = 'pg_proc'::regclass AND objid = a.aggfnoid
		JOIN pg_proc p ON p.oid = a.aggfnoid ORDER BY a.aggfnoid::regprocedure::text COLLATE "C";

-- nothing hides an object of the server: no function of the same name and argument types
SELECT f.identity FROM functions f JOIN pg_proc p ON p.proname = f.proname
	AND p.proargtypes = f.proargtypes AND p.pronamespace = 'pg_catalog'::regnamespace;
SELECT t.typname FROM members JOIN pg_type t ON classid = 'pg_type'::regclass AND objid = t.oid
	JOIN pg_type c ON c.typname = t.typname AND c.typnamespace = 'pg_catalog'::regnamespace;
-- and only one function is not for everybody
SELECT identity, proacl IS NOT NULL AS restricted FROM functions
	WHERE NOT has_function_privilege('public', oid, 'execute');
-- no function needs another language
SELECT f.identity FROM functions f LEFT JOIN pg_language l ON l.oid = f.prolang
	WHERE l.lanname NOT IN ('c', 'internal');
