-- The extension as its reference pages list it: read from the catalogs, with the comments of the
-- SQL objects.  "T" stands for a type in what all types have alike.
CREATE EXTENSION IF NOT EXISTS idtypes;
CREATE SCHEMA reference;

-- What belongs to the extension.
CREATE VIEW reference.member AS
	SELECT classid, objid FROM pg_depend
	WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass
		AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'idtypes');

CREATE VIEW reference.type AS
	SELECT t.oid, t.typname::text AS name, r.rngtypid, r.rngmultitypid
	FROM pg_type t JOIN pg_range r ON r.rngsubtype = t.oid JOIN reference.member m
		ON m.classid = 'pg_type'::regclass AND m.objid = t.oid;

-- SQL as people write it.
CREATE FUNCTION reference.short(sql text) RETURNS text
	LANGUAGE sql
	RETURN replace(replace(sql, 'timestamp with time zone', 'timestamptz'), '::text', '');

-- Each function: for whom it is, and its form as it is written.
CREATE VIEW reference.function AS
	SELECT p.oid, t.name AS type, p.proname AS name, arguments, result,
		CASE
			WHEN p.proname ~ '_range_(first|last|lt|le|ge|gt)$|_(en|de)coder$' THEN 'bound'
			WHEN p.prokind = 'a' THEN 'aggregate'
			WHEN p.proname IN (t.name || 'range', t.name || 'multirange')
				OR p.proargtypes::oid[] && ARRAY['internal', 'cstring']::regtype[]::oid[]
				OR EXISTS (SELECT FROM pg_operator o WHERE o.oprcode = p.oid)
				OR EXISTS (SELECT FROM pg_amproc a WHERE a.amproc = p.oid)
				OR EXISTS (SELECT FROM pg_type y WHERE p.oid IN (y.typoutput, y.typsend))
				OR EXISTS (SELECT FROM pg_aggregate g WHERE p.oid = g.aggtransfn)
				OR EXISTS (SELECT FROM pg_range r
					WHERE p.oid IN (r.rngcanonical, r.rngsubdiff)) THEN 'support'
			WHEN p.proname ~ '_(to|from)_'
				AND EXISTS (SELECT FROM pg_cast c WHERE c.castfunc = p.oid) THEN 'cast'
			ELSE 'function'
		END AS kind,
		obj_description(p.oid, 'pg_proc') AS comment
	FROM pg_proc p
		JOIN reference.member m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
		CROSS JOIN LATERAL (SELECT reference.short(regexp_replace(pg_get_function_arguments(p.oid),
				',? ?OUT .*', '')),
			coalesce(reference.short(nullif(regexp_replace(pg_get_function_result(p.oid),
				'^(SETOF )?record$', ''), '')), (SELECT string_agg(name, ', ' ORDER BY n)
				FROM unnest(p.proargnames, p.proargmodes) WITH ORDINALITY u (name, mode, n)
				WHERE mode IN ('o', 't')))) a (arguments, result)
		LEFT JOIN reference.type t ON p.proname LIKE t.name || '\_%'
			OR t.oid = ANY (p.proargtypes) OR t.rngtypid = ANY (p.proargtypes)
			OR t.rngtypid = p.prorettype OR t.rngmultitypid = p.prorettype;

-- The same with T in place of the type where all types have it alike: one row for them all.
CREATE VIEW reference.listed AS
	SELECT CASE WHEN alike THEN ARRAY['T'] ELSE types END AS types,
		CASE WHEN alike THEN ARRAY[form] ELSE owns END AS forms,
		CASE WHEN alike THEN ARRAY[r] ELSE results END AS results,
		CASE WHEN alike THEN ARRAY[meaning] ELSE comments END AS comments, kind, oid
	FROM (SELECT form, r, kind, count(*) = (SELECT count(*) FROM reference.type)
				AND count(*) > 1 AS alike, array_agg(type) AS types, array_agg(own) AS owns,
			array_agg(result) AS results, array_agg(comment) AS comments,
			-- what most types say
			mode() WITHIN GROUP (ORDER BY replace(comment, coalesce(type, ''), 'T')) AS meaning,
			min(oid) AS oid
		FROM (SELECT *, name || '(' || arguments || ')' AS own,
				replace(name || '(' || arguments || ')', coalesce(type, '.'), 'T') AS form,
				replace(result, coalesce(type, '.'), 'T') AS r
			FROM reference.function) f
		GROUP BY form, r, kind) g;

