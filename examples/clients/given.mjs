// What the programs in JavaScript are given: FILE PREFIX FROM UPTO KEY.  PGHOST and so on say where
// the server is.

import { readFileSync } from 'node:fs';

const [file, digits, from, upto, hex] = process.argv.slice(2);
export const rows = readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => line.split('\t'))
  .map(([id, body]) => ({ id, body }));
export const ids = rows.slice(0, 3).map((row) => row.id);
export const prefix = digits;
export const [start, end] = [new Date(from), new Date(upto)];
export const key = Buffer.from(hex, 'hex');

export const show = (step, found) => console.log(
  `${step}:`, found.map((row) => row.body).join(' '));

const { PGUSER, PGPASSWORD, PGPORT, PGDATABASE } = process.env;
export const url = `postgresql://${PGUSER}:${PGPASSWORD}@127.0.0.1:${PGPORT}/${PGDATABASE}`;
