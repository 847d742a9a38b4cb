# suites.sh: the test suites.
# Part of ./dev, which sources it.
#
# A suite is a function suite_NAME that writes its log to stdout and fails if anything in it did;
# jobs.sh says how it is run and counted.  One that has parts, which parts_NAME lists, is run for
# each of them, with its name as an argument.

# Seconds that any one of a suite's programs may take.
LIMIT=${IDTYPES_LIMIT:-3600}

SUITES=(lint gcc clang build unit sanitize fuzz instructions planning oracle regress)
SUITES+=(tap compare apt dev docs search inspect migrate servers estimates partman sixth asan)

# Those to run while at work: less than a minute.
QUICK=(lint gcc unit oracle regress docs)

# Seconds that those take which take more than 5, beside others: the longest are begun first.
declare -A TAKES=([asan]=80 [sixth]=60 [estimates/run]=10 [estimates/beside]=40 [servers]=20
	[regress]=22 [fuzz]=12 [compare]=8 [docs]=20 [inspect/page]=32 [sanitize]=14 [planning]=60
	[search]=32 [clang]=8 [build]=7 [unit]=7 [migrate/catalogs]=28
	[migrate/rehearse]=15 [partman]=6 [dev]=6 [tap/016_memory]=11 [tap/007_overflow]=32
	[tap/006_settings]=24 [tap/005_mark]=23 [tap/003_crash]=30 [tap/014_bulk]=17
	[tap/018_advance]=10 [tap/010_random]=22 [tap/004_standby]=40 [tap/017_restarts]=10
	[tap/002_clock]=17 [tap/020_read_new]=10 [tap/015_full_disk]=10 [tap/001_clients]=8
	[tap/012_lead]=24 [tap/011_neighbours]=10 [tap/008_contexts]=6)

# Megabytes of the state folder without any tests, and those that a job adds while it runs, where
# they are more than 100.
MEGABYTES=150
declare -A WEIGHS=([estimates/run]=400 [estimates/beside]=600 [sixth]=300 [asan]=300
	[servers]=250)

# Runs a command that does not count tests itself as one test named $1.
one_test()
{
	local name=$1

	shift
	if "$@"; then
		say "ok - $name" "1 passed, 0 failed"
	else
		say "not ok - $name" "0 passed, 1 failed"
		return 1
	fi
}

# "!", for one_test.
not()
{
	! "$@"
}

# Fails, and says so, unless each of the files is there: a suite that lost its files must not pass.
need_files()
{
	local file

	for file in "$@"; do
		[ -e "$SRC/$file" ] || { say "missing: $file"; return 1; }
	done
}

# Not in a pipe, where a signal would not reach limited().
suite_lint()
{
	limited xargs -0 python3 -B tools/lint.py < <(list_sources)
}

