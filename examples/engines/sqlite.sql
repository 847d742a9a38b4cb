-- sqlite.sql: ids of the five types in SQLite (run with 3.40); see doc/outside.md.
--
-- SQLite has no functions in SQL, so these are generated columns, to be copied into tables of your
-- own, where the type's name may be in the place of "type"; STORED ones can have an index.
-- id_read has number and timestamp (UTC) of a text, NULL if it is not an id.  id_write has the text
-- of a number, or of the smallest id at or after an instant, written 'YYYY-MM-DD HH:MM:SS.ffffff'
-- in UTC, NULL after the type's last one.
--
-- SQLite has no CRC, no year after 9999, and no integer above 63 bits.  So siq is read and written
-- as hex, and scru160 as base32hex, for their time alone; a uid11 above 2^63 - 1, as from 2081 on,
-- has a time, but no number, and is not written.

CREATE TABLE id_read (
    type text,
    id text,
    digits AS (CASE type
        WHEN 'tid64' THEN '234567abcdefghijklmnopqrstuvwxyz'
        WHEN 'uid11' THEN '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
        WHEN 'ulidflake' THEN '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
        WHEN 'scru160' THEN '0123456789ABCDEFGHIJKLMNOPQRSTUV'
        WHEN 'siq' THEN '0123456789ABCDEF' END),
    base AS (length(digits)),

    -- the digits of an id; of scru160 and siq those of the time alone
    compact AS (CASE type
        WHEN 'tid64' THEN CASE WHEN length(replace(id, '-', '')) = 13 AND id GLOB '[2-7abs-z]*'
            AND replace(id, '-', '') NOT GLOB '*[^2-7a-z]*'
            AND (id NOT GLOB '*-*' OR id GLOB '????-???-????-??') THEN replace(id, '-', '') END
        WHEN 'uid11' THEN CASE WHEN length(id) = 11 AND id <= 'jpXCZedGfVQ'
            AND id NOT GLOB '*[^1-9A-HJ-NP-Za-km-z]*' THEN id END
        WHEN 'ulidflake' THEN CASE WHEN length(id) = 13 AND id GLOB '[0-7]*'
            AND id NOT GLOB '*[^0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]*' THEN upper(id) END
        WHEN 'scru160' THEN CASE WHEN length(id) = 32 AND id NOT GLOB '*[^0-9A-Va-v]*'
            THEN substr(upper(id), 1, 10) END
        WHEN 'siq' THEN CASE WHEN length(id) = 28 AND id NOT GLOB '*[^0-9A-Fa-f]*'
            THEN substr(upper(id), 1, 14) END END),

    -- the values of two halves, of up to seven digits each; SQLite counts digits from 1
    zeros AS (replace('.......', '.', substr(digits, 1, 1))),
    whole AS (substr(zeros, length(compact) - 6) || compact),
    high AS (
        ((((((instr(digits, substr(whole, 1, 1)) - 1
        ) * base + (instr(digits, substr(whole, 2, 1)) - 1)
        ) * base + (instr(digits, substr(whole, 3, 1)) - 1)
        ) * base + (instr(digits, substr(whole, 4, 1)) - 1)
        ) * base + (instr(digits, substr(whole, 5, 1)) - 1)
        ) * base + (instr(digits, substr(whole, 6, 1)) - 1)
        ) * base + (instr(digits, substr(whole, 7, 1)) - 1)),
    low AS (
        ((((((instr(digits, substr(whole, 8, 1)) - 1
        ) * base + (instr(digits, substr(whole, 9, 1)) - 1)
        ) * base + (instr(digits, substr(whole, 10, 1)) - 1)
        ) * base + (instr(digits, substr(whole, 11, 1)) - 1)
        ) * base + (instr(digits, substr(whole, 12, 1)) - 1)
        ) * base + (instr(digits, substr(whole, 13, 1)) - 1)
        ) * base + (instr(digits, substr(whole, 14, 1)) - 1)),
    number AS (CASE type
        WHEN 'tid64' THEN ((high & 536870911) - (high & 536870912)) * 34359738368 + low
        WHEN 'uid11' THEN CASE WHEN quarter < 1 << 61 THEN high * 2207984167552 + low END
        WHEN 'ulidflake' THEN high * 34359738368 + low
        WHEN 'siq' THEN lower(substr(id, 1, length(compact) * 2)) END),
    -- of a uid11: this always fits
    quarter AS (high * 551996041888 + low / 4),

    us AS (CASE type
        WHEN 'tid64' THEN number >> 10
        WHEN 'uid11' THEN (1321009871111 + (quarter >> 20)) * 1000
        WHEN 'ulidflake' THEN (1704067200000 + (number >> 20)) * 1000
        WHEN 'scru160' THEN ((high * 34359738368 + low) >> 2) * 1000
        WHEN 'siq' THEN ((high << 12) + (low >> 16)) * 1000000
            + ((low & 65535) * 15625 + 1023) / 1024 END),
    second AS ((us - (us % 1000000 + 1000000) % 1000000) / 1000000),
    timestamp AS (strftime('%Y-%m-%d %H:%M:%S', second, 'unixepoch')
        || printf('.%06d', us - second * 1000000))
);

