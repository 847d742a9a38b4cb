import typeorm from 'typeorm';

import { Comment, Post } from './entities.mjs';
import { Post1750000000000 } from './migrations/1750000000000-Post.mjs';

const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env;

export const source = new typeorm.DataSource({
  type: 'postgres',
  host: PGHOST, port: PGPORT, username: PGUSER, password: PGPASSWORD, database: PGDATABASE,
  entities: [Post, Comment],
  migrations: [Post1750000000000],
});
source.driver.supportedDataTypes.push('uid11');
