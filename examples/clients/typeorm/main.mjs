// uid11 with TypeORM; arguments: FILE PREFIX FROM UPTO (see doc/typeorm.md)

import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import typeorm from 'typeorm';

import { source } from './source.mjs';
import { Comment, Post } from './entities.mjs';

const cli = (...words) => execFileSync('typeorm', words, { encoding: 'utf8' });     // npx ...

cli('migration:run', '-d', 'source.mjs');
console.log('migration: done');

const [path, prefix, start, end] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
const [given, ...bulk] = lines.map((line) => line.split('\t'))
  .map(([id, body]) => ({ id, body }));
const ids = [given.id, bulk[0].id, bulk[1].id];

await source.initialize();
const posts = source.getRepository(Post);
const comments = source.getRepository(Comment);

await posts.insert(bulk);
console.log('bulk insert:', bulk.length);

const { id } = await posts.save({ body: 'new' });
console.log('default:', id);

const made = await posts.save([{ body: 'made0' }, { body: 'made1' }, { body: 'made2' }]);
console.log('made:', made.map((post) => post.id).join(' '));

await posts.insert(given);
await comments.save({ postId: id });

const show = (step, rows) => console.log(`${step}:`, rows.map((row) => row.body).join(' '));

show('equality', [await posts.findOneBy({ id })]);

const [comment] = await comments.find({ where: { postId: id }, relations: { post: true } });
show('equality (foreign key)', [comment.post]);

show('list', await posts.find({ where: { id: typeorm.In(ids) }, order: { id: 'ASC' } }));

show('list (any)', await posts.find({ where: { id: typeorm.Any(ids) }, order: { id: 'ASC' } }));

const hasPrefix = (prefix) => typeorm.Raw(
  (column) => `${column} <@ uid11_prefix(:prefix)`, { prefix });
const madeBetween = (start, end) => typeorm.Raw(
  (column) => `${column} <@ uid11_range(:start, :end)`, { start, end });

show('prefix', await posts.find({ where: { id: hasPrefix(prefix) }, order: { id: 'ASC' } }));

show('window', await posts.find({
  where: { id: madeBetween(new Date(start), new Date(end)) }, order: { id: 'ASC' },
}));

const all = await posts.find({ order: { id: 'ASC' } });
console.log('text:', all.map((post) => post.id).join(' '));

console.log('json:', JSON.stringify(await posts.findOneBy({ id })));

// Neither finds a difference between the entities and the database.
assert.match(cli('migration:generate', '--check', '-d', 'source.mjs', 'Difference'),
  /No changes in database schema were found/);
await source.synchronize();

// Of a column declared varchar it would make another one.
const { columns, ...table } = Post.options;
const careless = new typeorm.EntitySchema({
  ...table, columns: { ...columns, id: { type: 'varchar', primary: true } },
});
const other = new typeorm.DataSource({ ...source.options, entities: [careless], migrations: [] });
await other.initialize();
const { upQueries } = await other.driver.createSchemaBuilder().log();
assert.ok(upQueries.some(({ query }) => query === 'ALTER TABLE "post" DROP COLUMN "id"'));
await other.destroy();

const runner = source.createQueryRunner();
const found = await runner.getTable('post');
console.log('introspection:', found.findColumnByName('id').type);
await source.destroy();
