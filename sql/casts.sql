--
-- Text as ids: by assignment and never by itself; and what a text of unknown origin is.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
-- string parameters and text columns can be inserted, copied and updated
CALL for_each_type($$
	CREATE TABLE @T@_target (id @T@ PRIMARY KEY, other @T@[], CHECK (id IS NOT NULL));
	CREATE TABLE @T@_source AS SELECT @T@_max('2026-01-02Z')::text AS t,
		@T@_max('2026-01-03Z')::text::varchar(100) AS v$$);
CALL for_each_type($$INSERT INTO @T@_target (id) SELECT t FROM @T@_source$$);
CALL for_each_type($$INSERT INTO @T@_target (id) SELECT v FROM @T@_source$$);
CALL for_each_type($$UPDATE @T@_target SET id = @T@_max('2026-01-04Z')::text
	WHERE id = @T@_max('2026-01-03Z')$$);
CALL for_each_type($$UPDATE @T@_target SET other = ARRAY[t, v] FROM @T@_source$$);
SELECT * FROM for_types($$SELECT string_agg(@T@_timestamp(id)::date || ' ' ||
	(other = ARRAY[@T@_max('2026-01-02Z'), @T@_max('2026-01-03Z')]), ', ' ORDER BY id)
	FROM @T@_target$$);
-- to variables and results of PL/pgSQL too
CREATE FUNCTION assigned(t text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('CREATE FUNCTION assign(v varchar) RETURNS %1$s LANGUAGE plpgsql AS '
		'''DECLARE id %1$s; BEGIN id := v; RETURN id; END''', t);
	EXECUTE format('SELECT (assign(v) = v::%1$s)::text FROM %1$s_source', t) INTO result;
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
	'ALTER TABLE @T@_source ADD FOREIGN KEY (v) REFERENCES @T@_target')$$);
-- and the other way round
CALL for_each_type('CREATE TABLE @T@_text (id text PRIMARY KEY)');
SELECT * FROM for_types($$SELECT refused(
	'CREATE TABLE child (id @T@ REFERENCES @T@_text)')$$);
-- what an untyped parameter is, is still up to the other side
PREPARE by_parameter AS SELECT count(*) FROM uid11_target WHERE id = $1 AND id = ANY ($2);
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'by_parameter';

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
