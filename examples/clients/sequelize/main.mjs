// uid11 with Sequelize; arguments: FILE PREFIX FROM UPTO (see doc/sequelize.md)

import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Op, QueryTypes, col, fn, where } from 'sequelize';

import { Comment, Post, sequelize } from './models.mjs';

execFileSync('sequelize-cli', ['db:migrate']);                  // npx ...
console.log('migration: done');

const [path, prefix, start, end] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
const [given, ...bulk] = lines.map((line) => line.split('\t'))
  .map(([id, body]) => ({ id, body }));
const ids = [given.id, bulk[0].id, bulk[1].id];

await Post.bulkCreate(bulk);
console.log('bulk insert:', bulk.length);

const { id } = await Post.create({ body: 'new' });
console.log('default:', id);

const made = await Post.bulkCreate([{ body: 'made0' }, { body: 'made1' }, { body: 'made2' }]);
console.log('made:', made.map((post) => post.id).join(' '));

await Post.create(given);
await Comment.create({ postId: id });

const show = (step, rows) => console.log(`${step}:`, rows.map((row) => row.body).join(' '));

show('equality', [await Post.findByPk(id)]);

const comment = await Comment.findOne({ where: { postId: id }, include: Post });
show('equality (foreign key)', [comment.post]);

show('list', await Post.findAll({ where: { id: ids }, order: ['id'] }));

show('list (any)', await sequelize.query(
  'SELECT body FROM post WHERE id = ANY($ids) ORDER BY id',
  { bind: { ids }, type: QueryTypes.SELECT }));

const hasPrefix = (column, prefix) =>
  where(col(column), '<@', fn('uid11_prefix', prefix));
const madeBetween = (column, start, end) =>
  where(col(column), '<@', fn('uid11_range', start, end));

show('prefix', await Post.findAll({ where: hasPrefix('id', prefix), order: ['id'] }));

show('window', await Post.findAll({
  where: madeBetween('id', new Date(start), new Date(end)), order: ['id'],
}));

const all = await Post.findAll({ order: ['id'] });
console.log('text:', all.map((post) => post.id).join(' '));

console.log('json:', JSON.stringify(await Post.findByPk(id)));

await sequelize.sync({ alter: true });          // leaves the columns as they are

const columns = await sequelize.getQueryInterface().describeTable('post');
assert.strictEqual(columns.id.type, 'USER-DEFINED');
await sequelize.close();
