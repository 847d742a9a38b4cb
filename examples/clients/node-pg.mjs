// uid11 with node-postgres (see doc/clients.md)

import { end, given, show, start } from './given.mjs';

import pg from 'pg';

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

const db = new pg.Client();                     // PGHOST and so on say where
await db.connect();
await registerUid11(db);

await db.query("INSERT INTO post (id, body) VALUES ($1, 'given')", [given.id]);
const { rows: [{ id }] } = await db.query("INSERT INTO post (body) VALUES ('new') RETURNING id");
console.log(`default: ${id}`);

const ask = async (step, condition, values) => show(step, (await db.query(
  `SELECT body FROM post WHERE ${condition} ORDER BY id`, values)).rows);
await ask('equality', 'id = $1', [id]);
await ask('list', 'id = ANY($1)', [[given.id, id]]);
await ask('window', 'id <@ uid11_range($1, $2)', [start, end]);
await ask('instant', 'id >= $1::timestamptz', [start]);

const { rows: [{ array }] } = await db.query('SELECT array_agg(id ORDER BY id) AS array FROM post');
console.log('array:', array.join(' '));
console.log('mapped:', array[0].constructor.name, id.constructor.name);

const bytes = await db.query('SELECT id::bytea AS bytes FROM post ORDER BY id');
const first = bytes.rows[0].bytes;              // a Buffer, most significant byte first
console.log('binary (bytea):', bytes.rows.map((row) => row.bytes.toString('hex')).join(' '));
await ask('binary parameter (bytea)', 'id = $1::bytea::uid11', [first]);
await db.end();
