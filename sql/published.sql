--
-- What the documents of the formats print, in their own words: each line stands here as it was
-- published and is read where it stands.  Nothing here is taken from this project's pages or from
-- its other tests, so that a mistake which those share shows here.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
CREATE FUNCTION bits_of(bytes bytea) RETURNS varbit LANGUAGE sql AS $$
	SELECT ('x' || encode(bytes, 'hex'))::varbit
$$;
CREATE FUNCTION number_of(bits varbit) RETURNS numeric LANGUAGE sql AS $$
	SELECT sum(substr(bits::text, i, 1)::int * 2::numeric ^ (length(bits) - i))::numeric(60)
	FROM generate_series(1, length(bits)) i
$$;
-- what stands between the marks of the first, second, ... cell of a row of a table
CREATE FUNCTION cell(line text, n int) RETURNS text LANGUAGE sql AS $$
	SELECT btrim(split_part(ltrim(line, '|'), '|', n), ' `')
$$;

-- ----------
-- siq: "SIQ - SIS Identifier and Qualifier", by Sakuragasaki46, 2025
-- ----------
CREATE TEMP TABLE printed (n int GENERATED ALWAYS AS IDENTITY, line text);
COPY printed (line) FROM stdin;
| `x00000` | user account |
| `x10000` | application (e.g. API, client, bot, form) |
| `x01000` | event, task |
| `x11000` | product, subscription |
| `x00100` | user group, membership, role |
| `x10100` | collection, feed |
| `x01100` | invite |
| `x11100` | *unassigned* |
| `x00010` | tag, category |
| `x10010` | *unassigned* |
| `x01010` | channel (guild, live chat, forum, wiki~) |
| `x11010` | *unassigned* |
| `xx0110` | thread, page |
| `xx1110` | message, post, revision |
| `xxx001` | 3+ fk relationship |
| `xxx101` | many-to-many, hash array element |
| `xxx011` | array element (one to many) |
| `xxx111` | content |
CONTENT = 15 # xxx111
MULTI = 11 # xxx011
MANYTOMANY = 13 # xxx101
TERNARY = 9 # xxx001
TAG = 34 # x00010
CHANNEL = 42 # x01010
#??? = 50 # x10010
#??? = 58 # x11010
THREAD = 22 # xx0110
MESSAGE = 30 # xx1110
USER = 32 # x00000
GROUP = 36 # x00100
EVENT = 40 # x01000
INVITE = 44 # x01100
APPLICATION = 48 # x10000
COLLECTION = 52 # x10100
PREMIUM = 56 # x11000
#??? = 60 # x11100
\.
-- each name beside its bits; "terminal entities (leaves) end in `1`"
CREATE TEMP TABLE kinds AS
	SELECT n, line, bits, btrim(name) AS name
	FROM printed, substring(line FROM 'x+([01]+)') bits,
		regexp_split_to_table(CASE WHEN line LIKE '|%'
			THEN regexp_replace(cell(line, 2), 'e\.g\.|3\+ fk|[~)]', '', 'g')
			ELSE split_part(line, '=', 1) END, '[,(]') name;
SELECT name, bits, right(bits_of(id::bytea)::text, length(bits)) AS made,
		siq_is_leaf(id) = (bits ~ '1$') AS leaf
	FROM kinds, siq_make('2026-01-02', 0, 0, 0, name) id
	WHERE name !~ '\*unassigned|\?' ORDER BY n, name;
-- and the bits without a name
SELECT DISTINCT bits, siq_type(number_of(bits::varbit)::siq) FROM kinds
	WHERE name ~ '\*unassigned|\?' ORDER BY 1;
-- a number of the sample is a leading one and these bits
SELECT count(*), bool_and(number_of(('1' || bits)::varbit)
		= substring(line FROM '= (\d+)')::int) AS same
	FROM kinds WHERE line LIKE '%=%';
-- "prepend": the serial before the suffix, as wide as that leaves it
SELECT count(*) AS names, bool_and(right(bits_of(id::bytea)::text, 16)
		= repeat('1', 16 - length(bits)) || bits) AS same
	FROM kinds, siq_make('2026-01-02', 0, 0, (1 << 16 - length(bits)) - 1, name) id
	WHERE name !~ '\*unassigned|\?';

-- the graph of the layout: which bits a field of all ones fills
TRUNCATE printed;
COPY printed (line) FROM stdin;
 0: tttttttt tttttttt tttttttt tttttttt tttttttt
