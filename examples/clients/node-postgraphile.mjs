// uid11 with PostGraphile (see doc/frameworks.md)

import assert from 'node:assert';
import pg from 'pg';
import { graphql } from 'graphql';
import { createPostGraphileSchema, withPostGraphileContext } from 'postgraphile';
import { end, rows, show, start } from './given.mjs';

const pgPool = new pg.Pool();                   // PGHOST and so on say where
await pgPool.query(`
  CREATE TABLE comment (id bigserial PRIMARY KEY, post_id uid11 NOT NULL REFERENCES post);
  CREATE FUNCTION post_made_at(post post) RETURNS timestamptz LANGUAGE sql STABLE
    BEGIN ATOMIC SELECT uid11_timestamp(post.id); END;
  CREATE FUNCTION posts_made(start timestamptz, upto timestamptz) RETURNS SETOF post
    LANGUAGE sql STABLE
    BEGIN ATOMIC SELECT * FROM post WHERE id <@ uid11_range(start, upto) ORDER BY id; END;
`);
await pgPool.query('INSERT INTO post SELECT * FROM unnest($1::uid11[], $2::text[])',
  [rows.map((row) => row.id), rows.map((row) => row.body)]);

const schema = await createPostGraphileSchema(pgPool, 'public');
const ask = (query, values) => withPostGraphileContext({ pgPool }, async (context) => {
  const { data, errors } = await graphql(schema, query, null, context, values);
  assert.equal(errors, undefined);
  return data;
});

const { createPost: { post: { id } } } = await ask(`
  mutation { createPost(input: { post: { body: "new" } }) { post { id madeAt } } }`);
console.log('default (json):', id);

await pgPool.query('INSERT INTO comment (post_id) VALUES ($1)', [id]);
const { postById } = await ask(`query ($id: String!) {
  postById(id: $id) { commentsByPostId { nodes { postByPostId { body } } } } }`, { id });
show('equality', postById.commentsByPostId.nodes.map((comment) => comment.postByPostId));

const { postsMade } = await ask(`query ($start: Datetime!, $end: Datetime!) {
  postsMade(start: $start, upto: $end) { nodes { body } } }`,
{ start: start.toISOString(), end: end.toISOString() });
show('window', postsMade.nodes);

const { allPosts } = await ask('{ allPosts { nodes { id } } }');
console.log('text (json):', allPosts.nodes.map((post) => post.id).join(' '));
await pgPool.end();
