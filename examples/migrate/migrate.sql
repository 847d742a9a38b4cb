-- Gives a key, and all columns that refer to it, another type: while clients go on writing, or in
-- place.  doc/migrate-bigserial.md explains the steps; this file writes their SQL and runs it.
--
--     psql -f examples/migrate/migrate.sql                     installs the schema "migrate"
--     SELECT * FROM migrate.findings('post', 'id', 'uid11');   what to settle first
--     CALL migrate.prepare('post', 'id', 'uid11', ...);        describes the move
--     CALL migrate.rehearse('post');                           runs it on empty tables, rolled back
--     SELECT * FROM migrate.plan('post', 'column');            what a step would run now
--     SELECT migrate.step('post', 'column') \gexec             runs what is left of a step
--     TABLE migrate.status;                                    how far each move is
--
-- Nothing is written ahead: plan() reads the catalogs, and step() hands psql one statement for each
-- unit of the plan, with the hash of its text.  A unit runs only if the plan still has that text.
--
-- The companion of a moved column c is called new_c before the swap, and old_c after it.  Indexes
-- and constraints on companions have the same prefixes.  The swap, there or back, gives one prefix
-- to the outgoing ones, and removes the other one from the incoming ones.
--
-- Load the file again for another version of it: the functions are replaced, and a move under way
-- goes on, because its state is in the catalogs.  DROP SCHEMA migrate CASCADE removes it all.

CREATE SCHEMA IF NOT EXISTS migrate;

CREATE OR REPLACE FUNCTION migrate.version() RETURNS text LANGUAGE sql IMMUTABLE RETURN '1.0.0';
COMMENT ON FUNCTION migrate.version IS 'the version of these functions';

CREATE TABLE IF NOT EXISTS migrate.move (
    target     regclass PRIMARY KEY,
    n          bigint GENERATED ALWAYS AS IDENTITY,
    key        name NOT NULL,
    new_type   regtype NOT NULL,
    generator  text,
    ids        text,
    keys       text,
    pieces     text[],
    conversion text,
    path       text NOT NULL,
    version    text NOT NULL DEFAULT migrate.version()
);
COMMENT ON TABLE migrate.move IS 'the moves under way, as migrate.prepare() was told of them';
COMMENT ON COLUMN migrate.move.ids IS 'the new id as an expression over the row';
COMMENT ON COLUMN migrate.move.keys IS 'the query for old and new ids, if the row alone gives none';
COMMENT ON COLUMN migrate.move.path IS 'the search_path in which the texts of the user are read';

CREATE TABLE IF NOT EXISTS migrate.reference (rel regclass, att name, parent regclass,
    parent_att name, dangling text NOT NULL DEFAULT 'stop' CHECK (dangling IN ('stop', 'null')),
    PRIMARY KEY (rel, att));
COMMENT ON TABLE migrate.reference IS
    'columns that refer to others without a foreign key, to be moved with them';
COMMENT ON COLUMN migrate.reference.dangling IS
    'what to do with a value that refers to no row: "stop", or "null" and keep the old column';

CREATE TABLE IF NOT EXISTS migrate.also (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    target regclass, step text, statements text);
COMMENT ON TABLE migrate.also IS 'statements that the user added to the transaction of a step';

CREATE TABLE IF NOT EXISTS migrate.rest (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    target regclass, step text, kind text, tables text[], statements text[]);
COMMENT ON TABLE migrate.rest IS 'what a swap left to do, such as to validate its foreign keys';

CREATE TABLE IF NOT EXISTS migrate.proved (target regclass, rel regclass, att name,
    PRIMARY KEY (target, rel, att));
COMMENT ON TABLE migrate.proved IS
    'companions whose rows were compared with the column, until a swap uses that up';

CREATE TABLE IF NOT EXISTS migrate.log (
    n         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    move      bigint,
    target    text NOT NULL,
    step      text NOT NULL,
    statement text NOT NULL,
    began     timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended     timestamptz,
    pid       int NOT NULL DEFAULT pg_backend_pid(),
    rel       text,
    page      bigint,
    rows      bigint,
    error     text
);
COMMENT ON TABLE migrate.log IS
    'what ran, when, with the rows that it filled up to a page, or the error that ended it';

CREATE TABLE IF NOT EXISTS migrate.pace (
    pages    int NOT NULL DEFAULT 20 CHECK (pages > 0),
    pause    interval NOT NULL DEFAULT '0',
    most_lag bigint,
    one      boolean PRIMARY KEY DEFAULT true CHECK (one)
);
INSERT INTO migrate.pace DEFAULT VALUES ON CONFLICT DO NOTHING;
COMMENT ON TABLE migrate.pace IS
    'one row, read before each batch: its pages, the pause, and the bytes that standbys may lag';

-- Names

CREATE OR REPLACE FUNCTION migrate.table_name(oid) RETURNS text LANGUAGE sql STABLE STRICT
RETURN (SELECT format('%I.%I', nspname, relname) FROM pg_class AS c
    JOIN pg_namespace AS n ON n.oid = relnamespace WHERE c.oid = $1);

