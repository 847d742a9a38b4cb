import { sql } from 'drizzle-orm';
import { bigint, customType, pgTable, text } from 'drizzle-orm/pg-core';

export const uid11 = customType({ dataType: () => 'uid11' });   // a string in JavaScript

export const post = pgTable('post', {
  id: uid11('id').primaryKey().default(sql`uid11_generate()`),
  body: text('body').notNull(),
});

export const comment = pgTable('comment', {
  id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
  postId: uid11('post_id').notNull().references(() => post.id),
});
