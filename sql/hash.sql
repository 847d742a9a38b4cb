--
-- Hashes are on disk, so they may not change: they are the server's own of the id's bytes, or, of
-- eight bytes, of the bigint that has the same bits.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
\set vectors `cat :srcdir/test/oracle/vectors/encrypt.tsv`
CREATE TEMP TABLE ids AS
	SELECT f[1] AS type, f[2] AS id
	FROM string_to_table(:'vectors', E'\n') line, string_to_array(line, E'\t') f
	WHERE line ~ '^\w' AND f[1] <> 'type';
CALL for_each_type('CREATE TEMP TABLE @T@_parts (id @T@) PARTITION BY HASH (id)');
CREATE TEMP TABLE bytes_parts (bytes bytea) PARTITION BY HASH (bytes);
CREATE TEMP TABLE number_parts (number bigint) PARTITION BY HASH (number);
CREATE FUNCTION pg_temp.hashes(parts regclass, value anyelement, seed bigint) RETURNS text
LANGUAGE sql AS $$
	SELECT concat_ws(' ', hash_array(ARRAY[value]), hash_array_extended(ARRAY[value], seed), (
		SELECT part FROM generate_series(0, 9) part
		WHERE satisfies_hash_partition(parts, 10, part, value)))
$$;
SELECT * FROM for_types($$SELECT format('%s of %s hashes', count(*) FILTER (WHERE
		pg_temp.hashes('@T@_parts', id::@T@, seed) = CASE length(bytes)
			WHEN 8 THEN pg_temp.hashes('number_parts', number, seed)
			ELSE pg_temp.hashes('bytes_parts', bytes, seed) END), count(*))
	FROM ids, LATERAL (SELECT id::@T@::bytea AS bytes) b,
		LATERAL (SELECT ('x' || encode(substr(bytes, 1, 8), 'hex'))::bit(64)::bigint AS number) n,
		(VALUES (0), (1), (-6000000000000000000)) AS s (seed)
	WHERE type = '@T@'$$);
