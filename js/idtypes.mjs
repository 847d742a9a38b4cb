// The types of the PostgreSQL extension idtypes, for programs: text, bytes, instants, fields and
// ranges.
//
// The extension's own core, a WebAssembly module here, computes all of it.  An id is a Uint8Array
// of its bytes, most significant first; where one is expected, its text will do.  An instant is a
// BigInt of microseconds since 1970-01-01 00:00 UTC: a Number holds them exactly until 2255 only,
// and a Date has milliseconds.

const MICROSECONDS = 1000000n
const DAY = 86400n * MICROSECONDS

// BigInt divides towards zero, but what is before the epoch is rounded down.
const floorDivide = (value, divisor) => {
  const rest = value % divisor
  return (value - rest) / divisor - (rest < 0n ? 1n : 0n)
}

// Days since 1970 of a date of the Gregorian calendar, and the reverse.  Date ends in the year
// 275760, so it computes them for 1970 to 2399 only: any 400 years have 146097 days.
const daysOfDate = (year, month, day) => {
  const era = floorDivide(year, 400n)
  return (era - 5n) * 146097n + BigInt(Date.UTC(
    Number(year - era * 400n) + 2000, Number(month) - 1, Number(day)) / 86400000)
}

const dateOfDays = days => {
  const era = floorDivide(days, 146097n)
  const date = new Date(Number(days - era * 146097n) * 86400000)
  return {
    year: era * 400n + BigInt(date.getUTCFullYear()),
    month: BigInt(date.getUTCMonth() + 1),
    day: BigInt(date.getUTCDate())
  }
}

// An instant as the server shows it in UTC: "2026-11-21 18:02:37.912+00".
export const showInstant = (us, separator = " ", zone = "+00") => {
  const { year, month, day } = dateOfDays(floorDivide(us, DAY))
  const within = us - floorDivide(us, DAY) * DAY
  const seconds = within / MICROSECONDS
  const two = value => String(value).padStart(2, "0")
  const fraction = String(within % MICROSECONDS).padStart(6, "0").replace(/0+$/, "")
  return String(year > 0n ? year : 1n - year).padStart(4, "0") + "-" + two(month) + "-" +
    two(day) + separator + two(seconds / 3600n) + ":" + two(seconds / 60n % 60n) + ":" +
    two(seconds % 60n) + (fraction && "." + fraction) + zone + (year > 0n ? "" : " BC")
}

const INSTANT = new RegExp("^([0-9]{4,6})-([0-9]{1,2})-([0-9]{1,2})" +
  "(?:[ T]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.]([0-9]{1,6}))?)?" +
  "(?: ?(Z|UTC|([+-])([0-9]{2}):?([0-9]{2})?))?)?$", "i")

// The instant that a text such as "2026-11-21 18:02:37.912+00" or "2026-11-21T19:02+01:00" means;
// without a zone it is in UTC.  Throws a RangeError where it means none.
export const readInstant = text => {
  const match = INSTANT.exec(text.trim())
  const number = at => BigInt(match[at] || 0)
  if (match) {
    const [year, month, day] = [number(1), number(2), number(3)]
    const days = daysOfDate(year, month, day)
    const found = dateOfDays(days)
    const offset = (number(10) * 60n + number(11)) * (match[9] === "-" ? -60n : 60n)
    if (year > 0n && found.month === month && found.day === day && number(4) < 24n &&
        number(5) < 60n && number(6) < 60n && number(10) < 16n && number(11) < 60n)
      return days * DAY + (number(4) * 3600n + number(5) * 60n + number(6) - offset) *
        MICROSECONDS + BigInt((match[7] || "").padEnd(6, "0"))
  }
  throw new RangeError(`"${text}" is not an instant such as 2026-11-21 18:02:37.912+00`)
}

// An error with the server's message.
export class IdError extends Error {
  constructor(code, message, { detail = null, hint = null, position = null } = {}) {
    super(message)
    this.name = "IdError"
    this.code = code          // SQLSTATE
    this.detail = detail
    this.hint = hint
    this.position = position  // of the character that is wrong, in characters from 1, or null
  }
}

const INVALID_TEXT = "22P02"
const INVALID_BINARY = "22P03"
const OUT_OF_RANGE = "22003"
const OVERFLOW = "22008"
const INVALID_PARAMETER = "22023"
const STATUS_OUT_OF_RANGE = 6

// Puts values in the place of the conversions of a format of C.
const fill = (format, ...values) =>
  format.replace(/%(?:lld|zu|d|s)/g, () => String(values.shift()))

const hexOf = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("")

