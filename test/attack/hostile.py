#!/usr/bin/env python3
"""Hostile input through SQL: nothing may crash the server or raise an internal error.

Works in databases of its own on the server that PGHOST, PGPORT and PGUSER name (a superuser), in
four encodings, and drops them at the end.  Files for COPY are written where the server can read
them, so this must run as the user that runs the server.

A statement of an attack may succeed or fail, but only with an error meant for users: of the classes
of ALLOWED, never XX000, and where the extension raised it, with the type's name in it.  Random ones
come from a seed that is printed; in long form, there are six times as many texts, and longer ones,
and more constants and conditions.

    hostile.py [--seed N]
"""

import os
import random
import re
import struct
import sys
import tempfile

from attack import TYPES, Attack, Database, quote
from objects import attack_objects
from queries import attack_changes, attack_conditions, attack_planner, attack_size

import idoracle
import make_vectors
from count import STRESS, Count, options_of
from sql import Connection, new_database

FORMATS = {fmt.name: fmt for fmt in idoracle.FORMATS}
# The characters of a type's text, and a few texts in all their forms.
ALPHABETS = {fmt.name: ''.join(sorted(set(''.join(map(fmt.format, idoracle.edge_values(fmt))))))
             for fmt in idoracle.FORMATS}
EXAMPLES = {module.FORMAT.name: [
    form for row in make_vectors.read(module.FORMAT.name + '.tsv')[:3]
    for form in module.Subject.forms(module.FORMAT.parse(row['text']), random.Random(0))]
            for module in idoracle.MODULES}

LONG = 100000 if STRESS else 20000
# How many altered examples there are of a type, and how many random texts of different lengths.
ALTERED = 60 if STRESS else 10
RANDOM_TEXTS = 101 if STRESS else 17
# Conversions of printf, quotes, blanks, control characters, and what is not ASCII anywhere.
ODD = ('%s%s%n%d', "'", '"', '\\', ' ', '\t', '\n', '\x01', '\x7f', '{', '}', '[', ']', ',', '(',
       ')', 'empty', 'NULL', 'did:siq:', 'DID:SIQ:', 'did:sig:', '-', '--', '0', 'O', 'l',
       'u', 'U', '=')
ALIENS = {'UTF8': ('\u00e9', '\u3042', '\U0001f600', '\u0130', '\u212a'),
          'LATIN1': ('\u00e9', '\u0085'), 'SQL_ASCII': ('\u00e9', '\u0085'),
          'EUC_JP': ('\u3042', '\u6f22', '\uff71', '\u4e02')}
# ---------------------------------------------------------------------------
# Text
# ---------------------------------------------------------------------------

