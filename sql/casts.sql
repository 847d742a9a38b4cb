--
-- Text and numbers as ids, instants and JSON; and what a text of unknown origin is.  When a cast
-- applies by itself, catalog.sql says of all casts.
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
-- no text that is no id gets in
SELECT * FROM for_types($$SELECT split_part(err(
	'INSERT INTO @T@_target (id) SELECT ''nonsense''::text'), ' ', 1)$$);

-- what an untyped parameter is, is still up to the other side
PREPARE by_parameter AS SELECT count(*) FROM uid11_target WHERE id = $1 AND id = ANY ($2);
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'by_parameter';

-- an integer is the bigint of that number
SELECT t, outcome(format('SELECT 5::%1$s = 5::bigint::%1$s
		AND 2147483647::%1$s = 2147483647::bigint::%1$s', t)) AS same
	FROM unnest('{tid64,uid11,ulidflake}'::text[]) t;
SELECT (-1)::tid64 = (-1)::bigint::tid64 AS negative, tid64_from_bigint(-5) = (-5)::tid64 AS named;

-- an instant is cast to the first id of its tick
SELECT * FROM for_types($$SELECT concat_ws(' ', id = @T@_max('2026-01-02Z'),
		id::timestamptz::@T@ = @T@_min('2026-01-02Z'),
		err('SELECT ''infinity''::timestamptz::@T@') = err('SELECT @T@_min(''infinity'')'))
	FROM @T@_target ORDER BY id LIMIT 1$$);

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
