"""Objects by chance that other people could make to mislead the planner code of the extension.

Types, ranges over them, and functions with the names that the code looks up, of any result;
operators with its estimators and functions with its support functions, of any arguments.  Some are
made members of the extension, and some take the place of its own helpers.  Each query is explained,
and must give the rows that it gives without estimators and support functions.
"""

from attack import Attack

HELPERS = {'_range_first': 'range', '_range_last': 'range', '_range_lt': 'instant',
           '_range_le': 'instant', '_range_ge': 'instant', '_range_gt': 'instant',
           '_prefix': 'text', '_try_prefix': 'text'}
ARGUMENTS = {'instant': 'timestamptz', 'text': 'text'}
OPERATORS = ('<', '<=', '>=', '>', '<@', '@>', '^@', '=', '<>', '=#=')
SUPPORT = ('%s_contained_support', 'idtypes_lt_support', 'idtypes_le_support',
           'idtypes_ge_support', 'idtypes_gt_support')
MODES = ('', 'SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan;')
# What decides a row: all functions that stand for a condition say the same.
ANSWER = 'hashtext($1::text || $2::text) & 1 = 0'
# One of our types once more, but not the extension's: the functions are the same.
BASE_TYPE = '''
CREATE TYPE {h};
CREATE FUNCTION {h}_in(cstring) RETURNS {h} AS '$libdir/idtypes', '{t}_in' LANGUAGE C STRICT;
CREATE FUNCTION {h}_out({h}) RETURNS cstring AS '$libdir/idtypes', '{t}_out' LANGUAGE C STRICT;
CREATE TYPE {h} (INPUT = {h}_in, OUTPUT = {h}_out, LIKE = {t});
CREATE FUNCTION {h}_cmp({h}, {h}) RETURNS int AS '$libdir/idtypes', '{order}_cmp'
	LANGUAGE C IMMUTABLE STRICT;
''' + ''.join('''
CREATE FUNCTION {h}_%(name)s({h}, {h}) RETURNS boolean AS '$libdir/idtypes', '{order}_%(name)s'
	LANGUAGE C IMMUTABLE STRICT;
CREATE OPERATOR #%(op)s (FUNCTION = {h}_%(name)s, LEFTARG = {h}, RIGHTARG = {h});
''' % {'name': name, 'op': operator} for name, operator in (
    ('lt', '<'), ('le', '<='), ('eq', '='), ('ge', '>='), ('gt', '>'))) + '''
CREATE OPERATOR CLASS {h}_ops DEFAULT FOR TYPE {h} USING btree AS OPERATOR 1 #<, OPERATOR 2 #<=,
	OPERATOR 3 #=, OPERATOR 4 #>=, OPERATOR 5 #>, FUNCTION 1 {h}_cmp({h}, {h})'''
# The statements that make a type named {h} (or its array), and its values; {t} is one of ours.
KINDS = {
    'enum': ("CREATE TYPE {h} AS ENUM ('a', 'b', 'c')", "'a'", "'c'"),
    'composite': ('CREATE TYPE {h} AS (a int, b {t})', 'ROW(1, {v})', 'ROW(2, NULL)'),
    'domain': ('CREATE DOMAIN {h} AS {t}', '{v}', '{w}'),
    'domain of ranges': ('CREATE DOMAIN {h} AS {t}range', "'(,)'", "'empty'"),
    'range': ('CREATE TYPE {h} AS RANGE (SUBTYPE = {t})', "'(,)'", "'empty'"),
    'array': ("CREATE TYPE {h} AS ENUM ('a', 'b', 'c')", "'{{a,b}}'", "'{{c}}'"),
    'base': (BASE_TYPE, '{v}::text', '{w}::text'),
}


