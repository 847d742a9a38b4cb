#!/usr/bin/env bash
#
# run.sh: how ./dev answers to what is wrong, how it counts, and that it ends when it is told to.
#
#	run.sh FOLDER
#
# To be run in a copy of the sources without git, as an archive is unpacked, which it changes.
# FOLDER is for its files.  "./dev test dev" does all that.
#
set -u -o pipefail

folder=${1:?"usage: run.sh FOLDER"}
state=$folder/state

. test/lib/check.sh
out=$folder/out
unset CI IDTYPES_JOBS IDTYPES_LIMIT IDTYPES_STRESS

not()
{
	! "$@"
}

# Runs a command; true if it ends with the status $1.
ends()
{
	local wanted=$1 status=0

	shift
	"$@" >"$out" 2>&1 </dev/null || status=$?
	[ $status -eq "$wanted" ]
}

dev()
{
	env IDTYPES_STATE="$state" ./dev "$@"
}

says()
{
	grep -qE -e "$1" "$out"
}

# ----------
# What is wrong is said in a line, before anything is done
# ----------

refused()
{
	local name=$1 status=$2 words=$3

	shift 3
	check "$name is refused" ends "$status" "$@"
	check "$name: $words" says "$words"
	check "$name: in one line" test "$(wc -l <"$out")" -eq 1
	check "$name: nothing is done" test ! -e "$state"
}
refused "another verb" 2 'there is no verb "tset"' dev tset
refused "another suite" 1 'there is no suite nosuch: lint ' dev test lint nosuch
refused "another part" 1 'the suite tap has no part 999: .*tap/003_crash' dev test t/999
refused "a part of a suite that has none" 1 'the suite lint has no part x: lint' dev test lint/x
refused "fuzzing for no number" 1 'fuzz takes a number of seconds, not "long"' dev fuzz long
refused "another suite on all majors" 1 'there is no suite nosuch' dev matrix nosuch
refused "another verb on all majors" 1 'matrix -v takes a verb, not "nosuch"' dev matrix -v nosuch
ln -s . "$folder/link"
for bad in "$folder/a b" relative "$folder/link/x" "$folder/../x" "$folder/x/"; do
	refused "the state folder $bad" 1 '^dev: IDTYPES_STATE m.*, unlike ' \
		env IDTYPES_STATE="$bad" ./dev test lint
	check "and is not made" test ! -e "$bad"
done

# What ./dev consists of, for one function of it.
parts()
{
	bash -c '
		set -u -o pipefail
		REPO=$PWD
		for part in common packages server jobs suites; do
			. tools/$part.sh
		done
		eval "$1"' parts "$1"
}
no_root='may_be_root() { false; }; installed() { false; };'
check "who may not install is told" ends 1 parts "$no_root need_installed_packages quux"
check "by name what" says "^dev: to install quux, be root or install sudo$"
check "also before the lists of packages are fetched" ends 1 parts "$no_root apt_update"
check "how" says "^dev: to install packages, be root or install sudo$"

# ----------
# What is run
# ----------

selects()
{
	[ "$(parts "select_jobs $1; echo "'"${SELECTED[*]}"')" = "$2" ]
}
check "a TAP file by its number" selects t/003 tap/003_crash
check "by its name" selects "tap/003_crash lint" "tap/003_crash lint"
check "by its path" selects t/003_crash.pl tap/003_crash
check "a file of a suite that has no parts" selects "regress/tid docs/README" \
	"regress/tid64 docs/README"
check "one whose name others begin with" selects regress/estimates regress/estimates
check "all files as one job" selects "regress docs" "regress docs"
check "all of them" selects tap "$(echo t/*.pl | sed 's,t/,tap/,g; s/\.pl//g')"

check "lint needs Python only" test "$(parts 'suite_packages lint apt')" = python3
check "tap what others do not" grep -q libipc-run-perl <(parts 'suite_packages tap')
check "and others no Perl module" not grep -q perl <(parts 'suite_packages regress docs')

# All that may take long is run by limited(), so that signals and the time limit end it.
check "no suite runs a program without the time limit" \
	not grep -nE '^[^#{]*as_worker (env [^|]*)?(make|python3|xargs|test/|timeout)' tools/suites.sh

# ----------
# An archive in which make has run
# ----------

make -s PG_CONFIG="$PG_CONFIG" with_llvm=no src/server/report.o built-for sql/idtypes.control ||
	check "make" false
mkdir -p test/oracle/__pycache__ results
head -c 100 src/server/report.o | tee test/oracle/__pycache__/x.pyc >results/x.out
check "lint looks at the sources only" ends 0 dev test lint
check "without a server" says "not needed, logs in"
check "and counts them" says "^$(find . -type f \
	! -name '*.o' ! -name '*.pyc' ! -path './results/*' ! -path ./built-for \
	! -path ./sql/idtypes.control ! -name '*.png' | wc -l) passed, 0 failed$"

# ----------
# What is counted, and shown
# ----------

cat >>tools/suites.sh <<'END'
SUITES+=(counted skips hangs fails stands frozen)
for suite in counted skips hangs fails stands frozen; do
	SUITE_PACKAGES[$suite]=python3
