// uid11 with PostGraphile (see doc/frameworks.md)

import assert from 'node:assert';
import pg from 'pg';
import { graphql } from 'graphql';
import { createPostGraphileSchema, withPostGraphileContext } from 'postgraphile';
import { end, given, show, start } from './given.mjs';

const pgPool = new pg.Pool();                   // PGHOST and so on say where
await pgPool.query(`
  CREATE TABLE comment (id bigserial PRIMARY KEY, post_id uid11 NOT NULL REFERENCES post);
  CREATE FUNCTION post_made_at(post post) RETURNS timestamptz LANGUAGE sql STABLE
    BEGIN ATOMIC SELECT uid11_timestamp(post.id); END;
  CREATE FUNCTION posts_made(start timestamptz, upto timestamptz) RETURNS SETOF post
    LANGUAGE sql STABLE
    BEGIN ATOMIC SELECT * FROM post WHERE id <@ uid11_range(start, upto) ORDER BY id; END;
`);
const schema = await createPostGraphileSchema(pgPool, 'public');
const ask = (query, values) => withPostGraphileContext({ pgPool }, async (context) => {
  const { data, errors } = await graphql(schema, query, null, context, values);
  assert.equal(errors, undefined);
  return data;
});

await ask(`mutation ($id: String!) {
  createPost(input: { post: { id: $id, body: "given" } }) { post { id } } }`, given);
const { createPost: { post: { id } } } = await ask(`
  mutation { createPost(input: { post: { body: "new" } }) { post { id madeAt } } }`);
const { rows: [stored] } = await pgPool.query('SELECT $1::uid11::text AS id', [id]);
console.log('default:', stored.id);

await pgPool.query('INSERT INTO comment (post_id) VALUES ($1)', [id]);
const { postById } = await ask(`query ($id: String!) {
  postById(id: $id) { commentsByPostId { nodes { postByPostId { body } } } } }`, { id });
show('equality', postById.commentsByPostId.nodes.map((comment) => comment.postByPostId));

const { postsMade } = await ask(`query ($start: Datetime!, $end: Datetime!) {
  postsMade(start: $start, upto: $end) { nodes { body } } }`,
{ start: start.toISOString(), end: end.toISOString() });
show('window', postsMade.nodes);
await pgPool.end();
