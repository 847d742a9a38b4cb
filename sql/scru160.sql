--
-- scru160: 160 bits of milliseconds, counter and random bits
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

-- the published ids; the first is also given in the other form
SELECT t AS text, v AS scru160, scru160_hex(v), scru160_timestamp(v), scru160_counter(v)
	FROM unnest('{05TTUP1HNCPNH30VEK64KDQT9BSNU4C4,05TTUP1HNCPNIB63R8IN5V2L3VFGNFET,
		017bdf6431bb33750751eb63beb3c3f8c5969d86,017bdf6431bb337662412e6a5758890735c33c2b}'::text[])
		WITH ORDINALITY u (t, n), LATERAL (SELECT t::scru160) x (v) ORDER BY n;
SELECT x.n, x.v = '05TTUP1HNCPNH30VEK64KDQT9BSNU4C4' AS same
	FROM (VALUES (1, scru160 '05ttup1hncpnh30vek64kdqt9bsnu4c4'),
		(2, '05TtUp1hNcPnH30vEk64kDqT9bSnU4c4'),
		(3, '017bdf6431bb33788c1f750c4a375d4af97f1184'),
		(4, '017BDF6431BB33788C1F750C4A375D4AF97F1184'),
		(5, '\x017bdf6431bb33788c1f750c4a375d4af97f1184'::bytea::scru160)) x (n, v) ORDER BY n;
-- the smallest and the largest
SELECT v AS scru160, scru160_hex(v), v::bytea, scru160_hex(v)::scru160 = v AS round_trip,
		scru160_timestamp(v)
	FROM unnest('{00000000000000000000000000000000,VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV}'::scru160[]) v;

-- input that is none
\pset format unaligned
\pset tuples_only on
SELECT errors('%L::scru160',
	'', '05TTUP1HNCPNH30VEK64KDQT9BSNU4C', '05TTUP1HNCPNH30VEK64KDQT9BSNU4C44',
	'017bdf6431bb33788c1f750c4a375d4af97f118', '017bdf6431bb33788c1f750c4a375d4af97f11840',
	'05TTUP1HNCPNH30VEK64KDQT9BSNU4CW', 'z5TTUP1HNCPNH30VEK64KDQT9BSNU4C4',
	'017bdf6431bb33788c1f750c4a375d4af97f118g', '05TTUP1HNCPNH30V-K64KDQT9BSNU4C4',
	' 05TTUP1HNCPNH30VEK64KDQT9BSNU4C4', '05TTUP1HNCPNH30VEK64KDQT9BSNU4C' || chr(233),
	chr(233) || '5TTUP1HNCPNH30VEK64KDQT9BSN$U', '05TTUP1HNCPNH30VEK64KDQT9BSNU4C' || chr(10));
\pset tuples_only off
\pset format aligned

-- fields
SELECT p.*, scru160_make(p.ts, p.counter, p.random) = v AS recomposed
	FROM (SELECT scru160 '05TTUP1HNCPNH30VEK64KDQT9BSNU4C4') x (v), scru160_parts(v) p;
SELECT scru160_hex(scru160_make('2026-01-02 03:04:05.678999Z', 65535,
	'\x000102030405060708090a0b'));
SELECT scru160_timestamp(v), scru160_counter(v), scru160_random(v), v::timestamptz
	FROM scru160_make('1970-01-01Z', 0, '\xffffffffffffffffffffffff') v;

-- time
SELECT scru160_hex(scru160_min(t)), scru160_hex(scru160_max(t))
	FROM unnest('{1970-01-01Z,1970-01-01 00:00:00.000999Z,2026-01-02 03:04:05.678Z,
		10889-08-02 05:31:50.655Z,10889-08-02 05:31:50.655999Z}'::timestamptz[]) t;
SELECT count(*) AS ticks, bool_and(scru160_timestamp(scru160_min(t)) = t) AS survive
	FROM generate_series(timestamptz '2026-01-02Z', '2026-01-02 00:00:01Z', '1 ms') t;

-- generated for a given instant: counter uses
SELECT bool_and(scru160_timestamp(v) = '2026-01-02 03:04:05.678Z') AS in_tick,
		min(scru160_counter(v)) >= 0 AND max(scru160_counter(v)) < 32768 AS counter_15_bits,
		count(DISTINCT scru160_counter(v)) > 900 AS counter_random,
		count(DISTINCT scru160_random(v)) AS random_fields
	FROM (SELECT scru160_generate_at('2026-01-02 03:04:05.678901Z')
		FROM generate_series(1, 1000)) x (v);
