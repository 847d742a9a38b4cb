#!/usr/bin/env bash
#
# dev.sh FOLDER: what ./dev refuses, how it counts, and that it ends when it is told to.
# To be run in a copy of the sources, which it changes.  FOLDER is for its files.
#
set -u -o pipefail
. test/lib/check.sh

folder=${1:?"usage: dev.sh FOLDER"}
state=$folder/state
out=$folder/out
unset CI IDTYPES_JOBS IDTYPES_LIMIT IDTYPES_STRESS bad

# Runs ./dev; true if it ends with the status $1.
ends()
{
	IDTYPES_STATE=${bad:-$state} ./dev "${@:2}" >"$out" 2>&1 </dev/null
	[ $? -eq "$1" ]
}

says()
{
	grep -qE -e "$1" "$out"
}

# Whether that is an error of the status $1, said in one line with the words $2, with nothing done.
refused()
{
	ends "$1" $3 && says "$2" && [ "$(wc -l <"$out")" -eq 1 ] && [ ! -e "${bad:-$state}" ]
}
check "a verb" refused 2 'there is no verb "tset"' tset
check "a suite" refused 1 'there is no suite nosuch: .* lint ' "test lint nosuch"
check "a file" refused 1 'tap has no file 999: .*003_crash' "test t/999"
check "a build" refused 1 'there is no build nosuch: arm64 .*asan' "test --build=nosuch"
check "a verb elsewhere" refused 1 'in takes a verb' "in trixie nosuch"
check "the sources of Citus" refused 1 'citus takes a folder' "citus /"
for bad in "$folder/a b" relative "$folder/x/"; do
	check "the state folder $bad" refused 1 'IDTYPES_STATE m.*, unlike ' "test lint"
done
unset bad

# Suites of its own: what is counted, and shown.
install -D -m 755 /dev/stdin test/its/run <<'END'
#!/usr/bin/env bash
#: its/lines named
#: its/skips named
#: its/hangs named
#: its/files named each:t/00[12]*.pl
case $1 in
	*/lines) printf '%s\n' "test a      ... ok   3 ms" "ok 1 - b" "not ok 2" "    ok 3"; exit 1 ;;
	*/skips) printf '%s\n' "ok 1 - a" "ok 2 # skip no disk" "1..0 # SKIP no room" "#= shown" ;;
	*/hangs) echo $$; while :; do sleep 1000; done ;;
	*/files) printf '1 passed, 0 failed\n2 passed, 0 failed\n' "$2"; exit 1 ;;
esac
END
check "failures of all kinds, and files" ends 1 test its/lines its/files its/skips
check "lines" says '^its/lines +\.+ FAILED +2 passed '
check "status alone" says '^its/files/002_clock +\.+ FAILED +3 passed '
check "skips" eval "says '^its/skips .* ok +1 passed .* 2 skipped$' && says '^    shown$'"
check "the sum" says '^9 passed, 3 failed, 2 skipped$'
CI=true check "in CI, skips are failures" ends 1 test its/skips
printf 'its/skips: no (room|disk)\tWhy.\n' >>.ci/skips.tsv
CI=true check "unless they are listed" ends 0 test its/skips

hangs()
{
	kill -0 "$(grep -xm 1 '[0-9]*' "$state/logs/its-hangs.log")"
} 2>/dev/null
IDTYPES_LIMIT=1 check "what takes too long is ended" ends 1 test its/hangs
check "and said" eval "! hangs && grep -q 'longer than 1 s' '$state/logs/its-hangs.log'"
rm "$state/logs/its-hangs.log"
env IDTYPES_STATE="$state" ./dev test its/hangs its/skips >"$out" 2>&1 </dev/null &
pid=$!
until hangs && grep -q '^its/skips' "$out" || ! kill -0 $pid; do
	sleep 0.1
done
kill -TERM $pid
wait $pid
check "a signal ends a run" test $? -eq 143
check "and what it runs, with the sum" eval "! hangs && says '^1 passed, 0 failed, 2 skipped$'"
sums
