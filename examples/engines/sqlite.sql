-- sqlite.sql: ids of the five types in SQLite (run with 3.40); see doc/outside.md.
--
-- SQLite has no functions in SQL, so these are generated columns, to be copied into tables of your
-- own; STORED ones can have an index.  T_read has number and timestamp (UTC) of a text, NULL if
-- it is not an id.  T_write has the text of a number, or of the smallest id at or after an instant,
-- written 'YYYY-MM-DD HH:MM:SS.ffffff' in UTC, NULL after the type's last one.
--
-- SQLite has no CRC, no year after 9999, and no integer above 63 bits.  So siq is read and written
-- as hex, and scru160 as base32hex, for their time alone; a uid11 above 2^63 - 1, as from 2081 on,
-- has a time, but no number, and is not written.

-- ----------
-- tid64: with dashes and without
-- ----------

CREATE TABLE tid64_read (
    id text,
    digits AS ('234567abcdefghijklmnopqrstuvwxyz'),
    compact AS (CASE WHEN length(replace(id, '-', '')) = 13 AND id GLOB '[2-7abs-z]*'
        AND replace(id, '-', '') NOT GLOB '*[^2-7a-z]*'
        AND (id NOT GLOB '*-*' OR id GLOB '????-???-????-??') THEN replace(id, '-', '') END),
    number AS (
        ((((((((((((instr('stuvwxyz234567ab', substr(compact, 1, 1)) - 9
        ) * 32 + (instr(digits, substr(compact, 2, 1)) - 1)
        ) * 32 + (instr(digits, substr(compact, 3, 1)) - 1)
        ) * 32 + (instr(digits, substr(compact, 4, 1)) - 1)
        ) * 32 + (instr(digits, substr(compact, 5, 1)) - 1)
        ) * 32 + (instr(digits, substr(compact, 6, 1)) - 1)
        ) * 32 + (instr(digits, substr(compact, 7, 1)) - 1)
        ) * 32 + (instr(digits, substr(compact, 8, 1)) - 1)
        ) * 32 + (instr(digits, substr(compact, 9, 1)) - 1)
        ) * 32 + (instr(digits, substr(compact, 10, 1)) - 1)
        ) * 32 + (instr(digits, substr(compact, 11, 1)) - 1)
        ) * 32 + (instr(digits, substr(compact, 12, 1)) - 1)
        ) * 32 + (instr(digits, substr(compact, 13, 1)) - 1)),
    second AS (((number >> 10) - ((number >> 10) % 1000000 + 1000000) % 1000000) / 1000000),
    timestamp AS (strftime('%Y-%m-%d %H:%M:%S', second, 'unixepoch')
        || printf('.%06d', (number >> 10) - second * 1000000))
);

CREATE TABLE tid64_write (
    number integer,
    instant text,
    digits AS ('234567abcdefghijklmnopqrstuvwxyz'),
    us AS (unixepoch(substr(instant, 1, 19)) * 1000000
        + substr(substr(instant, 21) || '000000', 1, 6)),
    n AS (coalesce(number, CASE WHEN us < 1 << 53 THEN 1024 * max(us, -1 << 53) END)),
    text AS (
        substr(digits, (n >> 60 & 31) + 1, 1) || substr(digits, (n >> 55 & 31) + 1, 1)
        || substr(digits, (n >> 50 & 31) + 1, 1) || substr(digits, (n >> 45 & 31) + 1, 1) || '-'
        || substr(digits, (n >> 40 & 31) + 1, 1) || substr(digits, (n >> 35 & 31) + 1, 1)
        || substr(digits, (n >> 30 & 31) + 1, 1) || '-'
        || substr(digits, (n >> 25 & 31) + 1, 1) || substr(digits, (n >> 20 & 31) + 1, 1)
        || substr(digits, (n >> 15 & 31) + 1, 1) || substr(digits, (n >> 10 & 31) + 1, 1) || '-'
        || substr(digits, (n >> 5 & 31) + 1, 1) || substr(digits, (n & 31) + 1, 1))
);

-- ----------
-- uid11: the quarter of a number always fits
-- ----------

