--
-- scru160: 160 bits of milliseconds, counter and random bits.  What its functions make of any id,
-- and of what is refused, the suite compare asks an oracle; here are what only scru160 has, and
-- the words of errors.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

-- the first and the last millisecond are reserved, their neighbours are not
SELECT scru160_timestamp(scru160_generate_at(t)) = t AS generated
	FROM unnest('{1970-01-01 00:00:00.001Z,10889-08-02 05:31:50.654Z}'::timestamptz[]) t;

\pset format unaligned
\pset tuples_only on
-- input that is none
SELECT errors('%L::scru160', VARIADIC refused(:'invalid', 'scru160'));
-- fields, uses of the counter and instants that are none
SELECT errors('scru160_make(%s)',
	'''2026-01-01'', 65536, ''\x000102030405060708090a0b''',
	'''2026-01-01'', -1, ''\x000102030405060708090a0b''',
	'''2026-01-01'', 0, ''\x000102030405060708090a''',
	'''2026-01-01'', 0, ''\x000102030405060708090a0b0c''',
	'''1969-12-31 23:59:59.999Z'', 0, ''\x000102030405060708090a0b''');
SELECT errors('scru160_generate(%L)', 'nanosecond', '');
-- the document's name for the other use: the upper 10 bits of the counter are the microsecond
SELECT scru160_counter(scru160_generate_at('2026-01-01 00:00:00.000123Z', counter_use)) >> 6
	FROM unnest(ARRAY['microsecond', 'alternative', 'Alternative']) counter_use;
SELECT scru160_counter(scru160_generate('alternative')) >> 6 < 1000 AS microseconds;
SELECT errors('scru160_generate_at(%s)', '''2026-01-01'', ''random''', '''1970-01-01Z''',
	'''1970-01-01 00:00:00.000999Z'', ''microsecond''', '''10889-08-02 05:31:50.655Z''',
	'''10889-08-02 05:31:50.656Z''');
SELECT errors('scru160_min(%L)', '1969-12-31 23:59:59.999999Z', 'infinity');
SELECT errors('scru160_max(%L)', '10889-08-02 05:31:50.656Z', '-infinity');
-- bytes that are none
SELECT errors('%L::bytea::scru160', '', '\x017bdf6431bb33788c1f750c4a375d4af97f11',
	'\x017bdf6431bb33788c1f750c4a375d4af97f118400');
-- prefixes, and encrypted ones, are of the base32hex form and nothing else
SELECT errors('scru160_prefix(%L)', '017bdf6431bb33788c1f750c4a375d4af97f1184',
	'017bdf6431bb33788c1f750c4a375d4af9', '05TTW', ' ');
SELECT errors('scru160_decrypt(%L, ''\x2b7e151628aed2a6abf7158809cf4f3c'')', '',
	'017bdf6431bb33788c1f750c4a375d4af97f1184', '05TTUP1HNCPNH30VEK64KDQT9BSNU4C',
	'05TTUP1HNCPNH30VEK64KDQT9BSNU4CW');
-- what not all types have
SELECT own_objects('scru160');
