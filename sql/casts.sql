--
-- Text and numbers as ids: by assignment and never by themselves; instants and JSON if asked for;
-- and what a text of unknown origin is.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
-- string parameters and text columns can be inserted, copied and updated
CALL for_each_type($$
	CREATE TABLE @T@_target (id @T@ PRIMARY KEY, other @T@[], CHECK (id IS NOT NULL));
	CREATE TABLE @T@_source AS SELECT @T@_max('2026-01-02Z')::text AS t,
		@T@_max('2026-01-03Z')::text::varchar(100) AS v,
		@T@_max('2026-01-05Z')::text::char(60) AS c$$);
CALL for_each_type($$INSERT INTO @T@_target (id) SELECT t FROM @T@_source$$);
CALL for_each_type($$INSERT INTO @T@_target (id) SELECT v FROM @T@_source$$);
CALL for_each_type($$INSERT INTO @T@_target (id) SELECT c FROM @T@_source$$);
CALL for_each_type($$UPDATE @T@_target SET id = @T@_max('2026-01-04Z')::text
	WHERE id = @T@_max('2026-01-03Z')$$);
CALL for_each_type($$UPDATE @T@_target SET other = ARRAY[t, v] FROM @T@_source$$);
SELECT * FROM for_types($$SELECT string_agg(@T@_timestamp(id)::date || ' ' ||
	(other = ARRAY[@T@_max('2026-01-02Z'), @T@_max('2026-01-03Z')]), ', ' ORDER BY id)
	FROM @T@_target$$);
