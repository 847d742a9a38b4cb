// uid11 with pg-promise; arguments: FILE PREFIX FROM UPTO (see doc/frameworks.md)

import { readFileSync } from 'node:fs';
import pgPromise from 'pg-promise';

const pgp = pgPromise();
const db = pgp({});                             // PGHOST and so on say where

const { typarray } = await db.one(
  "SELECT typarray FROM pg_type WHERE oid = 'uid11'::regtype");
const parseTexts = pgp.pg.types.getTypeParser(1009);    // of text[]
pgp.pg.types.setTypeParser(typarray, parseTexts);

const [path, prefix, start, end] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
const [given, ...bulk] = lines.map((line) => line.split('\t'))
  .map(([id, body]) => ({ id, body }));
const ids = [given.id, bulk[0].id, bulk[1].id];

await db.none(pgp.helpers.insert(bulk, ['id', 'body'], 'post'));
console.log('bulk insert:', bulk.length);

const { id } = await db.one('INSERT INTO post (body) VALUES ($1) RETURNING id', ['new']);
console.log('default:', id);

await db.none('INSERT INTO post (id, body) VALUES ($<id>, $<body>)', given);

const show = (step, rows) => console.log(`${step}:`, rows.map((row) => row.body).join(' '));

show('equality', await db.any('SELECT body FROM post WHERE id = $1', [id]));

show('list', await db.any('SELECT body FROM post WHERE id IN ($1:csv) ORDER BY id', [ids]));

show('list (any)', await db.any(
  'SELECT body FROM post WHERE id = ANY($1::uid11[]) ORDER BY id', [ids]));

show('prefix', await db.any(
  'SELECT body FROM post WHERE id <@ uid11_prefix($1) ORDER BY id', [prefix]));

show('window', await db.any(
  'SELECT body FROM post WHERE id <@ uid11_range($1, $2) ORDER BY id',
  [new Date(start), new Date(end)]));

show('instant', await db.any(
  'SELECT body FROM post WHERE id >= $1::timestamptz ORDER BY id', [new Date(start)]));

const all = await db.any('SELECT id FROM post ORDER BY id');
console.log('text:', all.map((row) => row.id).join(' '));

const { array } = await db.one('SELECT array_agg(id ORDER BY id) AS array FROM post');
console.log('array:', array.join(' '));
await db.$pool.end();
