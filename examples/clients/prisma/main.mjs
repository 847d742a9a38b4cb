// uid11 with Prisma (see doc/frameworks.md)

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { end, given, key, prefix, show, start } from '../given.mjs';

import pg from 'pg';
import { PrismaPg } from '@prisma/adapter-pg';

const env = {                                   // nothing is downloaded
  ...process.env, CHECKPOINT_DISABLE: '1',
  PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', PRISMA_QUERY_ENGINE_LIBRARY: '/bin/true',
};
const pool = new pg.Pool();                     // PGHOST and so on say where
await pool.query(readFileSync('migrations/20250601000000_post/migration.sql', 'utf8'));
await pool.end();
console.log('migration: done');

execFileSync('prisma', ['generate'], { env });
const { PrismaClient } = await import('./client/index.js');
const prisma = new PrismaClient({ adapter: new PrismaPg({}) });

await prisma.post.create({ data: given });
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
await prisma.$disconnect();
