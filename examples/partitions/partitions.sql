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
    since  timestamptz DEFAULT now(),       -- make partitions from this instant on
    times  regprocedure DEFAULT 'partition_times(regclass)'::regprocedure   -- for any search_path
) LANGUAGE plpgsql AS $$
DECLARE
    form     text := CASE unit WHEN 'month' THEN '_YYYY_MM' WHEN 'day' THEN '_YYYY_MM_DD'
                               WHEN 'hour' THEN '_YYYY_MM_DD_HH24' END;
    key      record;
    columns  text;
    patience int;                           -- milliseconds to wait for a lock
    tries    int := 0;                      -- how often this change has not got its locks
    taken    tstzmultirange;
    skipped  tstzmultirange := '{}';        -- what cannot be made now
    stays    regclass[] := '{}';            -- what cannot be removed now
    gaps     tstzrange[];
    gap      tstzrange;
    child    text;
    tail     text;
    bounds   text[];
    has      text;
    early    boolean;
    alone    boolean;                       -- is the default partition detached?
    old      regclass;
BEGIN
    IF parent IS NULL THEN
        RAISE EXCEPTION 'parent must not be null';
    ELSIF form IS NULL THEN
        RAISE EXCEPTION 'unit must be month, day or hour, not "%"', unit;
    ELSIF keep < '0' OR NOT isfinite(since) THEN
        RAISE EXCEPTION 'keep must not be negative, and since must be finite, not % and %',
            keep, since;
    END IF;
    EXECUTE format('SELECT FROM %s($1)', times::regproc) USING parent;
    SELECT nspname AS schema, relname AS name, quote_ident(attname) AS id,
            atttypid::regtype AS type, relowner::regrole AS owner,
            nullif(partdefid, 0)::regclass AS rest,
            (SELECT opcnamespace::regnamespace FROM pg_opclass o WHERE o.oid = partclass[0])
                AS operators,
            concat((SELECT ' USING ' || quote_ident(amname) FROM pg_am a WHERE a.oid = relam),
                (SELECT ' TABLESPACE ' || quote_ident(spcname) FROM pg_tablespace s
                    WHERE s.oid = reltablespace)) AS storage
        INTO key FROM pg_partitioned_table JOIN pg_class c ON c.oid = partrelid
            JOIN pg_namespace n ON n.oid = relnamespace
            JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0]
        WHERE partrelid = parent;
    SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute
        WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
    -- Others queue behind a lock that this waits for.  A statement below takes a few locks, and if
    -- it gives up within deadlock_timeout, the server cancels nobody else because of it.
    SELECT greatest(1, min(setting::int / share)) INTO patience
        FROM (VALUES ('lock_timeout', 1), ('deadlock_timeout', 4)) AS v (name, share)
            JOIN pg_settings USING (name)
        WHERE setting <> '0';

    LOOP
        -- A transaction for each change; no lock is held between two attempts.
        COMMIT;
        PERFORM pg_sleep(tries * patience / 1000.0);
        PERFORM set_config('lock_timeout', patience::text, true),
            set_config('timezone', 'UTC', true),
            set_config('search_path', concat_ws(', ', key.operators,
                nullif(current_setting('search_path'), '')), true);
        gaps := '{}';
        old := NULL;
        child := NULL;
        alone := false;
        BEGIN
            -- Another call waits here; those who read and write do not.
            EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
            SELECT inhrelid INTO old FROM pg_inherits
                WHERE inhparent = parent AND inhdetachpending AND inhrelid <> ALL (stays);
            IF old IS NOT NULL THEN
                EXECUTE format('ALTER TABLE %s DETACH PARTITION %s FINALIZE', parent, old);
                tries := 0;
                CONTINUE;
            END IF;

            EXECUTE format('SELECT coalesce(range_agg(tstzrange(t.since, t.upto)), ''{}'')
                FROM %s($1) AS t', times::regproc) INTO taken USING parent;
            -- Some at a time: the server has room for a limited number of locks.
            gaps := ARRAY(
                SELECT g FROM generate_series(
                        greatest(date_trunc(unit, since), date_trunc(unit, now() - keep)),
                        date_trunc(unit, now()) + ahead * ('1 ' || unit)::interval,
                        ('1 ' || unit)::interval) AS t,
                    unnest(tstzmultirange(tstzrange(t, t + ('1 ' || unit)::interval))
                        - taken - skipped) AS g
                ORDER BY g LIMIT 100);
            FOREACH gap IN ARRAY gaps LOOP
                EXECUTE format('SELECT ARRAY[$1::%s::text, $2::%1$s::text]', key.type)
                    INTO bounds USING lower(gap), upper(gap);
                early := false;
                IF key.rest IS NOT NULL THEN
                    has := format('%1$s >= %2$L AND %1$s < %3$L', key.id, bounds[1], bounds[2]);
                    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %s)', key.rest, has)
                        INTO early;
                END IF;
                IF early AND NOT alone THEN
                    -- To detach takes the lock that all others take first, so it comes first here.
                    EXIT WHEN child IS NOT NULL;
                    -- Fails if rows of other tables refer to rows here; a DELETE might cascade to
                    -- them.  It stays detached until all rows have moved, because the server
                    -- searches all of it when it attaches it, or a partition beside it.
                    BEGIN
                        EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, key.rest);
                        alone := true;
                    EXCEPTION WHEN foreign_key_violation THEN
                        RAISE WARNING 'no partition for % yet: %', lower(gap), SQLERRM;
                        skipped := skipped + tstzmultirange(gap);
                        CONTINUE;
                    END;
                END IF;

                tail := to_char(lower(gap), form);
                FOR n IN 2 .. 10000 LOOP
                    -- A name has room for 63 bytes: the table's is cut, not the time's.
                    child := format('%I.%I', key.schema,
                        substr((tail || key.name)::name::text, length(tail) + 1) || tail);
                    EXIT WHEN to_regclass(child) IS NULL AND to_regtype(child) IS NULL;
                    tail := to_char(lower(gap), form) || '_p' || n;
                END LOOP;
                BEGIN
                    -- A table that is made first and then attached needs weaker locks than one made
                    -- as a partition, and takes over rows without their triggers.
                    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING IDENTITY)%s',
                        child, parent, key.storage);
                    EXECUTE format('ALTER TABLE %s OWNER TO %s', child, key.owner);
                    -- Default privileges must not let anybody read what the parent does not.
                    EXECUTE (
                        SELECT coalesce(string_agg(format('REVOKE %s ON %s FROM %s', privilege,
                            child, coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC')), ';'), '')
                        FROM (SELECT grantee, privilege_type FROM pg_class, aclexplode(relacl)
                                WHERE oid = to_regclass(child)
                            EXCEPT SELECT grantee, privilege_type FROM pg_class,
                                aclexplode(coalesce(relacl, acldefault('r', relowner)))
                                WHERE oid = parent) AS more (grantee, privilege));
                    IF early THEN
                        EXECUTE format('WITH moved AS (DELETE FROM %s WHERE %s RETURNING %s)
                            INSERT INTO %s (%3$s) OVERRIDING SYSTEM VALUE SELECT * FROM moved',
                            key.rest, has, columns, child);
                    END IF;
                    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s
                        FOR VALUES FROM (%L) TO (%L)', parent, child, bounds[1], bounds[2]);
                EXCEPTION WHEN foreign_key_violation OR check_violation THEN
                    RAISE WARNING 'no partition for % yet: %', lower(gap), SQLERRM;
                    skipped := skipped + tstzmultirange(gap);
                END;
            END LOOP;
            IF alone THEN
                EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s DEFAULT', parent, key.rest);
            END IF;

            IF gaps = '{}' THEN
                EXECUTE format('SELECT t.partition FROM %s($1) AS t
                    WHERE t.upto <= $2 AND t.partition <> ALL ($3) LIMIT 1', times::regproc)
                    INTO old USING parent, now() - keep, stays;
                EXIT WHEN old IS NULL;
                BEGIN
                    EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, old);
                    IF NOT detach THEN
                        EXECUTE format('DROP TABLE %s', old);
                    END IF;
                EXCEPTION WHEN foreign_key_violation THEN
                    RAISE WARNING 'partition % stays: rows of other tables refer to it', old;
                    stays := stays || old;
                WHEN dependent_objects_still_exist THEN
                    RAISE WARNING 'partition % stays: %', old, SQLERRM;
                    stays := stays || old;
                END;
            END IF;
            tries := 0;
        EXCEPTION WHEN lock_not_available THEN
            tries := tries + 1;
            IF tries = 10 AND old IS NOT NULL THEN
                RAISE WARNING 'partition % stays: %', old, SQLERRM;
                stays := stays || old;
                tries := 0;
            ELSIF tries = 10 AND gaps <> '{}' THEN
                RAISE WARNING 'no partition for % yet: %', lower(gaps[1]), SQLERRM;
                skipped := '{(,)}';
                tries := 0;
            ELSIF tries = 10 THEN
                RAISE;
            END IF;
        END;
    END LOOP;
    COMMIT;
END
$$;
COMMENT ON PROCEDURE maintain_partitions IS
    'makes the missing partitions of a table, moves the rows of its default partition that belong'
    ' there, and removes the partitions that ended longer ago than "keep"';
