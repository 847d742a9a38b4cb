--
-- ulidflake: 63 bits of milliseconds and randomness.  What its functions make of any id, and of
-- what is refused, the suite compare asks an oracle; here are what only ulidflake has, and the
-- words of errors.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

\pset format unaligned
\pset tuples_only on
-- input that is none
SELECT errors('%L::ulidflake', VARIADIC refused(:'invalid', 'ulidflake'));
-- fields and instants that are none
SELECT errors('ulidflake_make(%s)', '''2026-01-01'', 1048576', '''2026-01-01'', -1',
	'''2023-12-31 23:59:59.999999Z'', 0', '''2302-09-27 15:10:22.208Z'', 0');
SELECT errors('ulidflake_make_scalable(''2026-01-01'', %s)', '32768, 0', '0, 32', '0, -1');
SELECT errors('%s', 'ulidflake_generate_at(''2023-12-31'')',
	'ulidflake_generate_scalable_at(''infinity'')', 'ulidflake_min(''-infinity'')',
	'ulidflake_max(''2302-09-27 15:10:22.208Z'')');
-- the cast to a number by name
SELECT bool_and(ulidflake_to_bigint(n::ulidflake) = n)
	FROM unnest(ARRAY[0, 1, 14246757444195114, 9223372036854775807]) n;
-- numbers and bytes that are none
SELECT errors('%s::ulidflake', '(-1)', '(-1)::bigint', '(-9223372036854775808)::bigint',
	'''\x8000000000000000''::bytea', '''\xffffffffffffffff''::bytea', '''\x00329d59b4a993''::bytea',
	'''\x00329d58d4a9932a00''::bytea');
-- prefixes; an encrypted one is 13 digits, not above the largest
SELECT errors('ulidflake_prefix(%L)', '00CMXB6TAK4SA0', 'I', '00-');
SELECT errors('ulidflake_decrypt(%L, ''\x2b7e151628aed2a6abf7158809cf4f3c'')', '', '00CMXB6TAK4S',
	'00CMXB6TAK4SAA', '00CMXB6TAK4SI', '8000000000000', '01ARZ3NDEKTSV4RRFFQ69G5FAV');
-- what not all types have
SELECT own_objects('ulidflake');