CREATE OR REPLACE FUNCTION migrate.name(prefix text, name text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN prefix || CASE WHEN octet_length(prefix || $2) < 64 THEN $2 ELSE md5($2) END;
COMMENT ON FUNCTION migrate.name IS 'a name with a prefix, hashed if it would be too long';

CREATE OR REPLACE FUNCTION migrate.check_name(att name) RETURNS text LANGUAGE sql IMMUTABLE
RETURN migrate.name('', att || '_is_carried_over');

CREATE OR REPLACE FUNCTION migrate.keys_table(target regclass) RETURNS text LANGUAGE sql STABLE
RETURN format('migrate.%I', migrate.name('keys of ', migrate.table_name(target)));

CREATE OR REPLACE FUNCTION migrate.look_up_table(target regclass) RETURNS text LANGUAGE sql STABLE
RETURN (SELECT format('%I.%I', nspname, left(relname, 59) || '_key') FROM pg_class AS c
    JOIN pg_namespace AS n ON n.oid = relnamespace WHERE c.oid = target);

CREATE OR REPLACE FUNCTION migrate.partitions(whole oid) RETURNS SETOF oid
LANGUAGE sql STABLE AS $$
    SELECT coalesce(relid, whole) FROM (SELECT) AS one
        LEFT JOIN pg_partition_tree(whole) ON true WHERE isleaf IS NOT false
$$;
COMMENT ON FUNCTION migrate.partitions IS
    'the partitions of a table or index that have no partitions; itself, if it has none';

CREATE OR REPLACE FUNCTION migrate.has_column(rel oid, att text) RETURNS boolean
LANGUAGE sql STABLE RETURN EXISTS (SELECT FROM pg_attribute AS a
    WHERE a.attrelid = rel AND a.attname = att AND NOT a.attisdropped);

CREATE OR REPLACE FUNCTION migrate.type_of(rel oid, att text) RETURNS text LANGUAGE sql STABLE
RETURN (SELECT format_type(atttypid, atttypmod) FROM pg_attribute
    WHERE attrelid = rel AND attname = att AND NOT attisdropped);

CREATE OR REPLACE FUNCTION migrate.incoming(target regclass, key name) RETURNS text
LANGUAGE sql STABLE
RETURN CASE WHEN migrate.has_column(target, migrate.name('old_', key)) THEN 'old_' ELSE 'new_' END;
COMMENT ON FUNCTION migrate.incoming IS
    'the prefix of the companions, which come in with the next swap: "old_" after the first';

CREATE OR REPLACE FUNCTION migrate.subscribed(oid) RETURNS boolean LANGUAGE sql STABLE
RETURN EXISTS (SELECT FROM pg_subscription_rel, migrate.partitions($1) AS part
    WHERE srrelid IN ($1, part));

-- Statements run with the schemas of both types on their path: the catalogs' texts have an operator
-- without its schema where the grammar leaves no room for one.  All other names are qualified.
CREATE OR REPLACE FUNCTION migrate.path(target regclass, key name, new_type regtype) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT concat_ws(', ', 'pg_catalog', string_agg(DISTINCT quote_ident(nspname), ', '), 'pg_temp')
    FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = typnamespace
    WHERE nspname <> 'pg_catalog' AND t.oid IN (SELECT new_type UNION SELECT atttypid
        FROM pg_attribute AS a WHERE a.attrelid = target AND NOT attisdropped
            AND a.attname IN (key, migrate.name('old_', key), migrate.name('new_', key)))
$$;

-- Reading the catalogs

-- The server writes some constructs without the schema of their operator, so that a dump of them
-- does not restore if the operator is outside pg_catalog: see doc/operations.md.
CREATE OR REPLACE VIEW migrate.stored_construct (construct, operator, classid, objid) AS
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

-- Whatever the chain of foreign keys, the values are those of the key: so each of the columns gets
-- its new one from the key's own table.  A foreign key of a partition counts for the whole table.
CREATE OR REPLACE FUNCTION migrate.columns(target regclass, key name)
RETURNS TABLE (is_key boolean, rel oid, num int2, tab text, att name, required boolean,
    dangling text) LANGUAGE sql STABLE AS $$
    WITH RECURSIVE found AS (
        SELECT attrelid AS rel, attnum AS num
        FROM pg_attribute WHERE attrelid = target AND attname = key AND attnum > 0
        UNION
        SELECT r.rel, r.num FROM found AS f JOIN (
            SELECT root, a.attnum, confrelid, confkey[i]
            FROM pg_constraint, generate_subscripts(confkey, 1) AS i,
                coalesce(pg_partition_root(conrelid), conrelid) AS root, pg_attribute AS a
            WHERE contype = 'f' AND conparentid = 0 AND a.attrelid = root AND a.attname
                = (SELECT attname FROM pg_attribute WHERE (attrelid, attnum) = (conrelid,
                    conkey[i]))
            UNION SELECT a.attrelid, a.attnum, p.attrelid, p.attnum FROM migrate.reference AS r
                JOIN pg_attribute AS a ON (a.attrelid, a.attname) = (r.rel, r.att)
                JOIN pg_attribute AS p ON (p.attrelid, p.attname) = (r.parent, r.parent_att)
        ) AS r (rel, num, parent, parent_num) ON (r.parent, r.parent_num) = (f.rel, f.num)
    )
    SELECT f.rel = target AND a.attname = key, f.rel, f.num, migrate.table_name(f.rel), a.attname,
        a.attnotnull, coalesce(r.dangling, 'stop')
    FROM found AS f JOIN pg_attribute AS a ON (a.attrelid, a.attnum) = (f.rel, f.num)
        LEFT JOIN migrate.reference AS r ON (r.rel, r.att) = (f.rel, a.attname)
    ORDER BY 1 DESC, 4, 3
$$;
COMMENT ON FUNCTION migrate.columns IS 'the key, and the columns that move with it';

-- What DROP COLUMN would take along, or refuse for; of a partition, what is its own.
CREATE OR REPLACE FUNCTION migrate.dependents(rel oid, num int2)
RETURNS TABLE (classid oid, objid oid, name name, kind text, index oid) LANGUAGE sql STABLE AS $$
    SELECT DISTINCT d.classid, d.objid,
        coalesce(con.conname, c.relname, tgname, stxname, polname, v.relname),
        CASE
            WHEN d.classid = 'pg_attrdef'::regclass THEN
                CASE WHEN (adrelid, adnum) = (rel, num) THEN 'default' ELSE 'generated column' END
            WHEN con.contype IN ('p', 'u') THEN 'key'
            WHEN con.contype = 'c' THEN 'check'
            WHEN con.contype = 'n' THEN 'not null'
            WHEN c.relkind IN ('i', 'I') THEN 'index'
            WHEN c.relkind = 'S' THEN 'sequence'
            WHEN tgname IS NOT NULL THEN 'trigger'
            WHEN stxname IS NOT NULL THEN 'statistics'
            WHEN polname IS NOT NULL THEN 'policy'
            WHEN v.relkind = 'v' THEN 'view'
            WHEN v.relkind IN ('r', 'p') THEN 'rule'
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
        AND coalesce(tgname, '') !~ '^~'
        AND NOT coalesce(con.conparentid <> 0 OR con.coninhcount > 0, c.relispartition,
            t.tgparentid <> 0, false)
$$;
COMMENT ON FUNCTION migrate.dependents IS
    'all objects that depend on a column, a key or index with its index';

-- Views on the moved columns, and views on those, the deepest last.
CREATE OR REPLACE FUNCTION migrate.views(target regclass, key name)
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

CREATE OR REPLACE FUNCTION migrate.rights(acl aclitem[]) RETURNS text LANGUAGE sql STABLE
RETURN (SELECT string_agg(concat(grantee::regrole, ' ', privilege_type, CASE WHEN is_grantable
        THEN '*' END), ', ' ORDER BY grantee::regrole::text, privilege_type) FROM aclexplode(acl));

CREATE OR REPLACE FUNCTION migrate.said(classid oid, objid oid, sub int DEFAULT 0) RETURNS text
LANGUAGE sql STABLE RETURN (SELECT string_agg(said, ', ' ORDER BY said) FROM (
    SELECT description FROM pg_description AS d
    WHERE (d.classoid, d.objoid, d.objsubid) = (classid, objid, sub) UNION ALL
    SELECT provider || ': ' || label FROM pg_seclabel AS s
    WHERE (s.classoid, s.objoid, s.objsubid) = (classid, objid, sub)) AS t (said));

-- Each property that a swap has to keep, of each table, column and object concerned.  An object is
-- there with the moved columns that it uses: so one that was left on the other columns is missed.
CREATE OR REPLACE FUNCTION migrate.picture(target regclass, key name)
RETURNS TABLE (object text, what text, value text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    WITH m AS MATERIALIZED (
        SELECT m.*, m.att AS name, migrate.name('old_', m.att) AS old,
            migrate.name('new_', m.att) AS new FROM migrate.columns(target, key) AS m
    ), rel AS MATERIALIZED (
        SELECT DISTINCT m.rel AS root, coalesce(t.relid, m.rel)::oid AS oid
        FROM m LEFT JOIN pg_partition_tree(m.rel) AS t ON true
        UNION SELECT view, view FROM migrate.views(target, key)
    ), names AS MATERIALIZED (
        SELECT indrelid AS rel, relname AS name FROM pg_index JOIN rel ON rel.oid = indrelid
            JOIN pg_class AS c ON c.oid = indexrelid
        UNION SELECT conrelid, conname FROM pg_constraint JOIN rel ON rel.oid = conrelid
    ), own AS MATERIALIZED (
        SELECT rel, migrate.name(p, name) AS name FROM names, unnest('{new_,old_}'::text[]) AS p
        UNION SELECT rel.oid, migrate.check_name(m.att) FROM m JOIN rel ON rel.root = m.rel
    ), uses AS MATERIALIZED (
        SELECT d.classid, d.objid, string_agg(DISTINCT a.attname, ', ' ORDER BY a.attname) AS uses
        FROM m JOIN rel ON rel.root = m.rel JOIN pg_attribute AS a
                ON a.attrelid = rel.oid AND a.attname = m.att
            JOIN pg_depend AS d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = rel.oid
                AND d.refobjsubid = a.attnum
            LEFT JOIN pg_attrdef AS def ON d.classid = 'pg_attrdef'::regclass AND def.oid = d.objid
        WHERE (def.adrelid, def.adnum) IS DISTINCT FROM (a.attrelid, a.attnum)
        GROUP BY 1, 2
    ), known (classid, objid, rel, name, owner, acl, options) AS (
        SELECT 'pg_class'::regclass, c.oid, ri.indrelid, r.relname, c.relowner,
            CASE WHEN i IS NULL THEN coalesce(c.relacl, acldefault('r', c.relowner)) END,
            concat_ws(' ', c.reloptions::text, c.relrowsecurity, c.relforcerowsecurity,
                c.relreplident, i.indisunique, i.indimmediate, i.indisreplident, i.indisclustered,
                s.spcname)
        FROM (SELECT rel.oid FROM rel UNION SELECT indexrelid FROM pg_index JOIN rel
                ON rel.oid = indrelid) AS t JOIN pg_class AS c USING (oid)
            LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
            LEFT JOIN pg_tablespace AS s ON s.oid = c.reltablespace
            JOIN pg_class AS r ON r.oid = coalesce(pg_partition_root(c.oid), c.oid)
            LEFT JOIN pg_index AS ri ON ri.indexrelid = r.oid
        UNION ALL SELECT 'pg_constraint'::regclass, c.oid, c.conrelid, c.conname, NULL, NULL,
            concat_ws(' ', c.contype, c.condeferrable, c.condeferred)
        FROM pg_constraint AS c JOIN rel ON rel.oid = c.conrelid
            JOIN pg_class AS t ON t.oid = c.conrelid
        WHERE c.contype NOT IN ('n', 't') AND (c.contype <> 'f' OR t.relkind = 'r'
            AND NOT t.relispartition)
        UNION ALL SELECT 'pg_trigger'::regclass, t.oid, tgrelid, tgname, NULL, NULL, tgenabled::text
        FROM pg_trigger AS t JOIN rel ON rel.oid = tgrelid
        WHERE NOT tgisinternal AND tgname !~ '^~'
        UNION ALL SELECT 'pg_rewrite'::regclass, r.oid, ev_class, rulename, NULL, NULL,
            ev_enabled::text
        FROM pg_rewrite AS r JOIN rel ON rel.oid = ev_class
        UNION ALL SELECT 'pg_policy'::regclass, p.oid, polrelid, polname, NULL, NULL,
            concat_ws(' ', polcmd, polpermissive, polroles::regrole[]::text)
        FROM pg_policy AS p JOIN rel ON rel.oid = polrelid
        UNION ALL SELECT 'pg_statistic_ext'::regclass, s.oid, stxrelid, stxname, stxowner, NULL,
            concat_ws(' ', stxkind::text, nullif(stxstattarget, -1))
        FROM pg_statistic_ext AS s JOIN rel ON rel.oid = stxrelid
    ), object AS (
        TABLE known
        UNION ALL SELECT u.classid, u.objid, NULL, NULL, NULL, NULL, NULL FROM uses AS u
        WHERE NOT EXISTS (SELECT FROM known AS k WHERE (k.classid, k.objid) = (u.classid, u.objid))
            AND u.classid NOT IN ('pg_class'::regclass, 'pg_constraint'::regclass)
            AND NOT EXISTS (SELECT FROM pg_trigger AS t
                WHERE u.classid = 'pg_trigger'::regclass AND t.oid = u.objid AND tgname ~ '^~')
    )
    SELECT i.type || ' ' || i.identity, v.what, v.value
    FROM object AS o LEFT JOIN uses AS u ON (u.classid, u.objid) = (o.classid, o.objid),
        pg_identify_object(o.classid, o.objid, 0) AS i, LATERAL (VALUES
            ('moved columns', coalesce(u.uses, '')), ('owner', o.owner::regrole::text),
            ('privileges', migrate.rights(o.acl)), ('options', o.options),
            ('comment', migrate.said(o.classid, o.objid))) AS v (what, value)
    WHERE v.value IS NOT NULL
        AND NOT EXISTS (SELECT FROM own WHERE (own.rel, own.name) = (o.rel, o.name))
    UNION ALL
    SELECT format('column %s.%I', migrate.table_name(a.attrelid), a.attname), v.what, v.value
    FROM rel JOIN pg_attribute AS a ON a.attrelid = rel.oid AND attnum > 0 AND NOT attisdropped
        LEFT JOIN pg_attrdef AS def ON (def.adrelid, def.adnum) = (a.attrelid, a.attnum)
            AND NOT (rel.root = target AND a.attname = key), LATERAL (VALUES
            ('privileges', migrate.rights(a.attacl)),
            ('options', concat_ws(' ', nullif(a.attnotnull, false), nullif(a.attstattarget, -1),
                (SELECT string_agg(o, ' ') FROM unnest(a.attoptions) AS o
                    WHERE o LIKE 'n\_distinct%'))),
            ('default', pg_get_expr(def.adbin, def.adrelid)),
            ('comment', migrate.said('pg_class'::regclass, a.attrelid, a.attnum))) AS v (what,
                value)
    WHERE v.value IS NOT NULL AND NOT EXISTS (SELECT FROM m WHERE m.rel = rel.root
        AND a.attname IN (m.old, m.new))
$$;
COMMENT ON FUNCTION migrate.picture IS
    'owners, privileges, options and comments that a swap has to keep, and what uses which column';

-- Texts

-- What follows the name of the table in CREATE INDEX.
CREATE OR REPLACE FUNCTION migrate.index_tail(index oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT substr(pg_get_indexdef(index), 1 + length(format('CREATE %sINDEX %I ON %s%s',
        CASE WHEN indisunique THEN 'UNIQUE ' END, relname,
        CASE WHEN relkind = 'I' THEN 'ONLY ' END, migrate.table_name(indrelid))))
    FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid WHERE indexrelid = index
$$;

-- The server itself says how an index or CHECK looks on the companions, and whether it fits their
-- type: an empty copy of the table gets it, and then the names of the companions.
CREATE OR REPLACE FUNCTION migrate.definitions(target regclass, key name, new_type regtype,
    kinds text[], texts boolean)
RETURNS TABLE (rel oid, tab text, objid oid, name name, kind text, index oid, definition text)
LANGUAGE plpgsql SET client_min_messages = warning AS $$
DECLARE
    incoming text := migrate.incoming(target, key);
    looks_up text := migrate.name(migrate.outgoing(incoming), migrate.key_index(target, key));
    atts     name[];
    nums     int2[];
    att      name;
    path     text := current_setting('search_path');
BEGIN
    FOR rel, tab, atts, nums IN SELECT c.rel, c.tab, array_agg(c.att), array_agg(c.num)
        FROM migrate.columns(target, key) AS c GROUP BY 1, 2 ORDER BY 2
    LOOP
        IF texts THEN
            EXECUTE format('CREATE TEMP TABLE twin (LIKE %s)', tab);
            FOREACH att IN ARRAY atts LOOP
                EXECUTE format('ALTER TABLE pg_temp.twin ALTER %I TYPE %s USING NULL::%2$s, '
                    'DROP COLUMN IF EXISTS %3$I', att, coalesce(migrate.type_of(rel,
                    migrate.name('old_', att)), new_type::text), migrate.name(incoming, att));
            END LOOP;
        END IF;
        FOR objid, name, kind, index IN SELECT DISTINCT d.objid, d.name, d.kind, d.index
            FROM unnest(nums) AS num, migrate.dependents(rel, num) AS d
            WHERE d.kind = ANY (kinds) AND d.name <> looks_up
                AND d.name <> ALL (ARRAY(SELECT migrate.check_name(a) FROM unnest(atts) AS a))
            ORDER BY d.kind, d.name
        LOOP
            IF texts THEN
                EXECUTE CASE kind WHEN 'check' THEN format(
                        'ALTER TABLE pg_temp.twin ADD CONSTRAINT twin %s',
                            pg_get_constraintdef(objid))
                    ELSE (SELECT format('CREATE %sINDEX twin_index ON pg_temp.twin%s',
                        CASE WHEN indisunique THEN 'UNIQUE ' END, migrate.index_tail(indexrelid))
                        FROM pg_index WHERE indexrelid = index) END;
                FOREACH att IN ARRAY atts LOOP
                    EXECUTE format('ALTER TABLE pg_temp.twin RENAME %I TO %I', att,
                        migrate.name(incoming, att));
                END LOOP;
                -- psql runs it in a session of any path
                PERFORM set_config('search_path', 'pg_catalog, pg_temp', true);
                definition := CASE kind WHEN 'check' THEN (SELECT pg_get_constraintdef(oid)
                        FROM pg_constraint AS c
                        WHERE conrelid = to_regclass('pg_temp.twin') AND conname = 'twin')
                    ELSE regexp_replace(pg_get_indexdef(to_regclass('pg_temp.twin_index')),
                        '^.*? ON \S+ ', ' ') END;
                PERFORM set_config('search_path', path, true);
                FOREACH att IN ARRAY atts LOOP
                    EXECUTE format('ALTER TABLE pg_temp.twin RENAME %I TO %I',
                        migrate.name(incoming, att), att);
                END LOOP;
                EXECUTE CASE kind WHEN 'check' THEN 'ALTER TABLE pg_temp.twin DROP CONSTRAINT twin'
                    ELSE 'DROP INDEX pg_temp.twin_index' END;
            END IF;
            RETURN NEXT;
        END LOOP;
        IF texts THEN
            DROP TABLE pg_temp.twin;
        END IF;
    END LOOP;
EXCEPTION WHEN undefined_function OR undefined_object OR datatype_mismatch
    OR invalid_text_representation OR feature_not_supported THEN
    RAISE EXCEPTION '% % of % does not fit the other type: %', kind, name, tab, SQLERRM
        USING HINT = 'Drop it, and make one that does after the swap.';
END
$$;

CREATE OR REPLACE FUNCTION migrate.outgoing(incoming text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN CASE incoming WHEN 'new_' THEN 'old_' ELSE 'new_' END;

CREATE OR REPLACE FUNCTION migrate.key_index(target regclass, key name) RETURNS name
LANGUAGE sql STABLE RETURN (SELECT c.relname FROM pg_index AS i
    JOIN pg_class AS c ON c.oid = indexrelid
        JOIN pg_attribute AS a ON a.attrelid = target AND a.attnum = indkey[0]
    WHERE indrelid = target AND attname = key AND indisunique AND indimmediate AND indisvalid
        AND indnkeyatts = 1 AND indpred IS NULL AND c.relname !~ '^(new|old)_'
    ORDER BY indisprimary DESC, indexrelid LIMIT 1);
COMMENT ON FUNCTION migrate.key_index IS 'the index that makes the key unique by itself';

-- The columns that an index uses, with companions instead of moved columns if a prefix is given.
CREATE OR REPLACE FUNCTION migrate.uses(target regclass, key name, index oid, prefix text)
RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT array_agg(DISTINCT CASE WHEN m.att IS NULL THEN a.attname
        ELSE migrate.name(prefix, a.attname) END)
    FROM pg_index AS i JOIN pg_depend AS d ON d.refclassid = 'pg_class'::regclass
            AND d.refobjid = i.indrelid AND (d.classid = 'pg_class'::regclass AND d.objid = index
                OR d.classid = 'pg_constraint'::regclass AND d.objid IN (SELECT oid
                    FROM pg_constraint WHERE conindid = index AND conrelid = i.indrelid
                        AND contype IN ('p', 'u')))
        JOIN pg_attribute AS a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
        LEFT JOIN migrate.columns(target, key) AS m ON m.att = a.attname
            AND m.rel = coalesce(pg_partition_root(i.indrelid), i.indrelid)
    WHERE i.indexrelid = index
$$;

-- The indexes that come in with the next swap, and the one that finds rows by the outgoing key.
CREATE OR REPLACE FUNCTION migrate.builds(target regclass, key name, new_type regtype,
    texts boolean)
RETURNS TABLE (kind text, tables text[], statements text[], done boolean)
LANGUAGE sql AS $$
    WITH want (tab, index, name, tail, incoming) AS (
        SELECT d.tab, d.index, d.name, d.definition, migrate.incoming(target, key)
        FROM migrate.definitions(target, key, new_type, '{key,index}', texts) AS d
        UNION ALL
        SELECT migrate.table_name(target), c.oid, c.relname, format(' (%I)', key), NULL
        FROM pg_class AS c JOIN pg_index ON indexrelid = c.oid
        WHERE indrelid = target AND c.relname = migrate.key_index(target, key)
            AND NOT migrate.subscribed(target)
    ), one AS (
        SELECT w.tab, w.index AS whole, part, w.tail, p.relkind, i.indisunique, n.nspname,
            migrate.table_name(i.indrelid) AS part_tab, coalesce(s.spcname, '') AS spcname,
            migrate.name(coalesce(w.incoming, migrate.outgoing(migrate.incoming(target, key))),
                p.relname) AS name, coalesce(w.incoming, '') AS prefix
        FROM want AS w, LATERAL (SELECT migrate.partitions(w.index) UNION SELECT w.index) AS t
            (part)
            JOIN pg_class AS p ON p.oid = part JOIN pg_namespace AS n ON n.oid = p.relnamespace
            JOIN pg_index AS i ON i.indexrelid = part
            LEFT JOIN pg_tablespace AS s ON s.oid = p.reltablespace
    ), state AS (
        SELECT o.*, b.indexrelid AS built, b.indisvalid AND b.indisunique = o.indisunique
            AND migrate.uses(target, key, o.part, o.prefix)
                = migrate.uses(target, key, b.indexrelid, '') AS done
        FROM one AS o LEFT JOIN pg_index AS b
            ON b.indexrelid = to_regclass(format('%I.%I', o.nspname, o.name))
    )
    SELECT CASE relkind WHEN 'I' THEN 'brief' ELSE 'alone' END, ARRAY[tab], array_remove(ARRAY[
            format('SET %sdefault_tablespace = %L', CASE relkind WHEN 'I' THEN 'LOCAL ' END,
                spcname),
            CASE WHEN built IS NOT NULL THEN format('DROP INDEX %s%I.%I', CASE relkind
                WHEN 'i' THEN 'CONCURRENTLY ' END, nspname, name) END,
            format('CREATE %sINDEX %s%I ON %s%s', CASE WHEN indisunique THEN 'UNIQUE ' END,
                CASE relkind WHEN 'i' THEN 'CONCURRENTLY ' END, name, part_tab, tail)], NULL),
        coalesce(done, false)
    FROM state ORDER BY tab, whole, relkind = 'I', name
$$;

-- The grantee of an ACL or of a policy.
CREATE OR REPLACE FUNCTION migrate.grantee(oid) RETURNS text LANGUAGE sql STABLE
RETURN CASE $1 WHEN 0 THEN 'PUBLIC' ELSE $1::regrole::text END;

-- CREATE gives privileges that ALTER DEFAULT PRIVILEGES asks for.
CREATE OR REPLACE FUNCTION migrate.grant_only(relation regclass, acl aclitem[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    one text;
BEGIN
    IF acl IS NULL AND (SELECT relacl FROM pg_class WHERE oid = relation) IS NULL THEN
        RETURN;                     -- the default, as it was
    END IF;
    acl := coalesce(acl, (SELECT acldefault('r', relowner) FROM pg_class WHERE oid = relation));
    FOR one IN
        SELECT format('REVOKE ALL ON %s FROM %s', relation, migrate.grantee(grantee))
        FROM pg_class AS c, aclexplode(coalesce(relacl, acldefault('r', relowner)))
        WHERE c.oid = relation GROUP BY grantee
        UNION ALL
        SELECT format('GRANT %s ON %s TO %s%s', string_agg(privilege_type, ', '), relation,
            migrate.grantee(grantee), CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END)
        FROM aclexplode(acl) GROUP BY grantee, is_grantable
    LOOP
        EXECUTE one;
    END LOOP;
END
$$;
COMMENT ON FUNCTION migrate.grant_only IS
    'gives a relation the privileges of an ACL, and no others';

-- COMMENT ON, as it was.
CREATE OR REPLACE FUNCTION migrate.comment_on(classid oid, objid oid) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT format('COMMENT ON %s %s IS %L', CASE type WHEN 'table constraint' THEN 'CONSTRAINT'
            WHEN 'statistics object' THEN 'STATISTICS' ELSE upper(type) END, identity, description)
    FROM pg_identify_object(classid, objid, 0), pg_description AS d
    WHERE (d.classoid, d.objoid, d.objsubid) = (classid, objid, 0)
$$;

-- What is dropped before the names change places, and made again of the same text after it.
CREATE OR REPLACE FUNCTION migrate.made_again(target regclass, key name)
RETURNS TABLE (place int, dropped text, made text[]) LANGUAGE sql STABLE AS $$
    WITH d AS (
        SELECT DISTINCT d.* FROM migrate.columns(target, key) AS m,
            migrate.dependents(m.rel, m.num) AS d
    ), again AS (
        SELECT d.*, format('%I ON %s', tgname, t) AS what, t AS tab, tgname AS own_name,
            tgenabled AS enabled, ARRAY[pg_get_triggerdef(d.objid)] AS made
        FROM d JOIN pg_trigger AS x ON x.oid = d.objid, migrate.table_name(tgrelid) AS t
        WHERE d.kind = 'trigger'
        UNION ALL
        SELECT d.*, format('%I ON %s', rulename, t), t, rulename, ev_enabled,
            ARRAY[pg_get_ruledef(d.objid)]
        FROM d JOIN pg_rewrite AS x ON x.oid = d.objid, migrate.table_name(ev_class) AS t
        WHERE d.kind = 'rule'
        UNION ALL
        SELECT d.*, t, NULL, NULL, 'O', ARRAY[pg_get_statisticsobjdef(d.objid),
            format('ALTER STATISTICS %s OWNER TO %s', t, stxowner::regrole),
            CASE WHEN stxstattarget >= 0 THEN format('ALTER STATISTICS %s SET STATISTICS %s', t,
                stxstattarget) END]
        FROM d JOIN pg_statistic_ext AS x ON x.oid = d.objid
            JOIN pg_namespace AS n ON n.oid = stxnamespace, format('%I.%I', nspname, stxname) AS t
        WHERE d.kind = 'statistics'
        UNION ALL
        SELECT d.*, format('%I ON %s', polname, t), NULL, NULL, 'O',
            ARRAY[format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s', polname, t,
                CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
                CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE'
                    WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
                (SELECT string_agg(migrate.grantee(role), ', ') FROM unnest(polroles) AS role),
                ' USING (' || pg_get_expr(polqual, polrelid) || ')',
                ' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')')]
        FROM d JOIN pg_policy AS x ON x.oid = d.objid, migrate.table_name(polrelid) AS t
        WHERE d.kind = 'policy'
    )
    SELECT 100, format('DROP %s %s', upper(kind), what), made
        || format('ALTER TABLE %s %s %s %I', tab, CASE enabled WHEN 'D' THEN 'DISABLE'
            WHEN 'R' THEN 'ENABLE REPLICA' WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE' END,
            upper(nullif(kind, 'statistics')), own_name)
        || migrate.comment_on(classid, objid)
    FROM again WHERE enabled <> 'O'
    UNION ALL
    SELECT 100, format('DROP %s %s', upper(kind), what), made || migrate.comment_on(classid, objid)
    FROM again WHERE enabled = 'O'
    UNION ALL
    SELECT v.depth, format('DROP VIEW %s', t), ARRAY[
            format('CREATE VIEW %s%s AS %s', t, ' WITH (' || array_to_string(c.reloptions, ', ')
                || ')', rtrim(pg_get_viewdef(v.view), ';')),
            format('ALTER VIEW %s OWNER TO %s', t, c.relowner::regrole),
            format('SELECT migrate.grant_only(%L, %L)', t, c.relacl)]
        || (SELECT array_agg(format('GRANT %s (%I) ON %s TO %s%s', privilege_type, attname, t,
                migrate.grantee(grantee), CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END))
            FROM pg_attribute, aclexplode(attacl) WHERE attrelid = v.view)
        || (SELECT array_agg(format('COMMENT ON COLUMN %s.%I IS %L', t, attname, description))
            FROM pg_description JOIN pg_attribute ON attrelid = objoid AND attnum = objsubid
            WHERE classoid = 'pg_class'::regclass AND objoid = v.view)
        || migrate.comment_on('pg_class'::regclass, v.view)
    FROM migrate.views(target, key) AS v JOIN pg_class AS c ON c.oid = v.view,
        migrate.table_name(v.view) AS t
    ORDER BY 1, 2
$$;

-- What belongs to a column, or to an index on it, and does not go with its name.
CREATE OR REPLACE FUNCTION migrate.belongings(target regclass, key name, incoming text)
RETURNS SETOF text LANGUAGE sql STABLE AS $$
    WITH m AS (
        SELECT m.tab, m.att, m.rel, m.num, a.*, b.attacl AS other_acl, b.attnum AS other
        FROM migrate.columns(target, key) AS m
            JOIN pg_attribute AS a ON (a.attrelid, a.attnum) = (m.rel, m.num)
            LEFT JOIN pg_attribute AS b ON (b.attrelid, b.attname)
                = (m.rel, migrate.name(incoming, m.att))
    ), d AS (
        SELECT DISTINCT m.tab, d.* FROM m, migrate.dependents(m.rel, m.num) AS d
    )
    SELECT DISTINCT format('REVOKE ALL (%I) ON %s FROM %s', att, tab, migrate.grantee(grantee))
    FROM m, aclexplode(other_acl)
    UNION ALL
    SELECT format('GRANT %s (%I) ON %s TO %s%s', privilege_type, att, tab,
        migrate.grantee(grantee), CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END)
    FROM m, aclexplode(attacl)
    UNION ALL
    SELECT format('COMMENT ON COLUMN %s.%I IS %L', tab, att, col_description(rel, num)) FROM m
    WHERE num_nulls(col_description(rel, num), col_description(rel, other)) < 2
    UNION ALL
    SELECT format('ALTER TABLE %s ALTER %I SET STATISTICS %s', tab, att, attstattarget) FROM m
    WHERE attstattarget >= 0
    UNION ALL
    SELECT format('ALTER TABLE %s ALTER %I SET (%s)', tab, att, o) FROM m, unnest(attoptions) AS o
    WHERE o LIKE 'n\_distinct%'      -- some servers keep their own notes there
    UNION ALL
    SELECT format('ALTER TABLE %s REPLICA IDENTITY USING INDEX %I', tab, name) FROM d
        JOIN pg_index ON indexrelid = index WHERE indisreplident
    UNION ALL
    SELECT format('ALTER TABLE %s CLUSTER ON %I', tab, name) FROM d
        JOIN pg_index ON indexrelid = index WHERE indisclustered
    UNION ALL
    SELECT comment FROM d, LATERAL (
        SELECT migrate.comment_on(classid, objid)
        UNION SELECT migrate.comment_on('pg_class'::regclass, index)) AS t (comment)
    WHERE kind IN ('key', 'index', 'check') AND comment IS NOT NULL
$$;

-- The foreign keys of moved columns.  As a partitioned table cannot have one that is NOT VALID, its
-- partitions have it first, and the table gets it when those are validated, without a scan.
CREATE OR REPLACE FUNCTION migrate.foreign_keys(target regclass, key name)
RETURNS TABLE (tab text, dropped text[], made text[], validated text[], completed text[])
LANGUAGE sql STABLE AS $$
    SELECT m.tab, ARRAY[format('ALTER TABLE %s DROP CONSTRAINT %I', m.tab, conname)],
        CASE WHEN parts <> '{}' THEN (SELECT array_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s '
                'NOT VALID', p, conname, definition)) FROM unnest(parts) AS p)
        ELSE ARRAY[format('ALTER TABLE %s ADD CONSTRAINT %I %s%s', m.tab, conname, definition,
            CASE relkind WHEN 'r' THEN ' NOT VALID' END)] || comment END,
        CASE WHEN convalidated THEN (SELECT
            array_agg(format('ALTER TABLE %s VALIDATE CONSTRAINT %I',
            p, conname)) FROM unnest(CASE relkind WHEN 'r' THEN ARRAY[m.tab] ELSE parts END) AS p)
                END,
        CASE WHEN parts <> '{}' THEN ARRAY[format('ALTER TABLE %s ADD CONSTRAINT %I %s', m.tab,
            conname, definition)] || comment END
    FROM (SELECT DISTINCT m.tab, m.rel, con.oid FROM migrate.columns(target, key) AS m
            JOIN pg_constraint AS con ON contype = 'f' AND conrelid = m.rel AND m.num = ANY (conkey)
            WHERE con.conparentid = 0) AS m
        JOIN pg_constraint AS con USING (oid) JOIN pg_class AS c ON c.oid = m.rel,
        regexp_replace(pg_get_constraintdef(con.oid), ' NOT VALID$', '') AS definition,
        LATERAL (SELECT migrate.comment_on('pg_constraint'::regclass, con.oid), ARRAY(
            SELECT migrate.table_name(p) FROM migrate.partitions(m.rel) AS p WHERE p <> m.rel))
            AS t (comment, parts)
    ORDER BY m.tab, conname
$$;

CREATE OR REPLACE FUNCTION migrate.follow_function(prefix text, att name, tab text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN format('migrate.%I', migrate.name(prefix, format('%s of %s', att, tab)));

CREATE OR REPLACE FUNCTION migrate.follow_trigger(prefix text, att name, n int) RETURNS text
LANGUAGE sql IMMUTABLE RETURN migrate.name('~' || prefix, format('%s %s', att, n));

-- The function and triggers that give each row the companion of a moved column.  The triggers on
-- rows sort behind all others, so that they see what those changed, and fire in every
-- session_replication_role.  A row that is there before its parent is completed when the
-- transaction commits.  IS DISTINCT FROM in a WHEN would not survive a dump and restore.
CREATE OR REPLACE FUNCTION migrate.following(target regclass, key name, tab text, att name,
    prefix text, type text, ids text, path text) RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY[format($text$CREATE FUNCTION %1$s() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = %2$s SET row_security = off AS $f$
DECLARE
    carried %3$s := (SELECT %4$s FROM %5$s AS p WHERE p.%6$I = NEW.%7$I);
BEGIN
    IF TG_WHEN = 'BEFORE' THEN
        NEW.%8$I := %9$s;
        RETURN NEW;
    ELSIF carried IS NOT NULL THEN
        UPDATE %10$s SET %8$I = carried
        WHERE ctid = NEW.ctid AND tableoid = TG_RELID AND %8$I IS NULL;
    END IF;
    RETURN NULL;
END
$f$
$text$, f, path, type, CASE WHEN ids IS NULL THEN format('p.%I', parent)
            ELSE format('coalesce(p.%I, %s)', parent, ids) END, migrate.table_name(target), key,
                att,
            own, CASE WHEN migrate.table_name(target) = tab THEN format('CASE WHEN NEW.%I = NEW.%I '
                'THEN NEW.%I ELSE carried END', att, key, parent) ELSE 'carried' END, tab),
        format('CREATE TRIGGER %I BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION %s()', t[1],
            tab, f),
        format('CREATE TRIGGER %1$I BEFORE UPDATE ON %2$s FOR EACH ROW WHEN ((NEW.%3$I = OLD.%3$I) '
            'IS NOT TRUE AND (NEW.%3$I IS NOT NULL OR OLD.%3$I IS NOT NULL) '
            'OR NEW.%3$I IS NOT NULL AND NEW.%4$I IS NULL) EXECUTE FUNCTION %5$s()', t[2], tab,
            att, own, f),
        format('CREATE CONSTRAINT TRIGGER %I AFTER INSERT OR UPDATE ON %s DEFERRABLE INITIALLY '
            'DEFERRED FOR EACH ROW WHEN (NEW.%I IS NOT NULL AND NEW.%I IS NULL) '
            'EXECUTE FUNCTION %s()', t[3], tab, att, own, f),
        format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I, ENABLE ALWAYS TRIGGER %I, '
            'ENABLE ALWAYS TRIGGER %I', tab, t[1], t[2], t[3])]
    FROM migrate.name(prefix, key) AS parent, migrate.name(prefix, att) AS own,
        migrate.follow_function(prefix, att, tab) AS f, (SELECT ARRAY(SELECT
            migrate.follow_trigger(prefix, att, n) FROM generate_series(1, 3) AS n)) AS names (t)
$$;

CREATE OR REPLACE FUNCTION migrate.not_following(prefix text, att name, tab text) RETURNS text[]
LANGUAGE sql IMMUTABLE RETURN ARRAY(SELECT format('DROP TRIGGER IF EXISTS %I ON %s',
        migrate.follow_trigger(prefix, att, n), tab) FROM generate_series(0, 3) AS n)
    || format('DROP FUNCTION IF EXISTS %s()', migrate.follow_function(prefix, att, tab));

-- A row that changes before it is filled gets the id that it had until then, as those that refer to
-- it may have that.
CREATE OR REPLACE FUNCTION migrate.pin(target regclass, key name, new_id text, generator text,
    path text) RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY[format($text$CREATE FUNCTION %1$s() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = %2$s SET row_security = off AS $f$
BEGIN
    NEW.%3$I := coalesce((SELECT %4$s FROM (SELECT OLD.*) AS p), %5$s);
    RETURN NEW;
END
$f$
$text$, f, path, own, new_id, generator),
        format('CREATE TRIGGER %I BEFORE UPDATE ON %s FOR EACH ROW WHEN (NEW.%I IS NULL) EXECUTE '
            'FUNCTION %s()', t, migrate.table_name(target), own, f),
        format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', migrate.table_name(target), t)]
    FROM migrate.name('new_', key) AS own, migrate.follow_trigger('new_', key, 0) AS t,
        migrate.follow_function('new_', key, migrate.table_name(target)) AS f
$$;

CREATE OR REPLACE FUNCTION migrate.tell(target regclass, step text) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT format('INSERT INTO migrate.done (target, step) VALUES (%L, %L)',
            migrate.table_name(target), step)
    WHERE NOT migrate.subscribed(target) AND EXISTS (SELECT FROM pg_publication_tables
        WHERE (schemaname, tablename) = ('migrate', 'done'))
$$;
COMMENT ON FUNCTION migrate.tell IS 'the statement that tells subscribers to follow with a step';

CREATE OR REPLACE FUNCTION migrate.added(target regclass, step text) RETURNS text[]
LANGUAGE sql STABLE RETURN ARRAY(SELECT a.statements FROM migrate.also AS a
        WHERE (a.target, a.step) = ($1, $2) ORDER BY a.n) || migrate.tell(target, step);

-- What follows the transaction that made the foreign keys.
CREATE OR REPLACE FUNCTION migrate.rest_of(target regclass, key name, step text)
RETURNS TABLE (kind text, tables text[], statements text[]) LANGUAGE sql STABLE AS $$
    SELECT r.kind, r.tables, r.statements FROM migrate.foreign_keys(target, key)
            WITH ORDINALITY AS f (tab, dropped, made, validated, completed, n), LATERAL (
        SELECT 1, 'plain', NULL::text[], ARRAY[v] FROM unnest(validated) AS v
        UNION ALL SELECT 2, 'brief', ARRAY[tab], completed WHERE completed IS NOT NULL
    ) AS r (place, kind, tables, statements)
    UNION ALL
    SELECT DISTINCT 'plain', NULL::text[], ARRAY['ANALYZE ' || c.tab]
    FROM migrate.columns(target, key) AS c, migrate.dependents(c.rel, c.num) AS d
    WHERE d.kind = 'statistics' OR step = 'in place'
$$;

-- The outgoing columns take the one prefix, and the incoming ones lose the other.
CREATE OR REPLACE FUNCTION migrate.swap(target regclass, key name, new_type regtype, step text)
RETURNS text[] LANGUAGE sql STABLE AS $$
    WITH w AS MATERIALIZED (
        SELECT migrate.incoming(target, key) AS incoming,
            migrate.outgoing(migrate.incoming(target, key)) AS outgoing,
            migrate.path(target, key, new_type) AS path
    ), m AS MATERIALIZED (
        SELECT m.*, migrate.name(incoming, m.att) AS comes, migrate.name(outgoing, m.att) AS goes,
            migrate.subscribed(m.rel) AS fed FROM w, migrate.columns(target, key) AS m
    ), f AS MATERIALIZED (
        SELECT * FROM migrate.foreign_keys(target, key)
    ), again AS MATERIALIZED (
        SELECT * FROM migrate.made_again(target, key)
    ), d AS MATERIALIZED (
        SELECT DISTINCT m.tab, d.*, con.contype, i.indisunique, n.nspname, c.relkind,
            migrate.name(incoming, d.name) AS comes, migrate.name(outgoing, d.name) AS goes,
            CASE WHEN condeferrable THEN ' DEFERRABLE' || CASE WHEN condeferred
                THEN ' INITIALLY DEFERRED' ELSE '' END ELSE '' END AS delay
        FROM w, m CROSS JOIN migrate.dependents(m.rel, m.num) AS d
            LEFT JOIN pg_constraint AS con ON d.classid = 'pg_constraint'::regclass
                AND con.oid = d.objid
            LEFT JOIN pg_index AS i ON i.indexrelid = d.index
            LEFT JOIN pg_class AS c ON c.oid = d.index
            LEFT JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE d.kind IN ('key', 'index', 'check') AND d.name NOT IN (migrate.check_name(m.att),
            migrate.name(outgoing, migrate.key_index(target, key)))
    ), tree AS (
        SELECT d.nspname, d.name, d.indisunique, b.relname AS built, bn.nspname AS built_in,
            o.relname AS own, p.oid IS NOT DISTINCT FROM d.index AS top, w.outgoing
        FROM w, d, LATERAL (SELECT to_regclass(format('%I.%I', d.nspname, d.comes))) AS x (root),
            LATERAL (SELECT x.root::oid UNION SELECT relid FROM pg_partition_tree(x.root)) AS t (i)
            JOIN pg_index AS bi ON bi.indexrelid = t.i JOIN pg_class AS b ON b.oid = t.i
            JOIN pg_namespace AS bn ON bn.oid = b.relnamespace, LATERAL (SELECT d.index UNION
                SELECT relid FROM pg_partition_tree(d.index)) AS u (i)
            JOIN pg_index AS oi ON oi.indexrelid = u.i JOIN pg_class AS o ON o.oid = u.i
            JOIN pg_class AS p ON p.oid = u.i
        WHERE d.kind = 'index' AND bi.indrelid = oi.indrelid
    ), line (place, sub, texts) AS (
        SELECT 1, 0, ARRAY[format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE',
            string_agg(DISTINCT tab, ', '))] FROM m
        UNION ALL SELECT 4, 0, migrate.not_following(incoming, att, tab) FROM w, m WHERE NOT fed
        UNION ALL SELECT 5, -place, ARRAY[dropped] FROM again
        UNION ALL SELECT 6, 0, dropped FROM f
        UNION ALL SELECT 7, 0, ARRAY[format('ALTER TABLE %s DROP CONSTRAINT %I', tab, name)] FROM d
            WHERE kind = 'key'
        UNION ALL SELECT 8, 0, ARRAY[format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', tab, name,
            goes)] FROM d WHERE kind = 'check'
        UNION ALL SELECT 9, 0, ARRAY[format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', tab,
            migrate.check_name(att))] FROM m
        UNION ALL SELECT 10, 0, ARRAY[format('ALTER TABLE %s RENAME %I TO %I', tab, att, goes),
            format('ALTER TABLE %s RENAME %I TO %I', tab, comes, att)] FROM m
        UNION ALL SELECT 11, 0, ARRAY[format('ALTER TABLE %s ALTER %I DROP NOT NULL', tab, goes)]
            FROM m WHERE NOT is_key AND required
        UNION ALL SELECT 12, 0, ARRAY[format('ALTER TABLE %s ADD CONSTRAINT %I %s USING INDEX %I%s',
            tab, name, CASE contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END, comes, delay)]
            FROM d WHERE kind = 'key'
        UNION ALL SELECT 13, 0, ARRAY[format('DROP INDEX %I.%I', nspname, name)] FROM d
            WHERE kind = 'index' AND indisunique
        UNION ALL SELECT 14, 0, ARRAY[CASE WHEN NOT indisunique THEN format(
            'ALTER INDEX %I.%I RENAME TO %I', built_in, own, migrate.name(outgoing, own)) END,
            format('ALTER INDEX %I.%I RENAME TO %I', built_in, built, own)] FROM tree
        UNION ALL SELECT 14, 0, ARRAY[format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', tab,
            comes, name)] FROM d WHERE kind = 'check'
        UNION ALL SELECT 15, 0, made FROM f
        UNION ALL SELECT 16, 0, migrate.following(target, key, tab, att, outgoing,
            migrate.type_of(rel, att), NULL, path) FROM w, m WHERE NOT is_key AND NOT fed
        UNION ALL SELECT 17, place, made FROM again
        UNION ALL SELECT 18, (b !~ '^REVOKE')::int, ARRAY[b] FROM w, migrate.belongings(target, key,
            incoming) AS b
        UNION ALL SELECT 19, 0, ARRAY['DELETE FROM migrate.proved WHERE target = ' || quote_literal(
            migrate.table_name(target)) || '::regclass']
        UNION ALL SELECT 20, r.n::int,
            ARRAY[format('INSERT INTO migrate.rest (target, step, kind, tables, '
            'statements) VALUES (%L, %L, %L, %L, %L)', migrate.table_name(target), step, r.kind,
            r.tables, r.statements)] FROM migrate.rest_of(target, key, step) WITH ORDINALITY AS
            r (kind, tables, statements, n)
        UNION ALL SELECT 21, 0, migrate.added(target, step)
    )
    SELECT array_agg(text ORDER BY place, sub, texts, n) FROM line,
        unnest(texts) WITH ORDINALITY AS t (text, n) WHERE text IS NOT NULL
$$;


-- What to settle before the first step, as far as a rehearsal does not show it.  This only reads.

CREATE OR REPLACE FUNCTION migrate.word(name) RETURNS text LANGUAGE sql IMMUTABLE
RETURN '\m' || regexp_replace($1, '(\W)', '\\\1', 'g') || '\M';

-- User triggers must not see the batches, which change nothing for the application: in a session of
-- the role "replica" they do not fire.
CREATE OR REPLACE FUNCTION migrate.may_replicate() RETURNS boolean LANGUAGE sql STABLE
RETURN has_parameter_privilege('session_replication_role', 'SET');

CREATE OR REPLACE FUNCTION migrate.without_triggers() RETURNS text LANGUAGE sql STABLE
RETURN CASE WHEN migrate.may_replicate() THEN 'Enable it neither ALWAYS nor for REPLICA.'
    ELSE format('GRANT SET ON PARAMETER session_replication_role TO %I;', current_user) END;

CREATE OR REPLACE FUNCTION migrate.triggers_in_batches(rel oid) RETURNS SETOF name
LANGUAGE sql STABLE AS $$
    SELECT name FROM (
        SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = rel AND tgtype & 16 <> 0
            AND NOT tgisinternal AND tgattr = '' AND tgname !~ '^~'
        UNION ALL SELECT rulename, ev_enabled FROM pg_rewrite WHERE ev_class = rel
            AND ev_type = '2') AS t (name, enabled)
    WHERE enabled IN ('A', CASE WHEN migrate.may_replicate() THEN 'R' ELSE 'O' END)
$$;

CREATE OR REPLACE FUNCTION migrate.found(target regclass, key name, new_type regtype,
    in_place boolean) RETURNS TABLE (stops boolean, object text, finding text, remedy text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    soft record;
    bad  bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM migrate.columns(target, key)) THEN
        RAISE EXCEPTION 'table % has no column "%"', target, key;
    END IF;
    FOR soft IN SELECT c.* FROM migrate.columns(target, key) AS c WHERE NOT c.is_key
        AND NOT in_place
        AND NOT EXISTS (SELECT FROM pg_constraint AS f, pg_attribute AS a WHERE contype = 'f'
            AND convalidated AND c.num = ANY (conkey) AND conrelid = c.rel)
        AND has_table_privilege(c.rel, 'SELECT') AND has_table_privilege(target, 'SELECT')
    LOOP
        EXECUTE format('SELECT count(*) FROM %s AS c WHERE %I IS NOT NULL AND NOT EXISTS (SELECT '
            'FROM %s AS p WHERE p.%I OPERATOR(%s) c.%2$I)', soft.tab, soft.att,
                migrate.table_name(target),
            key, (SELECT format('%I.=', nspname) FROM pg_operator AS o JOIN pg_namespace AS s
                ON s.oid = oprnamespace JOIN pg_attribute AS a ON a.attrelid = target
                AND a.attname = key WHERE oprname = '=' AND oprleft = atttypid
                AND oprright = atttypid
                UNION ALL SELECT 'pg_catalog.=' LIMIT 1)) INTO bad;
        IF bad > 0 THEN
            RETURN QUERY SELECT soft.dangling = 'stop', format('%s.%I', soft.tab, soft.att),
                format('%s rows refer to no row of %s', bad, target),
                CASE soft.dangling WHEN 'stop' THEN
                    format('Correct them; or INSERT INTO migrate.reference'
                    ' VALUES (%L, %L, %L, %L, ''null'') ON CONFLICT (rel, att) DO UPDATE SET '
                    'dangling = ''null'', and their new value is NULL, and the old column stays.',
                    soft.tab,
                        soft.att,
                    migrate.table_name(target), key)
                ELSE 'Their new value will be NULL, and the old column stays for them.' END;
        END IF;
    END LOOP;

    RETURN QUERY WITH m AS MATERIALIZED (
        SELECT m.*, format('%s.%I', m.tab, m.att) AS col, c.relname, c.relkind, c.relowner,
            c.relispartition, a.atttypid, a.atthasdef, a.attidentity
        FROM migrate.columns(target, key) AS m JOIN pg_class AS c ON c.oid = m.rel
            JOIN pg_attribute AS a ON (a.attrelid, a.attnum) = (m.rel, m.num)
    ), d AS MATERIALIZED (
        SELECT m.tab, m.att, m.rel, m.is_key, d.* FROM m, migrate.dependents(m.rel, m.num) AS d
    ), v AS MATERIALIZED (
        SELECT v.view FROM migrate.views(target, key) AS v
    ), s AS (
        SELECT typnamespace AS oid, nspname FROM pg_type AS t
            JOIN pg_namespace AS n ON n.oid = typnamespace WHERE t.oid = new_type
    ), setting AS (
        SELECT concat_ws(' in ', coalesce('role ' || r.setrole::regrole, 'every role'),
                (SELECT datname FROM pg_database WHERE oid = setdatabase)) AS who,
            split_part(c, '=', 1) AS name, substr(c, 1 + strpos(c, '=')) AS value
        FROM (SELECT nullif(setrole, 0), setdatabase, setconfig FROM pg_db_role_setting) AS r
            (setrole, setdatabase, setconfig), unnest(setconfig) AS c
        WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
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
            'Fill a new table: see "A partitioned key" in doc/migrate-others.md.'
        FROM m WHERE m.relkind = 'p' AND (NOT in_place AND (m.is_key OR EXISTS (SELECT
                FROM pg_index AS i WHERE i.indrelid = m.rel AND i.indisunique
                    AND m.num = ANY (i.indkey)))
            OR EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = m.rel
                AND (m.num = ANY (partattrs) OR partexprs IS NOT NULL)))
        UNION ALL SELECT 'both', true, m.tab, format('belongs to %s, whose rights %s has not',
            m.relowner::regrole, current_user),
            'Run the move as a role that is a member of all owners, or as a superuser.'
        FROM m WHERE NOT pg_has_role(m.relowner, 'USAGE')
        UNION ALL SELECT 'both', true, m.tab, format('belongs to %s, who may not use schema %s',
            m.relowner::regrole, s.nspname), format('GRANT USAGE ON SCHEMA %I TO %s; the checks of '
            'foreign keys run as the owner.', s.nspname, m.relowner::regrole)
        FROM m, s WHERE NOT has_schema_privilege(m.relowner, s.oid, 'USAGE')
        UNION ALL SELECT 'online', true, m.tab, format('row-level security hides rows from %s',
            current_user), 'Run the migration as a role with BYPASSRLS.'
        FROM m WHERE row_security_active(m.rel)
        UNION ALL SELECT 'both', true, m.tab, 'a subscription writes to it',
            'Migrate the publisher; its findings say what to do here.'
        FROM m WHERE migrate.subscribed(m.rel)
            AND NOT coalesce(migrate.subscribed(to_regclass('migrate.done')), false)
        UNION ALL SELECT 'both', NOT told, format('publication %I', p.pubname),
            'sends ' || string_agg(DISTINCT m.tab, ', '),
            CASE WHEN told THEN 'Before any other step, run on each subscriber what the step '
                    '"subscriber" shows.'
                ELSE format('Load subscriber.sql here and on each subscriber. Here, ALTER '
                    'PUBLICATION %I ADD TABLE migrate.done; there, ALTER SUBSCRIPTION ... REFRESH '
                    'PUBLICATION.',
                    p.pubname) END
        FROM m JOIN pg_publication AS p ON p.puballtables OR EXISTS (SELECT
                FROM pg_publication_tables AS t, migrate.partitions(m.rel) AS part
                WHERE t.pubname = p.pubname AND m.att = ANY (t.attnames)
                    AND to_regclass(format('%I.%I', schemaname, tablename)) IN (m.rel, part)),
            LATERAL (SELECT EXISTS (SELECT FROM pg_publication_tables AS t
                WHERE t.pubname = p.pubname
                    AND (schemaname, tablename) = ('migrate', 'done'))) AS t (told)
        GROUP BY told, p.pubname

        -- the columns, and what is in the way
        UNION ALL SELECT 'online', true, m.col, 'is not unique by itself',
            format('CREATE UNIQUE INDEX CONCURRENTLY ON %s (%I);', m.tab, m.att)
        FROM m WHERE m.is_key AND migrate.key_index(target, key) IS NULL
        UNION ALL SELECT 'online', true, m.col, 'has no default',
            'Give it one, for the rows that are made after the swap need a key for the way back.'
        FROM m WHERE m.is_key AND NOT m.atthasdef AND m.attidentity = ''
            AND NOT migrate.subscribed(m.rel)
        UNION ALL SELECT 'both', true, m.col, format('has the domain %s', m.atttypid::regtype),
            'Its rules would be lost: give the column the base type first.'
        FROM m JOIN pg_type AS t ON t.oid = m.atttypid WHERE t.typtype = 'd'
        UNION ALL SELECT 'online', true, taken.what, 'is in the way of ' || taken.by, 'Rename it.'
        FROM (
            SELECT format('%s.%I', m.tab, a.attname), 'a new column' FROM m
                JOIN pg_attribute AS a ON a.attrelid = m.rel AND NOT a.attisdropped AND a.attname
                    IN (migrate.name('new_', m.att), migrate.name('old_', m.att))
            UNION SELECT t, 'the table of old numbers' FROM migrate.look_up_table(target) AS t
            WHERE to_regclass(t) IS NOT NULL
            UNION SELECT format('%I.%I', n.nspname, c.relname), 'a new index' FROM d,
                LATERAL (SELECT d.index UNION SELECT relid FROM pg_partition_tree(d.index)) AS t (x)
                JOIN pg_class AS i ON i.oid = t.x JOIN pg_namespace AS n ON n.oid = i.relnamespace
                JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname
                    IN (migrate.name('new_', i.relname), migrate.name('old_', i.relname))
            WHERE d.kind IN ('key', 'index')
            UNION SELECT format('constraint %I of %s', c.conname, d.tab), 'a new constraint'
            FROM d JOIN pg_constraint AS c ON c.conrelid = d.rel
            WHERE c.conname = migrate.check_name(d.att) OR d.kind = 'check' AND c.conname
                IN (migrate.name('new_', d.name), migrate.name('old_', d.name))
        ) AS taken (what, by) WHERE NOT EXISTS (SELECT FROM migrate.move AS o
            WHERE o.target = found.target AND o.conversion IS NULL)
        UNION ALL SELECT 'both', true, format('%s %I of %s', d.kind, d.name, d.tab),
            format('is moved by the migration of %s, too', o.target),
                format('Finish or cancel that '
                'one first, or if it has not begun, CALL migrate.forget(%L).', o.target)
        FROM d, migrate.move AS o, migrate.columns(o.target, o.key) AS c,
            migrate.dependents(c.rel, c.num) AS e
        WHERE o.target <> found.target AND (e.classid, e.objid) = (d.classid, d.objid)
            AND d.kind IN ('key', 'index', 'check')

        -- the triggers
        UNION ALL SELECT 'online', true, format('trigger %I of %s', t.tgname, m.tab),
            'fires after those that fill the new column', 'Give it a name that sorts before "~".'
        FROM m JOIN pg_trigger AS t ON t.tgrelid = m.rel
        WHERE NOT t.tgisinternal AND t.tgtype & 2 <> 0 AND t.tgname >= '~'
            AND t.tgname !~ '^~(old|new)_'
        UNION ALL SELECT 'online', true, format('trigger %I of %s', t, m.tab),
            'would fire on each row that is filled', migrate.without_triggers()
        FROM m, migrate.partitions(m.rel) AS part, migrate.triggers_in_batches(part) AS t
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
        UNION ALL SELECT 'online', false, format('%s %I of %s', d.kind, d.name, d.tab),
            'is unique, and has a copy from step "indexes" to the swap',
            'There INSERT ... ON CONFLICT may raise unique_violation: repeat it, or do both steps '
            'when nobody runs one.'
        FROM d JOIN pg_index ON indexrelid = d.index AND indisunique WHERE NOT d.is_key
        UNION ALL SELECT 'online', false, m.tab, format('%I holds timestamps of no time zone',
            a.attname),
                format('In the expression for the ids write %I AT TIME ZONE ''UTC'', or the '
                'zone it is in.', a.attname)
        FROM m JOIN pg_attribute AS a ON a.attrelid = m.rel
        WHERE m.is_key AND a.atttypid = 'timestamp'::regtype AND NOT a.attisdropped
        UNION ALL SELECT 'both', false, format('function %s', f.oid::regprocedure),
            format('its text has the words %s and %s', m.relname, m.att),
            'Look whether it declares variables or parameters of the old type.'
        FROM m JOIN pg_proc AS f
                ON f.prosrc ~ migrate.word(m.relname) AND f.prosrc ~ migrate.word(m.att)
            JOIN pg_namespace AS n ON n.oid = f.pronamespace
                AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'migrate')
        UNION ALL SELECT 'both', false, who, format('has %s = %s', name, value),
            'Its statements fail that wait longer for a step. The steps themselves set none.'
        FROM setting WHERE name ~ '^(statement|lock|transaction)_timeout$' AND value !~ '^0'
        UNION ALL SELECT 'both', false, who, format('has search_path = %s', value),
            format('Add %I, or its statements do not find the operators of %s.', s.nspname,
                new_type)
        FROM setting, s WHERE name = 'search_path' AND value !~ migrate.word(s.nspname)
            AND s.nspname <> 'pg_catalog'
    )
    SELECT DISTINCT one.stops, one.object, one.finding, one.remedy FROM one
    WHERE one.way = 'both' OR NOT in_place;
