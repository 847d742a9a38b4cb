
-- ---------------------------------------------------------------------
-- What looks at all types.  A paragraph that names the parameter T is repeated for each.
-- ---------------------------------------------------------------------

-- The body is bound here and now, not by the search path of whoever calls it.
CREATE FUNCTION idtypes_identify(input text,
		OUT type regtype, OUT canonical text, OUT ts timestamptz, OUT fields jsonb)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT NULL::regtype, NULL::text, NULL::timestamptz, NULL::jsonb WHERE false

	UNION ALL
	SELECT '@T@'::regtype, id::text, @T@_timestamp(id), pg_catalog.to_jsonb(@T@_parts(id))
		FROM @T@_try(input) id WHERE id IS NOT NULL

	;
END;
COMMENT ON FUNCTION idtypes_identify(text) IS
	'what a text is: a row for each type that accepts it, with canonical text, instant and fields';

-- ---------------------------------------------------------------------
-- What only some server versions have.  Update scripts repeat this block, so that a cluster brought
-- to a newer major by pg_upgrade gains it with ALTER EXTENSION UPDATE.
--
-- Everything here is resolved with the extension's schema on the search path, as a superuser:
-- whoever installs the extension may have put better matches into that schema.  So every function
-- and operator is named with pg_catalog, and none takes arguments that another could match better.
-- ---------------------------------------------------------------------

DO $$
DECLARE
	t pg_catalog.text;
BEGIN
	IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4
		OPERATOR(pg_catalog.>=) 180000 THEN
		FOREACH t IN ARRAY pg_catalog.string_to_array('@TYPES@', ' ') LOOP
			EXECUTE pg_catalog.replace(
				'ALTER OPERATOR FAMILY %_ops USING btree ADD FUNCTION 6 (%, %) '
				'%_skipsupport(internal)', '%', t);
			EXECUTE pg_catalog.replace(
				'ALTER OPERATOR FAMILY %_gist_ops USING gist ADD FUNCTION 12 ("any", "any") '
				'pg_catalog.gist_translate_cmptype_common(int)', '%', t);
		END LOOP;
	END IF;
END
$$;
