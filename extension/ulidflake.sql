
-- What only ulidflake has.  What all types share, type.sql.in says, with these for its parameters:
-- @ORDER@   id64u
-- @LAYOUT@  LIKE = int8

COMMENT ON TYPE ulidflake IS
	'Ulid-Flake: 63-bit id of milliseconds and randomness, Crockford base32';

-- composing

CREATE FUNCTION ulidflake_generate() RETURNS ulidflake
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION ulidflake_generate() IS 'generate a stand-alone id';

CREATE FUNCTION ulidflake_generate_scalable() RETURNS ulidflake
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION ulidflake_generate_scalable() IS 'generate an id with a scalability field';

CREATE FUNCTION ulidflake_settled() RETURNS ulidflake
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION ulidflake_settled() IS
	'where to stop reading new rows: each id below that the generator returned in a transaction '
	'of this database is visible by now, or never will be; NULL while a prepared transaction of '
	'unknown ids is open: of before the server start or, unless idtypes is preloaded, of a session '
	'that had not used the library';

CREATE FUNCTION ulidflake_generate_at(ts timestamptz) RETURNS ulidflake
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION ulidflake_generate_at(timestamptz) IS
	'compose a stand-alone id for a given instant with random fields; '
	'not protected against repeats';

CREATE FUNCTION ulidflake_generate_scalable_at(ts timestamptz) RETURNS ulidflake
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION ulidflake_generate_scalable_at(timestamptz) IS
	'compose an id with a scalability field for a given instant; not protected against repeats';

CREATE FUNCTION ulidflake_make(ts timestamptz, randomness integer) RETURNS ulidflake
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_make(timestamptz, integer) IS
	'compose a stand-alone id from its fields';

CREATE FUNCTION ulidflake_make_scalable(ts timestamptz, randomness integer, scalability integer)
	RETURNS ulidflake
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_make_scalable(timestamptz, integer, integer) IS
	'compose an id with a scalability field from its fields';

-- fields

CREATE FUNCTION ulidflake_randomness(ulidflake) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_randomness(ulidflake) IS 'randomness of a stand-alone id, 20 bits';

CREATE FUNCTION ulidflake_parts(ulidflake, OUT ts timestamptz, OUT randomness integer)
	RETURNS record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_parts(ulidflake) IS 'all fields of a stand-alone id';

CREATE FUNCTION ulidflake_randomness_scalable(ulidflake) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_randomness_scalable(ulidflake) IS
	'randomness of a scalable id, 15 bits';

CREATE FUNCTION ulidflake_scalability(ulidflake) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_scalability(ulidflake) IS
	'scalability of a scalable id, the last 5 bits';

CREATE FUNCTION ulidflake_parts_scalable(ulidflake,
		OUT ts timestamptz, OUT randomness integer, OUT scalability integer)
	RETURNS record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_parts_scalable(ulidflake) IS 'all fields of a scalable id';

-- other forms

CREATE FUNCTION ulidflake_from_bigint(bigint) RETURNS ulidflake
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_from_bigint(bigint) IS 'convert a non-negative bigint to ulidflake';

CREATE FUNCTION ulidflake_from_integer(integer) RETURNS ulidflake
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_from_integer(integer) IS
	'convert a non-negative integer to ulidflake';

-- the cast under a name, for tools that take a function
CREATE FUNCTION ulidflake_to_bigint(ulidflake) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_to_bigint(ulidflake) IS
	'convert ulidflake to bigint, as the cast does';

-- By assignment, or PL/pgSQL would convert numbers to ids, and back, through text.
CREATE CAST (integer AS ulidflake) WITH FUNCTION ulidflake_from_integer(integer) AS ASSIGNMENT;
CREATE CAST (bigint AS ulidflake) WITH FUNCTION ulidflake_from_bigint(bigint) AS ASSIGNMENT;
CREATE CAST (ulidflake AS bigint) WITHOUT FUNCTION AS ASSIGNMENT;
