// uid11 with Kysely (see doc/frameworks.md)

import { Migrator } from 'kysely';
import * as post from './migrations/0001_post.mjs';
import { end, given, key, prefix, show, start } from '../given.mjs';

import pg from 'pg';
import { Kysely, PostgresDialect, sql } from 'kysely';

const db = new Kysely({                         // PGHOST and so on say where
  dialect: new PostgresDialect({ pool: new pg.Pool() }),
});

const provider = { getMigrations: async () => ({ '0001_post': post }) };
const { error } = await new Migrator({ db, provider }).migrateToLatest();
if (error) throw error;
console.log('migration: done');

await db.insertInto('post').values(given).execute();
const { id } = await db.insertInto('post').values({ body: 'new' })
  .returning('id').executeTakeFirstOrThrow();
console.log('default:', id);

show('prefix', await db.selectFrom('post').selectAll()
  .where(sql`id <@ uid11_prefix(${prefix})`).orderBy('id').execute());
show('window', await db.selectFrom('post').selectAll()
  .where(sql`id <@ uid11_range(${start}, ${end})`).orderBy('id').execute());
const { address } = await db.selectFrom('post').where('id', '=', id)
  .select(sql`uid11_encrypt(id, ${key})`.as('address')).executeTakeFirstOrThrow();
console.log('encrypted:', address);
show('address', await db.selectFrom('post').selectAll()
  .where('id', '=', sql`uid11_try_decrypt(${address}, ${key})`).execute());
await db.destroy();
