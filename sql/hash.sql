--
-- Hashes as an independent implementation computed them: they are on disk, so they may not change.
--
\set ECHO none
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/setup.psql'
\i :setup
\set vectors `cat :srcdir/test/vectors/hash.tsv`
CREATE TEMP TABLE vectors AS
	SELECT f[1] AS type, f[2] AS id, f[3]::int AS hash, f[4]::bigint AS seed,
		f[5]::bigint AS extended, f[6]::int AS part
	FROM string_to_table(:'vectors', E'\n') line, string_to_array(line, E'\t') f
	WHERE line ~ '^\w' AND f[1] <> 'type';
\set ECHO all
CALL for_each_type('CREATE TEMP TABLE @T@_parts (id @T@) PARTITION BY HASH (id)');
SELECT * FROM for_types($$SELECT format('%s vectors, hash %s, extended %s, partition %s', count(*),
	count(*) FILTER (WHERE @T@_hash(id::@T@) = hash),
	count(*) FILTER (WHERE @T@_hash_extended(id::@T@, seed) = extended),
	count(*) FILTER (WHERE satisfies_hash_partition('@T@_parts'::regclass, 1000, part, id::@T@)))
	FROM vectors WHERE type = '@T@'$$);
-- and those of eight bytes are the server's own of a bigint
SELECT * FROM for_types($$SELECT count(*) FILTER (WHERE hashint8(number) <> hash
		OR hashint8extended(number, seed) <> extended) AS others
	FROM (SELECT *, ('x' || encode(bytes, 'hex'))::bit(64)::bigint AS number
		FROM vectors, LATERAL (SELECT id::@T@::bytea AS bytes) b
		WHERE type = '@T@' AND length(bytes) = 8) v$$);