40: uuuuuuuu uuuuuuuu ssssssss dddddddd dddddddd
80: dddddddd dddddddd nnnnnnnn nnqqqqqq
\.
SELECT field, translate(graph, fill || letters, repeat('1', length(fill)) || '000000') =
		bits_of(id::bytea)::text AS same
	FROM (SELECT string_agg(replace(split_part(line, ': ', 2), ' ', ''), '' ORDER BY n) AS graph,
			'tusdnq' AS letters FROM printed) g,
		(VALUES ('timestamp', 'tu', siq_make('36812-02-20 00:36:15.999985Z', 0, 0, 0, 'user')),
			('shard', 's', siq_make('1970-01-01Z', 255, 0, 0, 'user')),
			('domain', 'd', siq_make('1970-01-01Z', 0, 4294967295, 0, 'user')),
			('serial and qualifier', 'nq', siq_make('1970-01-01Z', 0, 0, 8191, 'content')))
		f (field, fill, id);
-- make_domain_hash(): "the last 4 bytes" of SHA-256; "(local_id % 256) << 24) | (h % (1 << 24))"
SELECT count(*), bool_and(siq_domain_hash(domain, local_id) = CASE
			WHEN domain IN ('', '0') THEN 0
			WHEN local_id <> 0 THEN (local_id % 256) * 16777216::bigint + h % 16777216
			ELSE h END) AS same
	FROM unnest('{example.com,Example.com,"",0}'::text[]) domain,
		unnest('{0,1,255,256}'::int[]) local_id,
		number_of(bits_of(substr(sha256(domain::bytea), 29))) h;

-- ----------
-- scru160: "SCRU160" 0.1.0, by LiosK, 2021; Apache License 2.0
-- ----------
SELECT printed, printed IN (printed::scru160::text, scru160_hex(printed::scru160)) AS same,
		date_trunc('day', scru160_timestamp(printed::scru160)) AS day
	FROM (VALUES (1, '05TTUP1HNCPNH30VEK64KDQT9BSNU4C4'), (2, '05TTUP1HNCPNIB63R8IN5V2L3VFGNFET'),
		(3, '017bdf6431bb33750751eb63beb3c3f8c5969d86'),
		(4, '017bdf6431bb337662412e6a5758890735c33c2b')) v (n, printed) ORDER BY n;
-- the table of the layout, read on the first of them
TRUNCATE printed;
COPY printed (line) FROM stdin;
Msb 0 - 47 timestamp 48-bit unsigned integer, big-endian
Msb 48 - 63 counter 16-bit unsigned integer, big-endian
Msb 64 - 79 random16 16-bit unsigned integer, big-endian
Msb 80 - 159 random80 80-bit unsigned integer, big-endian
\.
SELECT m[3] AS field, m[4]::int = m[2]::int - m[1]::int + 1 AS width,
		number_of(substring(bits_of(id::bytea) FROM m[1]::int + 1 FOR m[4]::int)) = CASE m[3]
			WHEN 'timestamp' THEN extract(epoch FROM scru160_timestamp(id)) * 1000
			WHEN 'counter' THEN scru160_counter(id)
			WHEN 'random16' THEN number_of(bits_of(substr(scru160_random(id), 1, 2)))
			WHEN 'random80' THEN number_of(bits_of(substr(scru160_random(id), 3))) END AS same
	FROM printed, regexp_match(line, '(\d+) - (\d+) (\w+) (\d+)') m,
		(VALUES (scru160 '05TTUP1HNCPNH30VEK64KDQT9BSNU4C4')) v (id) ORDER BY n;

-- ----------
-- tid64: draft-goldman-tid, by A. Goldman and J. Caballero, 2024; IETF Trust's Legal Provisions
-- ----------
-- the digits in order
SELECT bool_and(right(tid64_compact(n::bigint::tid64), 1) = substr(digits, n + 1, 1)) AS same
	FROM (VALUES ('234567abcdefghijklmnopqrstuvwxyz')) v (digits), generate_series(0, 31) n;
-- the table of extremes.  The draft is off by one at its smallest (-2^53 is what this text says),
-- and takes 'zzzz-zzz-zzzz' for a number that does not fit: with its sign it is -1
TRUNCATE printed;
COPY printed (line) FROM stdin;
s222-222-2222 | -9007199254740991 | yes (min value) | 1684-07-28T00:12:25 |
2222-222-2222 | 0 | yes | 1970-01-01T00:00:00 |
bzzz-zzz-zzzz | 9007199254740991 | yes (max value) | 2255-06-05T23:47:34 |
zzzz-zzz-zzzz | 18014398509481982 | no (binary unsafe) | 2540-11-07T23:35:09 |
\.
SELECT cell(line, 1) AS tid, cell(line, 2)::bigint AS printed, id::bigint >> 10 AS microseconds,
		date_trunc('second', tid64_timestamp(id)) = (cell(line, 4) || 'Z')::timestamptz AS instant
	FROM printed, LATERAL (SELECT (cell(line, 1) || '-22')::tid64) x (id) ORDER BY n;
