-- Gives a key, and all columns that refer to it, another type: while clients go on writing, or in
-- place.
-- doc/migrate-bigserial.md explains the steps; this file reads the catalogs and writes their SQL.
--
--     psql -f examples/migrate/migrate.sql               installs the schema "migrate"
--     SELECT * FROM migrate.findings('post', 'id', 'uid11');   what to settle first
--     CALL migrate.prepare('post', 'id', 'uid11', ...);        writes the SQL of all steps
--     SELECT migrate.step('post', 'column');            shows the SQL of a step ...
--     SELECT migrate.step('post', 'column') \gexec      ... and runs it
--
-- Of a partitioned table, indexes and foreign keys are made on each partition first, then on the
-- table, which adopts them.
--
-- The new column of a moved column c is called new_c before the swap, and the old one old_c after
-- it.  Indexes and constraints on these columns have the same prefixes.  The swap, there or back,
-- gives the outgoing ones one prefix and takes the other one off the incoming ones.
--
-- DROP SCHEMA migrate CASCADE removes it all, once no migration is under way.

CREATE SCHEMA migrate;

-- Partitions

CREATE FUNCTION migrate.table_name(oid) RETURNS text LANGUAGE sql STABLE STRICT
RETURN (SELECT format('%I.%I', nspname, relname) FROM pg_class AS c
    JOIN pg_namespace AS n ON n.oid = relnamespace WHERE c.oid = $1);

CREATE FUNCTION migrate.partitions(whole oid) RETURNS SETOF oid LANGUAGE sql STABLE AS $$
    SELECT coalesce(relid, whole) FROM (SELECT) AS one
        LEFT JOIN pg_partition_tree(whole) ON true WHERE isleaf IS NOT false
$$;
COMMENT ON FUNCTION migrate.partitions IS
    'the partitions of a table or index that have no partitions; itself, if it has none';

CREATE FUNCTION migrate.on_partitions(whole regclass, statement text) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
    SELECT replace(replace(replace(replace(statement,
            '''{table}''', quote_literal(tab)), '{table}', tab),
            '{schema}', quote_ident(nspname)), '{new name}', quote_ident('new_' || relname))
    FROM migrate.partitions(whole) AS part JOIN pg_class AS c ON c.oid = part
        JOIN pg_namespace AS n ON n.oid = relnamespace LEFT JOIN pg_index ON indexrelid = part,
        migrate.table_name(coalesce(indrelid, c.oid)) AS tab
$$;
COMMENT ON FUNCTION migrate.on_partitions IS 'a statement for each partition';

CREATE FUNCTION migrate.each(whole regclass, statement text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    FOR statement IN SELECT migrate.on_partitions(whole, statement) LOOP
        EXECUTE statement;
    END LOOP;
END
$$;
COMMENT ON FUNCTION migrate.each IS 'runs a statement on each partition';

CREATE FUNCTION migrate.swap_index(index regclass, incoming text, outgoing text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    one record;
BEGIN
    FOR one IN
        WITH tree AS (
            SELECT lead, indrelid, c.relname, n.nspname
            FROM pg_class AS x JOIN pg_namespace AS y ON y.oid = x.relnamespace,
                unnest(ARRAY['', incoming]) AS lead,
                to_regclass(format('%I.%I', y.nspname, lead || x.relname)) AS top,
                LATERAL (SELECT top::oid UNION SELECT relid FROM pg_partition_tree(top)) AS t (i)
                JOIN pg_index ON indexrelid = i JOIN pg_class AS c ON c.oid = i
                JOIN pg_namespace AS n ON n.oid = c.relnamespace
            WHERE x.oid = index
        )
        SELECT format('ALTER INDEX %I.%I RENAME TO %I; ALTER INDEX %1$I.%4$I RENAME TO %2$I',
            a.nspname, a.relname, outgoing || a.relname, b.relname) AS statements
        FROM tree AS a JOIN tree AS b USING (indrelid) WHERE a.lead = '' AND b.lead <> ''
    LOOP
        EXECUTE one.statements;
    END LOOP;
END
$$;
COMMENT ON FUNCTION migrate.swap_index IS
    'gives the name of an index to the one with a prefix, and that one another prefix';

CREATE TABLE migrate.statement (
    target    regclass,
    step      text,
    n         int,
    statement text NOT NULL,
    each      text,
    PRIMARY KEY (target, step, n)
);
COMMENT ON TABLE migrate.statement IS 'the SQL of the steps of each migration under way';
COMMENT ON COLUMN migrate.statement.each IS
    'the table, or index, for whose partitions the statement is written when the step is read';

CREATE TABLE migrate.known (target regclass, name name, PRIMARY KEY (target, name));
COMMENT ON TABLE migrate.known IS
    'names of the objects that depended on the moved columns when the steps were written';

CREATE TABLE migrate.proved (target regclass, rel regclass, att name,
    PRIMARY KEY (target, rel, att));
COMMENT ON TABLE migrate.proved IS
    'columns whose rows were found complete by a step, which the step that relies on it deletes';

CREATE TABLE migrate.reference (rel regclass, att name, parent regclass, parent_att name,
    PRIMARY KEY (rel, att));
COMMENT ON TABLE migrate.reference IS
    'columns that refer to others without a foreign key, to be moved with them';

CREATE TABLE migrate.pace (
    pages    int NOT NULL DEFAULT 20 CHECK (pages > 0),
    pause    interval NOT NULL DEFAULT '0',
    most_lag bigint
);
INSERT INTO migrate.pace DEFAULT VALUES;
COMMENT ON TABLE migrate.pace IS
    'one row, read before each batch: its pages, the pause, and the bytes that standbys may lag';

-- A subscriber has to change its tables between the same two transactions of the stream as the
-- publisher.  So a step of the publisher adds a row here, which is published, and where that row
-- arrives, a trigger runs the subscriber's own step of the same name.
CREATE TABLE migrate.done (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, target text NOT NULL,
    step text NOT NULL);
COMMENT ON TABLE migrate.done IS 'the steps that subscribers have to follow';

-- Without the lock the subscription repeats the transaction of the publisher's row later.
CREATE FUNCTION migrate.follow() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = '300ms' AS $$
DECLARE
    statements text := split_part(migrate.step(to_regclass(NEW.target), NEW.step), '$brief$', 2)
        LIMIT 1;
BEGIN
    EXECUTE statements;
    RETURN NULL;
END
$$;
CREATE TRIGGER follow AFTER INSERT ON migrate.done FOR EACH ROW EXECUTE FUNCTION migrate.follow();
ALTER TABLE migrate.done ENABLE REPLICA TRIGGER follow;

-- A publication of all tables sends what the publisher wrote into the other tables: rows that are
-- none of the subscriber's business, and of a table without a key, too.
-- What migrate.follow() does is no row of the publisher.
CREATE FUNCTION migrate.ignore() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RETURN CASE WHEN pg_trigger_depth() > 1 THEN coalesce(NEW, OLD) END;
END
$$;
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['statement', 'known', 'proved', 'reference', 'pace'] LOOP
        EXECUTE format('CREATE TRIGGER ignore BEFORE INSERT OR UPDATE OR DELETE ON migrate.%I '
            'FOR EACH ROW EXECUTE FUNCTION migrate.ignore();'
            'ALTER TABLE migrate.%1$I ENABLE REPLICA TRIGGER ignore, REPLICA IDENTITY FULL', name);
    END LOOP;
END
$$;

CREATE FUNCTION migrate.subscribed(oid) RETURNS boolean LANGUAGE sql STABLE
RETURN EXISTS (SELECT FROM pg_subscription_rel, migrate.partitions($1) AS part
    WHERE srrelid IN ($1, part));

-- Running a step

-- Partitions that were made since the steps were written have their statements, too.
CREATE FUNCTION migrate.step(target regclass, step text, since int DEFAULT 1) RETURNS SETOF text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY SELECT coalesce(part, s.statement) FROM migrate.statement AS s
            LEFT JOIN LATERAL migrate.on_partitions(s.each::regclass, s.statement) AS part ON true
        WHERE s.target = $1 AND s.step = $2 AND s.n >= since AND num_nonnulls(s.each, part) <> 1
        ORDER BY s.n, part;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no step "%" for %', step, target
            USING HINT = 'CALL migrate.prepare() writes the steps; on a subscriber, see the '
                'publisher''s step "subscriber".';
    END IF;
END
$$;
COMMENT ON FUNCTION migrate.step IS
    'the statements of a step, in order, from one of them on, for \gexec';

-- A statement that waits for a lock makes all others queue behind it.  So each attempt waits for
-- a short time, and less for each lock the more of them there are: an attempt is over before
-- deadlock_timeout could cancel a client.
CREATE PROCEDURE migrate.briefly(tables regclass[], statements text) LANGUAGE plpgsql AS $$
DECLARE
    locked   oid[] := ARRAY(SELECT t FROM unnest(tables) AS t UNION
                SELECT relid FROM unnest(tables) AS t, pg_partition_tree(t));
    patience int := greatest(5, least(300, 900 / cardinality(locked)));     -- milliseconds a lock
    done     boolean;
    holders  text;
BEGIN
    FOR attempt IN 1 .. 2000000000 LOOP
        BEGIN
            PERFORM set_config('lock_timeout', patience::text, true),
                set_config('client_min_messages', 'warning', true);
            EXECUTE statements;
            done := true;
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            done := false;
        END;
        COMMIT;
        EXIT WHEN done;
        SELECT string_agg(DISTINCT format('%s (%s)', pid, coalesce(state, backend_type)), ', ')
            INTO holders FROM pg_locks JOIN pg_stat_activity USING (pid)
            WHERE relation = ANY (locked) AND granted AND pid <> pg_backend_pid();
        RAISE NOTICE 'attempt %: no lock on % within % ms; held by %', attempt,
            array_to_string(tables, ', '), patience, coalesce(holders, 'nobody now');
        PERFORM pg_sleep(least(attempt, 10));
    END LOOP;
END
$$;
COMMENT ON PROCEDURE migrate.briefly IS
    'runs statements in one transaction, again and again until their locks are granted at once';

-- User triggers must not see these updates, which change nothing for the application: in a session
-- of the role "replica" they do not fire.
CREATE FUNCTION migrate.may_replicate() RETURNS boolean LANGUAGE sql STABLE
RETURN has_parameter_privilege('session_replication_role', 'SET');

CREATE FUNCTION migrate.without_triggers() RETURNS text LANGUAGE sql STABLE
RETURN CASE WHEN migrate.may_replicate() THEN 'Enable it neither ALWAYS nor for REPLICA.'
    ELSE format('GRANT SET ON PARAMETER session_replication_role TO %I;', current_user) END;

CREATE FUNCTION migrate.triggers_in_batches(target regclass, filled name)
RETURNS SETOF name LANGUAGE sql STABLE AS $$
    SELECT name FROM (
        SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = target AND tgtype & 16 <> 0
            AND NOT tgisinternal AND tgattr = '' AND tgname !~ '^~'
        UNION ALL SELECT rulename, ev_enabled FROM pg_rewrite WHERE ev_class = target
            AND ev_type = '2') AS t (name, enabled)
    WHERE enabled IN ('A', CASE WHEN migrate.may_replicate() THEN 'R' ELSE 'O' END)
$$;

-- What migrate.pace says may change in the meantime.
CREATE PROCEDURE migrate.rest() LANGUAGE plpgsql AS $$
DECLARE
    most bigint;
    lag  bigint;
BEGIN
    PERFORM pg_sleep(extract(epoch FROM pause)) FROM migrate.pace;
    FOR attempt IN 1 .. 2000000000 LOOP
        COMMIT;
        SELECT most_lag INTO most FROM migrate.pace;
        EXIT WHEN most IS NULL;
        IF NOT pg_has_role('pg_read_all_stats', 'USAGE') THEN
            RAISE EXCEPTION '% does not see how far standbys lag', current_user
                USING HINT = format('GRANT pg_read_all_stats TO %I;', current_user);
        END IF;
        SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)) INTO lag
            FROM pg_stat_replication;
        EXIT WHEN (lag > most) IS NOT TRUE;
        IF attempt % 600 = 10 THEN
            RAISE NOTICE 'waiting for a standby that lags % behind', pg_size_pretty(lag);
        END IF;
        PERFORM pg_sleep(0.1);
    END LOOP;
    COMMIT;
