// uid11 with Prisma (see doc/frameworks.md)

import { execFileSync } from 'node:child_process';
import { end, key, prefix, rows, show, start, url } from '../given.mjs';

import { PrismaPg } from '@prisma/adapter-pg';

const env = {                                   // nothing is downloaded
  ...process.env, DATABASE_URL: url, CHECKPOINT_DISABLE: '1',
  PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', PRISMA_QUERY_ENGINE_LIBRARY: '/bin/true',
};
const cli = (...words) => execFileSync('prisma', words, { env });       // npx ...

cli('migrate', 'deploy');
console.log('migration: done');

cli('generate');
const { PrismaClient } = await import('./client/index.js');
const prisma = new PrismaClient({ adapter: new PrismaPg({}) });     // PGHOST and so on say where

await prisma.post.createMany({ data: rows });

const { id } = await prisma.post.create({ data: { body: 'new' } });
console.log('default:', id);

show('prefix', await prisma.$queryRaw`
  SELECT body FROM post WHERE id <@ uid11_prefix(${prefix}) ORDER BY id`);
show('window', await prisma.$queryRaw`
  SELECT body FROM post WHERE id <@ uid11_range(${start}, ${end}) ORDER BY id`);
const [{ address }] = await prisma.$queryRaw`
  SELECT uid11_encrypt(id, ${key}) AS address FROM post WHERE id = ${id}`;
console.log('encrypted:', address);
show('address', await prisma.$queryRaw`
  SELECT body FROM post WHERE id = uid11_try_decrypt(${address}, ${key})`);

const all = await prisma.post.findMany({ orderBy: { id: 'asc' } });
console.log('text:', all.map((post) => post.id).join(' '));
await prisma.$disconnect();
