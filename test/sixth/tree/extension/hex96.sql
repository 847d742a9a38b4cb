
-- What only hex96 has.  What all types share, type.sql.in says, with these for its parameters:
-- @ORDER@   id96
-- @LAYOUT@  INTERNALLENGTH = 12, ALIGNMENT = char, STORAGE = plain

COMMENT ON TYPE hex96 IS 'hex96: 96-bit id of milliseconds, counter and random tail, hexadecimal';

-- composing

CREATE FUNCTION hex96_generate() RETURNS hex96
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hex96_generate() IS 'generate an id';

CREATE FUNCTION hex96_generate_at(ts timestamptz) RETURNS hex96
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hex96_generate_at(timestamptz) IS
	'compose an id for a given instant with random fields; not protected against repeats';

CREATE FUNCTION hex96_make(ts timestamptz, counter integer, tail bigint) RETURNS hex96
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hex96_make(timestamptz, integer, bigint) IS 'compose an id from its fields';

-- fields

CREATE FUNCTION hex96_counter(hex96) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hex96_counter(hex96) IS 'counter of an id';

CREATE FUNCTION hex96_tail(hex96) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hex96_tail(hex96) IS 'random tail of an id';

CREATE FUNCTION hex96_parts(hex96, OUT ts timestamptz, OUT counter integer, OUT tail bigint)
	RETURNS record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hex96_parts(hex96) IS 'all fields of an id';
