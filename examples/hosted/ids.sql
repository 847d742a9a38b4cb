-- ids.sql: tid64 and uid11 in bigint columns, for servers on which no extension can be installed.
--
--     CREATE TABLE post (id bigint PRIMARY KEY DEFAULT tid64_next(), ...);
--     SELECT tid64_text(id) FROM post WHERE id >= tid64_lower(now() - interval '1 h');
--     SELECT * FROM link WHERE id = uid11_number('5LyQ1Dhk6K2');
--
-- Plain SQL and PL/pgSQL: run this file in psql as any role that may create functions.  Numbers and
-- texts are those of the extension idtypes, and its name is nowhere in here, so where the extension
-- can be installed later, a column takes one of its types (tid64 without rewriting the table):
--
--     ALTER TABLE post ALTER id DROP DEFAULT, ALTER id TYPE tid64 USING id::tid64,
--         ALTER id SET DEFAULT tid64_generate();
--
-- What it promises: two sessions of one database never get the same number, as each holds another
-- one of 960 session numbers, and a session never gets one twice while the clock goes forward, also
-- after DISCARD ALL, which PgBouncer sends: the first uid11 then waits for the next millisecond.
-- What the extension promises and this file does not:
--  - Sessions do not wait for each other, so a later number of another session can be smaller by
--    what their clock readings differ; numbers do not tell which row was committed last.
--  - After the clock was set back, or on another server or database, numbers can come again.  The
--    primary key refuses them: try again.  So can a number that was rolled back, if at once.
--  - uid11 has the layout snowish: milliseconds, session number, sequence.  Such an id can be
--    guessed.  Only numbers from 0 on are used, up to the year 2081.
--  - A column of bigint is compared with numbers only: give windows as tid64_lower(instant).

-- A number from 32 to 991 that no other session of the database holds.  A session keeps what it has
-- locked until it ends; locking it once more succeeds, so nothing needs to be remembered.
CREATE FUNCTION ids_session_number() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	number integer;
BEGIN
	FOR i IN 0..959 LOOP
		number := 32 + (pg_backend_pid() + i) % 960;
		IF pg_try_advisory_lock(1768190836, number) THEN
			RETURN number;
		END IF;
	END LOOP;
	RAISE 'all 960 session numbers are in use' USING ERRCODE = 'too_many_connections';
END
$$;
COMMENT ON FUNCTION ids_session_number() IS
	'number from 32 to 991 that this session holds until it ends';

-- tid64: microseconds since 1970, times 1024, and a clock id: here, the session's number

CREATE FUNCTION tid64_next() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	-- before the clock is read: another session may have had it until now
	number bigint := ids_session_number();
	tick bigint := greatest(extract(epoch FROM clock_timestamp()) * 1000000,
		nullif(current_setting('ids.tid64', true), '')::bigint + 1);
BEGIN
	PERFORM set_config('ids.tid64', tick::text, false);
	RETURN tick << 10 | number;
END
$$;
COMMENT ON FUNCTION tid64_next() IS 'new tid64 as a number';

CREATE FUNCTION tid64_text(bigint) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT string_agg(
		substr('234567abcdefghijklmnopqrstuvwxyz', ($1 >> (60 - 5 * i) & 31)::int + 1, 1) ||
		CASE WHEN i IN (3, 6, 10) THEN '-' ELSE '' END, '' ORDER BY i)
	FROM generate_series(0, 12) i
$$;
COMMENT ON FUNCTION tid64_text(bigint) IS
	'text of a tid64; replace(tid64_text(id), ''-'', '''') is what AT Protocol takes';

CREATE FUNCTION tid64_number(text) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT bit_or(
		(strpos('234567abcdefghijklmnopqrstuvwxyz', substr(d, i, 1)) - 1)::bigint << (65 - 5 * i))
	FROM replace($1, '-', '') d, generate_series(1, 13) i
	WHERE $1 ~ '^[2-7abs-z]([2-7a-z]{3}-[2-7a-z]{3}-[2-7a-z]{4}-|[2-7a-z]{10})[2-7a-z]{2}$'
$$;
COMMENT ON FUNCTION tid64_number(text) IS
	'number of a tid64 with or without dashes; NULL for other text';

CREATE FUNCTION tid64_time(bigint) RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT timestamptz '1970-01-01Z' + ($1 >> 10) * interval '1 microsecond'
$$;
COMMENT ON FUNCTION tid64_time(bigint) IS 'instant in a tid64';

CREATE FUNCTION tid64_lower(timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT (extract(epoch FROM $1) * 1000000)::bigint * 1024
$$;
COMMENT ON FUNCTION tid64_lower(timestamptz) IS 'smallest tid64 at or after an instant';

-- uid11: milliseconds since 2011-11-11T11:11:11.111Z, times 2^22; then the session's number and a
-- sequence of 12 bits, as in the layout snowish

CREATE FUNCTION uid11_next() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	number bigint := ids_session_number();
	last bigint := nullif(current_setting('ids.uid11', true), '');
	tick bigint;			-- milliseconds and sequence in one number
BEGIN
	-- In this millisecond another session may have used the number, or this one before DISCARD ALL.
	IF last IS NULL OR (last >> 12 & 1023) <> number THEN
		PERFORM pg_sleep(0.001);
	END IF;
	tick := greatest(floor((extract(epoch FROM clock_timestamp()) - 1321009871.111) * 1000) * 4096,
		((last >> 22 << 12) | (last & 4095)) + 1);
	last := (tick >> 12 << 22) | (number << 12) | (tick & 4095);
	PERFORM set_config('ids.uid11', last::text, false);
	RETURN last;
END
$$;
COMMENT ON FUNCTION uid11_next() IS 'new uid11 as a number, in the layout snowish';

CREATE FUNCTION uid11_text(bigint) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT string_agg(substr('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
		(div($1, 58::numeric ^ i) % 58)::int + 1, 1), '' ORDER BY i DESC)
	FROM generate_series(0, 10) i WHERE $1 >= 0
$$;
COMMENT ON FUNCTION uid11_text(bigint) IS 'text of a uid11; NULL for a negative number';

CREATE FUNCTION uid11_number(text) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT CASE WHEN sum(v) <= 9223372036854775807 THEN sum(v)::bigint END
	FROM (SELECT (strpos('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
		substr($1, i, 1)) - 1) * 58::numeric ^ (11 - i) FROM generate_series(1, 11) i) digits (v)
	WHERE $1 ~ '^[1-9A-HJ-NP-Za-km-z]{11}$'
$$;
COMMENT ON FUNCTION uid11_number(text) IS
	'number of a uid11; NULL for other text and for a number that bigint does not hold';

CREATE FUNCTION uid11_time(bigint) RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT timestamptz '2011-11-11 11:11:11.111Z' + ($1 >> 22) * interval '1 millisecond'
	WHERE $1 >= 0
$$;
COMMENT ON FUNCTION uid11_time(bigint) IS 'instant in a uid11; NULL for a negative number';

CREATE FUNCTION uid11_lower(timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT ceil((extract(epoch FROM $1) - 1321009871.111) * 1000)::bigint << 22
$$;
COMMENT ON FUNCTION uid11_lower(timestamptz) IS 'smallest uid11 at or after an instant';
