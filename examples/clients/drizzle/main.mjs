// uid11 with Drizzle (see doc/frameworks.md)

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { end, given, key, prefix, show, start } from '../given.mjs';

import pg from 'pg';
import { asc, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { post } from './schema.mjs';

const db = drizzle(new pg.Pool());              // PGHOST and so on say where

const generate = (...words) => execFileSync('drizzle-kit', [
  'generate', '--dialect=postgresql', '--schema=schema.mjs', '--out=migrations', ...words]);

generate('--custom', '--name=extension');
writeFileSync('migrations/0000_extension.sql', 'CREATE EXTENSION IF NOT EXISTS idtypes;\n');
generate('--name=post');
await migrate(db, { migrationsFolder: 'migrations' });
console.log('migration: done');

await db.insert(post).values(given);
const [{ id }] = await db.insert(post).values({ body: 'new' }).returning({ id: post.id });
console.log('default:', id);

show('prefix', await db.select().from(post)
  .where(sql`${post.id} <@ uid11_prefix(${prefix})`).orderBy(asc(post.id)));
show('window', await db.select().from(post)
  .where(sql`${post.id} <@ uid11_range(${start}, ${end})`).orderBy(asc(post.id)));
const [{ address }] = await db.select({ address: sql`uid11_encrypt(${post.id}, ${key})` })
  .from(post).where(eq(post.id, id));
console.log('encrypted:', address);
show('address', await db.select().from(post)
  .where(eq(post.id, sql`uid11_try_decrypt(${address}, ${key})`)));
process.exit();
