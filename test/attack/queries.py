"""Queries that are odd for the planner, alone and in great number.

Every one is answered once with the operator <@!, about which the planner knows nothing, and then
with <@ in several modes of the planner.
"""

from attack import Attack, quote
import many_conditions
from many_conditions import added_memory, many, many_ends


def statements(script):
    return [' '.join(statement.split()) for statement in script.split(';\n')[:-1]]


QUERY_SCHEMA = '''
CREATE FUNCTION shifted(uid11, int) RETURNS uid11 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
	'SELECT ($1::bigint + $2 * 4194304::bigint * 60000)::uid11';
CREATE TABLE plain (gone int, n int, id uid11, r uid11range, ids uid11[], k text COLLATE "C");
INSERT INTO plain SELECT 0, n, id, CASE n % 9 WHEN 0 THEN NULL WHEN 1 THEN 'empty'
		WHEN 2 THEN uid11range(id, NULL) WHEN 3 THEN uid11range(NULL, id)
		ELSE uid11range(id, shifted(id, n % 300), '[]') END, ARRAY[id, NULL], n::text
	FROM (SELECT n, uid11_make('2026-01-01Z'::timestamptz + n * interval '3 min',
		(n * 7919) % 4194304) AS id FROM generate_series(1, 400) n) s;
INSERT INTO plain (n) VALUES (-1);
ALTER TABLE plain DROP COLUMN gone;
CREATE INDEX ON plain (id);
CREATE INDEX ON plain USING gist (r);
CREATE INDEX ON plain USING gist (id);
CREATE INDEX ON plain USING brin (id);
CREATE INDEX ON plain (k, id) INCLUDE (n)
	WHERE id <@ uid11_range('2026-01-01Z', '2026-01-01 12:00Z');
CREATE DOMAIN id_dom AS uid11 CHECK (VALUE <@ uid11_prefix(''));
CREATE DOMAIN range_dom AS uid11range;
CREATE TABLE doms (d id_dom, rd range_dom, g bigint GENERATED ALWAYS AS (uid11_to_bigint(d)) STORED,
	inside boolean GENERATED ALWAYS AS (d <@ rd) STORED, CHECK (d <@ rd IS NOT FALSE OR true));
INSERT INTO doms SELECT id, r FROM plain;
CREATE INDEX ON doms (d);
CREATE TABLE part (n int, id uid11, extra int, r uid11range) PARTITION BY RANGE (id);
CREATE TABLE part0 PARTITION OF part FOR VALUES FROM (MINVALUE) TO (uid11_min('2026-01-01 08:00Z'));
CREATE TABLE part1 (extra int, gone int, r uid11range, id uid11, n int);
ALTER TABLE part1 DROP COLUMN gone;
ALTER TABLE part ATTACH PARTITION part1 FOR VALUES FROM (uid11_min('2026-01-01 08:00Z'))
	TO (uid11_min('2026-01-01 16:00Z'));
CREATE TABLE part2 PARTITION OF part DEFAULT;
INSERT INTO part (n, id, r) SELECT n, id, r FROM plain;
ALTER TABLE part DROP COLUMN extra;
CREATE TABLE parent (n int, id uid11, r uid11range);
CREATE TABLE child (more int, CHECK (id <@ uid11_range('2026-01-01Z', '2026-01-02Z')))
	INHERITS (parent);
INSERT INTO parent SELECT n, id, r FROM plain WHERE n % 2 = 0;
INSERT INTO child SELECT n, id, r, 1 FROM plain
	WHERE n % 2 = 1 AND id <@ uid11_range('2026-01-01Z', '2026-01-02Z');
CREATE MATERIALIZED VIEW matter AS SELECT * FROM plain WHERE id <@ uid11_prefix('5');
CREATE VIEW guarded WITH (security_barrier) AS SELECT * FROM part WHERE n % 2 = 0;
CREATE FUNCTION outer_r() RETURNS uid11range LANGUAGE sql STABLE PARALLEL SAFE AS
	$$ SELECT uid11_range('2026-01-01 06:00Z', '2026-01-01 10:00Z') $$;
CREATE STATISTICS on_plain ON id, r FROM plain;
CREATE FUNCTION k_less(int) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
	'SELECT $1 < 200';
ANALYZE;
'''


