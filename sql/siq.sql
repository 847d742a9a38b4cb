--
-- siq: 112 bits of time, shard, domain, serial and type
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

-- the vector in all its forms
SELECT v AS siq, siq_hex(v), v::numeric, v::uuid, v::bytea
	FROM (SELECT siq 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah') x (v);
SELECT x.n, x.v = 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah' AS same
	FROM (VALUES (1, siq 'iuxvojaaf4c6s6aaaaaaaaaaaaaah'),
		(2, 'IUXVOJAAF4C6S6AAAAAAAAAAAAAAH'),
		(3, 'did:siq:IuXvOjAaF4C6S6AAAAAAAAAAAAAAH'),
		(4, '005e0bd2f0000000000000000007'),
		(5, '005E0BD2F0000000000000000007'),
		(6, 7451106619238957490390643507207::numeric::siq),
		(7, 7451106619238957490390643507207.00::numeric::siq),
		(8, '\x005e0bd2f0000000000000000007'::bytea::siq),
		(9, '\x0000005e0bd2f0000000000000000007'::bytea::siq),
		(10, '005e0bd2-f000-8000-8000-000000001c00'::uuid::siq)) x (n, v) ORDER BY n;
-- the smallest and the largest
SELECT h::siq, h::siq::numeric, h::siq::uuid, siq_hex(h::siq::text::siq) = h AS round_trip
	FROM unnest('{0000000000000000000000000000,ffffffffffffffffffffffffffff}'::text[]) h;

-- input that is none
\pset format unaligned
\pset tuples_only on
SELECT errors('%L::siq',
	'', 'did:siq:', 'iuxvojaaf4c6s6aaaaaaaaaaaaaa', 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaahh',
	'005e0bd2f000000000000000000', '005e0bd2f000000000000000000g',
	'did:siq:005e0bd2f0000000000000000007', 'iuxvojaaf4c6s6aaaaaaaaaaaaaa1',
	'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaa0h', 'iuxvojaaf4c6s6aaaaaaaaaaaaaah ',
	'DID:SIQ:iuxvojaaf4c6s6aaaaaaaaaaaaaah', 'did:plc:iuxvojaaf4c6s6aaaaaaaaaaaaaah',
	'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaai', 'juxvojaaf4c6s6aaaaaaaaaaaaaah',
	'quxvojaaf4c6s6aaaaaaaaaaaaaah', '2026-01-01');
\pset tuples_only off
\pset format aligned

-- the types: names and aliases, suffixes and widths of the serial
CREATE TEMP TABLE qualifiers (n int GENERATED ALWAYS AS IDENTITY, suffix text, names text[]);
INSERT INTO qualifiers (suffix, names) VALUES
	('00000', '{user,account,user_account}'), ('10000', '{application,app,api,client,bot,form}'),
	('01000', '{event,task}'), ('11000', '{product,subscription,premium}'),
	('00100', '{group,membership,role,user_group}'), ('10100', '{collection,feed}'),
	('01100', '{invite}'),
	('00010', '{tag,category}'), ('01010', '{channel,guild,chat,forum,wiki,live_chat}'),
	('0110', '{thread,page}'), ('1110', '{message,post,revision}'),
	('001', '{relationship,ternary}'),
	('101', '{many_to_many,hash_array_element,manytomany}'),
	('011', '{array_element,one_to_many,multi}'), ('111', '{content}');
CREATE FUNCTION tail(siq) RETURNS bit(16) LANGUAGE sql AS $$
	SELECT ('x' || right(siq_hex($1), 4))::bit(16)
$$;
CREATE FUNCTION largest_serial(suffix text) RETURNS int LANGUAGE sql AS $$
	SELECT (1 << (16 - length(suffix))) - 1
$$;
SELECT names[1] AS type, largest_serial(suffix), tail(largest), tail(smallest), siq_type(largest),
		siq_serial(largest), siq_serial(smallest)
	FROM qualifiers,
		siq_make('2026-01-02 03:04:05Z', 0, 0, largest_serial(suffix), names[1]) largest,
		siq_make('2026-01-02 03:04:05Z', 0, 0, 0, names[1]) smallest ORDER BY n;
-- aliases, and every way of writing them, mean the same
SELECT count(*) AS spellings, count(*) FILTER (WHERE NOT ok) AS wrong
	FROM (SELECT siq_type(siq_make('2026-01-01', 1, 2, 3, spelling)) = names[1] AS ok
		FROM qualifiers, unnest(names) name,
			unnest(ARRAY[name, upper(name), initcap(name), replace(name, '_', '-'),
				replace(name, '_', ' ')]) spelling) s;
-- the rest of the code is unassigned: it can be read
SELECT s AS suffix, siq_type(v), siq_serial(v)
	FROM unnest('{10010,11010,11100}'::text[]) s,
		LATERAL (SELECT (2047 * 32 + s::bit(5)::int)::numeric::siq) x (v);
-- and every tail is read as one type
SELECT siq_type(n::numeric::siq), count(*), max(siq_serial(n::numeric::siq)),
		bool_and(siq_is_leaf(n::numeric::siq)) AS leaf
	FROM generate_series(0, 65535) n GROUP BY 1 ORDER BY 1;

-- domains
SELECT d, l, siq_domain_hash(d, l), to_hex(siq_domain_hash(d, l)),
		CASE WHEN d IN ('', '0') THEN 0 ELSE h - (CASE l WHEN 0 THEN 0
			ELSE (h >> 24 << 24) - (l % 256::bigint << 24) END) END = siq_domain_hash(d, l) AS ok
	FROM (VALUES ('example.com', 0), ('example.com', 1), ('example.com', 255),
			('example.com', 256), ('EXAMPLE.com', 0), ('xn--mnchen-3ya.example', 0), ('', 0),
			('', 7), ('0', 0), ('0', 256), ('00', 0), (repeat('a', 64), 0),
			(repeat('a', 65), 0)) v (d, l),
		LATERAL (SELECT ('x' || right(encode(sha256(d::bytea), 'hex'), 8))::bit(32)::bigint) x (h);
SELECT siq_domain_hash('example.com') = 2261653831 AS published;

-- fields
SELECT v AS siq, siq_hex(v), p.*
	FROM siq_make('2026-01-02 03:04:05.5Z', 17, 2261653831, 2999, 'post') v, siq_parts(v) p;
SELECT siq_timestamp(v), siq_shard(v), siq_domain(v), siq_serial(v), siq_type(v)
	FROM siq_make('2026-01-02 03:04:05.5Z', 255, 4294967295, 8191, 'content') v;
SELECT siq_make(ts, shard, domain, serial, type) = v AS recomposed
	FROM (SELECT siq 'iuxvojaaf4c6s6aaaaaaaaaaaaaah') x (v), siq_parts(v);

-- time: a tick is 1/65536 s; its instant is rounded up to the microsecond
SELECT siq_timestamp(siq_min('2026-01-02 03:04:05Z')) AS whole,
	siq_hex(siq_min('2026-01-02 03:04:05Z')), siq_hex(siq_max('2026-01-02 03:04:05Z'));
SELECT ticks, siq_timestamp((ticks * 2::numeric ^ 56)::siq),
		siq_hex(siq_min(siq_timestamp((ticks * 2::numeric ^ 56)::siq)))
	FROM unnest('{0,1,2,3,65535,65536,72057594037927935}'::numeric[]) ticks;
SELECT count(*) AS ticks, bool_and(siq_min(siq_timestamp(v)) = v) AS survive
	FROM (SELECT (n * 2::numeric ^ 56)::siq FROM generate_series(1767323045 * 65536::numeric,
		1767323046 * 65536::numeric) n) x (v);
SELECT siq '005e0bd2f0000000000000000007'::timestamptz;

-- sorts go by abbreviated keys: same and neighbouring ticks of several origins, and times that do
-- not fit the key
SELECT count(DISTINCT id), count(*) FILTER (WHERE by_id <> by_bytes) AS misplaced
	FROM (SELECT id, row_number() OVER (ORDER BY id) AS by_id,
			row_number() OVER (ORDER BY id::bytea) AS by_bytes
		FROM (SELECT siq_make(start + tick * interval '16 us', shard, domain, serial, 'post') AS id
			FROM unnest('{2026-01-01 00:00:01Z,2026-01-01Z,2200-01-01Z,2110-01-01Z}'
					::timestamptz[]) start,
				generate_series(0, 9) tick, unnest('{7,255,0}'::int[]) shard,
				unnest('{5,0,4294967295}'::bigint[]) domain, generate_series(0, 2) serial
			OFFSET 0) ids) places;

-- generated for a given instant
SELECT bool_and(v BETWEEN siq_min('2026-01-02 03:04:05Z') AND siq_max('2026-01-02 03:04:05Z'))
		AS in_tick, bool_and(siq_type(v) = 'many_to_many') AS type,
		bool_and(siq_domain(v) = siq_domain_hash('example.org', 5)) AS domain,
		bool_and(siq_shard(v) = pg_backend_pid() % 256) AS shard,
		count(DISTINCT siq_serial(v)) > 100 AS random_serial, max(siq_serial(v)) < 8192 AS fits
	FROM (SELECT siq_generate_at('2026-01-02 03:04:05Z', 'example.org', 'many-to-many', 5)
		FROM generate_series(1, 1000)) x (v);

-- errors of functions and casts
\pset format unaligned
\pset tuples_only on
SELECT errors('%s',
	'siq_make(''2026-01-01'', 256, 0, 0, ''user'')', 'siq_make(''2026-01-01'', -1, 0, 0, ''user'')',
	'siq_make(''2026-01-01'', 0, 4294967296, 0, ''user'')',
	'siq_make(''2026-01-01'', 0, -1, 0, ''user'')',
	'siq_make(''2026-01-01'', 0, 0, 2048, ''account'')',
	'siq_make(''2026-01-01'', 0, 0, 4096, ''post'')',
	'siq_make(''2026-01-01'', 0, 0, 8192, ''content'')',
	'siq_make(''2026-01-01'', 0, 0, -1, ''content'')',
	'siq_make(''2026-01-01'', 0, 0, 0, ''unassigned'')',
	'siq_make(''1969-12-31 23:59:59.999999Z'', 0, 0, 0, ''user'')',
	'siq_make(''infinity'', 0, 0, 0, ''user'')',
	'siq_generate(''example.org'', ''blog'')', 'siq_generate(''example.org'', '''')',
	'siq_generate(''example.org'', ''post'', 257)', 'siq_generate(''example.org'', ''post'', -1)',
	'siq_generate(''m'' || chr(252) || ''nchen.example'', ''post'')',
	'siq_generate_at(''-infinity'', ''example.org'', ''post'')',
	'siq_domain_hash(''m'' || chr(252) || ''nchen.example'')', 'siq_domain_hash(''a'', 257)');
SELECT errors('%s', '''\x005e0bd2f00000000000000000''::bytea::siq', '''''::bytea::siq',
	'''\x01005e0bd2f0000000000000000007''::bytea::siq',
	'''\x000000005e0bd2f0000000000000000007''::bytea::siq',
	'(-1)::numeric::siq', '0.5::numeric::siq', '5192296858534827628530496329220096::siq',
	'''NaN''::numeric::siq', '''Infinity''::numeric::siq', '''-Infinity''::numeric::siq',
	'1e50::numeric::siq', '1e59::numeric::siq', '1e60::numeric::siq',
	'''005e0bd2-f000-7000-8000-000000001c00''::uuid::siq',
	'''005e0bd2-f000-8000-c000-000000001c00''::uuid::siq',
	'''005e0bd2-f000-8000-8000-000000001c01''::uuid::siq',
	'''005e0bd2-f000-8000-8000-000000001c00''::siq');
SELECT errors('%s', 'siq_min(''1969-12-31 23:59:59.999999Z'')', 'siq_max(''-infinity'')',
	'siq_min(''infinity'')');
\pset tuples_only off
\pset format aligned
SELECT siq_hex(5192296858534827628530496329220095::siq), siq_hex(0::numeric::siq);
-- the padding of the 16-byte form is no part of the id
SELECT left(err(format('SELECT %L::bytea::siq', b)), 5) AS error
	FROM unnest('{"\\x0001005e0bd2f0000000000000000007","\\x0100005e0bd2f0000000000000000007"}'
		::bytea[]) b;
-- the last tick of the type ends with the second
SELECT siq_hex(siq_max(t)) FROM unnest('{36812-02-20 00:36:15.999985Z,
	36812-02-20 00:36:15.999999Z}'::timestamptz[]) t;
SELECT split_part(err('SELECT siq_max(''36812-02-20 00:36:16Z'')'), chr(10), 1) AS error;

-- uuid: reversible, and in the same order
SELECT count(*) AS ids, bool_and(v::uuid::siq = v) AS reversible,
		bool_and((v::uuid > previous::uuid) = (v > previous)) AS ordered,
		bool_and(v::uuid::text ~ '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]') AS version_8
	FROM (SELECT v, lag(v) OVER (ORDER BY n) AS previous
		FROM (SELECT n, left(md5(n::text) || md5('x' || n), 28)::siq AS v
			FROM generate_series(1, 2000) n) x) y;

-- prefixes are of the hex digits
SELECT p, siq_hex(lower(siq_prefix(p))) AS first, siq_hex(upper(siq_prefix(p))) AS last
	FROM unnest('{"",0,f,005e0bd2,005E0BD2,005e0bd2f0000000000000000007}'::text[]) p;
\pset format unaligned
\pset tuples_only on
SELECT errors('%s', 'siq_prefix(''005e0bd2f00000000000000000070'')', 'siq_prefix(''did:siq:'')',
	'siq_prefix(''005e0bd2 '')');
\pset tuples_only off
\pset format aligned
DROP FUNCTION tail, largest_serial;

-- an encrypted one is 28 hex digits and nothing else
\pset format unaligned
\pset tuples_only on
SELECT errors('%s',
	'siq_decrypt(''did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah'',
		''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'siq_decrypt(''iuxvojaaf4c6s6aaaaaaaaaaaaaah'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'siq_decrypt(''005e0bd2f000000000000000000'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'siq_decrypt(''005e0bd2f00000000000000000g7'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'siq_decrypt(''005e0bd2-f000-8000-8000-0000'', ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'siq_decrypt('''', ''\x2b7e151628aed2a6abf7158809cf4f3c'')');
\pset tuples_only off
\pset format aligned

-- what not all types have
\pset format unaligned
\pset tuples_only on
SELECT own_objects('siq');
\pset tuples_only off
\pset format aligned
