// uid11 with pg-promise (see doc/frameworks.md)

import pgPromise from 'pg-promise';

import { end, ids, prefix, rows, show, start } from './given.mjs';

const pgp = pgPromise();
const db = pgp({});                             // PGHOST and so on say where

const { typarray } = await db.one(
  "SELECT typarray FROM pg_type WHERE oid = 'uid11'::regtype");
pgp.pg.types.setTypeParser(typarray, pgp.pg.types.getTypeParser(1009));     // as text[]

await db.none(pgp.helpers.insert(rows, ['id', 'body'], 'post'));

const { id } = await db.one('INSERT INTO post (body) VALUES ($1) RETURNING id', ['new']);
console.log('default:', id);

show('equality', await db.any('SELECT body FROM post WHERE id = $1', [id]));

show('list', await db.any('SELECT body FROM post WHERE id IN ($1:csv) ORDER BY id', [ids]));

show('list (any)', await db.any(
  'SELECT body FROM post WHERE id = ANY($1::uid11[]) ORDER BY id', [ids]));

show('prefix', await db.any(
  'SELECT body FROM post WHERE id <@ uid11_prefix($1) ORDER BY id', [prefix]));

show('window', await db.any(
  'SELECT body FROM post WHERE id <@ uid11_range($1, $2) ORDER BY id', [start, end]));

show('instant', await db.any(
  'SELECT body FROM post WHERE id >= $1::timestamptz ORDER BY id', [start]));

const { array } = await db.one('SELECT array_agg(id ORDER BY id) AS array FROM post');
console.log('array:', array.join(' '));
const all = await db.any('SELECT id FROM post ORDER BY id');
console.log('text:', all.map((row) => row.id).join(' '));
await db.$pool.end();
