// uid11 with Kysely; arguments: FILE PREFIX FROM UPTO (see doc/kysely.md)

import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { promises as fs, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

import { FileMigrationProvider, Kysely, Migrator, PostgresDialect, sql } from 'kysely';

const db = new Kysely({                         // PGHOST and so on say where
  dialect: new PostgresDialect({ pool: new pg.Pool() }),
});

const migrator = new Migrator({
  db,
  provider: new FileMigrationProvider({ fs, path, migrationFolder: path.resolve('migrations') }),
});
const { error } = await migrator.migrateToLatest();
if (error) throw error;
console.log('migration: done');

const [file, prefix, start, end] = process.argv.slice(2);
const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
const [given, ...bulk] = lines.map((line) => line.split('\t'))
  .map(([id, body]) => ({ id, body }));
const ids = [given.id, bulk[0].id, bulk[1].id];

await db.insertInto('post').values(bulk).execute();
console.log('bulk insert:', bulk.length);

const { id } = await db.insertInto('post').values({ body: 'new' })
  .returning('id').executeTakeFirstOrThrow();
console.log('default:', id);

const made = await db.insertInto('post')
  .values([{ body: 'made0' }, { body: 'made1' }, { body: 'made2' }])
  .returning('id').execute();
console.log('made:', made.map((row) => row.id).join(' '));

await db.insertInto('post').values(given).execute();
await db.insertInto('comment').values({ post_id: id }).execute();

const show = (step, rows) => console.log(`${step}:`, rows.map((row) => row.body).join(' '));

show('equality', await db.selectFrom('post').selectAll().where('id', '=', id).execute());

show('equality (foreign key)', await db.selectFrom('comment')
  .innerJoin('post', 'post.id', 'comment.post_id')
  .select('body').where('post_id', '=', id).execute());

show('list', await db.selectFrom('post').selectAll()
  .where('id', 'in', ids).orderBy('id').execute());

show('list (any)', await db.selectFrom('post').selectAll()
  .where(sql`id = ANY(${ids})`).orderBy('id').execute());

const hasPrefix = (column, prefix) =>
  sql`${sql.ref(column)} <@ uid11_prefix(${prefix})`;
const madeBetween = (column, start, end) =>
  sql`${sql.ref(column)} <@ uid11_range(${start}, ${end})`;

show('prefix', await db.selectFrom('post').selectAll()
  .where(hasPrefix('id', prefix)).orderBy('id').execute());

show('window', await db.selectFrom('post').selectAll()
  .where(madeBetween('post.id', new Date(start), new Date(end))).orderBy('id').execute());

const all = await db.selectFrom('post').select('id').orderBy('id').execute();
console.log('text:', all.map((row) => row.id).join(' '));

const row = await db.selectFrom('post').selectAll().where('id', '=', id).executeTakeFirst();
console.log('json:', JSON.stringify(row));

const tables = await db.introspection.getTables();
const { columns } = tables.find((table) => table.name === 'post');
console.log('introspection:', columns.find((column) => column.name === 'id').dataType);

await db.destroy();

const { PGUSER, PGPASSWORD, PGPORT, PGDATABASE } = process.env;
const url = `postgresql://${PGUSER}:${PGPASSWORD}@127.0.0.1:${PGPORT}/${PGDATABASE}`;
const types = execFileSync('kysely-codegen', ['--dialect=postgres', `--url=${url}`, '--print'],
  { encoding: 'utf8' });                        // npx ...
assert.match(types, /interface Post {\n  body: string;\n  id: Generated<string>;/);
assert.match(types, /interface Comment {\n  id: .*\n  post_id: string;/);
