-- What there is on PostgreSQL 18 and later once the extension is up to date: keys WITHOUT OVERLAPS,
-- made here, or where they are there already, brought along from the major before.
SELECT ask('WITHOUT OVERLAPS makes keys and foreign keys', $$
	SELECT to_regclass('@T@_reference') IS NOT NULL
		OR err('CREATE TABLE @T@_key (id @T@, valid int4range,
				PRIMARY KEY (id, valid WITHOUT OVERLAPS));
			CREATE TABLE @T@_reference (id @T@, valid int4range,
				FOREIGN KEY (id, PERIOD valid) REFERENCES @T@_key (id, PERIOD valid));
			INSERT INTO @T@_key SELECT @T@_min(''2026-01-01Z''), int4range(n, n + 5)
				FROM generate_series(0, 95, 5) n;
			INSERT INTO @T@_reference VALUES (@T@_min(''2026-01-01Z''), ''[3,17)'')')
			LIKE 'no error%'$$);
SELECT ask('such a key refuses an overlap, for this id alone', $$
	SELECT err('INSERT INTO @T@_key VALUES (@T@_min(''2026-01-01Z''), ''[99,101)'')') LIKE '23P01:%'
		AND err('INSERT INTO @T@_key VALUES (@T@_max(''2026-01-01Z''), ''[99,101)''); SELECT 1/0')
			LIKE '22012:%'$$);
SELECT ask('such a foreign key refuses what is not covered', $$
	SELECT err('INSERT INTO @T@_reference VALUES (@T@_min(''2026-01-01Z''), ''[98,102)'')')
			LIKE '23503:%'
		AND err('DELETE FROM @T@_key WHERE valid @> 12') LIKE '23503:%'$$);
