--
-- uid11: 64 bits in 11 Base58 characters, with profiles
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

-- published vectors, and the largest
SELECT v AS uid11, v::numeric, v::bytea, uid11_timestamp(v), uid11_random(v)
	FROM unnest('{11111111111,1111111NVpb,113q8KFkAEs,jpXCZedGfVQ}'::uid11[])
		WITH ORDINALITY u (v, n) ORDER BY n;
SELECT x.n, x.v = '113q8KFkAEs' AS same
	FROM (VALUES (1, uid11_make('2011-11-12 11:11:11.111Z', 0)),
		(2, 362387865600000::bigint::uid11), (3, 362387865600000::numeric::uid11),
		(4, '\x0001499700000000'::bytea::uid11)) x (n, v) ORDER BY n;
-- case matters
SELECT uid11 '113q8KFkAEs' = '113q8KFkAES' AS same;

-- input that is none
\pset format unaligned
\pset tuples_only on
SELECT errors('%L::uid11',
	'', '1111111111', '111111111111', '113q8KFkAE0', '113O8KFkAEs', 'I13q8KFkAEs', '113q8lFkAEs',
	'113q8-FkAEs', ' 113q8KFkAEs', '113q8KFkAE' || chr(10), '113q8KFkAE' || chr(233),
	'jpXCZedGfVR', 'k1111111111', 'zzzzzzzzzzz');
\pset tuples_only off
\pset format aligned

-- the profiles: which bits are what
SELECT profile, p.*, uid11_random(v, profile),
		uid11_timestamp(v, profile) IS NOT DISTINCT FROM p.ts AS same
	FROM (SELECT (((1 << 22)::bigint | (5 << 12) | 1031))::uid11) x (v),
		unnest('{xid,fullrand,snowish,ts-seq-rand}'::text[]) WITH ORDINALITY u (profile, n),
		uid11_parts(v, profile) p ORDER BY n;
SELECT profile, p.*, p.ts = uid11_timestamp('jpXCZedGfVQ') AS as_without_profile
	FROM unnest('{xid,fullrand,ts-seq-rand}'::text[]) WITH ORDINALITY u (profile, n),
		uid11_parts('jpXCZedGfVQ', profile) p ORDER BY n;
SELECT uid11_parts(v) AS largest_snowish, uid11_parts(v, 'snowish')
	FROM (SELECT 9223372036854775807::bigint::uid11) x (v);
SELECT uid11_parts('113q8KFkAEs') = uid11_parts('113q8KFkAEs', 'xid') AS xid_is_default;
-- names of profiles: with and without the family, in any case
SELECT count(DISTINCT uid11_make('2026-01-01Z', 77, p)) AS one
	FROM unnest('{xid,XID,uid11-xid,UID11-Xid,snowish,uid11-snowish,ts-seq-rand,uid11-TS-SEQ-RAND}'
		::text[]) p;

-- make: 22 bits below the time, in any profile
SELECT profile, v AS uid11, v::numeric, uid11_timestamp(v), v::timestamptz = t AS same
	FROM (VALUES ('xid', timestamptz '2011-11-11 11:11:11.111Z', 0),
			('xid', '2151-03-25 18:46:22.214Z', 4194303),
			('ts-seq-rand', '2151-03-25 18:46:22.214Z', 0),
			('snowish', '2081-07-18 02:58:46.662Z', 4194303),
			('xid', '2081-07-18 02:58:46.663Z', 0))
		x (profile, t, rest), LATERAL (SELECT uid11_make(t, rest, profile)) y (v);
SELECT uid11_min(t)::numeric, uid11_max(t)::numeric, uid11_max(t)
	FROM unnest('{2011-11-11 11:11:11.111Z,2011-11-11 11:11:11.111999Z,2026-01-02 03:04:05.678Z,
		2151-03-25 18:46:22.214Z,2151-03-25 18:46:22.214999Z}'::timestamptz[]) t;

-- generated for a given instant
SELECT profile, count(DISTINCT v) > 600 AS random,
		bool_and(v BETWEEN uid11_min('2026-01-02 03:04:05.678Z')
			AND uid11_max('2026-01-02 03:04:05.678Z')) AS in_tick,
		max((uid11_parts(v, profile)).machine) AS machine
	FROM unnest('{xid,snowish,ts-seq-rand}'::text[]) WITH ORDINALITY u (profile, n),
		LATERAL (SELECT uid11_generate_at('2026-01-02 03:04:05.678901Z', profile)
			FROM generate_series(1, 1000)) x (v) GROUP BY n, profile ORDER BY n;

