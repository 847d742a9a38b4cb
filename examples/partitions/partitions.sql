-- Makes the partitions by time of a table that is partitioned by ranges of its ids, and removes the
-- old ones.  doc/partitioning.md explains it.
--
--     psql -f examples/partitions/partitions.sql         installs a procedure and a function
--     CALL maintain_partitions('post');                  once a day, or in each unit, as the owner
--     SELECT * FROM partition_times('post');             which partition has which instants
--
-- DROP PROCEDURE maintain_partitions; DROP FUNCTION partition_times;   removes them.

CREATE FUNCTION partition_times(parent regclass)
RETURNS TABLE (partition regclass, since timestamptz, upto timestamptz)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    type regtype := (
        SELECT atttypid FROM pg_partitioned_table
            JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0]
        WHERE partrelid = parent AND partstrat = 'r' AND partnatts = 1);
BEGIN
    IF type IS NULL THEN
        RAISE EXCEPTION 'table % is not partitioned by ranges of one column', parent;
    END IF;
    RETURN QUERY EXECUTE format($query$
        SELECT oid::regclass, coalesce(bounds[1]::%1$s::timestamptz, '-infinity'),
            coalesce(bounds[2]::%1$s::timestamptz, 'infinity')
        FROM pg_inherits JOIN pg_class ON oid = inhrelid,
            regexp_match(pg_get_expr(relpartbound, oid),
                'FROM \((?:''(.*)''|MINVALUE)\) TO \((?:''(.*)''|MAXVALUE)\)') AS bounds
        WHERE inhparent = $1 AND bounds IS NOT NULL ORDER BY 2
        $query$, type) USING parent;
END
$$;
COMMENT ON FUNCTION partition_times IS
    'partitions of a table, but for the default one, with the instants of their bounds';

CREATE PROCEDURE maintain_partitions(
    parent regclass,
    unit   text DEFAULT 'month',            -- or 'day', 'hour': how long a partition is, in UTC
    ahead  int DEFAULT 3,                   -- how many partitions to make after the present one
    keep   interval DEFAULT NULL,           -- remove partitions that ended longer ago than that
    detach boolean DEFAULT false,           -- keep their tables, instead of dropping them
    since  timestamptz DEFAULT now()        -- make partitions from this instant on
) LANGUAGE plpgsql SET timezone = 'UTC' SET search_path FROM CURRENT AS $$
DECLARE
    form    text := CASE unit WHEN 'month' THEN '_YYYY_MM' WHEN 'day' THEN '_YYYY_MM_DD'
                              WHEN 'hour' THEN '_YYYY_MM_DD_HH24' END;
    step    interval;
    taken   tstzmultirange;
    key     record;
    columns text;
    gap     tstzrange;
    child   text;
    bounds  text[];
    has     text;
    early   boolean;
    alone   boolean := false;               -- is the default partition detached?
    old     regclass;
BEGIN
    IF parent IS NULL THEN
        RAISE EXCEPTION 'parent must not be null';
    ELSIF form IS NULL THEN
        RAISE EXCEPTION 'unit must be month, day or hour, not "%"', unit;
    ELSIF keep < '0' OR NOT isfinite(since) THEN
        RAISE EXCEPTION 'keep must not be negative, and since must be finite, not % and %',
            keep, since;
    END IF;
    -- Another call waits here; those who read and write do not.
    EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
    step := '1 ' || unit;
    SELECT coalesce(range_agg(tstzrange(p.since, p.upto)), '{}') INTO taken
        FROM partition_times(parent) AS p;
    SELECT nspname AS schema, relname AS name, quote_ident(attname) AS id,
            atttypid::regtype AS type, relowner::regrole AS owner,
            nullif(partdefid, 0)::regclass AS rest
        INTO key FROM pg_partitioned_table JOIN pg_class ON oid = partrelid
            JOIN pg_namespace n ON n.oid = relnamespace
            JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0]
        WHERE partrelid = parent;
    SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute
        WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '';

    FOR gap IN
        SELECT g FROM generate_series(
                greatest(date_trunc(unit, since), date_trunc(unit, now() - keep)),
                date_trunc(unit, now()) + ahead * step, step) AS t,
            unnest(tstzmultirange(tstzrange(t, t + step)) - taken) AS g
        ORDER BY g
    LOOP
        -- A name has room for 63 bytes: the table's is cut, not the time's.
        child := to_char(lower(gap), form);
        child := format('%I.%I', key.schema,
            substr((child || key.name)::name::text, length(child) + 1) || child);
        IF to_regclass(child) IS NOT NULL THEN
            RAISE WARNING 'no partition from % on: another table is called %', lower(gap), child;
            CONTINUE;
        END IF;
        EXECUTE format('SELECT ARRAY[$1::%s::text, $2::%1$s::text]', key.type)
            INTO bounds USING lower(gap), upper(gap);
        IF key.rest IS NOT NULL THEN
            has := format('%1$s >= %2$L AND %1$s < %3$L', key.id, bounds[1], bounds[2]);
            EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %s)', key.rest, has) INTO early;
            IF early AND NOT alone THEN
                -- Fails if rows of other tables refer to rows here; a DELETE might cascade to them.
                -- It stays detached until all rows have moved, because the server searches all of
                -- it when it attaches it, or a partition beside it.
                BEGIN
                    EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, key.rest);
                    alone := true;
                EXCEPTION WHEN foreign_key_violation THEN
                    RAISE WARNING 'no partition % yet: %', child, SQLERRM;
                    CONTINUE;
                END;
            END IF;
        END IF;
        BEGIN
            -- A table that is made first and then attached needs weaker locks than one made as a
            -- partition, and takes over rows without their triggers.
            EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING IDENTITY)',
                child, parent);
            EXECUTE format('ALTER TABLE %s OWNER TO %s', child, key.owner);
            IF early THEN
                EXECUTE format('WITH moved AS (DELETE FROM %s WHERE %s RETURNING %s)
                    INSERT INTO %s (%3$s) OVERRIDING SYSTEM VALUE SELECT * FROM moved',
                    key.rest, has, columns, child);
            END IF;
            EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)',
                parent, child, bounds[1], bounds[2]);
        EXCEPTION WHEN foreign_key_violation OR check_violation THEN
            RAISE WARNING 'no partition % yet: %', child, SQLERRM;
        END;
    END LOOP;
    IF alone THEN
        EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s DEFAULT', parent, key.rest);
    END IF;

    FOR old IN
        SELECT p.partition FROM partition_times(parent) AS p WHERE p.upto <= now() - keep
    LOOP
        BEGIN
            EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, old);
            IF NOT detach THEN
                EXECUTE format('DROP TABLE %s', old);
            END IF;
        EXCEPTION WHEN foreign_key_violation THEN
            RAISE WARNING 'partition % stays: rows of other tables refer to it', old;
        WHEN dependent_objects_still_exist OR object_not_in_prerequisite_state THEN
            RAISE WARNING 'partition % stays: %', old, SQLERRM;
        END;
    END LOOP;
END
$$;
COMMENT ON PROCEDURE maintain_partitions IS
    'makes the missing partitions of a table, moves the rows of its default partition that belong'
    ' there, and removes the partitions that ended longer ago than "keep"';
