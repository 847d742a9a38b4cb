--
-- examples/hosted/ids.sql, the numbers of tid64 and uid11 where the extension cannot be installed:
-- the same texts, numbers and instants, by a role without rights, and the way to the types.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
CREATE SCHEMA idtypes_hosted;
CREATE ROLE regress_hosted;
GRANT ALL ON SCHEMA idtypes_hosted TO regress_hosted;
SET ROLE regress_hosted;
SET search_path = idtypes_hosted, public;
\set ECHO none
\i :srcdir/examples/hosted/ids.sql
\set ECHO all
\pset format unaligned
\pset tuples_only on

-- Numbers of all sizes, of both signs; each must give what the type gives.
CREATE TABLE numbers AS
	SELECT DISTINCT v AS n, v >= 0 AS is_uid11 FROM generate_series(0, 62) bits,
		unnest(ARRAY[-1, 0, 1]) near, hashint8extended(bits, 42) noise,
		unnest(ARRAY[(1::bigint << bits) + near, -(1::bigint << bits) + near, noise >> bits]) v
	UNION VALUES (9223372036854775807, true), (-9223372036854775808, false);
SELECT count(*) > 300 FROM numbers;
SELECT * FROM numbers WHERE
	(tid64_text(n), tid64_number(n::tid64::text), tid64_time(n)) IS DISTINCT FROM
	(n::tid64::text, n, tid64_timestamp(n::tid64))
	OR tid64_number(tid64_compact(n::tid64)) IS DISTINCT FROM n;
SELECT * FROM numbers WHERE is_uid11 AND
	(uid11_text(n), uid11_number(n::uid11::text), uid11_time(n)) IS DISTINCT FROM
	(n::uid11::text, n, uid11_timestamp(n::uid11));
SELECT DISTINCT uid11_text(n) IS NULL AND uid11_time(n) IS NULL FROM numbers WHERE NOT is_uid11;
-- bounds at and between ticks
SELECT ts FROM (SELECT tid64_timestamp(n::tid64) + near * interval '1 microsecond'
		FROM numbers, unnest(ARRAY[-1, 0, 1, 700]) near
		WHERE is_uid11 AND n BETWEEN 1 << 30 AND 1::bigint << 62) t (ts)
	WHERE tid64_lower(ts)::tid64 IS DISTINCT FROM lower(tid64_range(ts, NULL))
	OR ts > '2012-01-01Z' AND ts < '2081-01-01Z' AND
		uid11_lower(ts)::uid11 IS DISTINCT FROM lower(uid11_range(ts, NULL));
-- texts that the types refuse, or that bigint does not hold
SELECT t FROM unnest(ARRAY['', ' ', '3kxn-lhr-3gxq-2', '3kxn-lhr-3gxq-231', '3kxnlhr-3gxq-23',
		'3KXN-LHR-3GXQ-23', '3kxn-lhr-3gxq-2_', '3kxn_lhr_3gxq_23', '3kxnlhr3gxq2\n',
		'ckxnlhr3gxq23', E'3kxnlhr3gxq23\n', '3kxn-lhr-3gxq', '5LyQ1Dhk6K', '5LyQ1Dhk6K22',
		'0LyQ1Dhk6K2', '5LyQ1Dhk6Kl', E'5LyQ1Dhk6K2\n', 'jpXCZedGfVQ', 'jpXCZedGfVR',
		'zzzzzzzzzzz']) t
	WHERE tid64_number(t) IS NOT NULL OR uid11_number(t) IS NOT NULL;

-- New numbers of a session increase.
CREATE FUNCTION steps(generator text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	last bigint := 0;
	next bigint;
BEGIN
	FOR i IN 1..2000 LOOP
		EXECUTE format('SELECT %I()', generator) INTO next;
		IF next <= last THEN
			RETURN false;
		END IF;
		last := next;
	END LOOP;
	RETURN true;
END
$$;
SELECT steps('tid64_next'), steps('uid11_next');
SELECT tid64_clock_id(tid64_next()::tid64) = ids_session_number(),
	(uid11_parts(uid11_next()::uid11, 'snowish')).machine = ids_session_number(),
	ids_session_number() BETWEEN 32 AND 991,
	abs(extract(epoch FROM tid64_time(tid64_next()) - clock_timestamp())) < 3600,
	abs(extract(epoch FROM uid11_time(uid11_next()) - clock_timestamp())) < 3600;
-- A session whose clock has been set back goes on from its last number.
BEGIN;
SET LOCAL ids.tid64 = 2524608000000000;
SELECT set_config('ids.uid11',
	((1::bigint << 62) | (ids_session_number() << 12))::text, true) <> '';
SELECT tid64_time(tid64_next()), uid11_next() >> 22 = 1::bigint << 40, uid11_next() & 4095;
ROLLBACK;

-- The way to the types.  Every bigint is a tid64, so that column keeps its file.
CREATE TABLE post (id bigint PRIMARY KEY DEFAULT tid64_next());
CREATE TABLE link (id bigint PRIMARY KEY DEFAULT uid11_next());
INSERT INTO post SELECT FROM generate_series(1, 100);
INSERT INTO link SELECT FROM generate_series(1, 100);
CREATE TABLE before AS SELECT id, pg_relation_filenode('post') AS file FROM post
	UNION ALL SELECT id, NULL FROM link;
ALTER TABLE post ALTER id DROP DEFAULT, ALTER id TYPE tid64 USING id::tid64,
	ALTER id SET DEFAULT tid64_generate();
ALTER TABLE link ALTER id DROP DEFAULT, ALTER id TYPE uid11 USING id::uid11,
	ALTER id SET DEFAULT uid11_generate();
SELECT count(*), count(*) FILTER (WHERE pg_relation_filenode('post') = file)
	FROM before WHERE id IN (SELECT id::bigint FROM post UNION ALL SELECT id::bigint FROM link);

RESET ROLE;
DROP SCHEMA idtypes_hosted CASCADE;
DROP ROLE regress_hosted;
