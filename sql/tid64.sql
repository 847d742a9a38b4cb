--
-- tid64: 64 bits of signed microseconds and clock id
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

-- published vectors, instants in UTC; the draft's end points
SELECT v AS tid64, tid64_compact(v), v::bigint, v::bytea, tid64_timestamp(v), tid64_clock_id(v)
	FROM unnest('{3kxn-lhr-3gxq-23,3kxm-tyq-iinc-22,3iso-34e-qpw2-22,3jzfcijpj2z2a,
		2222-222-2222-22,bzzz-zzz-zzzz-zz,s222-222-2222-22,zzzz-zzz-zzzz-22,zzzz-zzz-zzzz-zz}'
		::text[]) WITH ORDINALITY u (t, n), LATERAL (SELECT t::tid64) x (v) ORDER BY n;
SELECT x.n, x.v = '3kxn-lhr-3gxq-23' AS same
	FROM (VALUES (1, tid64 '3kxnlhr3gxq23'), (2, 1762721020395837441::bigint::tid64),
		(3, '\x1876716dc2ced801'::bytea::tid64),
		(4, tid64_make('2024-07-19 16:40:46.480310Z', 1))) x (n, v) ORDER BY n;

-- the first character: 2 to 7, a and b from 1970 on, s to z before
SELECT string_agg(c, '' ORDER BY n) FILTER (WHERE v >= 0) AS not_negative,
		string_agg(c, '' ORDER BY n) FILTER (WHERE v < 0) AS negative
	FROM regexp_split_to_table('234567abstuvwxyz', '') WITH ORDINALITY u (c, n),
		LATERAL (SELECT (c || '222222222222')::tid64::bigint) x (v);
SELECT c AS first, err(format('SELECT %L::tid64', c || '222222222222')) LIKE
		'22003: value "_222222222222" is out of range for type tid64%' AS refused
	FROM regexp_split_to_table('cdefghijklmnopqr', '') WITH ORDINALITY u (c, n) ORDER BY n;

-- input that is none
\pset format unaligned
\pset tuples_only on
SELECT errors('%L::tid64',
	'', '3jzfcijpj2z2', '3jzfcijpj2z2aa', '3kxn-lhr-3gxq', '3kxn-lhr-3gxq-2', '3kxnlhr3gxq-23',
	'3kx-nlhr-3gxq-23', '3kxn_lhr_3gxq_23', '3kxn-lhr-3gx--23', '3kxn-lhr-3gxq-23 ',
	'3JZFCIJPJ2Z2A', '3Kxn-lhr-3gxq-23', '0000000000000', '3kxn-lhr-3gxq-28', '3jzfcijpj2z2 ',
	'kjzfcijpj2z2a', 'c222-222-2222-22', 'rzzzzzzzzzzzz');
\pset tuples_only off
\pset format aligned

-- fields: what is made of them is taken apart again
SELECT t, c, v::bigint, v AS tid64, p.ts = t AND p.clock_id = c AS same,
		v::bigint = extract(epoch FROM t) * 1000000 * 1024 + c AS by_rule
	FROM (VALUES (timestamptz '1970-01-01Z', 0), ('1970-01-01Z', 1023),
			('1969-12-31 23:59:59.999999Z', 0), ('1969-12-31 23:59:59.999999Z', 1023),
			('1684-07-28 00:12:25.259008Z', 0), ('2255-06-05 23:47:34.740991Z', 1023),
			('2024-07-19 16:40:46.480310Z', 32)) x (t, c),
		LATERAL (SELECT tid64_make(t, c)) y (v), tid64_parts(v) p;
-- clock ids as text
SELECT c, right(tid64_make('1970-01-01Z', c)::text, 2)
	FROM unnest('{0,31,32,991,992,1023}'::int[]) c;

-- every bigint is a tid64, at no cost, and means the same
SELECT b, b::tid64, b::tid64::bigint = b AS same, b::tid64::text::tid64 = b::tid64 AS round_trip
	FROM unnest('{-9223372036854775808,-1025,-1024,-1,0,1,1023,1024,9223372036854775807}'
		::bigint[]) b;
SELECT count(*) AS pairs, bool_and((a::tid64 < b::tid64) = (a < b)) AS chronological,
		bool_and((a::tid64 < b::tid64) = (a::tid64::text COLLATE "C" < b::tid64::text))
			FILTER (WHERE a >= 0 AND b >= 0) AS as_text_since_1970,
		bool_and((tid64_timestamp(a::tid64) < tid64_timestamp(b::tid64)) = (a >> 10 < b >> 10))
			AS as_time
	FROM (SELECT ('x' || left(md5(n::text), 16))::bit(64)::bigint AS a,
			('x' || left(md5('x' || n), 16))::bit(64)::bigint AS b
		FROM generate_series(1, 1000) n) x;
