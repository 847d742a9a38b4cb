// uid11 with MikroORM; arguments: FILE PREFIX FROM UPTO (see doc/frameworks.md)

import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { EntitySchema, MikroORM, raw } from '@mikro-orm/postgresql';

const Post = new EntitySchema({
  name: 'Post',
  properties: {
    id: { type: 'string', columnType: 'uid11', primary: true, defaultRaw: `uid11_generate()` },
    body: { type: 'text' },
  },
});

const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env;
const orm = await MikroORM.init({
  entities: [Post],
  host: PGHOST, port: Number(PGPORT), user: PGUSER, password: PGPASSWORD, dbName: PGDATABASE,
});
const em = orm.em.fork();

const [path, prefix, start, end] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
const [given, ...bulk] = lines.map((line) => line.split('\t'))
  .map(([id, body]) => ({ id, body }));
const ids = [given.id, bulk[0].id, bulk[1].id];

await em.insertMany(Post, bulk);
console.log('bulk insert:', bulk.length);

const post = em.create(Post, { body: 'new' });
await em.persistAndFlush(post);
const { id } = post;
console.log('default:', id);

await em.insert(Post, given);

const show = (step, rows) => console.log(`${step}:`, rows.map((row) => row.body).join(' '));
const orderBy = { id: 'asc' };

show('equality', [await em.findOne(Post, id)]);

show('list', await em.find(Post, { id: { $in: ids } }, { orderBy }));

show('prefix', await em.find(Post, {
  [raw('id <@ uid11_prefix(?)', [prefix])]: [],
}, { orderBy }));

show('window', await em.find(Post, {
  [raw('id <@ uid11_range(?, ?)', [new Date(start), new Date(end)])]: [],
}, { orderBy }));

show('instant', await em.find(Post, {
  [raw('id >= ?::timestamptz', [new Date(start)])]: [],
}, { orderBy }));

const all = await em.find(Post, {}, { orderBy });
console.log('text:', all.map((row) => row.id).join(' '));

// The schema's generator leaves the column as it is; "safe" keeps tables without an entity.
const changes = await orm.schema.getUpdateSchemaSQL({ safe: true });
for (const [change] of changes.matchAll(/^(alter|create|drop).*/gm))
  assert.match(change, /alter column "id" (type uid11 using|set default)/);
await orm.close();
