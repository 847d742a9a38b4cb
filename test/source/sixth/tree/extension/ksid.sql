
-- What only ksid has.  What all types share, type.sql.in says, with these for its parameters:
-- @ORDER@   id128
-- @LAYOUT@  INTERNALLENGTH = 16, ALIGNMENT = char, STORAGE = plain

COMMENT ON TYPE ksid IS 'ksid: 128-bit id of seconds, counter and random tail, Base62';

-- composing

CREATE FUNCTION ksid_generate() RETURNS ksid
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksid_generate() IS 'generate an id';

CREATE FUNCTION ksid_settled() RETURNS ksid
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION ksid_settled() IS
	'where to stop reading new rows: each id below that the generator returned in a transaction '
	'of this database is visible by now, or never will be; NULL while a transaction is open that '
	'was prepared before the server started';

CREATE FUNCTION ksid_generate_at(ts timestamptz) RETURNS ksid
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksid_generate_at(timestamptz) IS
	'compose an id for a given instant with random fields; not protected against repeats';

CREATE FUNCTION ksid_make(ts timestamptz, counter bigint, tail bytea) RETURNS ksid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksid_make(timestamptz, bigint, bytea) IS
	'compose an id from its fields; tail is 8 bytes';

-- fields

CREATE FUNCTION ksid_counter(ksid) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksid_counter(ksid) IS 'counter of an id';

CREATE FUNCTION ksid_tail(ksid) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksid_tail(ksid) IS 'random tail of an id';

CREATE FUNCTION ksid_parts(ksid, OUT ts timestamptz, OUT counter bigint, OUT tail bytea)
	RETURNS record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ksid_parts(ksid) IS 'all fields of an id';
