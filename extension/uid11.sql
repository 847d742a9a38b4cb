
-- What only uid11 has.  What all types share, type.sql.in says, with these for its parameters:
-- @ORDER@   id64u
-- @LAYOUT@  LIKE = int8

COMMENT ON TYPE uid11 IS 'uid11: 64-bit id of milliseconds and randomness, in 11 Base58 characters';

-- composing

CREATE FUNCTION uid11_generate(profile text DEFAULT 'xid') RETURNS uid11
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uid11_generate(text) IS
	'generate an id of a profile: xid, fullrand, snowish or ts-seq-rand';

CREATE FUNCTION uid11_settled(profile text DEFAULT 'xid') RETURNS uid11
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION uid11_settled(text) IS
	'where to stop reading new rows: each id below that the generator returned in a transaction '
	'of this database is visible by now, or never will be; NULL while a prepared transaction of '
	'unknown ids is open: of before the server start or, unless idtypes is preloaded, of a session '
	'that had not used the library';

CREATE FUNCTION uid11_generate_at(ts timestamptz, profile text DEFAULT 'xid') RETURNS uid11
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uid11_generate_at(timestamptz, text) IS
	'compose an id for a given instant with random fields; not protected against repeats';

CREATE FUNCTION uid11_make(ts timestamptz, rest numeric, profile text DEFAULT 'xid') RETURNS uid11
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid11_make(timestamptz, numeric, text) IS
	'compose an id from its instant and the 22 bits below it';

-- fields

CREATE FUNCTION uid11_timestamp(uid11, profile text) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'uid11_timestamp_profile' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid11_timestamp(uid11, text) IS
	'instant in an id of a profile; NULL if the profile has none';

CREATE FUNCTION uid11_random(uid11, profile text DEFAULT 'xid') RETURNS numeric
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid11_random(uid11, text) IS
	'random field of an id of a profile; NULL if the profile has none';

CREATE FUNCTION uid11_parts(uid11, profile text DEFAULT 'xid',
		OUT ts timestamptz, OUT machine integer, OUT sequence integer, OUT random numeric)
	RETURNS record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid11_parts(uid11, text) IS
	'all fields of an id of a profile, NULL where it has none';

-- other forms

CREATE FUNCTION uid11_from_bigint(bigint) RETURNS uid11
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid11_from_bigint(bigint) IS 'convert a non-negative bigint to uid11';

CREATE FUNCTION uid11_from_integer(integer) RETURNS uid11
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid11_from_integer(integer) IS 'convert a non-negative integer to uid11';

CREATE FUNCTION uid11_to_bigint(uid11) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid11_to_bigint(uid11) IS 'convert uid11 to bigint; an error above 2^63-1';

CREATE FUNCTION uid11_from_numeric(numeric) RETURNS uid11
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid11_from_numeric(numeric) IS 'convert an integer of up to 64 bits to uid11';

CREATE FUNCTION uid11_to_numeric(uid11) RETURNS numeric
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uid11_to_numeric(uid11) IS 'convert uid11 to an integer';

-- By assignment, or PL/pgSQL would convert numbers to ids, and back, through text.
CREATE CAST (integer AS uid11) WITH FUNCTION uid11_from_integer(integer) AS ASSIGNMENT;
CREATE CAST (bigint AS uid11) WITH FUNCTION uid11_from_bigint(bigint) AS ASSIGNMENT;
CREATE CAST (uid11 AS bigint) WITH FUNCTION uid11_to_bigint(uid11) AS ASSIGNMENT;
CREATE CAST (numeric AS uid11) WITH FUNCTION uid11_from_numeric(numeric);
CREATE CAST (uid11 AS numeric) WITH FUNCTION uid11_to_numeric(uid11);