END
$$;

CREATE OR REPLACE FUNCTION migrate.findings(target regclass, key name, new_type regtype,
    in_place boolean DEFAULT false) RETURNS TABLE (stops boolean, finding text)
LANGUAGE sql STABLE AS $$
    SELECT f.stops, concat(object, E'\n', (SELECT string_agg(line[1], E'\n') FROM regexp_matches(
            format('%s. %s', f.finding, remedy), '(?:(?!\s).{1,75}|\S+)(?=\s|$)', 'g') AS line))
    FROM migrate.found(target, key, new_type, in_place) AS f
    ORDER BY f.stops DESC, object, f.finding
$$;
COMMENT ON FUNCTION migrate.findings IS
    'what stops a migration, or is to be looked at, and what to do about it';

-- What each step has to do

CREATE OR REPLACE FUNCTION migrate.no_strangers(target regclass, key name, prefix text) RETURNS void
LANGUAGE plpgsql STABLE AS $$
DECLARE
    stranger text;
BEGIN
    SELECT format('%s depends on column %I of %s', pg_describe_object(d.classid, d.objid, 0),
        a.attname, m.tab) INTO stranger
    FROM migrate.columns(target, key) AS m, LATERAL (SELECT m.rel UNION SELECT relid
            FROM pg_partition_tree(m.rel)) AS t (rel), pg_attribute AS a,
        migrate.dependents(t.rel, a.attnum) AS d
    WHERE a.attrelid = t.rel AND a.attname = migrate.name(prefix, m.att)
        AND d.kind NOT IN ('default', 'sequence', 'not null')
        AND coalesce(d.name, '') <> migrate.check_name(m.att)
        AND NOT EXISTS (SELECT FROM pg_index JOIN pg_class AS o ON o.oid = indexrelid
            WHERE indrelid = t.rel AND d.name = migrate.name(prefix, o.relname)
            UNION ALL SELECT FROM pg_constraint
            WHERE conrelid = t.rel AND d.name = migrate.name(prefix, conname));
    IF FOUND THEN
        RAISE EXCEPTION '%', stranger USING HINT = 'It would be lost: drop it, and call again.';
    END IF;
