--
-- What all types share, asked of each in the same words: order, aggregates and hints.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
CREATE SCHEMA idtypes_types;
SET search_path = idtypes_types, public;

-- Bytes number n that sort as the ids that they are made into must do.  Not every first byte is
-- one of an id.
CALL for_each_type($call$CREATE FUNCTION @T@_random_key(n int) RETURNS bytea
	LANGUAGE sql IMMUTABLE AS $$
	SELECT set_byte(b, 0, get_byte(b, 0) & get_byte(@T@_sortable(@T@_range_last('(,)')::bytea), 0))
	FROM substr(decode(md5('seed 1 ' || n) || md5('seed 2 ' || n), 'hex'), 1,
		length(@T@_range_last('(,)')::bytea)) b
	$$$call$);
-- 5000 ids, of which 500 are twice there, ids that differ only in their last bytes, both ends of
-- the type, and NULL.
CALL for_each_type($$CREATE TABLE @T@_ids AS
	SELECT n, key, @T@_sortable(key)::@T@ AS id
	FROM generate_series(1, 5000) n, @T@_random_key(n % 4500) key
	UNION ALL SELECT 5000 + n, key, @T@_sortable(key)::@T@
	FROM generate_series(1, 100) n, @T@_random_key(0) k,
		set_byte(k, length(k) - 1 - n % 2, get_byte(k, length(k) - 1 - n % 2) # n) key
	UNION ALL SELECT 5101, @T@_sortable(id::bytea), id FROM lower(@T@_prefix('')) id
	UNION ALL SELECT 5102, @T@_sortable(id::bytea), id FROM upper(@T@_prefix('')) id
	UNION ALL SELECT 5103, NULL, NULL$$);
CALL for_each_type('ANALYZE @T@_ids');

-- sorted as the bytes are, up and down, with NULL where it belongs
SELECT * FROM for_types($$SELECT format('%s %s %s',
		array_agg(key ORDER BY id) = array_agg(key ORDER BY key),
		array_agg(key ORDER BY id DESC) = array_agg(key ORDER BY key DESC),
		array_agg(n ORDER BY id NULLS FIRST, n) = array_agg(n ORDER BY key NULLS FIRST, n))
	FROM @T@_ids$$);
-- an external sort does the same
SET work_mem = '64kB';
SELECT * FROM for_types($$SELECT count(*) || ' descents' FROM (SELECT key,
		lag(key) OVER (ORDER BY id) FROM @T@_ids) x (key, before) WHERE before > key$$);
RESET work_mem;
-- each support function agrees with the bytes; the suite compare asks each operator
SELECT * FROM for_types($$SELECT format('%s pairs, %s wrong', count(*), count(*) FILTER (WHERE
		sign(@T@_cmp(a.id, b.id)) <> sign(byteacmp(a.key, b.key))
		OR @T@_smaller(a.id, b.id) <> least(a.id, b.id)
		OR @T@_larger(a.id, b.id) <> greatest(a.id, b.id)
		OR @T@_sortable(least(a.id, b.id)::bytea) <> least(a.key, b.key)
		OR sign(@T@_diff(a.id, b.id)) NOT IN (0, sign(@T@_cmp(a.id, b.id)))))
	FROM @T@_ids a, @T@_ids b WHERE (a.n % 83 = 0 OR a.n > 5000) AND (b.n % 83 = 0 OR b.n > 5000)
		AND a.id IS NOT NULL AND b.id IS NOT NULL$$);
-- differences are those of the numbers
SELECT * FROM for_types($$SELECT format('%s %s', @T@_diff(hi, lo) > 1e18, @T@_diff(lo, hi) < -1e18)
	FROM (SELECT lower(r), upper(r) FROM @T@_prefix('') r) x (lo, hi)$$);
SELECT * FROM for_types($$SELECT format('%s %s %s', @T@_diff(b, a), @T@_diff(a, b), @T@_diff(a, a))
	FROM (SELECT lower(@T@range(m, NULL, '[]')), lower(@T@range(m, NULL, '()'))
		FROM @T@_min('2026-01-01Z') m) x (a, b)$$);

-- min and max
SELECT * FROM for_types($$SELECT format('%s %s', min(id) = lower(@T@_prefix('')),
	max(id) = upper(@T@_prefix(''))) FROM @T@_ids$$);
SELECT * FROM for_types($$SELECT format('%s %s', min(id), max(id)) FROM @T@_ids WHERE n < 0$$);

-- an index on equal values is deduplicated
CALL for_each_type($$CREATE TABLE @T@_equal AS SELECT @T@_min('2026-01-01Z') AS id
	FROM generate_series(1, 5000)$$);
CALL for_each_type('CREATE INDEX @T@_plain ON @T@_equal (id) WITH (deduplicate_items = off)');
CALL for_each_type('CREATE INDEX @T@_dedup ON @T@_equal (id)');
SELECT * FROM for_types(
	'SELECT pg_relation_size(''@T@_dedup'') * 2 < pg_relation_size(''@T@_plain'')');

-- what is no id, alone and in an array, a range and a multirange, is from 16 on also an answer
-- instead of an error, in the same words; so is what is one
CREATE FUNCTION answered(type text, input text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	raised text := err(format('SELECT %L::%s', input, type));
	good boolean := raised LIKE 'no error%';
	valid boolean;
	answer text;
BEGIN
	IF current_setting('server_version_num')::int < 160000 THEN
		RETURN 'alike';
	END IF;
	-- in an expression by itself, pg_input_is_valid() would go by the type of the first call
	SELECT pg_input_is_valid(input, type), concat_ws(chr(10), e.sql_error_code || ': ' || e.message,
			'    DETAIL: ' || e.detail, '    HINT: ' || e.hint)
		INTO valid, answer FROM pg_input_error_info(input, type) e;
	RETURN CASE WHEN valid = good AND (good OR answer = raised) THEN 'alike' ELSE raised END;
END
$$;
CREATE TABLE texts AS SELECT t, unnest(refused(:'invalid', t)) AS input FROM unnest(type_names()) t;
SELECT * FROM for_types($$SELECT string_agg(DISTINCT answered('@T@' || kind, format(form, input)),
		', ')
	FROM (TABLE texts UNION ALL SELECT '@T@', @T@_min('2026-01-01Z')::text) i,
		(VALUES ('', '%s'), ('[]', '{%I}'), ('range', '[%I,)'), ('multirange', '{[%I,)}'))
			forms (kind, form)
	WHERE t = '@T@'$$);

-- what is no id, but something else that people take for one
\pset format unaligned
CREATE FUNCTION hint(statement text) RETURNS text LANGUAGE sql AS
	$$SELECT substring(err(statement) FROM 'HINT: (.*)')$$;
SELECT * FROM for_types($$SELECT replace(string_agg(concat(input, ' -> ',
		rtrim(split_part(hint(format('SELECT %L::@T@', input)), ';', 1), '.')),
		chr(10) ORDER BY n), '@T@', 'T')
	FROM unnest('{0f5e9c26-bb57-4f71-987b-1c04b511842b,0F5E9C26-BB57-4F71-987B-1C04B511842B,
		2026-01-01,2026-01-01 12:34+00,2026-01-01T12:34:56.789Z,Now,-infinity,
		"[2026-01-01,2026-02-01)","(\"2026-01-01 12:34+00\",)",
		01ARZ3NDEKTSV4RRFFQ69G5FAV,01arz3ndektsv4rrffq69g5fav,
		1541815603606036480,9223372036854775807,123456789012345,
		" 2026-01-01 ",""}'::text[]) WITH ORDINALITY u (input, n)$$);
-- of a number, how it becomes an id, if it does
SELECT * FROM for_types($$SELECT coalesce(substring(hint('SELECT ''1541815603606036480''::@T@')
		FROM 'cast from (\w+)'), 'nothing')
	= coalesce((SELECT castsource::regtype::text FROM pg_cast WHERE casttarget = '@T@'::regtype
		AND castsource IN ('bigint'::regtype, 'numeric'::regtype)
		ORDER BY castsource LIMIT 1), 'nothing')$$);
-- what is nearly that gets no such hint: a letter no ULID has, a number above bigint's, half a
-- date, a word with more or less letters
SELECT * FROM for_types($$SELECT bool_or(hint(format('SELECT %L::@T@', input))
		~ 'ULID|Snowflake|instant') IS TRUE
	FROM unnest('{01ARZ3NDEKTSV4RRFFQ69G5FAU,9223372036854775808,2026-01,now!,inf}'::text[])
		input$$);
-- the same where it is given as a bound of a range
SELECT * FROM for_types($$SELECT replace(
		hint('SELECT ''[2026-01-01,2026-02-01)''::@T@range'), '@T@', 'T')$$);
-- and what is nearly an id
SELECT * FROM for_types($$SELECT replace(string_agg(concat(what, ' -> ',
		hint(format('SELECT %L::@T@', input))), chr(10) ORDER BY n), left(text, 6), 'P')
	FROM @T@_min('2026-01-01Z') id, @T@_prefixed(id) text,
		LATERAL (VALUES (1, 'blank before', ' ' || id),
		(2, 'blank after', id || ' '), (3, 'line feed after', id || chr(10)),
		(4, 'tab around', chr(9) || id || chr(9)), (5, 'prefix', left(text, 6)),
		(6, 'prefix as a pattern', left(text, 6) || '%'), (7, 'only blanks', '  '),
		(8, 'a digit too many', id || '2'), (9, 'any as a pattern', '%')) v (n, what, input)
	GROUP BY text$$);
-- what ^@ would refuse is not sent there
SELECT * FROM for_types($$SELECT err('SELECT ''!%''::@T@') LIKE '%^@%'$$);
SELECT * FROM for_types($$SELECT replace(replace(string_agg(concat(what, ' -> ',
		hint(format('SELECT @T@_prefix(%L)', input))), chr(10) ORDER BY n), '@T@', 'T'), p, 'P')
	FROM left(@T@_prefixed(@T@_min('2026-01-01Z')), 6) p,
		LATERAL (VALUES (1, 'blank before', ' ' || p), (2, 'pattern', p || '%'),
			(3, 'date', '2026-01-01'), (4, 'blank', ' ')) v (n, what, input)
	GROUP BY p$$);
\pset format aligned

-- the sizes and years of doc/which-type.md
SELECT * FROM for_types($$SELECT concat_ws(' ', '@T@:', pg_column_size(lower(r)), 'bytes,',
	length(lower(r)::text), 'characters, from', extract(year FROM @T@_timestamp(lower(r))), 'to',
	extract(year FROM @T@_timestamp(upper(r)))) FROM @T@_prefix('') AS r$$)
	WHERE types IN ('siq', 'scru160', 'tid64', 'uid11', 'ulidflake');
-- the server's messages that have headings in doc/messages.md
CREATE TABLE post (id uid11 PRIMARY KEY, n bigint, t text);
CREATE TABLE numbers (id numeric);
SELECT split_part(err(statement), chr(10), 1) AS message FROM unnest(ARRAY[
	$$SELECT siq_generate()$$,
	$$SET idtypes.node_id = 1$$,
	$$SELECT FROM post WHERE id = t$$,
	$$SELECT FROM post WHERE id = 'x'::varchar$$,
	$$SELECT FROM post WHERE id = n$$,
	$$SELECT FROM post WHERE id = now()$$,
	$$SELECT FROM post WHERE id <@ tstzrange(now(), NULL)$$,
	$$SELECT id + 1 FROM post$$,
	$$SELECT lower(id) FROM post$$,
	$$SELECT date_trunc('day', id) FROM post$$,
	$$SELECT coalesce(id, t) FROM post$$,
	$$INSERT INTO post SELECT n::numeric FROM post$$,
	$$SELECT gen_random_uuid()::uid11$$,
	$$SELECT current_date::uid11$$,
	$$SELECT id::int FROM post$$,
	$$ALTER TABLE numbers ALTER id TYPE uid11$$,
	$$CREATE TABLE x (id uid11 GENERATED ALWAYS AS IDENTITY)$$,
	$$CREATE TABLE x (id uid11 GENERATED ALWAYS AS (uid11_generate()) STORED)$$,
	$$SELECT json_object_agg(tid64_min(now()), 1)$$,
	$$INSERT INTO post DEFAULT VALUES$$]) AS statement
\g (format=unaligned tuples_only=on)
DROP SCHEMA idtypes_types CASCADE;
