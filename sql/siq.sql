--
-- siq: 112 bits of time, shard, domain, serial and type.  What its functions make of any id, the
-- suite compare asks an oracle; here are what only siq has, and the words of errors.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

-- a fraction of zeros is none
SELECT 7451106619238957490390643507207.00::siq;

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

-- an alias finds what any other name of the kind made; the domain of an id is a number in it
SELECT siq_type(v), siq_has_type(v, 'post'), siq_has_type(v, 'Message'), siq_has_type(v, 'user')
	FROM siq_make('2026-01-01Z', 0, 0, 0, 'post') v;
SELECT errors('siq_has_type(siq_min(now()), %L)', 'posts');
SELECT errors('siq_domain_hash(%L)', 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah', 'DID:SIQ:');
SELECT errors('siq_generate(%L, ''post'')', 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah');
SELECT siq_domain_hash(siq 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah'),
		siq_domain_hash('did:siq') > 0 AS of_text;
-- domains that the cache keeps in one place
SELECT domain, siq_domain_hash(domain) = ('x' || right(encode(sha256(domain::bytea), 'hex'), 8))
		::bit(32)::bigint AS is_its_own FROM unnest('{ab,a,ab,b}'::text[]) domain;

\pset format unaligned
\pset tuples_only on
-- input that is none
SELECT errors('%L::siq', VARIADIC refused(:'invalid', 'siq'));
-- fields, domains, kinds of things and instants that are none
SELECT errors('siq_make(''2026-01-01'', %s)',
	'256, 0, 0, ''user''', '-1, 0, 0, ''user''', '0, 4294967296, 0, ''user''',
	'0, -1, 0, ''user''', '0, 0, 2048, ''account''', '0, 0, 4096, ''post''',
	'0, 0, 8192, ''content''', '0, 0, -1, ''content''', '0, 0, 0, ''unassigned''');
SELECT errors('siq_generate(%s)', '''example.org'', ''blog''', '''example.org'', ''''',
	'''example.org'', ''users''', '''example.org'', ''use''', '''example.org'', '' user''',
	'''example.org'', ''many__to_many''',
	'''example.org'', ''post'', 257', '''example.org'', ''post'', -1',
	'''m'' || chr(252) || ''nchen.example'', ''post''');
SELECT errors('%s', 'siq_domain_hash(''m'' || chr(252) || ''nchen.example'')',
	'siq_domain_hash(''a'', 257)', 'siq_make(''1969-12-31 23:59:59.999999Z'', 0, 0, 0, ''user'')',
	'siq_make(''infinity'', 0, 0, 0, ''user'')',
	'siq_generate_at(''-infinity'', ''example.org'', ''post'')',
	'siq_min(''1969-12-31 23:59:59.999999Z'')', 'siq_max(''36812-02-20 00:36:16Z'')',
	'siq_max(''-infinity'')', 'siq_min(''infinity'')');
-- numbers, UUIDs and bytes that are none; the padding of the 16-byte form is no part of an id
SELECT errors('%s::numeric::siq', '(-1)', '0.5', '5192296858534827628530496329220096', '''NaN''',
	'''Infinity''', '''-Infinity''', '1e50', '1e59', '1e60');
SELECT errors('%L::uuid::siq', '005e0bd2-f000-7000-8000-000000001c00',
	'005e0bd2-f000-8000-c000-000000001c00', '005e0bd2-f000-8000-8000-000000001c01');
SELECT errors('%L::bytea::siq', '', '\x005e0bd2f00000000000000000',
	'\x01005e0bd2f0000000000000000007', '\x0001005e0bd2f0000000000000000007',
	'\x0100005e0bd2f0000000000000000007', '\x000000005e0bd2f0000000000000000007');
-- a prefix is of the hex digits; an encrypted one is 28 of them and nothing else
SELECT errors('siq_prefix(%L)', '005e0bd2f00000000000000000070', 'did:siq:', '005e0bd2 ',
	'iuxvojaa', 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah', '005e0bdx');
SELECT errors('siq_decrypt(%L, ''\x2b7e151628aed2a6abf7158809cf4f3c'')',
	'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah', 'iuxvojaaf4c6s6aaaaaaaaaaaaaah',
	'005e0bd2f000000000000000000', '005e0bd2f00000000000000000g7', '005e0bd2-f000-8000-8000-0000',
	'');
-- what not all types have
SELECT own_objects('siq');
