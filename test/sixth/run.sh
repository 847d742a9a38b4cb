#!/usr/bin/env bash
#
# run.sh: do all tests pick up a type that is added as CONTRIBUTING.md says?
#
#	run.sh STATE
#
# To be run in a copy of the sources, which it changes, with STATE a state folder for the copy's
# ./dev.  The files of the type hex64 lie below test/sixth/tree, each at its place; what is not one
# of them is its row in src/core/types.h.  With it all suites must pass.  Then faults are put into
# the type's own files, and all suites must fail, as must every regression test that goes over the
# types: what passes has not looked at the new one.
#
set -u -o pipefail

state=${1:?"usage: run.sh STATE"}
log=$state.log
suites=(lint unit oracle regress compare docs)

. test/lib/check.sh

finish()
{
	sums
	exit
}

dev()
{
	IDTYPES_STATE=$state IDTYPES_ROWS=500 ./dev "$@" >"$log" 2>&1
}

# Runs the suites; their summary is shown, but not counted.
run_suites()
{
	dev test "${suites[@]}"
	sed 's/^/# /' "$log"
}

is()
{
	grep -qE "^$1 +\.+ $2 " "$log"
}

# Whether the regression test $1 failed.
has_failed()
{
	grep -qE "^(not ok +[0-9]+ +[-+]|(test|     )) $1 .*( ms|FAILED.*)$" \
		<(grep -E '^not ok|\.\.\. FAILED' "$state/logs/regress.log")
}

# Edits a file of the new type.
fault()
{
	local before

	before=$(cksum <"$1")
	sed -i "$2" "$1"
	[ "$(cksum <"$1")" != "$before" ] || { check "fault in $1" false; finish; }
}

# The recipe
cp -a test/sixth/tree/. . &&
	sed -i 's/^#include "ulidflake_codec.h"$/&\n#include "hex64_codec.h"/' src/core/types.h &&
	sed -i 's,^\( *- \)ulidflake: .*,&\n\1hex64: doc/hex64.md,' mkdocs.yml &&
	python3 -B test/oracle/make_vectors.py >/dev/null ||
	{ check "the type can be added" false; finish; }
check "its page and figure are written" dev accept docs
sed 's/^/# /' "$log"
check "make knows the type" grep -qw hex64 <(make -s --no-print-directory types)

echo "# with the new type"
run_suites
for suite in "${suites[@]}"; do
	check "$suite passes with the new type" is "$suite" ok
done
[ "$failed" -eq 0 ] || finish

# A digit that is written in two places, ids that are generated twice, a function without a comment,
# a blank at the end of a line; and, in what Python says, another length of the tick and hashes of
# zero.
fault src/core/hex64_codec.c 's/^\talphabet_write(.*/&\n\ttext[3] = text[4];/'
fault src/hex64.c 's/, "hex64_generate()")/& \& ~INT64CONST(1)/'
fault extension/hex64.sql '/^COMMENT ON FUNCTION hex64_counter/d'
fault test/oracle/hex64.py 's/per_second = 1000/per_second = 1024/'
fault doc/hex64.md '1s/$/ /'
fault test/vectors/hash.tsv 's/^\(hex64\t[^\t]*\t\)-\?[0-9]*/\10/'

echo "# with faults in it"
run_suites
for suite in "${suites[@]}"; do
	check "$suite fails with a faulty one" is "$suite" FAILED
done
for file in $(grep -lE '(type_names|for_types|for_each_type)\(' sql/*.sql); do
	check "regress: $(basename "$file" .sql) fails with a faulty one" \
		has_failed "$(basename "$file" .sql)"
done
finish