CREATE TABLE uid11_read (
    id text,
    digits AS ('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'),
    high AS (CASE WHEN length(id) = 11 AND id NOT GLOB '*[^1-9A-HJ-NP-Za-km-z]*'
        AND id <= 'jpXCZedGfVQ' THEN
        (((((instr(digits, substr(id, 1, 1)) - 1) * 58 + (instr(digits, substr(id, 2, 1)) - 1)
        ) * 58 + (instr(digits, substr(id, 3, 1)) - 1)
        ) * 58 + (instr(digits, substr(id, 4, 1)) - 1)
        ) * 58 + (instr(digits, substr(id, 5, 1)) - 1)
        ) * 58 + (instr(digits, substr(id, 6, 1)) - 1) END),
    low AS (
        ((((instr(digits, substr(id, 7, 1)) - 1) * 58 + (instr(digits, substr(id, 8, 1)) - 1)
        ) * 58 + (instr(digits, substr(id, 9, 1)) - 1)
        ) * 58 + (instr(digits, substr(id, 10, 1)) - 1)
        ) * 58 + (instr(digits, substr(id, 11, 1)) - 1)),
    quarter AS (high * 164089192 + low / 4),
    number AS (CASE WHEN quarter < 1 << 61 THEN high * 656356768 + low END),
    ms AS (1321009871111 + (quarter >> 20)),
    timestamp AS (strftime('%Y-%m-%d %H:%M:%S', ms / 1000, 'unixepoch')
        || printf('.%03d000', ms % 1000))
);

CREATE TABLE uid11_write (
    number integer,
    instant text,
    digits AS ('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'),
    us AS (unixepoch(substr(instant, 1, 19)) * 1000000
        + substr(substr(instant, 21) || '000000', 1, 6)),
    ms AS (max(0, (us - 1321009871110001) / 1000)),
    n AS (coalesce(number, CASE WHEN ms < 1 << 41 THEN ms << 22 END)),
    text AS (
        substr(digits, n / 430804206899405824 % 58 + 1, 1)
        || substr(digits, n / 7427658739644928 % 58 + 1, 1)
        || substr(digits, n / 128063081718016 % 58 + 1, 1)
        || substr(digits, n / 2207984167552 % 58 + 1, 1)
        || substr(digits, n / 38068692544 % 58 + 1, 1)
        || substr(digits, n / 656356768 % 58 + 1, 1) || substr(digits, n / 11316496 % 58 + 1, 1)
        || substr(digits, n / 195112 % 58 + 1, 1) || substr(digits, n / 3364 % 58 + 1, 1)
        || substr(digits, n / 58 % 58 + 1, 1) || substr(digits, n / 1 % 58 + 1, 1))
);

-- ----------
-- ulidflake
-- ----------

