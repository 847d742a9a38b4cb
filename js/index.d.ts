/** The bytes of an id, most significant first. */
export type Id = Uint8Array

/** Microseconds since 1970-01-01 00:00 UTC. */
export type Instant = bigint

/** The fields of an id, from the most significant on, by the names that the SQL function T_parts()
 *  has, without the time; null for what the layout does not have. */
export type Fields = Record<string, bigint | Uint8Array | string | null>

/** Fields to make an id of; a number must be exact. */
export type GivenFields = Record<string, bigint | number | Uint8Array | string | null>

/** A closed range of ids. */
export interface Range { first: Id, last: Id }

/** An error with the server's message. */
export class IdError extends Error {
  /** SQLSTATE */
  readonly code: string
  /** which rule was broken where */
  readonly detail: string | null
  readonly hint: string | null
  /** of the character that is wrong, in characters from 1 */
  readonly position: number | null
}

/** How the bits of an id are divided into fields. */
export interface Layout {
  readonly name: string
  /** SQL that returns the fields of an id named id */
  readonly parts: string
  /** from the most significant on */
  readonly fields: readonly {
    readonly name: string
    readonly kind: 'time' | 'zero' | 'number' | 'bytes' | 'name'
    readonly bits: number
  }[]
}

/** A type.  Its functions accept the text of an id for the id. */
export interface IdType {
  readonly name: string
  /** bytes of an id */
  readonly size: number
  /** characters of its text */
  readonly textSize: number
  readonly layouts: readonly Layout[]
  /** instants of the first and the last tick */
  readonly first: Instant
  readonly last: Instant
  readonly ticksPerSecond: number

  /** Throws an IdError if the text is not an id. */
  parse(text: string): Id
  /** The canonical text. */
  format(id: Id | string): string
  /** Further forms, by the names of the SQL functions, such as hex for siq_hex(). */
  forms(id: Id | string): Record<string, string>
  /** The id as a number, negative where the type has negative ones. */
  toNumber(id: Id | string): bigint
  instant(id: Id | string): Instant
  /** Without a layout, the one that the id has, or the first. */
  fields(id: Id | string, layout?: string): Fields
  /** The layouts that an id may be read as. */
  layoutsOf(id: Id | string): readonly Layout[]
  /** Composes an id; the layout is the first unless it is named, or told by a field. */
  make(instant: Instant, fields?: GivenFields, layout?: string): Id
  /** Smallest and largest id of the tick that an instant falls in. */
  min(instant: Instant): Id
  max(instant: Instant): Id
  /** The ids of a window of time, or null if there is none; an end that is null is open, and bounds
   *  are as those of the server's ranges. */
  window(since: Instant | null, upto: Instant | null, bounds?: '[)' | '[]' | '(]' | '()'):
    Range | null
  /** The ids whose text begins so, or null if no id's can.  Throws an IdError for other text. */
  prefix(text: string): Range | null
  /** The text of an id whose beginnings are prefixes. */
  prefixText(id: Id | string): string
}

/** The types by their names. */
export const types: Readonly<Record<string, IdType>>

/** Each type that accepts a text, and what the text is then. */
export function identify(text: string):
  { type: string, id: Id, canonical: string, instant: Instant, fields: Fields }[]

/** An instant as the server shows it in UTC, such as 2026-11-21 18:02:37.912+00. */
export function showInstant(instant: Instant, separator?: string, zone?: string): string

/** The reverse, also of ISO 8601; without a zone the text is in UTC.  Throws a RangeError. */
export function readInstant(text: string): Instant
