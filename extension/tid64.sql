
-- What only tid64 has.  What all types share, type.sql.in says, with these for its parameters:
-- @ORDER@   id64s
-- @LAYOUT@  LIKE = int8

COMMENT ON TYPE tid64 IS 'TID: 64-bit id of microseconds and clock id, base32lex';

-- composing

CREATE FUNCTION tid64_generate() RETURNS tid64
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION tid64_generate() IS 'generate an id';

CREATE FUNCTION tid64_settled() RETURNS tid64
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION tid64_settled() IS
	'where to stop reading new rows: each id below that the generator returned in a transaction '
	'of this database is visible by now, or never will be; NULL while a prepared transaction of '
	'unknown ids is open: of before the server start or, unless idtypes is preloaded, of a session '
	'that had not used the library';

CREATE FUNCTION tid64_generate_at(ts timestamptz) RETURNS tid64
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION tid64_generate_at(timestamptz) IS
	'compose an id for a given instant; not protected against repeats';

CREATE FUNCTION tid64_make(ts timestamptz, clock_id integer) RETURNS tid64
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION tid64_make(timestamptz, integer) IS 'compose an id from its fields';

-- fields

CREATE FUNCTION tid64_clock_id(tid64) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION tid64_clock_id(tid64) IS 'clock id of an id';

CREATE FUNCTION tid64_parts(tid64, OUT ts timestamptz, OUT clock_id integer) RETURNS record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION tid64_parts(tid64) IS 'all fields of an id';

-- other forms

CREATE FUNCTION tid64_compact(tid64) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION tid64_compact(tid64) IS 'the 13 characters of an id without dashes';

-- the casts under a name, for tools that take a function
CREATE FUNCTION tid64_from_bigint(bigint) RETURNS tid64
	AS 'MODULE_PATHNAME', 'tid64_to_bigint' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION tid64_from_bigint(bigint) IS 'convert bigint to tid64, as the cast does';

CREATE FUNCTION tid64_to_bigint(tid64) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION tid64_to_bigint(tid64) IS 'convert tid64 to bigint, as the cast does';

CREATE FUNCTION tid64_from_integer(integer) RETURNS tid64
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION tid64_from_integer(integer) IS 'convert integer to tid64';

-- By assignment, or PL/pgSQL would convert numbers to ids, and back, through text.
CREATE CAST (integer AS tid64) WITH FUNCTION tid64_from_integer(integer) AS ASSIGNMENT;
CREATE CAST (bigint AS tid64) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE CAST (tid64 AS bigint) WITHOUT FUNCTION AS ASSIGNMENT;

CREATE FUNCTION tid64_to_json(tid64) RETURNS json
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION tid64_to_json(tid64) IS
	'convert tid64 to a JSON string without dashes, as AT Protocol writes it';

-- The server's JSON functions look for this cast.
CREATE CAST (tid64 AS json) WITH FUNCTION tid64_to_json(tid64);
