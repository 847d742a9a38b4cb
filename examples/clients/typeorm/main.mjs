// uid11 with TypeORM (see doc/frameworks.md)

import assert from 'node:assert';
import { end, key, prefix, rows, show, start, url } from '../given.mjs';

import typeorm from 'typeorm';
import { Comment, Post, Post1750000000000 } from './model.mjs';

const source = new typeorm.DataSource({
  type: 'postgres', url, entities: [Post, Comment], migrations: [Post1750000000000],
});
source.driver.supportedDataTypes.push('uid11');         // before initialize()
await source.initialize();
await source.runMigrations();                           // typeorm migration:run
console.log('migration: done');

const posts = source.getRepository(Post);
await posts.insert(rows);

const { id } = await posts.save({ body: 'new' });
console.log('default:', id);

const order = { id: 'ASC' };
const hasPrefix = typeorm.Raw((column) => `${column} <@ uid11_prefix(:prefix)`, { prefix });
show('prefix', await posts.find({ where: { id: hasPrefix }, order }));
const madeBetween = typeorm.Raw((column) => `${column} <@ uid11_range(:start, :end)`,
  { start, end });
show('window', await posts.find({ where: { id: madeBetween }, order }));
const [{ address }] = await source.query('SELECT uid11_encrypt($1, $2) AS address', [id, key]);
console.log('encrypted:', address);
const decrypted = typeorm.Raw((column) => `${column} = uid11_try_decrypt(:address, :key)`,
  { address, key });
show('address', await posts.find({ where: { id: decrypted } }));

const all = await posts.find({ order });
console.log('text:', all.map((post) => post.id).join(' '));

// A column declared varchar would be dropped, and made anew.
const careless = new typeorm.EntitySchema({ ...Post.options, columns: {
  id: { type: 'varchar', primary: true }, body: { type: 'text' } } });
const other = new typeorm.DataSource({ ...source.options, entities: [careless], migrations: [] });
await other.initialize();
const { upQueries } = await other.driver.createSchemaBuilder().log();
assert.ok(upQueries.some(({ query }) => query === 'ALTER TABLE "post" DROP COLUMN "id"'));
await other.destroy();
await source.destroy();
