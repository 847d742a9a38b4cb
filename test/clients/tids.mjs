// What AT Protocol's own library makes of TIDs: reads them from standard input, one a line, and
// prints their microseconds and their clock id.

import { readFileSync } from 'node:fs';
import { TID } from '@atproto/common-web';

for (const text of readFileSync(0, 'utf8').trimEnd().split('\n')) {
  const tid = TID.fromStr(text);
  console.log(tid.timestamp(), tid.clockid());
}
