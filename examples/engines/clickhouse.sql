-- clickhouse.sql: ids of the five types in ClickHouse (run with 26.7), by functions that mean the
-- same as those of duckdb.sql; see doc/outside.md.  ClickHouse shows instants after 2299 as 9999,
-- and reads none outside 1900 to 2299.

-- The value of a text's digits, and the digits of a value in base 32.
CREATE OR REPLACE FUNCTION idtypes_value AS (t, alphabet) ->
    if(isNull(t), NULL, arrayFold((value, i) -> toUInt256(value * length(alphabet)
            + position(alphabet, substring(assumeNotNull(t), i, 1)) - 1),
        range(1, length(assumeNotNull(t)) + 1), toUInt256(0)));

CREATE OR REPLACE FUNCTION idtypes_base32 AS (n, alphabet, places) ->
    arrayStringConcat(arrayMap(i -> substring(alphabet,
        toUInt8(bitAnd(bitShiftRight(n, 5 * (places - i)), 31)) + 1, 1), range(1, places + 1)));

-- Microseconds since 1970; the first whole number above n / d, from 0 on, NULL after the last tick.
CREATE OR REPLACE FUNCTION idtypes_us AS (instant) ->
    toInt128(toUnixTimestamp64Micro(toDateTime64(instant, 6, 'UTC')));

CREATE OR REPLACE FUNCTION idtypes_tick AS (n, d, last_tick) ->
    if(intDiv(n + d, d) <= last_tick, toUInt256(greatest(intDiv(n + d, d), 0)), NULL);

-- ----------
-- tid64: with dashes and without
-- ----------

CREATE OR REPLACE FUNCTION tid64_number AS (t) ->
    if(match(t, '^[2-7abs-z]([2-7a-z]{12}|[2-7a-z]{3}-[2-7a-z]{3}-[2-7a-z]{4}-[2-7a-z]{2})$'),
        toInt64(idtypes_value(replaceAll(t, '-', ''), '234567abcdefghijklmnopqrstuvwxyz')), NULL);

CREATE OR REPLACE FUNCTION tid64_text AS (n) ->
    if(isNull(n), NULL, replaceRegexpOne(
        idtypes_base32(toUInt256(toInt256(n)), '234567abcdefghijklmnopqrstuvwxyz', 13),
        '(....)(...)(....)(..)', '\\1-\\2-\\3-\\4'));

CREATE OR REPLACE FUNCTION tid64_timestamp AS (t) ->
    fromUnixTimestamp64Micro(bitShiftRight(tid64_number(t), 10), 'UTC');

CREATE OR REPLACE FUNCTION tid64_lower AS (instant) ->
    if(idtypes_us(instant) < 9007199254740992, tid64_text(1024 * idtypes_us(instant)), NULL);

-- ----------
-- uid11: all profiles; fullrand has no time
-- ----------