END
$$;

-- The table of old numbers is for those who may read the key.
CREATE OR REPLACE FUNCTION migrate.look_up(target regclass, key name) RETURNS text[]
LANGUAGE sql STABLE AS $$
    SELECT array_remove(ARRAY[CASE WHEN obj_description(to_regclass(look), 'pg_class') = said
            THEN 'DROP TABLE ' || look END,
        format('CREATE TABLE %s AS SELECT %I AS id, %I AS new_id FROM %s', look,
            migrate.name('old_', key), key, tab),
        format('ALTER TABLE %s ADD PRIMARY KEY (id)', look),
        format('ALTER TABLE %s OWNER TO %s', look, c.relowner::regrole),
        format('SELECT migrate.grant_only(%L, %L)', look, acldefault('r', c.relowner) || ARRAY(
            SELECT makeaclitem(grantee, c.relowner, 'SELECT', false) FROM (SELECT c.relacl UNION
                ALL SELECT attacl FROM pg_attribute WHERE attrelid = target AND attname = key)
                AS t (acl), aclexplode(acl)
            WHERE privilege_type = 'SELECT' AND grantee <> c.relowner GROUP BY 1))]
        || CASE WHEN c.relrowsecurity THEN ARRAY[
            format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', look),
            format('CREATE POLICY as_the_key ON %s FOR SELECT USING (EXISTS (SELECT FROM %s AS p '
                'WHERE p.%I = new_id))', look, tab, key)] END
        || format('COMMENT ON TABLE %s IS %L', look, said), NULL)
    FROM pg_class AS c, migrate.look_up_table(target) AS look, migrate.table_name(target) AS tab,
        concat('old and new ids of ', tab) AS said
    WHERE c.oid = target
