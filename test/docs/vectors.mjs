// Holds the module for programs against test/oracle/vectors/.
//
//     node --test-reporter=tap vectors.mjs PACKAGE VECTORS
//
// PACKAGE is the folder that "npm pack" makes a package of.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { pathToFileURL } from 'node:url'

const [folder, vectors] = process.argv.slice(2)
const described = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
const entry = described.exports['.']
const module = await import(pathToFileURL(`${folder}/${entry.default}`).href)
const { types, identify, showInstant, readInstant, IdError } = module

// Named, so that the message has both and what they are of.
const equal = (got, expected, of) => assert.deepEqual({ [of]: got }, { [of]: expected })

// The rows of a file as objects, and a text of them, in which \xNN is a byte.
const rowsOf = name => {
  const [head, ...lines] = readFileSync(`${vectors}/${name}.tsv`, 'utf8').split('\n')
    .filter(line => line !== '' && !line.startsWith('#')).map(line => line.split('\t'))
  return lines.map(cells => Object.fromEntries(head.map((column, at) => [column, cells[at]])))
}
const unescaped = text =>
  decodeURIComponent(text.replaceAll('%', '%25').replace(/\\x(..)/g, '%$1'))
const hex = id => Buffer.from(id).toString('hex')
const shown = value => value instanceof Uint8Array ? hex(value) : String(value)

// The field, and its layout, that a column of a type has: named after the field, or after both.
const fieldOf = (type, column) => {
  for (const { name, fields } of type.layouts)
    for (const { name: field, bits } of fields)
      if (bits > 0 && (field === column ||
          `${name.replace(/^ts-/, '').replaceAll('-', '_')}_${field}` === column))
        return [name, field]
  return null
}

// How an id is written in a further column.
const formOf = (type, id, column) => column === 'decimal' ? String(type.toNumber(id)) :
  type.forms(id)[column] ?? type.forms(id)['to_' + column]

// The SQLSTATE of what is thrown.
const caught = action => {
  try {
    action()
  } catch (error) {
    return error instanceof IdError ? error.code : error.stack
  }
  return 'nothing'
}

const known = new Set(['text', 'hex', 'timestamp', 'source', 'note'])
for (const [name, type] of Object.entries(types)) {
  test(`${name}: ids`, () => {
    const rows = rowsOf(name)
    let fields = 0
    for (const row of rows) {
      const id = type.parse(row.text)
      equal(hex(id), row.hex, row.text)
      equal(type.format(id), row.text, row.text)
      const instant = readInstant(row.timestamp.replace(/^-?\d{7,}/, '1970'))
      if (!/^-?\d{7,}/.test(row.timestamp))
        equal(type.instant(row.text), instant, row.text)
      const found = identify(row.text).find(one => one.type === name)
      equal([found.canonical, found.instant], [row.text, type.instant(id)], row.text)

      // between the smallest and the largest id of its instant, and found by all of its text
      const [first, last] = [type.min(type.instant(id)), type.max(type.instant(id))]
      equal([type.instant(first), type.instant(last)], [found.instant, found.instant], row.text)
      equal(type.toNumber(first) <= type.toNumber(id) &&
        type.toNumber(id) <= type.toNumber(last), true, row.text)
      const range = type.prefix(type.prefixText(id))
      equal([hex(range.first), hex(range.last)], [row.hex, row.hex], row.text)
      const window = type.window(found.instant, found.instant, '[]')
      equal([hex(window.first), hex(window.last)], [hex(first), hex(last)], row.text)

      for (const layout of type.layoutsOf(id)) {
        let parts
        try {
          parts = type.fields(id, layout.name)
        } catch (error) {
          equal(error.code, '22003', row.text)
          continue
        }
        // what is not assigned may be read, and must not be made
        if (Object.values(parts).includes('unassigned'))
          equal(caught(() => type.make(found.instant, parts)), '22023', row.text)
        else if (layout.fields.some(({ kind, bits }) => kind === 'time' && bits > 0))
          equal(hex(type.make(type.instant(id), parts, layout.name)), row.hex,
            `${row.text} as ${layout.name}`)
      }
      for (const column of Object.keys(row).filter(one => !known.has(one))) {
        const [layout, field] = fieldOf(type, column) ?? []
        const form = field === undefined ? formOf(type, id, column) : undefined
        equal(field !== undefined || form !== undefined, true, `column ${column}`)
        if (form !== undefined)
          equal(form, row[column], `${row.text}: ${column}`)
        else if (row[column] !== '') {
          // a layout that the id tells need not be the first that has the field
          const parts = type.fields(id, type.layoutsOf(id).length > 1 ? layout : undefined)
          equal(shown(parts[field]), row[column], `${row.text}: ${column}`)
          fields++
        }
      }
    }
    equal(rows.length > 20 && fields > 20, true, `${rows.length} rows, ${fields} fields`)
  })

  test(`${name}: texts that are refused`, () => {
    let count = 0
    for (const row of rowsOf('invalid').filter(({ type: one }) => one === name)) {
      const text = unescaped(row.text)
      equal(caught(() => type.parse(text)), row.sqlstate, row.text)
      equal(identify(text).some(({ type: one }) => one === name), false, row.text)
      count++
    }
    for (const row of rowsOf('prefix_invalid').filter(({ type: one }) => one === name)) {
      equal(caught(() => type.prefix(unescaped(row.text))), row.sqlstate, row.text)
    }
    equal(count > 2, true, `${count} texts`)
  })

  test(`${name}: prefixes`, () => {
    for (const row of rowsOf('prefix').filter(({ type: one }) => one === name)) {
      const range = type.prefix(row.prefix)
      equal(range === null ? ['', ''] : [type.format(range.first), type.format(range.last)],
        [row.lo, row.hi], row.prefix)
    }
  })

  test(`${name}: what cannot be made`, () => {
    equal(caught(() => type.min(type.first - 1n)), '22008', 'too early')
    equal(caught(() => type.max(1n << 80n)), '22008', 'too late')
    equal(caught(() => type.format(new Uint8Array(3))), '22P03', 'three bytes')
    equal(caught(() => type.make(type.first, { none: 1n })), '22023', 'no such field')
    const id = type.min(type.first)
    for (const { name: field, kind, bits } of type.layoutsOf(id)[0].fields)
      if (kind === 'number' && bits > 0)
        equal(caught(() => type.make(type.first, { ...type.fields(id), [field]: 1n << 64n })),
          '22003', field)
    equal(type.window(type.first - 9n, type.first - 1n), null, 'nothing before the beginning')
    const all = type.window(null, null)
    equal([type.instant(all.first), type.instant(all.last)], [type.first, type.last], 'all')
  })
}