SELECT tid64_min(t)::bigint, tid64_max(t)::bigint, tid64_min(t)::timestamptz = t AS same
	FROM unnest('{1684-07-28 00:12:25.259008Z,1969-12-31 23:59:59.999999Z,1970-01-01Z,
		2024-07-19 16:40:46.480310Z,2255-06-05 23:47:34.740991Z}'::timestamptz[]) t;

-- a rewrite of a bigint column keeps the heap
CREATE TEMP TABLE t (id bigint);
INSERT INTO t SELECT n FROM generate_series(1, 10) n;
SELECT pg_relation_filenode('t') AS before \gset
ALTER TABLE t ALTER id TYPE tid64 USING id::tid64;
SELECT pg_relation_filenode('t') = :before AS same_file, min(id), max(id) FROM t;

-- generated for a given instant
SELECT bool_and(tid64_timestamp(v) = '2024-07-19 16:40:46.480310Z') AS in_tick,
		min(tid64_clock_id(v)) = max(tid64_clock_id(v)) AS one_clock_id,
		max(tid64_clock_id(v)) < 32 AS best_effort,
		min(tid64_clock_id(v)) = min(tid64_clock_id(tid64_generate())) AS that_of_the_server
	FROM (SELECT tid64_generate_at('2024-07-19 16:40:46.480310Z')
		FROM generate_series(1, 100)) x (v);

-- errors
\pset format unaligned
\pset tuples_only on
SELECT errors('%s', 'tid64_make(''2026-01-01'', 1024)', 'tid64_make(''2026-01-01'', -1)',
	'tid64_make(''1684-07-28 00:12:25.259007Z'', 0)',
	'tid64_make(''2255-06-05 23:47:34.740992Z'', 0)',
	'tid64_min(''-infinity'')', 'tid64_max(''infinity'')', 'tid64_generate_at(''infinity'')',
	'''\x1876716dc2ced8''::bytea::tid64', '''\x1876716dc2ced80100''::bytea::tid64');
\pset tuples_only off
\pset format aligned

-- the windows of the draft's prefixes, in UTC, with and without dashes
SELECT p, tid64_timestamp(lower(r)) AS first, tid64_timestamp(upper(r)) AS last,
		tid64_clock_id(lower(r)) = 0 AND tid64_clock_id(upper(r)) = 1023 AS all_clock_ids,
		tid64_prefix(replace(p, '-', '')) = r AS without_dashes
	FROM unnest('{3kxn-lhr-3gxq,3kxn-lhr-3gxq-,3kxn-lhr,3kxn-lhr-,3kxn,3kxn-,3k}'::text[])
		WITH ORDINALITY u (p, n), tid64_prefix(p) r ORDER BY n;
SELECT tid64_prefix(''), tid64_prefix('3kxn-lhr-3gxq-23'), tid64_prefix('3kxnlhr3gxq23');
SELECT string_agg(c, '' ORDER BY n) AS empty FROM regexp_split_to_table(
		'234567abcdefghijklmnopqrstuvwxyz', '') WITH ORDINALITY u (c, n)
	WHERE isempty(tid64_prefix(c));
\pset format unaligned
\pset tuples_only on
SELECT errors('%s', 'tid64_prefix(''3kxn-lhr-3gxq-234'')', 'tid64_prefix(''3kxnlhr3gxq234'')',
	'tid64_prefix(''3kx-'')', 'tid64_prefix(''-'')', 'tid64_prefix(''3kxn--'')',
	'tid64_prefix(''3kxn-lhr-3gxq-23-'')', 'tid64_prefix(''3K'')', 'tid64_prefix(''3k1'')');
\pset tuples_only off
\pset format aligned

-- an encrypted one is 13 digits without dashes, in small letters
\pset format unaligned
\pset tuples_only on
SELECT errors('%s',
	'tid64_decrypt(''3kxn-lhr-3gxq-23'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'tid64_decrypt(''3kxn-lhr-3gxq'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'tid64_decrypt(''3jzfcijpj2z2'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'tid64_decrypt(''3JZFCIJPJ2Z2A'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'tid64_decrypt(''kjzfcijpj2z2a'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'tid64_decrypt('''', ''\x2b7e151628aed2a6abf7158809cf4f3c'')');
\pset tuples_only off
\pset format aligned

-- what not all types have
\pset format unaligned
\pset tuples_only on
SELECT own_objects('tid64');
\pset tuples_only off
\pset format aligned
