import { sql } from 'drizzle-orm';
import { customType, pgTable, text } from 'drizzle-orm/pg-core';

export const uid11 = customType({ dataType: () => 'uid11' });   // a string in JavaScript

export const post = pgTable('post', {
  id: uid11('id').primaryKey().default(sql`uid11_generate()`),
  body: text('body').notNull(),
});
