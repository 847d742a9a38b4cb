// uid11 with Prisma; arguments: FILE PREFIX FROM UPTO (see doc/prisma.md)

import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { PrismaPg } from '@prisma/adapter-pg';

const { PGUSER, PGPASSWORD, PGPORT, PGDATABASE } = process.env;
const url = `postgresql://${PGUSER}:${PGPASSWORD}@127.0.0.1:${PGPORT}/${PGDATABASE}`;

const env = {                                   // nothing is downloaded
  ...process.env, DATABASE_URL: url, CHECKPOINT_DISABLE: '1',
  PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', PRISMA_QUERY_ENGINE_LIBRARY: '/bin/true',
};
const cli = (...words) => execFileSync('prisma', words, { env, encoding: 'utf8' });     // npx ...

cli('migrate', 'deploy');
console.log('migration: done');

cli('generate');
const { PrismaClient } = await import('./client/index.js');
const prisma = new PrismaClient({ adapter: new PrismaPg({}) });     // PGHOST and so on say where

const [path, prefix, start, end] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
const [given, ...bulk] = lines.map((line) => line.split('\t'))
  .map(([id, body]) => ({ id, body }));
const ids = [given.id, bulk[0].id, bulk[1].id];

const { count } = await prisma.post.createMany({ data: bulk });
console.log('bulk insert:', count);

const { id } = await prisma.post.create({ data: { body: 'new' } });
console.log('default:', id);

const made = await prisma.post.createManyAndReturn({
  data: [{ body: 'made0' }, { body: 'made1' }, { body: 'made2' }],
});
console.log('made:', made.map((post) => post.id).join(' '));

await prisma.post.create({ data: given });
await prisma.comment.create({ data: { postId: id } });

const show = (step, rows) => console.log(`${step}:`, rows.map((row) => row.body).join(' '));

show('equality', [await prisma.post.findUnique({ where: { id } })]);

const comment = await prisma.comment.findFirst({ where: { postId: id }, include: { post: true } });
show('equality (foreign key)', [comment.post]);

show('list', await prisma.post.findMany({
  where: { id: { in: ids } }, orderBy: { id: 'asc' },
}));

show('list (any)', await prisma.$queryRaw`
  SELECT body FROM post WHERE id = ANY(${ids}) ORDER BY id`);

show('prefix', await prisma.$queryRaw`
  SELECT body FROM post WHERE id <@ uid11_prefix(${prefix}) ORDER BY id`);

show('window', await prisma.$queryRaw`
  SELECT body FROM post WHERE id <@ uid11_range(${new Date(start)}, ${new Date(end)}) ORDER BY id`);

const all = await prisma.post.findMany({ orderBy: { id: 'asc' } });
console.log('text:', all.map((post) => post.id).join(' '));

console.log('json:', JSON.stringify(await prisma.post.findUnique({ where: { id } })));

await prisma.$disconnect();

const pulled = cli('db', 'pull', '--print');
const [, type] = pulled.match(/model Post {\s+id +Unsupported\("(\w+)"\) @id/);
console.log('introspection:', type);

// It takes the columns for text, and would make them so.
assert.throws(() => cli('db', 'push'), { stdout: /will be cast from `uid11` to `Text`/ });
