import { types, identify, showInstant, readInstant, IdError } from 'idtypes'

const { uid11, siq } = types
const id = uid11.parse('5cpMMx7dx1Q')                       // a Uint8Array of 8 bytes
console.log(uid11.format(id))                               // 5cpMMx7dx1Q
console.log(showInstant(uid11.instant(id)))                 // 2026-11-21 17:55:44.811+00
console.log(uid11.fields(id).random)                        // 2469939n

const start = readInstant('2026-01-01')                     // microseconds, a bigint
console.log(uid11.format(uid11.min(start)))                 // 5LyPtcHZqCb
const { first, last } = uid11.prefix('5cpM')
console.log(uid11.format(first), uid11.format(last))        // 5cpM1111111 5cpMzzzzzzz

const made = uid11.make(start, { machine: 1, sequence: 7 }, 'snowish')
console.log(uid11.format(made))                             // 5LyPtcHZrRL
console.log(siq.forms('did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah').hex) // 005e0bd2f0000000000000000007
console.log(identify('2222222222222').map(({ type }) => type).join(' ')) // tid64 ulidflake

try {
  uid11.parse('5cpMMx7dx0Q')
} catch (error) {
  if (error instanceof IdError)
    console.log(error.code, error.position)                 // 22P02 10
}
