
-- What only siq has.  What all types share, type.sql.in says, with these for its parameters:
-- @ORDER@   id112
-- @LAYOUT@  INTERNALLENGTH = 14, ALIGNMENT = char, STORAGE = plain

COMMENT ON TYPE siq IS 'SIQ: 112-bit id of time, shard, domain, serial and kind, did:siq:...';

-- of what all types share, what siq reads another way

COMMENT ON FUNCTION siq_prefix(text) IS
	'range of all ids whose hex digits, as of siq_hex(), start with a prefix';
COMMENT ON FUNCTION siq_try_prefix(text) IS
	'range of all ids whose hex digits, as of siq_hex(), start with a prefix; NULL if no prefix';
COMMENT ON OPERATOR ^@ (siq, text) IS 'id''s hex digits, as of siq_hex(), start with the prefix';

-- composing

CREATE FUNCTION siq_domain_hash(domain text, local_id integer DEFAULT 0) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_domain_hash(text, integer) IS
	'domain hash of SIQ: last four bytes of SHA-256, top byte replaced by a local id';

CREATE FUNCTION siq_generate(domain text, type text, local_id integer DEFAULT 0) RETURNS siq
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION siq_generate(text, text, integer) IS
	'generate an id for a kind of thing of a domain; a local id tells parts of a domain apart';

CREATE FUNCTION siq_settled() RETURNS siq
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION siq_settled() IS
	'where to stop reading new rows: each id below that the generator returned in a transaction '
	'of this database is visible by now, or never will be; NULL while a prepared transaction of '
	'unknown ids is open: of before the server start or, unless idtypes is preloaded, of a session '
	'that had not used the library';

CREATE FUNCTION siq_generate_at(ts timestamptz, domain text, type text, local_id integer DEFAULT 0)
	RETURNS siq
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION siq_generate_at(timestamptz, text, text, integer) IS
	'compose an id for a given instant with a random serial; not protected against repeats';

CREATE FUNCTION siq_make(
		ts timestamptz, shard integer, domain_hash bigint, serial integer, type text)
	RETURNS siq
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_make(timestamptz, integer, bigint, integer, text) IS
	'compose an id from its fields';

-- fields

CREATE FUNCTION siq_shard(siq) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_shard(siq) IS 'shard of an id';

CREATE FUNCTION siq_domain_hash(siq) RETURNS bigint
	AS 'MODULE_PATHNAME', 'siq_domain_hash_of_id' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_domain_hash(siq) IS 'domain hash of an id';

CREATE FUNCTION siq_serial(siq) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_serial(siq) IS 'serial of an id';

CREATE FUNCTION siq_type(siq) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_type(siq) IS 'kind of thing that an id names';

CREATE FUNCTION siq_has_type(siq, type text) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_has_type(siq, text) IS
	'whether an id names a kind of thing, given by any of the kind''s names';

CREATE FUNCTION siq_is_leaf(siq) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_is_leaf(siq) IS 'whether an id names a leaf: its last bit is 1';

CREATE FUNCTION siq_parts(siq,
		OUT ts timestamptz, OUT shard integer, OUT domain_hash bigint, OUT serial integer,
		OUT type text)
	RETURNS record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_parts(siq) IS 'all fields of an id';

-- other forms

CREATE FUNCTION siq_hex(siq) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_hex(siq) IS 'the 28 hex digits of an id';

CREATE FUNCTION siq_from_uuid(uuid) RETURNS siq
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_from_uuid(uuid) IS 'convert the UUIDv8 form of a SIQ to siq';

CREATE FUNCTION siq_to_uuid(siq) RETURNS uuid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_to_uuid(siq) IS 'convert siq to its UUIDv8 form';

CREATE FUNCTION siq_from_numeric(numeric) RETURNS siq
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_from_numeric(numeric) IS 'convert an integer of up to 112 bits to siq';

CREATE FUNCTION siq_to_numeric(siq) RETURNS numeric
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION siq_to_numeric(siq) IS 'convert siq to an integer';

CREATE CAST (uuid AS siq) WITH FUNCTION siq_from_uuid(uuid);
CREATE CAST (siq AS uuid) WITH FUNCTION siq_to_uuid(siq);
CREATE CAST (numeric AS siq) WITH FUNCTION siq_from_numeric(numeric);
CREATE CAST (siq AS numeric) WITH FUNCTION siq_to_numeric(siq);