WINDOW = "uid11_range('2026-01-01 06:00Z', '2026-01-01 10:00Z')"
QUERIES = statements(r'''
SELECT id <@ {w} AS x, count(*) FROM {t} GROUP BY 1 ORDER BY 1;
SELECT id <@ r AS x, count(*) FROM {t} GROUP BY GROUPING SETS ((id <@ r), ()) ORDER BY 1, 2;
SELECT count(*) FILTER (WHERE id <@ {w}), count(*) FROM {t};
SELECT sum(n) OVER (PARTITION BY id <@ {w} ORDER BY n) FROM {t} ORDER BY 1 LIMIT 50;
SELECT count(*) FROM {t} WHERE CASE WHEN n > 100 THEN id <@ {w} ELSE id <@ r END;
SELECT count(*) FROM {t} WHERE NOT id <@ {w} OR id <@ r IS NULL;
SELECT count(*) FROM {t} WHERE coalesce(id <@ r, false) IS NOT TRUE;
SELECT count(*) FROM {t} a, LATERAL (SELECT * FROM plain b WHERE b.id <@ a.r LIMIT 3) s WHERE a.n <
    60;
SELECT count(*) FROM {t} a LEFT JOIN {t} b ON b.id <@ a.r AND b.n < 300 WHERE a.n < 60;
SELECT count(*) FROM {t} a FULL JOIN (SELECT * FROM plain WHERE id <@ {w}) b ON a.id = b.id;
SELECT count(*) FROM {t} a WHERE EXISTS (SELECT FROM {t} b WHERE a.id <@ b.r AND b.n < 50);
SELECT count(*) FROM {t} a WHERE NOT EXISTS (SELECT FROM {t} b WHERE b.id <@ a.r) AND n < 60;
SELECT count(*) FROM {t} a WHERE id <@ (SELECT r FROM plain WHERE n = 50);
SELECT count(*) FROM {t} a WHERE (SELECT min(id) FROM plain) <@ r;
SELECT count(*) FROM {t} a WHERE id <@ (SELECT b.r FROM plain b WHERE b.n = a.n + 1);
SELECT (SELECT count(*) FROM plain b WHERE a.id <@ b.r) FROM {t} a ORDER BY n LIMIT 30;
WITH RECURSIVE w (id, depth) AS (SELECT id, 1 FROM {t} WHERE n = 50 UNION SELECT p.id, depth + 1
    FROM w JOIN plain p ON p.id <@ uid11range(w.id, shifted(w.id, 30), '[]') WHERE depth < 4) SELECT
    count(*), max(depth) FROM w;
WITH c AS MATERIALIZED (SELECT * FROM {t}) SELECT count(*) FROM c WHERE id <@ {w};
SELECT count(*) FROM (SELECT DISTINCT ON (id <@ {w}) id, n FROM {t} ORDER BY id <@ {w}, n) s;
SELECT n FROM {t} ORDER BY id <@ {w} DESC NULLS LAST, n DESC LIMIT 20;
SELECT count(*) FROM {t} GROUP BY n % 3 HAVING bool_or(id <@ {w}) ORDER BY 1;
SELECT count(*) FROM {t} WHERE id <@ {w} AND id <@ uid11_prefix('5') AND id <@ r;
SELECT count(*) FROM {t} WHERE id <@ 'empty'::uid11range OR id <@ NULL::uid11range;
SELECT count(*) FROM {t} WHERE id <@ '(,)'::uid11range;
SELECT count(*) FROM {t} WHERE NULL::uid11 <@ r;
SELECT count(*) FROM {t} WHERE id <@ {w}::range_dom::uid11range;
SELECT count(*) FROM doms a JOIN {t} b ON a.d::uid11 <@ b.r WHERE b.n < 40;
SELECT count(*) FROM {t} a JOIN doms d ON a.id <@ d.rd::uid11range WHERE a.n < 40;
SELECT count(*) FROM {t} WHERE (n, id <@ {w}) >= (100, false);
SELECT count(*) FROM {t} WHERE (id, n) > (SELECT id, n FROM plain WHERE n = 90) AND id <@ {w};
SELECT count(*) FROM {t} WHERE id <@ outer_r();
SELECT count(*) FROM {t} WHERE id <@ uid11_range(now() - interval '99 years', now());
SELECT count(*) FROM {t} WHERE id <@ CASE WHEN n > 9 THEN r ELSE {w} END;
SELECT count(*) FROM {t} WHERE shifted(id, 1) <@ r;
SELECT count(*) FROM {t} a NATURAL JOIN {t} b WHERE a.id <@ {w} AND k_less(a.n);
SELECT count(*) FROM {t} TABLESAMPLE BERNOULLI (100) WHERE id <@ {w};
SELECT count(*) FROM (SELECT * FROM {t} UNION ALL SELECT * FROM {t} OFFSET 0) u WHERE id <@ {w};
SELECT count(*) FROM (SELECT id, r FROM {t} UNION ALL SELECT d, rd FROM doms) u WHERE id <@ {w};
SELECT count(*) FROM {t} WHERE id <@ {w} AND n::text COLLATE "C" < '5' COLLATE "C";
SELECT count(*) FROM generate_series(1, 3) g, {t} WHERE id <@ uid11range(NULL,
    shifted(uid11_make('2026-01-01Z', 0), g));
SELECT sum(g) FROM {t}, unnest(ARRAY[r, {w}, NULL]) WITH ORDINALITY u (x, g) WHERE id <@ x;
SELECT count(*) FROM guarded WHERE id <@ {w};
SELECT count(*) FROM matter WHERE id <@ {w};
SELECT count(*) FROM {t} a, {t} b WHERE a.n < 30 AND b.id <@ uid11range(a.id, NULL) AND b.n < 60;
''')
TABLES = ('plain', 'part', 'parent')
# What makes plans that small tables would not get.
MODES = (
    '', 'SET enable_seqscan = off;', 'SET enable_seqscan = off; SET enable_bitmapscan = off;',
    'SET plan_cache_mode = force_generic_plan; SET enable_nestloop = off;',
    'SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_partitionwise_join = on; '
    'SET enable_partitionwise_aggregate = on; SET constraint_exclusion = on;')
