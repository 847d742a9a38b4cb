# checks.sh: what a release is tested with, and the table of the results: "./dev release --check".
#
# Each check of checks.tsv is a run of ./dev.  Its result is kept with its commit in a file of the
# state folder, so that checks can be run one by one, on several days.

# Prints why the check with the arguments $@ cannot be run here, if that is known beforehand.
why_not()
{
	case $1 in
		in)
			[ "$(id -u)" -eq 0 ] || say "needs root"
			;;
		citus)
			[ -n "${CITUS:-}" ] || say "CITUS names no folder with the sources of Citus"
			;;
	esac
}

# Runs the check $1, with the arguments of ./dev that follow, and writes its line of the table.
run_check()
{
	local name=$1 began=$EPOCHREALTIME status=0 verdict why log=$STATE/checks/$1.log passed failed

	shift
	set -- "${@/FOLDER/${CITUS:-FOLDER}}"
	why=$(why_not "$@")
	say "== $name: ./dev $*"
	passed=0 failed=0
	if [ -n "$why" ]; then
		verdict="not run"
	else
		# there, what CI may not skip would fail, but here the table says so
		env -u CI "$REPO/dev" "$@" 2>&1 </dev/null | tee "$log" || status=$?
		read -r passed failed < <(awk '/^[0-9]+ passed, [0-9]+ failed/ { p += $1; f += $3 }
			END { print p + 0, f + 0 }' "$log")
		# what a run without a test says of itself, or of what it skipped
		why=$(sed -nE 's/^ +[0-9]+ skipped: //p; s/^dev: //p' "$log" | sort -u | paste -sd ';')
		verdict=passed
		[ "$passed" -gt 0 ] || verdict="not run"
		[ $status -eq 0 ] && [ "$failed" -eq 0 ] || verdict=FAILED
		[ $status -ne $CANNOT ] || [ $((passed + failed)) -gt 0 ] || verdict="not run"
	fi
	printf '| %s | `./dev %s` | %s | %d | %d | %d | %s | %s |\n' "$name" "$*" "$verdict" "$passed" \
		"$failed" "$(elapsed "$began" | awk '{ print int($1 / 60 + 0.9) }')" \
		"$(repo_git rev-parse --short HEAD)" "$why" >"$STATE/checks/$name"
	tail -n 1 "$STATE/checks/$name"
	[ "$verdict" != FAILED ]
}

# The table of what was run last, in Markdown.
show_checks()
{
	local name arguments

	say "$(. /etc/os-release && say "$PRETTY_NAME"), $(uname -m), $(nproc) processors, $(date -I)" \
		"" \
		"| check | command | result | passed | failed | minutes | commit | why |" \
		"|---|---|---|---:|---:|---:|---|---|"
	while IFS=$'\t' read -r name arguments; do
		cat "$STATE/checks/$name" 2>/dev/null ||
			say "| $name | \`./dev $arguments\` | not run | | | | | |"
	done < <(grep -v '^#' "$REPO/tools/checks.tsv")
}

# Runs the checks named, or all, one after the other; fails if one does.
check_release()
{
	local name arguments status=0

	mkdir -p "$STATE/checks" || die "cannot make $STATE/checks"
	note_changes
	while IFS=$'\t' read -r name arguments; do
		[ $# -eq 0 ] || [[ " $* " = *" $name "* ]] || continue
		run_check "$name" $arguments || status=1
	done < <(grep -v '^#' "$REPO/tools/checks.tsv")
	show_checks | tee "$STATE/checks.md"
	say "" "the table is in $STATE/checks.md"
	return $status
}
