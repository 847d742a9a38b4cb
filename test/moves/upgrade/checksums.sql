-- A line for each table, partition and materialized view: name, rows, checksum.
SET timezone = 'UTC';
SELECT format('SELECT %L, count(*), md5(string_agg(t::text, chr(10) ORDER BY t::text COLLATE "C"))'
		' FROM ONLY %s t', oid::regclass, oid::regclass)
	FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'm')
	ORDER BY relname \gexec
