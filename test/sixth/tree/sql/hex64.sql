--
-- hex64: 64 bits of milliseconds and counter
--
\set ECHO none
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/setup.psql'
\i :setup
\set ECHO all

SELECT v AS hex64, v::bytea, p.*, hex64_make(p.ts, p.counter) = v AS same
	FROM unnest('{024c0c29400abcde,0000000000000000,ffffffffffffffff}'::hex64[])
		WITH ORDINALITY u (v, n), hex64_parts(v) p ORDER BY n;
\pset format unaligned
\pset tuples_only on
SELECT input_errors('hex64', '', '024c0c29400abcdg');
SELECT errors('hex64_make(''2025-01-01'', 1048576)', 'hex64_make(''2019-12-31 23:59Z'', 0)');

-- what not all types have
SELECT own_objects('hex64');
