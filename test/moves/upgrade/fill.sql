-- Data for upgrades and dumps: for each type a table for each kind of index, partitions, and what
-- else a database may hold of a type.  The tables hold the same rows; the checks go by "shapes".
\i test/lib/ask.sql

CREATE TABLE shapes (name text PRIMARY KEY, index text, conditions text[]);
INSERT INTO shapes VALUES
	('btree', 'UNIQUE INDEX ON @table@ (id)', '{id = @id@, id > @id@, id <@ @span@}'),
	('descending', 'UNIQUE INDEX ON @table@ (id DESC) INCLUDE (n)', '{id < @id@, id <@ @span@}'),
	('columns', 'INDEX ON @table@ (few, id)', '{few = 3 AND id > @id@, few = 3 AND id <@ @span@}'),
	('partial', 'INDEX ON @table@ (n) WHERE id > @id@', '{id > @id@ AND n > 0}'),
	('window', 'INDEX ON @table@ (n) WHERE id <@ @span@', '{id <@ @span@ AND n > 0}'),
	('expression', 'INDEX ON @table@ (@T@_timestamp(id))',
		'{@T@_timestamp(id) > @T@_timestamp(@id@)}'),
	('hash', 'INDEX ON @table@ USING hash (id)', '{id = @id@}'),
	('gist', 'INDEX ON @table@ USING gist (id)', '{id = @id@, id >= @id@}'),
	('minmax', 'INDEX ON @table@ USING brin (id) WITH (pages_per_range = 1)',
		'{id = @id@, id > @id@, id <@ @span@}'),
	('minmax_multi', 'INDEX ON @table@ USING brin (id @T@_minmax_multi_ops)',
		'{id = @id@, id > @id@, id <@ @span@}'),
	('bloom', 'INDEX ON @table@ USING brin (id @T@_bloom_ops) WITH (pages_per_range = 1)',
		'{id = @id@}'),
	('array_gin', 'INDEX ON @table@ USING gin (ids)', '{ids @> ARRAY[@id@], ids && ARRAY[@id@]}'),
	('array_btree', 'INDEX ON @table@ (ids)', '{ids > ARRAY[@id@]}'),
	('array_hash', 'INDEX ON @table@ USING hash (ids)', '{ids = ARRAY[@id@]}'),
	('composite', 'INDEX ON @table@ (pair)', '{"pair > (@id@, NULL)::@T@_pair"}'),
	('domain', 'INDEX ON @table@ (recent)', '{recent > @id@}'),
	('range_gist', 'INDEX ON @table@ USING gist (span)', '{span @> @id@, span && @span@}'),
	('range_spgist', 'INDEX ON @table@ USING spgist (span)', '{span @> @id@, span && @span@}'),
	('range_btree', 'INDEX ON @table@ (span)', '{span > @span@}'),
	('range_hash', 'INDEX ON @table@ USING hash (span)', '{span = @span@}'),
	('multirange_gist', 'INDEX ON @table@ USING gist (spans)', '{spans @> @id@, spans && @span@}'),
	('multirange_btree', 'INDEX ON @table@ (spans)', '{spans > @T@multirange(@span@)}');

-- What stands for the parameters of a shape, of which id and span are in the data.
CREATE TABLE samples (t text PRIMARY KEY, id text, span text);
CREATE FUNCTION of_shape(statement text, t text, shape text) RETURNS text LANGUAGE sql AS $$
	SELECT replace(replace(replace(replace(statement, '@id@', format('%L::%s', id, t)),
		'@span@', format('%L::%srange', span, t)), '@table@', t || '_' || shape), '@T@', t)
	FROM samples WHERE samples.t = of_shape.t
$$;

