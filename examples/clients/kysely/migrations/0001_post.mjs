import { sql } from 'kysely';

export async function up(db) {
  await sql`CREATE EXTENSION IF NOT EXISTS idtypes`.execute(db);
  await db.schema.createTable('post')
    .addColumn('id', sql`uid11`, (column) => column.primaryKey().defaultTo(sql`uid11_generate()`))
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
}