END
$$;
COMMENT ON PROCEDURE migrate.rest IS
    'waits between two batches: the pause, and until no standby lags further than it may';

-- A batch reads its own pages, and updates the rows that need a value, have one and are not locked.
-- IS TRUE keeps the planner from an index on the condition, which would read all pages each time.
CREATE PROCEDURE migrate.fill_in_batches(target regclass, filled name, filling text,
    needed text DEFAULT 'true', report_after int DEFAULT 10000)
LANGUAGE plpgsql AS $$
DECLARE
    missing text := format('%I IS NULL AND (%s)', filled, needed);
    batch   text := format('UPDATE %1$s AS t SET %2$I = %3$s WHERE ctid = ANY (ARRAY('
        'SELECT ctid FROM %1$s AS t WHERE ctid >= $1 AND ctid < $2 AND (%4$s) IS TRUE '
        'AND %3$s IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED))', target, filled, filling, missing);
    size    int;
    pages   int;
    page    int;
    changed bigint;
    total   bigint := 0;
    togo    bigint;
    empty   bigint;
    example text;
    pause   float8 := 0.1;              -- seconds
BEGIN
    IF row_security_active(target) THEN
        RAISE EXCEPTION 'row-level security of % hides rows from %', target, current_user
            USING HINT = 'Run this as a role with BYPASSRLS.';
    END IF;
    IF EXISTS (SELECT FROM migrate.triggers_in_batches(target, filled)) THEN
        RAISE EXCEPTION 'triggers of % would fire: %', target,
                (SELECT string_agg(t, ', ') FROM migrate.triggers_in_batches(target, filled) AS t)
            USING HINT = migrate.without_triggers();
    END IF;
    LOOP
        -- these locks conflict with none of the clients', so that no client queues behind them
        PERFORM set_config('lock_timeout', '0', true);
        size := pg_relation_size(target) / current_setting('block_size')::int;
        page := 0;
        WHILE page < size LOOP
            pages := (SELECT p.pages FROM migrate.pace AS p);
            BEGIN
                PERFORM set_config('lock_timeout', '0', true);
                IF migrate.may_replicate() THEN
                    PERFORM set_config('session_replication_role', 'replica', true);
                END IF;
                EXECUTE batch
                    USING format('(%s,0)', page)::tid, format('(%s,0)', page + pages)::tid;
                GET DIAGNOSTICS changed = ROW_COUNT;
                total := total + changed;
                page := page + pages;
            EXCEPTION WHEN deadlock_detected OR serialization_failure THEN
                RAISE NOTICE '%: page % once more: %', target, page, SQLERRM;
            END;
            COMMIT;
            IF page % report_after < pages AND page < size THEN
                RAISE NOTICE '%: page % of %, % rows filled', target, page, size, total;
            END IF;
            CALL migrate.rest();
        END LOOP;
        PERFORM set_config('lock_timeout', '0', true);
        EXECUTE format('SELECT count(*), count(*) FILTER (WHERE %1$s IS NULL), '
            'min(ctid::text) FILTER (WHERE %1$s IS NULL) FROM %2$s AS t WHERE %3$s',
            filling, target, missing) INTO togo, empty, example;
        COMMIT;
        RAISE NOTICE '%: % rows filled, % to go', target, total, togo;
        IF empty > 0 THEN
            RAISE EXCEPTION 'no value of % for % rows of %', filled, empty, target
                USING DETAIL = format('The first is at ctid %s.', example),
                    HINT = 'Its reference leads nowhere. Correct these rows, and call again.';
        END IF;
        EXIT WHEN togo = 0;
        PERFORM pg_sleep(pause);        -- for rows that clients have locked
        COMMIT;
        pause := least(2 * pause, 60);
    END LOOP;
END
$$;
COMMENT ON PROCEDURE migrate.fill_in_batches IS
    'fills a column page by page until no row that needs a value lacks one';

-- The triggers keep the columns alike from one row to the next.  This compares all rows.
CREATE PROCEDURE migrate.compare(migration regclass, target regclass, lead name, follow name,
    parent regclass, parent_lead name, parent_follow name) LANGUAGE plpgsql AS $$
DECLARE
    differ  bigint;
    example text;
BEGIN
    DELETE FROM migrate.proved AS p WHERE (p.target, p.rel, p.att) = (migration, $2, follow);
    COMMIT;
    EXECUTE format('SELECT count(*), min(c.%2$I::text) FROM %1$s AS c '
        'LEFT JOIN %4$s AS p ON p.%5$I = c.%2$I WHERE c.%3$I IS DISTINCT FROM p.%6$I',
        target, lead, follow, parent, parent_lead, parent_follow) INTO differ, example;
    IF differ > 0 THEN
        RAISE EXCEPTION '% rows of % do not refer to the same row of % by % and %',
                differ, target, parent, lead, follow
            USING DETAIL = format('The first has %s = %s.', lead, example),
                HINT = format('UPDATE %s SET %I = NULL WHERE ...; the trigger fills it again.',
                    target, follow);
    END IF;
    INSERT INTO migrate.proved VALUES (migration, target, follow);
END
$$;
COMMENT ON PROCEDURE migrate.compare IS
    'raises an error unless both columns of each row refer to the same row';

-- Reading the catalogs

-- The server writes some constructs without the schema of their operator, so that a dump of them
-- does not restore if the operator is outside pg_catalog: see doc/operations.md.
CREATE VIEW migrate.stored_construct (construct, operator, classid, objid) AS
SELECT construct, operator[1]::oid, classid, objid
FROM (
    SELECT 'pg_attrdef'::regclass, oid, adbin::text FROM pg_attrdef UNION ALL
    SELECT 'pg_class'::regclass, indexrelid, concat(indexprs, indpred) FROM pg_index UNION ALL
    SELECT 'pg_class'::regclass, partrelid, partexprs::text FROM pg_partitioned_table UNION ALL
    SELECT 'pg_constraint'::regclass, oid, conbin::text FROM pg_constraint UNION ALL
    SELECT 'pg_policy'::regclass, oid, concat(polqual, polwithcheck) FROM pg_policy UNION ALL
    SELECT 'pg_proc'::regclass, oid, concat(proargdefaults, prosqlbody) FROM pg_proc UNION ALL
    SELECT 'pg_rewrite'::regclass, oid, concat(ev_qual, ev_action) FROM pg_rewrite UNION ALL
    SELECT 'pg_statistic_ext'::regclass, oid, stxexprs::text FROM pg_statistic_ext UNION ALL
    SELECT 'pg_trigger'::regclass, oid, tgqual::text FROM pg_trigger UNION ALL
    SELECT 'pg_type'::regclass, oid, typdefaultbin::text FROM pg_type
) AS stored (classid, objid, tree), (VALUES
    ('IS DISTINCT FROM', '\{DISTINCTEXPR :opno \d+', ':opno (\d+)'),
    ('NULLIF', '\{NULLIFEXPR :opno \d+', ':opno (\d+)'),
    ('CASE ... WHEN', '\{OPEXPR :opno \d+(?=[^{}]*(?:\{\w+ [^{}]*)*?\{CASETESTEXPR )',
        ':opno (\d+)'),
    ('JOIN USING, NATURAL JOIN', ':usingClause \(.*? :alias ', ':opno (\d+)'),
    ('a row in a subquery', ':testexpr \{BOOLEXPR .*? :operName ', ':opno (\d+)'),
    ('a row comparison', '\{ROWCOMPAREEXPR :\w+ \d+ :opnos \(o [^)]*\m\d{1,4}\M[^)]*',
        '\m(\d+)\M')
) AS known (construct, pattern, operators), regexp_matches(tree, pattern, 'g') AS found,
    regexp_matches(found[1], operators, 'g') AS operator
WHERE objid >= 16384;
COMMENT ON VIEW migrate.stored_construct IS
    'stored expressions that name no schema of their operator, and where they are stored';

-- The key at depth 0, the columns with a foreign key to it at depth 1, and so on.
CREATE TYPE migrate.moved AS (depth int, rel oid, num int2, tab text, att name, required boolean,
    parent oid, parent_num int2, parent_tab text, parent_att name);
CREATE FUNCTION migrate.columns(target regclass, key name) RETURNS SETOF migrate.moved
LANGUAGE sql STABLE AS $$
    WITH RECURSIVE found AS (
        SELECT 0 AS depth, attrelid AS rel, attnum AS num, NULL::oid AS parent,
            NULL::int2 AS parent_num
        FROM pg_attribute WHERE attrelid = target AND attname = key AND attnum > 0
        UNION
        SELECT f.depth + 1, r.rel, r.num, f.rel, f.num
        FROM found AS f JOIN (
            SELECT conrelid, conkey[i], confrelid, confkey[i]
            FROM pg_constraint, generate_subscripts(confkey, 1) AS i
            WHERE contype = 'f' AND conparentid = 0
            UNION SELECT a.attrelid, a.attnum, p.attrelid, p.attnum FROM migrate.reference AS r
                JOIN pg_attribute AS a ON (a.attrelid, a.attname) = (r.rel, r.att)
                JOIN pg_attribute AS p ON (p.attrelid, p.attname) = (r.parent, r.parent_att)
        ) AS r (rel, num, parent, parent_num) ON (r.parent, r.parent_num) = (f.rel, f.num)
        WHERE f.depth < 20          -- tables may refer to each other
    ), nearest AS (
        SELECT DISTINCT ON (f.rel, f.num) f.* FROM found AS f ORDER BY f.rel, f.num, f.depth
    )
    SELECT n.depth, n.rel, n.num, migrate.table_name(n.rel), a.attname, a.attnotnull,
        n.parent, n.parent_num, migrate.table_name(n.parent), p.attname
    FROM nearest AS n JOIN pg_attribute AS a ON (a.attrelid, a.attnum) = (n.rel, n.num)
        LEFT JOIN pg_attribute AS p ON (p.attrelid, p.attnum) = (n.parent, n.parent_num)
    ORDER BY n.depth, 4, n.num
$$;
COMMENT ON FUNCTION migrate.columns IS 'the columns that move with a key';