-- Ids made now, and the first ids of days.
CALL for_each_type($call$
	CREATE DOMAIN @T@_recent AS @T@ CHECK (VALUE >= @T@_min('2024-06-01Z'));
	CREATE TYPE @T@_pair AS (one @T@_recent, two @T@);
	CREATE TABLE @T@_data (n int, few int, id @T@, ids @T@[], recent @T@_recent,
		recents @T@_recent[], pair @T@_pair, span @T@range, spans @T@multirange);
	DO $$
	BEGIN
		EXECUTE format('CREATE FUNCTION @T@_new() RETURNS @T@ LANGUAGE sql AS %L', 'SELECT ' ||
			(SELECT call FROM generators_known WHERE t = '@T@' AND NOT at ORDER BY 1 LIMIT 1));
	END
	$$;
	INSERT INTO @T@_data (n, id) SELECT n, CASE WHEN n > 200 THEN @T@_new()
		ELSE @T@_min('2024-06-01Z'::timestamptz + n * interval '1 day') END
		FROM generate_series(1, 400) n;
	CREATE TABLE @T@_ahead (id @T@ DEFAULT @T@_new());
	UPDATE @T@_data SET few = n % 7, ids = ARRAY[id], recent = id, recents = ARRAY[id, NULL],
		pair = ROW(id, @T@_max('2025-01-01Z')), span = @T@range(id, @T@_max(@T@_timestamp(id))),
		spans = @T@multirange(@T@range(id, id, '[]'), @T@range(@T@_max(@T@_timestamp(id)), NULL));
	INSERT INTO @T@_data (n) VALUES (0);
	INSERT INTO samples SELECT '@T@', id, span FROM @T@_data WHERE n = 77;

	CREATE TABLE @T@_by_range (LIKE @T@_data) PARTITION BY RANGE (id);
	CREATE TABLE @T@_by_hash (LIKE @T@_data) PARTITION BY HASH (id);
	CREATE TABLE @T@_by_list (LIKE @T@_data) PARTITION BY LIST (id);
	DO $$
	BEGIN
		EXECUTE format('CREATE TABLE @T@_by_range_1 PARTITION OF @T@_by_range
			FOR VALUES FROM (MINVALUE) TO (%1$L);
			CREATE TABLE @T@_by_range_2 PARTITION OF @T@_by_range
			FOR VALUES FROM (%1$L) TO (MAXVALUE);
			CREATE TABLE @T@_by_range_3 PARTITION OF @T@_by_range DEFAULT;
			CREATE TABLE @T@_by_list_1 PARTITION OF @T@_by_list FOR VALUES IN (%1$L, NULL);
			CREATE TABLE @T@_by_list_2 PARTITION OF @T@_by_list DEFAULT', id)
			FROM samples WHERE t = '@T@';
		FOR i IN 0 .. 3 LOOP
			EXECUTE format('CREATE TABLE @T@_by_hash_%1$s PARTITION OF @T@_by_hash
				FOR VALUES WITH (MODULUS 4, REMAINDER %1$s)', i);
		END LOOP;
	END
	$$;
	INSERT INTO @T@_by_range TABLE @T@_data;
	INSERT INTO @T@_by_hash TABLE @T@_data;
	INSERT INTO @T@_by_list TABLE @T@_data;
	CREATE INDEX ON @T@_by_range (id);
	CREATE INDEX ON @T@_by_hash USING hash (id);

	CREATE TABLE @T@_parent (id @T@ PRIMARY KEY, during tstzrange, made timestamptz
			GENERATED ALWAYS AS (@T@_timestamp(id)) STORED, CHECK (id >= @T@_min('2024-06-01Z')),
		EXCLUDE USING gist (id WITH =));
	INSERT INTO @T@_parent SELECT id FROM @T@_data WHERE id IS NOT NULL;
	CREATE TABLE @T@_child (parent @T@ REFERENCES @T@_parent);
	INSERT INTO @T@_child SELECT id FROM @T@_data;
	CREATE MATERIALIZED VIEW @T@_view AS
		SELECT p.id, made FROM @T@_parent p JOIN @T@_child ON parent = p.id
		WHERE id <@ @T@_range('2024-06-20Z', '2024-10-20Z');
	CREATE INDEX ON @T@_view (id);
	CREATE STATISTICS @T@_statistics ON id, few FROM @T@_data;

	-- ids that follow each other, each with the same few hundred numbers, for skip scans
	CREATE TABLE @T@_dense AS
		WITH RECURSIVE dense (i, id) AS (SELECT 1, @T@_min('2026-01-01Z')
			UNION ALL SELECT i + 1, @T@_range_first(@T@range(id, NULL, '()')) FROM dense
				WHERE i < 40)
		SELECT id, v FROM dense, generate_series(1, 400) v;
	CREATE INDEX ON @T@_dense (id, v);
$call$);
-- How often an index of these is searched for one number; none before PostgreSQL 18.
CREATE FUNCTION searches(t text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	SET LOCAL enable_seqscan = off;
	SET LOCAL enable_bitmapscan = off;
	FOR line IN EXECUTE format('EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF)
		SELECT id FROM %s_dense WHERE v = 77', t) LOOP
		IF line ~ 'Index Searches' THEN
			RETURN substring(line, '\d+');
		END IF;
	END LOOP;
	RETURN NULL;
END
$$;
CREATE SCHEMA notes;
CREATE TABLE notes.searched (t text, searches int);

SELECT of_shape('CREATE TABLE @table@ (LIKE @T@_data)', t, name),
		of_shape('INSERT INTO @table@ TABLE @T@_data', t, name),
		of_shape('CREATE ' || index, t, name)
	FROM shapes, samples \gexec
VACUUM ANALYZE;

-- Columns of the server's uuid, with what idtypes_uuid has for them.
CREATE EXTENSION idtypes_uuid;
CREATE TABLE guids (id uuid PRIMARY KEY DEFAULT uuid7_generate(), n int, span uuidrange,
	spans uuidmultirange, CHECK (id <@ uuid7_range('2020-01-01Z', NULL)));
INSERT INTO guids SELECT overlay(overlay(uuid7_min('2024-06-01Z'::timestamptz
		+ n * interval '1 day')::text PLACING '7' FROM 15) PLACING '8' FROM 20)::uuid, n
	FROM generate_series(1, 200) n;
INSERT INTO guids (n) SELECT generate_series(201, 400);
UPDATE guids SET span = uuid_prefix(left(id::text, 9)), spans = uuidmultirange(uuidrange(id, NULL));
CREATE INDEX ON guids (n) WHERE id <@ uuid7_range('2024-06-01Z', '2024-08-01Z');
CREATE INDEX ON guids USING gist (span);
CREATE VIEW guids_of_june AS SELECT n FROM guids WHERE uuid7_within(id, NULL, '2024-07-01Z');
CREATE TABLE guids_parts (LIKE guids INCLUDING DEFAULTS) PARTITION BY RANGE (id);
CREATE TABLE guids_part1 PARTITION OF guids_parts FOR VALUES
	FROM (MINVALUE) TO ('0190c4b5-7000-0000-0000-000000000000');
CREATE TABLE guids_part2 PARTITION OF guids_parts DEFAULT;
INSERT INTO guids_parts TABLE guids;
