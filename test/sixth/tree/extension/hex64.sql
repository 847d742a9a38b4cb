
-- What only hex64 has.  What all types share, type.sql.in says, with these for its parameters:
-- @ORDER@   id64u
-- @LAYOUT@  LIKE = int8

COMMENT ON TYPE hex64 IS 'hex64: 64-bit id of milliseconds and counter, hexadecimal';

-- composing

CREATE FUNCTION hex64_generate() RETURNS hex64
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hex64_generate() IS 'generate an id';

CREATE FUNCTION hex64_generate_at(ts timestamptz) RETURNS hex64
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hex64_generate_at(timestamptz) IS
	'compose an id for a given instant with a random counter; not protected against repeats';

CREATE FUNCTION hex64_make(ts timestamptz, counter integer) RETURNS hex64
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hex64_make(timestamptz, integer) IS 'compose an id from its fields';

-- fields

CREATE FUNCTION hex64_counter(hex64) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hex64_counter(hex64) IS 'counter of an id';

CREATE FUNCTION hex64_parts(hex64, OUT ts timestamptz, OUT counter integer) RETURNS record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hex64_parts(hex64) IS 'all fields of an id';