$$;

CREATE OR REPLACE FUNCTION migrate.need_valid(rel regclass, name name) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_constraint WHERE (conrelid, conname, convalidated) = ($1, $2,
        true))
    THEN
        RAISE EXCEPTION 'constraint "%" of % is not valid: SET NOT NULL would scan under its lock',
            name, rel USING HINT = 'Run the step "prove" again.';
    END IF;
END
$$;

-- The proofs of a column: no row lacks the companion, and both lead to the same row.  SET NOT NULL
-- scans nothing while a valid CHECK proves that there is no NULL.
CREATE OR REPLACE FUNCTION migrate.proofs(target regclass, key name, new_type regtype)
RETURNS TABLE (kind text, tables text[], statements text[], done boolean)
LANGUAGE sql STABLE AS $$
    SELECT i.kind, ARRAY[m.tab], i.statements, coalesce(i.done, false)
    FROM migrate.columns(target, key) AS m, migrate.incoming(target, key) AS incoming,
        migrate.name(incoming, m.att) AS own, migrate.check_name(m.att) AS checked,
        migrate.subscribed(m.rel) AS fed,
        LATERAL (SELECT (SELECT attnotnull FROM pg_attribute WHERE attrelid = m.rel
                AND attname = own), m.required AND (incoming = 'new_' OR NOT m.is_key),
            (SELECT convalidated FROM pg_constraint WHERE conrelid = m.rel AND conname = checked)
            ) AS s (is_set, required, valid), LATERAL (VALUES
        (1, 'brief', ARRAY[format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%s) NOT VALID', m.tab,
                checked, CASE WHEN s.required THEN format('%I IS NOT NULL', own)
                    ELSE format('(%I IS NULL) = (%I IS NULL)', m.att, own) END)],
            is_set AND s.required OR valid IS NOT NULL, dangling = 'stop'),
        (2, 'call', ARRAY[format('CALL migrate.fill(%L, %L)', migrate.table_name(target), m.tab)],
            is_set AND s.required OR valid, NOT fed AND dangling = 'stop' AND incoming = 'new_'),
        (3, 'plain', ARRAY[format('ALTER TABLE %s VALIDATE CONSTRAINT %I', m.tab, checked)],
            is_set AND s.required OR valid, dangling = 'stop'),
        (4, 'brief', ARRAY[format('SELECT migrate.need_valid(%L, %L)', m.tab, checked),
                format('ALTER TABLE %s ALTER %I SET NOT NULL', m.tab, own),
                format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', m.tab, checked)]
                || CASE WHEN m.is_key THEN migrate.not_following('new_', m.att, m.tab) END,
            is_set, s.required),
        (5, 'plain', ARRAY[format('SELECT migrate.compare(%L, %L, %L, %L, %L)',
                migrate.table_name(target), key, m.tab, m.att, incoming)],
            EXISTS (SELECT FROM migrate.proved AS p WHERE (p.target, p.rel, p.att)
                = (proofs.target, m.rel, own)), NOT m.is_key)
        ) AS i (n, kind, statements, done, wanted)
    WHERE i.wanted AND (NOT m.is_key OR incoming = 'new_') ORDER BY m.is_key DESC, m.tab, m.num, i.n
$$;

CREATE OR REPLACE FUNCTION migrate.under_way(target regclass) RETURNS migrate.move
LANGUAGE plpgsql STABLE AS $$
DECLARE
    v migrate.move;
BEGIN
    SELECT * INTO v FROM migrate.move AS o WHERE o.target = $1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no move of % is under way', target USING HINT = 'CALL migrate.prepare() '
            'first; on a subscriber, see the publisher''s step "subscriber".';
    END IF;
    RETURN v;
END
$$;

-- All units of a step, those done as well: a "brief" or "swap" one takes strong locks on tables, a
-- "plain" one none, an "alone" one runs outside of a transaction, and a "call" makes its own ones.
CREATE OR REPLACE FUNCTION migrate.items(target regclass, step text, texts boolean)
RETURNS TABLE (kind text, tables text[], statements text[], done boolean)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v        migrate.move := migrate.under_way(target);
    tab      text := migrate.table_name(target);
    incoming text := migrate.incoming(target, v.key);
    begun    boolean := migrate.has_column(target, migrate.name('new_', v.key))
        OR incoming = 'old_';
    fed      boolean := migrate.subscribed(target);
    path     text := migrate.path(target, v.key, v.new_type);
    key_ids  text := coalesce(v.ids, format('(SELECT k.new_id FROM %s AS k WHERE k.id = p.%I)',
                        migrate.keys_table(target), v.key));
    every    text[] := ARRAY(SELECT DISTINCT c.tab FROM migrate.columns(target, v.key) AS c);
    locking  text := format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', array_to_string(every, ', '));
    m        record;
    one      text;
    size     bigint;
    part     bigint;
    page     bigint;