done
suite_counted()
{
	say "test siq          ... ok            3 ms" "ok 1 - a" "not ok 2 - b" "    ok 3 - indented"
	return 1
}
suite_skips()
{
	say "ok 1 - a" "ok 2 # skip no such thing" "ok - b # SKIP no such thing" "1..0 # SKIP no room"
	say "t/015_full_disk.pl .. skipped: no disk" | say_skips
}
suite_hangs()
{
	limited sh -c 'echo $$; while :; do sleep 1000; done' || return 1
}
suite_frozen()
{
	one_test "scripts of released versions are as released" released_scripts
}
suite_fails()
{
	say "3 passed, 0 failed"
	return 1
}
parts_stands()
{
	printf '%s\n' a b
}
suite_stands()
{
	say "1 passed, 0 failed, for $1" "2 passed, 1 failed"
	return 1
}
END
check "failures of all kinds" ends 1 dev test counted fails
check "lines of tests" says '^counted +\.+ FAILED +2 passed '
check "status alone" says '^fails +\.+ FAILED +3 passed '
check "the sum" says '^5 passed, 2 failed$'
check "parts" ends 1 dev test stands
check "each with a line" test "$(grep -cE '^stands/[ab] +\.+ FAILED +2 passed' "$out")" -eq 2

check "skips" ends 0 dev test skips
check "are counted" says '^skips +\.+ ok +1 passed +[0-9.]+ s, 4 skipped$'
check "and said" says '2 skipped: no such thing'
check "also in the sum" says '^1 passed, 0 failed, 4 skipped$'
check "in continuous integration" ends 1 env CI=true IDTYPES_STATE="$state" ./dev test skips
check "they are failures" says '^1 passed, 4 failed, 4 skipped$'
printf 'skips: no (room|disk|such thing)\tThat is how it is.\n' >>.ci/skips.tsv
check "unless they are listed" ends 0 env CI=true IDTYPES_STATE="$state" ./dev test skips
check "then they are none" says '^1 passed, 0 failed, 4 skipped$'

# ----------
# What the owner fills in before a release
# ----------

meta()
{
	python3 -B tools/check_meta.py "$@" .
}
sed -i -E 's,^(## [0-9.]+) \(.*,\1 (2026-12-31),' CHANGELOG.md
sed -i 's,example\.org,idtypes.invalid,g' META.json
check "addresses that META.json alone has" ends 1 meta
files=(debian/{changelog,control,control.in,copyright,watch} rpm/idtypes.spec doc/releasing.md)
for file in "${files[@]}"; do
	check "are missed in $file" says "^META.json: $file lacks the "
done
check "until they are copied" ends 0 meta --fill
check "with nothing left" test -z "$(grep -l 'example\.org' META.json "${files[@]}")"
check "one that Debian's change log calls unreleased" ends 1 meta --publish
check "is said" says '^debian/changelog says UNRELEASED$'
sed -i 's,UNRELEASED,unstable,' debian/changelog
sums=extension/released.sha256
version=$(sed -n "s/^default_version = '\(.*\)'/\1/p" idtypes.control)
scripts=(sql/idtypes--$version{,--$version-pg18}.sql)
: >$sums
for script in "${scripts[@]}"; do
	check "one without the sum of $script" ends 1 meta --publish
	check "which is named" says "^$sums lacks $script$"
	make -s PG_CONFIG="$PG_CONFIG" with_llvm=no "$script" && sha256sum "$script" >>$sums ||
		check "make $script" false
done
check "one that META.json does not call stable" ends 1 meta --publish
check "is said" says '^META.json has the release_status testing$'
sed -i 's,"release_status": "testing","release_status": "stable",' META.json
check "a release with all of it" ends 0 meta --publish
cp $sums "$folder/kept"
check "released scripts that did not change pass" ends 0 dev test frozen
echo "-- more" >>extension/tail.sql
check "one that changed does not" ends 1 dev test frozen
check "with the remedy" says 'see step 2 of doc/releasing.md'
: >$sums
check "before a release it does" ends 0 dev test frozen
cp "$folder/kept" $sums
sed -i 's,idtypes\.invalid,example.org,' META.json "${files[@]}"
check "one without addresses" ends 1 meta --publish
for file in META.json "${files[@]}"; do
	check "which is said of $file" says "^$file has addresses at example.org"
done
check "is no matter until then" ends 0 meta
sed -i 's,2026-12-31,not released yet,' CHANGELOG.md
check "one without a date" ends 1 meta --publish
check "is said" says '^CHANGELOG.md has no date for '
sed -i 's,^Version: .*,&.1,' rpm/idtypes.spec
check "a spec file of another version" ends 1 meta
check "is named" says 'rpm/idtypes.spec has another version$'
sed -i 's,^\(Version: .*\)\.1$,\1,' rpm/idtypes.spec
sed -i 's,"bugtracker","bugtrakcer",' META.json
check "a resource that there is none of" ends 1 meta

# ----------
# The end
# ----------

# Whether the program of the suite "hangs" runs.
hangs()
{
	local pid

	pid=$(grep -xm 1 '[0-9]*' "$state/logs/hangs.log") && [ -n "$pid" ] && kill -0 "$pid"
} 2>/dev/null

check "what takes too long" ends 1 \
	env IDTYPES_LIMIT=1 IDTYPES_STATE="$state" ./dev test hangs skips
check "is ended" not hangs
check "and said" says 'took longer than 1 s and was ended: sh'
check "others are not" says '^skips +\.+ ok'

for signal in TERM HUP; do
	rm -f "$state/logs/hangs.log"
	env IDTYPES_STATE="$state" ./dev test hangs skips >"$out" 2>&1 </dev/null &
	pid=$!
	until hangs && grep -q '^skips' "$out" || ! kill -0 $pid; do
		sleep 0.1
	done
	kill -$signal $pid
	status=0
	wait $pid || status=$?
	check "$signal ends a run" test $status -eq 143
	check "$signal ends what it runs" not hangs
	check "$signal: what had not ended" says '^stopped before the end of: hangs'
	check "$signal: what had been counted" says '^1 passed, 0 failed, 4 skipped$'
done

sums
