# coverage.sh: which lines of src/ the suites reach.
# Part of ./dev, which sources it.

# The suites named, in a state folder of their own where everything is built with counters.  A
# process writes its counters when it exits: those of a server process that is killed, or of one
# that stops at once, are lost, and what only such a process reaches counts as not reached.
verb_coverage()
{
	local status=0

	[ $# -gt 0 ] || set -- unit regress tap docs estimates servers
	use_state_for coverage
	# without optimization every line has code of its own
	FURTHER_FLAGS="--coverage -O0"
	UNIT_OPTIONS=(CFLAGS="$FURTHER_FLAGS")
	LIMIT=${IDTYPES_LIMIT:-3600}
	verb_test "$@" || status=1
	as_worker python3 -B "$REPO/tools/coverage.py" "$SRC" | tee "$LOGS/coverage.txt"
	return $status
}
