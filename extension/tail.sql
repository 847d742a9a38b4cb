
-- ---------------------------------------------------------------------
-- What looks at all types.  A paragraph that names the parameter T is repeated for each.
-- ---------------------------------------------------------------------

-- The body is bound here and now, not by the search path of whoever calls it.
CREATE FUNCTION idtypes_identify(input text,
		OUT type regtype, OUT canonical text, OUT ts timestamptz, OUT fields jsonb)
	RETURNS SETOF record
	LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT NULL::regtype, NULL::text, NULL::timestamptz, NULL::jsonb WHERE false

	UNION ALL
	SELECT '@T@'::regtype, id::text, @T@_timestamp(id), pg_catalog.to_jsonb(@T@_parts(id))
		FROM @T@_try(input) id WHERE id IS NOT NULL

	;
END;
COMMENT ON FUNCTION idtypes_identify(text) IS
	'a row for each type that accepts a text, with its canonical text, instant and fields';