SELECT bool_and(scru160_timestamp(v) = '2026-01-02 03:04:05.678Z') AS in_tick,
		bool_and(scru160_counter(v) >> 6 = 901) AS microsecond,
		max(scru160_counter(v) & 63) < 32 AS counter_5_bits,
		count(DISTINCT scru160_counter(v)) AS counters,
		count(DISTINCT scru160_random(v)) AS random_fields
	FROM (SELECT scru160_generate_at('2026-01-02 03:04:05.678901Z', 'microsecond')
		FROM generate_series(1, 1000)) x (v);
-- the first and the last millisecond are reserved, their neighbours are not
SELECT scru160_timestamp(scru160_generate_at(t)) = t AS generated
	FROM unnest('{1970-01-01 00:00:00.001Z,10889-08-02 05:31:50.654Z}'::timestamptz[]) t;

-- errors
\pset format unaligned
\pset tuples_only on
SELECT errors('%s',
	'scru160_make(''2026-01-01'', 65536, ''\x000102030405060708090a0b'')',
	'scru160_make(''2026-01-01'', -1, ''\x000102030405060708090a0b'')',
	'scru160_make(''2026-01-01'', 0, ''\x000102030405060708090a'')',
	'scru160_make(''2026-01-01'', 0, ''\x000102030405060708090a0b0c'')',
	'scru160_make(''1969-12-31 23:59:59.999Z'', 0, ''\x000102030405060708090a0b'')',
	'scru160_generate(''nanosecond'')', 'scru160_generate('''')',
	'scru160_generate_at(''2026-01-01'', ''random'')',
	'scru160_generate_at(''1970-01-01Z'')',
	'scru160_generate_at(''1970-01-01 00:00:00.000999Z'', ''microsecond'')',
	'scru160_generate_at(''10889-08-02 05:31:50.655Z'')',
	'scru160_generate_at(''10889-08-02 05:31:50.656Z'')');
SELECT errors('%s', '''\x017bdf6431bb33788c1f750c4a375d4af97f11''::bytea::scru160',
	'''\x017bdf6431bb33788c1f750c4a375d4af97f118400''::bytea::scru160', '''''::bytea::scru160',
	'scru160_min(''1969-12-31 23:59:59.999999Z'')', 'scru160_max(''10889-08-02 05:31:50.656Z'')',
	'scru160_min(''infinity'')', 'scru160_max(''-infinity'')');
\pset tuples_only off
\pset format aligned

-- order is that of the bytes, and of both texts
SELECT count(*) AS pairs, bool_and((a < b) = (a::text COLLATE "C" < b::text)) AS as_text,
		bool_and((a < b) = (scru160_hex(a) COLLATE "C" < scru160_hex(b))) AS as_hex,
		bool_and((a < b) = (a::bytea < b::bytea)) AS as_bytes
	FROM (SELECT (md5(n::text) || left(md5('x' || n), 8))::scru160 AS a,
			(md5('y' || n) || left(md5('z' || n), 8))::scru160 AS b
		FROM generate_series(1, 1000) n) x;

-- prefixes are of the base32hex form
SELECT p, scru160_hex(lower(scru160_prefix(p))) AS first,
		scru160_hex(upper(scru160_prefix(p))) AS last
	FROM unnest('{"",0,V,v,05TTUP1HN,05ttup1hn,05TTUP1HNCPNH30VEK64KDQT9BSNU4C4}'::text[]) p;
\pset format unaligned
\pset tuples_only on
SELECT errors('%s', 'scru160_prefix(''017bdf6431bb33788c1f750c4a375d4af97f1184'')',
	'scru160_prefix(''05TTW'')', 'scru160_prefix('' '')');
\pset tuples_only off
\pset format aligned

-- an encrypted one is 32 base32hex digits and nothing else
\pset format unaligned
\pset tuples_only on
SELECT errors('%s',
	'scru160_decrypt(''017bdf6431bb33788c1f750c4a375d4af97f1184'',
		''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'scru160_decrypt(''05TTUP1HNCPNH30VEK64KDQT9BSNU4C'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'scru160_decrypt(''05TTUP1HNCPNH30VEK64KDQT9BSNU4CW'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'scru160_decrypt('''', ''\x2b7e151628aed2a6abf7158809cf4f3c'')');
\pset tuples_only off
\pset format aligned

-- what not all types have
\pset format unaligned
\pset tuples_only on
SELECT own_objects('scru160');
\pset tuples_only off
\pset format aligned