# To start workers and to compile takes longer than all of the rest, so few queries do it.
DEAR_MODES = (
    'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; '
    'SET min_parallel_table_scan_size = 0; SET min_parallel_index_scan_size = 0; '
    'SET max_parallel_workers_per_gather = 2;',
    'SET jit = on; SET jit_above_cost = 0; SET jit_inline_above_cost = -1; '
    'SET jit_optimize_above_cost = -1;')


def compare(database, title, templates, answer, modes):
    """Queries or changes must give in every mode what they give with <@! in none of them."""
    pairs = []
    for template in templates:
        for table in TABLES if '{t}' in template else ('',):
            statement = template.format(t=table, w=WINDOW)
            pairs.append([answer(spelled, table)
                          for spelled in (statement, statement.replace('<@', '<@!'))])
    database.run('CREATE TABLE answers (n int PRIMARY KEY, answer text);')
    database.attack(title + ', by brute force', [
        Attack('INSERT INTO answers SELECT %d, %s' % (n, slow), succeed=True)
        for n, (_, slow) in enumerate(pairs)])
    for mode in modes:
        database.attack(title + ' ' + mode, [
            Attack('SELECT %s IS NOT DISTINCT FROM (SELECT answer FROM answers WHERE n = %d)'
                   % (fast, n), succeed=True) for n, (fast, _) in enumerate(pairs)], mode)
    database.run('DROP TABLE answers;')


def attack_planner(database):
    database.run(QUERY_SCHEMA)
    for queries, modes in (QUERIES, MODES), (QUERIES[::6], DEAR_MODES):
        compare(database, 'planner', queries,
                lambda query, table:
                "(SELECT string_agg(q::text, ' ' ORDER BY q::text) FROM (%s) q)" % query, modes)


# Statements that change data: what a table holds after one, which is rolled back then.
CHANGES = statements(r'''
UPDATE {t} SET n = n + 1 WHERE id <@ {w};
DELETE FROM {t} WHERE id <@ {w} AND n % 2 = 0;
DELETE FROM {t} USING plain p WHERE {t}.id <@ p.r AND p.n < 50;
UPDATE {t} SET n = p.n FROM plain p WHERE {t}.id <@ p.r AND p.n < 10;
MERGE INTO {t} USING plain p ON {t}.id = p.id AND {t}.id <@ {w} WHEN MATCHED THEN UPDATE SET n =
    -p.n;
MERGE INTO {t} USING plain p ON {t}.n = p.n WHEN MATCHED AND {t}.id <@ {w} THEN DELETE;
WITH d AS (DELETE FROM {t} WHERE id <@ {w} RETURNING *) UPDATE plain SET n = plain.n + 1000 FROM d
    WHERE plain.id <@ d.r;
''')