# The extension that the server suites use, without a warning; and the core by itself, which needs
# neither the server's headers nor the exceptions made for them.
suite_gcc()
{
	need_files Makefile src/core/id.h || return 1
	limited make -C "$SRC" -s clean PG_CONFIG="$PG_CONFIG" with_llvm=no
	rm -f "$STATE/build/installed"
	one_test "build with gcc" need_installed || return 1
	one_test "core alone" as_worker gcc -std=c11 $WARNINGS -Wmissing-prototypes -Werror -O2 \
		-Isrc/core -fsyntax-only src/core/*.c
	one_test "scripts of released versions are as released" released_scripts
}

# An installation never runs the script of its version again, so a released script must not change.
# A release adds the sums of its scripts: doc/releasing.md, step 5.  Before the first one there are
# none, and nothing to compare.
released_scripts()
{
	local sums=extension/released.sha256

	need_files $sums || return 1
	[ -s "$SRC/$sums" ] || return 0
	limited make -C "$SRC" -s -B PG_CONFIG="$PG_CONFIG" $(awk '{ print $2 }' $sums) &&
		(cd "$SRC" && sha256sum --quiet --check $sums) && return
	say "error: $sums and what make makes now differ: see step 2 of doc/releasing.md"
	return 1
}

suite_clang()
{
	local clang

	need_files Makefile src/core/id.h || return 1
	clang=$(sed -n 's/^CLANG = *//p' "$PGXS_FOLDER/Makefile.global")
	[ -x "$clang" ] || { say "no clang: $clang"; return 1; }
	as_worker rm -rf "$STATE/build/clang"
	as_worker mkdir -p "$STATE/build/clang"
	copy_sources "$STATE/build/clang"
	# clang's warnings, unlike gcc's, do not come from its optimizer
	WERROR=-Werror FURTHER_FLAGS=-O0 one_test "build with clang" \
		build_extension "$STATE/build/clang" "$clang" || return 1
	one_test "core alone" as_worker "$clang" -std=c11 $WARNINGS -Wmissing-prototypes -Werror -O2 \
		-Isrc/core -fsyntax-only src/core/*.c
}

# A build of another copy of the sources, in a folder that is not theirs, as Debian's pg_buildext
# asks for it; and what it does about another pg_config.
suite_build()
{
	local build=$STATE/build/elsewhere copy=$STATE/build/another/place status=0
	local output=$LOGS/elsewhere.out

	need_installed || return 1
	as_worker rm -rf "$build" "$copy"
	as_worker mkdir -p "$build" "$copy"
	copy_sources "$copy"
	printf '#!/bin/sh\n[ $# -gt 0 ] || echo VERSION = another\nexec %s "$@"\n' "$PG_CONFIG" |
		as_worker tee "$build/pg_config" >/dev/null
	as_worker chmod +x "$build/pg_config"
	# As if a build there had been interrupted before the one in the folder of the sources.
	"$PG_CONFIG" | as_worker tee "$build/built-for" >/dev/null
	as_worker touch -d @0 "$build/built-for"
	elsewhere()
	{
		local status=0

		limited make -C "$build" -f "$copy/Makefile" VPATH="$copy" with_llvm=no "$@" \
			>"$output" 2>&1 || status=$?
		cat "$output"
		return $status
	}
	compiled()
	{
		grep -q -e " -o $1" "$output"
	}

	one_test "build in another folder" elsewhere -j "$(nproc)" PG_CONFIG="$PG_CONFIG" || return 1
	one_test "nothing is taken from the folder of the sources" \
		diff <(find src -name '*.c' | sed 's/c$/o/' | sort) \
		<(cd "$build" && find src -name '*.o' | sort) || status=1
	one_test "the same library as in $SRC" cmp "$SRC/idtypes.so" "$build/idtypes.so" || status=1
	one_test "the library exports only what the server calls" exports_only_entries \
		"$build/idtypes.so" || status=1
	elsewhere PG_CONFIG="$PG_CONFIG"
	one_test "nothing is built twice for one server" not compiled '' || status=1
	elsewhere PG_CONFIG="$build/pg_config" src/module.o
	one_test "what is there is built again for another server" compiled src/module.o || status=1
	elsewhere clean PG_CONFIG="$PG_CONFIG"
	one_test "clean leaves nothing" \
		diff <(echo pg_config) <(cd "$build" && find . -type f -printf '%P\n') || status=1
	return $status
}

# The entry points, each function that has a record for the function manager, and the record.
exports_only_entries()
{
	nm -D --defined-only "$1" | awk '{ name = $3 } sub(/^pg_finfo_/, "", name) { known[name] }
		{ exported[$3] } END {
			known["Pg_magic_func"]; known["_PG_init"]
			for (name in known)
				if (!(name in exported)) bad = bad "\nerror: not exported: " name
			for (name in exported)
				if (!(name in known) && name !~ /^pg_finfo_/) bad = bad "\nerror: exported: " name
			print length(exported) " symbols" bad
			exit bad != "" || length(exported) < 100 }'
}

UNIT_OPTIONS=()
suite_unit()
{
	need_files test/unit/Makefile &&
		limited make -C test/unit check WERROR=-Werror "${UNIT_OPTIONS[@]}"
}

suite_sanitize()
{
	need_files test/unit/Makefile && limited make -C test/unit sanitize WERROR=-Werror
}

# Each input of the corpus is a test.  What follows counts as one: it runs until it finds a crash or
# its time is up.
suite_fuzz()
{
	need_files test/fuzz/Makefile test/fuzz/corpus.txt &&
		one_test "corpus, and $FUZZ_SECONDS s from there" run_fuzzer
}
FUZZ_SECONDS=4
run_fuzzer()
{
	limited make -C test/fuzz run SECONDS="$FUZZ_SECONDS" \
		CLANG="$(sed -n 's/^CLANG = *//p' "$PGXS_FOLDER/Makefile.global")"
}

