const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env;

module.exports = {
  development: {
    dialect: 'postgres', host: PGHOST, port: PGPORT,
    username: PGUSER, password: PGPASSWORD, database: PGDATABASE,
  },
};
