-- idtypes_uuid 1.0: time windows, prefixes and a generator for the server's own type uuid.

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION idtypes_uuid" to load this file. \quit

CREATE FUNCTION idtypes_uuid_sel(internal, oid, internal, integer) RETURNS float8
	AS 'MODULE_PATHNAME', 'idtypes_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION idtypes_uuid_sel(internal, oid, internal, integer) IS
	'restriction selectivity of uuid <@ uuidrange';

CREATE FUNCTION idtypes_uuid_joinsel(internal, oid, internal, smallint, internal)
	RETURNS float8
	AS 'MODULE_PATHNAME', 'idtypes_joinsel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION idtypes_uuid_joinsel(internal, oid, internal, smallint, internal) IS
	'join selectivity of uuid <@ uuidrange';

-- ranges: discrete, in the closed form [first,last]

CREATE TYPE uuidrange;

CREATE FUNCTION uuidrange_canonical(uuidrange) RETURNS uuidrange
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuidrange_canonical(uuidrange) IS 'convert a uuid range to its closed form';

CREATE FUNCTION uuid_diff(uuid, uuid) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_diff(uuid, uuid) IS 'difference of two uuids as numbers';

CREATE TYPE uuidrange AS RANGE (
	SUBTYPE = uuid,
	CANONICAL = uuidrange_canonical,
	SUBTYPE_DIFF = uuid_diff,
	MULTIRANGE_TYPE_NAME = uuidmultirange
);
COMMENT ON TYPE uuidrange IS 'range of uuids';
COMMENT ON TYPE uuidmultirange IS 'multirange of uuids';
COMMENT ON FUNCTION uuidrange(uuid, uuid) IS 'uuidrange constructor';
COMMENT ON FUNCTION uuidrange(uuid, uuid, text) IS 'uuidrange constructor';
COMMENT ON FUNCTION uuidmultirange() IS 'uuidmultirange constructor';
COMMENT ON FUNCTION uuidmultirange(uuidrange) IS 'uuidmultirange constructor';
COMMENT ON FUNCTION uuidmultirange(VARIADIC uuidrange[]) IS 'uuidmultirange constructor';

CREATE FUNCTION uuid_range_first(uuidrange) RETURNS uuid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_range_first(uuidrange) IS
	'smallest uuid in the range; the largest of all if the range is empty';

CREATE FUNCTION uuid_range_last(uuidrange) RETURNS uuid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION uuid_range_last(uuidrange) IS
	'largest uuid in the range; the smallest of all if the range is empty';

CREATE FUNCTION uuid_contained_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'idtypes_contained_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_contained_support(internal) IS 'planner support for uuid <@ uuidrange';

-- The server's function behind "anyelement <@ anyrange", with an estimator and planner support.
CREATE FUNCTION uuid_contained_by(uuid, uuidrange) RETURNS boolean
	AS 'elem_contained_by_range' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF
	SUPPORT uuid_contained_support;
COMMENT ON FUNCTION uuid_contained_by(uuid, uuidrange) IS 'implementation of <@ operator';

CREATE OPERATOR <@ (
	FUNCTION = uuid_contained_by, LEFTARG = uuid, RIGHTARG = uuidrange,
	RESTRICT = idtypes_uuid_sel, JOIN = idtypes_uuid_joinsel
);
COMMENT ON OPERATOR <@ (uuid, uuidrange) IS 'uuid is in the range';

CREATE FUNCTION uuid_prefix(text) RETURNS uuidrange
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_prefix(text) IS
	'range of all uuids, of any version, whose text starts with a prefix';

CREATE FUNCTION uuid_try_prefix(text) RETURNS uuidrange
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_try_prefix(text) IS
	'range of all uuids, of any version, whose text starts with a prefix; NULL if the text is '
	'not a prefix';

-- version 7

CREATE FUNCTION uuid7_timestamp(uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid7_timestamp(uuid) IS
	'instant in a uuid of version 7; NULL for any other version';

CREATE FUNCTION uuid7_min(timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid7_min(timestamptz) IS
	'smallest uuid of the millisecond that an instant falls in: a bound, not an id of version 7';

CREATE FUNCTION uuid7_max(timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid7_max(timestamptz) IS
	'largest uuid of the millisecond that an instant falls in: a bound, not an id of version 7';

CREATE FUNCTION uuid7_range(tstzrange) RETURNS uuidrange
	AS 'MODULE_PATHNAME', 'uuid7_range_window' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid7_range(tstzrange) IS
	'range of all uuids, of any version, whose first 48 bits lie in a time window';

CREATE FUNCTION uuid7_range(since timestamptz, upto timestamptz, bounds text DEFAULT '[)')
	RETURNS uuidrange
	AS 'MODULE_PATHNAME', 'uuid7_range_bounds' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION uuid7_range(timestamptz, timestamptz, text) IS
	'range of all uuids, of any version, whose first 48 bits lie in a time window; NULL ends are '
	'unbounded';

-- Not STRICT, or it would not be inlined.  The body is bound here and now, not by the search path.
CREATE FUNCTION uuid7_within(id uuid, since timestamptz, upto timestamptz) RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id <@ uuid7_range(since, upto) AND uuid7_timestamp(id) IS NOT NULL;
COMMENT ON FUNCTION uuid7_within(uuid, timestamptz, timestamptz) IS
	'whether a uuid has version 7 and its instant is at or after since and before upto; a NULL '
	'end is unbounded';

CREATE FUNCTION uuid7_generate() RETURNS uuid
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION uuid7_generate() IS
	'generate a uuid of version 7, greater than all that this server''s generator returned before';

CREATE FUNCTION uuid7_settled() RETURNS uuid
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION uuid7_settled() IS
	'where to stop reading new rows: each id below that the generator returned in a transaction '
	'of this database is visible by now, or never will be; NULL while a transaction is open that '
	'was prepared before the server start';
