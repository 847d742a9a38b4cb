# jobs.sh: the suites side by side, what is shown of them, and the sum.
# Part of ./dev, which sources it.
#
# A job is a suite, or a part of one where that has parts ("tap/003_crash").  It runs in a shell of
# its own, with a log and a folder of clusters of its own, so that no job waits for another one.
# Tests are counted in the log by its lines "N passed, N failed".  The logs of pg_regress and prove
# have none: there a line of the test anything protocol ("ok 1 - name", "not ok 2 - name", not
# indented), or of pg_regress before 16 ("test name ... ok"), is one test.  A job that fails without
# having counted a failure counts as one failed test, and so does one that ran no test.  A test that
# was skipped says so by "# SKIP" and why, and does not count as passed.

# How many jobs run at a time.  Of those that compute, no more do than there are processors; the
# others, mostly, wait for servers and clocks.
LANES=${IDTYPES_JOBS:-$(($(nproc) + 2))}
COMPUTE=$(nproc)

# Names of the jobs that run, by the process id of their shells; when each began.
declare -A JOBS=() BEGAN=()
# In such a shell: what its files are called.
JOB=

PASSED=0
FAILED=0
SKIPPED=0

# What the files of the job $1 are called.
job_file()
{
	printf '%s' "${1//\//-}"
}

start_job()
{
	local name=$1 log

	log=$LOGS/$(job_file "$name").log
	BEGAN[$name]=$EPOCHREALTIME
	(
		JOBS=()
		JOB=$(job_file "$name")
		CLUSTERS=$CLUSTERS/$JOB
		trap end_job EXIT
		trap 'interrupted 143' TERM HUP
		as_worker rm -rf "$CLUSTERS"
		as_worker mkdir -p "$CLUSTERS"
		"suite_${name%%/*}" "${name#*/}"
	) >"$log" 2>&1 </dev/null &
	JOBS[$!]=$name
}

# What a failed job leaves in its folder may tell why it failed.
end_job()
{
	local status=$?

	stop_clusters "$CLUSTERS"
	[ $status -ne 0 ] || as_worker rm -rf "$CLUSTERS"
}

