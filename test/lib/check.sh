# check.sh: counts the tests of a script, which sources it in the folder of the sources.

passed=0
failed=0
out=

# Runs a command as the test $1, which is passed if it succeeds; if not, shows the file $out, where
# that is set.
check()
{
	local name=$1

	shift
	if "$@"; then
		printf 'ok - %s\n' "$name"
		passed=$((passed + 1))
	else
		printf 'not ok - %s\n' "$name"
		[ -z "$out" ] || sed 's/^/# /' "$out"
		failed=$((failed + 1))
		return 1
	fi
}

# Drops the longest of the regress tests on standard input, one a line, in short form.
short_of_tests()
{
	if [ -n "${IDTYPES_STRESS:-}" ]; then
		cat
	else
		grep -vxE 'estimates|indexes|instants|plans'
	fi
}

# Shows the sums; true if no test failed, and there were some.
sums()
{
	printf '%d passed, %d failed\n' "$passed" "$failed"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