def mutate(text, pieces, rng):
    """The text with a few characters taken out, put in, exchanged or in the other case."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(5)
        if kind == 0:
            text = text[:at] + text[at + 1:]
        elif kind == 1:
            text = text[:at] + rng.choice(pieces) + text[at:]
        elif kind == 2:
            text = text[:at] + rng.choice(pieces) + text[at + 1:]
        elif kind == 3:
            text = text[:at] + text[at:].swapcase()
        else:
            text = text[:at] + text[at:] * 2
    return text


def random_text(name, aliens, length, rng):
    """Text of so many characters, the first of them often digits of the type."""
    digits = rng.choice((0, length, length - 1, rng.randrange(length + 1)))
    others = [chr(rng.randrange(1, 127)) for _ in range(8)] + list(aliens)
    return ''.join(rng.choice(ALPHABETS[name]) if n < digits else rng.choice(others)
                   for n in range(length))


def text_attacks(name, text):
    """The ways in which text becomes ids."""
    q = quote(text)
    in_range = quote('["%s",]' % re.sub(r'(["\\])', r'\\\1', text))
    for expression in ('(%s::%s)::text::%s = %s' % (q, name, name, q), '%s_prefix(%s)' % (name, q),
                       '%s_time_decoder(%s)' % (name, q), '%s::%srange' % (in_range, name),
                       '%s::%srange' % (q, name), "('{' || %s || '}')::%smultirange" % (q, name),
                       'ARRAY[%s]::%s[]' % (q, name), "%s::%s[]" % (quote('{"%s"}' % text), name)):
        yield Attack('SELECT ' + expression, name, ('22P02', '22003', '22000', '2202E'))


def attack_text(database, rng):
    aliens = ALIENS[database.encoding]
    attacks = []
    for name in TYPES:
        pieces = ODD + aliens + tuple(ALPHABETS[name])
        texts = [mutate(rng.choice(EXAMPLES[name]), pieces, rng) for _ in range(ALTERED)]
        texts += [random_text(name, aliens, length, rng)
                  for length in sorted(rng.sample(range(101), RANDOM_TEXTS))]
        texts += [example + alien for example in EXAMPLES[name] for alien in aliens]
        texts += [example[:-1] + alien for example in EXAMPLES[name] for alien in aliens]
        texts += list(ODD)
        for text in texts:
            attacks += text_attacks(name, text)
    database.attack('text', attacks)


def attack_long_text(database):
    attacks = []
    for name in TYPES:
        for unit in (ALPHABETS[name][1], EXAMPLES[name][0], '-', '%n') + ALIENS[database.encoding]:
            long_text = 'repeat(%s, %d)' % (quote(unit), LONG // len(unit))
            for form in ('%s::%s', '%s_prefix(%s)', '%s_time_decoder(%s)', '%s::%srange'):
                arguments = (name, long_text) if '(%s)' in form else (long_text, name)
                attacks.append(Attack('SELECT ' + form % arguments, name, ('22P02', '22003'),
                                      False))
        attacks.append(Attack("SELECT decode(repeat('ff', %d), 'hex')::%s" % (LONG, name), name,
                              ('22P03',), False))
    for call in ("siq_generate('a.example', %s)", 'scru160_generate(%s)', 'uid11_generate(%s)',
                 "siq_make('2025-01-01', 0, 0, 0, %s)", "uid11_make('2025-01-01', 0, %s)",
                 "uid11_parts('11111111111', %s)", "scru160_generate_at('2025-01-01', %s)"):
        for unit in ('x', 'xid', '%s%n', 'uid11-', ' ') + ALIENS[database.encoding]:
            for count in (0, 1, 63, 64, 100, LONG):
                long_text = 'repeat(%s, %d)' % (quote(unit), count)
                attacks.append(Attack('SELECT ' + call % long_text, '', ('22023',)))
    for unit in ('x', '.', '0'):
        attacks.append(Attack("SELECT siq_domain_hash(repeat('%s', %d))" % (unit, LONG), 'siq',
                              succeed=True))
    for alien in ALIENS[database.encoding]:
        attacks.append(Attack('SELECT siq_domain_hash(%s)' % quote(alien), 'siq', ('22023',),
                              False))
    database.attack('long text', attacks)


def attack_bytes(database, rng):
    """Bytes that are no characters: refused by the server where it knows, else by the type."""
    states = ('22P02', '22021', '22003')
    attacks = []
    for name in TYPES:
        for example in EXAMPLES[name]:
            for tail in (r'\xff', r'\xe3\x81', r'\xc0\x80', r'\x8f\xa1', r'\x80', r'\xf4\x90'):
                for text in (example + tail, example[:-1] + tail, example[:5] + tail + example[6:],
                             tail):
                    attacks.append(Attack("SELECT E'%s'::%s" % (text, name), name, states, False))
                    attacks.append(Attack("SELECT %s_prefix(E'%s')" % (name, text), name, states,
                                          False))
    database.attack('bytes', attacks)


# ---------------------------------------------------------------------------
# Every function, operator and cast with arguments from pools of extremes
# ---------------------------------------------------------------------------

INSTANTS = ['-infinity', 'infinity', '4713-11-24 00:00:00+00 BC', '294276-12-31 23:59:59.999999+00',
            '0001-01-01 00:00Z', '1969-12-31 23:59:59.999999Z', '1970-01-01 00:00Z', '2000-01-01 Z',
            '2011-11-11 11:11:11.110999Z', '2011-11-11 11:11:11.111Z',
            '2023-12-31 23:59:59.999999Z', '2024-01-01 00:00Z', '2025-06-01 12:34:56.789012Z',
            '2081-07-18 02:58:46.662Z', '2081-07-18 02:58:46.663Z']
INTEGERS = [-2**31, -1025, -257, -256, -255, -1, 0, 1, 7, 31, 32, 255, 256, 257, 991, 1023, 1024,
            8191, 65535, 65536, 2**20 - 1, 2**20, 2**31 - 1]
BIGINTS = INTEGERS + [-2**63, -2**63 + 1, -2**32, 2**22 - 1, 2**22, 2**32 - 1, 2**32, 2**62,
                      2**63 - 1]
NUMBERS = ['NaN', 'Infinity', '-Infinity', '-0.0', '0.000', '1.5', '-1', '1e-16383', '9e131071',
           '1e131071', '-9e131071'] + [str(2**bits + more) for bits in (63, 64, 112, 160, 192)
                                      for more in (-1, 0, 1)]
INTERVALS = ['0', '1 us', '-1 us', '1 month -30 days', '178000000 years', '-178000000 years',
             '2147483647 months 2147483647 days', '-2147483648 days', '2562047788:00:54.775807',
             '1 day', '292000 years', '-292000 years']
WORDS = ['', '0', 'xid', 'UID11-XID', 'uid11-', 'fullrand', 'snowish', 'ts-seq-rand', 'default',
         'microsecond', 'post', 'content', 'unassigned', 'example.org', '[)', '()', '[]', '(]', '[',
         '[(', 'x' * 70, '%s%n']


def literal_pool(values, type_name):
    return ['%s::%s' % (quote(str(value)), type_name) for value in values]


class Pools(dict):
    """SQL expressions by type."""

    def __missing__(self, type_name):
        sys.exit('a function takes the type %s, of which pools() has no values' % type_name)


def pools(database, rng):
    """SQL expressions of each type that functions of the extension take."""
    ends = []
    for name in TYPES:
        for at in ("lower(%s_prefix(''))", "upper(%s_prefix(''))"):
            for step in ('-1 us', '0', '1 us'):
                ends.append("(%s_timestamp(%s) + interval '%s')" % (name, at % name, step))
    instants = literal_pool(INSTANTS, 'timestamptz') + ends
    words = WORDS + [text for name in TYPES for text in EXAMPLES[name]]
    pool = Pools({
        'integer': literal_pool(INTEGERS, 'int'), 'bigint': literal_pool(BIGINTS, 'bigint'),
        'numeric': literal_pool(NUMBERS, 'numeric'), 'timestamp with time zone': instants,
        'text': literal_pool(words, 'text'), 'character': literal_pool(words, 'bpchar'),
        'interval': literal_pool(INTERVALS, 'interval'),
        'boolean': literal_pool(['true', 'false'], 'boolean'),
        'uuid': literal_pool(['00000000-0000-0000-0000-000000000000', 'f' * 32,
                              '005e0bd2-f000-8000-8000-000000001c00',
                              '005e0bd2-f000-8000-8000-000000001c01',
                              '005e0bd2-f000-7000-8000-000000001c00'], 'uuid'),
        'tstzrange': literal_pool(['empty', '(,)', '[-infinity,infinity]'], 'tstzrange') + [
            "tstzrange(least(%s, %s), greatest(%s, %s), '%s')" % (a, b, a, b, flags)
            for a, b in ((rng.choice(instants), rng.choice(instants)) for _ in range(12))
            for flags in ('[)', '[]', '()', '(]')],
        'bytea': ["decode('%s', 'hex')" % rng.randbytes(size).hex()
                  for size in list(range(25)) + [100]],
    })
    for name, fmt in FORMATS.items():
        values = [fmt.smallest, fmt.largest, 0, 1]
        values += [rng.randint(fmt.smallest, fmt.largest) for _ in range(10)]
        ids = ["decode('%s', 'hex')::%s" % (fmt.to_bytes(value).hex(), name) for value in values]
        pool[name] = ids
        pool[name + 'range'] = [
            "'empty'::%srange" % name, "'(,)'::%srange" % name, "'[,]'::%srange" % name,
        ] + ["%srange(%s, NULL, '[)')" % (name, a) for a in ids] + [
            "%srange(least(%s, %s), greatest(%s, %s), '%s')" % (name, a, b, a, b, flags)
            for a, b in ((rng.choice(ids), rng.choice(ids)) for _ in range(8))
            for flags in ('[)', '[]', '()', '(]')]
    pool['uuidrange'] = ["'empty'::uuidrange", "'(,)'::uuidrange"] + [
        'uuidrange(%s, NULL)' % one for one in pool['uuid']]
    for type_name in list(pool):
        pool[type_name].append('NULL::' + type_name)
    for name in (*TYPES, 'uuid'):
        ranges = pool[name + 'range']
        # only the server's constructors of multiranges take these
        pool[name + 'range[]'] = ['VARIADIC ARRAY[%s]::%srange[]' % (
            ', '.join(rng.sample(ranges, count)), name) for count in range(6)]
    return pool


MEMBERS = """
SELECT %s FROM pg_depend d JOIN %s o ON d.classid = '%s'::regclass AND d.objid = o.oid
WHERE d.refobjid IN (SELECT oid FROM pg_extension WHERE extname LIKE 'idtypes%%')
	AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' ORDER BY 1"""


