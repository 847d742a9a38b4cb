#!/usr/bin/env bash
#
# sanitize.sh: the extension under AddressSanitizer and UndefinedBehaviorSanitizer, in a server.
#
# Takes the regress tests and the comparison with the oracle through a build in which every memory
# access of the extension, and every arithmetic operation of it, is watched, and its assertions are
# at work.  The server itself is the stock one, so an overrun inside memory that it hands out goes
# unseen; what the core does with memory of its own, the suites unit and fuzz see.
#
#	sanitize.sh FOLDER CLUSTER [ROWS]
#
# FOLDER is emptied and receives the build and a copy of the server that PG_CONFIG names, CLUSTER is
# the data folder of a new cluster of it.  ROWS is the number of random values per type of the
# comparison (IDTYPES_ROWS, or 200).  To be run from the top of the sources, by a user who may run a
# server; "./dev test asan" does all that.  If IDTYPES_STRESS is not set, the longest regress tests
# are left out, and there are fewer hostile texts.
#
set -u -o pipefail

usage="usage: sanitize.sh FOLDER CLUSTER [ROWS]"
folder=${1:?$usage}
data=${2:?$usage}
rows=${3:-${IDTYPES_ROWS:-200}}
socket=

. test/lib/check.sh

# Ends with the sums; the failures stand above.
finish()
{
	if [ -n "$socket" ]; then
		pg_ctl -D "$data" -m immediate -w stop >/dev/null 2>&1
		rm -rf "$socket"
	fi
	sums
	exit
}

# The full name of a library of the compiler, which only echoes a name that it does not know.
library()
{
	local path

	path=$(gcc -print-file-name="$1")
	case $path in
		/*) readlink -e "$path" ;;
		*) printf 'gcc has no %s: install the libgcc-*-dev package of its version\n' "$1" >&2 &&
			return 1 ;;
	esac
}

# A server of its own: the binaries are the same files, but the extension is replaced.
make_server()
{
	local bin root version

	bin=$("$PG_CONFIG" --bindir) && version=$(basename "$(dirname "$bin")") &&
		root=$(realpath "$bin/../../../..") &&
		[ -d "$root/share/postgresql/$version" ] &&
		rm -rf "$folder" && mkdir -p "$folder/usr/lib/postgresql" "$folder/usr/share/postgresql" &&
		cp -al "$root/lib/postgresql/$version" "$folder/usr/lib/postgresql" &&
		cp -al "$root/share/postgresql/$version" "$folder/usr/share/postgresql" &&
		ln -s /usr/include "$folder/usr/include" &&
		PG_CONFIG=$folder/usr/lib/postgresql/$version/bin/pg_config &&
		PATH=$(dirname "$PG_CONFIG"):$PATH &&
		case $(pg_config --pkglibdir) in "$folder"/*) ;; *) false ;; esac
}

# The server's own flags say -fwrapv, under which no overflow is an error; our code needs none.
build()
{
	mkdir "$folder/src" &&
		cp -a --parents Makefile idtypes.control extension expected sql src test/vectors \
			"$folder/src" &&
		rm -f "$folder"/src/src/*.o "$folder"/src/src/*/*.o "$folder"/src/sql/idtypes--*.sql &&
		make -C "$folder/src" -s PG_CONFIG="$PG_CONFIG" with_llvm=no CC=gcc \
			COPT="-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-wrapv \
				-DUSE_ASSERT_CHECKING" \
			install
}

# The translation functions, which the server calls while it starts, would wait forever for a
# sanitizer that is not yet ready.
write_preload()
{
	printf '%s\n' 'char *bindtextdomain(const char *d, const char *n) { return (char *) n; }' \
		'char *textdomain(const char *d) { return (char *) d; }' >"$folder/preload.c" &&
		gcc -w -shared -fPIC -o "$folder/preload.so" "$folder/preload.c"
}

# Leaks are no fault of a server that frees memory by context.  It also calls malloc() for whole
# blocks, so a long quarantine and long stacks for them tell little, and take a tenth of the time.
start_server()
{
	socket=$(mktemp -d /tmp/idtypes.XXXXXX) &&
		rm -rf "$data" &&
		test/lib/new_cluster "$data" "$socket" "fsync = off" &&
		LD_PRELOAD="$asan $ubsan $folder/preload.so" \
		ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16:malloc_context_size=5 \
		UBSAN_OPTIONS=print_stacktrace=1 \
			pg_ctl -D "$data" -l "$folder/server.log" -w start >/dev/null
}

# The sanitizers and the assertions are at work only if the library that the server loads was built
# with them.
is_watched()
{
	local symbols

	symbols=$(nm -D "$(pg_config --pkglibdir)/idtypes.so") &&
		[[ $symbols = *__asan_report_load* && $symbols = *__ubsan_handle_* &&
			$symbols = *ExceptionalCondition* ]] &&
		psql -X -q -c "LOAD '\$libdir/idtypes'"
}

regress()
{
	local -a tests

	mapfile -t tests < <(cd sql && printf '%s\n' *.sql |
		sed -n '/^idtypes--/!s/\.sql$//p' | short_of_tests)
	make -C "$folder/src" installcheck PG_CONFIG="$PG_CONFIG" with_llvm=no \
		REGRESS="${tests[*]}" TAP_TESTS= ISOLATION= ||
		{ cat "$folder/src/regression.diffs"; return 1; }
}

# Reports, crashes and failed assertions; none is ever expected.
is_log_clean()
{
	local complaints='runtime error:|Sanitizer|terminated by signal|PANIC:|TRAP:'

	[ -s "$folder/server.log" ] && ! grep -E -A 12 "$complaints" "$folder/server.log"
}

trap 'failed=$((failed + 1)); finish' INT TERM HUP
asan=$(library libasan.so) && ubsan=$(library libubsan.so) || { failed=1; finish; }
check "copy of the server" make_server || finish
check "build" build || finish
check "preload" write_preload || finish
check "server" start_server || { cat "$folder/server.log"; finish; }
export PGHOST=$socket PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
check "extension is watched" is_watched || finish
check "regress tests" regress
check "oracle, $rows rows" python3 test/oracle/compare.py --rows "$rows"
check "hostile input" python3 test/attack/hostile.py
check "server's log" is_log_clean
finish
