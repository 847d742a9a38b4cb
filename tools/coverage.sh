# coverage.sh: which lines of src/ the suites reach.
# Part of ./dev, which sources it.

# Flags for the compiler, where lines are to be counted.
COUNTERS=

# The suites named, in a state folder of their own where everything is built with counters.  A
# process writes its counters when it exits: those of a server process that is killed, or of one
# that stops at once, are lost, and what only such a process reaches counts as not reached.
verb_coverage()
{
	local status=0

	[ $# -gt 0 ] || set -- unit regress tap docs estimates servers
	STATE=${IDTYPES_STATE:-$STATE-coverage}
	SRC=$STATE/src
	LOGS=$STATE/logs
	CLUSTERS=$STATE/clusters
	# without optimization every line has code of its own
	COUNTERS="--coverage -O0"
	UNIT_OPTIONS=(CFLAGS="$COUNTERS")
	# what is left of an earlier run must neither count nor pass for built
	[ ! -d "$SRC" ] || find "$SRC" '(' -name '*.gc??' -o -name '*.o' ')' -delete
	LIMIT=${IDTYPES_LIMIT:-3600}
	verb_test "$@" || status=1
	as_worker python3 -B "$REPO/tools/coverage.py" "$SRC" | tee "$LOGS/coverage.txt"
	return $status
}
