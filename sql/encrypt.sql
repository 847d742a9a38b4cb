--
-- T_encrypt() and T_decrypt(): the same for all types.  Whether the texts are the right ones, the
-- suite compare asks an oracle; here is what is refused, what stays the same, and what the planner
-- makes of it.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
CREATE SCHEMA idtypes_encrypt;
SET search_path = idtypes_encrypt, public;

-- A key of so many bytes.
CREATE FUNCTION key(size int) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT substr(decode(repeat('000102030405060708090a0b0c0d0e0f', 5), 'hex'), 1, size)
$$;
-- The SQLSTATE that an expression raises, or 'ok'.
CREATE FUNCTION state(expression text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN e LIKE 'no error%' THEN 'ok' ELSE split_part(e, ':', 1) END
	FROM err('SELECT ' || expression) e
$$;
CALL for_each_type($$CREATE TABLE @T@_ids AS
	SELECT id FROM generate_series(timestamptz '2026-01-01Z', '2026-01-10Z', '1 h') t,
		LATERAL (VALUES (@T@_min(t)), (@T@_max(t + interval '1 min'))) v (id)
	UNION SELECT unnest(ARRAY[lower(r), upper(r)]) FROM @T@_prefix('') r$$);
CALL for_each_type('ALTER TABLE @T@_ids ADD PRIMARY KEY (id)');
CALL for_each_type('ANALYZE @T@_ids');

-- Without a tweak it is the empty one.
SELECT * FROM for_types($$SELECT @T@_encrypt(id, key(16)) = @T@_encrypt(id, key(16), '')
	AND @T@_decrypt(@T@_encrypt(id, key(16)), key(16), '') = id FROM @T@_ids LIMIT 1$$);
-- What a call site keeps is that of its last key and tweak: it gives for each what they give in a
-- statement of its own, however often they change, also where the call fails in between.
CREATE TABLE secrets AS
	SELECT n, set_byte(k, length(k) - 1, n / 3) AS key, repeat('x', n / 2 % 4 * 9) || n % 2 AS tweak
	FROM generate_series(1, 60) n, key(16 + (n - 1) / 20 * 8) k;
CREATE FUNCTION alone(t text, secret secrets) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT %1$s_encrypt(max(id), %2$L, %3$L) FROM %1$s_ids', t, secret.key,
		secret.tweak) INTO result;
	RETURN result;
END
$$;
CALL for_each_type($call$CREATE FUNCTION @T@_each(OUT wrong int) LANGUAGE plpgsql AS $$
DECLARE
	s secrets;
	key bytea;
	e text;
	largest @T@ := (SELECT max(id) FROM @T@_ids);
BEGIN
	wrong := 0;
	FOR s IN SELECT secrets.* FROM secrets, generate_series(1, 3) ORDER BY n LOOP
		FOREACH key IN ARRAY ARRAY[s.key, substr(s.key, 2), s.key] LOOP
			BEGIN
				e := @T@_encrypt(largest, key, s.tweak);
				IF key <> s.key OR e <> alone('@T@', s)
					OR @T@_decrypt(e, key, s.tweak) <> largest THEN
					wrong := wrong + 1;
				END IF;
			EXCEPTION WHEN invalid_parameter_value THEN
				wrong := wrong + (key = s.key)::int;
			END;
		END LOOP;
	END LOOP;
END
$$$call$);
SELECT * FROM for_types('SELECT @T@_each()');

-- NULL; keys of 0 to 64 bytes; tweaks, whose length is counted in UTF-8, up to a megabyte
SELECT * FROM for_types($$SELECT concat(@T@_encrypt(NULL, key(16)), @T@_encrypt(id, NULL),
		@T@_encrypt(id, key(16), NULL), @T@_decrypt(NULL, key(16)),
		@T@_decrypt(@T@_encrypt(id, key(16)), NULL),
		@T@_decrypt(@T@_encrypt(id, key(16)), key(16), NULL)) FROM @T@_ids LIMIT 1$$);
SELECT * FROM for_types($$SELECT string_agg(concat_ws(' ', state, sizes), ', ' ORDER BY state)
	FROM (SELECT state, CASE WHEN state = 'ok' THEN array_agg(size ORDER BY size) END AS sizes
		FROM generate_series(0, 64) size, state(format('@T@_encrypt(%L, %L)',
			@T@_min('2026-01-01Z'), key(size))) GROUP BY 1) x$$);
SELECT * FROM for_types($$SELECT string_agg(concat_ws(' ', bytes, times, state), ', ' ORDER BY n)
	FROM (VALUES (1, 'x', 1024), (2, 'x', 1025), (3, chr(223), 512), (4, chr(223), 513),
			(5, chr(128273), 256), (6, chr(128273), 257), (7, 'x', 1048576)) v (n, letter, times),
		octet_length(letter) bytes,
		state(format('@T@_encrypt(%L, %L, repeat(%L, %s))', @T@_min('2026-01-01Z'), key(16), letter,
			times))$$);
-- no message shows anything of a key
SELECT * FROM for_types($$SELECT replace(concat_ws(chr(10),
	err('SELECT @T@_encrypt(@T@_min(''2026-01-01Z''), ''fifteen letters'')'),
	err('SELECT @T@_decrypt('''', ''fifteen letters'')'),
	err('SELECT @T@_decrypt('''', ''sixteen letters!'', repeat(''x'', 1025))')), '@T@', 'T')$$);
