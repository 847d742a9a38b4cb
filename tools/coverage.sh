# coverage.sh: which lines of src/ the suites reach.
# Part of ./dev, which sources it.

# The suites named, in a state folder of their own where everything is built with counters.  A
# process writes its counters when it exits: those of a server process that is killed, or of one
# that stops at once, are lost, and what only such a process reaches counts as not reached.  gcovr
# adds up those of all programs: a table with the lines of each file that none has reached, and
# pages with their text.
verb_coverage()
{
	local status=0 pages

	need_installed_packages gcovr
	[ $# -gt 0 ] || set -- unit regress tap docs estimates servers
	use_state_for coverage
	# without optimization every line has code of its own
	FURTHER_FLAGS="--coverage -O0"
	UNIT_OPTIONS=(CFLAGS="$FURTHER_FLAGS")
	verb_test "$@" || status=1
	pages=$STATE/build/coverage
	as_worker mkdir -p "$pages"
	as_worker gcovr --filter src/ --txt --html-details "$pages/index.html" |
		tee "$LOGS/coverage.txt"
	say "with the text of the lines: $pages/index.html"
	return $status
}
