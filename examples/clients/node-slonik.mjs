// uid11 with slonik (see doc/frameworks.md)

import pg from 'pg';
import { createPool, createTypeParserPreset, sql } from 'slonik';

import { end, ids, prefix, rows, show, start, url } from './given.mjs';

const pool = await createPool(url, {
  typeParsers: [
    ...createTypeParserPreset(),
    { name: '_uid11', parse: pg.types.getTypeParser(1009) },    // arrays of ids, as of text[]
  ],
});

const bulk = rows.map(({ id, body }) => [id, body]);
await pool.query(sql.unsafe`
  INSERT INTO post (id, body) SELECT * FROM ${sql.unnest(bulk, ['uid11', 'text'])}`);

const id = await pool.oneFirst(sql.unsafe`INSERT INTO post (body) VALUES (${'new'}) RETURNING id`);
console.log('default:', id);

show('equality', await pool.any(sql.unsafe`SELECT body FROM post WHERE id = ${id}`));

show('list', await pool.any(sql.unsafe`
  SELECT body FROM post WHERE id = ANY(${sql.array(ids, 'uid11')}) ORDER BY id`));

show('prefix', await pool.any(sql.unsafe`
  SELECT body FROM post WHERE id <@ uid11_prefix(${prefix}) ORDER BY id`));

show('window', await pool.any(sql.unsafe`
  SELECT body FROM post
  WHERE id <@ uid11_range(${sql.timestamp(start)}, ${sql.timestamp(end)}) ORDER BY id`));

show('instant', await pool.any(sql.unsafe`
  SELECT body FROM post WHERE id >= ${sql.timestamp(start)} ORDER BY id`));

const array = await pool.oneFirst(sql.unsafe`SELECT array_agg(id ORDER BY id) FROM post`);
console.log('array:', array.join(' '));
console.log('text:', (await pool.anyFirst(sql.unsafe`SELECT id FROM post ORDER BY id`)).join(' '));
await pool.end();
