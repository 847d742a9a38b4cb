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
	'restriction selectivity of < <= >= > <@ and ^@ on ids';

CREATE FUNCTION idtypes_joinsel(internal, oid, internal, smallint, internal)
	RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION idtypes_joinsel(internal, oid, internal, smallint, internal) IS
	'join selectivity of < <= >= > <@ and ^@ on ids';

-- One for all types, as the compared ranges name theirs.
CREATE FUNCTION idtypes_gist_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION idtypes_gist_sortsupport(internal) IS 'sort support of GiST index builds';

-- One for each comparison of an id with an instant, as the planner does not name the operator.

CREATE FUNCTION idtypes_@C@_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION idtypes_@C@_support(internal) IS 'planner support for ids @BEFORE@ an instant';

CREATE FUNCTION idtypes_starts_with_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION idtypes_starts_with_support(internal) IS
	'planner support for ids whose text starts with a prefix';

CREATE FUNCTION idtypes_generators(
		OUT generator text, OUT last_time timestamptz, OUT lead interval, OUT burst_lead interval,
		OUT generated bigint, OUT counter_waits bigint, OUT clock_waits bigint,
		OUT mark_waits bigint, OUT oldest_open timestamptz, OUT oldest_open_pid int)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 8;
COMMENT ON FUNCTION idtypes_generators() IS
	'this server''s generators: last time handed out, lead over the clock now and at most in a '
	'burst, ids handed out, calls that waited for a counter, the clock, the mark; time of the '
	'oldest id of the transactions of this database that still run, and the process id of that '
	'backend (null if prepared)';
REVOKE ALL ON FUNCTION idtypes_generators() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION idtypes_generators() TO pg_monitor;

CREATE FUNCTION idtypes_node_numbers(
		OUT type text, OUT field text, OUT value int, OUT source text, OUT missing boolean)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 4;
COMMENT ON FUNCTION idtypes_node_numbers() IS
	'this server''s numbers in new ids, a row for each field: the value, the setting or other '
	'source that it comes from, and whether no setting gives one';
REVOKE ALL ON FUNCTION idtypes_node_numbers() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION idtypes_node_numbers() TO pg_monitor;

CREATE FUNCTION idtypes_status(
		OUT version text,
		OUT mark timestamptz, OUT mark_written timestamptz, OUT mark_timeline bigint,
		OUT largest_lead interval, OUT promotion_margin interval)
	RETURNS record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION idtypes_status() IS
	'the version of the library, this server''s time mark, and the largest lead of its generators '
	'over the clock with the lead that a promotion allows for';
REVOKE ALL ON FUNCTION idtypes_status() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION idtypes_status() TO pg_monitor;

CREATE FUNCTION idtypes_restart_generators(
		OUT generator text, OUT repeats_from timestamptz, OUT repeats_until timestamptz)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE ROWS 8;
COMMENT ON FUNCTION idtypes_restart_generators() IS
	'set generators that are ahead of the clock back to it; new ids may repeat those of the '
	'interval returned; call it again after a promotion';
REVOKE ALL ON FUNCTION idtypes_restart_generators() FROM PUBLIC;

CREATE FUNCTION idtypes_advance_generators(
		instant timestamptz, at_most interval DEFAULT '1 day', for_generator text DEFAULT NULL,
		OUT generator text, OUT starts timestamptz)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 8;
COMMENT ON FUNCTION idtypes_advance_generators(timestamptz, interval, text) IS
	'advance all generators, or the one named, past an instant, such as that of the last id made '
	'elsewhere, which may be ahead of the clock by at_most; returns where new ids start; call it '
	'again after a promotion';
REVOKE ALL ON FUNCTION idtypes_advance_generators(timestamptz, interval, text) FROM PUBLIC;
