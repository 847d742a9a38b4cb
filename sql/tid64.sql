--
-- tid64: 64 bits of signed microseconds and clock id.  What its functions make of any id, and of
-- what is refused, the suite compare asks an oracle; here are what only tid64 has, and the words
-- of errors.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

-- the cast by name
SELECT bool_and(tid64_to_bigint(n::tid64) = n)
	FROM unnest(ARRAY[-9223372036854775808, -1, 0, 1, 9223372036854775807]) n;

\pset format unaligned
\pset tuples_only on
-- input that is none
SELECT errors('%L::tid64', VARIADIC refused(:'invalid', 'tid64'));
-- fields, instants and bytes that are none
SELECT errors('%s', 'tid64_make(''2026-01-01'', 1024)', 'tid64_make(''2026-01-01'', -1)',
	'tid64_make(''1684-07-28 00:12:25.259007Z'', 0)',
	'tid64_make(''2255-06-05 23:47:34.740992Z'', 0)',
	'tid64_min(''-infinity'')', 'tid64_max(''infinity'')', 'tid64_generate_at(''infinity'')',
	'''\x1876716dc2ced8''::bytea::tid64', '''\x1876716dc2ced80100''::bytea::tid64');
-- prefixes; an encrypted one is 13 digits without dashes, in small letters
SELECT errors('tid64_prefix(%L)', '3kxn-lhr-3gxq-234', '3kxnlhr3gxq234', '3kx-', '-', '3kxn--',
	'3kxn-lhr-3gxq-23-', '3K', '3k1');
SELECT errors('tid64_decrypt(%L, ''\x2b7e151628aed2a6abf7158809cf4f3c'')', '', '3kxn-lhr-3gxq-23',
	'3kxn-lhr-3gxq', '3jzfcijpj2z2', '3JZFCIJPJ2Z2A', 'kjzfcijpj2z2a');
-- what not all types have
SELECT own_objects('tid64');