BEGIN
    IF (v.conversion IS NULL) = (step = 'in place') AND step <> 'subscriber'
        OR step NOT IN ('column', 'keys', 'fill', 'indexes', 'prove', 'swap', 'prove back', 'back',
            'finish', 'cancel', 'in place', 'subscriber')
    THEN
        RAISE EXCEPTION 'there is no step "%" for %', step, target USING HINT = format(
            'SELECT * FROM migrate.steps(%L) lists the steps.', tab);
    END IF;
    PERFORM set_config('search_path', path, true);
    IF step IN ('swap', 'back', 'in place') THEN
        IF step = 'swap' AND incoming = 'new_' OR step = 'back' AND incoming = 'old_'
            OR step = 'in place' AND migrate.type_of(target, v.key) <> v.new_type::text
        THEN
            RETURN QUERY SELECT 'swap', every, CASE WHEN step = 'in place'
                THEN migrate.in_place(target) ELSE migrate.swap(target, v.key, v.new_type, step)
                    END,
                false;
            RETURN QUERY SELECT r.kind, r.tables, r.statements, false
                FROM migrate.rest_of(target, v.key, step) AS r;
        ELSE
            RETURN QUERY SELECT r.kind, r.tables, r.statements, false FROM migrate.rest AS r
                WHERE (r.target, r.step) = (items.target, items.step) ORDER BY r.n;
        END IF;
        IF step = 'in place' THEN
            RETURN QUERY SELECT 'plain', every, ARRAY[format('CALL migrate.forget(%L)', tab)],
                false;
        END IF;
    ELSIF step = 'finish' THEN
        RETURN QUERY SELECT 'plain', every, migrate.look_up(target, v.key), false;
        RETURN QUERY SELECT 'swap', every, array_remove(ARRAY[locking, format(
                'SELECT migrate.no_strangers(%L, %L, %L)', tab, v.key, 'old_')]
            || (SELECT array_agg(s) FROM migrate.columns(target, v.key) AS c, unnest(
                migrate.not_following('old_', c.att, c.tab) || CASE WHEN c.dangling = 'stop'
                    THEN format('ALTER TABLE %s DROP COLUMN %I', c.tab, migrate.name('old_', c.att))
                    END) AS s)
            || format('DROP TABLE IF EXISTS %s', migrate.keys_table(target))
            || migrate.added(target, step) || format('CALL migrate.forget(%L)', tab), NULL), false;
    ELSIF step = 'cancel' THEN
        RETURN QUERY SELECT 'swap', every, array_remove(ARRAY[locking, format(
                'SELECT migrate.no_strangers(%L, %L, %L)', tab, v.key, 'new_')]
            || (SELECT array_agg(s) FROM migrate.columns(target, v.key) AS c, unnest(
                migrate.not_following('new_', c.att, c.tab)
                || format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', c.tab,
                    migrate.check_name(c.att))
                || format('ALTER TABLE %s DROP COLUMN IF EXISTS %I', c.tab,
                    migrate.name('new_', c.att))) AS s)
            || (SELECT format('DROP INDEX IF EXISTS %I.%I', nspname, migrate.name('old_',
                    migrate.key_index(target, v.key)))
                FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
                WHERE c.oid = target)
            || format('DROP TABLE IF EXISTS %s', migrate.keys_table(target))
            || migrate.added(target, step) || format('CALL migrate.forget(%L)', tab), NULL), false;
    ELSIF step = 'subscriber' THEN
        RETURN QUERY SELECT 'show', NULL::text[], ARRAY[s], false
            FROM migrate.subscriber_script(target) AS s;
    ELSIF (step = 'prove back') <> (incoming = 'old_') THEN
        RETURN QUERY SELECT 'plain', every, ARRAY['-- done before the swap'], true;
    ELSIF step = 'column' THEN
        RETURN QUERY SELECT 'call', every, ARRAY[format('CALL migrate.rehearse(%L)', tab)], begun;
        IF v.ids IS NOT NULL AND NOT fed THEN
            RETURN QUERY SELECT 'plain', every, ARRAY[format('SELECT migrate.prove_ids(%L)', tab)],
                begun;
        END IF;
        FOR m IN SELECT c.*, migrate.name('new_', c.att) AS own
            FROM migrate.columns(target, v.key) AS c
        LOOP
            RETURN QUERY SELECT 'brief', ARRAY[m.tab],
                ARRAY[format('ALTER TABLE %s ADD COLUMN %I %s',
                    m.tab, m.own, v.new_type)]
                || CASE WHEN fed THEN NULL WHEN m.is_key THEN format('ALTER TABLE %s ALTER %I SET '
                    'DEFAULT %s', m.tab, m.own, v.generator) END
                || CASE WHEN fed THEN NULL WHEN NOT m.is_key THEN migrate.following(target, v.key,
                    m.tab, m.att, 'new_', v.new_type::text, v.ids, path) WHEN v.ids IS NOT NULL
                    THEN migrate.pin(target, v.key, v.ids, v.generator, path) END,
                migrate.has_column(m.rel, m.own);
        END LOOP;
    ELSIF step = 'keys' AND v.keys IS NOT NULL AND NOT fed THEN
        one := migrate.keys_table(target);
        RETURN QUERY SELECT 'plain', every, ARRAY[format('CREATE TABLE %s (id, new_id) AS SELECT '
            '%I, NULL::%s FROM %s WITH NO DATA', one, v.key, v.new_type, tab)],
            to_regclass(one) IS NOT NULL;
        RETURN QUERY SELECT 'plain', every, ARRAY[s], EXISTS (SELECT FROM migrate.log AS l
                WHERE l.move = v.n AND l.statement = s AND l.ended IS NOT NULL AND l.error IS NULL)
            FROM generate_series(2, greatest(2, cardinality(v.pieces))) AS i, concat('INSERT INTO ',
                one, ' ', CASE WHEN v.pieces IS NULL THEN v.keys ELSE replace(replace(v.keys, '$1',
                    quote_literal(v.pieces[i - 1])), '$2', quote_literal(v.pieces[i])) END) AS s;
        RETURN QUERY SELECT 'plain', every, ARRAY[format('ALTER TABLE %s ADD PRIMARY KEY (id), ADD '
            'UNIQUE (new_id)', one)], EXISTS (SELECT FROM pg_constraint
            WHERE conrelid = to_regclass(one) AND contype = 'u');
        RETURN QUERY SELECT 'brief', ARRAY[tab], migrate.pin(target, v.key, key_ids, v.generator,
            path), EXISTS (SELECT FROM pg_trigger AS t WHERE t.tgrelid = items.target
                AND tgname = migrate.follow_trigger('new_', v.key, 0)
                UNION ALL SELECT FROM pg_attribute WHERE attrelid = items.target AND attnotnull
                AND attname = migrate.name('new_', v.key));
    ELSIF step = 'fill' AND NOT fed THEN
        FOR m IN SELECT f.leaf, migrate.table_name(f.leaf) AS tab FROM (
                SELECT DISTINCT c.rel <> target AS last, migrate.partitions(c.rel) AS leaf
                FROM migrate.columns(target, v.key) AS c) AS f ORDER BY f.last, 2
        LOOP
            SELECT coalesce(max(l.page), 0), bool_or(l.page IS NULL) INTO page, done
                FROM migrate.log AS l WHERE l.move = v.n AND l.rel = m.tab AND l.step = 'fill'
                    AND (l.page IS NOT NULL OR l.ended IS NOT NULL AND l.error IS NULL);
            size := pg_relation_size(m.leaf) / current_setting('block_size')::int;
            part := greatest(128, (size + 9) / 10);
            LOOP
                RETURN QUERY SELECT 'call', ARRAY[m.tab],
                    ARRAY[format('CALL migrate.fill(%L, %L, %s, '
                    '%s)', tab, m.tab, page, coalesce((CASE WHEN page + part < size THEN page + part
                        END)::text,
                    'NULL'))],
                    coalesce(items.done, false);
                RETURN QUERY SELECT 'alone', ARRAY[m.tab],
                    ARRAY[format('VACUUM (TRUNCATE false) %s',
                    m.tab)], coalesce(items.done, false);
                page := page + part;
                EXIT WHEN items.done OR page >= size;
            END LOOP;
        END LOOP;
    ELSIF step IN ('indexes', 'prove back') THEN
        RETURN QUERY SELECT * FROM migrate.builds(target, v.key, v.new_type, texts);
        IF step = 'prove back' THEN
            RETURN QUERY SELECT * FROM migrate.proofs(target, v.key, v.new_type);
        ELSE
            RETURN QUERY SELECT 'plain', ARRAY[s], ARRAY['ANALYZE ' || s], EXISTS (SELECT
                FROM migrate.log AS l WHERE l.move = v.n AND l.statement = 'ANALYZE ' || s
                AND l.ended IS NOT NULL AND l.error IS NULL) FROM unnest(every) AS s;
        END IF;
    ELSIF step = 'prove' THEN
        RETURN QUERY SELECT * FROM migrate.proofs(target, v.key, v.new_type);
        FOR m IN SELECT d.*, migrate.name('new_', d.name) AS own, o.convalidated,
                n.convalidated AS valid
            FROM migrate.definitions(target, v.key, v.new_type, '{check}', texts) AS d
                JOIN pg_constraint AS o ON o.oid = d.objid LEFT JOIN pg_constraint AS n
                    ON n.conrelid = d.rel AND n.conname = migrate.name('new_', d.name)
        LOOP
            RETURN QUERY SELECT 'brief', ARRAY[m.tab],
                ARRAY[format('ALTER TABLE %s ADD CONSTRAINT %I '
                '%s NOT VALID', m.tab, m.own, regexp_replace(m.definition, ' NOT VALID$', ''))],
                m.valid IS NOT NULL;
            IF m.convalidated THEN
                RETURN QUERY SELECT 'plain', ARRAY[m.tab], ARRAY[format('ALTER TABLE %s VALIDATE '
                    'CONSTRAINT %I', m.tab, m.own)], coalesce(m.valid, false);
            END IF;
        END LOOP;
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION migrate.in_place(target regclass) RETURNS text[]
LANGUAGE sql STABLE AS $$
    WITH v AS (
        SELECT o.* FROM migrate.move AS o WHERE o.target = in_place.target
    ), m AS (
        SELECT m.*, a.attidentity, a.atthasdef, v.new_type, v.generator, v.conversion
        FROM v, migrate.columns(v.target, v.key) AS m
            JOIN pg_attribute AS a ON (a.attrelid, a.attnum) = (m.rel, m.num)
    ), line (place, sub, texts) AS (
        SELECT 1, 0, ARRAY[format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE',
            string_agg(DISTINCT tab, ', '))] FROM m
        UNION ALL SELECT 3, -place, ARRAY[dropped] FROM v, migrate.made_again(v.target, v.key)
        UNION ALL SELECT 4, 0, dropped FROM v, migrate.foreign_keys(v.target, v.key)
        UNION ALL SELECT 5, 0, ARRAY[format('ALTER TABLE %s ALTER %I DROP %s', tab, att,
            CASE WHEN attidentity <> '' THEN 'IDENTITY' ELSE 'DEFAULT' END)] FROM m
            WHERE is_key AND (atthasdef OR attidentity <> '')
        UNION ALL SELECT 6, 0, ARRAY[format('ALTER TABLE %s %s', tab, string_agg(format(
            'ALTER %I TYPE %s USING %s', att, new_type, format(conversion, quote_ident(att))), ', '
            ORDER BY num))] FROM m GROUP BY tab
        UNION ALL SELECT 7, 0, ARRAY[format('ALTER TABLE %s ALTER %I SET DEFAULT %s', tab, att,
            generator)] FROM m WHERE is_key AND generator IS NOT NULL
        UNION ALL SELECT 8, 0, made FROM v, migrate.foreign_keys(v.target, v.key)
        UNION ALL SELECT 9, place, made FROM v, migrate.made_again(v.target, v.key)
        UNION ALL SELECT 10, r.n::int,
            ARRAY[format('INSERT INTO migrate.rest (target, step, kind, tables, '
            'statements) VALUES (%L, %L, %L, %L, %L)', migrate.table_name(v.target), 'in place',
            r.kind, r.tables, r.statements)] FROM v, migrate.rest_of(v.target, v.key, 'in place')
            WITH ORDINALITY AS r (kind, tables, statements, n)
        UNION ALL SELECT 11, 0, migrate.added(target, 'in place')
    )
    SELECT array_agg(text ORDER BY place, sub, texts, n) FROM line,
        unnest(texts) WITH ORDINALITY AS t (text, n) WHERE text IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION migrate.plan(target regclass, step text)
RETURNS TABLE (n bigint, kind text, statement text, hash text) LANGUAGE sql AS $$
    SELECT row_number() OVER (), i.kind, array_to_string(i.statements, E';\n'),
        md5(string_agg(i.statements::text, ' ') OVER ())
    FROM migrate.items(target, step, true) AS i WHERE NOT i.done
$$;
COMMENT ON FUNCTION migrate.plan IS
    'what a step would run now, and a hash of it that migrate.step() can be given';

CREATE OR REPLACE FUNCTION migrate.step(target regclass, step text, hash text DEFAULT NULL)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    tab text := migrate.table_name(target);
    one record;
BEGIN
    FOR one IN SELECT p.*, row_number() OVER () = 1 AS first FROM migrate.plan(target, step) AS p
        LOOP
        IF one.hash <> step.hash THEN
            RAISE EXCEPTION 'step "%" of % would run something else now', step, target
                USING HINT = 'SELECT * FROM migrate.plan() shows it.';
        ELSIF one.first AND one.kind <> 'show' THEN
            RETURN NEXT format('CALL migrate.settings(%L)', tab);
        END IF;
        IF one.kind IN ('call', 'show') THEN
            RETURN NEXT one.statement;
        ELSIF one.kind = 'alone' THEN
            RETURN NEXT format('CALL migrate.note(%L, %L, %L)', tab, step, one.statement);
            RETURN QUERY SELECT string_to_table(one.statement, E';\n');
        ELSE
            RETURN NEXT format('CALL migrate.run(%L, %L, %L)', tab, step, md5(one.statement));
        END IF;
    END LOOP;
    IF one IS NULL THEN
        RAISE NOTICE 'nothing is left to do in step "%" of %', step, target;
    ELSIF one.kind <> 'show' THEN
        RETURN NEXT 'CALL migrate.settings(NULL)';
    END IF;
END
$$;
COMMENT ON FUNCTION migrate.step IS
    'the statements that run what is left of a step, in order, for \gexec';

CREATE OR REPLACE FUNCTION migrate.steps(target regclass)
RETURNS TABLE (step text, statements bigint, done bigint) LANGUAGE sql AS $$
    SELECT s, count(i), count(*) FILTER (WHERE i.done) FROM migrate.under_way(target) AS v,
        unnest(CASE WHEN v.conversion IS NOT NULL THEN ARRAY['in place'] ELSE ARRAY['column',
            'keys',
            'fill', 'indexes', 'prove', 'swap', 'finish'] END) WITH ORDINALITY AS t (s, n)
        LEFT JOIN LATERAL migrate.items(target, s, false) AS i ON true
    WHERE s <> 'keys' OR v.keys IS NOT NULL GROUP BY t.n, s ORDER BY t.n
$$;
COMMENT ON FUNCTION migrate.steps IS
    'the steps of a move in their order, and how much of each is done';

-- Running

CREATE OR REPLACE FUNCTION migrate.holders(tables oid[], waiter int) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT coalesce(string_agg(who, ', ' ORDER BY who), 'nobody now') FROM (
        SELECT format('%s (%s)', a.pid, coalesce(a.state, a.backend_type))
            FROM pg_stat_activity AS a
        WHERE a.pid <> waiter AND (a.pid = ANY (pg_blocking_pids(waiter)) OR EXISTS (SELECT
            FROM pg_locks AS l WHERE l.pid = a.pid AND l.relation = ANY (tables) AND l.granted))
        UNION ALL
        SELECT format('prepared transaction %L', gid) FROM pg_prepared_xacts AS x
        WHERE x.database = current_database() AND (0 = ANY (pg_blocking_pids(waiter)) OR EXISTS (
            SELECT FROM pg_locks AS l WHERE l.pid IS NULL AND l.relation = ANY (tables)
                AND split_part(l.virtualtransaction, '/', 2) = x.transaction::text))) AS t (who)
$$;
COMMENT ON FUNCTION migrate.holders IS 'the sessions and prepared transactions that hold locks';

-- The settings of a role or database must not end a step: those that a session is given for one.
CREATE OR REPLACE PROCEDURE migrate.settings(target regclass) LANGUAGE plpgsql AS $$
DECLARE
    saved text := current_setting('migrate.saved', true);
BEGIN
    CALL migrate.note(NULL, NULL, NULL);
    IF target IS NULL THEN
        PERFORM set_config(key, value, false) FROM json_each_text(nullif(saved, '')::json);
        PERFORM set_config('migrate.saved', '', false);
        RETURN;
    ELSIF coalesce(saved, '') = '' THEN
        PERFORM set_config('migrate.saved', json_object_agg(name, setting)::text, false)
        FROM pg_settings WHERE name ~ '^(statement_|lock_|transaction_|idle_in.*)timeout$'
            OR name IN ('search_path', 'default_tablespace', 'default_transaction_read_only');
    END IF;
    PERFORM set_config(name, '0', false) FROM pg_settings
        WHERE name ~ '^(statement_|lock_|transaction_|idle_in.*)timeout$';
    PERFORM set_config('default_transaction_read_only', 'off', false), set_config('search_path',
        migrate.path(v.target, v.key, v.new_type), false) FROM migrate.under_way(settings.target) AS
            v;
