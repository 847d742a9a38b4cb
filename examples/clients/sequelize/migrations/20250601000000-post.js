module.exports = {
  async up(db, { literal, TEXT }) {
    await db.sequelize.query('CREATE EXTENSION IF NOT EXISTS idtypes');
    await db.createTable('post', {
      id: { type: 'uid11', primaryKey: true, defaultValue: literal(`uid11_generate()`) },
      body: { type: TEXT, allowNull: false },
    });
  },
};
