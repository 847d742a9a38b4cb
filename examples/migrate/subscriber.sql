-- Moves the keys of tables that are published: load it after migrate.sql, on the publisher and on
-- each subscriber.  doc/migrate-bigserial.md explains the steps.
--
-- A subscriber has to change its tables between the same two transactions of the stream as the
-- publisher.  So a step of the publisher adds a row to migrate.done, which is published, and where
-- that row arrives, a trigger runs the subscriber's own step of the same name.

CREATE TABLE IF NOT EXISTS migrate.done (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    target text NOT NULL, step text NOT NULL);
COMMENT ON TABLE migrate.done IS 'the steps that subscribers have to follow';

-- Without its locks the trigger tries again, holding none in the meantime: an error would make a
-- subscription with disable_on_error stop for good.
CREATE OR REPLACE FUNCTION migrate.follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    target regclass := to_regclass(NEW.target);
    one    record;
BEGIN
    LOOP
        BEGIN
            PERFORM set_config('lock_timeout', '300ms', true);
            PERFORM migrate.refuse_unready(target, NEW.step);
            FOR one IN SELECT * FROM migrate.items(target, NEW.step, true) AS i
                WHERE i.kind = 'swap' AND NOT i.done
            LOOP
                PERFORM migrate.execute(target, NEW.step, one.kind, one.statements);
            END LOOP;
            RETURN NULL;
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            PERFORM pg_sleep(1);
        END;
    END LOOP;
END
$$;
CREATE OR REPLACE TRIGGER follow AFTER INSERT ON migrate.done
    FOR EACH ROW EXECUTE FUNCTION migrate.follow();
ALTER TABLE migrate.done ENABLE REPLICA TRIGGER follow;

-- A publication of all tables sends what the publisher wrote into the other tables: rows that are
-- none of the subscriber's business.  What migrate.follow() does is no row of the publisher.
CREATE OR REPLACE FUNCTION migrate.ignore() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RETURN CASE WHEN pg_trigger_depth() > 1 THEN coalesce(NEW, OLD) END;
END
$$;
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['move', 'also', 'rest', 'reference', 'log', 'pace'] LOOP
        EXECUTE format('CREATE OR REPLACE TRIGGER ignore BEFORE INSERT OR UPDATE OR DELETE ON '
            'migrate.%I FOR EACH ROW EXECUTE FUNCTION migrate.ignore();'
            'ALTER TABLE migrate.%1$I ENABLE REPLICA TRIGGER ignore, REPLICA IDENTITY FULL', name);
    END LOOP;
END
$$;

-- What to run on a subscriber: the columns to move, as it may lack foreign keys, the table of keys
-- if that is published, and a call that describes the move there.
CREATE OR REPLACE FUNCTION migrate.subscriber_script(target regclass) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT concat((SELECT string_agg(format(E'INSERT INTO migrate.reference VALUES (%L, %L, %L, '
                '%L, %L)\n    ON CONFLICT DO NOTHING;\n', m.tab, m.att, t, v.key, m.dangling), '')
            FROM migrate.columns(v.target, v.key) AS m WHERE NOT m.is_key),
        (SELECT format(E'CREATE TABLE %s (id %s, new_id %s);\n', migrate.keys_table(v.target),
                migrate.type_of(v.target, v.key), v.new_type)
            FROM pg_publication WHERE puballtables AND v.keys IS NOT NULL LIMIT 1),
        CASE WHEN v.conversion IS NULL THEN format(E'CALL migrate.prepare_subscriber(%L, %L, %L);\n'
                'SELECT migrate.step(%1$L, ''column'') \\gexec', t, v.key, v.new_type)
            ELSE format('CALL migrate.prepare_in_place(%L, %L, %L, %L, %L);', t, v.key, v.new_type,
                v.generator, v.conversion) END)
    FROM migrate.move AS v, migrate.table_name(v.target) AS t WHERE v.target = $1
$$;

CREATE OR REPLACE PROCEDURE migrate.prepare_subscriber(target regclass, key name, new_type regtype)
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT migrate.subscribed(target) THEN
        RAISE EXCEPTION 'no subscription writes to %', target;
    END IF;
    CALL migrate.prepare(target, key, new_type);
END
$$;
COMMENT ON PROCEDURE migrate.prepare_subscriber IS
    'describes the move of a subscriber, which follows the steps of the publisher';
