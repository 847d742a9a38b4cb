
-- What only scru160 has.  What all types share, type.sql.in says, with these for its parameters:
-- @ORDER@   id160
-- @LAYOUT@  INTERNALLENGTH = 20, ALIGNMENT = char, STORAGE = plain

COMMENT ON TYPE scru160 IS 'SCRU160: 160-bit id of time, counter and 111 random bits, base32hex';

-- composing

CREATE FUNCTION scru160_generate(counter_use text DEFAULT 'default') RETURNS scru160
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION scru160_generate(text) IS
	'generate an id; counter use is default or microsecond';

CREATE FUNCTION scru160_settled() RETURNS scru160
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION scru160_settled() IS
	'where to stop reading new rows: each id below that the generator returned in a transaction '
	'of this database is visible by now, or never will be; NULL while a prepared transaction of '
	'unknown ids is open: of before the server start or, unless idtypes is preloaded, of a session '
	'that had not used the library';

CREATE FUNCTION scru160_generate_at(ts timestamptz, counter_use text DEFAULT 'default')
	RETURNS scru160
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION scru160_generate_at(timestamptz, text) IS
	'compose an id for a given instant with random fields; not protected against repeats';

CREATE FUNCTION scru160_make(ts timestamptz, counter integer, random bytea) RETURNS scru160
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_make(timestamptz, integer, bytea) IS
	'compose an id from its fields; random is 12 bytes';

-- fields

CREATE FUNCTION scru160_counter(scru160) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_counter(scru160) IS 'counter of an id';

CREATE FUNCTION scru160_random(scru160) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_random(scru160) IS 'the 12 random bytes of an id';

CREATE FUNCTION scru160_parts(scru160, OUT ts timestamptz, OUT counter integer, OUT random bytea)
	RETURNS record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_parts(scru160) IS 'all fields of an id';

-- other forms

CREATE FUNCTION scru160_hex(scru160) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_hex(scru160) IS 'the 40 hex digits of an id';
