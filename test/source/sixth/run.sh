#!/usr/bin/env bash
#
# run.sh: do all tests pick up a type that is added as CONTRIBUTING.md says?
#
#	run.sh STATE
#
# To be run in a copy of the sources, which it changes, with STATE a state folder for the copy's
# ./dev, and PG_CONFIG the server's to build for.  The files of the type ksid, which is unlike all
# others, lie below test/source/sixth/tree, each at its place; what is not one of them are lines in
# a few lists.  With it what looks at the type in the suites below must pass.  In long form, all
# suites but this one must; then faults are put into the type's own files, and the suites below must
# fail, as must every regression test that goes over the types: what passes has not looked at the
# new one.
#
set -u -o pipefail

state=${1:?"usage: run.sh STATE"}
log=$state.log
suites=(lint unit oracle regress compare docs inspect/module)
# What of them is run: of those with many files, as many as tell.
names=(lint unit oracle compare docs/ksid inspect/module)

. test/lib/check.sh

finish()
{
	sums
	exit
}

dev()
{
	env -u IDTYPES_STRESS IDTYPES_STATE="$state" ./dev "$@" >"$log" 2>&1
}

# Runs suites; their summary is shown, but not counted.
run_suites()
{
	dev test "$@"
	sed 's/^/# /' "$log"
}

# Whether a suite, or one of its parts, ended so.
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

# Edits a file of the new type.
fault()
{
	local before

	before=$(cksum <"$1")
	sed -i "$2" "$1"
	[ "$(cksum <"$1")" != "$before" ] || { check "fault in $1" false; finish; }
}

# The recipe, without the word "five" and without a new version of the extension: nothing that this
# copy makes has been released.
: >extension/released.sha256
cp -a test/source/sixth/tree/. . &&
	sed -i 's/^#include "ulidflake_codec.h"$/&\n#include "ksid_codec.h"/' src/core/types.h &&
	sed -i 's,^\( *- \)ulidflake: .*,&\n\1ksid: doc/ksid.md,' mkdocs.yml &&
	sed -i '/^GENERATORS = ($/a\    Generator("ksid", "ksid_generate()", unique=True),' \
		test/servers/three.py &&
	sed -i 's/ ROWS 7;/ ROWS 8;/' extension/head.sql &&
	python3 -B test/oracle/make_vectors.py >/dev/null ||
	{ check "the type can be added" false; finish; }
mapfile -t looking < <(cd sql && grep -lE '(type_names|for_types|for_each_type)\(' ./*.sql |
	sed 's,^\./,,; s,\.sql$,,')
mapfile -t fitting < <(printf 'regress/%s\n' $(printf '%s\n' "${looking[@]}" ksid | short_of_tests))
fitting+=("${names[@]}")
check "its page and figure are written" dev accept docs/ksid
sed 's/^/# /' "$log"
check "make knows the type" grep -qw ksid <(make -s --no-print-directory types)

echo "# with the new type"
expected=("${suites[@]}")
if [ -n "${IDTYPES_STRESS:-}" ]; then
	mapfile -t fitting < <(./dev test list | grep -v -e "by name" -e sixth)
	expected=("${fitting[@]}")
	for suite in instructions planning; do
		check "its ceilings are written: $suite" dev accept "$suite"
	done
fi
run_suites "${fitting[@]}"
for suite in "${expected[@]}"; do
	check "$suite passes with the new type" passes "$suite"
done
[ "$failed" -eq 0 ] && [ -n "${IDTYPES_STRESS:-}" ] || finish

# A digit that is another one, ids that are generated twice, a function without a comment,
# a blank at the end of a line; and, in what Python says, another length of the tick and hashes of
# zero.
fault src/core/ksid_codec.c 's/digits\[rest % 62\]/digits[rest % 61]/'
fault src/types/ksid.c 's/, "ksid_generate()")/& \& ~INT64CONST(1)/
	s/entropy_take(tail, /memset(tail, 0, /'
fault extension/ksid.sql '/^COMMENT ON FUNCTION ksid_counter/d'
fault test/oracle/ksid.py 's/per_second = 1$/per_second = 2/'
fault doc/ksid.md '1s/$/ /'
fault test/oracle/vectors/hash.tsv 's/^\(ksid\t[^\t]*\t\)-\?[0-9]*/\10/'

# Of the regression tests and pages those are enough that must fail.
echo "# with faults in it"
run_suites "${looking[@]/#/regress/}" "${names[@]}"
for suite in "${suites[@]}"; do
	check "$suite fails with a faulty one" is "$suite" FAILED
done
for test in "${looking[@]}"; do
	check "regress: $test fails with a faulty one" has_failed "$test"
done
finish
