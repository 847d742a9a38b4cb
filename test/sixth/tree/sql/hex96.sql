--
-- hex96: 96 bits of milliseconds, counter and random tail
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

SELECT v AS hex96, v::bytea, p.*, hex96_make(p.ts, p.counter, p.tail) = v AS same
	FROM unnest('{024c0c29400abcde89abcdef,000000000000000000000000,
			ffffffffffffffffffffffff}'::hex96[]) WITH ORDINALITY u (v, n), hex96_parts(v) p
	ORDER BY n;
\pset format unaligned
\pset tuples_only on
SELECT errors('%L::hex96', '', '024c0c29400abcde89abcdeg');
SELECT errors('hex96_make(%s)', '''2025-01-01'', 1048576, 0',
	'''2025-01-01'', 0, 1::bigint << 32', '''2019-12-31 23:59Z'', 0, 0');

-- what not all types have
SELECT own_objects('hex96');
