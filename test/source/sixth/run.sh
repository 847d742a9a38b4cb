#!/usr/bin/env bash
#
# run.sh: do all tests pick up a type that is added as CONTRIBUTING.md says?
#
#	run.sh STATE
#
# To be run in a copy of the sources, which it changes, with STATE a state folder for the copy's
# ./dev, and PG_CONFIG the server's to build for.  The type ksid has a size, an alphabet, a length
# of the tick, a start of its time and a width of the counter that no other type has.  Its C and SQL
# are those of scru160 with these changed; what says how it is tested lies below
# test/source/sixth/tree; the rest are lines in a few lists.  With it the regression tests that look
# at the objects and the values of a type must pass, and what needs no server.  In long form, all
# suites must but this one and sqlite, whose example has the types that it was written for; then
# faults are put into the type's own files, and the suites below must fail, as must every regression
# test that goes over the types: what passes has not looked at the new one.
#
set -u -o pipefail

state=${1:?"usage: run.sh STATE"}
log=$state.log
# Of suites with many files, as many as tell.
names=(lint unit oracle compare docs/ksid inspect/module)

. test/lib/check.sh

finish()
{
	sums
	exit
}

# Runs ./dev in short form; what it shows is not counted.
dev()
{
	env -u IDTYPES_STRESS IDTYPES_STATE="$state" ./dev "$@" >"$log" 2>&1
	sed 's/^/# /' "$log"
}

# Whether the line of the suite $1, or of one of its parts, has the word $2.
is()
{
	grep -qE "^$1(/[^ ]+)? +\.+ $2 " "$log"
}

passes()
{
	is "$1" ok && ! is "$1" FAILED
}

# Whether the regression test $1 failed.
has_failed()
{
	grep -qE "^(not ok +[0-9]+ +[-+]|(test|     )) $1 .*( ms|FAILED.*)$" \
		<(grep -E '^not ok|\.\.\. FAILED' "$state/logs/regress.log")
}

# Edits the file $1 by each of the other arguments, all of which must change something.
edit()
{
	local change before

	for change in "${@:2}"; do
		before=$(cksum <"$1")
		sed -i "$change" "$1"
		[ "$(cksum <"$1")" != "$before" ] || { check "in $1: $change" false; finish; }
	done
}