test('instants', () => {
  for (const [us, text] of [[0n, '1970-01-01 00:00:00+00'], [-1n, '1969-12-31 23:59:59.999999+00'],
    [951782400000000n, '2000-02-29 00:00:00+00'], [-2203977600000000n, '1900-02-28 00:00:00+00'],
    [(1n << 53n) + 1n, '2255-06-05 23:47:34.740993+00'],
    [253402300800000000n, '10000-01-01 00:00:00+00'],
    [-62135596800000001n, '0001-12-31 23:59:59.999999+00 BC']]) {
    equal(showInstant(us), text, text)
    if (!text.endsWith('BC'))
      equal(readInstant(text), us, text)
  }
  equal(readInstant('2026-01-01T01:00:00.5+01:30'), 1767223800500000n, 'with a zone')
})

// The package is whole, and says what it has.
test('the package', () => {
  const declared = readFileSync(`${folder}/${entry.types}`, 'utf8')
  const names = declared.matchAll(/^export (?:class|const|function) (\w+)/gm)
  equal(Array.from(names, ([, one]) => one).sort(), Object.keys(module).sort(), 'what is exported')
  const methods = Array.from(declared.slice(declared.indexOf('interface IdType {'))
    .split('\n}')[0].matchAll(/^  (\w+)\(/gm), ([, one]) => one)
  const prototype = Object.getPrototypeOf(Object.values(types)[0])
  equal(methods.sort(), Object.getOwnPropertyNames(prototype)
    .filter(one => one !== 'constructor').sort(), 'methods')
  equal(described.private, true, 'it cannot be published')
  const { version } = JSON.parse(readFileSync(`${vectors}/../../../META.json`, 'utf8'))
  equal(described.version, version, 'version')
})

// The example of the package's README prints what its comments say.
test('the example', () => {
  const [, example] = readFileSync(`${folder}/README.md`, 'utf8').match(/```js\n(.*?)```/s)
  const said = Array.from(example.matchAll(/^ *console[.]log.* \/\/ (.*)$/gm), ([, one]) => one)
  const printed = execFileSync(process.execPath, ['--input-type=module'],
    { cwd: folder, input: example, encoding: 'utf8' })
  equal(printed, said.join('\n') + '\n', 'printed')
})
