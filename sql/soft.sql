--
-- Soft errors of input: from PostgreSQL 16 on, bad text is an answer instead of an error.
--
\set ECHO none
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/setup.psql'
\i :setup
\set ECHO all
SELECT current_setting('server_version_num')::int >= 160000 AS soft \gset
\if :soft
\else
\echo no soft errors before PostgreSQL 16
\quit
\endif
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
SELECT type, input, pg_input_is_valid(input, type) FROM inputs ORDER BY n;
-- the error that is kept is the one that would have been raised
\pset format unaligned
\pset tuples_only on
SELECT concat_ws(chr(10), e.sql_error_code || ': ' || e.message, '    DETAIL: ' || e.detail,
		'    HINT: ' || e.hint)
	FROM inputs, pg_input_error_info(input, type) e WHERE e.message IS NOT NULL ORDER BY n;
SELECT count(*) AS bad, count(*) FILTER (WHERE concat_ws(chr(10), e.sql_error_code || ': '
		|| e.message, '    DETAIL: ' || e.detail, '    HINT: ' || e.hint)
		<> err(format('SELECT %L::%s', input, type))) AS different
	FROM inputs, pg_input_error_info(input, type) e WHERE e.message IS NOT NULL;
