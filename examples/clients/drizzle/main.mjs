// uid11 with Drizzle; arguments: FILE PREFIX FROM UPTO (see doc/drizzle.md)

import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import pg from 'pg';

import { asc, eq, inArray, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';

import { comment, post } from './schema.mjs';

const { PGUSER, PGPASSWORD, PGPORT, PGDATABASE } = process.env;
const url = `postgresql://${PGUSER}:${PGPASSWORD}@127.0.0.1:${PGPORT}/${PGDATABASE}`;
process.env.DATABASE_URL = url;                 // for drizzle.config.mjs

const kit = (...words) => execFileSync('drizzle-kit', words, { encoding: 'utf8' });     // npx ...
const config = '--config=drizzle.config.mjs';

// The extension has no place in the schema: it gets a migration of its own, before all others.
kit('generate', config, '--custom', '--name=extension');
writeFileSync('migrations/0000_extension.sql', 'CREATE EXTENSION IF NOT EXISTS idtypes;\n');
kit('generate', config, '--name=post');
kit('migrate', config);
console.log('migration: done');

const [path, prefix, start, end] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
const [given, ...bulk] = lines.map((line) => line.split('\t'))
  .map(([id, body]) => ({ id, body }));
const ids = [given.id, bulk[0].id, bulk[1].id];

const pool = new pg.Pool();                     // PGHOST and so on say where
const db = drizzle(pool);

await db.insert(post).values(bulk);
console.log('bulk insert:', bulk.length);

const [{ id }] = await db.insert(post).values({ body: 'new' }).returning({ id: post.id });
console.log('default:', id);

const made = await db.insert(post)
  .values([{ body: 'made0' }, { body: 'made1' }, { body: 'made2' }])
  .returning({ id: post.id });
console.log('made:', made.map((row) => row.id).join(' '));

await db.insert(post).values(given);
await db.insert(comment).values({ postId: id });

const show = (step, rows) => console.log(`${step}:`, rows.map((row) => row.body).join(' '));

show('equality', await db.select().from(post).where(eq(post.id, id)));

show('equality (foreign key)', await db.select({ body: post.body })
  .from(comment).innerJoin(post, eq(comment.postId, post.id)).where(eq(comment.postId, id)));

show('list', await db.select().from(post).where(inArray(post.id, ids)).orderBy(asc(post.id)));

show('list (any)', await db.select().from(post)
  .where(sql`${post.id} = ANY(${sql.param(ids)})`).orderBy(asc(post.id)));

const hasPrefix = (column, prefix) => sql`${column} <@ uid11_prefix(${prefix})`;
const madeBetween = (column, start, end) => sql`${column} <@ uid11_range(${start}, ${end})`;

show('prefix', await db.select().from(post)
  .where(hasPrefix(post.id, prefix)).orderBy(asc(post.id)));

show('window', await db.select().from(post)
  .where(madeBetween(post.id, new Date(start), new Date(end))).orderBy(asc(post.id)));

const all = await db.select({ id: post.id }).from(post).orderBy(asc(post.id));
console.log('text:', all.map((row) => row.id).join(' '));

const [row] = await db.select().from(post).where(eq(post.id, id));
console.log('json:', JSON.stringify(row));

await pool.end();

// Neither finds a difference of the columns between the schema and the database.
assert.match(kit('generate', config), /No schema changes/);
for (const [change] of kit('push', config, '--verbose').matchAll(/^(ALTER|CREATE|DROP).*/gm))
  assert.match(change, /ALTER COLUMN "id" SET DEFAULT/);

kit('pull', '--dialect=postgresql', '--out=pulled', `--url=${url}`);
const pulled = readFileSync('pulled/schema.ts', 'utf8');
const [, type] = pulled.match(/failed to parse database type '(\w+)'\n\tid: unknown\("id"\)/);
console.log('introspection:', type);