def attack_changes(database):
    database.run('''
CREATE FUNCTION after(change text, tab text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	BEGIN
		EXECUTE change;
		EXECUTE format('SELECT count(*) || md5(string_agg(n || id::text, chr(32) ORDER BY n, id)) '
			'FROM %I', tab) INTO result;
		RAISE SQLSTATE 'RB000';
	EXCEPTION WHEN SQLSTATE 'RB000' THEN
		RETURN result;
	END;
END
$$;
''')
    compare(database, 'changes', CHANGES,
            lambda change, table: "after(%s, '%s')" % (quote(change), table), MODES[:3])


# Of windows of constants, the server copies the list of what is left for each.
MOST_MEMORY = 5


def attack_conditions(database, most, connect):
    """So many conditions take no more than some times the memory that those on a bigint do."""
    database.run(many_conditions.SCHEMA)
    queries = {(kind, joined): [many(kind, count, joined) for count in (3, most)]
               for kind in many_conditions.CONDITIONS for joined in (' AND ', ' OR ')}
    queries['ends', ' of joins'] = [many_ends(count) for count in (4, most // 2)]
    for (kind, joined), pairs in queries.items():
        mine, plain = (added_memory(connect, few, query) for few, query in zip(*pairs))
        database.test('many conditions, %s,%s: memory' % (kind, joined),
                      None if mine <= MOST_MEMORY * plain else
                      '%d kB, %d kB of bigint' % (mine, plain))


def attack_size(database, count):
    """Statements of so many parameters and constants, and of clauses a tenth of that."""
    ids = [text for text, in database.run('SELECT id FROM plain WHERE id IS NOT NULL ORDER BY n')]
    ids = (ids * (count // len(ids) + 1))[:count]
    quoted = ', '.join("'%s'" % text for text in ids)
    ranges = ["'[%s,%s]'" % (text, text) for text in ids]
    database.attack('size', [Attack('SELECT count(*) FROM ' + rest, succeed=True) for rest in (
        'plain WHERE id IN (%s)' % quoted,
        'part WHERE id = ANY (ARRAY[%s]::uid11[])' % quoted,
        'plain WHERE id <@ ANY (ARRAY[%s]::uid11range[]) AND n < 20' % ', '.join(ranges),
        'part WHERE ' + ' OR '.join('id <@ %s::uid11range' % r for r in ranges[:count // 10]),
        'part WHERE ' + ' AND '.join("id <@ uid11range(NULL, '%s')" % text
                                     for text in ids[:count // 10]),
        '(VALUES %s) v (id)' % ', '.join("('%s'::uid11)" % text for text in ids),
        'plain WHERE id <@ ALL (SELECT r FROM plain WHERE n < 0) AND '
        'id <@ ANY (SELECT r FROM plain)',
        'plain WHERE id <@ ALL (ARRAY[r, %s]::range_dom[])' % WINDOW,
        'doms WHERE d <@ ANY (ARRAY[rd]) OR d <@ rd')])
    for title, type_name, values, clause in (
            ('ids', 'uid11', quoted.split(', '),
             'id IN (%s)' % ', '.join('$%d' % (n + 1) for n in range(count))),
            ('ranges', 'uid11range', ranges[:count // 10],
             ' OR '.join('id <@ $%d' % (n + 1) for n in range(count // 10)))):
        execute = 'EXECUTE many (%s);' % ', '.join(values)
        counts = list(database.results(
            'PREPARE many (%s) AS SELECT count(*) FROM part WHERE %s; %s'
            'SET plan_cache_mode = force_generic_plan; %s RESET ALL; DEALLOCATE many'
            % (', '.join([type_name] * len(values)), clause, execute, execute)))
        database.test('prepared statement of many ' + title,
                      None if counts == [[(len(set(values)),)]] * 2 else str(counts))
