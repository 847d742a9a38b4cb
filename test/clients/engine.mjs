// Runs statements in an engine of another database.
//
//     node engine.mjs duckdb|clickhouse FILE <QUESTIONS
//
// FILE has the functions; QUESTIONS is a JSON array of statements.  Prints a JSON array of their
// rows, whose values are texts or null.
import { readFileSync } from 'node:fs';

const [engine, file] = process.argv.slice(2);
const functions = readFileSync(file, 'utf8');
const answers = [];
if (engine === 'duckdb') {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(functions);
  for (const question of JSON.parse(readFileSync(0, 'utf8')))
    answers.push((await connection.runAndReadAll(question)).getRowsJson());
} else {
  const { Session } = await import('chdb');
  const session = new Session();
  const statements = functions.replace(/^--.*\n/gm, '').split(/;\n/).filter(part => part.trim());
  for (const statement of statements)
    session.query(statement);
  for (const question of JSON.parse(readFileSync(0, 'utf8')))
    answers.push(session.query(question, 'JSONCompactEachRow').toString().trim().split('\n')
      .map(row => JSON.parse(row)));
  session.cleanup();
}
console.log(JSON.stringify(answers));