-- the worked example, "a node with identifer 01": the draft writes its instants in UTC-7
SELECT '3kxn-lhr-3gxq-23' = tid64_make('2024-07-19T09:40:46.480310-07', 1)::text AS same;
-- prefixes
TRUNCATE printed;
COPY printed (line) FROM stdin;
2024-07-19T09:40:46.480310 | 2024-07-19T09:40:46.480310 | 3kxn-lhr-3gxq |
2024-07-19T09:40:46.434304 | 2024-07-19T09:40:47.482879 | 3kxn-lhr |
2024-07-19T04:28:52.498432 | 2024-07-19T14:01:32.236799 | 3kxn |
2023-07-08T13:57:40.263936 | 2024-08-18T19:23:52.352767 | 3k |
\.
SELECT cell(line, 3) AS prefix, tid64_timestamp(lower(r)) = first AS first,
		tid64_timestamp(upper(r)) = last AS last, tid64_range(first, last, '[]') = r AS window
	FROM printed, tid64_prefix(cell(line, 3)) r, timestamptz(cell(line, 1) || '-07') first,
		timestamptz(cell(line, 2) || '-07') last
	ORDER BY n;
-- the last table: its second row, whose instant is "Tuesday, February 22, 2022 2:22:22.000000 PM
-- GMT-05:00"; the first one's number is not that of its text
SELECT microseconds, left(id::text, 13) AS text, printed = left(id::text, 13) AS same
	FROM (VALUES (1721382046481000, '3kxn-lhr-3gxq'), (1645557742000000, '3iso-34e-qpw2'))
			v (microseconds, printed),
		LATERAL (SELECT (microseconds << 10)::tid64) x (id);
SELECT tid64_timestamp('3iso-34e-qpw2-22') = timestamptz '2022-02-22 14:22:22-05' AS same;
-- clock ids: the draft's (0-31, "20" - "2z"), (32-991, "30" - "yz"), (992-1023, "z0" - "zz") have a
-- digit 0 that its alphabet lacks: 2 is meant
SELECT bool_and(right(tid64_make('2026-01-01', clock_id)::text, 2)
		= replace(printed, '0', '2')) AS same
	FROM (VALUES (0, '20'), (31, '2z'), (32, '30'), (991, 'yz'), (992, 'z0'), (1023, 'zz'))
		v (clock_id, printed);

-- ----------
-- uid11: "uid11: Fixed-length (11) Base58 identifier" 1.0 (draft), by Tobias Gurdan, 2025; MIT
-- ----------
SELECT bool_and(right(n::bigint::uid11::text, 1) = substr(alphabet, n + 1, 1)) AS same
	FROM generate_series(0, 57) n,
		(VALUES ('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')) v (alphabet);
SELECT count(*) FILTER (WHERE (err(format('SELECT %L::uid11', text)) LIKE 'no error%')
			<> (text ~ '^[1-9A-HJ-NP-Za-km-z]{11}$')) AS differs, count(*) AS characters
	FROM generate_series(32, 126) c, LATERAL (SELECT '113q8' || chr(c) || 'FkAEs') x (text);
-- the test vectors
TRUNCATE printed;
COPY printed (line) FROM stdin;
Zero ts=0, r=0 0x0000000000000000 11111111111
+1 ms after epoch ts=1, r=0 0x0000000000400000 1111111NVpb
+1 day after epoch ts=86,400,000, r=0 0x0001499700000000 113q8KFkAEs
\.
SELECT m[4] AS text, m[4] = uid11_make(ts, m[2]::bigint)::text AS made,
		m[3] = encode(m[4]::uid11::bytea, 'hex') AS hex,
		uid11_timestamp(m[4]::uid11) = ts AS timestamp,
		uid11_random(m[4]::uid11) = m[2]::int AS random
	FROM printed, regexp_match(line, 'ts=([0-9,]+), r=(\d+) 0x(\w+) (\w+)') m,
		LATERAL (SELECT '2011-11-11T11:11:11.111Z'::timestamptz
			+ replace(m[1], ',', '')::bigint * interval '1 ms') x (ts) ORDER BY n;