CREATE TABLE id_write (
    type text,
    number integer,
    instant text,
    us AS (unixepoch(substr(instant, 1, 19)) * 1000000
        + substr(substr(instant, 21) || '000000', 1, 6)),
    -- the milliseconds up to an instant, from the type's first one on
    ms AS (max(0, (us + 999 - CASE type
        WHEN 'uid11' THEN 1321009871111000
        WHEN 'ulidflake' THEN 1704067200000000
        ELSE 0 END) / 1000)),
    n AS (coalesce(number, CASE type
        WHEN 'tid64' THEN CASE WHEN us < 1 << 53 THEN 1024 * max(us, -1 << 53) END
        WHEN 'uid11' THEN CASE WHEN ms < 1 << 41 THEN ms << 22 END
        WHEN 'ulidflake' THEN CASE WHEN ms < 1 << 43 THEN ms << 20 END
        WHEN 'scru160' THEN ms << 2
        WHEN 'siq' THEN max(0,
            us / 1000000 * 65536 + ((us % 1000000 - 1) * 1024 + 15625) / 15625) END)),

    digits AS (CASE type
        WHEN 'tid64' THEN '234567abcdefghijklmnopqrstuvwxyz'
        WHEN 'ulidflake' THEN '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
        ELSE '0123456789ABCDEFGHIJKLMNOPQRSTUV' END),
    base32 AS (
        substr(digits, (n >> 60 & 31) + 1, 1) || substr(digits, (n >> 55 & 31) + 1, 1)
        || substr(digits, (n >> 50 & 31) + 1, 1) || substr(digits, (n >> 45 & 31) + 1, 1)
        || substr(digits, (n >> 40 & 31) + 1, 1) || substr(digits, (n >> 35 & 31) + 1, 1)
        || substr(digits, (n >> 30 & 31) + 1, 1) || substr(digits, (n >> 25 & 31) + 1, 1)
        || substr(digits, (n >> 20 & 31) + 1, 1) || substr(digits, (n >> 15 & 31) + 1, 1)
        || substr(digits, (n >> 10 & 31) + 1, 1) || substr(digits, (n >> 5 & 31) + 1, 1)
        || substr(digits, (n & 31) + 1, 1)),
    digits58 AS ('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'),
    base58 AS (
        substr(digits58, n / 430804206899405824 % 58 + 1, 1)
        || substr(digits58, n / 7427658739644928 % 58 + 1, 1)
        || substr(digits58, n / 128063081718016 % 58 + 1, 1)
        || substr(digits58, n / 2207984167552 % 58 + 1, 1)
        || substr(digits58, n / 38068692544 % 58 + 1, 1)
        || substr(digits58, n / 656356768 % 58 + 1, 1)
        || substr(digits58, n / 11316496 % 58 + 1, 1)
        || substr(digits58, n / 195112 % 58 + 1, 1)
        || substr(digits58, n / 3364 % 58 + 1, 1)
        || substr(digits58, n / 58 % 58 + 1, 1)
        || substr(digits58, n % 58 + 1, 1)),
    text AS (CASE type
        WHEN 'tid64' THEN substr(base32, 1, 4) || '-' || substr(base32, 5, 3) || '-'
            || substr(base32, 8, 4) || '-' || substr(base32, 12)
        WHEN 'uid11' THEN base58
        WHEN 'ulidflake' THEN base32
        WHEN 'scru160' THEN substr(base32, 4) || '0000000000000000000000'
        WHEN 'siq' THEN printf('%014x00000000000000', n) END)
);
