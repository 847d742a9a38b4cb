// The package: the types by their names, ready for use.
import { load, showInstant, readInstant, IdError } from './idtypes.mjs'
import base64 from './wasm.mjs'

export const { types, identify } = await load(
  Uint8Array.from(atob(base64), character => character.charCodeAt(0)))
export { showInstant, readInstant, IdError }
