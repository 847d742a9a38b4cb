import typeorm from 'typeorm';

const id = { type: 'uid11', primary: true, default: () => `uid11_generate()` };

export const Post = new typeorm.EntitySchema({
  name: 'Post',
  tableName: 'post',
  columns: {
    id,                                         // a string in JavaScript
    body: { type: 'text' },
  },
});

export const Comment = new typeorm.EntitySchema({
  name: 'Comment',
  tableName: 'comment',
  columns: {
    id: { type: 'bigint', primary: true, generated: 'identity' },
    postId: { type: 'uid11', name: 'post_id' },
  },
  relations: {
    post: { type: 'many-to-one', target: 'Post', joinColumn: { name: 'post_id' }, nullable: false },
  },
});