# Instruction counts of the core repeat, unlike times, so a test can guard them.
suite_instructions()
{
	need_files bench/check_instructions && limited python3 bench/check_instructions
}

# Those of planning are ratios, so that they hold for every major.
suite_planning()
{
	need_installed && need_files bench/check_planning || return 1
	limited env PG_CONFIG="$PG_CONFIG" python3 bench/check_planning
}

suite_oracle()
{
	local status=0

	need_files test/oracle/idoracle.py test/oracle/make_vectors.py || return 1
	limited python3 test/oracle/idoracle.py || status=1
	one_test "vectors are what the oracle computes" \
		limited python3 test/oracle/make_vectors.py --check || status=1
	return $status
}

# The server suites.  The extension is built once in a run, before they are run side by side: the
# file tells whether it could be.  Each job has a cluster of its own.
need_installed()
{
	need_files Makefile idtypes.control || return 1
	case $(cat "$STATE/build/installed" 2>/dev/null) in
		yes) return 0 ;;
		no)
			say "error: the extension could not be built, as an earlier suite says"
			return 1
			;;
	esac
	say no | as_worker tee "$STATE/build/installed" >/dev/null
	WERROR=-Werror install_extension || return 1
	say yes | as_worker tee "$STATE/build/installed" >/dev/null
}

CLUSTER_STARTED=
need_cluster()
{
	need_installed || return 1
	[ -n "$CLUSTER_STARTED" ] || start_new_cluster test "fsync = off" || return 1
	CLUSTER_STARTED=yes
}