CREATE OR REPLACE FUNCTION uid11_value AS (t) ->
    idtypes_value(t, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');

CREATE OR REPLACE FUNCTION uid11_number AS (t) ->
    if(match(t, '^[1-9A-HJ-NP-Za-km-z]{11}$') AND t <= 'jpXCZedGfVQ',
        toUInt64(uid11_value(t)), NULL);

CREATE OR REPLACE FUNCTION uid11_text AS (n) ->
    if(isNull(n), NULL, arrayStringConcat(arrayMap(place ->
        substring('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
            toUInt8(intDiv(n, place) % 58) + 1, 1), [
        430804206899405824, 7427658739644928, 128063081718016, 2207984167552, 38068692544,
        656356768, 11316496, 195112, 3364, 58, 1])));

CREATE OR REPLACE FUNCTION uid11_timestamp AS (t) ->
    fromUnixTimestamp64Micro(
        toInt64(1321009871111000 + 1000 * bitShiftRight(uid11_number(t), 22)), 'UTC');

CREATE OR REPLACE FUNCTION uid11_lower AS (instant) ->
    uid11_text(bitShiftLeft(
        idtypes_tick(idtypes_us(instant) - 1321009871111001, 1000, 4398046511103), 22));

-- ----------
-- ulidflake
-- ----------

CREATE OR REPLACE FUNCTION ulidflake_number AS (t) ->
    if(match(t, '^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{12}$'),
        toInt64(idtypes_value(upper(t), '0123456789ABCDEFGHJKMNPQRSTVWXYZ')), NULL);

CREATE OR REPLACE FUNCTION ulidflake_text AS (n) ->
    if(isNull(n), NULL, idtypes_base32(n, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 13));

CREATE OR REPLACE FUNCTION ulidflake_timestamp AS (t) ->
    fromUnixTimestamp64Micro(
        1704067200000000 + 1000 * bitShiftRight(ulidflake_number(t), 20), 'UTC');

CREATE OR REPLACE FUNCTION ulidflake_lower AS (instant) ->
    ulidflake_text(bitShiftLeft(
        idtypes_tick(idtypes_us(instant) - 1704067200000001, 1000, 8796093022207), 20));

-- ----------
-- scru160: its number is 40 hex digits
-- ----------

CREATE OR REPLACE FUNCTION idtypes_hex AS (n, places) ->
    right(concat(repeat('0', places), lower(hex(n))), places);

CREATE OR REPLACE FUNCTION scru160_number AS (t) ->
    multiIf(match(t, '^[0-9A-Fa-f]{40}$'), lower(t), match(t, '^[0-9A-Va-v]{32}$'),
        idtypes_hex(idtypes_value(upper(t), '0123456789ABCDEFGHIJKLMNOPQRSTUV'), 40), NULL);

CREATE OR REPLACE FUNCTION scru160_text AS (n) ->
    if(match(n, '^[0-9A-Fa-f]{40}$'), idtypes_base32(idtypes_value(lower(n), '0123456789abcdef'),
        '0123456789ABCDEFGHIJKLMNOPQRSTUV', 32), NULL);

CREATE OR REPLACE FUNCTION scru160_timestamp AS (t) ->
    fromUnixTimestamp64Micro(
        toInt64(1000 * idtypes_value(left(scru160_number(t), 12), '0123456789abcdef')), 'UTC');

CREATE OR REPLACE FUNCTION scru160_lower AS (instant) ->
    scru160_text(idtypes_hex(bitShiftLeft(
        idtypes_tick(idtypes_us(instant) - 1, 1000, 281474976710655), 112), 40));

-- ----------
-- siq: its number is 28 hex digits, its text the DID
-- ----------

CREATE OR REPLACE FUNCTION siq_value AS (t) ->
    idtypes_value(lower(right(t, 29)), 'abcdefghijklmnopqrstuvwxyz234567');

CREATE OR REPLACE FUNCTION siq_number AS (t) ->
    multiIf(match(t, '^[0-9A-Fa-f]{28}$'), lower(t),
        match(t, '^(did:siq:)?[A-Pa-p][A-Za-z2-7]{28}$')
        AND CRC32(unhex(idtypes_hex(siq_value(t), 28))) = bitShiftRight(siq_value(t), 112),
        idtypes_hex(siq_value(t), 28), NULL);

CREATE OR REPLACE FUNCTION siq_text AS (n) ->
    if(match(n, '^[0-9A-Fa-f]{28}$'), concat('did:siq:', idtypes_base32(
        bitShiftLeft(toUInt256(CRC32(unhex(n))), 112) + idtypes_value(lower(n), '0123456789abcdef'),
        'abcdefghijklmnopqrstuvwxyz234567', 29)), NULL);

CREATE OR REPLACE FUNCTION siq_timestamp AS (t) ->
    fromUnixTimestamp64Micro(toInt64(intDiv(
        15625 * idtypes_value(left(siq_number(t), 14), '0123456789abcdef') + 1023, 1024)), 'UTC');

CREATE OR REPLACE FUNCTION siq_lower AS (instant) ->
    idtypes_hex(bitShiftLeft(
        idtypes_tick(1024 * (idtypes_us(instant) - 1), 15625, 72057594037927935), 56), 28);
