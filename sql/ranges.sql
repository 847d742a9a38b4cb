--
-- Ranges of ids: canonical form, operators, windows of time.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql

-- every way of writing the bounds, with uid11, whose ids are easy to count
CREATE FUNCTION u(n numeric) RETURNS uid11 LANGUAGE sql IMMUTABLE AS 'SELECT n::uid11';
SELECT b AS bounds, uid11range(u(10), u(20), b), uid11range(u(10), u(11), b) AS neighbours,
		uid11range(u(10), u(10), b) AS one,
		uid11range(NULL, u(10), b) AS no_lower, uid11range(u(10), NULL, b) AS no_upper,
		uid11range(NULL, NULL, b) AS all
	FROM unnest('{[],[),(],()}'::text[]) WITH ORDINALITY x (b, n) ORDER BY n;
-- the same as text
SELECT r::uid11range FROM unnest(ARRAY['[1111111111B,1111111111L]', '(1111111111A,1111111111M)',
	'empty', '(,)', '[,1111111111B)', '(1111111111B,1111111111C)', '(1111111111B,]']) r;
-- the ends of the domain: nothing lies beyond them
SELECT uid11range(u(0), u(18446744073709551615), '()') AS inner,
	uid11range(u(18446744073709551615), NULL, '()') AS above_largest,
	uid11range(NULL, u(0), '()') AS below_smallest,
	uid11range(u(18446744073709551614), u(18446744073709551615), '()') AS between,
	uid11range(u(18446744073709551615), u(18446744073709551615), '[]') AS largest,
	uid11range(u(18446744073709551615), u(18446744073709551615), '(]') AS none;
SELECT errors('%s', 'uid11range(u(20), u(10))', '''[1111111111L,1111111111B]''::uid11range',
	'uid11range(u(1), u(2), ''[['')', '''[0,1)''::uid11range', '''[1111111111L''::uid11range')
\g (format=unaligned tuples_only=on)

-- the canonical form of all types, from the ends of the type inwards
SELECT * FROM for_types($$SELECT format('%s %s %s %s %s %s',
		@T@range(lo, hi, '()') = @T@range(lo, hi) * @T@range(lo, hi, '(]'),
		lower_inc(@T@range(lo, hi, '()')) AND upper_inc(@T@range(lo, hi, '()')),
		isempty(@T@range(hi, NULL, '()')), isempty(@T@range(NULL, lo, '()')),
		lower(@T@range(lo, hi, '(]')) > lo, upper(@T@range(lo, hi, '[)')) < hi)
	FROM (SELECT lower(r), upper(r) FROM @T@_prefix('') r) x (lo, hi)$$);
-- a carry through all the bytes below the time, in both directions
SELECT * FROM for_types($$SELECT format('%s %s %s',
		lower(@T@range(last, NULL, '()')) = first, upper(@T@range(NULL, first, '()')) = last,
		isempty(@T@range(last, first, '()')))
	FROM (SELECT upper(@T@_range('2026-01-01Z', '2026-01-01 00:00:01Z')),
		@T@_min('2026-01-01 00:00:01Z')) x (last, first)$$);

-- range_first and range_last say what <@ does, also where a range has no such end
SELECT * FROM for_types($$SELECT format('%s ranges, %s ids, %s wrong', count(DISTINCT r),
		count(DISTINCT id), count(*) FILTER (WHERE (id <@ r) <>
			(id >= @T@_range_first(r) AND id <= @T@_range_last(r))))
	FROM (SELECT array_agg(@T@_min('2026-01-01Z'::timestamptz + n * interval '1 h'))
			|| lower(@T@_prefix('')) || upper(@T@_prefix('')) FROM generate_series(1, 4) n) a (ids),
		unnest(ids) id, unnest(ids || NULL) lo, unnest(ids || NULL) hi,
		unnest('{[],[),(],()}'::text[]) b,
		LATERAL (SELECT CASE WHEN lo > hi THEN 'empty' ELSE @T@range(lo, hi, b) END AS r) q$$);
SELECT * FROM for_types($$SELECT format('%s %s %s',
		@T@_range_first('empty') = upper(@T@_prefix('')),
		@T@_range_last('empty') = lower(@T@_prefix('')),
		@T@_range_first('(,)') = lower(@T@_prefix(''))
			AND @T@_range_last('(,)') = upper(@T@_prefix('')))$$);

-- windows of time: what is in one, the suite compare asks an oracle; an end that is missing is that
-- of the type
SELECT * FROM for_types($$SELECT format('%s %s',
		@T@_range('2026-01-01Z', NULL) = @T@range(@T@_min('2026-01-01Z'), upper(@T@_prefix('')),
			'[]'),
		@T@_range(NULL, '2026-01-01Z', '[]') =
			@T@range(lower(@T@_prefix('')), @T@_max('2026-01-01Z'), '[]'))$$);
-- its arguments by their names
SELECT * FROM for_types($$SELECT
	@T@_range(bounds => '(]', upto => '2026-01-02Z', since => '2026-01-01Z') =
		@T@_range('2026-01-01Z', '2026-01-02Z', '(]')$$);
-- errors as of the server's range constructors
SELECT result FROM for_types($$SELECT string_agg(e, chr(10)) FROM errors('@T@_range(%s)',
	'''2026-01-02'', ''2026-01-01''', 'now(), now(), ''[[''', 'now(), now(), NULL') e$$)
\g (format=unaligned tuples_only=on)
-- a NULL window is unknown, a NULL end is none
SELECT * FROM for_types($$SELECT format('%s %s', @T@_range(NULL::tstzrange) IS NULL,
	@T@_range(NULL, NULL) IS NULL)$$);

-- the bound of a time partition as text and back, and what is no such text
SELECT * FROM for_types($$SELECT format('%s %s %s', @T@_time_encoder(ts) = @T@_min(ts)::text,
		@T@_time_decoder(@T@_time_encoder(ts)) = @T@_timestamp(@T@_min(ts)),
		left(err('SELECT @T@_time_decoder(''nonsense'')'), 5))
	FROM (SELECT timestamptz '2026-01-02 03:04:05.678901Z') x (ts)$$);

DROP FUNCTION u;
