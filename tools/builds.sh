# builds.sh: other builds than the released one, to run suites in: "./dev test --build=NAME".
#
# with_NAME says how that build differs.  Each has a state folder of its own.

# The name of the build, and the packages that it needs.
BUILD=
BUILD_NEEDS=()
# What no server's log may have, and what a library built so has among its symbols.
COMPLAINTS=
SYMBOLS=()
# A line of a shell script that runs "$server", where that is not all.
SERVER=

use_build()
{
	declare -F "with_$1" >/dev/null ||
		die "there is no build $1: $(compgen -A function with_ | sed 's/with_//' | xargs)"
	BUILD=$1
	use_state "${IDTYPES_STATE:-$STATE-$1}"
	# What is left of an earlier run must neither count nor pass for built.
	[ ! -d "$SRC" ] || find "$SRC" '(' -name '*.gc??' -o -name '*.o' -o -name '*.so' ')' -delete
	"with_$1"
}

# With the assertions of src/ at work.  The server is the ordinary one, which has no assertions of
# its own, but what those of an extension call.
with_assert()
{
	FURTHER_FLAGS=-DUSE_ASSERT_CHECKING
	COMPLAINTS='TRAP: '
	SYMBOLS=(ExceptionalCondition)
}

# With AddressSanitizer and UndefinedBehaviorSanitizer: every memory access and every arithmetic
# operation of the extension is watched.  The server itself is the stock one, so an overrun inside
# memory that it hands out goes unseen; of the core, unit and fuzz see that.  The server's own flags
# say -fwrapv, under which no overflow is an error; our code needs none.
#
# Leaks are no fault of a server that frees memory by context.  It also calls malloc() for whole
# blocks, so a long quarantine and long stacks for them tell little, and take a tenth of the time.
with_asan()
{
	with_assert
	FURTHER_FLAGS+=" -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-wrapv"
	COMPLAINTS='runtime error:|Sanitizer|terminated by signal|PANIC:|TRAP:'
	SYMBOLS+=(__asan_report_load __ubsan_handle_)
	SERVER='ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16:malloc_context_size=5'
	SERVER+=' UBSAN_OPTIONS=print_stacktrace=1'
	SERVER+=" LD_PRELOAD=\"$(gcc_library libasan.so) $(gcc_library libubsan.so)"
	SERVER+=" $STATE/build/preload.so\" exec \"\$server\" \"\$@\""
}

# The full name of a library of the compiler, which only echoes a name that it does not know.
gcc_library()
{
	local path

	need_packages ${PACKAGES[compiler]}
	path=$(gcc -print-file-name="$1")
	[[ $path = /* ]] || die "gcc has no $1: install the libgcc-*-dev package of its version"
	readlink -e "$path"
}

# The translation functions, which the server calls while it starts, would wait forever for a
# sanitizer that is not yet ready.
begin_asan()
{
	printf '%s\n' 'char *bindtextdomain(const char *d, const char *n) { return (char *) n; }' \
		'char *textdomain(const char *d) { return (char *) d; }' |
		as_worker gcc -w -shared -fPIC -o "$STATE/build/preload.so" -x c -
}

# Under valgrind, which sees values that were never set, also where they come out of the server's
# own functions.  The stock server makes some noise of its own, so an error counts where the
# extension is on its stack.
with_valgrind()
{
	BUILD_NEEDS=(valgrind)
	SERVER="exec valgrind -q --trace-children=yes --error-limit=no --num-callers=40"
	SERVER+=" --fullpath-after= --log-file=$STATE/build/valgrind/%p.log \"\$server\" \"\$@\""
}

begin_valgrind()
{
	as_worker rm -rf "$STATE/build/valgrind"
	as_worker mkdir -p "$STATE/build/valgrind"
}

# An error is a paragraph: lines that begin with the process, and one with nothing else after it.
end_valgrind()
{
	local errors

	errors=$(cat "$STATE"/build/valgrind/*.log | sed -E 's/^==[0-9]+== ?//' |
		awk -v RS= -v ours="idtypes[.]so|$SRC/src/" '$0 ~ ours { print $0 "\n" }')
	say "$(ls "$STATE"/build/valgrind | wc -l) processes under valgrind"
	[ -z "$errors" ] || { say "$errors"; FAILED=$((FAILED + 1)); }
}

# With counters.  A process writes its counters when it exits: those of a server process that is
# killed, or of one that stops at once, are lost, and what only such a process reaches counts as not
# reached.  Without optimization every line has code of its own.
with_coverage()
{
	BUILD_NEEDS=(gcovr)
	FURTHER_FLAGS="--coverage -O0"
	WORKER_ENV+=(UNIT_OPTIONS="CFLAGS='$FURTHER_FLAGS'")
}

# Adds up the counters of all programs: a table with the lines of each file that none has reached,
# and pages with their text.
end_coverage()
{
	local pages=$STATE/build/coverage

	as_worker mkdir -p "$pages"
	as_worker gcovr --filter src/ --txt --html-details "$pages/index.html"
	say "with the text of the lines: $pages/index.html"
}

# For other machines than this one, the core only: cross-compiled and emulated.  An emulator keeps
# memory in order like the machine it runs on, so this tells nothing of barriers.
with_s390x()
{
	emulate s390x-linux-gnu- qemu-s390x gcc-s390x-linux-gnu libc6-dev-s390x-cross
}

with_arm64()
{
	emulate aarch64-linux-gnu- qemu-aarch64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross
}

with_armhf()
{
	emulate arm-linux-gnueabihf- qemu-arm gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
}

emulate()
{
	BUILD_NEEDS=(qemu-user "${@:3}")
	WORKER_ENV+=(UNIT_OPTIONS="CC='$1gcc -static' RUN=$2")
}

# With another C library.
with_musl()
{
	BUILD_NEEDS=(musl-tools)
	WORKER_ENV+=(UNIT_OPTIONS="CC='musl-gcc -static'")
}

# Puts the build's way to run the server into the private server, whose programs call it "postgres".
begin_build()
{
	local symbol server symbols

	touch "$STATE/build/began"
	! declare -F "begin_$BUILD" >/dev/null || "begin_$BUILD"
	[ -n "$MAJOR" ] || return 0
	symbols=$(nm -D "$("$PG_CONFIG" --pkglibdir)/idtypes.so")
	for symbol in "${SYMBOLS[@]}"; do
		[[ $symbols = *"$symbol"* ]] || die "the library was not built for $BUILD: no $symbol"
	done
	server=$BIN/postgres
	[ -n "$SERVER" ] || return 0
	[ -e "$server.stock" ] || as_worker mv "$server" "$server.stock"
	printf '#!/bin/sh\nserver=%s\n%s\n' "$server.stock" "$SERVER" |
		as_worker tee "$server" >/dev/null
	as_worker chmod +x "$server"
}

# No server's log may tell of what the build looks for, whether a test noticed or not.
end_build()
{
	local found

	[ -z "$COMPLAINTS" ] || found=$(find "$LOGS" "$CLUSTERS" -type f -newer "$STATE/build/began" \
		-exec grep -hE -A 12 "$COMPLAINTS" {} +)
	[ -z "${found:-}" ] || { say "$found"; FAILED=$((FAILED + 1)); }
	! declare -F "end_$BUILD" >/dev/null || "end_$BUILD"
}