-- What DROP COLUMN would take along, or refuse for; of a partition, what is its own.
CREATE FUNCTION migrate.dependents(rel oid, num int2)
RETURNS TABLE (classid oid, objid oid, name name, kind text, index oid) LANGUAGE sql STABLE AS $$
    SELECT DISTINCT d.classid, d.objid,
        coalesce(con.conname, c.relname, tgname, stxname, polname, v.relname),
        CASE
            WHEN d.classid = 'pg_attrdef'::regclass THEN
                CASE WHEN (adrelid, adnum) = (rel, num) THEN 'default' ELSE 'generated column' END
            WHEN con.contype IN ('p', 'u') THEN 'key'
            WHEN con.contype = 'f' THEN 'foreign key'
            WHEN con.contype = 'c' THEN 'check'
            WHEN con.contype = 'x' THEN 'exclusion constraint'
            WHEN con.contype = 'n' THEN 'not null'
            WHEN c.relkind IN ('i', 'I') THEN 'index'
            WHEN c.relkind = 'S' THEN 'sequence'
            WHEN tgname IS NOT NULL THEN 'trigger'
            WHEN stxname IS NOT NULL THEN 'statistics'
            WHEN polname IS NOT NULL THEN 'policy'
            WHEN v.relkind = 'v' THEN 'view'
            WHEN v.relkind = 'r' THEN 'rule'
            ELSE 'other'
        END,
        CASE WHEN con.contype IN ('p', 'u') THEN con.conindid
            WHEN c.relkind IN ('i', 'I') THEN c.oid END
    FROM pg_depend AS d
        LEFT JOIN pg_attrdef AS def ON d.classid = 'pg_attrdef'::regclass AND def.oid = d.objid
        LEFT JOIN pg_constraint AS con
            ON d.classid = 'pg_constraint'::regclass AND con.oid = d.objid
        LEFT JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
        LEFT JOIN pg_trigger AS t ON d.classid = 'pg_trigger'::regclass AND t.oid = d.objid
        LEFT JOIN pg_statistic_ext AS s
            ON d.classid = 'pg_statistic_ext'::regclass AND s.oid = d.objid
        LEFT JOIN pg_policy AS p ON d.classid = 'pg_policy'::regclass AND p.oid = d.objid
        LEFT JOIN pg_rewrite AS r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
        LEFT JOIN pg_class AS v ON v.oid = r.ev_class
    WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = rel AND d.refobjsubid = num
        AND NOT coalesce(con.conparentid <> 0 OR con.coninhcount > 0, c.relispartition,
            t.tgparentid <> 0, false)
$$;
COMMENT ON FUNCTION migrate.dependents IS
    'all objects that depend on a column, a key or index with its index';

-- Views on the moved columns, and views on those, the deepest last.
CREATE FUNCTION migrate.views(target regclass, key name)
RETURNS TABLE (depth int, view oid) LANGUAGE sql STABLE AS $$
    WITH RECURSIVE found AS (
        SELECT 1 AS depth, r.ev_class AS view
        FROM migrate.columns(target, key) AS m, migrate.dependents(m.rel, m.num) AS d
            JOIN pg_rewrite AS r ON r.oid = d.objid
        WHERE d.kind = 'view'
        UNION
        SELECT f.depth + 1, r.ev_class
        FROM found AS f JOIN pg_depend AS d ON d.refclassid = 'pg_class'::regclass
                AND d.refobjid = f.view AND d.classid = 'pg_rewrite'::regclass
            JOIN pg_rewrite AS r ON r.oid = d.objid JOIN pg_class AS c ON c.oid = r.ev_class
        WHERE r.ev_class <> f.view AND c.relkind = 'v'
    )
    SELECT max(f.depth), f.view FROM found AS f GROUP BY f.view ORDER BY 1, 2
$$;

-- Texts of the catalogs are written and read with this path: operators of ids are found, and
-- names elsewhere are qualified.
CREATE FUNCTION migrate.path(target regclass, key name, new_type regtype) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT concat_ws(', ', 'pg_catalog', string_agg(DISTINCT quote_ident(nspname), ', '), 'pg_temp')
    FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = typnamespace
    WHERE nspname <> 'pg_catalog' AND t.oid IN (new_type,
        (SELECT atttypid FROM pg_attribute WHERE attrelid = target AND attname = key))
$$;

