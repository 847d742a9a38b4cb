--
-- T_parts: a call site keeps the form of its row, so each is asked once, often and in turn with
-- others; what it is compared with is a call site of its own for every id.
--
\getenv srcdir PG_ABS_SRCDIR
\i :srcdir/sql/setup.psql
CREATE SCHEMA idtypes_parts;
SET search_path = idtypes_parts, public;

CREATE FUNCTION alone(t text, id text, more text DEFAULT '') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT %s_parts(%L%s)::text', t, id, more) INTO result;
	RETURN result;
END
$$;
-- both ends of an instant, of the type, and NULL
CALL for_each_type($$CREATE TABLE @T@_ids AS
	SELECT row_number() OVER () AS n, id FROM (
		SELECT unnest(ARRAY[@T@_min(t), @T@_max(t)]) FROM generate_series(1, 200) n,
			LATERAL (SELECT timestamptz '2026-01-01Z' + n * interval '1 hour 1.25 second') x (t)
		UNION ALL SELECT unnest(ARRAY[lower(@T@_prefix('')), upper(@T@_prefix('')), NULL])
	) y (id)$$);
CALL for_each_type('ANALYZE @T@_ids');

-- many rows of one call site
SELECT * FROM for_types($$SELECT format('%s rows, %s distinct, %s wrong', count(*),
		count(DISTINCT p::text),
		count(*) FILTER (WHERE p::text IS DISTINCT FROM alone('@T@', id::text)
			OR (to_jsonb(p) ->> 'ts')::timestamptz IS DISTINCT FROM @T@_timestamp(id)))
	FROM (SELECT id, @T@_parts(id) AS p FROM @T@_ids OFFSET 0) x$$);
-- rows made by parallel workers
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT * FROM for_types($$SELECT format('%s rows, %s wrong, %s', count(*),
		count(*) FILTER (WHERE p::text IS DISTINCT FROM alone('@T@', id::text)),
		substring(plan_of('@T@', 'SELECT id, @T@_parts(id) AS p FROM @T@_ids') FROM 'Gather'))
	FROM (SELECT id, @T@_parts(id) AS p FROM @T@_ids OFFSET 0) x$$);
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;

-- a loop; its variable takes rows of another form in between, and one outlives the loop
CALL for_each_type($$CREATE FUNCTION @T@_loop(OUT wrong int, OUT kept boolean)
	LANGUAGE plpgsql AS $loop$
	DECLARE
		id @T@;
		p record;
		first record;
	BEGIN
		wrong := 0;
		FOR id IN SELECT i.id FROM @T@_ids i ORDER BY n LOOP
			p := ROW (id, id IS NULL);
			p := @T@_parts(id);
			first := coalesce(first, p);
			wrong := wrong + (p::text IS DISTINCT FROM alone('@T@', id::text))::int;
		END LOOP;
		kept := first::text = (SELECT alone('@T@', i.id::text) FROM @T@_ids i WHERE n = 1);
	END
	$loop$ $$);
SELECT * FROM for_types('SELECT @T@_loop()');

-- uid11 keeps its profile with the call site as well: a constant, one of each row, a parameter
SELECT profile, count(*), count(*) FILTER (WHERE CASE profile
			WHEN 'xid' THEN uid11_parts(id, 'xid') WHEN 'fullrand' THEN uid11_parts(id, 'fullrand')
			WHEN 'snowish' THEN uid11_parts(id, 'snowish')
			ELSE uid11_parts(id, 'ts-seq-rand') END::text
		IS DISTINCT FROM alone('uid11', id::text, format(', %L', profile))
		OR uid11_parts(id, profile)::text
		IS DISTINCT FROM alone('uid11', id::text, format(', %L', profile))) AS wrong
	FROM (SELECT * FROM uid11_ids, unnest('{xid,fullrand,snowish,ts-seq-rand}'::text[]) profile
		WHERE id < '9223372036854775808'::numeric::uid11 ORDER BY n, profile) x
	GROUP BY profile ORDER BY profile;
PREPARE parts(uid11, text) AS SELECT uid11_parts($1, $2);
SET plan_cache_mode = force_generic_plan;
EXECUTE parts('113q8KFkAEs', 'xid');
EXECUTE parts('113q8KFkAEs', 'snowish');
EXECUTE parts('113q8KFkAEs', 'fullrand');
EXECUTE parts('jpXCZedGfVQ', 'snowish');
EXECUTE parts('jpXCZedGfVQ', 'xid');
RESET plan_cache_mode;
-- errors at a call site of a loop that goes on
DO $$
DECLARE
	id uid11;
	p record;
BEGIN
	FOREACH id IN ARRAY '{113q8KFkAEs,jpXCZedGfVQ,113q8KFkAEs,jpXCZedGfVQ,113q8KFkAEs}'::uid11[]
	LOOP
		BEGIN
			p := uid11_parts(id, 'snowish');
			RAISE INFO '%', p;
		EXCEPTION WHEN numeric_value_out_of_range THEN
			RAISE INFO '%', SQLERRM;
		END;
	END LOOP;
END
$$;

DROP SCHEMA idtypes_parts CASCADE;
