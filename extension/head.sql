-- idtypes 1.0: native types for five sortable identifier formats.
-- Made by "make" from extension/: type.sql.in for what all types share, T.sql for what only T has.

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION idtypes" to load this file. \quit

-- ---------------------------------------------------------------------
-- Shared by all types
-- ---------------------------------------------------------------------

CREATE FUNCTION idtypes_sel(internal, oid, internal, integer) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION idtypes_sel(internal, oid, internal, integer) IS
	'restriction selectivity of < <= >= > and <@ on ids';

CREATE FUNCTION idtypes_joinsel(internal, oid, internal, smallint, internal)
	RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION idtypes_joinsel(internal, oid, internal, smallint, internal) IS
	'join selectivity of < <= >= > and <@ on ids';

CREATE FUNCTION idtypes_generators(
		OUT generator text, OUT last_time timestamptz, OUT lead interval,
		OUT generated bigint, OUT waits bigint)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE ROWS 7;
COMMENT ON FUNCTION idtypes_generators() IS
	'this server''s generators: last time handed out, lead over the clock, ids handed out, waits';
REVOKE ALL ON FUNCTION idtypes_generators() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION idtypes_generators() TO pg_monitor;
