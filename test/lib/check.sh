# check.sh: what the suites' "run" share; they source it in the folder of the sources.

passed=0
failed=0
status=0
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

# Runs a program that counts its own tests.
counted()
{
	"$@" || status=1
}

# "!", for check.
not()
{
	! "$@"
}

# Whether the long form of the tests is asked for: "./dev test --long".
long()
{
	[ -n "${IDTYPES_STRESS:-}" ]
}

# Makes the folder $1, a copy of the sources without what was built in them.
copy_sources()
{
	rm -rf "$1" && mkdir -p "$1" && tar --null -T "$STATE/sources" -c | tar -C "$1" -x
}

# The folder of the server's PGXS, and the clang that the server was packaged with.
pgxs()
{
	dirname "$(dirname "$("$PG_CONFIG" --pgxs)")"
}

clang_of_server()
{
	sed -n 's/^CLANG = *//p' "$(pgxs)/Makefile.global"
}

# Shows the sums, unless all tests were counted elsewhere; true if nothing failed.
sums()
{
	[ $((passed + failed)) -eq 0 ] || printf '%d passed, %d failed\n' "$passed" "$failed"
	[ "$failed" -eq 0 ] && [ "$status" -eq 0 ]
}