# The tests of the suite regress, which runs all of them at once unless some are named.
files_regress()
{
	basename -s .sql -a $(ls "$REPO"/sql/*.sql | grep -v '/idtypes--')
}

# What "make installcheck" does where a server runs, in a folder of the build's own and on a machine
# without the Perl module that the TAP tests need: it passes, and says what it left out and why.
# With the name of a test, that test only.
suite_regress()
{
	local without=$STATE/home/without folder=$CLUSTERS/regress file status=0
	local output=$folder/installcheck.out
	local -a only=()

	[ -z "${IDTYPES_REGRESS:-}" ] || only=(REGRESS="$IDTYPES_REGRESS" TAP_TESTS=)
	[ "${1:-regress}" = regress ] || only=(REGRESS="$1" TAP_TESTS=)
	need_cluster && need_files t sql expected || return 1
	as_worker mkdir -p "$without/IPC" "$folder"
	say 'die "not installed";' | as_worker tee "$without/IPC/Run.pm" >/dev/null
	limited env PERL5LIB="$without" make -C "$folder" -f "$SRC/Makefile" installcheck \
		PG_CONFIG="$PG_CONFIG" with_llvm=no "${only[@]}" >"$output" 2>&1 || status=1
	cat "$output"
	# make goes no further than a regression test that fails
	[ $status -eq 0 ] || { show_difference "$folder/regression.diffs"; return 1; }
	[[ " ${only[*]} " != *" TAP_TESTS= " ]] || return 0
	for file in t/*.pl; do
		if grep -q "^$file \\.* skipped: .* libipc-run-perl" "$output"; then
			say "ok - $file says what it needs"
		else
			say "not ok - $file says what it needs"
			status=1
		fi
	done
	return $status
}

# Puts a difference into the log, and where it lies; fails.
show_difference()
{
	[ ! -s "$1" ] || { cat "$1"; say "whole difference: $1"; }
	return 1
}

parts_tap()
{
	local file

	for file in "$REPO"/t/*.pl; do
		basename "$file" .pl
	done
}

# Merged, what a test says of its failure stands where it failed.  Clusters are copies of the one
# that initdb has made once, if its superuser is the one that the tests connect as.
suite_tap()
{
	local -a template=()

	need_installed && need_files "t/$1.pl" || return 1
	[ "$WORKER" != postgres ] || template=(INITDB_TEMPLATE="$STATE/usr/initdb-$MAJOR")
	limited env "${template[@]}" make -C "$CLUSTERS" -f "$SRC/Makefile" installcheck \
		PG_CONFIG="$PG_CONFIG" with_llvm=no REGRESS= ISOLATION= PROVE_TESTS="t/$1.pl" \
		PROVE_FLAGS="--verbose --merge" | say_skips
}

# ./dev waits for who holds a lock of apt's, and for nothing else.  This apt has folders of its own
# and knows no package; all of it runs in a shell of its own, because of as_root.
suite_apt()
(
	folder=$STATE/home/apt
	output=$LOGS/apt.out
	status=0
	as_root()
	{
		as_worker env APT_CONFIG="$folder/conf" "$@"
	}
	may_be_root()
	{
		true
	}

	as_worker rm -rf "$folder"
	as_worker mkdir -p "$folder"/{preferences.d,apt.conf.d,sources.list.d,{lists,archives}/partial}
	as_worker touch "$folder"/{sources.list,status}
	printf '%s "%s";\n' Dir::Etc "$folder" Dir::State "$folder" Dir::State::status \
		"$folder/status" Dir::Cache "$folder" APT::Sandbox::User "" |
		as_worker tee "$folder/conf" >/dev/null
	while read -r lock verb; do
		coproc HOLDER { as_worker python3 -c '\
import fcntl, sys
file = open(sys.argv[1], "a")
fcntl.lockf(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()' "$folder/$lock/lock"; }
		read -r <&"${HOLDER[0]}"
		# That of sid does not.
		if as_root apt-get -q -y "$verb"; then
			one_test "apt-get $verb does not heed $lock/lock" true
			eval "exec ${HOLDER[1]}>&-"
			wait
			continue
		fi
		(apt_get "$verb") >"$output" 2>&1 &
		until grep -q "^waiting for another apt: .*/$lock/lock" "$output" || ! kill -0 $!; do
			sleep 0.1
		done
		one_test "apt-get $verb waits for $lock" kill -0 $! || status=1
		eval "exec ${HOLDER[1]}>&-"
		one_test "and goes on" wait $! || status=1
		cat "$output"
		wait
	done <<-END
		lists update
		archives clean
	END
	one_test "what else fails is not tried again" not eval '(apt_get install no-such-package)' ||
		status=1
	return $status
)

suite_compare()
{
	need_cluster && need_files test/oracle/compare.py && limited python3 test/oracle/compare.py \
		--rows "${IDTYPES_ROWS:-2500}"
}

# The pages whose SQL the suite docs runs.
files_docs()
{
	basename -s .md -a $(grep -l '^```sql' "$REPO"/README.md "$REPO"/doc/*.md) \
		"$REPO"/test/docs/*.md
}

# With the name of a page, that page's SQL only.
suite_docs()
{
	local status=0 page

	need_cluster && need_files test/docs/run.py test/docs/links.py test/docs/programs.py \
		test/docs/exporter.py tools/anatomy.py tools/charts.py || return 1
	if [ "$1" != docs ]; then
		for page in "doc/$1.md" "test/docs/$1.md" "$1.md"; do
			[ ! -e "$page" ] || break
		done
		limited python3 -B test/docs/run.py "$page"
		return
	fi
	limited python3 -B test/docs/test_page.py || status=1
	limited python3 -B tools/anatomy.py --check || status=1
	limited python3 -B tools/charts.py --check || status=1
	limited xargs -0 python3 -B test/docs/links.py < <(list_sources) || status=1
	limited python3 -B test/docs/programs.py || status=1
	limited python3 -B test/docs/exporter.py || status=1
	limited xargs python3 -B test/docs/run.py <<<"${IDTYPES_PAGES:-}" || status=1
	return $status
}

suite_search()
{
	local status=0

	need_files test/docs/search.py test/docs/questions.tsv &&
		one_test "the site can be built" build_site "$STATE/build/search" || return 1
	limited python3 -B test/docs/search.py "$STATE/build/search/site" test/docs/questions.tsv ||
		status=1
	limited python3 -B test/docs/phone.py "$STATE/build/search/site" || status=1
	return $status
}

# The module for programs beside test/vectors/, and the page "Look inside an id" beside SQL.
parts_inspect()
{
	printf '%s\n' module page
}

suite_inspect()
{
	"inspect_$1" "$STATE/build/inspect-$1"
}

inspect_module()
{
	need_files test/inspect/vectors.mjs &&
		one_test "the module can be built" build_module "$1" || return 1
	limited node test/inspect/vectors.mjs "$1" test/vectors
}

inspect_page()
{
	need_cluster && need_files test/inspect/check.py &&
		one_test "the site can be built" build_site "$1" || return 1
	limited python3 -B test/inspect/check.py "$1/site"
}

# The migration of doc/migrate-bigserial.md, there and back: on a schema with one of each thing, and
# under writers.
parts_migrate()
{
	printf '%s\n' catalogs rehearse
}
MIGRATE_OPTIONS=()
suite_migrate()
{
	need_cluster && need_files "test/migrate/$1.py" || return 1
	limited python3 -B "test/migrate/$1.py" "${MIGRATE_OPTIONS[@]}"
}

# On three servers, whose socket folders are the arguments.
suite_servers()
{
	local number SOCKET
	# The other suites' server remains the one that libpq finds.
	local -a sockets=() WORKER_ENV=()

	need_installed && need_files test/servers/check.py || return 1
	for number in 1 2 3; do
		start_new_cluster "server$number" "shared_buffers = '32MB'" "fsync = off" \
			"wal_level = logical" "max_worker_processes = 16" \
			"max_logical_replication_workers = 8" "wal_retrieve_retry_interval = '100ms'"
		sockets+=("$SOCKET")
	done
	limited test/servers/check.py "${sockets[@]}"
}

parts_estimates()
{
	printf '%s\n' run beside
}

suite_estimates()
{
	need_cluster && need_files "test/estimates/$1.py" || return 1
	limited env PG_CONFIG="$PG_CONFIG" python3 -B "test/estimates/$1.py"
}

# A new major of the server is packaged before its extensions are.
suite_partman()
{
	local server=postgresql-$MAJOR

	need_cluster && need_files test/partman/run.sh || return 1
	if apt-cache show "$server" >/dev/null && ! apt-cache show "$server-partman" >/dev/null; then
		say "ok - pg_partman # SKIP there is no $server-partman yet"
		return
	fi
	[ -e "$("$PG_CONFIG" --sharedir)/extension/pg_partman.control" ] ||
		add_to_private_server "$server-partman"
	limited env PG_CONFIG="$PG_CONFIG" test/partman/run.sh
}

# A copy of the sources gets a sixth type, and tests itself.
suite_sixth()
{
	need_files test/sixth/run.sh || return 1
	as_worker rm -rf "$STATE/build/sixth"
	as_worker mkdir -p "$STATE/build/sixth"
	copy_sources "$STATE/build/sixth" || return 1
	limited env -C "$STATE/build/sixth" PG_MAJOR="$MAJOR" PG_CONFIG="$PG_CONFIG" \
		test/sixth/run.sh "$STATE/build/sixth-state"
}

# The sanitizers need a build, and a server, of their own.
suite_asan()
{
	need_installed && need_files test/attack/sanitize.sh || return 1
	limited env PG_CONFIG="$PG_CONFIG" test/attack/sanitize.sh "$STATE/build/asan" \
		"$CLUSTERS/asan-$MAJOR"
}

# How ./dev itself answers.
suite_dev()
{
	need_files test/dev/run.sh || return 1
	as_worker rm -rf "$STATE/build/dev"
	as_worker mkdir -p "$STATE/build/dev/sources"
	copy_sources "$STATE/build/dev/sources"
	limited env -C "$STATE/build/dev/sources" PG_CONFIG="$PG_CONFIG" \
		test/dev/run.sh "$STATE/build/dev"
}

# The parts of a suite, as jobs; the suite itself if it has none.
jobs_of()
{
	if declare -F "parts_$1" >/dev/null; then
		"parts_$1" | sed "s,^,$1/,"
	else
		say "$1"
	fi
}

# What the suite $1 runs in one job, but by name also alone, as jobs.
files_of()
{
	! declare -F "files_$1" >/dev/null || "files_$1" | sed "s,^,$1/,"
}

# Sets SELECTED to the jobs that the arguments name: suites, or parts and files of them.  A name
# stands for all that begin with it, unless it is the whole name of one.
select_jobs()
{
	local name part
	local -a known found

	SELECTED=()
	for name in "$@"; do
		# as the files of that suite are called
		[[ $name != t/* ]] || name=tap/${name#t/}
		part=${name%.pl}
		name=${name%%/*}
		[[ " ${SUITES[*]} " = *" $name "* ]] || die "there is no suite $name: ${SUITES[*]}"
		mapfile -t known < <(jobs_of "$name")
		[ "$part" = "$name" ] || mapfile -t -O ${#known[@]} known < <(files_of "$name")
		mapfile -t found < <(printf '%s\n' "${known[@]}" | grep -xF "$part" ||
			printf '%s\n' "${known[@]}" | grep "^$part")
		[ ${#found[@]} -gt 0 ] ||
			die "the suite $name has no part ${part#*/}: ${known[*]}"
		SELECTED+=("${found[@]}")
	done
}

# Says how long the jobs $@ will take, and what room those that run side by side; stops if there is
# none.
announce()
{
	local job seconds=0 longest=0 megabytes free

	for job in "$@"; do
		seconds=$((seconds + ${TAKES[$job]:-5}))
		[ "${TAKES[$job]:-5}" -lt "$longest" ] || longest=${TAKES[$job]:-5}
	done
	seconds=$((seconds / $(nproc)))
	[ $seconds -gt "$longest" ] || seconds=$longest
	megabytes=$(for job in "$@"; do
		echo "${WEIGHS[$job]:-100}"
	done | sort -rn | awk -v lanes="$LANES" -v sum=$MEGABYTES \
		'NR <= lanes { sum += $1 } END { print sum }')
	say "PostgreSQL ${MAJOR:-not needed}, logs in $LOGS" \
		"$# jobs, $LANES at a time: about $(((seconds + 59) / 60)) min, $megabytes MB in $STATE"
	free=$(($(stat -f -c '%a * %S' "$STATE") / 1000000))
	[ $free -ge $megabytes ] || die "only $free MB are free in $STATE"
}

# Sets SELECTED to the jobs that are meant by the arguments of "./dev test".
select_tests()
{
	if [ "${1:-}" = quick ]; then
		shift
		set -- "${QUICK[@]}" "$@"
	fi
	[ $# -gt 0 ] || set -- "${SUITES[@]}"
	select_jobs "$@"
}

verb_test()
{
	local began job
	local -a first=() rest=()

	if [ "${1:-}" = list ]; then
		printf '%s\n' "${SUITES[@]}"
		return 0
	fi
	select_tests "$@"
	prepare_with $(suite_packages "${SELECTED[@]%%/*}")
	began=$EPOCHREALTIME
	announce "${SELECTED[@]}"
	# What is built is built before the others need it.
	rm -f "$STATE/build/installed"
	for job in "${SELECTED[@]}"; do
		if [ "$job" = gcc ]; then
			first=(gcc)
		else
			rest+=("$job")
		fi
	done
	if [ ${#first[@]} -gt 0 ]; then
		run_jobs gcc
	elif [ -n "$MAJOR" ]; then
		need_installed >"$LOGS/build.log" 2>&1
	fi
	mapfile -t rest < <(
		for job in "${rest[@]}"; do
			printf '%d %s\n' "${TAKES[$job]:-5}" "$job"
		done | sort -s -k 1,1rn | cut -d ' ' -f 2
	)
	run_jobs "${rest[@]}"
	say "$(elapsed "$began") s"
	say_sum
	[ "$FAILED" -eq 0 ]
}

verb_stress()
{
	export IDTYPES_STRESS=1 IDTYPES_ROWS=${IDTYPES_ROWS:-10000}
	LIMIT=${IDTYPES_LIMIT:-14400}
	# which then needs what all of them need
	SUITE_PACKAGES[sixth]=$(suite_packages "${SUITES[@]}")
	verb_test asan unit tap compare estimates search inspect/page migrate/catalogs sixth
}

verb_migrate()
{
	local posts=${1:-10000000} comments=${2:-1000000} status=0

	[[ $posts$comments =~ ^[0-9]+$ ]] || die "migrate takes numbers of rows, not \"$*\""
	MIGRATE_OPTIONS=(--posts "$posts" --comments "$comments")
	LIMIT=${IDTYPES_LIMIT:-14400}
	verb_test migrate/rehearse || status=$?
	grep '^# ' "$LOGS/migrate-rehearse.log"
	return $status
}

verb_fuzz()
{
	[[ ${1:-300} =~ ^[0-9]+$ ]] || die "fuzz takes a number of seconds, not \"$1\""
	prepare_with $(suite_packages fuzz)
	FUZZ_SECONDS=${1:-300}
	LIMIT=$((FUZZ_SECONDS + 600))
	suite_fuzz
}

# What a suite expects is written anew, in the copy of the sources, by accept_SUITE; these are the
# files that are then compared with the checkout's and taken over.
declare -A ACCEPTED=([regress]='expected/*.out' [oracle]='test/vectors/*.tsv'
	[instructions]='bench/instructions.tsv' [planning]='bench/planning.tsv'
	[docs]='README.md doc/*.md doc/figures/*.svg doc/charts/*.svg test/docs/*.md')

accept_regress()
{
	local test expected result diffs=$CLUSTERS/regress/regression.diffs

	# pg_regress gives up at a test without any expected output.
	for test in sql/*.sql; do
		test=$(basename "$test" .sql)
		[[ $test = idtypes--* || -e expected/$test.out ]] || as_worker touch "expected/$test.out"
	done
	suite_regress && return
	[ -s "$diffs" ] || return 1
	if grep -l 'connection to server was lost' "$(dirname "$diffs")"/results/*.out; then
		say "error: that is no output to accept"
		return 1
	fi
	# Of the outputs that a test may have, the difference names the one that comes closest.
	sed -n 's/^diff .* \([^ ]*\.out\) \([^ ]*\.out\)$/\1 \2/p' "$diffs" |
		while read -r expected result; do
			as_worker cp "$result" "$expected"
		done
}

accept_oracle()
{
	limited python3 test/oracle/make_vectors.py
}

accept_instructions()
{
	limited python3 bench/check_instructions --update
}

accept_planning()
{
	need_installed && limited env PG_CONFIG="$PG_CONFIG" python3 bench/check_planning --update
}

accept_docs()
{
	limited python3 -B tools/anatomy.py && limited python3 -B tools/charts.py && need_cluster &&
		limited xargs python3 -B test/docs/run.py --accept <<<"${IDTYPES_PAGES:-}"
}

verb_accept()
{
	local suite=${1:-} file changed=0

	[ -n "$suite" ] && [ -n "${ACCEPTED[$suite]:-}" ] ||
		die "accept takes a suite that keeps what it expects: ${!ACCEPTED[*]}"
	prepare_with $(suite_packages "$suite")
	rm -f "$STATE/build/installed"
	if ! "accept_$suite" >"$LOGS/accept.log" 2>&1 </dev/null; then
		awk -f "$REPO/tools/failures.awk" "$LOGS/accept.log"
		die "$suite gave nothing to accept, see $LOGS/accept.log"
	fi
	for file in ${ACCEPTED[$suite]}; do
		cmp -s "$REPO/$file" "$file" && continue
		diff -uN --label "$file" --label "$file, accepted" "$REPO/$file" "$file"
		cat "$file" >"$REPO/$file" || die "cannot write $REPO/$file"
		changed=$((changed + 1))
	done
	say "$changed files changed; read every line of it before you commit them"
}

# Which changes of the sources no test notices; see test/mutate/mutate.py.
verb_mutate()
{
	local folder=$STATE/build/mutate status=0

	[[ ${1:-} =~ ^[0-9]+$ && ${2:-} =~ ^[0-9]+$ ]] || die "mutate takes a number and a seed"
	prepare "${PYTHON_PACKAGES[@]}"
	build_or_die
	start_new_cluster test "fsync = off"
	as_worker rm -rf "$folder"
	as_worker mkdir -p "$folder"
	copy_sources "$folder"
	WORKER_ENV+=(PG_CONFIG="$PG_CONFIG" PGDATA="$STATE/clusters/test-$MAJOR")
	LIMIT=${IDTYPES_LIMIT:-86400}
	cd "$folder" || return 1
	limited nice python3 -B test/mutate/mutate.py "$@" || status=1
	# not to leave a changed library behind
	install_extension >"$LOGS/build.log" 2>&1
	return $status
}
