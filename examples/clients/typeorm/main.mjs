// uid11 with TypeORM (see doc/frameworks.md)

import { end, given, key, prefix, show, start, url } from '../given.mjs';

import typeorm from 'typeorm';

const idColumn = { type: 'uid11', primary: true, default: () => `uid11_generate()` };
const Post = new typeorm.EntitySchema({
  name: 'Post', tableName: 'post', columns: { id: idColumn, body: { type: 'text' } },
});

// as migration:generate writes it, and the extension before
class Post1750000000000 {
  async up(runner) {
    await runner.query('CREATE EXTENSION IF NOT EXISTS idtypes');
    await runner.query(`CREATE TABLE "post" ("id" uid11 NOT NULL DEFAULT uid11_generate(),
      "body" text NOT NULL, CONSTRAINT "PK_be5fda3aac270b134ff9c21cdee" PRIMARY KEY ("id"))`);
  }
}

const source = new typeorm.DataSource({
  type: 'postgres', url, entities: [Post], migrations: [Post1750000000000],
});
source.driver.supportedDataTypes.push('uid11');         // before initialize()
await source.initialize();
await source.runMigrations();                           // typeorm migration:run
console.log('migration: done');

const posts = source.getRepository(Post);
await posts.insert(given);
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
await source.destroy();
