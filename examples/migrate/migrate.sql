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
    user_path  text NOT NULL,
    version    text NOT NULL DEFAULT migrate.version()
);
COMMENT ON TABLE migrate.move IS 'the moves under way, as migrate.prepare() was told of them';
COMMENT ON COLUMN migrate.move.ids IS 'the new id as an expression over the row';
COMMENT ON COLUMN migrate.move.keys IS 'the query for old and new ids, if the row alone gives none';
COMMENT ON COLUMN migrate.move.path IS
    'the search_path of all statements: the schemas of both types, as the catalogs'' texts have an '
    'operator without its schema where the grammar leaves no room for one';
COMMENT ON COLUMN migrate.move.user_path IS 'the search_path in which the user''s texts are read';

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
    target regclass, step text, tab text, statement text);
COMMENT ON TABLE migrate.rest IS 'what a swap left to do, such as to validate its foreign keys';

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

-- Names and texts

CREATE OR REPLACE FUNCTION migrate.sql(names jsonb, VARIADIC templates text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg(s.text ORDER BY t.n) FROM unnest(templates) WITH ORDINALITY AS t (template, n),
        LATERAL (SELECT CASE WHEN bool_and(m[2] IS NULL OR names ->> m[2] IS NOT NULL)
                THEN string_agg(concat(m[1], names ->> m[2]), '' ORDER BY i) END
            FROM regexp_matches(template, '([^{]*)(?:\{(\w+)\})?', 'g') WITH ORDINALITY AS r (m, i))
            AS s (text)
    WHERE s.text IS NOT NULL
$$;
COMMENT ON FUNCTION migrate.sql IS
    'templates with a value for each name in braces, without those of which a value is NULL';

CREATE OR REPLACE FUNCTION migrate.table_name(oid) RETURNS text LANGUAGE sql STABLE STRICT
RETURN (pg_identify_object('pg_class'::regclass, $1, 0)).identity;

CREATE OR REPLACE FUNCTION migrate.name(prefix text, name text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN prefix || CASE WHEN octet_length(prefix || $2) < 64 THEN $2 ELSE md5($2) END;
COMMENT ON FUNCTION migrate.name IS 'a name with a prefix, hashed if it would be too long';

CREATE OR REPLACE FUNCTION migrate.keys_table(target regclass) RETURNS text LANGUAGE sql STABLE
RETURN format('migrate.%I', migrate.name('keys of ', migrate.table_name(target)));

CREATE OR REPLACE FUNCTION migrate.tree(whole oid, leaves boolean DEFAULT false) RETURNS SETOF oid
LANGUAGE sql STABLE AS $$
    SELECT coalesce(relid, whole) FROM (SELECT) AS one
        LEFT JOIN pg_partition_tree(whole) ON true WHERE NOT leaves OR isleaf IS NOT false
$$;
COMMENT ON FUNCTION migrate.tree IS
    'a table or index with all its partitions, or of these the ones that have none themselves';

CREATE OR REPLACE FUNCTION migrate.type_of(rel oid, att text) RETURNS text LANGUAGE sql STABLE
RETURN (SELECT format_type(atttypid, atttypmod) FROM pg_attribute
    WHERE attrelid = rel AND attname = att AND NOT attisdropped);

CREATE OR REPLACE FUNCTION migrate.incoming(target regclass, key name) RETURNS text
LANGUAGE sql STABLE RETURN CASE WHEN migrate.type_of(target, migrate.name('old_', key)) IS NULL
    THEN 'new_' ELSE 'old_' END;
COMMENT ON FUNCTION migrate.incoming IS
    'the prefix of the companions, which come in with the next swap: "old_" after the first';

CREATE OR REPLACE FUNCTION migrate.subscribed(oid) RETURNS boolean LANGUAGE sql STABLE
RETURN EXISTS (SELECT FROM pg_subscription_rel
    WHERE srrelid = $1 OR srrelid IN (SELECT migrate.tree($1)));

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

-- Reading the catalogs

-- The server writes some constructs without the schema of their operator, so that a dump of them
-- does not restore if the operator is outside pg_catalog: see doc/operations.md.
CREATE OR REPLACE VIEW migrate.stored_construct (construct, operator, classid, objid, instead) AS
SELECT construct, operator[1]::oid, classid, objid, instead
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
    ('IS DISTINCT FROM', '\{DISTINCTEXPR :opno \d+', ':opno (\d+)',
        'ARRAY[a] IS DISTINCT FROM ARRAY[b], or (a = b) IS NOT TRUE if NULLs do not matter'),
    ('NULLIF', '\{NULLIFEXPR :opno \d+', ':opno (\d+)', 'CASE WHEN a = b THEN NULL ELSE a END'),
    ('CASE ... WHEN', '\{OPEXPR :opno \d+(?=[^{}]*(?:\{\w+ [^{}]*)*?\{CASETESTEXPR )',
        ':opno (\d+)', 'CASE WHEN a = b THEN ... END'),
    ('JOIN USING, NATURAL JOIN', ':usingClause \(.*? :alias ', ':opno (\d+)',
        'JOIN ... ON a.id = b.id'),
    ('a row in a subquery', ':testexpr \{BOOLEXPR .*? :operName ', ':opno (\d+)',
        'EXISTS (SELECT FROM ... WHERE a = b AND ...)'),
    ('a row comparison', '\{ROWCOMPAREEXPR :\w+ \d+ :opnos \(o [^)]*\m\d{1,4}\M[^)]*',
        '\m(\d+)\M', 'a > b OR a = b AND c > d')
) AS known (construct, pattern, operators, instead), regexp_matches(tree, pattern, 'g') AS found,
    regexp_matches(found[1], operators, 'g') AS operator
WHERE objid >= 16384;
COMMENT ON VIEW migrate.stored_construct IS
    'stored expressions that name no schema of their operator, and where they are stored';

-- Whatever the chain of foreign keys, the values are those of the key: so each of the columns gets
-- its new one from the key's own table.  A foreign key of a partition counts for the whole table.
CREATE OR REPLACE FUNCTION migrate.columns(target regclass, key name)
RETURNS TABLE (is_key boolean, rel oid, num int2, tab text, att name, required boolean,
    dangling text) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH RECURSIVE found AS (
        SELECT attrelid AS rel, attnum AS num
        FROM pg_attribute WHERE attrelid = target AND attname = key AND attnum > 0
        UNION
        SELECT r.* FROM found AS f, LATERAL (
            SELECT a.attrelid, a.attnum FROM pg_constraint
                JOIN pg_attribute AS own ON own.attrelid = conrelid
                    AND own.attnum = conkey[array_position(confkey, f.num)]
                JOIN pg_attribute AS a ON a.attname = own.attname
                    AND a.attrelid = coalesce(pg_partition_root(conrelid), conrelid)
            WHERE contype = 'f' AND conparentid = 0 AND confrelid = f.rel AND f.num = ANY (confkey)
            UNION ALL SELECT a.attrelid, a.attnum FROM migrate.reference AS r
                JOIN pg_attribute AS a ON (a.attrelid, a.attname) = (r.rel, r.att)
                JOIN pg_attribute AS p ON (p.attrelid, p.attname) = (r.parent, r.parent_att)
            WHERE (p.attrelid, p.attnum) = (f.rel, f.num)) AS r
    )
    SELECT f.rel = target AND a.attname = key, f.rel, f.num, migrate.table_name(f.rel), a.attname,
        a.attnotnull, coalesce(r.dangling, 'stop')
    FROM found AS f CROSS JOIN LATERAL (SELECT c.attname, c.attnotnull FROM pg_attribute AS c
            WHERE (c.attrelid, c.attnum) = (f.rel, f.num) LIMIT 1) AS a
        LEFT JOIN migrate.reference AS r ON (r.rel, r.att) = (f.rel, a.attname)
    ORDER BY 1 DESC, 4, 3;
END
$$;
COMMENT ON FUNCTION migrate.columns IS 'the key, and the columns that move with it';

CREATE OR REPLACE FUNCTION migrate.key_index(target regclass, key name) RETURNS name
LANGUAGE sql STABLE RETURN (SELECT c.relname FROM pg_index AS i
    JOIN pg_class AS c ON c.oid = indexrelid
        JOIN pg_attribute AS a ON a.attrelid = target AND a.attnum = indkey[0]
    WHERE indrelid = target AND attname = key AND indisunique AND indimmediate AND indisvalid
        AND indnkeyatts = 1 AND indpred IS NULL AND c.relname !~ '^(new|old)_'
    ORDER BY indisprimary DESC, indexrelid LIMIT 1);
COMMENT ON FUNCTION migrate.key_index IS 'the index that makes the key unique by itself';

-- The moved columns with the names that statements use: "own" is the companion that comes in with
-- the next swap, or if another prefix is given, the one that is called so.  Names of columns and
-- tables are quoted, as the statements have them; "follow" is the function that fills "own".
CREATE OR REPLACE FUNCTION migrate.moved(target regclass, prefix text DEFAULT NULL)
RETURNS TABLE (is_key boolean, rel oid, num int2, tab text, att name, required boolean,
    dangling text, incoming text, outgoing text, own_name text, check_name text, target_ text,
    col text, own text, goes text, checked text, parent text, key_tab text, key_col text,
    keys_tab text, follow text, trigger0 text, trigger1 text, trigger2 text, trigger3 text,
    own_type text, new_id text, generator text, carried text, given text, path text, fed boolean)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT c.*, i.incoming, outgoing, own_name, check_name, quote_literal(k.tab),
        quote_ident(c.att), quote_ident(own_name), quote_ident(migrate.name(outgoing, c.att)),
        quote_ident(check_name), p.parent, k.tab, quote_ident(v.key), keys_tab,
        format('migrate.%I()', migrate.name(p.prefix, format('%s of %s', c.att, c.tab))),
        t[1], t[2], t[3], t[4],
        CASE p.prefix WHEN outgoing THEN migrate.type_of(c.rel, c.att) ELSE v.new_type::text END,
        k.new_id, v.generator,
        CASE WHEN p.prefix = outgoing OR p.prefix = 'old_' OR v.ids IS NULL
            THEN 'p.' || p.parent ELSE format('coalesce(p.%s, %s)', p.parent, v.ids) END,
        CASE c.tab WHEN k.tab THEN format('CASE WHEN NEW.%I = NEW.%I THEN NEW.%s ELSE carried END',
            c.att, v.key, p.parent) ELSE 'carried' END,
        v.path, migrate.subscribed(c.rel)
    FROM migrate.under_way(target) AS v, migrate.columns(v.target, v.key) AS c,
        migrate.incoming(v.target, v.key) AS i (incoming),
        migrate.keys_table(v.target) AS keys_tab, LATERAL (SELECT
            CASE i.incoming WHEN 'new_' THEN 'old_' ELSE 'new_' END) AS o (outgoing),
        LATERAL (SELECT coalesce($2, i.incoming), quote_ident(migrate.name(coalesce($2, i.incoming),
            v.key))) AS p (prefix, parent), migrate.name(p.prefix, c.att) AS own_name,
        migrate.name('', c.att || '_is_carried_over') AS check_name,
        LATERAL (SELECT migrate.table_name(v.target), coalesce(v.ids, format(
            '(SELECT k.new_id FROM %s AS k WHERE k.id = p.%I)', keys_tab, v.key)))
            AS k (tab, new_id),
        LATERAL (SELECT ARRAY(SELECT quote_ident(migrate.name('~' || p.prefix,
            format('%s %s', c.att, n))) FROM generate_series(0, 3) AS n)) AS names (t);
END
$$;
COMMENT ON FUNCTION migrate.moved IS 'the key, and the columns that move with it, with their names';

-- What DROP COLUMN would take along, or refuse for; of a partition, what is its own.
CREATE OR REPLACE FUNCTION migrate.dependents(rel oid, num int2)
RETURNS TABLE (classid oid, objid oid, name name, kind text, index oid) LANGUAGE sql STABLE AS $$
    SELECT DISTINCT d.classid, d.objid, a.object_names[array_upper(a.object_names, 1)]::name,
        CASE
            WHEN (adrelid, adnum) = (rel, num) THEN 'default'
            WHEN con.contype IN ('p', 'u') THEN 'key'
            WHEN con.contype = 'c' THEN 'check'
            WHEN con.contype = 'n' THEN 'not null'
            WHEN v.relkind = 'v' THEN 'view'
            WHEN v.relkind NOT IN ('r', 'p') THEN 'other'
            ELSE i.type
        END,
        CASE WHEN con.contype IN ('p', 'u') THEN con.conindid
            WHEN c.relkind IN ('i', 'I') THEN c.oid END
    FROM pg_depend AS d
        LEFT JOIN pg_attrdef AS def ON d.classid = 'pg_attrdef'::regclass AND def.oid = d.objid
        LEFT JOIN pg_constraint AS con
            ON d.classid = 'pg_constraint'::regclass AND con.oid = d.objid
        LEFT JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
        LEFT JOIN pg_trigger AS t ON d.classid = 'pg_trigger'::regclass AND t.oid = d.objid
        LEFT JOIN pg_rewrite AS r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
        LEFT JOIN pg_class AS v ON v.oid = r.ev_class,
        pg_identify_object(d.classid, d.objid, 0) AS i,
        pg_identify_object_as_address(d.classid, d.objid, 0) AS a
    WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = rel AND d.refobjsubid = num
        AND coalesce(tgname, '') !~ '^~'
        AND NOT coalesce(con.conparentid <> 0 OR con.coninhcount > 0, c.relispartition,
            t.tgparentid <> 0, false)
$$;
COMMENT ON FUNCTION migrate.dependents IS
    'all objects that depend on a column, a key or index with its index';

-- The index that finds rows by the outgoing key stays with its column at a swap, and the CHECK that
-- proves a companion ends with it.
CREATE OR REPLACE FUNCTION migrate.objects(target regclass)
RETURNS TABLE (rel oid, tab text, classid oid, objid oid, name name, kind text, index oid,
    comes name, goes name) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT DISTINCT m.rel, m.tab, d.*, migrate.name(incoming, d.name)::name,
        migrate.name(outgoing, d.name)::name
    FROM migrate.under_way(target) AS v, migrate.key_index(target, v.key) AS found,
        migrate.moved(target) AS m, migrate.dependents(m.rel, m.num) AS d
    WHERE d.name <> m.check_name AND d.name IS DISTINCT FROM migrate.name(outgoing, found);
END
$$;

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

CREATE OR REPLACE FUNCTION migrate.ran(move bigint, statement text, in_turn boolean) RETURNS boolean
LANGUAGE sql STABLE RETURN EXISTS (SELECT FROM migrate.log AS l
    WHERE (l.move, l.statement) = ($1, $2) AND l.ended IS NOT NULL AND l.error IS NULL
        AND (NOT in_turn OR l.n > ALL (SELECT s.n FROM migrate.log AS s WHERE s.move = $1
            AND s.step IN ('swap', 'back') AND s.ended IS NOT NULL AND s.error IS NULL)));
COMMENT ON FUNCTION migrate.ran IS 'whether a statement ran, or ran after the last swap';

-- The grantee of an ACL or of a policy.
CREATE OR REPLACE FUNCTION migrate.grantee(oid) RETURNS text LANGUAGE sql STABLE
RETURN CASE $1 WHEN 0 THEN 'PUBLIC' ELSE $1::regrole::text END;

-- Each property that a swap has to keep, of each table, column and object concerned.  An object is
-- there with the moved columns that it uses: so one that was left on the other columns is missed.
CREATE OR REPLACE FUNCTION migrate.picture(target regclass) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN (WITH m AS MATERIALIZED (
        SELECT * FROM migrate.moved(target)
    ), rel AS MATERIALIZED (
        SELECT DISTINCT m.rel AS root, t.oid FROM m, migrate.tree(m.rel) AS t (oid)
        UNION SELECT view, view FROM migrate.under_way(target) AS v, migrate.views(target, v.key)
    ), uses AS MATERIALIZED (
        SELECT d.classid, d.objid, string_agg(DISTINCT a.attname, ', ' ORDER BY a.attname) AS uses
        FROM m JOIN rel ON rel.root = m.rel JOIN pg_attribute AS a
                ON a.attrelid = rel.oid AND a.attname = m.att
            JOIN pg_depend AS d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = rel.oid
                AND d.refobjsubid = a.attnum
            LEFT JOIN pg_attrdef AS def ON d.classid = 'pg_attrdef'::regclass AND def.oid = d.objid
        WHERE (def.adrelid, def.adnum) IS DISTINCT FROM (a.attrelid, a.attnum)
        GROUP BY 1, 2
    ), prefix (prefix) AS (
        VALUES ('new_'), ('old_')
    ), known (classid, objid, num, rel, name, owner, acl, properties) AS (
        SELECT 'pg_class'::regclass, c.oid, 0, ri.indrelid, r.relname, c.relowner,
            CASE WHEN i IS NULL THEN coalesce(c.relacl, acldefault('r', c.relowner)) END,
            to_jsonb(c) || coalesce(to_jsonb(i), '{}')
        FROM (SELECT rel.oid FROM rel UNION SELECT indexrelid FROM pg_index JOIN rel
                ON rel.oid = indrelid) AS t JOIN pg_class AS c USING (oid)
            LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
            JOIN pg_class AS r ON r.oid = coalesce(pg_partition_root(c.oid), c.oid)
            LEFT JOIN pg_index AS ri ON ri.indexrelid = r.oid
        UNION ALL SELECT 'pg_class'::regclass, attrelid, attnum, root, attname, NULL, attacl,
            jsonb_strip_nulls(jsonb_build_object('default', pg_get_expr(adbin, adrelid),
                'attnotnull', nullif(attnotnull, false),
                'attstattarget', nullif(attstattarget, -1), 'attoptions', (SELECT string_agg(o, ' ')
                    FROM unnest(attoptions) AS o WHERE o LIKE 'n\_distinct%')))
        FROM rel JOIN pg_attribute ON attrelid = rel.oid AND attnum > 0 AND NOT attisdropped
            LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
                AND NOT (rel.root = target AND attname = (SELECT att FROM m WHERE is_key))
        UNION ALL SELECT 'pg_constraint'::regclass, c.oid, 0, conrelid, conname, NULL, NULL,
            jsonb_build_object('contype', contype, 'deferrable', condeferrable, 'deferred',
                condeferred)
        FROM pg_constraint AS c JOIN rel ON rel.oid = c.conrelid
            JOIN pg_class AS t ON t.oid = c.conrelid
        WHERE contype NOT IN ('n', 't') AND (contype <> 'f' OR relkind = 'r' AND NOT relispartition)
        UNION ALL SELECT 'pg_trigger'::regclass, t.oid, 0, tgrelid, tgname, NULL, NULL,
            jsonb_build_object('enabled', tgenabled)
        FROM pg_trigger AS t JOIN rel ON rel.oid = tgrelid
        WHERE NOT tgisinternal AND tgname !~ '^~'
        UNION ALL SELECT 'pg_rewrite'::regclass, r.oid, 0, ev_class, rulename, NULL, NULL,
            jsonb_build_object('enabled', ev_enabled)
        FROM pg_rewrite AS r JOIN rel ON rel.oid = ev_class
        UNION ALL SELECT 'pg_policy'::regclass, p.oid, 0, polrelid, polname, NULL, NULL,
            jsonb_build_object('command', polcmd, 'permissive', polpermissive, 'roles', polroles)
        FROM pg_policy AS p JOIN rel ON rel.oid = polrelid
        UNION ALL SELECT 'pg_statistic_ext'::regclass, s.oid, 0, stxrelid, stxname, stxowner, NULL,
            jsonb_build_object('kinds', stxkind, 'target', nullif(stxstattarget, -1))
        FROM pg_statistic_ext AS s JOIN rel ON rel.oid = stxrelid
        UNION ALL SELECT u.classid, u.objid, 0, NULL, NULL, NULL, NULL, '{}' FROM uses AS u
        WHERE u.classid NOT IN ('pg_class'::regclass, 'pg_constraint'::regclass)
            AND NOT EXISTS (SELECT FROM pg_trigger AS t
                WHERE u.classid = 'pg_trigger'::regclass AND t.oid = u.objid AND tgname ~ '^~')
    )
    SELECT jsonb_object_agg(concat(i.type, ' ', i.identity, ', ', p.key), p.value)
    FROM known AS k LEFT JOIN uses AS u ON (u.classid, u.objid, 0) = (k.classid, k.objid, k.num),
        pg_identify_object(k.classid, k.objid, k.num) AS i, LATERAL (
            SELECT * FROM jsonb_each_text(properties) AS p WHERE k.classid <> 'pg_class'::regclass
                OR num > 0 OR p.key ~ '^(reloptions|rel.*security|relreplident|reltablespace|'
                    'indisunique|indimmediate|indisreplident|indisclustered)$'
            UNION ALL VALUES ('moved columns', CASE num WHEN 0 THEN coalesce(u.uses, 'none') END),
                ('owner', owner::regrole::text), ('privileges', (SELECT string_agg(concat(
                    migrate.grantee(grantee), ' ', privilege_type, CASE WHEN is_grantable
                    THEN '*' END), ', ' ORDER BY grantee, privilege_type) FROM aclexplode(acl)))
            UNION ALL SELECT 'comment', description FROM pg_description AS d
            WHERE (d.classoid, d.objoid, d.objsubid) = (k.classid, k.objid, num)
            UNION ALL SELECT 'label of ' || provider, label FROM pg_seclabel AS s
            WHERE (s.classoid, s.objoid, s.objsubid) = (k.classid, k.objid, num)) AS p (key, value)
    WHERE p.value IS NOT NULL AND (coalesce(k.rel, 0), num > 0, coalesce(k.name, '')) NOT IN (
        SELECT root, true, migrate.name(prefix, att) FROM m JOIN rel ON root = m.rel, prefix
        UNION ALL SELECT rel.oid, false, check_name FROM m JOIN rel ON root = m.rel
        UNION ALL SELECT o.rel, false, migrate.name(prefix, o.name) FROM known AS o, prefix
        WHERE o.rel IS NOT NULL AND o.num = 0));
END
$$;
COMMENT ON FUNCTION migrate.picture IS
    'owners, privileges, options and comments that a swap has to keep, and what uses which column';

-- Texts

-- The server itself says how an index or CHECK looks on the companions: an empty copy of the table
-- gets it, and then the names of the companions.
CREATE OR REPLACE FUNCTION migrate.definitions(target regclass, kinds text[])
RETURNS TABLE (objid oid, definition text)
LANGUAGE plpgsql STRICT SET client_min_messages = warning AS $$
DECLARE
    every record;
    one   text;
BEGIN
    SELECT array_agg(DISTINCT to_jsonb(o) || jsonb_build_object('twin', 'pg_temp.t' || o.rel,
        'made', replace(pg_get_indexdef(o.index), format('INDEX %I ON %s%s USING', o.name,
            CASE relkind WHEN 'I' THEN 'ONLY ' END, o.tab),
            format('INDEX i%s ON pg_temp.t%s USING', o.objid, o.rel)))) AS objects INTO every
    FROM migrate.objects(target) AS o LEFT JOIN pg_class AS c ON c.oid = o.index
    WHERE o.kind = ANY (kinds);
    IF every.objects IS NULL THEN
        RETURN;
    END IF;
    FOR one IN SELECT DISTINCT s, n FROM (SELECT unnest(every.objects)
            UNION ALL SELECT to_jsonb(m) || jsonb_build_object('renamed', 'pg_temp.t' || m.rel)
            FROM migrate.moved(target) AS m
            WHERE to_jsonb(m.rel) IN (SELECT o -> 'rel' FROM unnest(every.objects) AS o))
            AS l (names),
        (VALUES (1, 'CREATE TEMP TABLE {twin} (LIKE {tab} INCLUDING CONSTRAINTS)'), (2, '{made}'),
            (3, 'ALTER TABLE {renamed} DROP COLUMN IF EXISTS {own}'),
            (4, 'ALTER TABLE {renamed} RENAME {col} TO {own}')) AS t (n, template),
        unnest(migrate.sql(names, template)) AS s ORDER BY n
    LOOP
        EXECUTE one;
    END LOOP;
    RETURN QUERY SELECT (o ->> 'objid')::oid, CASE o ->> 'kind' WHEN 'check' THEN (SELECT
            pg_get_constraintdef(c.oid) FROM pg_constraint AS c
            WHERE (conrelid, conname) = (to_regclass(o ->> 'twin'), o ->> 'name'))
        ELSE substring(pg_get_indexdef(to_regclass('pg_temp.i' || (o ->> 'objid'))), ' USING .*')
        END
    FROM unnest(every.objects) AS o;
    EXECUTE 'DROP TABLE ' || string_agg(DISTINCT o ->> 'twin', ', ')
        FROM unnest(every.objects) AS o;
END
$$;

CREATE OR REPLACE FUNCTION migrate.same_columns(rel oid, one int2[], other int2[], companions jsonb)
RETURNS boolean LANGUAGE sql STABLE RETURN ARRAY(SELECT attname::text
    FROM unnest(one) WITH ORDINALITY AS k (num, n) LEFT JOIN pg_attribute
        ON (attrelid, attnum) = (rel, num) ORDER BY n)
    = ARRAY(SELECT coalesce(companions ->> attname::text, attname)
    FROM unnest(other) WITH ORDINALITY AS k (num, n) LEFT JOIN pg_attribute
        ON (attrelid, attnum) = (rel, num) ORDER BY n);
COMMENT ON FUNCTION migrate.same_columns IS
    'whether the keys of two indexes have the same columns, one of which has companions';

-- The indexes that come in with the next swap, and the one that finds rows by the outgoing key.
-- One that is there under the name of such an index is taken for it if it has the same columns, and
-- makes way if it was left invalid.
CREATE OR REPLACE FUNCTION migrate.builds(target regclass, texts boolean)
RETURNS TABLE (kind text, tables text[], statements text[], done boolean)
LANGUAGE sql AS $$
    WITH m AS MATERIALIZED (
        SELECT * FROM migrate.moved(target)
    ), want (tab, index, objid, tail, incoming) AS (
        SELECT o.tab, o.index, o.objid, '', m.incoming
        FROM m CROSS JOIN migrate.objects(target) AS o
        WHERE m.is_key AND o.kind IN ('key', 'index')
        UNION ALL
        SELECT tab, c.oid, NULL, format(' (%s)', col), outgoing
        FROM m JOIN pg_index ON indrelid = rel JOIN pg_class AS c ON c.oid = indexrelid
        WHERE is_key AND c.relname = migrate.key_index(target, att) AND NOT fed
    ), one AS (
        SELECT w.*, p.relkind, i.*, migrate.table_name(i.indrelid) AS part,
            quote_ident(n.nspname) || '.' AS schema,
            quote_ident(migrate.name(w.incoming, p.relname)) AS name, quote_literal(coalesce(
                s.spcname, '')) AS place, CASE WHEN i.indisunique THEN 'UNIQUE ' ELSE '' END AS uniq
        FROM want AS w, migrate.tree(w.index) AS t (oid)
            JOIN pg_class AS p USING (oid) JOIN pg_namespace AS n ON n.oid = p.relnamespace
            JOIN pg_index AS i ON i.indexrelid = p.oid
            LEFT JOIN pg_tablespace AS s ON s.oid = p.reltablespace
        WHERE p.relkind = 'i' OR w.index = p.oid
    ), state AS (
        SELECT o.*, CASE WHEN NOT b.indisvalid THEN schema || name END AS invalid, coalesce(
            b.indisvalid AND b.indisunique = o.indisunique AND migrate.same_columns(o.indrelid,
                o.indkey, b.indkey, CASE o.incoming WHEN m.incoming THEN (SELECT
                    jsonb_object_agg(own_name, att) FROM m) ELSE '{}' END), false) AS done
        FROM m CROSS JOIN one AS o LEFT JOIN pg_index AS b
            ON b.indexrelid = to_regclass(schema || name) AND b.indrelid = o.indrelid WHERE m.is_key
    )
    SELECT CASE relkind WHEN 'I' THEN 'brief' ELSE 'alone' END, ARRAY[tab], migrate.sql(to_jsonb(s)
        || jsonb_build_object('tail', coalesce(definition, tail)) || CASE relkind
            WHEN 'I' THEN '{"local": "LOCAL ", "one_by_one": ""}'::jsonb
            ELSE '{"local": "", "one_by_one": "CONCURRENTLY "}' END,
        'SET {local}default_tablespace = {place}', 'DROP INDEX {one_by_one}{invalid}',
        'CREATE {uniq}INDEX {one_by_one}{name} ON {part}{tail}'), done
    FROM state AS s LEFT JOIN migrate.definitions(target, CASE WHEN texts AND EXISTS (SELECT
        FROM state WHERE NOT state.done) THEN '{key,index}'::text[] END) AS d USING (objid)
    ORDER BY tab, index, relkind = 'I', name
$$;

-- CREATE gives privileges that ALTER DEFAULT PRIVILEGES asks for.
CREATE OR REPLACE FUNCTION migrate.grant_only(relation regclass, att name, acl aclitem[])
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    part text := CASE WHEN att IS NULL THEN '' ELSE format(' (%I)', att) END;
    one  text;
BEGIN
    FOR one IN
        SELECT format('REVOKE ALL%s ON %s FROM %s', part, relation, migrate.grantee(grantee))
        FROM pg_class AS c LEFT JOIN pg_attribute ON attrelid = c.oid AND attname = att, aclexplode(
            CASE WHEN att IS NULL THEN coalesce(relacl, acldefault('r', relowner)) ELSE attacl END)
        WHERE c.oid = relation GROUP BY grantee
        UNION ALL
        SELECT format('GRANT %s%s ON %s TO %s%s', privilege_type, part, relation,
            migrate.grantee(grantee), CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END)
        FROM aclexplode(acl)
    LOOP
        EXECUTE one;
    END LOOP;
END
$$;
COMMENT ON FUNCTION migrate.grant_only IS
    'gives a relation or a column the privileges of an ACL, and no others';

-- The function and triggers that give each row the companion of a moved column.  The triggers on
-- rows sort behind all others, so that they see what those changed, and fire in every
-- session_replication_role.  A row that is there before its parent is completed when the
-- transaction commits.  IS DISTINCT FROM in a WHEN would not survive a dump and restore.
CREATE OR REPLACE FUNCTION migrate.following(names jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT migrate.sql(names, $text$CREATE FUNCTION {follow} RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = {path} SET row_security = off AS $f$
DECLARE
    carried {own_type} := (SELECT {carried} FROM {key_tab} AS p WHERE p.{key_col} = NEW.{col});
BEGIN
    IF TG_WHEN = 'AFTER' THEN
        UPDATE {tab} SET {own} = carried
        WHERE ctid = NEW.ctid AND tableoid = TG_RELID AND {own} IS NULL AND carried IS NOT NULL;
        RETURN NULL;
    END IF;
    NEW.{own} := {given};
    RETURN NEW;
END
$f$
$text$, 'CREATE TRIGGER {trigger1} BEFORE INSERT ON {tab} FOR EACH ROW EXECUTE FUNCTION {follow}',
        'CREATE TRIGGER {trigger2} BEFORE UPDATE ON {tab} FOR EACH ROW '
        'WHEN ((NEW.{col} = OLD.{col}) IS NOT TRUE AND (NEW.{col} IS NOT NULL OR OLD.{col} IS NOT '
        'NULL) OR NEW.{col} IS NOT NULL AND NEW.{own} IS NULL) EXECUTE FUNCTION {follow}',
        'CREATE CONSTRAINT TRIGGER {trigger3} AFTER INSERT OR UPDATE ON {tab} DEFERRABLE INITIALLY '
        'DEFERRED FOR EACH ROW WHEN (NEW.{col} IS NOT NULL AND NEW.{own} IS NULL) '
        'EXECUTE FUNCTION {follow}',
        'ALTER TABLE {tab} ENABLE ALWAYS TRIGGER {trigger1}, ENABLE ALWAYS TRIGGER {trigger2}, '
        'ENABLE ALWAYS TRIGGER {trigger3}')
$$;

-- A row that changes before it is filled gets the id that it had until then, as those that refer to
-- it may have that.
CREATE OR REPLACE FUNCTION migrate.pin(names jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
    SELECT migrate.sql(names, $text$CREATE FUNCTION {follow} RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = {path} SET row_security = off AS $f$
BEGIN
    NEW.{own} := coalesce((SELECT {new_id} FROM (SELECT OLD.*) AS p), {generator});
    RETURN NEW;
END
$f$
$text$, 'CREATE TRIGGER {trigger0} BEFORE UPDATE ON {tab} FOR EACH ROW WHEN (NEW.{own} IS NULL) '
        'EXECUTE FUNCTION {follow}', 'ALTER TABLE {tab} ENABLE ALWAYS TRIGGER {trigger0}')
$$;

-- The foreign keys of moved columns.  As a partitioned table cannot have one that is NOT VALID, its
-- partitions have it first, and the "whole" gets it when those are validated, without a scan.
CREATE OR REPLACE FUNCTION migrate.foreign_keys(target regclass) RETURNS TABLE (tab text, part text,
    whole text, fk text, definition text, delay text, valid text, comment text)
LANGUAGE sql STABLE AS $$
    SELECT m.tab, migrate.table_name(leaf), CASE WHEN leaf <> m.rel THEN m.tab END,
        quote_ident(conname), regexp_replace(pg_get_constraintdef(con.oid), ' NOT VALID$', ''),
        CASE WHEN empty THEN '' ELSE ' NOT VALID' END, CASE WHEN convalidated AND NOT empty
            THEN '' END, quote_literal(obj_description(con.oid, 'pg_constraint'))
    FROM (SELECT DISTINCT m.tab, m.rel, con.oid FROM migrate.moved(target) AS m
            JOIN pg_constraint AS con ON contype = 'f' AND conrelid = m.rel AND m.num = ANY (conkey)
            WHERE con.conparentid = 0) AS m
        JOIN pg_constraint AS con USING (oid) JOIN pg_class AS c ON c.oid = m.rel,
        LATERAL (SELECT l AS leaf FROM migrate.tree(m.rel, true) AS l
            UNION SELECT m.rel WHERE NOT EXISTS (SELECT migrate.tree(m.rel, true))) AS l,
        LATERAL (SELECT relkind = 'p' AND leaf = m.rel AS empty) AS e
$$;

-- What follows the transaction that made the foreign keys.
CREATE OR REPLACE FUNCTION migrate.rest_of(target regclass, step text)
RETURNS TABLE (n int, tab text, statement text) LANGUAGE sql STABLE AS $$
    SELECT DISTINCT r.* FROM (
        SELECT t.n, f.tab, unnest(migrate.sql(to_jsonb(f), t.template)) AS s
        FROM migrate.foreign_keys(target) AS f, (VALUES
            (1, 'ALTER TABLE {part} VALIDATE CONSTRAINT {fk}{valid}'),
            (2, 'ALTER TABLE {whole} ADD CONSTRAINT {fk} {definition}'),
            (3, 'COMMENT ON CONSTRAINT {fk} ON {whole} IS {comment}')) AS t (n, template)
        UNION ALL SELECT 4, o.tab, 'ANALYZE ' || o.tab FROM migrate.objects(target) AS o
        WHERE o.kind = 'statistics object' OR step = 'in place') AS r
    WHERE step NOT IN ('finish', 'cancel') ORDER BY 1, 2, 3
$$;

-- What is made again, of the same text, and what else does not go with the name of a column or
-- index.
CREATE OR REPLACE FUNCTION migrate.kept(target regclass) RETURNS SETOF jsonb
LANGUAGE sql STABLE AS $$
    WITH o AS MATERIALIZED (
        SELECT * FROM migrate.objects(target)
    ), again (classid, objid, depth, made, tab, own_name, enabled, owner, target, acl) AS (
        SELECT classid, objid, 100, pg_get_triggerdef(objid), migrate.table_name(tgrelid),
            quote_ident(tgname), tgenabled, NULL::oid, NULL::int, NULL::text
        FROM o JOIN pg_trigger AS x ON x.oid = objid WHERE kind = 'trigger'
        UNION SELECT classid, objid, 100, pg_get_ruledef(objid), migrate.table_name(ev_class),
            quote_ident(rulename), ev_enabled, NULL, NULL, NULL
        FROM o JOIN pg_rewrite AS x ON x.oid = objid WHERE kind = 'rule'
        UNION SELECT classid, objid, 100, pg_get_statisticsobjdef(objid), NULL, NULL, NULL,
            stxowner, nullif(stxstattarget, -1), NULL
        FROM o JOIN pg_statistic_ext AS x ON x.oid = objid WHERE kind = 'statistics object'
        UNION SELECT classid, objid, 100, format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s',
            polname, migrate.table_name(polrelid), CASE WHEN polpermissive THEN 'PERMISSIVE'
            ELSE 'RESTRICTIVE' END, CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT'
            WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
            (SELECT string_agg(migrate.grantee(role), ', ') FROM unnest(polroles) AS role),
            ' USING (' || pg_get_expr(polqual, polrelid) || ')',
            ' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')'), NULL, NULL, NULL, NULL,
            NULL, NULL
        FROM o JOIN pg_policy AS x ON x.oid = objid WHERE kind = 'policy'
        UNION SELECT 'pg_class'::regclass, c.oid, depth, format('CREATE VIEW %s%s AS %s',
            migrate.table_name(c.oid), ' WITH (' || array_to_string(c.reloptions, ', ') || ')',
            rtrim(pg_get_viewdef(c.oid), ';')), migrate.table_name(c.oid), NULL, NULL, c.relowner,
            NULL, quote_literal(coalesce(c.relacl, acldefault('r', c.relowner)))
        FROM migrate.under_way(target) AS v, migrate.views(target, v.key) AS w
            JOIN pg_class AS c ON c.oid = w.view
    )
    SELECT to_jsonb(a) || jsonb_build_object('kind', CASE type WHEN 'statistics object'
            THEN 'STATISTICS' ELSE upper(type) END, 'object', identity, 'named', quote_literal(
            CASE type WHEN 'view' THEN identity END), 'owner', a.owner::regrole, 'state', CASE
            enabled WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' WHEN 'A' THEN
            'ENABLE ALWAYS' END)
    FROM again AS a, pg_identify_object(a.classid, a.objid, 0)
    UNION ALL
    -- comments of those, and of keys, indexes and constraints
    SELECT jsonb_build_object('described', CASE type WHEN 'table constraint' THEN 'CONSTRAINT'
        WHEN 'statistics object' THEN 'STATISTICS' ELSE upper(type) END || ' ' || identity,
        'comment', quote_literal(description))
    FROM (SELECT classid, objid FROM again UNION SELECT classid, objid FROM o
            WHERE kind IN ('key', 'index', 'check') UNION SELECT 'pg_class'::regclass, index FROM o)
            AS x (classid, objid) JOIN pg_description AS d
            ON (d.classoid, d.objoid, d.objsubid) = (classid, objid, 0),
        pg_identify_object(classid, objid, 0)
    UNION ALL
    -- columns
    SELECT jsonb_build_object('tab', c.tab, 'col', quote_ident(attname),
        'tab_', quote_literal(c.tab), 'col_', quote_literal(attname),
        'acl', CASE WHEN num_nulls(a.attacl, c.acl) < 2 THEN quote_nullable(a.attacl) END,
        'comment', CASE WHEN num_nulls(description, c.comment) < 2 THEN quote_nullable(description)
            END, 'target', nullif(a.attstattarget, -1),
        -- some servers keep their own notes in the options
        'options', (SELECT string_agg(o, ', ') FROM unnest(attoptions) AS o
            WHERE o LIKE 'n\_distinct%'))
    FROM (SELECT m.rel, m.num, m.tab, b.attacl, col_description(m.rel, b.attnum)
            FROM migrate.moved(target) AS m LEFT JOIN pg_attribute AS b
                ON (b.attrelid, b.attname) = (m.rel, m.own_name)
            UNION ALL SELECT objid, attnum, tab, NULL, NULL
            FROM again JOIN pg_attribute ON attrelid = objid AND classid = 'pg_class'::regclass)
            AS c (rel, num, tab, acl, comment)
        JOIN pg_attribute AS a ON (a.attrelid, a.attnum) = (c.rel, c.num),
        col_description(c.rel, c.num) AS description
    UNION ALL
    -- indexes
    SELECT jsonb_build_object('tab', tab, 'replica', CASE WHEN indisreplident THEN
        quote_ident(name) END, 'cluster', CASE WHEN indisclustered THEN quote_ident(name) END)
    FROM o JOIN pg_index ON indexrelid = index
$$;

-- The transaction of a step that changes definitions.  At a swap the outgoing columns take the one
-- prefix, and the incoming ones lose the other.  A template is for each line that has its names.
CREATE OR REPLACE FUNCTION migrate.exchange(target regclass, step text) RETURNS text[]
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN (WITH v AS (
        SELECT * FROM migrate.under_way(target)
    ), m AS MATERIALIZED (
        SELECT m.*, CASE WHEN dangling = 'stop' THEN own END AS spent,
            CASE WHEN required AND NOT is_key THEN goes END AS optional,
            CASE WHEN attidentity <> '' THEN 'IDENTITY' WHEN is_key AND atthasdef THEN 'DEFAULT'
                END AS has, CASE WHEN is_key THEN v.generator END AS gets,
            format('ALTER %s TYPE %s USING %s', col, v.new_type, format(v.conversion, col))
                AS changes
        FROM v, migrate.moved(target) AS m
            JOIN pg_attribute AS a ON (a.attrelid, a.attnum) = (m.rel, m.num)
    ), o AS MATERIALIZED (
        SELECT o.*, quote_ident(o.name) AS own, quote_ident(o.comes) AS built,
            quote_ident(o.goes) AS leaves, i.indisunique,
            to_regclass(quote_ident(n.nspname) || '.' || quote_ident(o.comes)) AS twin
        FROM migrate.objects(target) AS o LEFT JOIN pg_index AS i ON i.indexrelid = o.index
            LEFT JOIN pg_class AS c ON c.oid = o.index
            LEFT JOIN pg_namespace AS n ON n.oid = c.relnamespace
    ), line (names) AS MATERIALIZED (
        SELECT jsonb_build_object('keys', keys_tab, 'every', (SELECT string_agg(DISTINCT tab, ', ')
            FROM m), 'looks_up', (SELECT quote_ident(nspname) || '.' || quote_ident(
                migrate.name('old_', migrate.key_index(target, att))) FROM pg_class AS c
                JOIN pg_namespace AS n ON n.oid = relnamespace WHERE c.oid = rel))
        FROM m WHERE is_key
        UNION ALL SELECT to_jsonb(m) FROM m
        UNION ALL SELECT jsonb_build_object('changed', tab, 'changes', string_agg(changes, ', '
            ORDER BY num)) FROM m GROUP BY tab
        UNION ALL SELECT jsonb_build_object('keyed', tab, 'key', own, 'built', built, 'kind',
            CASE contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END, 'delay',
            concat(CASE WHEN condeferrable THEN ' DEFERRABLE' END, CASE WHEN condeferred
                THEN ' INITIALLY DEFERRED' END))
        FROM o JOIN pg_constraint AS c ON c.oid = objid WHERE o.kind = 'key'
        UNION ALL SELECT jsonb_build_object('tab', tab, 'check', own, 'built', built, 'leaves',
            leaves) FROM o WHERE kind = 'check'
        UNION ALL SELECT jsonb_build_object('unique', migrate.table_name(index)) FROM o
        WHERE kind = 'index' AND indisunique
        UNION ALL SELECT jsonb_build_object('index', CASE WHEN NOT o.indisunique THEN
                migrate.table_name(mine) END, 'leaves', quote_ident(migrate.name(m.outgoing,
                relname)), 'twin', migrate.table_name(its), 'own', quote_ident(relname))
        FROM m, o, migrate.tree(o.index) AS mine JOIN pg_class AS c ON c.oid = mine
            JOIN pg_index AS i ON i.indexrelid = mine,
            migrate.tree(o.twin) AS its JOIN pg_index AS j ON j.indexrelid = its
        WHERE m.is_key AND o.kind = 'index' AND i.indrelid = j.indrelid
        UNION ALL SELECT to_jsonb(f) || jsonb_build_object('described', CASE WHEN whole IS NULL THEN
            format('CONSTRAINT %s ON %s', fk, tab) END) FROM migrate.foreign_keys(target) AS f
        UNION ALL SELECT jsonb_build_object('fills', f, 'depth', depth) FROM m AS k,
            migrate.moved(target, k.outgoing) AS n, migrate.following(to_jsonb(n)) AS t,
            unnest(t) WITH ORDINALITY AS f (f, depth) WHERE k.is_key AND NOT n.is_key AND NOT n.fed
        UNION ALL SELECT migrate.kept(target) WHERE step <> ALL ('{finish,cancel}')
        UNION ALL SELECT jsonb_build_object('rest', format('%L, %L, %L, %L', m.key_tab, step, r.tab,
            r.statement), 'depth', r.n) FROM m, migrate.rest_of(target, step) AS r WHERE m.is_key
        UNION ALL SELECT jsonb_build_object('added', a.statements, 'depth', a.n)
        FROM migrate.also AS a WHERE (a.target, a.step) = ($1, $2)
        -- what tells subscribers to follow
        UNION ALL SELECT jsonb_build_object('told', format('%L, %L', key_tab, step)) FROM m
        WHERE is_key AND NOT fed AND EXISTS (SELECT FROM pg_publication_tables
            WHERE (schemaname, tablename) = ('migrate', 'done'))
    ), template (place, steps, text) AS (VALUES
        (1, '.*', 'LOCK TABLE {every} IN ACCESS EXCLUSIVE MODE'),
        (3, 'swap|back|finish|cancel', 'DROP FUNCTION IF EXISTS {follow} CASCADE'),
        (4, 'swap|back|in place', 'DROP {kind} {object}'),
        (5, 'swap|back|in place', 'ALTER TABLE {tab} DROP CONSTRAINT {fk}'),
        (6, 'swap|back', 'ALTER TABLE {keyed} DROP CONSTRAINT {key}'),
        (7, 'swap|back', 'ALTER TABLE {tab} RENAME CONSTRAINT {check} TO {leaves}'),
        (8, 'swap|back|cancel', 'ALTER TABLE {tab} DROP CONSTRAINT IF EXISTS {checked}'),
        (9, 'swap|back', 'ALTER TABLE {tab} RENAME {col} TO {goes}'),
        (10, 'swap|back', 'ALTER TABLE {tab} RENAME {own} TO {col}'),
        (11, 'swap|back', 'ALTER TABLE {tab} ALTER {optional} DROP NOT NULL'),
        (12, 'swap|back',
            'ALTER TABLE {keyed} ADD CONSTRAINT {key} {kind} USING INDEX {built}{delay}'),
        (13, 'swap|back', 'DROP INDEX {unique}'),
        (14, 'swap|back', 'ALTER INDEX {index} RENAME TO {leaves}'),
        (15, 'swap|back', 'ALTER INDEX {twin} RENAME TO {own}'),
        (16, 'swap|back', 'ALTER TABLE {tab} RENAME CONSTRAINT {built} TO {check}'),
        (17, 'in place', 'ALTER TABLE {tab} ALTER {col} DROP {has}'),
        (18, 'in place', 'ALTER TABLE {changed} {changes}'),
        (19, 'in place', 'ALTER TABLE {tab} ALTER {col} SET DEFAULT {gets}'),
        (20, 'swap|back|in place', 'ALTER TABLE {part} ADD CONSTRAINT {fk} {definition}{delay}'),
        (21, 'swap|back', '{fills}'),
        (22, 'swap|back|in place', '{made}'),
        (23, 'swap|back|in place', 'ALTER {kind} {object} OWNER TO {owner}'),
        (24, 'swap|back|in place', 'ALTER TABLE {tab} {state} {kind} {own_name}'),
        (25, 'swap|back|in place', 'ALTER STATISTICS {object} SET STATISTICS {target}'),
        (26, 'swap|back|in place', 'SELECT migrate.grant_only({named}, NULL, {acl})'),
        (27, 'swap|back|in place', 'SELECT migrate.grant_only({tab_}, {col_}, {acl})'),
        (28, 'swap|back|in place', 'COMMENT ON COLUMN {tab}.{col} IS {comment}'),
        (29, 'swap|back|in place', 'COMMENT ON {described} IS {comment}'),
        (30, 'swap|back|in place', 'ALTER TABLE {tab} ALTER {col} SET STATISTICS {target}'),
        (31, 'swap|back|in place', 'ALTER TABLE {tab} ALTER {col} SET ({options})'),
        (32, 'swap|back|in place', 'ALTER TABLE {tab} REPLICA IDENTITY USING INDEX {replica}'),
        (33, 'swap|back|in place', 'ALTER TABLE {tab} CLUSTER ON {cluster}'),
        (34, 'swap|back|in place',
            'INSERT INTO migrate.rest (target, step, tab, statement) VALUES ({rest})'),
        (35, 'finish', 'ALTER TABLE {tab} DROP COLUMN {spent}'),
        (36, 'cancel', 'ALTER TABLE {tab} DROP COLUMN IF EXISTS {own}'),
        (37, 'cancel', 'DROP INDEX IF EXISTS {looks_up}'),
        (38, 'finish|cancel', 'DROP TABLE IF EXISTS {keys}'),
        (39, '.*', '{added}'),
        (40, '.*', 'INSERT INTO migrate.done (target, step) VALUES ({told})')
    )
    SELECT array_agg(text ORDER BY place, depth * CASE place WHEN 4 THEN -1 ELSE 1 END, text)
    FROM (SELECT DISTINCT place, coalesce(names ->> 'depth', '0')::int AS depth, s AS text
        FROM template AS t, LATERAL (SELECT ARRAY(SELECT r[1] FROM regexp_matches(t.text,
            '\{(\w+)\}', 'g') AS r)) AS n (needed), line, unnest(migrate.sql(names, t.text)) AS s
        WHERE step ~ ('^(' || steps || ')$') AND names ?& needed) AS run);
END
$$;

-- What to settle before the first step, as far as a rehearsal does not show it.  This only reads.

CREATE OR REPLACE FUNCTION migrate.word(name) RETURNS text LANGUAGE sql IMMUTABLE
RETURN '\m' || regexp_replace($1, '(\W)', '\\\1', 'g') || '\M';

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
    FOR soft IN SELECT c.*, migrate.table_name(target) AS key_tab, nspname AS schema
        FROM migrate.columns(target, key) AS c
            JOIN pg_attribute AS a ON (a.attrelid, a.attname) = (target, key)
            LEFT JOIN pg_operator AS o ON (oprname, oprleft, oprright) = ('=', atttypid, atttypid)
            LEFT JOIN pg_namespace AS n ON n.oid = oprnamespace
        WHERE NOT c.is_key AND NOT in_place AND NOT EXISTS (SELECT FROM pg_constraint
                WHERE contype = 'f' AND convalidated AND c.num = ANY (conkey) AND conrelid = c.rel)
            AND has_table_privilege(c.rel, 'SELECT') AND has_table_privilege(target, 'SELECT')
    LOOP
        EXECUTE format('SELECT count(*) FROM %s AS c WHERE %I IS NOT NULL AND NOT EXISTS (SELECT '
            'FROM %s AS p WHERE p.%I OPERATOR(%I.=) c.%2$I)', soft.tab, soft.att, soft.key_tab, key,
            coalesce(soft.schema, 'pg_catalog')) INTO bad;
        IF bad > 0 THEN
            RETURN QUERY SELECT soft.dangling = 'stop', format('%s.%I', soft.tab, soft.att),
                format('%s rows refer to no row of %s', bad, target), CASE soft.dangling
                WHEN 'stop' THEN format('Correct them; or INSERT INTO migrate.reference VALUES '
                    '(%L, %L, %L, %L, ''null'') ON CONFLICT (rel, att) DO UPDATE SET dangling = '
                    '''null'', and their new value is NULL, and the old column stays.', soft.tab,
                    soft.att, soft.key_tab, key)
                ELSE 'Their new value will be NULL, and the old column stays for them.' END;
        END IF;
    END LOOP;

    RETURN QUERY WITH m AS MATERIALIZED (
        SELECT m.*, format('%s.%I', m.tab, m.att) AS col, c.relname, c.relkind, c.relowner,
            a.atttypid, a.atthasdef, a.attidentity, migrate.subscribed(m.rel) AS fed
        FROM migrate.columns(target, key) AS m JOIN pg_class AS c ON c.oid = m.rel
            JOIN pg_attribute AS a ON (a.attrelid, a.attnum) = (m.rel, m.num)
    ), u AS MATERIALIZED (
        SELECT DISTINCT m.is_key, format('%s %I of %s', d.kind, d.name, m.tab) AS what, i.*
        FROM m, migrate.dependents(m.rel, m.num) AS d JOIN pg_index AS i ON indexrelid = d.index
    ), s AS (
        SELECT typnamespace AS oid, nspname FROM pg_type AS t
            JOIN pg_namespace AS n ON n.oid = typnamespace WHERE t.oid = new_type
    ), setting AS (
        SELECT concat_ws(' in ', coalesce('role ' || nullif(setrole, 0)::regrole, 'every role'),
                datname) AS who, split_part(c, '=', 1) AS name,
            substr(c, 1 + strpos(c, '=')) AS value
        FROM pg_db_role_setting LEFT JOIN pg_database AS d ON d.oid = setdatabase,
            unnest(setconfig) AS c WHERE setdatabase = 0 OR datname = current_database()
    ), one (way, stops, object, finding, remedy) AS (
        SELECT 'both', true, m.tab, 'is a partition, inherited, or no plain table',
            'No step here: move the whole table, or fill a new one.'
        FROM m WHERE EXISTS (SELECT FROM migrate.tree(m.rel) AS t JOIN pg_class AS p ON p.oid = t
                WHERE relkind NOT IN ('r', 'p'))
            OR EXISTS (SELECT FROM pg_inherits
                WHERE inhrelid = m.rel OR inhparent = m.rel AND m.relkind = 'r')
        UNION ALL SELECT 'both', true, m.tab, format('belongs to %s, who may not use schema %s',
            m.relowner::regrole, s.nspname), format('GRANT USAGE ON SCHEMA %I TO %s; the checks of '
            'foreign keys run as the owner.', s.nspname, m.relowner::regrole)
        FROM m, s WHERE NOT has_schema_privilege(m.relowner, s.oid, 'USAGE')
        UNION ALL SELECT 'both', true, m.tab, 'a subscription writes to it',
            'Migrate the publisher; its findings say what to do here.'
        FROM m WHERE fed AND NOT coalesce(migrate.subscribed(to_regclass('migrate.done')), false)
        UNION ALL SELECT 'both', NOT told, format('publication %I', p.pubname),
            'sends ' || string_agg(DISTINCT m.tab, ', '),
            CASE WHEN told THEN 'Before any other step, run on each subscriber what the step '
                    '"subscriber" shows.'
                ELSE format('Load subscriber.sql here and on each subscriber. Here, ALTER '
                    'PUBLICATION %I ADD TABLE migrate.done; there, ALTER SUBSCRIPTION ... REFRESH '
                    'PUBLICATION.', p.pubname) END
        FROM m JOIN pg_publication AS p ON puballtables OR EXISTS (SELECT
                FROM pg_publication_tables AS t WHERE t.pubname = p.pubname
                    AND m.att = ANY (t.attnames) AND to_regclass(format('%I.%I', schemaname,
                        tablename)) IN (SELECT migrate.tree(m.rel))),
            LATERAL (SELECT EXISTS (SELECT FROM pg_publication_tables AS t WHERE (t.pubname,
                schemaname, tablename) = (p.pubname, 'migrate', 'done'))) AS t (told)
        GROUP BY told, p.pubname
        UNION ALL SELECT 'both', true, format('%s %I of %s', d.kind, d.name, m.tab),
            format('belongs to the move of %s, too', o.target), 'Finish or cancel that one first.'
        FROM m, migrate.move AS o, migrate.columns(o.target, o.key) AS c,
            migrate.dependents(m.rel, m.num) AS d JOIN migrate.dependents(c.rel, c.num) AS e
                USING (classid, objid)
        WHERE o.target <> $1 AND c.rel = m.rel AND d.kind IN ('key', 'index', 'check')
        UNION ALL SELECT 'online', true, m.col, 'is not unique by itself',
            format('CREATE UNIQUE INDEX CONCURRENTLY ON %s (%I);', m.tab, m.att)
        FROM m WHERE m.is_key AND migrate.key_index(target, key) IS NULL
        UNION ALL SELECT 'online', true, m.col, 'has no default',
            'Give it one, for the rows that are made after the swap need a key for the way back.'
        FROM m WHERE m.is_key AND NOT m.atthasdef AND m.attidentity = '' AND NOT fed
        UNION ALL SELECT 'both', true, m.col, format('has the domain %s', m.atttypid::regtype),
            'Its rules would be lost: give the column the base type first.'
        FROM m JOIN pg_type AS t ON t.oid = m.atttypid WHERE t.typtype = 'd'
        UNION ALL SELECT 'online', true, format('trigger %I of %s', t.tgname, m.tab),
            'fires after those that fill the new column', 'Give it a name that sorts before "~".'
        FROM m JOIN pg_trigger AS t ON t.tgrelid = m.rel
        WHERE NOT t.tgisinternal AND t.tgtype & 2 <> 0 AND t.tgname >= '~'
            AND t.tgname !~ '^~(old|new)_'
        -- what a dump loses afterwards: see the view
        UNION ALL SELECT 'both', false,
            regexp_replace(pg_describe_object(s.classid, s.objid, 0), '^rule _RETURN on ', ''),
            format('has %s, which a dump of ids does not restore', s.construct),
            format('Write instead: %s.', s.instead)
        FROM m JOIN pg_depend AS x ON x.refclassid = 'pg_class'::regclass
                AND ((x.refobjid, x.refobjsubid) = (m.rel, m.num)
                    OR x.refobjid IN (SELECT v.view FROM migrate.views(target, key) AS v))
            JOIN migrate.stored_construct AS s ON (s.classid, s.objid) = (x.classid, x.objid)
            JOIN pg_operator AS o ON o.oid = s.operator
        WHERE EXISTS (SELECT FROM unnest(ARRAY[o.oprleft, o.oprright]) AS side
            WHERE side = m.atttypid OR EXISTS (SELECT FROM pg_cast WHERE castmethod = 'b'
                AND (castsource, casttarget) = (m.atttypid, side)))
        -- what to look at
        UNION ALL SELECT 'online', false, what, 'is deferrable, and its copies are not',
            'From step "indexes" to "finish", writers must not rely on that.'
        FROM u WHERE NOT indimmediate
        UNION ALL SELECT 'online', false, what,
            'is unique, and has a copy from step "indexes" to the swap',
            'There INSERT ... ON CONFLICT may raise unique_violation: repeat it, or do both steps '
            'when nobody runs one.'
        FROM u WHERE indisunique AND NOT is_key
        UNION ALL SELECT 'online', false, m.tab, format('%I holds timestamps of no time zone',
            a.attname), format('In the expression for the ids write %I AT TIME ZONE ''UTC'', or '
            'the zone it is in.', a.attname)
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

-- The table of old numbers is for those who may read the key.
CREATE OR REPLACE FUNCTION migrate.look_up(target regclass) RETURNS text[]
LANGUAGE sql STABLE AS $$
    SELECT migrate.sql(to_jsonb(m) || jsonb_build_object('look', look, 'said', quote_literal(said),
            'made', CASE obj_description(to_regclass(look), 'pg_class') WHEN said THEN look END,
            'owner', c.relowner::regrole, 'look_', quote_literal(look), 'acl', quote_literal(
            acldefault('r', c.relowner) || ARRAY(SELECT makeaclitem(grantee, c.relowner, 'SELECT',
                false) FROM (SELECT c.relacl UNION ALL SELECT a.attacl) AS t (acl), aclexplode(acl)
            WHERE privilege_type = 'SELECT' AND grantee <> c.relowner GROUP BY 1)),
            'secured', CASE WHEN c.relrowsecurity THEN look END),
        'DROP TABLE {made}',
        'CREATE TABLE {look} AS SELECT {own} AS id, {col} AS new_id FROM {tab}',
        'ALTER TABLE {look} ADD PRIMARY KEY (id)',
        'ALTER TABLE {look} OWNER TO {owner}',
        'SELECT migrate.grant_only({look_}, NULL, {acl})',
        'ALTER TABLE {secured} ENABLE ROW LEVEL SECURITY',
        'CREATE POLICY as_the_key ON {secured} FOR SELECT USING (EXISTS (SELECT FROM {tab} AS p '
            'WHERE p.{col} = new_id))',
        'COMMENT ON TABLE {look} IS {said}')
    FROM migrate.moved(target) AS m JOIN pg_class AS c ON c.oid = m.rel
        JOIN pg_namespace AS n ON n.oid = relnamespace
        JOIN pg_attribute AS a ON (a.attrelid, a.attnum) = (m.rel, m.num),
        format('%I.%I', nspname, left(relname, 59) || '_key') AS look,
        concat('old and new ids of ', m.tab) AS said
    WHERE m.is_key
$$;

-- The proofs of a column: no row lacks the companion, and both lead to the same row.  SET NOT NULL
-- scans nothing while a valid CHECK proves that there is no NULL: if it was not validated before,
-- it is now, before the strong lock.
CREATE OR REPLACE FUNCTION migrate.proofs(target regclass)
RETURNS TABLE (kind text, tables text[], statements text[], done boolean)
LANGUAGE sql STABLE AS $$
    SELECT i.kind, ARRAY[m.tab], s.texts, coalesce(i.done, migrate.ran(v.n, s.texts[1], true))
    FROM migrate.under_way(target) AS v, migrate.moved(target) AS m LEFT JOIN pg_attribute AS own
            ON (own.attrelid, own.attname) = (m.rel, m.own_name)
        LEFT JOIN pg_constraint AS c ON (c.conrelid, c.conname) = (m.rel, m.check_name)
            AND own.attnum = ANY (c.conkey), LATERAL (SELECT m.dangling = 'stop' AS strict,
            m.required AND (incoming = 'new_' OR NOT is_key) AS needed) AS n,
        LATERAL (SELECT coalesce(needed AND own.attnotnull, false) AS is_set,
            coalesce(c.convalidated, false) AS valid) AS t, LATERAL (VALUES
        (1, 'brief', ARRAY['ALTER TABLE {tab} ADD CONSTRAINT {checked} CHECK ({proof}) NOT VALID'],
            is_set OR c.convalidated IS NOT NULL, strict),
        (2, 'call', ARRAY['CALL migrate.fill({target_}, {tab_})'], is_set OR valid,
            NOT fed AND strict AND incoming = 'new_'),
        (3, 'plain', ARRAY['ALTER TABLE {tab} VALIDATE CONSTRAINT {checked}'], is_set OR valid,
            strict),
        (4, 'brief', ARRAY['ALTER TABLE {tab} VALIDATE CONSTRAINT {checked}',
            'ALTER TABLE {tab} ALTER {own} SET NOT NULL',
            'ALTER TABLE {tab} DROP CONSTRAINT {checked}',
            'DROP FUNCTION IF EXISTS {pinned} CASCADE'], is_set, needed),
        (5, 'plain', ARRAY['SELECT migrate.compare({target_}, {tab_}, {att_}, {incoming_})'], NULL,
            NOT is_key)) AS i (n, kind, templates, done, wanted),
        migrate.sql(to_jsonb(m) || jsonb_build_object('tab_', quote_literal(m.tab), 'att_',
            quote_literal(att), 'incoming_',
            quote_literal(incoming), 'pinned', CASE WHEN is_key THEN follow END, 'proof',
            format(CASE WHEN needed THEN '%2$s IS NOT NULL' ELSE '(%s IS NULL) = (%s IS NULL)' END,
                m.col, m.own)), VARIADIC templates) AS s (texts)
    WHERE i.wanted AND (NOT m.is_key OR incoming = 'new_') ORDER BY m.is_key DESC, m.tab, m.num, i.n
$$;

-- All units of a step, those done as well: a "brief" or "swap" one takes strong locks on tables, a
-- "plain" one none, an "alone" one runs outside of a transaction, and a "call" makes its own ones.
CREATE OR REPLACE FUNCTION migrate.items(target regclass, step text, texts boolean)
RETURNS TABLE (kind text, tables text[], statements text[], done boolean)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v     migrate.move := migrate.under_way(target);
    k     record;
    todo  boolean := false;
    every text[] := ARRAY(SELECT DISTINCT c.tab FROM migrate.columns(target, v.key) AS c);
BEGIN
    IF step <> ALL ('{column,keys,fill,indexes,prove,swap,"prove back",back,finish,cancel,'
            '"in place",subscriber}'::text[])
        OR (v.conversion IS NULL) = (step = 'in place') AND step <> 'subscriber'
    THEN
        RAISE EXCEPTION 'there is no step "%" for %', step, target USING HINT = format(
            'SELECT * FROM migrate.steps(%L) lists the steps.', target);
    END IF;
    PERFORM set_config('search_path', v.path, true);
    SELECT m.*, migrate.type_of(m.rel, m.own_name) IS NOT NULL AS begun INTO k
        FROM migrate.moved(target) AS m WHERE m.is_key;
    IF step IN ('swap', 'back', 'in place', 'finish', 'cancel') THEN
        IF step = 'finish' THEN
            RETURN QUERY SELECT 'plain', every, migrate.look_up(target), false;
        END IF;
        IF step IN ('finish', 'cancel') OR step = 'swap' AND k.incoming = 'new_'
            OR step = 'back' AND k.incoming = 'old_'
            OR step = 'in place' AND migrate.type_of(target, v.key) <> v.new_type::text
        THEN
            RETURN QUERY SELECT 'swap', every, CASE WHEN texts THEN migrate.exchange(target, step)
                END, false;
            todo := true;
        END IF;
        RETURN QUERY SELECT CASE WHEN r.statement ~ '^ALTER .* ADD ' THEN 'brief' ELSE 'plain' END,
            ARRAY[r.tab], ARRAY[r.statement], false
        FROM (SELECT * FROM migrate.rest_of(target, step) WHERE todo
            UNION ALL SELECT o.n, o.tab, o.statement FROM migrate.rest AS o
            WHERE (o.target, o.step) = (items.target, items.step) AND NOT todo) AS r ORDER BY r.n;
        IF step = 'in place' THEN
            RETURN QUERY SELECT 'plain', every, migrate.sql(to_jsonb(k),
                'CALL migrate.forget({target_})'), false;
        END IF;
    ELSIF step = 'subscriber' THEN
        RETURN QUERY SELECT 'show', every, ARRAY[migrate.subscriber_script(target)], false;
    ELSIF (step = 'prove back') <> (k.incoming = 'old_') THEN
        RETURN QUERY SELECT 'plain', every, ARRAY['-- done before the swap'], true;
    ELSIF step = 'column' THEN
        RETURN QUERY SELECT 'call', every, migrate.sql(to_jsonb(k),
            'CALL migrate.rehearse({target_})'), k.begun;
        RETURN QUERY SELECT 'plain', every, migrate.sql(to_jsonb(k),
            'SELECT migrate.prove_ids({target_})'), k.begun WHERE v.ids IS NOT NULL AND NOT k.fed;
        RETURN QUERY SELECT 'brief', ARRAY[m.tab], migrate.sql(to_jsonb(m),
                'ALTER TABLE {tab} ADD COLUMN {own} {own_type}') || CASE WHEN m.fed THEN NULL
            WHEN NOT m.is_key THEN migrate.following(to_jsonb(m)) ELSE migrate.sql(to_jsonb(m),
                'ALTER TABLE {tab} ALTER {own} SET DEFAULT {generator}') || CASE
                WHEN v.ids IS NOT NULL THEN migrate.pin(to_jsonb(m)) END END,
            coalesce(migrate.type_of(m.rel, m.own_name) = v.new_type::text, false)
        FROM migrate.moved(target) AS m;
    ELSIF step = 'keys' AND v.keys IS NOT NULL AND NOT k.fed THEN
        RETURN QUERY SELECT 'plain', every, migrate.sql(to_jsonb(k), 'CREATE TABLE {keys_tab} '
                '(id, new_id) AS SELECT {col}, NULL::{own_type} FROM {tab} WITH NO DATA'),
            to_regclass(k.keys_tab) IS NOT NULL;
        RETURN QUERY SELECT 'plain', every, ARRAY[s], migrate.ran(v.n, s, false)
            FROM generate_series(2, greatest(2, cardinality(v.pieces))) AS i, concat('INSERT INTO ',
                k.keys_tab, ' ', CASE WHEN v.pieces IS NULL THEN v.keys ELSE replace(replace(v.keys,
                    '$1', quote_literal(v.pieces[i - 1])), '$2', quote_literal(v.pieces[i]))
                END) AS s;
        RETURN QUERY SELECT 'plain', every, migrate.sql(to_jsonb(k),
                'ALTER TABLE {keys_tab} ADD PRIMARY KEY (id), ADD UNIQUE (new_id)'), EXISTS (SELECT
            FROM pg_constraint WHERE conrelid = to_regclass(k.keys_tab) AND contype = 'u');
        RETURN QUERY SELECT 'brief', ARRAY[k.tab], migrate.pin(to_jsonb(k)), to_regprocedure(
            k.follow) IS NOT NULL OR EXISTS (SELECT FROM pg_attribute
                WHERE attrelid = k.rel AND attname = k.own_name AND attnotnull);
    ELSIF step = 'fill' AND NOT k.fed THEN
        RETURN QUERY SELECT t.kind, ARRAY[f.leaf], ARRAY[t.statement], l.done
        FROM (SELECT DISTINCT m.rel <> target AS later, p, migrate.table_name(p)
                FROM migrate.moved(target) AS m, migrate.tree(m.rel, true) AS p) AS f (later, rel,
                    leaf), LATERAL (SELECT coalesce(max(l.page), 0), coalesce(bool_or(l.page
                    IS NULL), false), pg_relation_size(f.rel) / current_setting('block_size')::int
                FROM migrate.log AS l WHERE l.move = v.n AND l.rel = f.leaf AND l.step = 'fill'
                    AND (l.page IS NOT NULL OR l.ended IS NOT NULL AND l.error IS NULL))
            AS l (page, done, size), LATERAL (SELECT greatest(128, (l.size + 9) / 10)) AS p (part),
            generate_series(l.page, CASE WHEN l.done THEN l.page ELSE greatest(l.page, l.size - 1)
                END, p.part) AS at, LATERAL (VALUES
                (1, 'call', format('CALL migrate.fill(%L, %L, %s, %s)', k.tab, f.leaf, at,
                    CASE WHEN at + p.part < l.size THEN (at + p.part)::text ELSE 'NULL' END)),
                (2, 'alone', 'VACUUM (TRUNCATE false) ' || f.leaf)) AS t (n, kind, statement)
        ORDER BY f.later, f.leaf, at, t.n;
    ELSIF step IN ('indexes', 'prove', 'prove back') THEN
        IF step = 'prove' THEN
            -- first, as their texts cost more than the other units
            RETURN QUERY SELECT t.kind, ARRAY[o.tab], migrate.sql(jsonb_build_object('tab', o.tab,
                    'own', quote_ident(o.comes), 'definition', coalesce(d.definition, '')),
                t.template), t.done
            FROM migrate.objects(target) AS o JOIN pg_constraint AS c ON c.oid = o.objid
                LEFT JOIN pg_constraint AS n ON (n.conrelid, n.conname) = (o.rel, o.comes)
                LEFT JOIN migrate.definitions(target, CASE WHEN texts AND n IS NULL
                    THEN '{check}'::text[] END) AS d ON d.objid = o.objid,
                LATERAL (VALUES
                ('brief', 'ALTER TABLE {tab} ADD CONSTRAINT {own} {definition} NOT VALID',
                    n.convalidated IS NOT NULL, true),
                ('plain', 'ALTER TABLE {tab} VALIDATE CONSTRAINT {own}',
                    coalesce(n.convalidated, false), c.convalidated)) AS t (kind, template, done,
                    wanted)
            WHERE o.kind = 'check' AND t.wanted ORDER BY o.tab, o.comes, t.kind;
        ELSE
            RETURN QUERY SELECT b.kind, b.tables, b.statements, b.done
                FROM migrate.builds(target, texts) AS b;
        END IF;
        IF step = 'indexes' THEN
            RETURN QUERY SELECT 'plain', ARRAY[e], ARRAY['ANALYZE ' || e], migrate.ran(v.n,
                'ANALYZE ' || e, true) FROM unnest(every) AS e;
        ELSE
            RETURN QUERY SELECT * FROM migrate.proofs(target);
        END IF;
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION migrate.plan(target regclass, step text)
RETURNS TABLE (n bigint, kind text, statement text, hash text) LANGUAGE sql AS $$
    SELECT row_number() OVER (), i.kind, array_to_string(i.statements, E';\n'),
        md5(string_agg(i.statements::text, ' ') OVER ())
    FROM migrate.items(target, step, true) AS i WHERE NOT i.done
$$;
COMMENT ON FUNCTION migrate.plan IS
    'what a step would run now, and a hash of it that migrate.step() can be given';

-- The settings of a role or database must not end a step, so that its session gets others for it.
CREATE OR REPLACE FUNCTION migrate.step(target regclass, step text, hash text DEFAULT NULL)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    tab   text := migrate.table_name(target);
    first text;
    last  text;
    one   record;
BEGIN
    SELECT string_agg(format('SET %s = %s', name, instead), '; '),
        string_agg(format('SET %s = %s', name, coalesce(nullif(setting, ''), '''''')), '; ')
        INTO first, last
    FROM pg_settings, LATERAL (SELECT CASE WHEN name ~ 'timeout' THEN '0' WHEN name ~ 'read_only'
            THEN 'off' WHEN name ~ 'path' THEN (migrate.under_way(target)).path ELSE '''''' END)
        AS t (instead)
    WHERE name ~ '^(statement_|lock_|transaction_|idle_in.*)timeout$'
        OR name IN ('search_path', 'default_tablespace', 'default_transaction_read_only');
    FOR one IN SELECT * FROM migrate.plan(target, step) LOOP
        IF one.hash <> step.hash THEN
            RAISE EXCEPTION 'step "%" of % would run something else now', step, target
                USING HINT = 'SELECT * FROM migrate.plan() shows it.';
        ELSIF one.kind = 'show' THEN
            RETURN NEXT one.statement;
            RETURN;
        ELSIF one.n = 1 THEN
            RETURN NEXT first;
        END IF;
        IF one.kind = 'call' THEN
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
    ELSE
        RETURN NEXT 'CALL migrate.note(NULL, NULL, NULL)';
        RETURN NEXT last;
    END IF;
END
$$;
COMMENT ON FUNCTION migrate.step IS
    'the statements that run what is left of a step, in order, for \gexec';

CREATE OR REPLACE FUNCTION migrate.steps(target regclass)
RETURNS TABLE (step text, statements bigint, done bigint) LANGUAGE sql AS $$
    SELECT s, count(i), count(*) FILTER (WHERE i.done) FROM migrate.under_way(target) AS v,
        unnest(CASE WHEN v.conversion IS NOT NULL THEN ARRAY['in place']
            ELSE '{column,keys,fill,indexes,prove,swap,finish}' END) WITH ORDINALITY AS t (s, n)
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
            SELECT FROM pg_locks AS l JOIN pg_locks AS o USING (virtualtransaction)
            WHERE concat(l.pid, o.pid) = '' AND l.relation = ANY (tables)
                AND o.transactionid = x.transaction))) AS t (who)
$$;
COMMENT ON FUNCTION migrate.holders IS 'the sessions and prepared transactions that hold locks';

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
    after   boolean := migrate.incoming(target, v.key) = 'old_';
    before  text[] := CASE step WHEN 'swap' THEN '{column,fill,indexes,prove}'
        WHEN 'back' THEN '{prove back}' ELSE '{}' END;
    missing text;
BEGIN
    IF step = 'finish' AND NOT after OR step = 'cancel' AND after THEN
        RAISE EXCEPTION 'step "%" of % comes % the swap', step, target,
            CASE step WHEN 'finish' THEN 'after' ELSE 'before' END
            USING HINT = 'Run the step "swap", or "prove back" and "back".';
    END IF;
    SELECT string_agg(s, E'\n') INTO missing FROM (
        SELECT format('step "%s": %s', s, left(array_to_string(i.statements, '; '), 200))
        FROM unnest(before) AS s, migrate.items(target, s, false) AS i
        WHERE NOT i.done AND i.statements[1] !~ '^(ANALYZE|VACUUM)'
        UNION ALL SELECT format('step "%s": %s', r.step, r.statement) FROM migrate.rest AS r
        WHERE r.target = $1 AND r.statement !~ '^ANALYZE' LIMIT 10) AS t (s);
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION '% is not ready for step "%"', target, step USING DETAIL = missing,
            HINT = 'Run these steps again: they return what is left to do.';
    END IF;
END
$$;

-- Runs one unit in the transaction of the caller.
CREATE OR REPLACE FUNCTION migrate.execute(target regclass, step text, kind text, statements text[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one     text;
    was     jsonb;
    differs text;
    state   text;
    message text;
    detail  text;
    hint    text;
BEGIN
    PERFORM set_config('search_path', concat_ws(', ', v.path, nullif(v.user_path, '')), true),
        set_config('client_min_messages', 'warning', true) FROM migrate.under_way(target) AS v;
    FOREACH one IN ARRAY statements LOOP
        EXECUTE one;
        IF kind = 'swap' AND was IS NULL THEN        -- it has the lock now
            was := migrate.picture(target);
        END IF;
    END LOOP;
    DELETE FROM migrate.rest AS r WHERE (r.target, r.step, r.statement) = ($1, $2, one);
    IF kind = 'swap' THEN
        one := NULL;
        SELECT string_agg(format('%s: was %s, would be %s', key, coalesce(a.value, 'nothing'),
            coalesce(b.value, 'nothing')), E'\n' ORDER BY key) INTO differs
        FROM jsonb_each_text(was) AS a
            FULL JOIN jsonb_each_text(migrate.picture(target)) AS b USING (key)
        WHERE a.value IS DISTINCT FROM b.value;
        IF differs IS NOT NULL THEN
            RAISE EXCEPTION 'step "%" of % would change what it has to keep', step, target
                USING DETAIL = differs, HINT = 'Nothing has changed. Drop these objects, and make '
                    'them anew after the swap; or do by hand what differs, and call again.';
        ELSIF step IN ('finish', 'cancel') THEN
            CALL migrate.forget(target);
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
    unit     record;
    locked   oid[];
    patience int := 0;              -- milliseconds a lock
    entry    bigint;
    state    text;
    message  text;
    detail   text;
    hint     text;
    done     boolean := false;
BEGIN
    IF step = 'rehearse' THEN
        SELECT 'swap' AS kind, array_agg(DISTINCT c.tab) AS tables, NULL::text[] AS statements,
            'CALL migrate.rehearse()' AS statement INTO unit
            FROM migrate.columns(target, v.key) AS c;
    ELSE
        SELECT * INTO unit FROM (SELECT i.*, array_to_string(i.statements, E';\n') AS statement,
                bool_or(i.kind = 'swap') OVER (ORDER BY i.ordinality
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS early
            FROM migrate.items(target, step, true) WITH ORDINALITY AS i WHERE NOT i.done) AS i
            WHERE md5(i.statement) = hash;
        IF NOT FOUND AND EXISTS (SELECT FROM migrate.log AS l WHERE (l.move, l.step,
            md5(l.statement)) = (v.n, run.step, hash) AND l.ended IS NOT NULL AND l.error IS NULL)
        THEN
            RAISE NOTICE 'this has been done';
            RETURN;
        ELSIF unit IS NULL THEN
            RAISE EXCEPTION 'step "%" of % would run something else now', step, target
                USING HINT = 'SELECT * FROM migrate.plan() shows it; migrate.step() runs it.';
        ELSIF unit.early THEN        -- psql goes on after an error
            RAISE EXCEPTION 'the statement before this one in step "%" of % has not run', step,
                target USING HINT = 'Call migrate.step() again: it returns what is left to do.';
        ELSIF unit.kind = 'swap' THEN
            PERFORM migrate.refuse_unready(target, step);
            -- a session plans this once: not under the lock
            PERFORM migrate.picture(target);
        END IF;
    END IF;
    locked := ARRAY(SELECT migrate.tree(t::regclass) FROM unnest(unit.tables) AS t);
    IF unit.kind <> 'plain' THEN
        patience := greatest(1, least(300, 0.9 * setting::int / cardinality(locked)))
            FROM pg_settings WHERE name = 'deadlock_timeout';
    END IF;
    INSERT INTO migrate.log (move, target, step, statement)
        VALUES (v.n, migrate.table_name(target), step, unit.statement) RETURNING n INTO entry;
    COMMIT;
    FOR attempt IN 1 .. 2000000000 LOOP
        BEGIN
            PERFORM set_config('lock_timeout', patience::text, true);
            IF step = 'rehearse' THEN
                PERFORM migrate.rehearsal(target);
            ELSE
                PERFORM migrate.execute(target, step, unit.kind, unit.statements);
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
            array_to_string(unit.tables, ', '), patience,
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

-- User triggers must not see the batches, which change nothing for the application: in a session of
-- the role "replica" they do not fire.
CREATE OR REPLACE FUNCTION migrate.may_replicate() RETURNS boolean LANGUAGE sql STABLE
RETURN has_parameter_privilege('session_replication_role', 'SET');

CREATE OR REPLACE FUNCTION migrate.check_batches(rel regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    fires text;
BEGIN
    IF row_security_active(rel) THEN
        RAISE EXCEPTION 'row-level security of % hides rows from %', rel, current_user
            USING HINT = 'Run the move as a role with BYPASSRLS.';
    END IF;
    SELECT string_agg(name, ', ') INTO fires FROM (
        SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = rel AND tgtype & 16 <> 0
            AND NOT tgisinternal AND tgattr = '' AND tgname !~ '^~'
        UNION ALL SELECT rulename, ev_enabled FROM pg_rewrite WHERE ev_class = rel
            AND ev_type = '2') AS t (name, enabled)
    WHERE enabled IN ('A', CASE WHEN migrate.may_replicate() THEN 'R' ELSE 'O' END);
    IF fires IS NOT NULL THEN
        RAISE EXCEPTION 'triggers of % would fire on each row that is filled: %', rel, fires
            USING HINT = CASE WHEN migrate.may_replicate() THEN
                'Enable them neither ALWAYS nor for REPLICA.' ELSE format(
                'GRANT SET ON PARAMETER session_replication_role TO %I;', current_user) END;
    END IF;
END
$$;
COMMENT ON FUNCTION migrate.check_batches IS
    'raises an error if a batch would not see all rows, or triggers would see the batch';

-- Runs the steps on emptied tables, so that it takes no longer with more rows, and the swap has its
-- indexes and keys.  It ends with an error, which rolls all of it back.
CREATE OR REPLACE FUNCTION migrate.rehearsal(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v     migrate.move := migrate.under_way(target);
    every oid[] := ARRAY(SELECT DISTINCT rel FROM migrate.columns(target, v.key));
    names text := (SELECT string_agg(migrate.table_name(e), ', ') FROM unnest(every) AS e);
    since timestamptz;
    one   text;
    step  text;
    item  record;
BEGIN
    IF v.conversion IS NULL THEN
        PERFORM migrate.check_batches(leaf) FROM unnest(every) AS e, migrate.tree(e) AS leaf
            WHERE NOT migrate.subscribed(e);
    END IF;
    -- a session plans these once: not under the lock
    PERFORM migrate.picture(target), migrate.exchange(target, 'swap');
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', names);
    since := clock_timestamp();
    FOR one IN SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', migrate.table_name(conrelid),
        conname)
        FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND confrelid = ANY (every)
            AND coalesce(pg_partition_root(conrelid), conrelid)::oid <> ALL (every)
    LOOP
        EXECUTE one;
    END LOOP;
    -- no trigger fires for that
    PERFORM set_config('session_replication_role', 'replica', true) WHERE migrate.may_replicate();
    EXECUTE 'TRUNCATE ' || names;
    PERFORM set_config('session_replication_role', 'origin', true) WHERE migrate.may_replicate();
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
        SELECT most_lag, max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)) INTO most, lag
            FROM migrate.pace LEFT JOIN pg_stat_replication ON true GROUP BY most_lag;
        IF most IS NOT NULL AND NOT pg_has_role('pg_read_all_stats', 'USAGE') THEN
            RAISE EXCEPTION '% does not see how far standbys lag', current_user
                USING HINT = format('GRANT pg_read_all_stats TO %I;', current_user);
        END IF;
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
    assign  text;
    ready   text;
    lacking text;
    column_ text;
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
    SELECT string_agg(s[1], ', '), string_agg(s[2], ' OR '), coalesce(string_agg(s[3], ' OR ')
            FILTER (WHERE dangling = 'stop'), 'false'), string_agg(own, ', ')
        INTO assign, ready, lacking, column_
    FROM migrate.moved(target) AS m, LATERAL (SELECT
            CASE WHEN is_key THEN '{own} IS NULL'
                ELSE 't.{col} IS NOT NULL AND t.{own} IS NULL' END,
            CASE WHEN is_key THEN
                'coalesce(t.{own}, (SELECT {new_id} FROM (SELECT t.*) AS p), {generator})'
            ELSE '(SELECT coalesce(p.{parent}, {new_id}) FROM {key_tab} AS p '
                'WHERE p.{key_col} = t.{col})' END) AS f (needed, value),
        migrate.sql(to_jsonb(m), '{own} = ' || value, format('(%s AND %s IS NOT NULL)', needed,
            value), format('(%s AND %s IS NULL)', needed, value)) AS s
    WHERE m.rel = coalesce(pg_partition_root(fill.tab), fill.tab);
    PERFORM migrate.check_batches(tab);
    INSERT INTO migrate.log (move, target, step, statement, rel, rows, page)
        VALUES (v.n, migrate.table_name(target), CASE WHEN first IS NULL THEN 'prove' ELSE 'fill'
            END, format('CALL migrate.fill(%L, %L, %s, %s)', target, name,
                coalesce(first::text, 'NULL'), coalesce(last::text, 'NULL')), name, 0, first)
        RETURNING n INTO entry;
    COMMIT;
    LOOP
        -- these locks conflict with none of the clients', so that no client queues behind them
        PERFORM set_config('lock_timeout', '0', true);
        size := pg_relation_size(tab) / current_setting('block_size')::int;
        upto := coalesce(least(last, size), size);
        WHILE block < upto LOOP
            pages := least((SELECT p.pages FROM migrate.pace AS p), upto - block);
            BEGIN
                PERFORM set_config('lock_timeout', '0', true), set_config('search_path', v.path,
                    true);
                PERFORM set_config('session_replication_role', 'replica', true)
                    WHERE migrate.may_replicate();
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
        PERFORM set_config('lock_timeout', '0', true), set_config('search_path', v.path, true);
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
                USING DETAIL = format('The first is at ctid %s.', example), HINT = 'They refer to '
                    'no row. Correct them and call again, or see "dangling" in migrate.findings().';
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
CREATE OR REPLACE FUNCTION migrate.compare(target regclass, tab regclass, att name, incoming text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    m       record;
    differ  bigint;
    example text;
BEGIN
    SELECT * INTO m FROM migrate.moved($1, $4) AS c WHERE (c.rel, c.att) = ($2, $3);
    EXECUTE array_to_string(migrate.sql(to_jsonb(m), 'SELECT count(*), min(c.{col}::text) '
        'FROM {tab} AS c LEFT JOIN {key_tab} AS p ON p.{key_col} = c.{col} '
        'WHERE c.{own} IS DISTINCT FROM p.{parent}') || CASE m.dangling WHEN 'null' THEN
            migrate.sql(to_jsonb(m), 'AND (c.{col} IS NOT NULL OR p.{key_col} IS NOT NULL)') END,
        ' ') INTO differ, example;
    IF differ > 0 THEN
        RAISE EXCEPTION '% rows of % do not refer to the same row of % by % and %',
                differ, m.tab, target, att, m.own
            USING DETAIL = format('The first has %s = %s.', att, example), HINT = format(
                'UPDATE %s SET %s = NULL WHERE ...; the trigger fills it again.', m.tab, m.own);
    END IF;
END
$$;
COMMENT ON FUNCTION migrate.compare IS
    'raises an error unless both columns of each row refer to the same row';

-- Telling of a move

-- An expression of the user as the catalogs write it, with all names qualified.
CREATE OR REPLACE FUNCTION migrate.canonical(target regclass, new_type regtype, what text,
    expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    path  text := current_setting('search_path');
    found text;
BEGIN
    EXECUTE format('CREATE TEMP TABLE twin (LIKE %s)', migrate.table_name(target));
    BEGIN
        EXECUTE format('ALTER TABLE pg_temp.twin ADD twin %s ' || CASE what WHEN 'ids'
            THEN 'GENERATED ALWAYS AS (%s) STORED' ELSE 'DEFAULT %s' END, new_type, expression);
    EXCEPTION WHEN invalid_object_definition THEN
        RAISE EXCEPTION 'the expression for the ids depends on more than the row' USING HINT =
            'Write AT TIME ZONE for what depends on the zone; for random bits, give a query.';
    END;
    PERFORM set_config('search_path', 'pg_catalog, pg_temp', true);
    SELECT pg_get_expr(adbin, adrelid) INTO found FROM pg_attrdef
        WHERE adrelid = to_regclass('pg_temp.twin');
    PERFORM set_config('search_path', path, true);
    DROP TABLE pg_temp.twin;
    RETURN found;
END
$$;

-- In place, "conversion" has %s for the column, and there is no default if none is given.
CREATE OR REPLACE PROCEDURE migrate.prepare(target regclass, key name, new_type regtype,
    generator text DEFAULT NULL, ids text DEFAULT NULL, pieces text[] DEFAULT NULL,
    conversion text DEFAULT NULL) LANGUAGE plpgsql AS $$
DECLARE
    is_query boolean := coalesce(ids ~* '^\s*(SELECT|WITH)\M', false);
    why      text := string_agg(format('%s: %s. %s', object, finding, remedy), E'\n'
            ORDER BY object, finding)
        FROM migrate.found(target, key, new_type, conversion IS NOT NULL) WHERE stops;
    path     text;
BEGIN
    IF EXISTS (SELECT FROM migrate.move AS o WHERE o.target = $1 AND o.conversion IS NULL
        AND (o.key, o.new_type) <> ($2, $3) AND (migrate.incoming(o.target, o.key) = 'old_'
            OR migrate.type_of(o.target, migrate.name('new_', o.key)) IS NOT NULL))
    THEN
        why := concat_ws(E'\n', why,
            'Another move of the table is under way: finish or cancel it.');
    END IF;
    IF why IS NOT NULL THEN
        RAISE EXCEPTION 'the key of % cannot be moved yet', target USING DETAIL = why;
    ELSIF cardinality(pieces) < 2 OR is_query
        AND (pieces IS NULL) = (ids LIKE '%$1%' AND ids LIKE '%$2%')
    THEN
        RAISE EXCEPTION 'pieces need two bounds, and a query for the keys between $1 and $2';
    ELSIF coalesce(ids, conversion) IS NULL AND NOT migrate.subscribed(target) THEN
        RAISE EXCEPTION 'say how an id is made of a row' USING HINT =
            'An expression such as uid11_make(created_at, id % (1 << 22)), or a query of ids.';
    ELSIF ids IS NOT NULL THEN
        generator := migrate.canonical(target, new_type, 'generator', coalesce(generator,
            (SELECT format('%I.%I()', nspname, typname || '_generate') FROM pg_type AS t
                JOIN pg_namespace AS n ON n.oid = typnamespace WHERE t.oid = new_type)));
    END IF;
    path := concat_ws(', ', 'pg_catalog', string_agg(DISTINCT quote_ident(nspname), ', '),
            'pg_temp')
        FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = typnamespace
        WHERE nspname <> 'pg_catalog' AND t.oid IN (SELECT $3 UNION SELECT atttypid
            FROM pg_attribute AS a WHERE a.attrelid = $1 AND NOT attisdropped
                AND a.attname IN ($2, migrate.name('old_', $2), migrate.name('new_', $2)));
    INSERT INTO migrate.move (target, key, new_type, generator, ids, keys, pieces, conversion, path,
        user_path)
    VALUES ($1, $2, $3, $4, CASE WHEN NOT is_query AND ids IS NOT NULL THEN migrate.canonical(
            target, new_type, 'ids', ids) END, CASE WHEN is_query THEN ids END, $6, $7, path,
        current_setting('search_path'))
    ON CONFLICT ON CONSTRAINT move_pkey DO UPDATE SET key = excluded.key,
        new_type = excluded.new_type, generator = excluded.generator, ids = excluded.ids,
        keys = excluded.keys, pieces = excluded.pieces, conversion = excluded.conversion,
        path = excluded.path, user_path = excluded.user_path;
END
$$;
COMMENT ON PROCEDURE migrate.prepare IS
    'describes a move: the table, its key, the new type, the new '
    'default, and the id as an expression over a row, or a query for old and new ids';

CREATE OR REPLACE PROCEDURE migrate.forget(target regclass) LANGUAGE sql AS $$
    DELETE FROM migrate.move AS o WHERE o.target = forget.target;
    DELETE FROM migrate.also AS o WHERE o.target = forget.target;
    DELETE FROM migrate.rest AS o WHERE o.target = forget.target;
$$;
COMMENT ON PROCEDURE migrate.forget IS 'forgets a move, and removes nothing that it made';

-- The other way: one transaction, under the strongest lock.
CREATE OR REPLACE PROCEDURE migrate.prepare_in_place(target regclass, key name, new_type regtype,
    generator text, conversion text) LANGUAGE sql AS $$
    CALL migrate.forget(target);
    CALL migrate.prepare(target, key, new_type, generator, conversion => conversion)
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
        FROM (SELECT DISTINCT migrate.tree(m.rel, true) FROM migrate.columns(v.target, v.key) AS m)
            AS p (part) JOIN pg_class AS c ON c.oid = p.part) AS f (tables, all_rows, bytes, rows,
                rate);
COMMENT ON VIEW migrate.status IS
    'each move under way: its step, what is done of it, how fast, and what holds it up';