-- What follows the name of the table in CREATE INDEX.
CREATE FUNCTION migrate.index_tail(index oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT substr(pg_get_indexdef(index), 1 + length(format('CREATE %sINDEX %I ON %s%s',
        CASE WHEN indisunique THEN 'UNIQUE ' END, relname,
        CASE WHEN relkind = 'I' THEN 'ONLY ' END, migrate.table_name(indrelid))))
    FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid WHERE indexrelid = index
$$;

-- The server itself says how an index or CHECK looks on the new columns, and whether it fits their
-- type: an empty copy of the table gets it, and then the new names of the columns.
CREATE FUNCTION migrate.definitions(target regclass, key name, new_type regtype)
RETURNS TABLE (rel oid, objid oid, name name, kind text, index oid, definition text, error text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = warning AS $$
DECLARE
    this   oid;
    moved  record;
    failed jsonb;
BEGIN
    FOR this IN SELECT DISTINCT m.rel FROM migrate.columns(target, key) AS m LOOP
        failed := '{}';
        PERFORM set_config('search_path', migrate.path(target, key, new_type), true);
        EXECUTE format('CREATE TABLE migrate.twin (LIKE %s)', migrate.table_name(this));
        FOR moved IN SELECT m.* FROM migrate.columns(target, key) AS m WHERE m.rel = this LOOP
            EXECUTE format('ALTER TABLE migrate.twin ALTER %I TYPE %s USING NULL::%2$s, '
                'DROP COLUMN IF EXISTS %3$I', moved.att, new_type, 'new_' || moved.att);
        END LOOP;
        FOR moved IN
            SELECT DISTINCT d.objid, CASE d.kind WHEN 'check' THEN format(
                    'ALTER TABLE migrate.twin ADD CONSTRAINT %I %s', d.name,
                    pg_get_constraintdef(d.objid))
                ELSE format('CREATE %sINDEX %I ON migrate.twin%s',
                    CASE WHEN i.indisunique THEN 'UNIQUE ' END, d.name,
                    migrate.index_tail(i.indexrelid)) END AS creation
            FROM migrate.columns(target, key) AS m, migrate.dependents(m.rel, m.num) AS d
                LEFT JOIN pg_index AS i ON i.indexrelid = d.index
            WHERE m.rel = this AND d.kind IN ('key', 'index', 'check')
        LOOP
            BEGIN
                EXECUTE moved.creation;
            EXCEPTION WHEN OTHERS THEN
                failed := failed || jsonb_build_object(moved.objid, SQLERRM);
            END;
        END LOOP;
        FOR moved IN SELECT m.* FROM migrate.columns(target, key) AS m WHERE m.rel = this LOOP
            EXECUTE format('ALTER TABLE migrate.twin RENAME %I TO %I', moved.att,
                'new_' || moved.att);
        END LOOP;
        PERFORM set_config('search_path', 'pg_catalog, pg_temp', true);
        RETURN QUERY SELECT DISTINCT this, d.objid, d.name, d.kind, d.index,
            CASE WHEN d.kind = 'check' THEN (SELECT pg_get_constraintdef(t.oid)
                    FROM pg_constraint AS t
                    WHERE t.conrelid = 'migrate.twin'::regclass AND t.conname = d.name)
                ELSE (SELECT migrate.index_tail(t.indexrelid)
                    FROM pg_index AS t JOIN pg_class AS c ON c.oid = t.indexrelid
                    WHERE t.indrelid = 'migrate.twin'::regclass AND c.relname = d.name) END,
            failed ->> d.objid::text
        FROM migrate.columns(target, key) AS m, migrate.dependents(m.rel, m.num) AS d
        WHERE m.rel = this AND d.kind IN ('key', 'index', 'check');
        DROP TABLE migrate.twin;
    END LOOP;
END
$$;

-- What to settle before the first step

CREATE FUNCTION migrate.word(name) RETURNS text LANGUAGE sql IMMUTABLE
RETURN '\m' || regexp_replace($1, '(\W)', '\\\1', 'g') || '\M';

CREATE FUNCTION migrate.found(target regclass, key name, new_type regtype, in_place boolean)
RETURNS TABLE (stops boolean, object text, finding text, remedy text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM migrate.columns(target, key)) THEN
        RAISE EXCEPTION 'table % has no column "%"', target, key;
    END IF;
    RETURN QUERY SELECT true, format('%s %I', d.kind, d.name), d.error,
        'It does not fit the new type: drop it, and make one that does afterwards.'
    FROM migrate.definitions(target, key, new_type) AS d WHERE d.error IS NOT NULL;

    RETURN QUERY WITH m AS MATERIALIZED (
        SELECT m.*, m AS moved, format('%s.%I', m.tab, m.att) AS col, c.relname, c.relkind,
            c.relispartition, a.atttypid, a.atthasdef, a.attidentity
        FROM migrate.columns(target, key) AS m JOIN pg_class AS c ON c.oid = m.rel
            JOIN pg_attribute AS a ON (a.attrelid, a.attnum) = (m.rel, m.num)
    ), d AS MATERIALIZED (
        SELECT m.*, d.*, pg_describe_object(d.classid, d.objid, 0) AS described
        FROM m, migrate.dependents(m.rel, m.num) AS d
    ), v AS MATERIALIZED (
        SELECT v.view, migrate.table_name(v.view) AS name FROM migrate.views(target, key) AS v
    ), one (way, stops, object, finding, remedy) AS (
        -- the tables
        SELECT 'both', true, m.tab, 'is a partition, inherited, or no plain table',
            'No step here: move the whole table, or fill a new one.'
        FROM m, migrate.partitions(m.rel) AS part JOIN pg_class AS p ON p.oid = part
        WHERE m.relkind NOT IN ('r', 'p') OR m.relispartition OR p.relkind <> 'r'
            OR m.relkind = 'r' AND EXISTS (SELECT FROM pg_inherits
                WHERE m.rel IN (inhrelid, inhparent))
        UNION ALL SELECT 'both', true, m.col, CASE WHEN in_place THEN 'partitions the table' ELSE
                'is a key of a partitioned table, or partitions it' END,
            'Fill a new table: see "A partitioned key" in doc/migrate-bigserial.md.'
        FROM m WHERE m.relkind = 'p' AND (NOT in_place AND (m.depth = 0 OR EXISTS (SELECT
                FROM pg_index AS i WHERE i.indrelid = m.rel AND i.indisunique
                    AND m.num = ANY (i.indkey)))
            OR EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = m.rel
                AND (m.num = ANY (partattrs) OR partexprs IS NOT NULL)))
        UNION ALL SELECT 'both', true, pg_describe_object(own.classid, own.objid, 0),
            format('is there for one partition of %s', m.tab),
            'Drop it, and make it anew afterwards.'
        FROM m, pg_partition_tree(m.rel) AS part JOIN pg_attribute AS a ON a.attrelid = part.relid,
            migrate.dependents(a.attrelid, a.attnum) AS own
        WHERE m.relkind = 'p' AND part.relid <> m.rel AND a.attname = m.att
            AND own.kind NOT IN ('not null', 'default')
        UNION ALL SELECT 'online', true, format('%s.%I', migrate.table_name(a.attrelid), a.attname),
            format('has %s of its own, apart from %s', what, m.tab),
            'Remove it, and give it anew afterwards.'
        FROM m, pg_partition_tree(m.rel) AS part, pg_attribute AS a, LATERAL (
            SELECT 'NOT NULL' WHERE a.attnotnull AND NOT m.required
            UNION SELECT 'privileges' WHERE a.attacl IS NOT NULL
            UNION SELECT 'a comment' WHERE col_description(a.attrelid, a.attnum) IS NOT NULL
            UNION SELECT 'a default' WHERE a.atthasdef
            UNION SELECT format('the state of trigger %I', t.tgname) FROM pg_trigger AS t
                JOIN pg_trigger AS w ON w.oid = t.tgparentid
            WHERE t.tgrelid = a.attrelid AND t.tgenabled <> w.tgenabled) AS own (what)
        WHERE (a.attrelid, a.attname) = (part.relid, m.att) AND part.relid <> m.rel
        UNION ALL SELECT 'online', true, m.tab, format('row-level security hides rows from %s',
            current_user), 'Run the migration as a role with BYPASSRLS.'
        FROM m WHERE row_security_active(m.rel)
        UNION ALL SELECT 'both', true, m.tab, 'a subscription writes to it',
            'Migrate the publisher; its findings say what to do here.'
        FROM m WHERE migrate.subscribed(m.rel) AND NOT migrate.subscribed('migrate.done'::regclass)
        UNION ALL SELECT 'both', NOT told, format('publication %I', p.pubname),
            'sends ' || string_agg(DISTINCT m.tab, ', '),
            CASE WHEN told THEN 'Before any other step, run on each subscriber what the step '
                    '"subscriber" shows.'
                ELSE format('Load migrate.sql on each subscriber. Here, ALTER PUBLICATION %I ADD '
                    'TABLE migrate.done; there, ALTER SUBSCRIPTION ... REFRESH PUBLICATION.',
                    p.pubname) END
        FROM m JOIN pg_publication AS p ON p.puballtables OR EXISTS (SELECT
                FROM pg_publication_tables AS t, migrate.partitions(m.rel) AS part
                WHERE t.pubname = p.pubname AND m.att = ANY (t.attnames)
                    AND to_regclass(format('%I.%I', schemaname, tablename)) IN (m.rel, part)),
            LATERAL (SELECT EXISTS (SELECT FROM pg_publication_tables AS t
                WHERE t.pubname = p.pubname
                    AND (schemaname, tablename) = ('migrate', 'done'))) AS t (told)
        GROUP BY told, p.pubname

        -- the columns
        UNION ALL SELECT 'online', true, m.col, 'is not unique by itself',
            format('CREATE UNIQUE INDEX CONCURRENTLY ON %s (%I);', m.tab, m.att)
        FROM m WHERE m.depth = 0 AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = m.rel
            AND indisunique AND indimmediate AND indisvalid AND indnkeyatts = 1
            AND indkey[0] = m.num AND indpred IS NULL)
        UNION ALL SELECT 'online', true, m.col, 'has no default',
            'Give it one, for the rows that are made after the swap need a key for the way back.'
        FROM m WHERE m.depth = 0 AND NOT m.atthasdef AND m.attidentity = ''
            AND NOT migrate.subscribed(m.rel)
        UNION ALL SELECT 'both', true, m.col, format('has the domain %s', m.atttypid::regtype),
            'Its rules would be lost: give the column the base type first.'
        FROM m JOIN pg_type AS t ON t.oid = m.atttypid WHERE t.typtype = 'd'
        UNION ALL SELECT 'both', true, m.col,
            'has a default: ' || pg_get_expr(def.adbin, def.adrelid), format('ALTER TABLE %s '
                'ALTER %I DROP DEFAULT; set one of the new type afterwards.', m.tab, m.att)
        FROM m JOIN pg_attrdef AS def ON (def.adrelid, def.adnum) = (m.rel, m.num)
        WHERE m.depth > 0
        UNION ALL SELECT 'both', true, m.col,
            format('refers to %s as well, by %I', migrate.table_name(f.confrelid), f.conname),
            'One column cannot get the ids of two tables: drop one of the foreign keys.'
        FROM m JOIN pg_constraint AS f ON f.contype = 'f' AND f.conrelid = m.rel
                AND f.conparentid = 0, generate_subscripts(f.conkey, 1) AS i
        WHERE f.conkey[i] = m.num AND NOT EXISTS (SELECT FROM m AS o
            WHERE (o.rel, o.num) = (f.confrelid, f.confkey[i]))

        -- names
        UNION ALL SELECT 'online', true, taken.what, 'is in the way of ' || taken.by,
            'Rename it.'
        FROM (
            SELECT format('%s.%I', m.tab, a.attname), 'a new column' FROM m
                JOIN pg_attribute AS a ON a.attrelid = m.rel AND NOT a.attisdropped
                    AND a.attname IN ('new_' || m.att, 'old_' || m.att)
            UNION SELECT t, 'the table of keys' FROM migrate.key_table(target) AS t
            WHERE to_regclass(t) IS NOT NULL
            UNION SELECT format('%I.%I', n.nspname, c.relname), 'a new index' FROM d,
                LATERAL (SELECT d.index UNION SELECT relid FROM pg_partition_tree(d.index)) AS t (x)
                JOIN pg_class AS i ON i.oid = t.x JOIN pg_namespace AS n ON n.oid = i.relnamespace
                JOIN pg_class AS c ON c.relnamespace = n.oid
                    AND c.relname IN ('new_' || i.relname, 'old_' || i.relname)
            WHERE d.kind IN ('key', 'index')
            UNION SELECT format('constraint %I of %s', c.conname, d.tab), 'a new constraint'
            FROM d JOIN pg_constraint AS c ON c.conrelid = d.rel
            WHERE c.conname = migrate.check_name(d.moved)
                OR d.kind = 'check' AND c.conname IN ('new_' || d.name, 'old_' || d.name)
        ) AS taken (what, by)
        UNION ALL SELECT 'online', true, name.name::text, 'is too long for what is added to it',
            'Rename it.'
        FROM (
            SELECT m.att, 16 FROM m         -- see migrate.check_name
            UNION SELECT d.name, 4 FROM d WHERE d.kind IN ('key', 'index', 'check')
            UNION SELECT c.relname, 4 FROM d, pg_partition_tree(d.objid) AS part
                JOIN pg_class AS c ON c.oid = part.relid WHERE d.kind = 'index'
        ) AS name (name, more)
        WHERE octet_length(name.name) + more > 63

        -- other migrations
        UNION ALL SELECT 'both', true, format('%s %I of %s', d.kind, d.name, d.tab),
            format('is moved by the migration of %s, too', k.target), format('Finish or cancel '
                'that one first, or if it has not begun, CALL migrate.forget(%L).', k.target)
        FROM d JOIN migrate.known AS k ON k.name = d.name AND k.target <> found.target
        WHERE d.kind IN ('key', 'index', 'check') AND EXISTS (SELECT FROM migrate.statement AS s
            WHERE (s.target, s.step) = (k.target, 'swap')
                AND strpos(s.statement, format('ALTER TABLE %s RENAME ', d.tab)) > 0)
        UNION ALL SELECT 'both', true, format('%s.%I', s.target, a.attname),
            'is of a migration under way', 'Finish or cancel that one first.'
        FROM migrate.statement AS s JOIN pg_attribute AS a ON a.attrelid = s.target
            AND strpos(s.statement, format('RENAME %I TO ', a.attname)) > 0
        WHERE s.target = found.target AND s.step IN ('swap', 'back')
            AND a.attname ~ '^(new|old)_' AND NOT a.attisdropped

        -- what depends on the columns
        UNION ALL SELECT CASE d.kind WHEN 'exclusion constraint' THEN 'online' ELSE 'both' END,
            true, d.described, CASE d.kind
                WHEN 'exclusion constraint' THEN 'cannot be built beside the old one'
                WHEN 'generated column' THEN 'is computed from the old column'
                ELSE 'depends on the column, and is not carried over' END,
            'Drop it, and make it anew afterwards.'
        FROM d WHERE d.kind IN ('generated column', 'exclusion constraint', 'other')
        UNION ALL SELECT 'both', true, pg_describe_object(x.classid, x.objid, x.objsubid),
            format('depends on view %s', v.name), 'Drop it, and make it anew afterwards.'
        FROM v JOIN pg_class AS c ON c.oid = v.view JOIN pg_type AS t ON t.oid = c.reltype
            JOIN pg_depend AS x ON x.refobjid IN (v.view, t.oid, t.typarray)
                AND x.deptype NOT IN ('i', 'P', 'S')
        WHERE NOT EXISTS (SELECT FROM pg_rewrite AS r JOIN v AS o ON o.view = r.ev_class
            WHERE x.classid = 'pg_rewrite'::regclass AND r.oid = x.objid
                AND r.rulename = '_RETURN')
        UNION ALL SELECT 'both', true, v.name, 'has privileges on columns',
            'GRANT them on the view, or drop it and make it anew afterwards.'
        FROM v WHERE EXISTS (SELECT FROM pg_attribute AS a
            WHERE a.attrelid = v.view AND a.attacl IS NOT NULL)
        UNION ALL SELECT 'both', true, pg_describe_object(x.classid, x.objid, x.objsubid),
            format('uses sequence %s, which is dropped with the old column', d.name),
            'ALTER SEQUENCE ... OWNED BY NONE'
        FROM d JOIN pg_depend AS x ON x.refclassid = 'pg_class'::regclass AND x.refobjid = d.objid
        WHERE d.kind = 'sequence' AND NOT EXISTS (SELECT FROM pg_attrdef WHERE oid = x.objid
            AND x.classid = 'pg_attrdef'::regclass AND (adrelid, adnum) = (d.rel, d.num))
        UNION ALL SELECT 'online', true, format('trigger %I of %s', t.tgname, m.tab),
            'fires after those that fill the new column', 'Give it a name that sorts before "~".'
        FROM m JOIN pg_trigger AS t ON t.tgrelid = m.rel
        WHERE NOT t.tgisinternal AND t.tgtype & 2 <> 0 AND t.tgname >= '~'
        UNION ALL SELECT 'online', true, format('trigger %I of %s', t, m.tab),
            'would fire on each row that is filled', migrate.without_triggers()
        FROM m, migrate.partitions(m.rel) AS part,
            migrate.triggers_in_batches(part, 'new_' || m.att) AS t
        WHERE NOT migrate.subscribed(m.rel)

        -- what a dump loses afterwards: see the view
        UNION ALL SELECT 'both', false,
            regexp_replace(pg_describe_object(s.classid, s.objid, 0), '^rule _RETURN on ', ''),
            format('has %s, which a dump of ids does not restore', s.construct),
            'Write instead: ' || CASE s.construct
                WHEN 'IS DISTINCT FROM' THEN 'ARRAY[a] IS DISTINCT FROM ARRAY[b], or in a trigger '
                    'or CHECK (a = b) IS NOT TRUE if NULLs do not matter'
                WHEN 'NULLIF' THEN 'CASE WHEN a = b THEN NULL ELSE a END'
                WHEN 'CASE ... WHEN' THEN 'CASE WHEN a = b THEN ... END'
                WHEN 'JOIN USING, NATURAL JOIN' THEN 'JOIN ... ON a.id = b.id'
                WHEN 'a row in a subquery' THEN 'EXISTS (SELECT FROM ... WHERE a = b AND ...)'
                ELSE 'a > b OR a = b AND c > d' END || '.'
        FROM m JOIN pg_depend AS x ON x.refclassid = 'pg_class'::regclass
                AND ((x.refobjid, x.refobjsubid) = (m.rel, m.num)
                    OR x.refobjid IN (SELECT v.view FROM v))
            JOIN migrate.stored_construct AS s ON (s.classid, s.objid) = (x.classid, x.objid)
            JOIN pg_operator AS o ON o.oid = s.operator
        WHERE EXISTS (SELECT FROM unnest(ARRAY[o.oprleft, o.oprright]) AS side
            WHERE side = m.atttypid OR EXISTS (SELECT FROM pg_cast WHERE castmethod = 'b'
                AND (castsource, casttarget) = (m.atttypid, side)))

        -- what to look at
        UNION ALL SELECT 'online', false, format('key %I of %s', d.name, d.tab),
            'is deferrable, and its copies are not',
            'From step "indexes" to "finish", writers must not rely on that.'
        FROM d JOIN pg_index ON indexrelid = d.index AND NOT indimmediate WHERE d.kind = 'key'
        UNION ALL SELECT 'online', false, m.tab, format('%I holds timestamps of no time zone',
            a.attname), format('In the query for the keys write %I AT TIME ZONE ''UTC'', or the '
                'zone it is in.', a.attname)
        FROM m JOIN pg_attribute AS a ON a.attrelid = m.rel
        WHERE m.depth = 0 AND a.atttypid = 'timestamp'::regtype AND NOT a.attisdropped
        UNION ALL SELECT 'both', false, format('function %s', f.oid::regprocedure),
            format('its text has the words %s and %s', m.relname, m.att),
            'Look whether it declares variables or parameters of the old type.'
        FROM m JOIN pg_proc AS f
                ON f.prosrc ~ migrate.word(m.relname) AND f.prosrc ~ migrate.word(m.att)
            JOIN pg_namespace AS n ON n.oid = f.pronamespace
                AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'migrate')
        UNION ALL SELECT 'both', false, format('foreign key %I', f.conname), 'is not valid',
            'Rows that refer to nothing stop the filling: ALTER TABLE ... VALIDATE CONSTRAINT.'
        FROM m JOIN pg_constraint AS f ON f.contype = 'f' AND f.conrelid = m.rel
            AND NOT f.convalidated AND m.num = ANY (f.conkey)
    )
    SELECT DISTINCT one.stops, one.object, one.finding, one.remedy FROM one
    WHERE one.way = 'both' OR NOT in_place;