def members(database, columns, catalog):
    return database.run(MEMBERS % (columns, catalog, catalog))


def null(type_name):
    return ('VARIADIC NULL::' if type_name.endswith('[]') else 'NULL::') + type_name


def attack_functions(database, rng):
    """Calls of every function that has no internal argument, and of operators and casts."""
    pool = pools(database, rng)
    # A cstring comes from anywhere; an error of a function that has no id among its arguments
    # need not name one.
    pool['cstring'] = ["textout(%s)" % text for text in pool['text']]
    attacks = []
    functions = members(database, "o.oid::regprocedure, array_to_string(ARRAY("
                        "SELECT format_type(t, NULL) FROM unnest(proargtypes) WITH ORDINALITY "
                        "u (t, n) ORDER BY n), ','), prokind", 'pg_proc')
    for signature, argument_list, kind in functions:
        types = argument_list.split(',') if argument_list else []
        if kind != 'f' or 'internal' in types or signature.startswith(('idtypes_', 'attach')):
            continue
        function = signature.split('(')[0]
        name = function.split('_')[0] if function.startswith(TYPES) else ''
        name = name.replace('multirange', '').replace('range', '')
        if 'interval' in types:
            name = ''           # adding it is the server's business, and so are its errors
        # each argument NULL, all NULL, and random ones
        choices = [[rng.choice(pool[t]) for t in types] for _ in range(12)]
        choices += [[null(t) if n == m else rng.choice(pool[t]) for m, t in enumerate(types)]
                    for n in range(len(types))]
        choices.append([null(t) for t in types])
        if len(types) == 1:
            choices += [[value] for value in pool[types[0]]]
        for arguments in choices:
            attacks.append(Attack('SELECT %s(%s) IS NOT NULL OR true'
                                  % (function, ', '.join(arguments)), name,
                                  ('22', '42601', '0A000')))    # as for an infinite numeric
    operators = members(database, 'oprname, oprleft::regtype, oprright::regtype', 'pg_operator')
    for operator, left, right in operators:
        for _ in range(12):
            attacks.append(Attack('SELECT (%s %s %s) IS NOT NULL OR true' % (
                rng.choice(pool[left]), operator, rng.choice(pool[right])),
                states=('22',), succeed=None if operator == '^@' else True))    # may be no prefix
    casts = members(database, 'format_type(castsource, NULL), format_type(casttarget, NULL)',
                    'pg_cast')
    for source, target in casts:
        if source in pool:
            for value in pool[source]:
                attacks.append(Attack('SELECT (%s)::%s IS NOT NULL OR true' % (value, target),
                                      source if source in TYPES else target, ('22',)))
    database.test('functions, operators and casts of the extension were found',
                  None if len(functions) > 200 and len(operators) >= 35 and len(casts) > 15
                  else 'only %d, %d, %d' % (len(functions), len(operators), len(casts)))
    database.attack('calls', attacks)


