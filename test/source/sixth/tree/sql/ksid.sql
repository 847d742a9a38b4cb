--
-- ksid: seconds, counter and random bytes
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
SELECT v AS ksid, v::bytea, p.* FROM ksid_make('2025-01-01 00:00Z', 11259375, '\x0123456789abcd') v,
	ksid_parts(v) p;
SELECT errors('%L::ksid', VARIADIC refused(:'invalid', 'ksid'));
SELECT own_objects('ksid');
