-- What tests ask with that have no expected output: answers are lines "ok - " and "not ok - ".
\i sql/setup.psql

CREATE FUNCTION ok(name text, fine boolean, why text DEFAULT NULL) RETURNS text
LANGUAGE sql AS $$
	SELECT concat(CASE WHEN fine THEN '' ELSE 'not ' END, 'ok - ', name,
		CASE WHEN fine THEN '' ELSE ': ' || coalesce(why, 'no') END)
$$;
-- Each type's answer to a yes-or-no question, with its name for @T@.
CREATE FUNCTION ask(name text, question text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	t text;
	answer boolean;
BEGIN
	FOREACH t IN ARRAY type_names() LOOP
		BEGIN
			EXECUTE replace(question, '@T@', t) INTO answer;
			RETURN NEXT ok(format('%s: %s', t, name), answer);
		EXCEPTION WHEN OTHERS THEN
			RETURN NEXT ok(format('%s: %s', t, name), false, SQLERRM);
		END;
	END LOOP;
END
$$;
-- How many tables or partitions the plan of a query scans.
CREATE FUNCTION scans(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	line text;
	found_so_far int := 0;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) SELECT FROM ' || query LOOP
		found_so_far := found_so_far + (line ~ 'Scan (using \S+ )?on \w+ ')::int;
	END LOOP;
	RETURN found_so_far;
END
$$;
