// uid11 with Drizzle; arguments: FILE PREFIX FROM UPTO (see doc/clients.md)

import { readFileSync } from 'node:fs';
import pg from 'pg';

import { eq, inArray, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { customType, pgTable, text } from 'drizzle-orm/pg-core';

const uid11 = customType({ dataType: () => 'uid11' });          // a string in JavaScript

const hasPrefix = (column, prefix) => sql`${column} <@ uid11_prefix(${prefix})`;
const madeBetween = (column, start, end) => sql`${column} <@ uid11_range(${start}, ${end})`;

const post = pgTable('post', {
  id: uid11('id').primaryKey().default(sql`uid11_generate()`),
  body: text('body').notNull(),
});

const [path, prefix, start, end] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
const [given, ...bulk] = lines.map((line) => line.split('\t'))
  .map(([id, body]) => ({ id, body }));
const ids = [given.id, bulk[0].id, bulk[1].id];

const client = new pg.Client();                 // PGHOST and so on say where
await client.connect();
const db = drizzle(client);

await db.insert(post).values(bulk);
console.log('bulk insert:', bulk.length);

const [{ id }] = await db.insert(post).values({ body: 'new' }).returning({ id: post.id });
console.log(`default: ${id}`);

await db.insert(post).values(given);

const show = (step, rows) => console.log(`${step}:`, rows.map((row) => row.body).join(' '));

show('equality', await db.select().from(post).where(eq(post.id, id)));

show('list', await db.select().from(post).where(inArray(post.id, ids)).orderBy(post.id));

show('prefix', await db.select().from(post).where(hasPrefix(post.id, prefix)).orderBy(post.id));

show('window', await db.select().from(post)
  .where(madeBetween(post.id, new Date(start), new Date(end))).orderBy(post.id));

const all = await db.select({ id: post.id }).from(post).orderBy(post.id);
console.log('text:', all.map((row) => row.id).join(' '));
console.log('mapped:', post.id.getSQLType());
await client.end();