-- casts both ways
SELECT uid11 'jpXCZedGfVQ'::numeric, 18446744073709551615::numeric::uid11,
	18446744073709551615.0::uid11, 9223372036854775807::bigint::uid11::bigint,
	9223372036854775808::numeric::uid11, 0::bigint::uid11;

-- errors
\pset format unaligned
\pset tuples_only on
SELECT errors('%s', 'uid11_make(''2026-01-01'', 4194304)', 'uid11_make(''2026-01-01'', -1)',
	'uid11_make(''2011-11-11 11:11:11.110999Z'', 0)', 'uid11_make(''2151-03-25 18:46:22.215Z'', 0)',
	'uid11_make(''2081-07-18 02:58:46.663Z'', 0, ''snowish'')',
	'uid11_make(''2026-01-01'', 0, ''fullrand'')', 'uid11_make(''2026-01-01'', 0, ''ulid'')',
	'uid11_generate(''snowflake'')', 'uid11_generate('''')', 'uid11_generate(''uid11-'')',
	'uid11_generate_at(''2026-01-01'', ''fullrand'')',
	'uid11_generate_at(''2081-07-18 02:58:46.663Z'', ''snowish'')',
	'uid11_generate_at(''infinity'')', 'uid11_min(''2011-11-11 11:11:11.110999Z'')',
	'uid11_max(''2151-03-25 18:46:22.215Z'')', 'uid11_min(''-infinity'')');
SELECT errors('%s', 'uid11_timestamp(''jpXCZedGfVQ'', ''snowish'')',
	'uid11_random(''jpXCZedGfVQ'', ''snowish'')', 'uid11_parts(''jpXCZedGfVQ'', ''snowish'')',
	'uid11_timestamp(''11111111111'', ''sequence'')');
SELECT errors('%s', '9223372036854775808::uid11::bigint', 'uid11 ''jpXCZedGfVQ''::bigint',
	'(-1)::bigint::uid11', '(-1)::numeric::uid11', '18446744073709551616::uid11', '1.5::uid11',
	'''NaN''::numeric::uid11', '''\x00014997000000''::bytea::uid11',
	'''\x000149970000000000''::bytea::uid11');
\pset tuples_only off
\pset format aligned

-- order is that of the numbers and of the text
SELECT count(*) AS pairs, bool_and((a < b) = (a::text COLLATE "C" < b::text)) AS as_text,
		bool_and((a < b) = (a::numeric < b::numeric)) AS as_numbers,
		bool_and((a < b) = (a::bytea < b::bytea)) AS as_bytes
	FROM (SELECT decode(left(md5(n::text), 16), 'hex')::uid11 AS a,
			decode(left(md5('x' || n), 16), 'hex')::uid11 AS b
		FROM generate_series(1, 1000) n) x;

-- prefixes
SELECT p, lower(r)::numeric AS first, upper(r)::numeric AS last, upper(r) AS last_text
	FROM unnest('{"",1,j,k,z,3kx,jpXCZedGfVQ,jpXCZedGfVR,jpXCZedGfV}'::text[])
		WITH ORDINALITY u (p, n), uid11_prefix(p) r ORDER BY n;
\pset format unaligned
\pset tuples_only on
SELECT errors('uid11_prefix(%L)', '113q8KFkAEs1', '0', '3k ');
\pset tuples_only off
\pset format aligned

-- an encrypted one is 11 digits, not above the largest
\pset format unaligned
\pset tuples_only on
SELECT errors('%s',
	'uid11_decrypt(''1111111111'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'uid11_decrypt(''111111111111'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'uid11_decrypt(''113q8KFkAE0'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'uid11_decrypt(''jpXCZedGfVR'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'uid11_decrypt(''0f5e9c26-bb57-4f71-987b-1c04b511842b'',
		''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'uid11_decrypt('''', ''\x2b7e151628aed2a6abf7158809cf4f3c'')');
\pset tuples_only off
\pset format aligned

-- what not all types have
\pset format unaligned
\pset tuples_only on
SELECT own_objects('uid11');
\pset tuples_only off
\pset format aligned
