--
-- ksid: seconds, counter and random tail
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

SELECT v AS ksid, v::bytea, p.*, ksid_make(p.ts, p.counter, p.tail) = v AS same
	FROM unnest('{0bkrIOKR7tUlYh2w6yuXqJ,0000000000000000000000,
			7n42DGM5Tflk9n8mt7Fhc7}'::ksid[]) WITH ORDINALITY u (v, n), ksid_parts(v) p
	ORDER BY n;
\pset format unaligned
\pset tuples_only on
SELECT errors('%L::ksid', '', '000000000000000000000-', '7n42DGM5Tflk9n8mt7Fhc8');
SELECT errors('ksid_make(%s)', '''2025-01-01'', 4294967296, ''12345678''',
	'''2025-01-01'', 0, ''1''', '''2014-05-13 16:53Z'', 0, ''12345678''');

-- what not all types have
SELECT own_objects('ksid');