class Objects:
    """The objects of one round, in the schema hostile, beside one of the extension's types."""

    def __init__(self, rng, ours, kinds, order):
        self.rng = rng
        self.ours = ours
        self.make = ['CREATE SCHEMA hostile', 'SET search_path = hostile, public']
        self.undo = ['DROP SCHEMA hostile CASCADE']
        v, w = ("%s_min('2026-01-01 0%d:00Z')" % (ours, hour) for hour in (1, 3))
        self.values = {
            ours: [v, w], ours + '[]': ['ARRAY[%s, NULL]' % v], 'int': ['5'], 'text': ["'5'"],
            ours + 'range': ["%s_range('2026-01-01Z', '2026-01-01 02:00Z')" % ours, "'empty'"],
            'timestamptz': ["'2026-01-01 02:00Z'", "'infinity'"], 'int4range': ["'[3,8)'"],
            'point': ["'(1,2)'"]}
        self.bases = {}             # of domains
        self.id_types = [ours]      # and those that are once they are members
        self.pairs = [(ours, ours), (ours, ours + 'range'), (ours, 'timestamptz'),
                      ('timestamptz', ours), ('timestamptz', 'timestamptz')]
        for number, kind in enumerate(kinds):
            self.add_type(kind, 'h%d' % number, v, w, order)
        self.take_the_place()

    def value(self, type_name):
        return '%s::%s' % (self.rng.choice(self.values[type_name] + ['NULL']), type_name)

    def chance(self, *texts):
        return self.rng.choice(texts)

    def add_member(self, what):
        """Perhaps makes an object a member of the extension."""
        if self.rng.random() < 0.5:
            self.make.append('ALTER EXTENSION idtypes ADD ' + what)
            self.undo.insert(0, 'ALTER EXTENSION idtypes DROP ' + what)

    def add_type(self, kind, name, v, w, order):
        ddl, *values = KINDS[kind]
        words = {'h': name, 't': self.ours, 'v': v, 'w': w, 'order': order}
        self.make += ddl.format(**words).split(';\n')
        if kind.startswith('domain'):
            self.bases[name] = self.ours + ('range' if 'ranges' in kind else '')
        type_name = name
        if kind == 'base':
            self.id_types.append(name)
        if kind == 'array':
            name, type_name = '_' + name, name + '[]'
        else:
            self.add_member('TYPE ' + name)
        self.values[type_name] = [text.format(**words) for text in values]
        self.make.append('CREATE FUNCTION %s_diff(%s, %s) RETURNS float8 LANGUAGE sql IMMUTABLE '
                         "AS $$SELECT (ARRAY['NaN', 'Infinity', '-1', '0'])[1 + (hashtext($1::text "
                         '|| $2::text) & 3)]::float8$$' % (name, type_name, type_name))
        self.make.append('CREATE TYPE %srange AS RANGE (SUBTYPE = %s%s)' % (
            name, type_name, self.chance('', ', SUBTYPE_DIFF = %s_diff' % name)))
        self.add_member('TYPE %srange' % name)
        self.values[name + 'range'] = ["'(,)'", "'empty'", '%srange(%s, NULL)' % (
            name, self.value(type_name))]
        for suffix, argument in HELPERS.items():
            self.add_helper(name + suffix, argument, type_name, name + 'range')
        self.pairs += [(type_name, 'timestamptz'), ('timestamptz', type_name),
                       (type_name, name + 'range'), (name + 'range', type_name),
                       (type_name, type_name), (type_name, self.ours + 'range'),
                       (self.ours, name + 'range'), (self.ours, type_name)]

    def add_helper(self, name, argument, id_type, range_type):
        """A function with the name of a helper, which may be right or wrong in any way."""
        argument = ARGUMENTS.get(argument, range_type)
        result = self.chance('bigint', 'bigint', range_type, id_type, *self.values)
        value = '4711' if result == 'bigint' else self.value(result)
        language, body = self.chance(
            ('sql', 'SELECT %s' % value),
            ('plpgsql', 'BEGIN RETURN %s; END' % value))
        several = self.chance('', '', 'SETOF ')
        if several and language == 'plpgsql':
            body = 'BEGIN RETURN NEXT %s; END' % value
        signature = '%s(%s)' % (name, argument)
        self.make.append('CREATE FUNCTION %s RETURNS %s%s LANGUAGE %s %s%s AS $$%s$$' % (
            signature, several, result, language, self.chance('IMMUTABLE', 'IMMUTABLE', 'STABLE',
                                                              'VOLATILE'),
            self.chance('', ' STRICT'), body))
        if self.chance(True, False):
            self.make.append('ALTER FUNCTION %s OWNER TO pg_monitor' % signature)
        self.add_member('FUNCTION ' + signature)

    def take_the_place(self):
        """Puts such functions into the place of some helpers of our type."""
        for suffix, argument in HELPERS.items():
            if self.rng.random() < 0.3:
                genuine = 'public.%s%s(%s)' % (
                    self.ours, suffix, ARGUMENTS.get(argument, self.ours + 'range'))
                other = genuine.replace(self.ours + suffix, 'genuine' + suffix)
                self.make += ['ALTER EXTENSION idtypes DROP FUNCTION ' + genuine,
                              'ALTER FUNCTION %s RENAME TO genuine%s' % (genuine, suffix)]
                # after the hostile one is gone
                self.undo += ['ALTER FUNCTION %s RENAME TO %s%s' % (other, self.ours, suffix),
                              'ALTER EXTENSION idtypes ADD FUNCTION ' + genuine]
                self.undo.insert(0, 'DROP FUNCTION ' + genuine)
                self.add_helper('public.' + self.ours + suffix, argument, self.ours,
                                self.ours + 'range')

    def add_tables(self):
        """A table and a partitioned one with a column of each type."""
        columns = {type_name: 'c%d' % n for n, type_name in enumerate(self.values)}
        id_column = columns[self.ours]
        self.make.append('CREATE TABLE plain AS SELECT n, %s FROM generate_series(1, 60) n' % (
            ', '.join('CASE n %% 3 WHEN 0 THEN NULL WHEN 1 THEN %s ELSE %s END AS %s' % (
                self.value(type_name), self.value(type_name), column)
                      for type_name, column in columns.items())))
        self.make += ["UPDATE plain SET %s = %s_min('2026-01-01Z'::timestamptz + n * interval "
                      "'3 min')" % (id_column, self.ours),
                      'CREATE TABLE part (LIKE plain) PARTITION BY RANGE (%s)' % id_column,
                      "CREATE TABLE part0 PARTITION OF part FOR VALUES FROM (MINVALUE) TO "
                      "(%s_min('2026-01-01 01:30Z'))" % self.ours,
                      'CREATE TABLE part1 PARTITION OF part DEFAULT',
                      'INSERT INTO part TABLE plain']
        for type_name, column in columns.items():
            if type_name != 'point':
                self.make.append('CREATE INDEX ON plain (%s)' % column)
            if type_name.endswith('range'):
                self.make.append('CREATE INDEX ON plain USING gist (%s)' % column)
        self.make.append('ANALYZE plain, part')
        return columns

    def conditions(self, left, right, operator, columns):
        """Conditions with an operator, in all places in which the planner estimates one."""
        a, b, v = 't.' + columns[left], 't.' + columns[right], self.value(right)
        one = '%s %s %s' % (a, operator, v)
        instant = "t.%s > '2026-01-01 01:00Z'::timestamptz" % columns[self.ours]
        window = "t.%s <@ %s_range('2026-01-01Z', '2026-01-01 02:00Z')" % (columns[self.ours],
                                                                           self.ours)
        yield one
        yield '%s %s %s' % (self.value(left), operator, b)
        yield '%s %s (SELECT %s)' % (a, operator, v)
        yield 'u.n < 9 AND %s %s u.%s' % (a, operator, columns[right])
        yield 'u.n < 9 AND u.%s %s %s' % (columns[left], operator, b)
        yield 'EXISTS (SELECT FROM plain p WHERE %s %s p.%s)' % (a, operator, columns[right])
        yield '(%s) AND %s AND (%s OR %s) AND NOT (%s)' % (
            one, instant, window, one, one.replace(v, self.value(right)))
        if '[]' not in right:
            yield '%s %s ANY (ARRAY[%s, %s])' % (a, operator, v, self.value(right))
            yield '%s %s ALL (ARRAY[%s, t.%s])' % (a, operator, v, columns[right])

    def attacks(self):
        columns = self.add_tables()
        yield from self.own_conditions('t.' + columns[self.ours])
        kinds = list(self.values)
        pairs = self.pairs + [(self.rng.choice(kinds), self.rng.choice(kinds)) for _ in range(8)]
        for number, (left, right) in enumerate(dict.fromkeys(pairs)):
            function, operator = 'f%d' % number, self.rng.choice(OPERATORS)
            # in a schema of its own, as the operator of a domain is one of its base type, too
            schema = 'alone%d' % number
            self.undo.append('DROP SCHEMA %s CASCADE' % schema)
            arguments = '(%s, %s)' % (left, right)
            body = "LANGUAGE plpgsql IMMUTABLE %s AS 'BEGIN RETURN %s; END'"
            self.make += [
                'CREATE SCHEMA ' + schema,
                'CREATE FUNCTION %s%s RETURNS boolean %s' % (function, arguments,
                                                            body % ('', ANSWER)),
                'CREATE OPERATOR %s.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = %s, '
                'RESTRICT = idtypes_sel, JOIN = idtypes_joinsel)' % (schema, operator, left, right,
                                                                    function),
                # the same without estimators
                'CREATE OPERATOR %s.#! (LEFTARG = %s, RIGHTARG = %s, FUNCTION = %s)' % (
                    schema, left, right, function)]
            spelled = 'OPERATOR(%s.%s)' % (schema, operator)
            for condition in self.conditions(left, right, spelled, columns):
                table = self.chance('plain', 'part')
                yield from self.compared(table, condition, condition.replace(
                    spelled, 'OPERATOR(%s.#!)' % schema))
            value = self.value(right)
            yield Attack('DEALLOCATE ALL; PREPARE p (%s) AS SELECT count(*) FROM part t WHERE '
                         't.%s %s $1; EXPLAIN EXECUTE p (%s); EXECUTE p (%s)' % (
                             right, columns[left], spelled, value, value), succeed=True)
            # of a function that fits, the support function makes what it is for
            support = self.rng.choice(SUPPORT).replace('%s', self.ours)
            bases = [self.bases.get(side, side) for side in (left, right)]
            fits = any(one in bases and ('timestamptz' in bases or one + 'range' in bases)
                       for one in self.id_types)
            result = 'text' if fits else self.chance('boolean', 'text')
            self.make.append('CREATE FUNCTION s%d%s RETURNS %s %s' % (
                number, arguments, result, body % ('SUPPORT ' + support, ANSWER)))
            call = '(t.%s, %s)' % (columns[left], self.value(right))
            yield from self.compared(
                'plain', 's%d%s::text = %s' % (number, call, "'true'"),
                'f%d%s' % (number, call))
            if result == 'boolean':
                yield from self.compared('plain', 's%d%s' % (number, call),
                                         'f%d%s' % (number, call))

    def own_conditions(self, column):
        """What the helpers are for must give the right rows, whatever became of them."""
        instant = "%s '2026-01-01 01:30Z'::timestamptz"
        for operator in ('<', '<=', '>=', '>'):
            spelled = instant % ('OPERATOR(public.%s)' % operator)
            yield from self.compared('part', '%s %s' % (column, spelled), '%s_timestamp(%s) %s' % (
                self.ours, column, instant % operator))
        for table in 'plain', 'part':
            window = "%s OPERATOR(public.<@) (SELECT %s)" % (
                column, self.value(self.ours + 'range'))
            yield from self.compared(table, window, window.replace('<@', '<@!'))

    @staticmethod
    def compared(table, condition, other):
        query = 'SELECT count(*) FROM %s t WHERE %s'
        if condition.startswith('u.n'):
            query = query.replace(' t', ' t, plain u')
        yield Attack('EXPLAIN ' + query % (table, condition), succeed=True)
        yield Attack('SELECT (%s) = (%s)' % (query % (table, condition), query % (table, other)),
                     succeed=True)


def attack_objects(database, rng, names, all_kinds):
    """A round for each type if all_kinds, otherwise one round; its objects are removed again."""
    for ours in names if all_kinds else [rng.choice(names)]:
        kinds = list(KINDS) if all_kinds else rng.sample(list(KINDS), 3)
        order = database.value("SELECT replace(prosrc, '_cmp', '') FROM pg_proc "
                               "WHERE proname = '%s_cmp'" % ours)
        objects = Objects(rng, ours, kinds, order)
        attacks = list(objects.attacks())
        database.attack('objects, made', [Attack(statement, succeed=True)
                                          for statement in objects.make])
        path = 'SET search_path = hostile, public;'
        for settings in MODES if all_kinds else [rng.choice(MODES)]:
            database.attack('objects', attacks, path + settings)
        database.attack('objects, removed', [Attack(statement, succeed=True)
                                             for statement in objects.undo], path)
