--
-- ulidflake: 63 bits of milliseconds and randomness
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

-- the published vector, the smallest and the largest
SELECT v AS ulidflake, v::bigint, v::bytea, ulidflake_timestamp(v), ulidflake_randomness(v),
		ulidflake_scalability(v)
	FROM unnest('{00CMXB6TAK4SA,0000000000000,7ZZZZZZZZZZZZ}'::ulidflake[])
		WITH ORDINALITY u (v, n) ORDER BY n;
SELECT x.n, x.v = '00CMXB6TAK4SA' AS same
	FROM (VALUES (1, ulidflake '00cmxb6tak4sa'), (2, '00CmXb6tAk4Sa'),
		(3, 14246757444195114::bigint::ulidflake),
		(4, '\x00329d59b4a9932a'::bytea::ulidflake),
		(5, ulidflake_make('2024-06-06 06:06:06.666Z', 627498)),
		(6, ulidflake_make_scalable('2024-06-06 06:06:06.666Z', 19609, 10))) x (n, v) ORDER BY n;

-- input that is none
\pset format unaligned
\pset tuples_only on
SELECT errors('%L::ulidflake',
	'', '00CMXB6TAK4S', '00CMXB6TAK4SAA', '14246757444195114', '00CMXB6TAK4SI', '00CMXB6TAK4Sl',
	'O0CMXB6TAK4SA', '00CMXBuTAK4SA', '00CMXB-TAK4SA', ' 00CMXB6TAK4SA',
	'01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FA', '2026-01-01 00:00',
	'00CMXB6TAK4S' || chr(9), '8000000000000', 'ZZZZZZZZZZZZZ');
\pset tuples_only off
\pset format aligned

-- fields
SELECT p.*, ulidflake_make(p.ts, p.randomness) = v AS recomposed, s.randomness, s.scalability,
		ulidflake_make_scalable(s.ts, s.randomness, s.scalability) = v AS recomposed
	FROM unnest('{00CMXB6TAK4SA,0000000000000,7ZZZZZZZZZZZZ}'::ulidflake[])
		WITH ORDINALITY u (v, n), ulidflake_parts(v) p, ulidflake_parts_scalable(v) s ORDER BY n;
SELECT ulidflake_min(t), ulidflake_max(t), ulidflake_min(t)::bigint, ulidflake_min(t)::timestamptz
	FROM unnest('{2024-01-01Z,2024-01-01 00:00:00.000999Z,2026-01-02 03:04:05.678Z,
		2302-09-27 15:10:22.207Z,2302-09-27 15:10:22.207999Z}'::timestamptz[]) t;

-- generated for a given instant
SELECT count(DISTINCT a) > 900 AND count(DISTINCT b) > 900 AS random,
		bool_and(ulidflake_timestamp(a) = '2026-01-02 03:04:05.678Z'
			AND ulidflake_timestamp(b) = '2026-01-02 03:04:05.678Z') AS in_tick,
		count(DISTINCT ulidflake_scalability(a)) AS standalone,
		count(DISTINCT ulidflake_scalability(b)) AS scalable, max(ulidflake_scalability(b))
	FROM (SELECT ulidflake_generate_at(t), ulidflake_generate_scalable_at(t)
		FROM (SELECT timestamptz '2026-01-02 03:04:05.678901Z' AS t
			FROM generate_series(1, 1000)) s) x (a, b);

-- casts: every id is a bigint; half of the bigints are ids
SELECT b, b::ulidflake, b::ulidflake::bigint = b AS same
	FROM unnest('{0,1,1048575,9223372036854775807}'::bigint[]) b;

-- errors
\pset format unaligned
\pset tuples_only on
SELECT errors('%s', 'ulidflake_make(''2026-01-01'', 1048576)', 'ulidflake_make(''2026-01-01'', -1)',
	'ulidflake_make_scalable(''2026-01-01'', 32768, 0)',
	'ulidflake_make_scalable(''2026-01-01'', 0, 32)',
	'ulidflake_make_scalable(''2026-01-01'', 0, -1)',
	'ulidflake_make(''2023-12-31 23:59:59.999999Z'', 0)',
	'ulidflake_make(''2302-09-27 15:10:22.208Z'', 0)',
	'ulidflake_generate_at(''2023-12-31'')', 'ulidflake_generate_scalable_at(''infinity'')',
	'ulidflake_min(''-infinity'')', 'ulidflake_max(''2302-09-27 15:10:22.208Z'')');
SELECT errors('%s', '(-1)::bigint::ulidflake', '(-9223372036854775808)::bigint::ulidflake',
	'''\x8000000000000000''::bytea::ulidflake', '''\xffffffffffffffff''::bytea::ulidflake',
	'''\x00329d59b4a993''::bytea::ulidflake', '''\x00329d58d4a9932a00''::bytea::ulidflake');
\pset tuples_only off
\pset format aligned

-- order is that of the numbers and of the text
SELECT count(*) AS pairs, bool_and((a < b) = (a::text COLLATE "C" < b::text)) AS as_text,
		bool_and((a < b) = (a::bigint < b::bigint)) AS as_numbers,
		bool_and((a < b) = (a::bytea < b::bytea)) AS as_bytes
	FROM generate_series(1, 1000) n, LATERAL (SELECT
		(('x' || left(md5(n::text), 16))::bit(64)::bigint & 9223372036854775807)::ulidflake,
		(('x' || left(md5('x' || n), 16))::bit(64)::bigint & 9223372036854775807)::ulidflake)
		x (a, b);

-- prefixes
SELECT p, r, ulidflake_timestamp(lower(r)) AS first, ulidflake_timestamp(upper(r)) AS last
	FROM unnest('{"",0,7,00CMXB6TA,00cmxb6ta,00CMXB6TAK4SA}'::text[])
		WITH ORDINALITY u (p, n), ulidflake_prefix(p) r ORDER BY n;
SELECT string_agg(c, '' ORDER BY n) AS empty
	FROM regexp_split_to_table('0123456789ABCDEFGHJKMNPQRSTVWXYZ', '') WITH ORDINALITY u (c, n)
	WHERE isempty(ulidflake_prefix(c));
\pset format unaligned
\pset tuples_only on
SELECT errors('%s', 'ulidflake_prefix(''00CMXB6TAK4SA0'')', 'ulidflake_prefix(''I'')',
	'ulidflake_prefix(''00-'')');
\pset tuples_only off
\pset format aligned

-- an encrypted one is 13 digits, not above the largest
\pset format unaligned
\pset tuples_only on
SELECT errors('%s',
	'ulidflake_decrypt(''00CMXB6TAK4S'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'ulidflake_decrypt(''00CMXB6TAK4SAA'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'ulidflake_decrypt(''00CMXB6TAK4SI'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'ulidflake_decrypt(''8000000000000'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'ulidflake_decrypt(''01ARZ3NDEKTSV4RRFFQ69G5FAV'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'ulidflake_decrypt('''', ''\x2b7e151628aed2a6abf7158809cf4f3c'')');
\pset tuples_only off
\pset format aligned

-- what not all types have
\pset format unaligned
\pset tuples_only on
SELECT own_objects('ulidflake');
\pset tuples_only off
\pset format aligned
