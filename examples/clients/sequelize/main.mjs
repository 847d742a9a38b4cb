// uid11 with Sequelize (see doc/frameworks.md)

import { execFileSync } from 'node:child_process';
import { end, given, key, prefix, show, start, url } from '../given.mjs';

import { Sequelize, TEXT, col, fn, literal, where } from 'sequelize';

const sequelize = new Sequelize(url, {
  logging: false, define: { timestamps: false, freezeTableName: true },
});

const Post = sequelize.define('post', {
  id: { type: 'uid11', primaryKey: true, defaultValue: literal(`uid11_generate()`) },
  body: { type: TEXT, allowNull: false },
});

execFileSync('sequelize-cli', ['db:migrate', `--url=${url}`]);  // npx ...
console.log('migration: done');

await Post.create(given);
const { id } = await Post.create({ body: 'new' });
console.log('default:', id);

const order = ['id'];
show('prefix', await Post.findAll({
  where: where(col('id'), '<@', fn('uid11_prefix', prefix)), order,
}));
show('window', await Post.findAll({
  where: where(col('id'), '<@', fn('uid11_range', start, end)), order,
}));
const { address } = await Post.findOne({
  where: { id }, attributes: [[fn('uid11_encrypt', col('id'), key), 'address']], raw: true,
});
console.log('encrypted:', address);
show('address', await Post.findAll({ where: { id: fn('uid11_try_decrypt', address, key) } }));
await sequelize.close();
