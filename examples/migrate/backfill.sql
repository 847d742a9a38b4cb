-- Gives a tid64 to the rows that have none, of the instant that another column holds.
--
-- The ten bits below the microsecond number the rows of one instant, in the order of their keys.
-- If there are more than 1024, the next ones get the next free microsecond.  The query leaves out
-- ids that are taken, so you can run it again, or for some of the rows at a time.
-- doc/migrate-others.md shows its use.

CREATE FUNCTION tid64_backfill_query(target regclass, key text, id name, instant text,
    owner text DEFAULT 'NULL', which text DEFAULT 'true') RETURNS text
LANGUAGE sql STABLE AS $function$
    SELECT format($query$
SELECT key, tid FROM (
    SELECT key, taken, (free + count(*) FILTER (WHERE taken) OVER (PARTITION BY owner
        ORDER BY free, taken DESC, turn ROWS UNBOUNDED PRECEDING))::tid64 AS tid
    FROM (      -- each the first free number from its instant on, and after that of the row before
        SELECT key, owner, taken, turn, CASE WHEN taken THEN free
            ELSE turn + max(free - turn) OVER (PARTITION BY owner, taken ORDER BY turn) END AS free
        FROM (  -- how many numbers below are free
            SELECT key, owner, taken,
                row_number() OVER (PARTITION BY owner, taken ORDER BY number, key) AS turn,
                number - count(*) FILTER (WHERE taken) OVER (PARTITION BY owner
                    ORDER BY number, taken, key ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS free
            FROM (
                SELECT %2$s AS key, %5$s AS owner, false AS taken,
                    tid64_make(%4$s, 0)::bigint AS number
                FROM %1$s WHERE %3$I IS NULL AND %4$s IS NOT NULL AND (%6$s)
                UNION ALL
                SELECT NULL, owner, true, number FROM (
                    SELECT DISTINCT %5$s AS owner, %3$I::bigint AS number FROM %1$s WHERE %3$I >= (
                        SELECT tid64_make(min(%4$s), 0) FROM %1$s WHERE %3$I IS NULL AND (%6$s))
                ) AS ids
            ) AS a
        ) AS b
    ) AS c
) AS d WHERE NOT taken$query$, target, key, id, instant, owner, which)
$function$;
COMMENT ON FUNCTION tid64_backfill_query IS
    'the query for new ids: table, its key, column of ids, instant, owner, condition for the rows';

CREATE FUNCTION tid64_backfill(target regclass, id name, instant text,
    owner text DEFAULT 'NULL', which text DEFAULT 'true') RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    filled bigint;
BEGIN
    EXECUTE format('UPDATE %s AS t SET %I = k.tid FROM (%s) AS k WHERE t.ctid = k.key', target, id,
        tid64_backfill_query(target, 'ctid', id, instant, owner, which));
    GET DIAGNOSTICS filled = ROW_COUNT;
    RETURN filled;
END
$$;
COMMENT ON FUNCTION tid64_backfill IS
    'gives ids to rows that have none, and returns to how many; its arguments are of the query';
