// uid11 with postgres.js (see doc/clients.md)

import { end, given, show, start } from './given.mjs';

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

await sql`INSERT INTO post (id, body) VALUES (${given.id}, 'given')`;
const [{ id }] = await sql`INSERT INTO post (body) VALUES ('new') RETURNING id`;
console.log(`default: ${id}`);

const ids = [given.id, id];
show('equality', await sql`SELECT body FROM post WHERE id = ${id}`);
show('list', await sql`SELECT body FROM post WHERE id IN ${sql(ids)} ORDER BY id`);
show('window', await sql`
  SELECT body FROM post WHERE id <@ uid11_range(${start}, ${end}) ORDER BY id`);
show('instant', await sql`SELECT body FROM post WHERE id >= ${start} ORDER BY id`);
show('list (array)', await sql`SELECT body FROM post WHERE id = ANY(${ids}) ORDER BY id`);

const [{ array }] = await sql`SELECT array_agg(id ORDER BY id) AS array FROM post`;
console.log('array:', array.join(' '));
console.log('mapped:', array[0].constructor.name, id.constructor.name);

const bytes = await sql`SELECT id::bytea AS bytes FROM post ORDER BY id`;
console.log('binary (bytea):', bytes.map((row) => row.bytes.toString('hex')).join(' '));
show('binary parameter (bytea)',
  await sql`SELECT body FROM post WHERE id = ${bytes[0].bytes}::bytea::uid11`);
await sql.end();