END
$$;

CREATE FUNCTION migrate.findings(target regclass, key name, new_type regtype,
    in_place boolean DEFAULT false) RETURNS TABLE (stops boolean, finding text)
LANGUAGE sql AS $$
    SELECT f.stops, concat(object, E'\n', (SELECT string_agg(line[1], E'\n') FROM regexp_matches(
            format('%s. %s', f.finding, remedy), '(?:(?!\s).{1,75}|\S+)(?=\s|$)', 'g') AS line))
    FROM migrate.found(target, key, new_type, in_place) AS f
    ORDER BY f.stops DESC, object, f.finding
$$;
COMMENT ON FUNCTION migrate.findings IS
    'what stops a migration, or is to be looked at, and what to do about it';

CREATE FUNCTION migrate.refuse(target regclass, key name, new_type regtype, in_place boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    why text := string_agg(format('%s: %s. %s', object, finding, remedy), E'\n'
            ORDER BY object, finding)
        FROM migrate.found(target, key, new_type, in_place) WHERE stops;
BEGIN
    IF why IS NOT NULL THEN
        RAISE EXCEPTION 'the key of % cannot be moved yet', target USING DETAIL = why;
    END IF;
END
$$;

CREATE FUNCTION migrate.type_of(target regclass, key name) RETURNS text LANGUAGE sql STABLE
RETURN (SELECT format_type(atttypid, atttypmod) FROM pg_attribute
    WHERE attrelid = target AND attname = key);

-- Writing the steps

CREATE FUNCTION migrate.key_table(target regclass) RETURNS text LANGUAGE sql STABLE
RETURN (SELECT format('%I.%I', nspname, left(relname, 59) || '_key') FROM pg_class AS c
    JOIN pg_namespace AS n ON n.oid = relnamespace WHERE c.oid = target);

CREATE PROCEDURE migrate.add(target regclass, step text, statement text,
    each regclass DEFAULT NULL) LANGUAGE sql AS $$
    INSERT INTO migrate.statement VALUES (add.target, add.step, (SELECT 1 + count(*)
        FROM migrate.statement AS s WHERE (s.target, s.step) = (add.target, add.step)),
        add.statement, migrate.table_name(add.each))
$$;

CREATE FUNCTION migrate.in_brief(tables text[], statements text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT format(E'CALL migrate.briefly(%L, $brief$\n%s\n$brief$)', tables, statements)
$$;

CREATE FUNCTION migrate.tell(target regclass, step text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN NOT migrate.subscribed(target) AND EXISTS (SELECT FROM pg_publication_tables
            WHERE (schemaname, tablename) = ('migrate', 'done'))
        THEN format(E'\nINSERT INTO migrate.done (target, step) VALUES (%L, %L);',
            migrate.table_name(target), step) ELSE '' END
$$;

-- What to run on a subscriber: the columns to move, as it may lack foreign keys, and a call there.
CREATE PROCEDURE migrate.tell_subscribers(target regclass, key name, call text)
LANGUAGE plpgsql AS $$
DECLARE
    columns text := string_agg(format(E'INSERT INTO migrate.reference VALUES (%L, %L, %L, %L)\n'
            '    ON CONFLICT DO NOTHING;\n', m.tab, m.att, m.parent_tab, m.parent_att), '')
        FROM migrate.columns(target, key) AS m WHERE m.depth > 0;
BEGIN
    IF EXISTS (SELECT FROM migrate.found(target, key, 'text', true) AS f
            WHERE f.object ~ '^publication') THEN
        CALL migrate.add(target, 'subscriber', concat(columns, call));
    END IF;
END
$$;

-- The grantee of an ACL or of a policy.
CREATE FUNCTION migrate.grantee(oid) RETURNS text LANGUAGE sql STABLE
RETURN CASE $1 WHEN 0 THEN 'PUBLIC' ELSE $1::regrole::text END;

-- COMMENT ON, as it was.
CREATE FUNCTION migrate.comment_on(classid oid, objid oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format(E'\nCOMMENT ON %s %s IS %L;', CASE type WHEN 'table constraint' THEN 'CONSTRAINT'
            WHEN 'statistics object' THEN 'STATISTICS' ELSE upper(type) END, identity, description)
    FROM pg_identify_object(classid, objid, 0), pg_description AS d
    WHERE (d.classoid, d.objoid, d.objsubid) = (classid, objid, 0)
$$;

-- What is dropped before the names change places, and made again of the same text after it, in
-- the same state and with its comment.
CREATE FUNCTION migrate.made_again(target regclass, key name)
RETURNS TABLE (place int, dropped text, made text) LANGUAGE sql STABLE AS $$
    WITH d AS (
        SELECT DISTINCT d.* FROM migrate.columns(target, key) AS m,
            migrate.dependents(m.rel, m.num) AS d
    ), again AS (
        SELECT d.*, format('%I ON %s', tgname, t) AS what, t AS tab, tgname AS own_name,
            tgenabled AS enabled, pg_get_triggerdef(d.objid) || ';' AS made
        FROM d JOIN pg_trigger AS x ON x.oid = d.objid, migrate.table_name(tgrelid) AS t
        WHERE d.kind = 'trigger'
        UNION ALL
        SELECT d.*, format('%I ON %s', rulename, t), t, rulename, ev_enabled,
            pg_get_ruledef(d.objid)
        FROM d JOIN pg_rewrite AS x ON x.oid = d.objid, migrate.table_name(ev_class) AS t
        WHERE d.kind = 'rule'
        UNION ALL
        SELECT d.*, t, NULL, NULL, 'O', concat(pg_get_statisticsobjdef(d.objid),
            format(E';\nALTER STATISTICS %s OWNER TO %s;', t, stxowner::regrole),
            CASE WHEN stxstattarget >= 0 THEN format(E'\nALTER STATISTICS %s SET STATISTICS %s;', t,
                stxstattarget) END)
        FROM d JOIN pg_statistic_ext AS x ON x.oid = d.objid
            JOIN pg_namespace AS n ON n.oid = stxnamespace, format('%I.%I', nspname, stxname) AS t
        WHERE d.kind = 'statistics'
        UNION ALL
        SELECT d.*, format('%I ON %s', polname, t), NULL, NULL, 'O',
            format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s;', polname, t,
                CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
                CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE'
                    WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
                (SELECT string_agg(migrate.grantee(role), ', ') FROM unnest(polroles) AS role),
                ' USING (' || pg_get_expr(polqual, polrelid) || ')',
                ' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')')
        FROM d JOIN pg_policy AS x ON x.oid = d.objid, migrate.table_name(polrelid) AS t
        WHERE d.kind = 'policy'
    )
    SELECT 100, format('DROP %s %s;', upper(kind), what), concat(made,
        E'\nALTER TABLE ' || tab || CASE enabled WHEN 'D' THEN ' DISABLE '
            WHEN 'R' THEN ' ENABLE REPLICA ' WHEN 'A' THEN ' ENABLE ALWAYS ' END
            || upper(kind) || ' ' || quote_ident(own_name) || ';',
        migrate.comment_on(classid, objid))
    FROM again
    UNION ALL
    SELECT v.depth, format('DROP VIEW %s;', t), format('CREATE VIEW %s%s AS %s', t,
            ' WITH (' || array_to_string(c.reloptions, ', ') || ')', pg_get_viewdef(v.view))
        || format(E'\nALTER VIEW %s OWNER TO %s;', t, c.relowner::regrole)
        || CASE WHEN c.relacl IS NOT NULL THEN format(E'\nREVOKE ALL ON %s FROM %s;', t,
            c.relowner::regrole) ELSE '' END
        || coalesce((SELECT string_agg(format(E'\nGRANT %s ON %s TO %s%s;', privileges, t,
                migrate.grantee(grantee), CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END), '')
            FROM (SELECT grantee, is_grantable, string_agg(privilege_type, ', ') AS privileges
                FROM aclexplode(c.relacl) GROUP BY 1, 2) AS acl), '')
        || coalesce((SELECT string_agg(format(E'\nCOMMENT ON COLUMN %s.%I IS %L;', t, attname,
                description), '') FROM pg_description JOIN pg_attribute ON attrelid = objoid
                AND attnum = objsubid
            WHERE classoid = 'pg_class'::regclass AND objoid = v.view), '')
        || coalesce(migrate.comment_on('pg_class'::regclass, v.view), '')
    FROM migrate.views(target, key) AS v JOIN pg_class AS c ON c.oid = v.view,
        migrate.table_name(v.view) AS t
    ORDER BY 1, 2
$$;

-- What belongs to a column, or to an index on it, and does not go with its name.
CREATE FUNCTION migrate.belongings(target regclass, key name) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
    WITH m AS (
        SELECT m.tab, m.att, m.rel, m.num, a.* FROM migrate.columns(target, key) AS m
            JOIN pg_attribute AS a ON (a.attrelid, a.attnum) = (m.rel, m.num)
    ), d AS (
        SELECT DISTINCT m.tab, d.* FROM m, migrate.dependents(m.rel, m.num) AS d
    )
    SELECT format('GRANT %s (%I) ON %s TO %s%s;', privilege_type, att, tab,
        migrate.grantee(grantee), CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END)
    FROM m, aclexplode(attacl)
    UNION ALL
    SELECT format('COMMENT ON COLUMN %s.%I IS %L;', tab, att, description) FROM m
        JOIN pg_description ON (classoid, objoid, objsubid) = ('pg_class'::regclass, rel, num)
    UNION ALL
    SELECT format('ALTER TABLE %s ALTER %I SET STATISTICS %s;', tab, att, attstattarget) FROM m
    WHERE attstattarget >= 0
    UNION ALL
    SELECT format('ALTER TABLE %s ALTER %I SET (%s);', tab, att, o) FROM m, unnest(attoptions) AS o
    WHERE o LIKE 'n\_distinct%'      -- some servers keep their own notes there
    UNION ALL
    SELECT format('ALTER TABLE %s REPLICA IDENTITY USING INDEX %I;', tab, name) FROM d
        JOIN pg_index ON indexrelid = index WHERE indisreplident
    UNION ALL
    SELECT format('ALTER TABLE %s CLUSTER ON %I;', tab, name) FROM d
        JOIN pg_index ON indexrelid = index WHERE indisclustered
    UNION ALL
    SELECT ltrim(comment, E'\n') FROM d, LATERAL (
        SELECT migrate.comment_on(classid, objid)
        UNION SELECT migrate.comment_on('pg_class'::regclass, index)) AS t (comment)
    WHERE kind IN ('key', 'index', 'check') AND comment IS NOT NULL
$$;

-- The foreign keys of moved columns.  As a partitioned table cannot have one that is NOT VALID, its
-- partitions have it first, and "completed" gives it to the table, without a scan.
CREATE FUNCTION migrate.foreign_keys(target regclass, key name)
RETURNS TABLE (rel regclass, tab text, dropped text, made text, validated text, completed text)
LANGUAGE sql STABLE AS $$
    SELECT con.conrelid, m.tab,
        format('ALTER TABLE %s DROP CONSTRAINT %s%I;', m.tab, CASE WHEN relkind = 'p'
            THEN 'IF EXISTS ' END, conname)
        || CASE WHEN relkind = 'p' THEN format(E'\nSELECT migrate.each(%L, %L);', m.tab,
            format('ALTER TABLE {table} DROP CONSTRAINT IF EXISTS %I', conname)) ELSE '' END,
        CASE WHEN relkind = 'p' THEN format(E'SELECT migrate.each(%L,\n    %L);', m.tab,
            format('ALTER TABLE {table} ADD CONSTRAINT %I %s NOT VALID', conname, definition))
        ELSE format(E'ALTER TABLE %s ADD CONSTRAINT %I\n    %s NOT VALID;%s', m.tab, conname,
            definition, comment) END,
        CASE WHEN convalidated THEN format('ALTER TABLE {table} VALIDATE CONSTRAINT %I', conname)
            END,
        CASE WHEN relkind = 'p' THEN format(E'ALTER TABLE %s ADD CONSTRAINT %I\n    %s;%s', m.tab,
            conname, definition, comment) END
    FROM (SELECT DISTINCT m.tab, m.rel, con.oid FROM migrate.columns(target, key) AS m
            JOIN pg_constraint AS con ON contype = 'f' AND conrelid = m.rel AND m.num = ANY (conkey)
            WHERE con.conparentid = 0) AS m
        JOIN pg_constraint AS con USING (oid) JOIN pg_class AS c ON c.oid = m.rel,
        regexp_replace(pg_get_constraintdef(con.oid), ' NOT VALID$', '') AS definition,
        LATERAL (SELECT migrate.comment_on('pg_constraint'::regclass, con.oid)) AS t (comment)
$$;

-- What follows the transaction that made the foreign keys.
CREATE PROCEDURE migrate.complete_foreign_keys(target regclass, key name, step text)
LANGUAGE plpgsql AS $$
DECLARE
    f record;
BEGIN
    FOR f IN SELECT * FROM migrate.foreign_keys(target, key) ORDER BY made LOOP
        IF f.validated IS NOT NULL THEN
            CALL migrate.add(target, step, f.validated, f.rel);
        END IF;
        IF f.completed IS NOT NULL THEN
            CALL migrate.add(target, step, migrate.in_brief(ARRAY[f.tab], format(
                E'SET LOCAL search_path = %s;\n%s', current_setting('search_path'), f.completed)));
        END IF;
    END LOOP;
END
$$;

-- The function and triggers that give each row the other column of a moved column, which follows
-- it.  The triggers on rows sort behind all others, so that they see what those changed, and fire
-- in every session_replication_role.  A row that is there before its parent is completed when the
-- transaction commits.  IS DISTINCT FROM in a WHEN would not survive a dump and restore, because
-- the server writes no schema of its operator.
CREATE FUNCTION migrate.trigger_name(m migrate.moved, prefix text, n int) RETURNS text
LANGUAGE sql IMMUTABLE RETURN format('~%s%s %s', prefix, m.att, n);

CREATE FUNCTION migrate.function_name(m migrate.moved, prefix text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN (SELECT format('migrate.%I', CASE WHEN octet_length(name) > 63 THEN left(name, 15)
    || md5(name) ELSE name END) FROM format('%s%s of %s', prefix, m.att, m.tab) AS name);

CREATE FUNCTION migrate.following(m migrate.moved, prefix text, type text, path text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT format($text$CREATE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = %2$s SET row_security = off AS $f$
DECLARE
    carried %3$s := (SELECT p.%4$I FROM %5$s AS p WHERE p.%6$I = NEW.%7$I);
BEGIN
    IF TG_WHEN = 'BEFORE' THEN
        NEW.%8$I := %9$s;
        RETURN NEW;
    END IF;
    UPDATE %10$s SET %8$I = carried WHERE ctid = NEW.ctid AND tableoid = TG_RELID AND %8$I IS NULL;
    IF FOUND AND carried IS NULL THEN
        RAISE foreign_key_violation USING
            MESSAGE = format('%%s = %%s leads to no row that has a %%s', %11$L, NEW.%7$I, %4$L),
            HINT = 'In REPEATABLE READ, repeat the transaction.';
    END IF;
    RETURN NULL;
END
$f$;
CREATE TRIGGER %12$I BEFORE INSERT ON %10$s FOR EACH ROW EXECUTE FUNCTION %1$s();
CREATE TRIGGER %13$I BEFORE UPDATE ON %10$s FOR EACH ROW
WHEN ((NEW.%7$I = OLD.%7$I) IS NOT TRUE OR NEW.%7$I IS NOT NULL AND NEW.%8$I IS NULL)
EXECUTE FUNCTION %1$s();
CREATE CONSTRAINT TRIGGER %14$I AFTER INSERT OR UPDATE ON %10$s DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (NEW.%7$I IS NOT NULL AND NEW.%8$I IS NULL) EXECUTE FUNCTION %1$s();
ALTER TABLE %10$s ENABLE ALWAYS TRIGGER %12$I, ENABLE ALWAYS TRIGGER %13$I,
    ENABLE ALWAYS TRIGGER %14$I;$text$,
        migrate.function_name(m, prefix), path, type, prefix || m.parent_att, m.parent_tab,
        m.parent_att, m.att, prefix || m.att,
        CASE WHEN m.parent = m.rel THEN format('CASE WHEN NEW.%I = NEW.%I THEN NEW.%I '
            'ELSE carried END', m.att, m.parent_att, prefix || m.parent_att) ELSE 'carried' END,
        m.tab, format('%s.%I', m.tab, m.att), migrate.trigger_name(m, prefix, 1),
        migrate.trigger_name(m, prefix, 2), migrate.trigger_name(m, prefix, 3))
$$;

CREATE FUNCTION migrate.not_following(m migrate.moved, prefix text, if_exists text DEFAULT '')
RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(format('DROP TRIGGER %s%I ON %s;', if_exists, migrate.trigger_name(m, prefix,
            n), m.tab), E'\n' ORDER BY n)
        || format(E'\nDROP FUNCTION %s%s();', if_exists, migrate.function_name(m, prefix))
    FROM generate_series(1, 3) AS n
$$;

CREATE FUNCTION migrate.check_name(m migrate.moved) RETURNS text LANGUAGE sql IMMUTABLE
RETURN m.att || '_is_carried_over';

-- An object that was made since the steps were written would be lost without a word.
CREATE FUNCTION migrate.guard(target regclass, tab regclass, att name) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    stranger text;
BEGIN
    SELECT pg_describe_object(d.classid, d.objid, 0) INTO stranger
    FROM (SELECT tab::oid UNION SELECT relid FROM pg_partition_tree(tab)) AS t (rel)
        JOIN pg_attribute AS a ON a.attrelid = t.rel AND a.attname = att,
        migrate.dependents(a.attrelid, a.attnum) AS d
    WHERE true
        AND d.kind NOT IN ('default', 'sequence', 'not null')
        AND coalesce(d.name !~ '^~|_is_carried_over$' AND NOT EXISTS (SELECT FROM migrate.known AS k
            WHERE k.target = guard.target
                AND k.name IN (d.name, regexp_replace(d.name, '^(new|old)_', ''))), true);
    IF FOUND THEN
        RAISE EXCEPTION '% depends on %.%, and was made after migrate.prepare()', stranger, tab, att
            USING HINT = 'Drop it, and make it anew after the swap.';
    END IF;
END
$$;

CREATE FUNCTION migrate.rely_on(target regclass, rel regclass, att name) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM migrate.proved AS p WHERE (p.target, p.rel, p.att) = ($1, $2, $3);
    IF NOT FOUND THEN
        RAISE EXCEPTION '%.% was not proved to be complete', rel, att
            USING HINT = 'Run the step before this one, or the first statement of this step.';
    END IF;
END
$$;

-- psql goes on after an error, unless ON_ERROR_STOP is set: so the swap looks whether all is there.
CREATE FUNCTION migrate.ready(target regclass, tab regclass, att name, incoming text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    missing text;
BEGIN
    SELECT string_agg(what, ', ' ORDER BY what) INTO missing
    FROM pg_attribute AS a JOIN pg_attribute AS b ON b.attrelid = tab
            AND b.attname = incoming || att, LATERAL (
        SELECT format('NOT NULL of column %I', b.attname) WHERE a.attnotnull AND NOT b.attnotnull
        UNION
        SELECT format('valid %s %I on %I', CASE d.kind WHEN 'check' THEN 'check' ELSE 'index' END,
            incoming || d.name, b.attname)
        FROM migrate.dependents(tab, a.attnum) AS d JOIN migrate.known AS k
                ON (k.target, k.name) = (ready.target, d.name)
            LEFT JOIN pg_constraint AS old ON old.oid = d.objid AND d.kind = 'check'
        WHERE d.kind IN ('key', 'index', 'check') AND NOT EXISTS (
            SELECT FROM migrate.dependents(tab, b.attnum) AS n
                LEFT JOIN pg_index AS i ON i.indexrelid = n.objid AND n.kind = 'index'
                LEFT JOIN pg_constraint AS c ON c.oid = n.objid AND n.kind = 'check'
            WHERE n.name = incoming || d.name
                AND (i.indisvalid OR c.convalidated >= old.convalidated))) AS lacks (what)
    WHERE a.attrelid = tab AND a.attname = att;
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION '% lacks what the swap needs: %', tab, missing
            USING HINT = 'A step before this one did not run to its end. Run it again, or make '
                'by hand what is missing.';
    END IF;
END
$$;

-- The outgoing columns take the one prefix, and the incoming ones lose the other.
CREATE FUNCTION migrate.swap(target regclass, key name, incoming text, outgoing text,
    type text, path text) RETURNS text LANGUAGE sql STABLE AS $$
    WITH m AS (
        SELECT m AS moved, m.* FROM migrate.columns(target, key) AS m
    ), d AS (
        SELECT DISTINCT m.tab, d.*, con.contype,
            CASE WHEN condeferrable THEN ' DEFERRABLE' || CASE WHEN condeferred
                THEN ' INITIALLY DEFERRED' ELSE '' END ELSE '' END AS delay
        FROM m CROSS JOIN migrate.dependents(m.rel, m.num) AS d
            LEFT JOIN pg_constraint AS con ON d.classid = 'pg_constraint'::regclass
                AND con.oid = d.objid
        WHERE d.kind IN ('key', 'index', 'check')
    ), line (place, sub, text) AS (
        SELECT 1, 0, format('SET LOCAL search_path = %s;', path)
        UNION ALL SELECT 2, 0, format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE;',
            string_agg(DISTINCT tab, ', ')) FROM m
        UNION ALL SELECT 3, depth, format('SELECT migrate.guard(%1$L, %2$L, %3$L), '
            'migrate.ready(%1$L, %2$L, %3$L, %4$L)%5$s;', migrate.table_name(target), tab, att,
            incoming, CASE WHEN depth > 0 THEN format(', migrate.rely_on(%L, %L, %L)',
                migrate.table_name(target), tab, incoming || att) END) FROM m
        UNION ALL SELECT 4, depth, migrate.not_following(moved, incoming) FROM m WHERE depth > 0
            AND NOT migrate.subscribed(rel)
        UNION ALL SELECT 5, -place, dropped FROM migrate.made_again(target, key)
            WHERE dropped IS NOT NULL
        UNION ALL SELECT 6, 0, dropped FROM migrate.foreign_keys(target, key)
        UNION ALL SELECT 7, 0, format('ALTER TABLE %s DROP CONSTRAINT %I;', tab, name) FROM d
            WHERE kind = 'key'
        UNION ALL SELECT 8, 0, format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I;', tab, name,
            outgoing || name) FROM d WHERE kind = 'check'
        UNION ALL SELECT 9, 0, format('ALTER TABLE %s DROP CONSTRAINT %I;', tab,
            migrate.check_name(moved)) FROM m WHERE depth > 0 AND NOT required
        UNION ALL SELECT 10, depth, format(E'ALTER TABLE %1$s RENAME %2$I TO %3$I;\n'
            'ALTER TABLE %1$s RENAME %4$I TO %2$I;', tab, att, outgoing || att, incoming || att)
            FROM m
        UNION ALL SELECT 11, 0, format('ALTER TABLE %s ALTER %I DROP NOT NULL;', tab,
            outgoing || att) FROM m WHERE depth > 0 AND required
        UNION ALL SELECT 12, 0, format('ALTER TABLE %s ADD CONSTRAINT %I %s USING INDEX %I%s;', tab,
            name, CASE contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END, incoming || name,
            delay) FROM d WHERE kind = 'key'
        UNION ALL SELECT 13, 0, format('SELECT migrate.swap_index(%L, %L, %L);',
            format('%I.%I', nspname, name), incoming, outgoing) FROM d
            JOIN pg_class AS c ON c.oid = objid
            JOIN pg_namespace AS n ON n.oid = relnamespace WHERE kind = 'index'
        UNION ALL SELECT 13, 0, format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I;', tab,
            incoming || name, name) FROM d WHERE kind = 'check'
        UNION ALL SELECT 14, 0, made FROM migrate.foreign_keys(target, key)
        UNION ALL SELECT 15, depth, migrate.following(moved, outgoing, type, path) FROM m
            WHERE depth > 0 AND NOT migrate.subscribed(rel)
        UNION ALL SELECT 16, place, made FROM migrate.made_again(target, key)
        UNION ALL SELECT 17, 0, b FROM migrate.belongings(target, key) AS b
    )
    SELECT string_agg(text, E'\n' ORDER BY place, sub, text) FROM line
$$;

CREATE PROCEDURE migrate.index(target regclass, step text, schema name, name name, tab text,
    like_ oid, tail text) LANGUAGE plpgsql AS $$
DECLARE
    whole   text := format('%I.%I', schema, name);
    "unique" text := CASE WHEN indisunique THEN 'UNIQUE ' ELSE '' END FROM pg_index
        WHERE indexrelid = like_;
BEGIN       -- what a build that failed left behind goes first
    IF (SELECT relkind FROM pg_class WHERE oid = like_) = 'i' THEN
        CALL migrate.add(target, step, format('DROP INDEX CONCURRENTLY IF EXISTS %s', whole));
        CALL migrate.add(target, step, format('CREATE %sINDEX CONCURRENTLY %I ON %s%s', "unique",
            name, tab, tail));
    ELSE
        CALL migrate.add(target, step, migrate.in_brief(ARRAY[tab],
            format('DROP INDEX IF EXISTS %s;', whole)));
        CALL migrate.add(target, step, 'DROP INDEX CONCURRENTLY IF EXISTS {schema}.{new name}',
            like_);
        CALL migrate.add(target, step, format(
            'CREATE %sINDEX CONCURRENTLY {new name} ON {table}%s', "unique", tail), like_);
        CALL migrate.add(target, step, migrate.in_brief(ARRAY[tab], format(
            'CREATE %sINDEX %I ON %s%s;', "unique", name, tab, tail)));
    END IF;
END
$$;

-- SET NOT NULL scans nothing while a valid CHECK proves that there is no NULL.
CREATE PROCEDURE migrate.prove(target regclass, step text, m migrate.moved, prefix text)
LANGUAGE plpgsql AS $$
DECLARE
    target_ text := migrate.table_name(target);
    follow  text := prefix || m.att;
    checked text := format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I;', m.tab,
        migrate.check_name(m));
BEGIN
    CALL migrate.add(target, step, migrate.in_brief(ARRAY[m.tab], format(
        E'%s\nALTER TABLE %s ADD CONSTRAINT %I\n    CHECK (%s) NOT VALID;', checked, m.tab,
        migrate.check_name(m), CASE WHEN m.required THEN format('%I IS NOT NULL', follow)
            ELSE format('(%I IS NULL) = (%I IS NULL)', m.att, follow) END)));
    CALL migrate.add(target, step, format('ALTER TABLE %s VALIDATE CONSTRAINT %I', m.tab,
        migrate.check_name(m)));
    IF m.required THEN
        CALL migrate.add(target, step, migrate.in_brief(ARRAY[m.tab], format(
            E'ALTER TABLE %s ALTER %I SET NOT NULL;\n%s', m.tab, follow, checked)));
    END IF;
    IF m.depth > 0 THEN
        CALL migrate.add(target, step, format(
            E'CALL migrate.compare(%L, %L, %L, %L,\n    %L, %L, %L)', target_, m.tab, m.att,
            follow, m.parent_tab, m.parent_att, prefix || m.parent_att));
    END IF;
END
$$;

-- The application changes with the tables: see doc/migrate-application.md.
CREATE PROCEDURE migrate.also(target regclass, step text, statements text) LANGUAGE plpgsql AS $$
BEGIN
    UPDATE migrate.statement AS s
    SET statement = regexp_replace(s.statement, '\$brief\$\)$', '') || statements || E'\n$brief$)'
    WHERE s.target = $1 AND s.step = $2 AND s.n = (SELECT min(o.n) FROM migrate.statement AS o
        WHERE o.target = $1 AND o.step = $2 AND o.statement LIKE 'CALL migrate.briefly(%');
    IF NOT FOUND THEN
        RAISE EXCEPTION 'step "%" of % has no transaction to add to', step, target;
    END IF;
END
$$;
COMMENT ON PROCEDURE migrate.also IS
    'adds statements to the transaction of a step, their names with schemas';

CREATE PROCEDURE migrate.forget(target regclass) LANGUAGE sql AS $$
    DELETE FROM migrate.statement AS s WHERE s.target = forget.target;
    DELETE FROM migrate.known AS k WHERE k.target = forget.target;
    DELETE FROM migrate.proved AS p WHERE p.target = forget.target;
$$;
COMMENT ON PROCEDURE migrate.forget IS 'deletes the steps, and nothing that they made';

-- What the publisher and its subscribers do alike: indexes, proofs, and the swap there and back.
CREATE PROCEDURE migrate.prepare_swap(target regclass, key name, new_type regtype, path text)
LANGUAGE plpgsql AS $$
DECLARE
    tables   text[] := ARRAY(SELECT DISTINCT m.tab FROM migrate.columns(target, key) AS m);
    target_  text := migrate.table_name(target);
    old_type text := migrate.type_of(target, key);
    word     text;
    m        migrate.moved;
    d        record;
BEGIN
    INSERT INTO migrate.known SELECT DISTINCT prepare_swap.target, names.name
        FROM migrate.columns(target, key) AS c, migrate.dependents(c.rel, c.num) AS names
        WHERE names.name IS NOT NULL;

    FOR d IN SELECT f.*, nspname, spcname, con.contype, migrate.table_name(f.rel) AS tab
        FROM migrate.definitions(target, key, new_type) AS f
            JOIN pg_class AS c ON c.oid = f.index JOIN pg_namespace AS n ON n.oid = c.relnamespace
            LEFT JOIN pg_tablespace AS t ON t.oid = c.reltablespace
            LEFT JOIN pg_constraint AS con ON con.oid = f.objid AND f.kind = 'key'
        ORDER BY f.rel, f.name
    LOOP
        IF d.spcname IS NOT NULL THEN
            CALL migrate.add(target, 'indexes', format('SET default_tablespace = %I', d.spcname));
        END IF;
        -- those of keys once more for the way back, which uses them up
        FOREACH word IN ARRAY
            CASE WHEN d.kind = 'key' THEN ARRAY['indexes', 'again'] ELSE ARRAY['indexes'] END
        LOOP
            CALL migrate.index(target, word, d.nspname, 'new_' || d.name, d.tab, d.index,
                d.definition);
            IF d.kind = 'key' THEN
                CALL migrate.index(target, word, d.nspname, 'old_' || d.name, d.tab, d.index,
                    migrate.index_tail(d.index));
            END IF;
        END LOOP;
        IF d.spcname IS NOT NULL THEN
            CALL migrate.add(target, 'indexes', 'RESET default_tablespace');
        END IF;
    END LOOP;
    FOREACH word IN ARRAY tables LOOP
        CALL migrate.add(target, 'indexes', 'ANALYZE ' || word);
    END LOOP;

    FOR m IN SELECT * FROM migrate.columns(target, key) LOOP
        CALL migrate.prove(target, CASE WHEN m.depth = 0 AND NOT migrate.subscribed(m.rel)
            THEN 'fill' ELSE 'prove' END, m, 'new_');
        IF m.depth > 0 THEN
            CALL migrate.prove(target, 'prove back', m, 'old_');
        END IF;
    END LOOP;
    FOR d IN SELECT f.*, con.convalidated, migrate.table_name(f.rel) AS tab
        FROM migrate.definitions(target, key, new_type) AS f JOIN pg_constraint AS con
            ON con.oid = f.objid WHERE f.kind = 'check'
    LOOP
        CALL migrate.add(target, 'prove', migrate.in_brief(ARRAY[d.tab], format(
            E'ALTER TABLE %1$s DROP CONSTRAINT IF EXISTS %2$I;\n'
            'ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s NOT VALID;', d.tab, 'new_' || d.name,
            regexp_replace(d.definition, ' NOT VALID$', ''))));
        IF d.convalidated THEN
            CALL migrate.add(target, 'prove', format('ALTER TABLE %s VALIDATE CONSTRAINT %I', d.tab,
                'new_' || d.name));
        END IF;
    END LOOP;

    CALL migrate.add(target, 'swap', migrate.in_brief(tables,
        migrate.swap(target, key, 'new_', 'old_', old_type, path)
            || migrate.tell(target, 'swap')));
    CALL migrate.add(target, 'back', migrate.in_brief(tables,
        migrate.swap(target, key, 'old_', 'new_', new_type::text, path)
            || migrate.tell(target, 'back')));
    CALL migrate.complete_foreign_keys(target, key, 'swap');
    CALL migrate.complete_foreign_keys(target, key, 'back');
    FOR word IN
        SELECT DISTINCT 'ANALYZE ' || c.tab FROM migrate.columns(target, key) AS c,
            migrate.dependents(c.rel, c.num) AS names WHERE names.kind = 'statistics'
    LOOP
        CALL migrate.add(target, 'swap', word);
        CALL migrate.add(target, 'back', word);
    END LOOP;

    SELECT string_agg(line, E'\n') INTO word FROM (
        SELECT concat_ws(E'\n', format('SELECT migrate.guard(%L, %L, %L);',
                migrate.table_name(target), c.tab, 'old_' || c.att),
            CASE WHEN c.depth > 0 AND NOT migrate.subscribed(c.rel)
                THEN migrate.not_following(c, 'old_') END,
            format('ALTER TABLE %s DROP COLUMN %I;', c.tab, 'old_' || c.att)) AS line
        FROM migrate.columns(target, key) AS c ORDER BY c.depth DESC) AS lines;
    CALL migrate.add(target, 'finish', migrate.in_brief(tables, concat(
        CASE WHEN NOT migrate.subscribed(target) THEN format(E'SELECT migrate.rely_on(%L, %L, %L);'
            '\n', target_, migrate.key_table(target), 'id') END,
        word, migrate.tell(target, 'finish'), format(E'\nCALL migrate.forget(%L);', target_))));

    SELECT string_agg(line, E'\n') INTO word FROM (
        SELECT concat_ws(E'\n',
            CASE WHEN c.depth > 0 AND NOT migrate.subscribed(c.rel)
                THEN migrate.not_following(c, 'new_', 'IF EXISTS ') END,
            format('ALTER TABLE %s DROP COLUMN %s%I;', c.tab, CASE WHEN c.depth > 0
                THEN 'IF EXISTS ' END, 'new_' || c.att)) AS line
        FROM migrate.columns(target, key) AS c
        UNION ALL
        SELECT format('DROP INDEX IF EXISTS %I.%I;', nspname, 'old_' || f.name)
        FROM migrate.definitions(target, key, new_type) AS f JOIN pg_class AS c ON c.oid = f.index
            JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE f.kind = 'key'
        UNION ALL
        SELECT format('DROP TABLE IF EXISTS %s;', migrate.key_table(target))) AS lines;
    CALL migrate.add(target, 'cancel', migrate.in_brief(tables, word
        || migrate.tell(target, 'cancel') || format(E'\nCALL migrate.forget(%L);', target_)));
END
$$;

CREATE PROCEDURE migrate.prepare(target regclass, key name, new_type regtype, generator text,
    keys text, pieces text[] DEFAULT NULL)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    path      text := migrate.path(target, key, new_type);
    tables    text[] := ARRAY(SELECT DISTINCT m.tab FROM migrate.columns(target, key) AS m);
    key_table text := migrate.key_table(target);
    target_   text := migrate.table_name(target);
    old_type  text := migrate.type_of(target, key);
    word      text;
    m         migrate.moved;
BEGIN
    PERFORM migrate.refuse(target, key, new_type, false);
    SELECT attname INTO word FROM pg_attribute
        WHERE attrelid = target AND atttypid = 'timestamp'::regtype
            AND keys ~* (migrate.word(attname) || '(?!\s+at\s+time\s+zone)');
    IF word IS NOT NULL THEN
        RAISE EXCEPTION 'column % has no time zone, and the query for the keys names none', word
            USING HINT = format('Write "%s AT TIME ZONE ''UTC''", or the zone it is in.', word);
    END IF;
    IF cardinality(pieces) < 2 OR (pieces IS NULL) = (keys LIKE '%$1%' AND keys LIKE '%$2%') THEN
        RAISE EXCEPTION 'pieces need two bounds, and a query for the keys between $1 and $2';
    END IF;
    CALL migrate.forget(target);
    PERFORM set_config('search_path', path, true);

    CALL migrate.add(target, 'column', migrate.in_brief(ARRAY[target_], format(
        E'ALTER TABLE %1$s ADD COLUMN %2$I %3$s;\nALTER TABLE %1$s ALTER %2$I SET DEFAULT %4$s;',
        target_, 'new_' || key, new_type, generator)));

    IF pieces IS NULL THEN
        CALL migrate.add(target, 'keys', format('CREATE TABLE %s (id, new_id) AS %s', key_table,
            keys));
    ELSE
        CALL migrate.add(target, 'keys', format(E'CREATE TABLE %s (id, new_id) AS\n'
            'SELECT %I, NULL::%s FROM %s WITH NO DATA', key_table, key, new_type, target_));
        FOR i IN 2 .. cardinality(pieces) LOOP
            CALL migrate.add(target, 'keys', format('INSERT INTO %s %s', key_table, replace(replace(
                keys, '$1', quote_literal(pieces[i - 1])), '$2', quote_literal(pieces[i]))));
        END LOOP;
    END IF;
    CALL migrate.add(target, 'keys', format('ALTER TABLE %s ADD PRIMARY KEY (id)', key_table));
    CALL migrate.add(target, 'keys', format('ALTER TABLE %s ADD UNIQUE (new_id)', key_table));

    CALL migrate.add(target, 'fill', format('CALL migrate.fill_in_batches(%L, %L, %L)', target_,
        'new_' || key, format('(SELECT k.new_id FROM %s AS k WHERE k.id = t.%I)', key_table,
            key)));

    FOR m IN SELECT * FROM migrate.columns(target, key) AS c WHERE c.depth > 0 LOOP
        CALL migrate.add(target, 'references', migrate.in_brief(ARRAY[m.tab], format(
            E'ALTER TABLE %s ADD COLUMN %I %s;\n', m.tab, 'new_' || m.att, new_type)
            || migrate.following(m, 'new_', new_type::text, path)));
        CALL migrate.add(target, 'references', format(
            E'CALL migrate.fill_in_batches(''{table}'', %L,\n    %L, %L)',
            'new_' || m.att, format('(SELECT p.%I FROM %s AS p WHERE p.%I = t.%I)',
                'new_' || m.parent_att, m.parent_tab, m.parent_att, m.att),
            format('%I IS NOT NULL', m.att)), m.rel);
    END LOOP;

    -- a row whose old key has changed keeps the last one
    CALL migrate.add(target, 'finish', format(E'INSERT INTO %1$s SELECT t.%2$I, t.%3$I '
        'FROM %4$s AS t WHERE NOT EXISTS (SELECT FROM %1$s AS k WHERE k.id = t.%2$I)\n'
        'ON CONFLICT (new_id) DO UPDATE SET id = excluded.id;\n'
        'INSERT INTO migrate.proved VALUES (%4$L, %1$L, %5$L) ON CONFLICT DO NOTHING', key_table,
        'old_' || key, key, target_, 'id'));
    CALL migrate.prepare_swap(target, key, new_type, path);
    SELECT format('CREATE TABLE %s (id %s, new_id %s);', key_table, old_type, new_type) INTO word
        FROM pg_publication WHERE puballtables;
    CALL migrate.tell_subscribers(target, key, concat_ws(E'\n',
        format('CALL migrate.prepare_subscriber(%L, %L, %L);', target_, key, new_type), word,
        format(E'SELECT migrate.step(%L, ''column'') \\gexec', target_)));
END
$$;
COMMENT ON PROCEDURE migrate.prepare IS
    'writes the steps: the table, its key, the new type, the new default, the query for the keys';

CREATE PROCEDURE migrate.prepare_subscriber(target regclass, key name, new_type regtype)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    path text := migrate.path(target, key, new_type);
    m    migrate.moved;
BEGIN
    IF NOT migrate.subscribed(target) THEN
        RAISE EXCEPTION 'no subscription writes to %', target;
    END IF;
    PERFORM migrate.refuse(target, key, new_type, false);
    CALL migrate.forget(target);
    PERFORM set_config('search_path', path, true);
    FOR m IN SELECT * FROM migrate.columns(target, key) LOOP
        CALL migrate.add(target, 'column', migrate.in_brief(ARRAY[m.tab], format(
            'ALTER TABLE %s ADD COLUMN %I %s;', m.tab, 'new_' || m.att, new_type)));
    END LOOP;
    CALL migrate.prepare_swap(target, key, new_type, path);
END
$$;
COMMENT ON PROCEDURE migrate.prepare_subscriber IS
    'writes the steps of a subscriber, of which a trigger runs those that the publisher has run';

-- The other way: one transaction, under the strongest lock.  "conversion" has %s for the column.
CREATE PROCEDURE migrate.prepare_in_place(target regclass, key name, new_type regtype,
    generator text, conversion text) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    tables text[] := ARRAY(SELECT DISTINCT m.tab FROM migrate.columns(target, key) AS m);
    word   text;
BEGIN
    PERFORM migrate.refuse(target, key, new_type, true);
    CALL migrate.forget(target);
    PERFORM set_config('search_path', migrate.path(target, key, new_type), true);
    WITH m AS (
        SELECT m.*, a.attidentity, a.atthasdef FROM migrate.columns(target, key) AS m
            JOIN pg_attribute AS a ON (a.attrelid, a.attnum) = (m.rel, m.num)
    ), line (place, sub, text) AS (
        SELECT 1, 0, format('SET LOCAL search_path = %s;', current_setting('search_path'))
        UNION ALL SELECT 2, 0, format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE;',
            array_to_string(tables, ', '))
        UNION ALL SELECT 3, -place, dropped FROM migrate.made_again(target, key)
            WHERE dropped IS NOT NULL
        UNION ALL SELECT 4, 0, dropped FROM migrate.foreign_keys(target, key)
        UNION ALL SELECT 5, 0, format('ALTER TABLE %s ALTER %I DROP %s;', tab, att,
            CASE WHEN attidentity <> '' THEN 'IDENTITY' ELSE 'DEFAULT' END) FROM m
            WHERE depth = 0 AND (atthasdef OR attidentity <> '')
        UNION ALL SELECT 6, 0, format('ALTER TABLE %s %s;', tab, string_agg(format(
            'ALTER %I TYPE %s USING %s', att, new_type, format(conversion, quote_ident(att))), ', '
            ORDER BY num)) FROM m GROUP BY tab
        UNION ALL SELECT 7, 0, format('ALTER TABLE %s ALTER %I SET DEFAULT %s;', tab, att,
            generator) FROM m WHERE depth = 0 AND generator IS NOT NULL
        UNION ALL SELECT 8, 0, made FROM migrate.foreign_keys(target, key)
        UNION ALL SELECT 9, place, made FROM migrate.made_again(target, key)
    )
    SELECT string_agg(text, E'\n' ORDER BY place, sub, text) INTO word FROM line;
    CALL migrate.add(target, 'in place', migrate.in_brief(tables,
        word || migrate.tell(target, 'in place')));
    CALL migrate.complete_foreign_keys(target, key, 'in place');
    FOREACH word IN ARRAY tables LOOP
        CALL migrate.add(target, 'in place', 'ANALYZE ' || word);
    END LOOP;
    CALL migrate.add(target, 'in place', format('CALL migrate.forget(%L)',
        migrate.table_name(target)));
    CALL migrate.tell_subscribers(target, key, format('CALL migrate.prepare_in_place(%L, %L, %L, '
        '%L, %L);', migrate.table_name(target), key, new_type, generator, conversion));
END
$$;
COMMENT ON PROCEDURE migrate.prepare_in_place IS
    'writes the step "in place": target table, its key, the new type and default, the conversion';