-- texts of all lengths
SELECT * FROM for_types($$SELECT string_agg(DISTINCT concat(CASE length WHEN length(e)
			THEN 'whole: ' ELSE 'other lengths: ' END,
		state(format('@T@_decrypt(%L, %L)', left(repeat(e, 20), length), key(16)))), ', ')
	FROM @T@_encrypt(@T@_min('2026-01-01Z'), key(16)) e, generate_series(0, 100) length$$);
SELECT * FROM for_types($$SELECT state(format('@T@_decrypt(repeat(%L, 100000), %L)', e, key(16)))
	FROM @T@_encrypt(@T@_min('2026-01-01Z'), key(16)) e$$);
-- T_try_decrypt: the id where T_decrypt has one, NULL where the text is none, whatever is wrong
-- with it; keys and tweaks are errors as before, also with such a text
SELECT * FROM for_types($$SELECT format('ids: %s, texts that are none: %s, %s differ',
		count(*) FILTER (WHERE tried IS NOT NULL) > 0, count(*) FILTER (WHERE tried IS NULL) > 0,
		count(*) FILTER (WHERE CASE state WHEN 'ok' THEN tried IS NULL
			OR tried <> @T@_decrypt(text, key(16), tweak)
			WHEN '22P02' THEN tried IS NOT NULL WHEN '22003' THEN tried IS NOT NULL ELSE true END))
	FROM unnest(ARRAY['', 'post']) tweak,
		LATERAL (SELECT @T@_encrypt(id, key(16), tweak) AS e FROM @T@_ids) i,
		LATERAL (VALUES (e), (left(e, -1)), (e || '0'), (overlay(e PLACING chr(233) FROM 3 FOR 1)),
			(overlay(e PLACING '-' FROM 5 FOR 1)), (overlay(e PLACING 'z' FROM 1 FOR 1)), (''),
			(overlay(e PLACING '7' FROM length(e) FOR 1))) v (text),
		LATERAL (SELECT @T@_try_decrypt(text, key(16), tweak) AS tried) x,
		LATERAL state(format('@T@_decrypt(%L, %L, %L)', text, key(16), tweak)) state$$);
SELECT * FROM for_types($$SELECT format('%s NULL, without a tweak %s', num_nulls(
		@T@_try_decrypt(NULL, key(16)), @T@_try_decrypt(e, NULL),
		@T@_try_decrypt(e, key(16), NULL)),
		@T@_try_decrypt(e, key(16)) = @T@_min('2026-01-01Z'))
	FROM @T@_encrypt(@T@_min('2026-01-01Z'), key(16)) e$$);
SELECT * FROM for_types($$SELECT replace(concat_ws(chr(10),
	err('SELECT @T@_try_decrypt('''', ''fifteen letters'')'),
	err('SELECT @T@_try_decrypt('''', ''sixteen letters!'', repeat(''x'', 1025))')), '@T@', 'T')$$);
-- in capitals they are those of the same id where the type's input ignores case, and only there
SELECT * FROM for_types($$SELECT count(*) FILTER (WHERE (@T@_try(upper(e)) IS NOT DISTINCT FROM
			@T@_try(e)) <> (state(format('1 / (@T@_decrypt(%L, %L) = @T@_decrypt(%L, %2$L))::int',
				upper(e), key(16), e)) = 'ok')) || ' differ'
	FROM @T@_ids, @T@_encrypt(id, key(24)) e$$);

-- A look-up by the encrypted text is one by the id, also under a policy, as the parameter of a
-- generic plan; doc/hide.md has more of them.
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET enable_indexonlyscan = off;
CREATE ROLE regress_idtypes_outside;
GRANT USAGE ON SCHEMA idtypes_encrypt TO regress_idtypes_outside;
CALL for_each_type($$
	ALTER TABLE @T@_ids ENABLE ROW LEVEL SECURITY;
	CREATE POLICY visible ON @T@_ids USING (id::text <> '');
	GRANT SELECT ON @T@_ids TO regress_idtypes_outside$$);
SET ROLE regress_idtypes_outside;
CALL for_each_type($$PREPARE @T@_look_up (text, bytea) AS
	SELECT id FROM @T@_ids WHERE id = @T@_decrypt($1, $2, 'post')$$);
SELECT * FROM for_types($$SELECT plan_of('@T@', 'EXECUTE @T@_look_up ('''', '''')')$$);
RESET ROLE;
DEALLOCATE ALL;
RESET plan_cache_mode;
RESET enable_seqscan;
RESET enable_bitmapscan;
RESET enable_indexonlyscan;

-- of texts by chance, as many are refused as doc/hide.md says, because no id has those digits
SELECT type, abs(100.0 * count(*) FILTER (WHERE NOT error ~ '^no error') / count(*) - refused)
		<= CASE refused WHEN 0 THEN 0 ELSE 7 END AS as_many
	FROM (SELECT type, refused, err(format('SELECT %s_decrypt(%L, key(16))', type, string_agg(
			substr(alphabet, 1 + floor(random() * length(alphabet))::int, 1), ''))) AS error
		FROM (VALUES ('siq', 28, 0, '0123456789abcdef'),
				('scru160', 32, 0, '0123456789ABCDEFGHIJKLMNOPQRSTUV'),
				('tid64', 13, 50, '234567abcdefghijklmnopqrstuvwxyz'),
				('uid11', 11, 26, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'),
				('ulidflake', 13, 75, '0123456789ABCDEFGHJKMNPQRSTVWXYZ'))
				AS v (type, digits, refused, alphabet),
			generate_series(1, 2000) AS n, generate_series(1, digits) AS digit
		GROUP BY type, refused, n) AS made_up
	GROUP BY type, refused ORDER BY type;

DROP SCHEMA idtypes_encrypt CASCADE;
DROP ROLE regress_idtypes_outside;