END
$$;

-- What runs outside of a transaction cannot log itself: this notes that it begins, and the next
-- call, how the one before ended.
CREATE OR REPLACE PROCEDURE migrate.note(target regclass, step text, statement text)
LANGUAGE sql AS $$
    UPDATE migrate.log AS l SET ended = clock_timestamp(), error = CASE
        WHEN l.statement ~ 'INDEX CONCURRENTLY' AND NOT EXISTS (SELECT FROM pg_index
            JOIN pg_class AS c ON c.oid = indexrelid WHERE indisvalid AND strpos(l.statement,
                format(' %I ON %s ', c.relname, migrate.table_name(indrelid))) > 0)
        THEN 'failed: see the message of the server'
        WHEN l.statement !~ 'INDEX CONCURRENTLY|^VACUUM' THEN 'its session ended' END
    WHERE l.ended IS NULL AND (l.pid = pg_backend_pid() OR NOT EXISTS (SELECT
        FROM pg_stat_activity AS a WHERE a.pid = l.pid AND a.backend_start < l.began));
    INSERT INTO migrate.log (move, target, step, statement)
    SELECT o.n, migrate.table_name(o.target), note.step, note.statement FROM migrate.move AS o
    WHERE o.target = note.target AND note.statement IS NOT NULL
$$;

