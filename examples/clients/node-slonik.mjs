// uid11 with slonik; arguments: FILE PREFIX FROM UPTO (see doc/frameworks.md)

import { readFileSync } from 'node:fs';
import pg from 'pg';
import { createPool, createTypeParserPreset, sql } from 'slonik';

const { PGUSER, PGPASSWORD, PGPORT, PGDATABASE } = process.env;
const url = `postgresql://${PGUSER}:${PGPASSWORD}@127.0.0.1:${PGPORT}/${PGDATABASE}`;
const pool = await createPool(url, {
  typeParsers: [
    ...createTypeParserPreset(),
    { name: '_uid11', parse: pg.types.getTypeParser(1009) },    // arrays of ids, as of text[]
  ],
});

const [path, prefix, start, end] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
const [given, ...bulk] = lines.map((line) => line.split('\t'));
const ids = [given[0], bulk[0][0], bulk[1][0]];

await pool.query(sql.unsafe`
  INSERT INTO post (id, body) SELECT * FROM ${sql.unnest(bulk, ['uid11', 'text'])}`);
console.log('bulk insert:', bulk.length);

const id = await pool.oneFirst(sql.unsafe`INSERT INTO post (body) VALUES (${'new'}) RETURNING id`);
console.log('default:', id);

await pool.query(sql.unsafe`INSERT INTO post (id, body) VALUES (${given[0]}, ${given[1]})`);

const show = (step, rows) => console.log(`${step}:`, rows.map((row) => row.body).join(' '));

show('equality', await pool.any(sql.unsafe`SELECT body FROM post WHERE id = ${id}`));

show('list', await pool.any(sql.unsafe`
  SELECT body FROM post WHERE id = ANY(${sql.array(ids, 'uid11')}) ORDER BY id`));

show('list (join)', await pool.any(sql.unsafe`
  SELECT body FROM post WHERE id IN (${sql.join(ids, sql.fragment`, `)}) ORDER BY id`));

show('prefix', await pool.any(sql.unsafe`
  SELECT body FROM post WHERE id <@ uid11_prefix(${prefix}) ORDER BY id`));

show('window', await pool.any(sql.unsafe`
  SELECT body FROM post
  WHERE id <@ uid11_range(${sql.timestamp(new Date(start))}, ${sql.timestamp(new Date(end))})
  ORDER BY id`));

show('instant', await pool.any(sql.unsafe`
  SELECT body FROM post WHERE id >= ${sql.timestamp(new Date(start))} ORDER BY id`));

const all = await pool.anyFirst(sql.unsafe`SELECT id FROM post ORDER BY id`);
console.log('text:', all.join(' '));

const array = await pool.oneFirst(sql.unsafe`SELECT array_agg(id ORDER BY id) FROM post`);
console.log('array:', array.join(' '));
await pool.end();
