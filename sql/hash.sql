--
-- Hashes as an independent implementation computed them: they are on disk, so they may not change.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
\set vectors `cat :srcdir/test/oracle/vectors/hash.tsv`
CREATE TEMP TABLE vectors AS
	SELECT f[1] AS type, f[2] AS id, f[3]::int AS hash, f[4]::bigint AS seed,
		f[5]::bigint AS extended, f[6]::int AS part,
		uuid_hash('00000000-0000-0000-0000-000000000001') <> -1046387463 AS big_endian
	FROM string_to_table(:'vectors', E'\n') line, string_to_array(line, E'\t') f
	WHERE line ~ '^\w' AND f[1] <> 'type';
CALL for_each_type('CREATE TEMP TABLE @T@_parts (id @T@) PARTITION BY HASH (id)');
-- on little-endian machines; on others the server hashes bytes differently, a uuid's as well
SELECT * FROM for_types($$SELECT format('%s vectors, hash %s, extended %s, partition %s', count(*),
	count(*) FILTER (WHERE differs OR @T@_hash(id::@T@) = hash),
	count(*) FILTER (WHERE differs OR @T@_hash_extended(id::@T@, seed) = extended),
	count(*) FILTER (WHERE differs OR
		satisfies_hash_partition('@T@_parts'::regclass, 1000, part, id::@T@)))
	FROM vectors, LATERAL (SELECT big_endian AND length(id::@T@::bytea) > 8 AS differs) d
	WHERE type = '@T@'$$);
-- those of more than eight bytes are the server's own of a bytea
SELECT * FROM for_types($$SELECT count(*) FILTER (WHERE hash_array(ids) <> hash_array(bytes)
		OR hash_array_extended(ids, seed) <> hash_array_extended(bytes, seed)) AS others
	FROM (SELECT seed, ARRAY[id::@T@] AS ids, ARRAY[id::@T@::bytea] AS bytes
		FROM vectors WHERE type = '@T@') v
	WHERE length(bytes[1]) > 8$$);
-- and those of eight bytes are the server's own of a bigint
SELECT * FROM for_types($$SELECT count(*) FILTER (WHERE hashint8(number) <> hash
		OR hashint8extended(number, seed) <> extended) AS others
	FROM (SELECT *, ('x' || encode(bytes, 'hex'))::bit(64)::bigint AS number
		FROM vectors, LATERAL (SELECT id::@T@::bytea AS bytes) b
		WHERE type = '@T@' AND length(bytes) = 8) v$$);
