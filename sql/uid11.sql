--
-- uid11: 64 bits in 11 Base58 characters, with profiles.  What its functions make of any id, and of
-- what is refused, the suite compare asks an oracle; here are what only uid11 has, and the words
-- of errors.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

-- a fraction of zeros is none
SELECT 18446744073709551615.0::uid11;
-- names of profiles: with and without the family, in any case
SELECT count(DISTINCT uid11_make('2026-01-01Z', 77, p)) AS one
	FROM unnest('{xid,XID,uid11-xid,UID11-Xid,snowish,uid11-snowish,ts-seq-rand,uid11-TS-SEQ-RAND}'
		::text[]) p;

\pset format unaligned
\pset tuples_only on
-- input that is none
SELECT errors('%L::uid11', VARIADIC refused(:'invalid', 'uid11'));
-- a character that a reader does not see is shown by its code, without a word of look-alikes
SELECT errors('%L::uid11', U&'113q8KFkA\200BE', U&'\FEFF13q8KFkAE0', U&'113q8KFkAE\00A0',
	U&'113q8KFkAE\0007', U&'113q8KFkAE\202E', U&'113q8KFkAE\3000');
-- fields, instants and profiles that are none
SELECT errors('uid11_make(%s)', '''2026-01-01'', 4194304', '''2026-01-01'', -1',
	'''2026-01-01'', ''infinity''', '''2026-01-01'', ''-infinity''', '''2026-01-01'', ''NaN''',
	'''2026-01-01'', 1e100',
	'''2011-11-11 11:11:11.110999Z'', 0', '''2151-03-25 18:46:22.215Z'', 0',
	'''2081-07-18 02:58:46.663Z'', 0, ''snowish''', '''2026-01-01'', 0, ''fullrand''',
	'''2026-01-01'', 0, ''ulid''');
SELECT errors('uid11_generate(%L)', 'snowflake', '', 'uid11-', 'uid11-uid11-xid', 'xids', 'xid ');
SELECT errors('uid11_generate_at(%s)', '''2026-01-01'', ''fullrand''',
	'''2081-07-18 02:58:46.663Z'', ''snowish''', '''infinity''');
SELECT errors('%s', 'uid11_min(''2011-11-11 11:11:11.110999Z'')',
	'uid11_max(''2151-03-25 18:46:22.215Z'')', 'uid11_min(''-infinity'')',
	'uid11_timestamp(''11111111111'', ''sequence'')');
SELECT errors('%s(''jpXCZedGfVQ'', ''snowish'')', 'uid11_timestamp', 'uid11_random', 'uid11_parts');
-- numbers and bytes that are none
SELECT errors('%s', '9223372036854775808::uid11::bigint', 'uid11 ''jpXCZedGfVQ''::bigint',
	'(-1)::bigint::uid11', '(-1)::numeric::uid11', '18446744073709551616::uid11', '1.5::uid11',
	'''NaN''::numeric::uid11', '''\x00014997000000''::bytea::uid11',
	'''\x000149970000000000''::bytea::uid11');
-- prefixes; an encrypted one is 11 digits, not above the largest
SELECT errors('uid11_prefix(%L)', '113q8KFkAEs1', '0', '3k ');
SELECT errors('uid11_decrypt(%L, ''\x2b7e151628aed2a6abf7158809cf4f3c'')', '', '1111111111',
	'111111111111', '113q8KFkAE0', 'jpXCZedGfVR', '0f5e9c26-bb57-4f71-987b-1c04b511842b');
-- what not all types have
SELECT own_objects('uid11');