// The types of a compiled module, given its bytes.
export const load = async bytes => {
  const { instance: { exports: core } } = await WebAssembly.instantiate(bytes)
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  const ID_SIZE = 32
  const TEXT_SIZE = 256
  // room for two ids, a result and the text that is given
  const FIRST = core.__heap_base.value
  const LAST = FIRST + ID_SIZE
  const RESULT = LAST + ID_SIZE
  const TEXT = RESULT + TEXT_SIZE

  const memory = (from, size) => new Uint8Array(core.memory.buffer, from, size)

  const putText = text => {
    const encoded = encoder.encode(text)
    const missing = TEXT + encoded.length + 1 - core.memory.buffer.byteLength
    if (missing > 0)
      core.memory.grow(Math.ceil(missing / 65536))
    memory(TEXT, encoded.length).set(encoded)
    memory(TEXT + encoded.length, 1)[0] = 0
    return encoded.length
  }

  const getString = from => {
    if (from === 0)
      return null
    const all = memory(from, core.memory.buffer.byteLength - from)
    return decoder.decode(all.subarray(0, all.indexOf(0)))
  }

  const { messages, textOf, types: descriptions } = JSON.parse(getString(core.describe()))
  const [OF_ID, OF_PREFIX] = textOf.keys()

  // The bits of a field, which ends `below` bits above the end of a number.
  const bitsOf = (value, below, bits) => BigInt.asUintN(bits, value >> BigInt(below))

  // index.d.ts says what the methods return.
  class IdType {
    #number

    constructor(number) {
      const { first, last, groupMicroseconds, ...rest } = descriptions[number]
      this.#number = number
      Object.assign(this, rest)
      this.first = BigInt(first)        // instants of the first and the last tick
      this.last = BigInt(last)
      this.ticksPerSecond = 1e6 * 2 ** this.groupBits / Number(groupMicroseconds)
    }

    #explained(status, of, text) {
      const position = core.explain(this.#number, of, status, TEXT, encoder.encode(text).length)
      const more = {
        detail: getString(core.detail()),
        hint: getString(core.hint()),
        position: position || null
      }
      return status === STATUS_OUT_OF_RANGE ?
        new IdError(OUT_OF_RANGE, fill(messages.textRange, text, this.name), more) :
        new IdError(INVALID_TEXT, fill(messages.text, textOf[of], this.name, text), more)
    }

    // The bytes of an id given as bytes or as text, in the module's memory.
    #put(id) {
      const given = typeof id === "string" ? this.parse(id) : id
      if (given.length !== this.size)
        throw new IdError(INVALID_BINARY, fill(messages.binary, this.name),
          { detail: fill(messages.binaryDetail, given.length, this.size) })
      memory(FIRST, this.size).set(given)
      if (!core.is_valid(this.#number, FIRST))
        throw new IdError(OUT_OF_RANGE, fill(messages.textRange, "\\x" + hexOf(given), this.name))
      return FIRST
    }

    #get(from) {
      return memory(from, this.size).slice()
    }

    #form(form, size, id) {
      core.format(this.#number, form, this.#put(id), RESULT)
      return decoder.decode(memory(RESULT, size))
    }

    parse(text) {
      const status = core.parse(this.#number, TEXT, putText(text), FIRST)
      if (status !== 0)
        throw this.#explained(status, OF_ID, text)
      return this.#get(FIRST)
    }

    format(id) {
      return this.#form(0, this.textSize, id)
    }

    forms(id) {
      return Object.fromEntries(this.further.map(
        ({ name, size }, at) => [name, this.#form(at + 2, size, id)]))
    }

    toNumber(id) {
      const value = BigInt("0x" + hexOf(this.#get(this.#put(id))))
      return this.signed ? BigInt.asIntN(8 * this.size, value) : value
    }

    instant(id) {
      return core.instant(this.#number, this.#put(id))
    }

    #layoutOf(id, name) {
      const found = name === undefined ?
        this.layouts[Math.max(core.layout_of(this.#number, this.#put(id)), 0)] :
        this.layouts.find(layout => layout.name === name)
      if (!found)
        throw new IdError(INVALID_PARAMETER, `type ${this.name} has no layout "${name}"`)
      return found
    }

    layoutsOf(id) {
      const known = core.layout_of(this.#number, this.#put(id))
      return known < 0 ? this.layouts : [this.layouts[known]]
    }

    fields(id, layout) {
      const { fields } = this.#layoutOf(id, layout)
      const all = this.#get(this.#put(id))
      const value = BigInt("0x" + hexOf(all))
      const found = {}
      let below = 8 * this.size
      for (const { name, kind, bits } of fields) {
        below -= bits
        if (kind === "zero" && bitsOf(value, below, bits) !== 0n)
          throw new IdError(OUT_OF_RANGE,
            `${this.name} "${this.format(id)}" is not of profile "${layout}"`,
            { detail: messages.reserved })
        if (kind === "time" || kind === "zero")
          continue
        found[name] = bits === 0 ? null :
          kind === "name" ? getString(core.name_of(this.#number, this.#put(id))) :
          kind === "bytes" ? all.slice(this.size - (below + bits) / 8, this.size - below / 8) :
          bitsOf(value, below, bits)
      }
      return found
    }

    #check(name, value, bits) {
      const largest = (1n << BigInt(bits)) - 1n
      if (value < 0n || value > largest)
        throw new IdError(OUT_OF_RANGE, fill(messages.fieldRange, name, value, this.name),
          { detail: fill(messages.fieldDetail, largest) })
      return value
    }

    // The code of a name, and how many bits it has.
    #code(name) {
      const found = core.code_of(this.#number, TEXT, putText(name))
      if (found === 0)
        throw new IdError(INVALID_PARAMETER, `unknown ${this.name} type "${name}"`)
      return { code: BigInt(found & 0xffff), bits: found >>> 16 }
    }

    // The id of an instant and all other fields, as fields() returns them.
    make(us, fields = {}, layout) {
      const named = this.layouts[0].fields.find(({ kind }) => kind === "name")
      const code = named && this.#code(String(fields[named.name]))
      const { fields: known } = code ?
        this.layouts.find(({ fields: all }) =>
          all.some(({ kind, bits }) => kind === "name" && bits === code.bits)) :
        this.#layoutOf(this.min(this.first), layout ?? this.layouts[0].name)
      const timed = known.some(({ kind, bits }) => kind === "time" && bits > 0)
      const shift = BigInt(8 * this.size - this.timeBits)
      const start = BigInt("0x" + hexOf(this.min(timed ? us : this.first)))
      const held = new Set()
      let value = 0n
      for (const { name, kind, bits } of known) {
        const width = BigInt(bits)
        held.add(name)
        if (kind === "time" && bits > 0)
          value = start >> shift
        else if (kind === "name")
          value = value << width | code.code
        else if (kind !== "zero" && bits > 0)
          value = value << width | this.#field(name, kind, bits, fields[name])
      }
      for (const name of Object.keys(fields))
        if (!held.has(name))
          throw new IdError(INVALID_PARAMETER, `type ${this.name} has no field "${name}"`)
      const id = Uint8Array.from(value.toString(16).padStart(2 * this.size, "0").slice(
        -2 * this.size).match(/../g), digits => parseInt(digits, 16))
      this.fields(id, code ? undefined : layout ?? this.layouts[0].name)
      return id
    }

    #field(name, kind, bits, given) {
      if (given === undefined || given === null)
        throw new IdError(INVALID_PARAMETER, `field ${name} of type ${this.name} is missing`)
      if (kind !== "bytes")
        return this.#check(name, BigInt(given), bits)
      if (given.length !== bits / 8)
        throw new IdError(INVALID_PARAMETER,
          `${name} field of type ${this.name} must have ${bits / 8} bytes, not ${given.length}`)
      return BigInt("0x" + hexOf(given))
    }

    #at(us, last) {
      if (!core.id_at(this.#number, BigInt.asIntN(64, us), last, FIRST) ||
          us !== BigInt.asIntN(64, us))
        throw new IdError(OVERFLOW, fill(messages.instantRange, showInstant(us), this.name),
          { detail: fill(messages.instantDetail, this.name, showInstant(this.first),
            showInstant(this.last)) })
      return this.#get(FIRST)
    }

    min(us) {
      return this.#at(us, false)
    }

    max(us) {
      return this.#at(us, true)
    }

    window(since, upto, bounds = "[)") {
      const [lowest, highest] = [-(1n << 63n), (1n << 63n) - 1n]
      const clamp = us => us < lowest ? lowest : us > highest ? highest : us
      return core.window(this.#number,
        clamp(since ?? lowest), since === null || bounds[0] === "[",
        clamp(upto ?? highest), upto === null || bounds[1] === "]", FIRST, LAST) ?
        { first: this.#get(FIRST), last: this.#get(LAST) } : null
    }

    prefix(text) {
      const status = core.prefix(this.#number, TEXT, putText(text), FIRST, LAST)
      if (status === STATUS_OUT_OF_RANGE)
        return null
      if (status !== 0)
        throw this.#explained(status, OF_PREFIX, text)
      return { first: this.#get(FIRST), last: this.#get(LAST) }
    }

    // The text itself, or else its digits.
    prefixText(id) {
      const text = this.format(id)
      const status = core.prefix(this.#number, TEXT, putText(text), FIRST, LAST)
      return status === 0 ? text : this.#form(1, this.digits, id)
    }
  }

  const types = Object.fromEntries(descriptions.map(({ name }, at) => [name, new IdType(at)]))

  // What idtypes_identify() returns.
  const identify = text => Object.values(types).flatMap(type => {
    try {
      const id = type.parse(text)
      return [{ type: type.name, id, canonical: type.format(id), instant: type.instant(id),
        fields: type.fields(id) }]
    } catch (error) {
      if (error instanceof IdError)
        return []
      throw error
    }
  })

  return { types, identify, messages }
}
