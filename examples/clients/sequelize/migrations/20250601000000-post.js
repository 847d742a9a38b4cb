module.exports = {
  async up(db, { literal, TEXT, BIGINT }) {
    await db.sequelize.query('CREATE EXTENSION IF NOT EXISTS idtypes');
    await db.createTable('post', {
      id: { type: 'uid11', primaryKey: true, defaultValue: literal(`uid11_generate()`) },
      body: { type: TEXT, allowNull: false },
    });
    await db.createTable('comment', {
      id: { type: BIGINT, primaryKey: true, autoIncrement: true },
      post_id: { type: 'uid11', allowNull: false, references: { model: 'post', key: 'id' } },
    });
  },
};