-- The swap must find what the steps before it make, as psql goes on after an error.
CREATE OR REPLACE FUNCTION migrate.refuse_unready(target regclass, step text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    v       migrate.move := migrate.under_way(target);
    missing text;
BEGIN
    SELECT string_agg(s, E'\n') INTO missing
    FROM (SELECT left(array_to_string(i.statements, '; '), 200) FROM unnest(CASE step WHEN 'swap'
        THEN '{column,fill,indexes,prove}'
        WHEN 'back' THEN '{prove back}' ELSE '{}' END::text[]) AS s,
        migrate.items(target, s, false) AS i
    WHERE NOT i.done AND i.statements[1] !~ '^(ANALYZE|VACUUM)' LIMIT 10) AS t (s);
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION '% is not ready for step "%"', target, step USING DETAIL = missing,
            HINT = format('Run step "%s" again: it returns what is left to do.',
                CASE step WHEN 'back' THEN 'prove back' ELSE 'column", "fill", "indexes" and "prove'
                    END);
    ELSIF (step = 'finish') <> (migrate.incoming(target, v.key) = 'old_') AND step IN ('finish',
        'cancel') OR step = 'cancel' AND migrate.incoming(target, v.key) = 'old_'
    THEN
        RAISE EXCEPTION 'step "%" of % comes % the swap', step, target,
            CASE step WHEN 'finish' THEN 'after' ELSE 'before' END
            USING HINT = CASE step WHEN 'finish' THEN 'Run the step "swap".'
                ELSE 'Run the steps "prove back" and "back", or "finish".' END;
    ELSIF EXISTS (SELECT FROM migrate.rest AS r WHERE r.target = $1
        AND r.statements[1] !~ '^ANALYZE') THEN
        RAISE EXCEPTION 'the foreign keys of % are not yet complete', target
            USING HINT = 'Run the step of the last swap again: it returns what is left to do.';
    END IF;
END
$$;

-- Runs one unit in the transaction of the caller.
CREATE OR REPLACE FUNCTION migrate.execute(target regclass, step text, kind text, statements text[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v       migrate.move := migrate.under_way(target);
    one     text;
    was     jsonb;
    differs text;
    state   text;
    message text;
    detail  text;
    hint    text;
BEGIN
    PERFORM set_config('search_path', concat_ws(', ', migrate.path(target, v.key, v.new_type),
        nullif(v.path, '')), true), set_config('client_min_messages', 'warning', true);
    FOREACH one IN ARRAY array_remove(statements, NULL) LOOP
        EXECUTE one;
        IF kind = 'swap' AND was IS NULL THEN        -- it has the lock now
            was := jsonb_object_agg(p.object || ', ' || p.what, p.value)
                FROM migrate.picture(target, v.key) AS p;
        END IF;
    END LOOP;
    DELETE FROM migrate.rest AS r WHERE (r.target, r.step, r.statements) = ($1, $2, $4);
    IF kind = 'swap' THEN
        one := NULL;
        SELECT string_agg(format('%s: was %s, would be %s', key, coalesce(a.value, 'none'),
            coalesce(b.value, 'none')), E'\n' ORDER BY key) INTO differs
        FROM jsonb_each_text(was) AS a FULL JOIN jsonb_each_text((SELECT jsonb_object_agg(
            p.object || ', ' || p.what, p.value) FROM migrate.picture(target, v.key) AS p)) AS b
            USING (key)
        WHERE a.value IS DISTINCT FROM b.value;
        IF differs IS NOT NULL THEN
            RAISE EXCEPTION 'step "%" of % would change what it has to keep', step, target
                USING DETAIL = differs, HINT = 'Nothing has changed. Drop these objects, and make '
                    'them anew after the swap; or do by hand what differs, and call again.';
        END IF;
    END IF;
EXCEPTION
    WHEN lock_not_available OR deadlock_detected THEN
        RAISE;
    WHEN OTHERS THEN
        GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
            detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
        RAISE EXCEPTION USING ERRCODE = state, MESSAGE = message, HINT = coalesce(nullif(hint, ''),
                'Nothing has changed. Settle this, and call migrate.step() again.'),
            DETAIL = concat_ws(E'\n', nullif(detail, ''), 'Step "' || step || '": ' || left(one,
                300));
END
$$;

-- A statement that waits for a lock makes all others queue behind it.  So each attempt waits for
-- a short time, and less for each lock the more of them there are: an attempt is over before
-- deadlock_timeout could cancel a client.
CREATE OR REPLACE PROCEDURE migrate.run(target regclass, step text, hash text) LANGUAGE plpgsql
    AS $$
DECLARE
    v        migrate.move := migrate.under_way(target);
    kind     text := 'swap';
    tables   text[];
    texts    text[];
    locked   oid[];
    patience int;                   -- milliseconds a lock
    entry    bigint;
    state    text;
    message  text;
    detail   text;
    hint     text;
    done     boolean := false;
BEGIN
    IF step = 'rehearse' THEN
        tables := ARRAY(SELECT DISTINCT tab FROM migrate.columns(target, v.key));
    ELSE
        SELECT i.kind, i.tables, i.statements INTO kind, tables, texts
        FROM migrate.items(target, step, true) AS i
        WHERE NOT i.done AND md5(array_to_string(i.statements, E';\n')) = hash;
    END IF;
    IF texts IS NULL AND EXISTS (SELECT FROM migrate.log AS l WHERE l.move = v.n
        AND l.step = run.step
        AND md5(l.statement) = hash AND l.ended IS NOT NULL AND l.error IS NULL)
    THEN
        RAISE NOTICE 'this has been done';
        RETURN;
    ELSIF texts IS NULL AND step <> 'rehearse' THEN
        RAISE EXCEPTION 'step "%" of % would run something else now', step, target
            USING HINT = 'SELECT * FROM migrate.plan() shows it; migrate.step() runs it.';
    END IF;
    IF kind = 'swap' AND step <> 'rehearse' THEN
        PERFORM migrate.refuse_unready(target, step);
    END IF;
    locked := ARRAY(SELECT t::regclass::oid FROM unnest(tables) AS t UNION
        SELECT relid FROM unnest(tables) AS t, pg_partition_tree(t::regclass));
    patience := CASE WHEN kind <> 'plain' THEN greatest(1, least(300, 0.9
        * (SELECT setting::int FROM pg_settings WHERE name = 'deadlock_timeout')
        / cardinality(locked))) ELSE 0 END;
    INSERT INTO migrate.log (move, target, step, statement) VALUES (v.n, migrate.table_name(target),
        step, coalesce(array_to_string(texts, E';\n'), 'CALL migrate.rehearse()'))
        RETURNING n INTO entry;
    COMMIT;
    FOR attempt IN 1 .. 2000000000 LOOP
        BEGIN
            PERFORM set_config('lock_timeout', patience::text, true);
            IF step = 'rehearse' THEN
                PERFORM migrate.rehearsal(target);
            ELSE
                PERFORM migrate.execute(target, step, kind, texts);
            END IF;
            done := true;
        EXCEPTION
            WHEN lock_not_available OR deadlock_detected THEN
                done := false;
            WHEN OTHERS THEN
                GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
                    detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
                done := true;
        END;
        IF done THEN
            UPDATE migrate.log AS l SET ended = clock_timestamp(),
                error = CASE WHEN state <> 'REHEA' THEN message END WHERE l.n = entry;
        END IF;
        COMMIT;
        EXIT WHEN done;
        RAISE NOTICE 'attempt %: no lock on % within % ms; held by %', attempt,
            array_to_string(tables, ', '), patience,
            migrate.holders(locked, pg_backend_pid());
        PERFORM pg_sleep(least(attempt, 10));
    END LOOP;
    IF state = 'REHEA' THEN
        RAISE NOTICE '%', message;
    ELSIF state IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = state, MESSAGE = message, DETAIL = detail, HINT = coalesce(
            nullif(hint, ''), 'Settle this, and call migrate.step() again.');
    END IF;
END
$$;
COMMENT ON PROCEDURE migrate.run IS
    'runs a unit of a step in one transaction, again and again until its locks are granted at once';

-- Runs the steps on emptied tables, so that it takes no longer with more rows, and the swap has its
-- indexes and keys.  It ends with an error, which rolls all of it back.
CREATE OR REPLACE FUNCTION migrate.rehearsal(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v      migrate.move := migrate.under_way(target);
    every  oid[] := ARRAY(SELECT DISTINCT rel FROM migrate.columns(target, v.key));
    names  text := (SELECT string_agg(migrate.table_name(e), ', ') FROM unnest(every) AS e);
    since  timestamptz;
    one    text;
    step   text;
    item   record;
BEGIN
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', names);
    since := clock_timestamp();
    FOR one IN SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', migrate.table_name(conrelid),
        conname)
        FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND confrelid = ANY (every)
            AND coalesce(pg_partition_root(conrelid), conrelid)::oid <> ALL (every)
    LOOP
        EXECUTE one;
    END LOOP;
    IF migrate.may_replicate() THEN         -- no trigger fires for that
        PERFORM set_config('session_replication_role', 'replica', true);
    END IF;
    EXECUTE 'TRUNCATE ' || names;
    IF migrate.may_replicate() THEN
        PERFORM set_config('session_replication_role', 'origin', true);
    END IF;
    FOREACH step IN ARRAY CASE WHEN v.conversion IS NOT NULL THEN ARRAY['in place']
        ELSE CASE migrate.incoming(target, v.key) WHEN 'new_'
            THEN ARRAY['column', 'keys', 'indexes', 'prove', 'swap'] ELSE '{}' END
            || ARRAY['finish', 'prove back', 'back'] END
    LOOP
        BEGIN
            FOR item IN SELECT * FROM migrate.items(target, step, true) AS i WHERE NOT i.done
                AND i.kind <> 'call' AND i.statements[1] !~ '^VACUUM|^SELECT migrate.prove_ids'
            LOOP
                PERFORM migrate.execute(target, step, item.kind, ARRAY(SELECT replace(s,
                    ' CONCURRENTLY ', ' ') FROM unnest(item.statements) AS s));
            END LOOP;
            IF step = 'finish' THEN
                RAISE EXCEPTION USING ERRCODE = 'UNDON';
            END IF;
        EXCEPTION WHEN SQLSTATE 'UNDON' THEN
            NULL;                           -- the way back begins before it
        END;
    END LOOP;
    RAISE EXCEPTION USING ERRCODE = 'REHEA', MESSAGE = format('the rehearsal succeeded, and held '
        'the locks for %s ms', round(1000 * extract(epoch FROM clock_timestamp() - since)));
END
$$;

CREATE OR REPLACE PROCEDURE migrate.rehearse(target regclass) LANGUAGE plpgsql AS $$
BEGIN
    CALL migrate.run(target, 'rehearse', NULL);
END
$$;
COMMENT ON PROCEDURE migrate.rehearse IS
    'runs the steps that change definitions, there, back and to the end, on emptied tables, and '
    'rolls all of it back';

-- What migrate.pace says may change in the meantime.
CREATE OR REPLACE PROCEDURE migrate.wait_between() LANGUAGE plpgsql AS $$
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
COMMENT ON PROCEDURE migrate.wait_between IS
    'waits between two batches: the pause, and until no standby lags further than it may';

-- A batch reads its own pages, and updates the rows that need a value, have one and are not locked.
-- IS TRUE keeps the planner from an index on the condition, which would read all pages each time.
CREATE OR REPLACE PROCEDURE migrate.fill(target regclass, tab regclass, first bigint DEFAULT NULL,
    last bigint DEFAULT NULL, report_after int DEFAULT 10000) LANGUAGE plpgsql AS $$
DECLARE
    v       migrate.move := migrate.under_way(target);
    name    text := migrate.table_name(tab);
    keys    text := CASE WHEN v.keys IS NOT NULL THEN format('(SELECT k.new_id FROM %s AS k '
                'WHERE k.id = p.%I)', migrate.keys_table(target), v.key) ELSE v.ids END;
    assign  text;
    ready   text;
    lacking text;
    column_ text;
    path    text := migrate.path(target, v.key, v.new_type);
    size    bigint;
    block   bigint := first;
    upto    bigint;
    pages   int;
    changed bigint;
    total   bigint := 0;
    togo    bigint;
    empty   bigint;
    example text;
    entry   bigint;
    told    timestamptz := clock_timestamp();
    pause   float8 := 0.1;              -- seconds
BEGIN
    -- in p, a row of the key's table, or in t, the row itself
    SELECT string_agg(format('%I = %s', own, value), ', '),
        string_agg(format('(%s AND %s IS NOT NULL)', needed, value), ' OR '),
        coalesce(string_agg(format('(%s AND %s IS NULL)', needed, value), ' OR ')
            FILTER (WHERE f.dangling = 'stop'), 'false'), string_agg(own, ', ')
        INTO assign, ready, lacking, column_
    FROM (SELECT c.dangling, migrate.name('new_', c.att) AS own, CASE WHEN c.is_key
            THEN format('%I IS NULL', migrate.name('new_', c.att))
            ELSE format('t.%I IS NOT NULL AND t.%I IS NULL', c.att, migrate.name('new_', c.att))
                END,
            CASE WHEN c.is_key THEN format('coalesce(t.%I, (SELECT %s FROM (SELECT t.*) AS p), %s)',
                migrate.name('new_', c.att), keys, v.generator)
            ELSE format('(SELECT coalesce(p.%I, %s) FROM %s AS p WHERE p.%I = t.%I)',
                migrate.name('new_', v.key), keys, migrate.table_name(target), v.key, c.att) END
        FROM migrate.columns(target, v.key) AS c
        WHERE c.rel = coalesce(pg_partition_root(fill.tab), fill.tab)) AS f (dangling, own, needed,
            value);
    IF row_security_active(tab) THEN
        RAISE EXCEPTION 'row-level security of % hides rows from %', name, current_user
            USING HINT = 'Run this as a role with BYPASSRLS.';
    END IF;
    IF EXISTS (SELECT FROM migrate.triggers_in_batches(tab)) THEN
        RAISE EXCEPTION 'triggers of % would fire: %', name,
                (SELECT string_agg(t, ', ') FROM migrate.triggers_in_batches(tab) AS t)
            USING HINT = migrate.without_triggers();
    END IF;
    INSERT INTO migrate.log (move, target, step, statement, rel, rows, page)
        VALUES (v.n, migrate.table_name(target), CASE WHEN first IS NULL THEN 'prove' ELSE 'fill'
            END,
            format('CALL migrate.fill(%L, %L, %s, %s)', target, name, coalesce(first::text, 'NULL'),
                coalesce(last::text, 'NULL')), name, 0, first) RETURNING n INTO entry;
    COMMIT;
    LOOP
        -- these locks conflict with none of the clients', so that no client queues behind them
        PERFORM set_config('lock_timeout', '0', true);
        size := pg_relation_size(tab) / current_setting('block_size')::int;
        upto := coalesce(least(last, size), size);
        WHILE block < upto LOOP
            pages := least((SELECT p.pages FROM migrate.pace AS p), upto - block);
            BEGIN
                PERFORM set_config('lock_timeout', '0', true), set_config('search_path', path,
                    true);
                IF migrate.may_replicate() THEN
                    PERFORM set_config('session_replication_role', 'replica', true);
                END IF;
                EXECUTE format('UPDATE %1$s AS t SET %2$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM '
                    '%1$s AS t WHERE ctid >= $1 AND ctid < $2 AND (%3$s) IS TRUE FOR NO KEY UPDATE '
                    'SKIP LOCKED))', name, assign, ready)
                    USING format('(%s,0)', block)::tid, format('(%s,0)', block + pages)::tid;
                GET DIAGNOSTICS changed = ROW_COUNT;
                total := total + changed;
                block := block + pages;
                IF clock_timestamp() > told + interval '1 s' THEN
                    UPDATE migrate.log AS l SET rows = total, page = block WHERE l.n = entry;
                    told := clock_timestamp();
                END IF;
            EXCEPTION WHEN deadlock_detected OR serialization_failure THEN
                RAISE NOTICE '%: page % once more: %', name, block, SQLERRM;
            END;
            COMMIT;
            IF block % report_after < pages AND block < size THEN
                RAISE NOTICE '%: page % of %, % rows filled', name, block, size, total;
            END IF;
            CALL migrate.wait_between();
        END LOOP;
        EXIT WHEN last IS NOT NULL;
        PERFORM set_config('lock_timeout', '0', true), set_config('search_path', path, true);
        EXECUTE format('SELECT count(*) FILTER (WHERE %1$s), count(*) FILTER (WHERE %2$s), '
            'min(ctid::text) FILTER (WHERE %2$s) FROM %3$s AS t', ready, lacking, name)
            INTO togo, empty, example;
        COMMIT;
        IF first IS NOT NULL OR togo + empty > 0 THEN
            RAISE NOTICE '%: % rows filled, % to go', name, total + (SELECT coalesce(sum(l.rows), 0)
                FROM migrate.log AS l WHERE l.move = v.n AND l.rel = name AND l.n <> entry),
                togo + empty;
        END IF;
        IF empty > 0 AND togo = 0 AND block IS NOT NULL THEN
            UPDATE migrate.log AS l SET ended = clock_timestamp(), rows = total, error = format(
                'no value of %s for %s rows', column_, empty) WHERE l.n = entry;
            COMMIT;
            RAISE EXCEPTION 'no value of % for % rows of %', column_, empty, name
                USING DETAIL = format('The first is at ctid %s.', example),
                    HINT = 'They refer to no '
                    'row. Correct them and call again, or see "dangling" in migrate.findings().';
        END IF;
        EXIT WHEN togo + empty = 0;
        IF block IS NOT NULL AND togo > 0 THEN
            RAISE NOTICE '%: % rows are locked, by one of %', name, togo,
                migrate.holders(ARRAY[tab::oid], pg_backend_pid());
            PERFORM pg_sleep(pause);
            pause := least(2 * pause, 60);
        END IF;
        block := 0;
    END LOOP;
    UPDATE migrate.log AS l SET ended = clock_timestamp(), rows = total, page = last
        WHERE l.n = entry;
    COMMIT;
END
$$;
COMMENT ON PROCEDURE migrate.fill IS
    'fills the companions in a range of pages, and without an end until no row lacks one';

CREATE OR REPLACE FUNCTION migrate.prove_ids(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v    migrate.move := migrate.under_way(target);
    one  text;
    rows bigint;
BEGIN
    EXECUTE format('SELECT id::text, n FROM (SELECT %s AS id, count(*) AS n FROM %s AS p '
        'GROUP BY 1) AS t WHERE n > 1 OR id IS NULL ORDER BY id IS NULL DESC LIMIT 1', v.ids,
        migrate.table_name(target)) INTO one, rows;
    IF rows > 0 THEN
        RAISE EXCEPTION '% rows of % would have the id %', rows, target, coalesce(one, 'NULL')
            USING HINT = CASE WHEN one IS NULL THEN 'Write coalesce(..., ...) in the expression.'
                ELSE 'Use more of the key in the expression, or a query that numbers the rows.' END;
    END IF;
END
$$;
COMMENT ON FUNCTION migrate.prove_ids IS 'raises an error unless each row has an id of its own';

-- The triggers keep the columns alike from one row to the next.  This compares all rows.
CREATE OR REPLACE FUNCTION migrate.compare(target regclass, key name, tab regclass, att name,
    incoming text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    own     name := migrate.name(incoming, att);
    differ  bigint;
    example text;
BEGIN
    EXECUTE format('SELECT count(*), min(c.%2$I::text) FROM %1$s AS c LEFT JOIN %4$s AS p '
        'ON p.%5$I = c.%2$I WHERE c.%3$I IS DISTINCT FROM p.%6$I%7$s', tab, att, own,
        migrate.table_name(target), key, migrate.name(incoming, key),
        (SELECT format(' AND (c.%I IS NOT NULL OR p.%I IS NOT NULL)', $4, $2) FROM
            migrate.reference AS r WHERE (r.rel, r.att, r.dangling) = ($3, $4, 'null')))
        INTO differ, example;
    IF differ > 0 THEN
        RAISE EXCEPTION '% rows of % do not refer to the same row of % by % and %',
                differ, migrate.table_name(tab), target, att, own
            USING DETAIL = format('The first has %s = %s.', att, example),
                HINT = format('UPDATE %s SET %I = NULL WHERE ...; the trigger fills it again.',
                    tab, own);
    END IF;
    INSERT INTO migrate.proved VALUES (target, tab, own) ON CONFLICT DO NOTHING;
END
$$;
COMMENT ON FUNCTION migrate.compare IS
    'raises an error unless both columns of each row refer to the same row';

-- Telling of a move

CREATE OR REPLACE FUNCTION migrate.refuse(target regclass, key name, new_type regtype,
    in_place boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    why text := string_agg(format('%s: %s. %s', object, finding, remedy), E'\n'
            ORDER BY object, finding)
        FROM migrate.found(target, key, new_type, in_place) WHERE stops;
BEGIN
    IF EXISTS (SELECT FROM migrate.move AS o WHERE o.target = $1 AND o.conversion IS NULL
        AND (o.key, o.new_type) <> ($2, $3) AND (migrate.incoming(o.target, o.key) = 'old_'
            OR migrate.has_column(o.target, migrate.name('new_', o.key))))
    THEN
        why := concat_ws(E'\n', why,
            'Another move of the table is under way: finish or cancel it.');
    END IF;
    IF why IS NOT NULL THEN
        RAISE EXCEPTION 'the key of % cannot be moved yet', target USING DETAIL = why;
    END IF;
END
$$;

-- An expression of the user as the catalogs write it, with all names qualified.
CREATE OR REPLACE FUNCTION migrate.canonical(target regclass, key name, new_type regtype, what text,
    expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    path  text := current_setting('search_path');
    found text;
BEGIN
    EXECUTE format('CREATE TEMP TABLE twin (LIKE %s)', migrate.table_name(target));
    IF what = 'ids' THEN
        BEGIN
            EXECUTE format('CREATE INDEX twin_index ON pg_temp.twin (((%s)::%s))', expression,
                new_type);
        EXCEPTION WHEN invalid_object_definition THEN
            RAISE EXCEPTION 'the expression for the ids depends on more than the row' USING HINT =
                'Write AT TIME ZONE for what depends on the zone; for random bits, give a query.';
        END;
    ELSE
        EXECUTE format('ALTER TABLE pg_temp.twin ADD twin %s DEFAULT %s', new_type, expression);
    END IF;
    PERFORM set_config('search_path', 'pg_catalog, pg_temp', true);
    found := CASE what WHEN 'ids' THEN pg_get_indexdef(to_regclass('pg_temp.twin_index'), 1, false)
        ELSE (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef
            WHERE adrelid = to_regclass('pg_temp.twin')) END;
    PERFORM set_config('search_path', path, true);
    DROP TABLE pg_temp.twin;
    RETURN found;
END
$$;

CREATE OR REPLACE PROCEDURE migrate.prepare(target regclass, key name, new_type regtype,
    generator text DEFAULT NULL, ids text DEFAULT NULL, pieces text[] DEFAULT NULL)
LANGUAGE plpgsql AS $$
DECLARE
    is_query boolean := coalesce(ids ~* '^\s*(SELECT|WITH)\M', false);
    word     text;
BEGIN
    PERFORM migrate.refuse(target, key, new_type, false);
    SELECT attname INTO word FROM pg_attribute
        WHERE attrelid = target AND atttypid = 'timestamp'::regtype
            AND ids ~* (migrate.word(attname) || '(?!\s+at\s+time\s+zone)');
    IF word IS NOT NULL THEN
        RAISE EXCEPTION 'column % has no time zone, and the ids are made of it', word
            USING HINT = format('Write "%s AT TIME ZONE ''UTC''", or the zone it is in.', word);
    END IF;
    IF cardinality(pieces) < 2 OR is_query
        AND (pieces IS NULL) = (ids LIKE '%$1%' AND ids LIKE '%$2%')
    THEN
        RAISE EXCEPTION 'pieces need two bounds, and a query for the keys between $1 and $2';
    ELSIF ids IS NULL AND NOT migrate.subscribed(target) THEN
        RAISE EXCEPTION 'say how an id is made of a row' USING HINT =
            'An expression such as uid11_make(created_at, id % (1 << 22)), or a query of ids.';
    END IF;
    generator := coalesce(generator, (SELECT format('%I.%I()', nspname, typname || '_generate')
        FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = typnamespace WHERE t.oid = new_type));
    INSERT INTO migrate.move (target, key, new_type, generator, ids, keys, pieces, path)
    VALUES (prepare.target, prepare.key, prepare.new_type, CASE WHEN ids IS NOT NULL THEN
            migrate.canonical(target, key, new_type, 'generator', generator) END, CASE
                WHEN NOT is_query
            AND ids IS NOT NULL THEN migrate.canonical(target, key, new_type, 'ids', ids) END,
        CASE WHEN is_query THEN ids END, prepare.pieces, current_setting('search_path'))
    ON CONFLICT ON CONSTRAINT move_pkey DO UPDATE SET key = excluded.key,
        new_type = excluded.new_type, generator = excluded.generator, ids = excluded.ids,
        keys = excluded.keys, pieces = excluded.pieces, path = excluded.path, conversion = NULL;
END
$$;
COMMENT ON PROCEDURE migrate.prepare IS
    'describes a move: the table, its key, the new type, the new '
    'default, and the id as an expression over a row, or a query for old and new ids';

-- The other way: one transaction, under the strongest lock.  "conversion" has %s for the column.
CREATE OR REPLACE PROCEDURE migrate.prepare_in_place(target regclass, key name, new_type regtype,
    generator text, conversion text) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM migrate.refuse(target, key, new_type, true);
    CALL migrate.forget(target);
    INSERT INTO migrate.move (target, key, new_type, generator, conversion, path)
    VALUES (prepare_in_place.target, prepare_in_place.key, prepare_in_place.new_type,
        prepare_in_place.generator, prepare_in_place.conversion, current_setting('search_path'));
END
$$;
COMMENT ON PROCEDURE migrate.prepare_in_place IS
    'describes a move in place: the table, its key, the new type and default, the conversion';

-- The application changes with the tables: see doc/migrate-application.md.
CREATE OR REPLACE PROCEDURE migrate.also(target regclass, step text, statements text)
LANGUAGE sql AS $$
    INSERT INTO migrate.also (target, step, statements) VALUES (also.target, also.step,
        also.statements)
$$;
COMMENT ON PROCEDURE migrate.also IS
    'adds statements to the transaction of a step, their names with schemas';

CREATE OR REPLACE PROCEDURE migrate.forget(target regclass) LANGUAGE sql AS $$
    DELETE FROM migrate.move AS o WHERE o.target = forget.target;
    DELETE FROM migrate.also AS o WHERE o.target = forget.target;
    DELETE FROM migrate.rest AS o WHERE o.target = forget.target;
    DELETE FROM migrate.proved AS o WHERE o.target = forget.target;
$$;
COMMENT ON PROCEDURE migrate.forget IS 'forgets a move, and removes nothing that it made';

CREATE OR REPLACE VIEW migrate.status AS
SELECT v.target, v.key, v.new_type, s.step, s.done, s.statements, f.rows, f.all_rows, f.rate,
    make_interval(secs => (f.all_rows - f.rows) / nullif(f.rate, 0)) AS to_go, f.bytes,
    l.statement AS running, l.pid, CASE WHEN l.waits THEN migrate.holders(f.tables, l.pid)
        END AS held_by,
    (SELECT e.error FROM migrate.log AS e WHERE e.move = v.n ORDER BY e.n DESC
        LIMIT 1) AS last_error,
    v.version
FROM migrate.move AS v
    LEFT JOIN LATERAL (SELECT * FROM migrate.steps(v.target) WITH ORDINALITY AS t (step, statements,
        done, n) WHERE t.done < t.statements ORDER BY t.n LIMIT 1) AS s ON true
    LEFT JOIN LATERAL (SELECT l.statement, l.pid, a.wait_event_type = 'Lock'
        OR a.wait_event = 'PgSleep'
        FROM migrate.log AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
            AND l.began > a.backend_start
        WHERE l.move = v.n AND l.ended IS NULL ORDER BY l.n DESC LIMIT 1) AS l (statement, pid,
            waits)
        ON true,
    LATERAL (SELECT array_agg(c.oid), sum(c.reltuples)::bigint, sum(pg_total_relation_size(c.oid)),
            (SELECT sum(g.rows) FROM migrate.log AS g WHERE g.move = v.n AND g.rel IS NOT NULL),
            (SELECT round(sum(g.rows) / nullif(sum(extract(epoch FROM coalesce(g.ended,
                clock_timestamp()) - g.began)), 0)) FROM migrate.log AS g
            WHERE g.move = v.n AND g.rows > 0 AND (g.ended IS NOT NULL OR g.pid = l.pid))
        FROM (SELECT DISTINCT migrate.partitions(m.rel) FROM migrate.columns(v.target, v.key) AS m)
            AS p (part) JOIN pg_class AS c ON c.oid = p.part) AS f (tables, all_rows, bytes, rows,
                rate);
COMMENT ON VIEW migrate.status IS
    'each move under way: its step, what is done of it, how fast, and what holds it up';
