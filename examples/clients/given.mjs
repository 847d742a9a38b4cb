// What the programs in JavaScript are given: ID FROM UPTO PREFIX KEY.  PGHOST and so on, or
// DATABASE_URL, say where the server is.

const [id, from, upto, digits, hex] = process.argv.slice(2);
export const given = { id, body: 'given' };
export const prefix = digits;
export const [start, end] = [new Date(from), new Date(upto)];
export const key = Buffer.from(hex, 'hex');

export const show = (step, found) => console.log(
  `${step}:`, found.map((row) => row.body).join(' '));

export const url = process.env.DATABASE_URL;