-- A line for each function of one kind that one type has, or all types (T), or none (NULL).
CREATE FUNCTION reference.functions(of text, which text)
	RETURNS TABLE (function text, result text, meaning text)
	LANGUAGE sql AS $$
	SELECT '`' || form || '`', '`' || r || '`', comment
	FROM reference.listed, unnest(types, forms, results, comments) u (t, form, r, comment)
	WHERE t IS NOT DISTINCT FROM of AND kind = which ORDER BY oid, form
$$;

-- Those of idtypes_uuid that people call.
CREATE FUNCTION reference.functions_of_uuid()
	RETURNS TABLE (function text, result text, meaning text)
	LANGUAGE sql AS $$
	SELECT format('`%s(%s)`', proname, reference.short(pg_get_function_arguments(p.oid))),
		'`' || reference.short(pg_get_function_result(p.oid)) || '`',
		obj_description(p.oid, 'pg_proc')
	FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
		JOIN pg_extension e ON d.refobjid = e.oid AND e.extname = 'idtypes_uuid'
	WHERE proname ~ '^uuid7_|_prefix$' ORDER BY p.oid
$$;

CREATE FUNCTION reference.operators() RETURNS TABLE (operator text, meaning text)
	LANGUAGE sql AS $$
	SELECT '`' || left_ || ' ' || oprname || ' ' || right_ || '`',
		mode() WITHIN GROUP (ORDER BY comment)
	FROM (SELECT o.oid, oprname,
			reference.short(replace(oprleft::regtype::text, t.name, 'T')) AS left_,
			reference.short(replace(oprright::regtype::text, t.name, 'T')) AS right_,
			obj_description(o.oid, 'pg_operator') AS comment
		FROM pg_operator o JOIN reference.member m
				ON m.classid = 'pg_operator'::regclass AND m.objid = o.oid
			JOIN reference.type t ON t.oid IN (oprleft, oprright)) o
	GROUP BY oprname, left_, right_ ORDER BY length(left_), length(right_), oprname
$$;

-- Casts of one type, or those that all types have (T).
CREATE FUNCTION reference.casts(of text)
	RETURNS TABLE ("cast" text, "how" text, function text)
	LANGUAGE sql AS $$
	WITH casts AS (
		SELECT c.oid, t.name, reference.short(replace(castsource::regtype || '::'
				|| casttarget::regtype, t.name, 'T')) AS form,
			CASE castcontext WHEN 'e' THEN 'explicit' WHEN 'a' THEN 'also by assignment'
				ELSE 'implicit' END AS how,
			CASE castmethod WHEN 'f' THEN replace(castfunc::regprocedure::text, t.name, 'T')
				WHEN 'b' THEN 'none: the same bits' ELSE 'none: through text' END AS by
		FROM pg_cast c JOIN reference.member m
				ON m.classid = 'pg_cast'::regclass AND m.objid = c.oid
			JOIN reference.type t ON t.oid IN (castsource, casttarget)),
	alike AS (
		SELECT form, how, by, min(oid) AS oid,
			CASE WHEN count(*) = (SELECT count(*) FROM reference.type) THEN 'T' END AS t,
			array_agg(name) AS names
		FROM casts GROUP BY form, how, by)
	SELECT '`' || replace(form, 'T', of) || '`', how,
		CASE WHEN by LIKE 'none%' THEN by ELSE '`' || replace(by, 'T', of) || '`' END
	FROM alike WHERE t = of OR t IS NULL AND of = ANY (names) ORDER BY oid
$$;

CREATE FUNCTION reference.settings()
	RETURNS TABLE (setting text, "default" text, meaning text)
	LANGUAGE sql AS $$
	SELECT '`' || name || '`', '`' || boot_val || '`', short_desc || ' ' || extra_desc
	FROM pg_settings WHERE name LIKE 'idtypes.%' ORDER BY category, name
$$;