CREATE TABLE ulidflake_read (
    id text,
    digits AS ('0123456789ABCDEFGHJKMNPQRSTVWXYZ'),
    upper AS (CASE WHEN length(id) = 13 AND id GLOB '[0-7]*'
        AND id NOT GLOB '*[^0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]*' THEN upper(id) END),
    number AS (
        ((((((((((((instr(digits, substr(upper, 1, 1)) - 1
        ) * 32 + (instr(digits, substr(upper, 2, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper, 3, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper, 4, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper, 5, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper, 6, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper, 7, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper, 8, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper, 9, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper, 10, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper, 11, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper, 12, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper, 13, 1)) - 1)),
    ms AS (1704067200000 + (number >> 20)),
    timestamp AS (strftime('%Y-%m-%d %H:%M:%S', ms / 1000, 'unixepoch')
        || printf('.%03d000', ms % 1000))
);

CREATE TABLE ulidflake_write (
    number integer,
    instant text,
    digits AS ('0123456789ABCDEFGHJKMNPQRSTVWXYZ'),
    us AS (unixepoch(substr(instant, 1, 19)) * 1000000
        + substr(substr(instant, 21) || '000000', 1, 6)),
    ms AS (max(0, (us - 1704067199999001) / 1000)),
    n AS (coalesce(number, CASE WHEN ms < 1 << 43 THEN ms << 20 END)),
    text AS (
        substr(digits, (n >> 60 & 31) + 1, 1) || substr(digits, (n >> 55 & 31) + 1, 1)
        || substr(digits, (n >> 50 & 31) + 1, 1) || substr(digits, (n >> 45 & 31) + 1, 1)
        || substr(digits, (n >> 40 & 31) + 1, 1) || substr(digits, (n >> 35 & 31) + 1, 1)
        || substr(digits, (n >> 30 & 31) + 1, 1) || substr(digits, (n >> 25 & 31) + 1, 1)
        || substr(digits, (n >> 20 & 31) + 1, 1) || substr(digits, (n >> 15 & 31) + 1, 1)
        || substr(digits, (n >> 10 & 31) + 1, 1) || substr(digits, (n >> 5 & 31) + 1, 1)
        || substr(digits, (n & 31) + 1, 1))
);

-- ----------
-- scru160
-- ----------

CREATE TABLE scru160_read (
    id text,
    digits AS ('0123456789ABCDEFGHIJKLMNOPQRSTUV'),
    ms AS (CASE WHEN length(id) = 32 AND id NOT GLOB '*[^0-9A-Va-v]*' THEN (
        (((((((((instr(digits, substr(upper(id), 1, 1)) - 1
        ) * 32 + (instr(digits, substr(upper(id), 2, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper(id), 3, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper(id), 4, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper(id), 5, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper(id), 6, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper(id), 7, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper(id), 8, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper(id), 9, 1)) - 1)
        ) * 32 + (instr(digits, substr(upper(id), 10, 1)) - 1)) >> 2 END),
    timestamp AS (strftime('%Y-%m-%d %H:%M:%S', ms / 1000, 'unixepoch')
        || printf('.%03d000', ms % 1000))
);

CREATE TABLE scru160_write (
    instant text,
    digits AS ('0123456789ABCDEFGHIJKLMNOPQRSTUV'),
    us AS (unixepoch(substr(instant, 1, 19)) * 1000000
        + substr(substr(instant, 21) || '000000', 1, 6)),
    n AS (max(0, (us + 999) / 1000) << 2),
    text AS (
        substr(digits, (n >> 45 & 31) + 1, 1) || substr(digits, (n >> 40 & 31) + 1, 1)
        || substr(digits, (n >> 35 & 31) + 1, 1) || substr(digits, (n >> 30 & 31) + 1, 1)
        || substr(digits, (n >> 25 & 31) + 1, 1) || substr(digits, (n >> 20 & 31) + 1, 1)
        || substr(digits, (n >> 15 & 31) + 1, 1) || substr(digits, (n >> 10 & 31) + 1, 1)
        || substr(digits, (n >> 5 & 31) + 1, 1) || substr(digits, (n & 31) + 1, 1)
        || '0000000000000000000000')
);

-- ----------
-- siq: as hex
-- ----------

CREATE TABLE siq_read (
    id text,
    digits AS ('0123456789abcdef'),
    hex AS (CASE WHEN length(id) = 28 AND id NOT GLOB '*[^0-9A-Fa-f]*' THEN lower(id) END),
    second AS (
        (((((((((instr(digits, substr(hex, 1, 1)) - 1
        ) * 16 + (instr(digits, substr(hex, 2, 1)) - 1)
        ) * 16 + (instr(digits, substr(hex, 3, 1)) - 1)
        ) * 16 + (instr(digits, substr(hex, 4, 1)) - 1)
        ) * 16 + (instr(digits, substr(hex, 5, 1)) - 1)
        ) * 16 + (instr(digits, substr(hex, 6, 1)) - 1)
        ) * 16 + (instr(digits, substr(hex, 7, 1)) - 1)
        ) * 16 + (instr(digits, substr(hex, 8, 1)) - 1)
        ) * 16 + (instr(digits, substr(hex, 9, 1)) - 1)
        ) * 16 + (instr(digits, substr(hex, 10, 1)) - 1)),
    fraction AS (
        (((instr(digits, substr(hex, 11, 1)) - 1) * 16 + (instr(digits, substr(hex, 12, 1)) - 1)
        ) * 16 + (instr(digits, substr(hex, 13, 1)) - 1)
        ) * 16 + (instr(digits, substr(hex, 14, 1)) - 1)),
    us AS (second * 1000000 + (fraction * 15625 + 1023) / 1024),
    timestamp AS (strftime('%Y-%m-%d %H:%M:%S', us / 1000000, 'unixepoch')
        || printf('.%06d', us % 1000000))
);

CREATE TABLE siq_write (
    instant text,
    us AS (unixepoch(substr(instant, 1, 19)) * 1000000
        + substr(substr(instant, 21) || '000000', 1, 6)),
    tick AS (us / 1000000 * 65536 + ((us % 1000000 - 1) * 1024 + 15625) / 15625),
    hex AS (printf('%014x00000000000000', max(0, tick)))
);
