// uid11 with node-postgres; arguments: FILE PREFIX FROM UPTO (see doc/clients.md)

import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

class Uid11 {                                   // an id, as the server writes it
  constructor(text) { this.text = text; }
  toString() { return this.text; }
  toJSON() { return this.text; }
  toPostgres() { return this.text; }            // as a parameter
}

async function registerUid11(db) {
  const { rows: [type] } = await db.query(
    "SELECT oid, typarray FROM pg_type WHERE oid = 'uid11'::regtype");
  const parseTexts = pg.types.getTypeParser(1009);      // of text[]
  const parse = (text) => text && new Uid11(text);
  pg.types.setTypeParser(type.oid, parse);
  pg.types.setTypeParser(type.typarray, (text) => parseTexts(text).map(parse));
}

const [path, prefix, start, end] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
const [given, ...bulk] = lines.map((line) => line.split('\t'));
const ids = [given[0], bulk[0][0], bulk[1][0]];

const db = new pg.Client();                     // PGHOST and so on say where
await db.connect();
await registerUid11(db);

const copy = db.query(copyFrom('COPY post (id, body) FROM STDIN'));
await pipeline(Readable.from(bulk.map((row) => row.join('\t') + '\n')), copy);
console.log('copy text:', copy.rowCount);

const inserted = await db.query('INSERT INTO post (body) VALUES ($1) RETURNING id', ['new']);
const { id } = inserted.rows[0];
console.log(`default: ${id}`);

await db.query('INSERT INTO post (id, body) VALUES ($1, $2)', given);

const show = (step, { rows }) => console.log(`${step}:`, rows.map((row) => row.body).join(' '));

show('equality', await db.query('SELECT body FROM post WHERE id = $1', [id]));

show('list', await db.query('SELECT body FROM post WHERE id = ANY($1) ORDER BY id', [ids]));

show('prefix', await db.query(
  'SELECT body FROM post WHERE id <@ uid11_prefix($1) ORDER BY id', [prefix]));

show('window', await db.query(
  'SELECT body FROM post WHERE id <@ uid11_range($1, $2) ORDER BY id',
  [new Date(start), new Date(end)]));

show('instant', await db.query(
  'SELECT body FROM post WHERE id >= $1::timestamptz ORDER BY id', [new Date(start)]));

const all = await db.query('SELECT id FROM post ORDER BY id');
console.log('text:', all.rows.map((row) => row.id).join(' '));

const { rows: [{ array }] } = await db.query('SELECT array_agg(id ORDER BY id) AS array FROM post');
console.log('array:', array.join(' '));
console.log('mapped:', array[0].constructor.name, id.constructor.name);

assert.strictEqual(JSON.stringify({ id }), `{"id":"${id}"}`);
assert.strictEqual(JSON.parse('{"id":9007199254740993}').id, 9007199254740992);     // rounded

const bytes = await db.query('SELECT id::bytea AS bytes FROM post ORDER BY id');
const first = bytes.rows[0].bytes;              // a Buffer, most significant byte first
const found = await db.query('SELECT body FROM post WHERE id = $1::bytea::uid11', [first]);
console.log('binary (bytea):', bytes.rows.map((row) => row.bytes.toString('hex')).join(' '));
show('binary parameter (bytea)', found);
await db.end();