# Makes a file of ksid from that of scru160, and edits it.
derive()
{
	local to=${1//scru160/ksid}

	sed 's/scru160/ksid/g; s/SCRU160/KSID/g; s/Scru160/Ksid/g' "$1" >"$to"
	edit "$to" "${@:2}"
}

# The recipe, without the word "five" and without a new version of the extension: nothing that this
# copy makes has been released.
: >extension/released.sha256
cp -a test/source/sixth/tree/. .
derive src/core/scru160_codec.h '/_SIZE\t/s/20$/15/' '/TEXT_SIZE/s/32/24/' '/HEX_SIZE/s/40/30/' \
	'/TIME_BITS\t/s/48/40/' '/COUNTER_BITS\t/s/16/24/' '/RANDOM_SIZE\t/s/12/7/' \
	'/"ksid", 0, 1000,/s/0, 1000/INT64_C(1400000000000000), 1000000/' \
	's/^extern const IdCodec.*/&\nextern const Alphabet alphabet_ksid;/'
derive src/core/scru160_codec.c '/GROUPS\t/s/4/3/' '/epoch_us/s/0/INT64_C(1400000000000000)/' \
	'/group_us/s/1000/1000000/' 's/alphabet_base32hex/alphabet_ksid/' \
	'/MICROSECOND_BITS\t/s/10/20/' '/LAST_MICROSECOND\t/s/999/999999/' \
	's/32 base32hex digits or as 40/24 digits or as 30/' \
	's/^#include "ksid_codec.h"/&\n\
const Alphabet alphabet_ksid = {\
	.name = "ksid",\
	.digits = "456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",\
	.second = 6,\
	.jump = '"'A' - '9' - 1"',\
	.value = {\
		ALPHABET_RUN6('"'4', 0), ALPHABET_RUN26('A', 6), ALPHABET_RUN26('a'"', 6)\
	},\
};/'
derive src/types/scru160.c s/id160/id120/
derive extension/scru160.sql s/id160/id120/ '/LAYOUT/s/20/15/'
derive test/core/unit/test_scru160.c '/per_second/s/1000/1/' '/est = "/s/"0\{10\}\|"f\{10\}/"/' \
	'/decimal/s/"[0-9]*"/"1329227995784915872903807060280344575"/' \
	s/alphabet_base32hex/alphabet_ksid/ 's/{{32, /{{24, /' 's/{40, /{30, /' \
	's/0xFFFF,.fine_bits = 16}, 0x7FFF/0xFFFFFF,.fine_bits = 24}, 0x7FFFFF/' \
	's/999 << 6 | 0x3F,.fine_bits = 6}, 0x1F/999999 << 4 | 0xF,.fine_bits = 4}, 0x7/'
edit src/core/types.h 's/^#include "ulidflake_codec.h"$/&\n#include "ksid_codec.h"/'
edit README.md 's;^| \[ulidflake\].*;&\n| [ksid](doc/ksid.md) | 15, 24, 1 s | none |;'
edit doc/messages.md 's/^\(| `.* is reserved in type \)scru160.*/&\n\1ksid` | Likewise. |/'
edit mkdocs.yml 's,^\( *- \)ulidflake: .*,&\n\1ksid: doc/ksid.md,'
edit test/servers/three.py \
	'/^GENERATORS = ($/a\    Generator("ksid", "ksid_generate()", unique=True),'
edit extension/head.sql 's/ ROWS 8;/ ROWS 9;/'
printf 'ksid\t%s\t%s\t22P02\t%s\n' '' length empty 44444444444444444444444 length '23 digits' \
	444444444444444444444443 character '3 is no digit' >>test/oracle/vectors/invalid.tsv
printf 'ksid\t%s\t%s\t22P02\t%s\n' 3 character 'no digit' \
	4444444444444444444444444 length 'one too many' >>test/oracle/vectors/prefix_invalid.tsv
python3 test/oracle/make_vectors.py >"$log" || { check "its vectors are written" false; finish; }
mapfile -t looking < <(cd sql && grep -lE '(type_names|for_types|for_each_type)\(' ./*.sql |
	sed 's,^\./,,; s,\.sql$,,')
fitting=(regress/{catalog,types,ksid} lint oracle)
expected=(regress lint oracle)
! long || check "its page is written" dev accept docs/ksid
check "make knows the type" grep -qw ksid <(make -s --no-print-directory types)

echo "# with the new type"
if long; then
	mapfile -t fitting < <(./dev test list | sed '/by name\|sixth\|sqlite/d; s/ .*//')
	expected=("${fitting[@]}")
	for suite in instructions planning; do
		check "its ceilings are written: $suite" dev accept "$suite"
	done
	check "the report has its place" dev bench --report
fi
dev test "${fitting[@]}"
for suite in "${expected[@]}"; do
	check "$suite passes with the new type" passes "$suite"
done
[ "$failed" -eq 0 ] && long || finish
check "regress takes the new type everywhere" \
	env IDTYPES_STATE="$state" ./dev test "${looking[@]/#/regress/}"

# Digits that are read as others, ids that are generated twice, an order without the last byte, a
# function without a comment, a blank at the end of a line; and, in what Python says, another length
# of the tick.
echo "# with faults in it"
edit src/core/ksid_codec.c "/RUN6('4'/s/0/1/"
edit src/types/ksid.c 's/, use, "ksid_generate()")/& \& ~INT64CONST(1)/' \
	's/entropy_take(random, /memset(random, 0, /' 's/^#define ORDER_SIZE\t*KSID_SIZE/& - 1/'
edit extension/ksid.sql '/^COMMENT ON FUNCTION ksid_counter/d'
edit test/oracle/ksid.py 's/per_second = 1$/per_second = 2/'
edit doc/ksid.md '1s/$/ /'
# Of the regression tests and pages those are enough that must fail; only the long form of the
# former looks at more than two types everywhere.
dev test "${names[@]}"
for suite in "${names[@]%%/ksid}"; do
	check "$suite fails with a faulty one" is "$suite" FAILED
done
IDTYPES_STATE="$state" ./dev test "${looking[@]/#/regress/}" >"$log" 2>&1
for test in "${looking[@]}"; do
	check "regress: $test fails with a faulty one" has_failed "$test"
done
finish
