--
-- Soft errors of input: from PostgreSQL 16 on, bad text is an answer instead of an error.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
-- The error of a text as input of a type, as it is raised; from 16 on as the answer tells it, which
-- must be the same, so that the output is everybody's.  NULL if there is none.
CREATE FUNCTION input_error(type text, input text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	statement text := format('SELECT %L::%s', input, type);
	error text := nullif(err(statement), 'no error: ' || statement);
	valid boolean;
BEGIN
	IF current_setting('server_version_num')::int >= 160000 THEN
		-- in an expression by itself, pg_input_is_valid() would go by the type of the first call
		SELECT pg_input_is_valid(input, type), nullif(concat_ws(chr(10), e.sql_error_code || ': '
				|| e.message, '    DETAIL: ' || e.detail, '    HINT: ' || e.hint), '')
			INTO valid, error FROM pg_input_error_info(input, type) e;
		ASSERT valid = (error IS NULL), statement;
	END IF;
	RETURN error;
END
$$;
-- Types, a good text of each, and bad ones.
CREATE TEMP TABLE inputs (n int GENERATED ALWAYS AS IDENTITY, type text, input text);
INSERT INTO inputs (type, input) VALUES
	('siq', 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah'), ('siq', '005e0bd2f0000000000000000007'),
	('siq', 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaai'),
	('siq', 'did:plc:iuxvojaaf4c6s6aaaaaaaaaaaaaah'),
	('siq', 'quxvojaaf4c6s6aaaaaaaaaaaaaah'), ('siq', ''),
	('scru160', '05TTUP1HNCPNH30VEK64KDQT9BSNU4C4'), ('scru160', '05TTUP1HNCPNH30VEK64KDQT9BSNU4C'),
	('scru160', '05TTUP1HNCPNH30VEK64KDQT9BSNU4CW'),
	('tid64', '3kxn-lhr-3gxq-23'), ('tid64', '3kxn-lhr-3gxq'), ('tid64', 'kjzfcijpj2z2a'),
	('uid11', '113q8KFkAEs'), ('uid11', '113q8KFkAE0'), ('uid11', 'jpXCZedGfVR'),
	('ulidflake', '00CMXB6TAK4SA'), ('ulidflake', '00CMXB6TAK4SI'), ('ulidflake', '8000000000000'),
	('uid11[]', '{113q8KFkAEs,113q8KFkAE0}'), ('tid64range', '[3kxn-lhr-3gxq-23,3jzfcijpj2z2a]'),
	('siqrange', '[did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah,)'), ('siqrange', '[did:siq:,)'),
	('scru160multirange', '{[05TTUP1HNCPNH30VEK64KDQT9BSNU4CW,)}');
SELECT type, input, input_error(type, input) IS NULL AS valid FROM inputs ORDER BY n;
\pset format unaligned
\pset tuples_only on
SELECT input_error(type, input) FROM inputs WHERE input_error(type, input) IS NOT NULL ORDER BY n;