SELECT extract(epoch FROM uid11_timestamp('11111111111')) * 1000 = 1321009871111 AS epoch_ms;
-- "scale = 58^(11 - N); lowerBound = value(P) * scale; upperBound = lowerBound + (scale - 1)"
SELECT p, lower(r)::numeric = value * scale AS lower,
		upper(r)::numeric = value * scale + (scale - 1) AS upper
	FROM unnest('{1,3kx,1111111NVpb,113q8}'::text[]) p, uid11_prefix(p) r,
		LATERAL (SELECT (58::numeric ^ (11 - length(p)))::numeric(60),
			(repeat('1', 11 - length(p)) || p)::uid11::numeric) x (scale, value);
-- the profiles, read on one payload
TRUNCATE printed;
COPY printed (line) FROM stdin;
xid (this document): [ 42-bit timestamp (ms) | 22-bit random ]
uid11-fullrand: [ 64-bit random ]
uid11-snowish: [ 1-bit reserved | 41-bit timestamp | 10-bit machine | 12-bit sequence ]
uid11-ts-seq-rand: [ 42-bit timestamp | 12-bit sequence | 10-bit random ]
\.
SELECT profile, field, number_of(substring(bits_of(id::bytea) FROM position FOR width)) = CASE field
			WHEN 'timestamp' THEN extract(epoch FROM p.ts) * 1000 - 1321009871111
			WHEN 'reserved' THEN 0
			WHEN 'machine' THEN p.machine
			WHEN 'sequence' THEN p.sequence
			WHEN 'random' THEN p.random END AS same
	FROM (SELECT n, k, substring(line FROM '^[\w-]+') AS profile, m[1]::int AS width, m[2] AS field,
			(1 + coalesce(sum(m[1]::int) OVER (PARTITION BY n ORDER BY k
				ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0))::int AS position
		FROM printed, regexp_matches(line, '(\d+)-bit (\w+)', 'g') WITH ORDINALITY x (m, k)) f,
		(VALUES ('\x182335a0be7a5c3b'::bytea::uid11)) v (id), uid11_parts(id, profile) p
	ORDER BY n, k;

-- ----------
-- ulidflake: "Ulid-Flake", by abailinrun, 2024; GPL 3.0
-- ----------
-- "ulidflake.New() // 00CMXB6TAK4SA ulidflake.New().Int() // 14246757444195114"
SELECT ulidflake '00CMXB6TAK4SA'::bigint = 14246757444195114 AS number,
	14246757444195114::ulidflake::text = '00CMXB6TAK4SA' AS text;
SELECT bool_and(right(n::bigint::ulidflake::text, 1) = substr(alphabet, n + 1, 1)) AS same
	FROM (VALUES ('0123456789ABCDEFGHJKMNPQRSTVWXYZ')) v (alphabet), generate_series(0, 31) n;
-- the epoch; the largest, which "corresponds to an epoch time of 8,796,093,022,207 or 2^43 - 1";
-- "usable until approximately 2302-09-27"
SELECT ulidflake_timestamp('0000000000000') = '2024-01-01T00:00:00.000Z' AS epoch,
	ulidflake_timestamp('7ZZZZZZZZZZZZ') = '2024-01-01T00:00:00.000Z'::timestamptz
		+ 8796093022207 * interval '1 ms' AS last,
	ulidflake_timestamp('7ZZZZZZZZZZZZ')::date AS until;
SELECT err($$SELECT ulidflake '8000000000000'$$) ~ '^22003' AS refused;
-- "00CMXB6TA K4SA", "00CMXB6TA K4S A": 44 and 20 bits, and 44, 15 and 5
SELECT id = ulidflake_make(ts, number_of(substring(bits FROM 45 FOR 20))::int)
			AND number_of(substring(bits FROM 45 FOR 20)) = ulidflake_randomness(id) AS stand_alone,
		id = ulidflake_make_scalable(ts, number_of(substring(bits FROM 45 FOR 15))::int,
				number_of(substring(bits FROM 60 FOR 5))::int)
			AND number_of(substring(bits FROM 60 FOR 5)) = ulidflake_scalability(id)
			AND right(id::text, 1) = substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
				ulidflake_scalability(id) + 1, 1) AS scalable,
		timestamptz '2024-01-01Z' + number_of(substring(bits FOR 44)) * interval '1 ms' = ts
			AS timestamp
	FROM (VALUES (ulidflake '00CMXB6TAK4SA')) v (id), ulidflake_timestamp(id) ts,
		bits_of(id::bytea) bits;

DROP FUNCTION bits_of, number_of, cell;
