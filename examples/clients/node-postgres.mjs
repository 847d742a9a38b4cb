// uid11 with postgres.js (see doc/clients.md)

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { end, ids, prefix, rows, show, start } from './given.mjs';

import postgres from 'postgres';

class Uid11 {                                   // an id, as the server writes it
  constructor(text) { this.text = text; }
  toString() { return this.text; }
  toJSON() { return this.text; }
}

async function uid11Type() {                    // its number differs from database to database
  const sql = postgres({ max: 1 });
  const [{ oid }] = await sql`SELECT oid::int FROM pg_type WHERE oid = 'uid11'::regtype`;
  await sql.end();
  return { to: oid, from: [oid], serialize: String, parse: (text) => new Uid11(text) };
}

const sql = postgres({ types: { uid11: await uid11Type() } });  // PGHOST and so on say where

const copy = await sql`COPY post (id, body) FROM STDIN`.writable();
await pipeline(Readable.from(rows.slice(1).map(({ id, body }) => `${id}\t${body}\n`)), copy);
console.log('copy text:', rows.length - 1);

const [{ id }] = await sql`INSERT INTO post (body) VALUES ('new') RETURNING id`;
console.log(`default: ${id}`);

await sql`INSERT INTO post (id, body) VALUES (${rows[0].id}, ${rows[0].body})`;

show('equality', await sql`SELECT body FROM post WHERE id = ${id}`);
show('list', await sql`SELECT body FROM post WHERE id IN ${sql(ids)} ORDER BY id`);
show('prefix', await sql`
  SELECT body FROM post WHERE id <@ uid11_prefix(${prefix}) ORDER BY id`);
show('window', await sql`
  SELECT body FROM post WHERE id <@ uid11_range(${start}, ${end}) ORDER BY id`);
show('instant', await sql`SELECT body FROM post WHERE id >= ${start} ORDER BY id`);
show('list (array)', await sql`SELECT body FROM post WHERE id = ANY(${ids}) ORDER BY id`);

const all = await sql`SELECT id FROM post ORDER BY id`;
console.log('text:', all.map((row) => row.id).join(' '));

const [{ array }] = await sql`SELECT array_agg(id ORDER BY id) AS array FROM post`;
console.log('array:', array.join(' '));
console.log('mapped:', array[0].constructor.name, id.constructor.name);

const bytes = await sql`SELECT id::bytea AS bytes FROM post ORDER BY id`;
const first = bytes[0].bytes;                   // a Buffer, most significant byte first
const found = await sql`SELECT body FROM post WHERE id = ${first}::bytea::uid11`;
console.log('binary (bytea):', bytes.map((row) => row.bytes.toString('hex')).join(' '));
show('binary parameter (bytea)', found);
await sql.end();
