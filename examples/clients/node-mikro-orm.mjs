// uid11 with MikroORM (see doc/frameworks.md)

import { EntitySchema, MikroORM, raw } from '@mikro-orm/postgresql';

import { end, ids, prefix, rows, show, start, url } from './given.mjs';

const Post = new EntitySchema({
  name: 'Post',
  properties: {
    id: { type: 'string', columnType: 'uid11', primary: true, defaultRaw: `uid11_generate()` },
    body: { type: 'text' },
  },
});
const orm = await MikroORM.init({ entities: [Post], clientUrl: url });
const em = orm.em.fork();
const orderBy = { id: 'asc' };
await em.insertMany(Post, rows);

const post = em.create(Post, { body: 'new' });
await em.persistAndFlush(post);
console.log('default:', post.id);

show('equality', [await em.findOne(Post, post.id)]);
show('list', await em.find(Post, { id: { $in: ids } }, { orderBy }));

show('prefix', await em.find(Post, {
  [raw('id <@ uid11_prefix(?)', [prefix])]: [],
}, { orderBy }));

show('window', await em.find(Post, {
  [raw('id <@ uid11_range(?, ?)', [start, end])]: [],
}, { orderBy }));

show('instant', await em.find(Post, { [raw('id >= ?::timestamptz', [start])]: [] }, { orderBy }));

const all = await em.find(Post, {}, { orderBy });
console.log('text:', all.map((row) => row.id).join(' '));
await orm.close();
