-- duckdb.sql: ids of the five types in DuckDB (run with 1.5); see doc/outside.md.
--
-- For each type T: T_number(text), T_text(number), T_timestamp(text) and T_lower(timestamptz).  The
-- number is an integer, unsigned for uid11; for siq and scru160 it is the hex text.  Text that is
-- not an id gives NULL.  T_lower() is the server's lower(T_range(instant, NULL)): the text, for siq
-- the hex, of the smallest id at or after a finite instant; NULL after the type's last one.

-- The value of a text of digits.
CREATE OR REPLACE MACRO idtypes_value(t, alphabet) AS
    list_reduce([strpos(alphabet, c) - 1 FOR c IN string_split(t, '')],
        lambda value, digit : value * length(alphabet) + digit, 0::HUGEINT);

-- The digits of a value, given the value of each place.
CREATE OR REPLACE MACRO idtypes_digits(n, alphabet, places) AS
    [array_to_string([alphabet[(v // place % length(alphabet))::INT + 1] FOR place IN places], '')
        FOR v IN [n::HUGEINT]][1];
CREATE OR REPLACE MACRO idtypes_base32(n, alphabet, count) AS
    idtypes_digits(n, alphabet, [1::HUGEINT << 5 * i FOR i IN range(count - 1, -1, -1)]);

-- Microseconds from an epoch to the one before an instant; the first whole number above n / d, from
-- 0 on, NULL if it needs more than so many bits.
CREATE OR REPLACE MACRO idtypes_us(instant, epoch) AS
    epoch_us(instant::TIMESTAMPTZ)::HUGEINT - 1 - epoch;
CREATE OR REPLACE MACRO idtypes_tick(n, d, bits) AS
    CASE WHEN (n + d) // d < 1::HUGEINT << bits THEN greatest((n + d) // d, 0) END;

-- ----------
-- tid64: with dashes and without
-- ----------

CREATE OR REPLACE MACRO tid64_number(t) AS
    CASE WHEN regexp_full_match(t,
        '[2-7abs-z]([2-7a-z]{12}|[2-7a-z]{3}-[2-7a-z]{3}-[2-7a-z]{4}-[2-7a-z]{2})')
    THEN ((idtypes_value(replace(t, '-', ''), '234567abcdefghijklmnopqrstuvwxyz')
            + (1::HUGEINT << 64)) % (1::HUGEINT << 65) - (1::HUGEINT << 64))::BIGINT END;

CREATE OR REPLACE MACRO tid64_text(n) AS
    regexp_replace(
        idtypes_base32((n::HUGEINT + (1::HUGEINT << 65)) % (1::HUGEINT << 65),
            '234567abcdefghijklmnopqrstuvwxyz', 13),
        '(....)(...)(....)(..)', '\1-\2-\3-\4');

CREATE OR REPLACE MACRO tid64_timestamp(t) AS
    make_timestamptz(tid64_number(t) >> 10);

CREATE OR REPLACE MACRO tid64_lower(instant) AS
    CASE WHEN idtypes_us(instant, 0) < (1::BIGINT << 53) - 1
        THEN tid64_text(1024 * greatest(idtypes_us(instant, 0) + 1, -(1::BIGINT << 53))) END;

-- ----------
-- uid11: all profiles; fullrand has no time
-- ----------

CREATE OR REPLACE MACRO uid11_number(t) AS
    CASE WHEN regexp_full_match(t, '[1-9A-HJ-NP-Za-km-z]{11}') THEN TRY_CAST(idtypes_value(t,
        '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz') AS UBIGINT) END;

CREATE OR REPLACE MACRO uid11_text(n) AS
    idtypes_digits(n, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', [
        430804206899405824, 7427658739644928, 128063081718016, 2207984167552, 38068692544,
        656356768, 11316496, 195112, 3364, 58, 1]);

CREATE OR REPLACE MACRO uid11_timestamp(t) AS
    make_timestamptz(1321009871111000 + 1000 * (uid11_number(t) >> 22)::BIGINT);

CREATE OR REPLACE MACRO uid11_lower(instant) AS
    uid11_text(idtypes_tick(idtypes_us(instant, 1321009871111000), 1000, 42) << 22);

-- ----------
-- ulidflake
-- ----------

CREATE OR REPLACE MACRO ulidflake_number(t) AS
    CASE WHEN regexp_full_match(t, '[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{12}')
    THEN idtypes_value(upper(t), '0123456789ABCDEFGHJKMNPQRSTVWXYZ')::BIGINT END;

CREATE OR REPLACE MACRO ulidflake_text(n) AS
    idtypes_base32(n, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 13);

CREATE OR REPLACE MACRO ulidflake_timestamp(t) AS
    make_timestamptz(1704067200000000 + 1000 * (ulidflake_number(t) >> 20));

CREATE OR REPLACE MACRO ulidflake_lower(instant) AS
    ulidflake_text(idtypes_tick(idtypes_us(instant, 1704067200000000), 1000, 43) << 20);

-- ----------
-- scru160: its number is 40 hex digits
-- ----------

CREATE OR REPLACE MACRO scru160_number(t) AS
    CASE WHEN regexp_full_match(t, '[0-9A-Fa-f]{40}') THEN lower(t)
        WHEN regexp_full_match(t, '[0-9A-Va-v]{32}') THEN array_to_string([
            printf('%010x', idtypes_value(upper(t)[i:i + 7],
                '0123456789ABCDEFGHIJKLMNOPQRSTUV')::BIGINT) FOR i IN range(1, 32, 8)], '') END;

CREATE OR REPLACE MACRO scru160_text(n) AS
    CASE WHEN regexp_full_match(n, '[0-9A-Fa-f]{40}') THEN array_to_string([
        idtypes_base32(('0x' || n[i:i + 9])::BIGINT, '0123456789ABCDEFGHIJKLMNOPQRSTUV', 8)
        FOR i IN range(1, 40, 10)], '') END;

CREATE OR REPLACE MACRO scru160_timestamp(t) AS
    make_timestamptz(1000 * ('0x' || scru160_number(t)[1:12])::BIGINT);

CREATE OR REPLACE MACRO scru160_lower(instant) AS
    scru160_text(printf('%012x', idtypes_tick(idtypes_us(instant, 0), 1000, 48)::BIGINT)
        || repeat('0', 28));

-- ----------
-- siq: its number is 28 hex digits, its text the DID
-- ----------

-- CRC-32, as zlib's, of the 14 bytes of 28 hex digits, from the second digit of each byte on.
CREATE OR REPLACE MACRO siq_crc32(n) AS
    xor(4294967295, list_reduce(
        [('0x' || c)::BIGINT FOR c IN string_split(regexp_replace(n, '(.)(.)', '\2\1', 'g'), '')],
        lambda crc, digit : xor(crc >> 4, [
            0, 498536548, 997073096, 651767980, 1994146192, 1802195444, 1303535960, 1342533948,
            3988292384, 4027552580, 3604390888, 3412177804, 2607071920, 2262029012, 2685067896,
            3183342108][xor(crc & 15, digit) + 1]), 4294967295));

-- The 28 digits of a value, if their checksum is the one given.
CREATE OR REPLACE MACRO siq_checked(v, checksum) AS
    list_filter([printf('%014x%014x', (v >> 56)::BIGINT, (v % (1::BIGINT << 56))::BIGINT)],
        lambda n : siq_crc32(n) = checksum)[1];

CREATE OR REPLACE MACRO siq_number(t) AS
    CASE WHEN regexp_full_match(t, '[0-9A-Fa-f]{28}') THEN lower(t)
        WHEN regexp_full_match(t, '(did:siq:)?[A-Pa-p][A-Za-z2-7]{28}') THEN
            siq_checked(
                idtypes_value(lower(right(t, 23)), 'abcdefghijklmnopqrstuvwxyz234567')
                    % (1::HUGEINT << 112),
                idtypes_value(lower(right(t, 29))[1:7], 'abcdefghijklmnopqrstuvwxyz234567') >> 2)
        END;

CREATE OR REPLACE MACRO siq_text(n) AS
    CASE WHEN regexp_full_match(n, '[0-9A-Fa-f]{28}') THEN
        'did:siq:' || idtypes_base32(siq_crc32(n) >> 3, 'abcdefghijklmnopqrstuvwxyz234567', 6)
            || idtypes_base32((siq_crc32(n) % 8)::HUGEINT * (1::HUGEINT << 112)
                + ('0x' || n[1:14])::BIGINT::HUGEINT * (1::BIGINT << 56)
                + ('0x' || n[15:28])::BIGINT,
                'abcdefghijklmnopqrstuvwxyz234567', 23) END;

CREATE OR REPLACE MACRO siq_timestamp(t) AS
    make_timestamptz(1000000 * ('0x' || siq_number(t)[1:10])::BIGINT
        + (15625 * ('0x' || siq_number(t)[11:14])::BIGINT + 1023) // 1024);

CREATE OR REPLACE MACRO siq_lower(instant) AS
    printf('%014x', idtypes_tick(1024 * idtypes_us(instant, 0), 15625, 56)::BIGINT)
        || repeat('0', 14);
