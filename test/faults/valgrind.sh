#!/usr/bin/env bash
#
# valgrind.sh: the regress tests in a server under valgrind.
#
# What valgrind sees and the sanitizers do not: values that were never set, also where they come out
# of the server's own functions.  The stock server makes some noise of its own, so an error counts
# where the extension is on its stack.
#
#	valgrind.sh CLUSTER LOGS [TEST...]
#
# CLUSTER is the data folder of a new cluster of the server that PG_CONFIG names, where the
# extension is installed, LOGS the folder for a log of each process, and the tests are all those of
# sql/ unless some are named.  To be run from the top of the sources, by a user who may run a
# server; "./dev faults" does that.
#
set -u -o pipefail

usage="usage: valgrind.sh CLUSTER LOGS [TEST...]"
data=${1:?$usage}
logs=${2:?$usage}/valgrind
shift 2
PATH=$("$PG_CONFIG" --bindir):$PATH
socket=$(mktemp -d /tmp/idtypes.XXXXXX) || exit 1
export PGHOST=$socket PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
server=

finish()
{
	if [ -n "$server" ]; then
		kill -INT "$server"
		wait "$server"
	fi
	rm -rf "$socket"
}
trap finish EXIT

rm -rf "$data" "$logs"
mkdir -p "$logs"
# not to take a wait of its own for one of a test
test/lib/new_cluster "$data" "$socket" "fsync = off" "autovacuum = off" \
	"authentication_timeout = 600s" || exit 1
valgrind -q --trace-children=yes --error-limit=no --num-callers=40 --fullpath-after= \
	--log-file="$logs/%p.log" postgres -D "$data" >"$logs/server.log" 2>&1 &
server=$!
until pg_isready -q -t 600; do
	kill -0 "$server" || exit 1
	sleep 1
done

status=0
make installcheck PG_CONFIG="$PG_CONFIG" with_llvm=no TAP_TESTS= ISOLATION= ${1:+REGRESS="$*"} ||
	status=1
kill -INT "$server"
wait "$server"
server=
# An error is a paragraph: lines that begin with the process, and one with nothing else after it.
errors=$(cat "$logs"/*.log | sed -E 's/^==[0-9]+== ?//' |
	awk -v RS= -v ours="idtypes[.]so|$PWD/src/" '$0 ~ ours { n++; print $0 "\n" > "/dev/stderr" }
		END { print n + 0 }')
processes=$(ls "$logs"/*.log | wc -l)
echo "$processes logs in $logs, $errors errors with the extension on the stack"
[ $status -eq 0 ] && [ "$errors" -eq 0 ]