# ---------------------------------------------------------------------------
# Binary input
# ---------------------------------------------------------------------------

def mutate_bytes(data, rng):
    kind = rng.randrange(6)
    at = rng.randrange(len(data)) if data else 0
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data + rng.randbytes(rng.choice((1, 2, 4, 8, 100)))
    if kind == 2:
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]
    if kind == 3:
        return data[:at] + rng.randbytes(1) + data[at + 1:]
    if kind == 4:
        return data[:at] + data[at + rng.randrange(1, 9):]
    return rng.randbytes(rng.randrange(60))


def attack_binary(database, rng, folder):
    """COPY BINARY of fields that were tampered with."""
    forms = []
    for name in TYPES:
        one = quote(EXAMPLES[name][0]) + '::' + name
        for type_name, value, send in (
                (name, one, name + '_send(%s)'),
                (name + '[]', 'ARRAY[%s, NULL, %s]' % (one, one), 'array_send(%s)'),
                (name + 'range', "%srange(%s, %s, '[]')" % (name, one, one), 'range_send(%s)'),
                (name + 'range', "%srange(NULL, %s)" % (name, one), 'range_send(%s)'),
                (name + 'range', "'empty'::%srange" % name, 'range_send(%s)'),
                (name + 'multirange', "%smultirange(%s_prefix(''))" % (name, name),
                 'multirange_send(%s)'),
                (name + '_pair', "ROW(%s, 'empty')::%s_pair" % (one, name), 'record_send(%s)')):
            forms.append((name, type_name, 'SELECT encode(%s, \'hex\')' % (send % value)))
    database.run(''.join('CREATE TYPE %s_pair AS (id %s, r %srange);\n' % (name, name, name)
                         for name in TYPES))
    images = [rows[0][0] for rows in database.results(';'.join(query for _, _, query in forms))]
    tables = {type_name: 'binary_%d' % n
              for n, type_name in enumerate(sorted({form[1] for form in forms}))}
    database.run(''.join('CREATE TABLE %s (v %s);\n' % (table, type_name)
                         for type_name, table in tables.items()))
    attacks = []
    for (name, type_name, _), image in zip(forms, images):
        data = bytes.fromhex(image)
        fields = [data] + [mutate_bytes(data, rng) for _ in range(25)]
        if type_name == name:
            fields += [rng.randbytes(size) for size in range(41)] + [rng.randbytes(LONG)]
        for n, field in enumerate(fields):
            # the server itself fails internally on a multirange that claims billions of ranges
            if type_name.endswith('multirange') and field[:3] != data[:3]:
                continue
            length = len(field)
            if n % 17 == 16:            # the length word lies
                length = rng.choice((-2, length + 1, max(length - 1, 0), 2**31 - 1, -2**31))
            path = os.path.join(folder, '%d.copy' % len(attacks))
            with open(path, 'wb') as file:
                file.write(b'PGCOPY\n\xff\r\n\0' + struct.pack('>iihi', 0, 0, 1, length) + field
                           + struct.pack('>h', -1))
            os.chmod(path, 0o644)
            copy = 'COPY %s FROM %s (FORMAT binary)' % (tables[type_name], quote(path))
            attacks.append(Attack(copy, name if type_name == name else '',
                                  succeed=True if n == 0 else None))
    database.attack('binary', attacks)
    # whatever got in must come out and go in again
    database.attack('binary, read again', [
        Attack('SELECT bool_and(v::text::%s::text = v::text) FROM %s' % (type_name, table),
               succeed=True) for type_name, table in tables.items()])


def main():
    rng = random.Random(options_of(__doc__).seed)
    count = Count(only_failed=True)
    for encoding in ALIENS:
        with tempfile.TemporaryDirectory(prefix='idtypes-hostile.') as folder, \
                new_database('hostile', 'TEMPLATE template0 ENCODING %s LC_COLLATE "C" '
                             'LC_CTYPE "C"' % quote(encoding)) as name, \
                Database(name, encoding, count) as database:
            os.chmod(folder, 0o755)
            database.section(encoding + ', text', attack_text, rng)
            database.section(encoding + ', long text', attack_long_text)
            database.section(encoding + ', bytes', attack_bytes, rng)
            if encoding == 'UTF8':
                database.section('calls', attack_functions, rng)
                database.section('binary', attack_binary, rng, folder)
                database.section('planner', attack_planner)
                database.section('changes', attack_changes)
                database.section('size', attack_size, 10000 if STRESS else 2000)
                database.section('conditions', attack_conditions, 1000 if STRESS else 200,
                                 lambda: Connection(dbname=name))
                database.section('objects', attack_objects, rng, TYPES, STRESS)
    return count.finish()


if __name__ == '__main__':
    sys.exit(main())