# Ends the jobs that run, on a signal, and says what had been counted until then.
end_jobs()
{
	[ ${#JOBS[@]} -gt 0 ] || return 0
	kill "${!JOBS[@]}"
	wait "${!JOBS[@]}"
	clear_progress
	say "stopped before the end of: ${JOBS[*]} ${WAITING[*]}"
	say_sum
}

# Whether the job $1 computes most of its time.
computes()
{
	[[ $1 != @(tap|migrate|servers)* ]]
}

# Begins the first of the waiting jobs for which there is room; false if there is none.
WAITING=()
start_next_job()
{
	local name i computing=0

	[ ${#JOBS[@]} -lt "$LANES" ] || return 1
	for name in "${JOBS[@]}"; do
		! computes "$name" || computing=$((computing + 1))
	done
	for i in "${!WAITING[@]}"; do
		if [ $computing -lt "$COMPUTE" ] || ! computes "${WAITING[i]}"; then
			start_job "${WAITING[i]}"
			unset "WAITING[i]"
			return
		fi
	done
	return 1
}

# Runs the jobs $@, as many at a time as there are lanes, and reports each when it ends.
run_jobs()
{
	local pid status tick= all=$# shown=$SECONDS pause=5

	[ ! -t 1 ] || pause=1
	WAITING=("$@")
	while [ ${#WAITING[@]} -gt 0 ] || [ ${#JOBS[@]} -gt 0 ]; do
		while start_next_job; do
			:
		done
		[ -n "$tick" ] || { sleep $pause 9>&- & tick=$!; }
		wait -n "${!JOBS[@]}" "$tick"
		# Which of them it was, wait does not tell reliably where two end at a time.
		kill -0 "$tick" 2>/dev/null || tick=
		for pid in "${!JOBS[@]}"; do
			kill -0 "$pid" 2>/dev/null && continue
			status=0
			wait "$pid" || status=$?
			clear_progress
			report_job "${JOBS[$pid]}" $status
			unset "JOBS[$pid]"
			shown=$SECONDS
		done
		if [ -t 1 ] || [ $((SECONDS - shown)) -ge 30 ]; then
			show_progress "$all"
			shown=$SECONDS
		fi
	done
	clear_progress
	[ -z "$tick" ] || { kill "$tick"; wait "$tick"; } 2>/dev/null
}

# On a terminal one line, written again and again; elsewhere a line now and then.
show_progress()
{
	local name line

	[ ${#JOBS[@]} -gt 0 ] || return 0
	line="  $(($1 - ${#JOBS[@]} - ${#WAITING[@]})) of $1 done; at work:"
	for name in "${JOBS[@]}"; do
		line+=" $name ($(elapsed "${BEGAN[$name]}" | sed 's/\..*//') s)"
	done
	if [ -t 1 ]; then
		printf '\r\e[K%.*s' "$(($(tput cols 2>/dev/null || echo 80) - 1))" "$line"
	else
		say "$line"
	fi
}

clear_progress()
{
	[ ! -t 1 ] || printf '\r\e[K'
}

# Prints "PASSED FAILED SKIPPED" of a log.
count_tests()
{
	awk '/^[0-9]+ passed, [0-9]+ failed$/ { sums = 1; p += $1; f += $3 }
		 /^1\.\.0 # [Ss][Kk][Ii][Pp]/ || /^ok .*# [Ss][Kk][Ii][Pp]/ { skipped++; next }
		 /^ok / || /^(test|     ) .* \.\.\. ok / { ok++ }
		 /^not ok / || /^(test|     ) .* \.\.\. (failed|FAILED) / { not_ok++ }
		 END {
			if (!sums) { p = ok; f = not_ok }
			print p + 0, f + 0, skipped + 0
		 }' "$1"
}

# A filter of what prove says, which calls a file that is skipped as a whole so in its own way only.
say_skips()
{
	sed -u -E 's/^t\/[^ ]+ \.+ skipped: (.*)/&\n1..0 # SKIP \1/'
}

# Prints what may be skipped: patterns of "JOB: REASON".
known_skips()
{
	[ ! -e "$REPO/.ci/skips.tsv" ] || sed -n 's/^\([^#\t]*\)\t.*/\1/p' "$REPO/.ci/skips.tsv"
}

# Prints why tests of a log were skipped, one reason a line.
skip_reasons()
{
	sed -nE 's/^(ok .*|1\.\.0 )# (skip|SKIP)(ped:?)? *//p' "$1"
}

# A line for the job $1, which ended with the status $2; everything else is in its log.
#
# What may be skipped stands in .ci/skips.tsv.  What is skipped beyond that is shown, and a failure
# in continuous integration.
report_job()
{
	local name=$1 status=$2 log verdict=ok passed failed skipped times reason unknown=

	log=$LOGS/$(job_file "$name").log
	read -r passed failed skipped < <(count_tests "$log")
	while read -r times reason; do
		! grep -qxE -f <(known_skips) <<<"$name: $reason" || continue
		unknown+="    $times skipped: $reason"$'\n'
		[ -z "${CI:-}" ] || failed=$((failed + times))
	done < <(skip_reasons "$log" | sort | uniq -c)
	if [ $((passed + failed + skipped)) -eq 0 ] || { [ $status -ne 0 ] && [ "$failed" -eq 0 ]; }
	then
		failed=$((failed + 1))
	fi
	[ "$failed" -eq 0 ] || verdict=FAILED
	printf '%-20s ........ %-7s %8d passed %6s s%s\n' "$name" "$verdict" "$passed" \
		"$(elapsed "${BEGAN[$name]}")" "$([ "$skipped" -eq 0 ] || echo ", $skipped skipped")"
	printf '%s' "$unknown"
	if [ "$failed" -ne 0 ]; then
		printf '    %d failed, from %s:\n' "$failed" "$log"
		awk -f "$REPO/tools/failures.awk" "$log" | sed 's/^/    | /'
	fi
	PASSED=$((PASSED + passed))
	FAILED=$((FAILED + failed))
	SKIPPED=$((SKIPPED + skipped))
}

say_sum()
{
	say "$PASSED passed, $FAILED failed$([ "$SKIPPED" -eq 0 ] || echo ", $SKIPPED skipped")"
}
