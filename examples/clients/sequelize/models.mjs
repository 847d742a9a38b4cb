import { BIGINT, Sequelize, TEXT, literal } from 'sequelize';

const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env;

export const sequelize = new Sequelize({
  dialect: 'postgres', host: PGHOST, port: PGPORT,
  username: PGUSER, password: PGPASSWORD, database: PGDATABASE,
  logging: false, define: { timestamps: false, freezeTableName: true, underscored: true },
});

export const Post = sequelize.define('post', {
  id: { type: 'uid11', primaryKey: true, defaultValue: literal(`uid11_generate()`) },
  body: { type: TEXT, allowNull: false },
});

export const Comment = sequelize.define('comment', {
  id: { type: BIGINT, primaryKey: true, autoIncrement: true },
  postId: { type: 'uid11', allowNull: false },
});
Comment.belongsTo(Post);