-- the blanks that fill up char(n) are ignored, those in text are not
SELECT * FROM for_types($$SELECT concat_ws(' ', octet_length(c), c::@T@ = c::text::@T@,
	split_part(outcome(format('SELECT (%L || '' '')::@T@', c::text)), ' ', 1),
	split_part(outcome('SELECT ''''::char(3)::@T@'), ' ', 1)) FROM @T@_source$$);
-- to variables and results of PL/pgSQL too
CREATE FUNCTION assigned(t text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('CREATE FUNCTION assign(v varchar, c char) RETURNS %1$s[] LANGUAGE plpgsql AS '
		'''DECLARE id %1$s; of_c %1$s := c; BEGIN id := v; RETURN ARRAY[id, of_c]; END''', t);
	EXECUTE format('SELECT (assign(v, c) = ARRAY[v, c]::%1$s[])::text FROM %1$s_source', t)
		INTO result;
	DROP FUNCTION assign;
	RETURN result;
END
$$;
SELECT * FROM for_types($$SELECT assigned('@T@')$$);

-- no text that is no id gets in
SELECT * FROM for_types($$SELECT split_part(err(
	'INSERT INTO @T@_target (id) SELECT ''nonsense''::text'), ' ', 1)$$);

-- Elsewhere nothing is cast by itself: a comparison or join with text, and a foreign key between
-- the two, are refused as they were.
CREATE FUNCTION refused(VARIADIC statements text[]) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(CASE WHEN err(s) ~ '^(42883|42804|42725): ' THEN left(err(s), 5)
			ELSE err(s) END, ' ' ORDER BY n)
		FROM unnest(statements) WITH ORDINALITY u (s, n)
$$;
SELECT * FROM for_types($$SELECT refused(
	'SELECT FROM @T@_target WHERE id = ''a''::text',
	'SELECT FROM @T@_target WHERE id = ''a''::varchar',
	'SELECT FROM @T@_target WHERE id = ''a''::char(9)',
	'SELECT FROM @T@_target WHERE id < ''a''::text',
	'SELECT FROM @T@_target WHERE id = ANY (ARRAY[''a'']::text[])',
	'SELECT FROM @T@_target JOIN @T@_source ON id = t',
	'SELECT FROM @T@_target JOIN @T@_source ON id = v',
	'SELECT FROM @T@_target WHERE id <@ ''a''::text',
	'SELECT @T@_timestamp(''a''::text)',
	'SELECT coalesce(id, ''a''::text) FROM @T@_target',
	'SELECT id FROM @T@_target UNION SELECT t FROM @T@_source')$$);
SELECT * FROM for_types($$SELECT refused(
	'CREATE TABLE child (id varchar REFERENCES @T@_target)',
	'CREATE TABLE child (id text REFERENCES @T@_target)',
	'ALTER TABLE @T@_source ADD FOREIGN KEY (t) REFERENCES @T@_target',
	'ALTER TABLE @T@_source ADD FOREIGN KEY (v) REFERENCES @T@_target',
	'ALTER TABLE @T@_source ADD FOREIGN KEY (c) REFERENCES @T@_target')$$);
-- and the other way round
CALL for_each_type('CREATE TABLE @T@_text (id text PRIMARY KEY)');
SELECT * FROM for_types($$SELECT refused(
	'CREATE TABLE child (id @T@ REFERENCES @T@_text)')$$);
-- what an untyped parameter is, is still up to the other side
PREPARE by_parameter AS SELECT count(*) FROM uid11_target WHERE id = $1 AND id = ANY ($2);
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'by_parameter';

-- Numbers.  PL/pgSQL converts through text where it finds no cast by assignment; each of these
-- numbers, written as text, is another id of the type.
CREATE TEMP TABLE numbers (t, n) AS
	VALUES ('tid64', 2345672345672), ('uid11', 12345678912), ('ulidflake', 1234567890123);
SELECT t, outcome(format('SELECT %L::%s = %s::bigint::%2$s', n, t, n)) AS same
	FROM numbers ORDER BY t;
CREATE FUNCTION by_number(t text, n bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE replace($f$
		CREATE TABLE stored (id @T@ DEFAULT 7::bigint, number bigint);
		CREATE FUNCTION id_in_sql(n bigint) RETURNS @T@ LANGUAGE sql AS 'SELECT n';
		CREATE FUNCTION number_in_sql(id @T@) RETURNS bigint LANGUAGE sql AS 'SELECT id';
		CREATE FUNCTION assigned_numbers(n bigint) RETURNS text LANGUAGE plpgsql AS '
		DECLARE
			id @T@ := n;
			number bigint := id;
			ids @T@[];
			small @T@ := 5;
		BEGIN
			ASSERT small = 5::bigint::@T@ AND 2147483647::@T@ = 2147483647::bigint::@T@;
			ASSERT id = n::@T@ AND number = n;
			ASSERT id_in_sql(n) = id AND number_in_sql(id) = n;
			ids[1] := n;
			ASSERT ids = ARRAY[id];
			SELECT n, id INTO id, number;
			ASSERT id = n::@T@ AND number = n;
			INSERT INTO stored VALUES (n, id) RETURNING stored.number, stored.id INTO id, number;
			ASSERT id = n::@T@ AND number = n;
			UPDATE stored SET id = stored.number + 1, number = stored.id;
			SELECT stored.id INTO number FROM stored;
			RETURN format(''%s more'', number - n);
		END';$f$, '@T@', t);
	EXECUTE 'SELECT assigned_numbers($1)' USING n INTO result;
	-- a column of one type becomes one of the other, and keeps its default
	INSERT INTO stored (number) VALUES (0);
	EXECUTE 'ALTER TABLE stored ALTER id TYPE bigint';
	INSERT INTO stored (number) VALUES (1);
	EXECUTE format('ALTER TABLE stored ALTER id TYPE %1$s, ALTER number TYPE %1$s', t);
	INSERT INTO stored (number) VALUES (2);
	EXECUTE 'SELECT concat_ws('', '', $1, string_agg(concat(id::bigint - $2, '' '', number::bigint),
		'', '' ORDER BY number)) FROM stored' USING result, n INTO result;
	DROP TABLE stored;
	DROP FUNCTION id_in_sql, number_in_sql, assigned_numbers;
	RETURN result;
END
$$;
SELECT t, by_number(t, n) FROM numbers ORDER BY t;
-- a number that is no id, and an id whose number is no bigint
SELECT err('DO $do$ DECLARE id uid11 := -1::bigint; BEGIN END $do$');
SELECT err('DO $do$ DECLARE id ulidflake := -1::bigint; BEGIN END $do$');
SELECT err('DO $do$ DECLARE id ulidflake := -1; BEGIN END $do$');
SELECT (-1)::tid64 = (-1)::bigint::tid64 AS negative, tid64_from_bigint(-5) = (-5)::tid64 AS named;
SELECT err('DO $do$ DECLARE n bigint := ''jpXCZedGfVQ''::uid11; BEGIN END $do$');
-- never by themselves
SELECT t, refused(format('SELECT FROM %s_target WHERE id = 5', t),
	format('SELECT FROM %s_target WHERE id = 5::bigint', t),
	format('SELECT FROM %s_target WHERE id > 5::bigint', t),
	format('SELECT FROM %s_target WHERE id = ANY (ARRAY[5::bigint])', t),
	format('SELECT FROM %s_target JOIN numbers ON id = n', t),
	format('SELECT id + 1 FROM %s_target', t), format('SELECT %s_timestamp(5)', t),
	format('SELECT %s_timestamp(5::bigint)', t),
	format('SELECT coalesce(id, 5::bigint) FROM %s_target', t),
	format('SELECT id FROM %s_target UNION SELECT 5::bigint', t),
	format('CREATE TABLE child (id bigint REFERENCES %s_target)', t)) FROM numbers ORDER BY t;
CREATE TABLE bigint_target (id bigint PRIMARY KEY);
SELECT t, refused(format('CREATE TABLE child (id %s REFERENCES bigint_target)', t))
	FROM numbers ORDER BY t;

-- an instant is cast to the first id of its tick, but only if asked for
SELECT * FROM for_types($$SELECT concat_ws(' ', id = @T@_max('2026-01-02Z'),
		id::timestamptz::@T@ = @T@_min('2026-01-02Z'),
		err('SELECT ''infinity''::timestamptz::@T@') = err('SELECT @T@_min(''infinity'')'))
	FROM @T@_target ORDER BY id LIMIT 1$$);
SELECT * FROM for_types($$SELECT refused('INSERT INTO @T@_target (id) SELECT now()',
	'SELECT @T@_timestamp(now())', 'SELECT coalesce(id, now()) FROM @T@_target')$$);

-- JSON: tid64 without dashes, by all of the server's functions; both forms are read
CREATE TABLE doc (id tid64, ids tid64[], other uid11);
CREATE DOMAIN record_key AS tid64;
INSERT INTO doc VALUES ('3kxn-lhr-3gxq-23', '{3jzf-cij-pj2z-2a,zzzz-zzz-zzzz-zz}', '113q8KFkAEs'),
	('2222-222-2222-22', NULL, NULL);
SELECT id::json, id::json #>> '{}' = tid64_compact(id) AS compact,
		to_json(id)::text = id::json::text AND to_jsonb(id)::text = id::json::text AS same,
		to_json(id::record_key) AS domain
	FROM doc;
SELECT row_to_json(doc), to_jsonb(doc) FROM doc;
SELECT json_agg(id), jsonb_agg(id), json_build_object('ids', ids), json_build_array(ids),
		jsonb_build_object('ids', ids), jsonb_build_array(ids)
	FROM doc WHERE ids IS NOT NULL GROUP BY ids;
SELECT doc = json_populate_record(NULL::doc, row_to_json(doc)) AS json,
		doc = jsonb_populate_record(NULL::doc, to_jsonb(doc)) AS jsonb,
		doc = json_populate_record(NULL::doc, json_build_object('id', id::text,
			'ids', ids::text[], 'other', other)) AS dashes,
		id = (SELECT r.id FROM json_to_record(row_to_json(doc)) r (id tid64)) AS to_record
	FROM doc;
-- a key is no value: the server refuses what has a cast to json
SELECT err('SELECT json_object_agg(id, 1) FROM doc');
SELECT json_object_agg(id::text, 1 ORDER BY id), jsonb_object_agg(tid64_compact(id), 1) FROM doc;
CREATE TABLE documents (document json);
SELECT refused('INSERT INTO documents SELECT id FROM doc');

-- a text that may be an id
SELECT * FROM for_types($$SELECT concat_ws(' ', @T@_try(id::text) = id, @T@_try('nonsense') IS NULL,
	@T@_try('') IS NULL, @T@_try(id::text || ' ') IS NULL, @T@_try(NULL) IS NULL)
	FROM @T@_target ORDER BY id LIMIT 1$$);

-- what a text is: examples of the specifications
SELECT i.* FROM unnest('{did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah,005e0bd2f0000000000000000007,
		05TTUP1HNCPNH30VEK64KDQT9BSNU4C4,3kxn-lhr-3gxq-23,3jzfcijpj2z2a,113q8KFkAEs,00CMXB6TAK4SA,
		00cmxb6tak4sa,2222222222222,22222222222,nonsense}'::text[]) WITH ORDINALITY t (input, n),
	idtypes_identify(input) i ORDER BY n, type::text;
SELECT count(*) FROM idtypes_identify(NULL);
SELECT prorows FROM pg_proc WHERE proname = 'idtypes_identify';
-- every type is asked
SELECT * FROM for_types($$SELECT format('%s %s %s', i.type = '@T@'::regtype, i.canonical = id::text,
		i.ts = @T@_timestamp(id))
	FROM @T@_target t, idtypes_identify(id::text) i
	WHERE i.type = '@T@'::regtype ORDER BY id LIMIT 1$$);
-- it does not depend on the search path of the caller, nor on what stands there
CREATE SCHEMA elsewhere;
CREATE FUNCTION elsewhere.uid11_try(text) RETURNS uid11 LANGUAGE sql AS 'SELECT NULL::uid11';
SET search_path = elsewhere;
SELECT type, canonical FROM public.idtypes_identify('113q8KFkAEs');
RESET search_path;
DROP FUNCTION elsewhere.uid11_try(text);
DROP SCHEMA elsewhere;

-- Only tid64 and ulidflake become bigint without a new table (doc/faq.md); the indexes are new.
CREATE TABLE cast_before (t tid64 PRIMARY KEY, u ulidflake UNIQUE, x uid11);
CREATE FUNCTION rewritten(what text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	CREATE TEMPORARY TABLE cast_old ON COMMIT DROP AS
		SELECT relname, pg_relation_filenode(oid) AS file FROM pg_class
		WHERE relname ~ '^cast_before' AND relkind IN ('r', 'i');
	EXECUTE 'ALTER TABLE cast_before ' || what;
	RETURN QUERY SELECT c.relname::text FROM pg_class c JOIN cast_old o USING (relname)
		WHERE pg_relation_filenode(c.oid) <> o.file ORDER BY c.relname COLLATE "C";
END
$$;
SELECT rewritten('ALTER t TYPE bigint USING t::bigint');
SELECT rewritten('ALTER u TYPE bigint USING u::bigint');
SELECT rewritten('ALTER x TYPE bigint USING x::bigint');
DROP TABLE cast_before;
DROP FUNCTION rewritten(text);
