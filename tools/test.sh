# test.sh: the suites, run side by side, what is shown of them, and the sum.
#
# A suite is a folder with an executable "run".  Its head has a line "#: PART WORD..." for each part
# of the suite: "run PART" tests it, as the worker, in the copy of the sources.  test/README.md
# explains the words, what "run" finds in its environment, and what it prints.
#
# A job is a part, or one of its files.  It has a log and a folder of its own, so that no job waits
# for another one.  A job that fails without having counted a failure counts as one failed test, and
# so does one that ran no test.

# How many jobs run at a time.  Of those that compute, no more do than there are processors; the
# others, mostly, wait for servers and clocks.
LANES=${IDTYPES_JOBS:-$(($(nproc) + 2))}
COMPUTE=$(nproc)

# The parts in the order of their suites; by their names, the programs and the words.
PARTS=()
declare -A RUN=() WORDS=()
# The jobs to run, those that have not begun, and of a part that is one job, the files to run.
SELECTED=()
WAITING=()
declare -A FILES=()
# Names of the jobs that run, by the process id of their shells; when each began.
declare -A JOBS=() BEGAN=()
# In such a shell: what its files are called.
JOB=

PASSED=0
FAILED=0
SKIPPED=0

# ----------
# What there is to run
# ----------

read_suites()
{
	local run part words

	for run in "$REPO"/{test/*,sql,t}/run; do
		while read -r part words; do
			[ -n "${RUN[$part]:-}" ] || PARTS+=("$part")
			RUN[$part]=${run#"$REPO"/}
			WORDS[$part]+=" $words "
		done < <(sed -n 's/^#: //p' "$run")
	done
}

# The part that a job belongs to.
part_of()
{
	[ -n "${RUN[$1]:-}" ] && say "$1" || say "${1%/*}"
}

# The paths that the word "$2:GLOB,..." of the part $1 names.
paths_of()
{
	local word glob

	for word in ${WORDS[$1]}; do
		[[ $word = "$2":* ]] || continue
		while read -r glob; do
			(cd "$REPO" && compgen -G "$glob" | sort)
		done < <(tr , '\n' <<<"${word#*:}")
	done
}

# The names of the files of the part $1 that are jobs ("each"), or that may be named ("files").
files_of()
{
	paths_of "$@" | sed 's,.*/,,; s,\.[^.]*$,,'
}

# Adds the part $1 to what is to be run.
select_part()
{
	local -a each

	mapfile -t each < <(files_of "$1" each)
	SELECTED+=("${each[@]/#/$1/}")
	[ ${#each[@]} -gt 0 ] || SELECTED+=("$1")
}

# Adds the file $2 of the part $1; a TAP file may be named by its number.
select_file()
{
	local file

	while read -r file; do
		case $file in
			"$2" | "$2"_*) SELECTED+=("$1/$file"); return ;;
		esac
	done < <(files_of "$1" each)
	[[ ${WORDS[$1]} = *" any "* ]] || files_of "$1" files | grep -qxF "$2" ||
		die "$1 has no file $2: $({ files_of "$1" each; files_of "$1" files; } | xargs)"
	[ -n "${FILES[$1]:-}" ] || SELECTED+=("$1")
	FILES[$1]+="$2 "
}

# Adds what the name $1 means: a part, a file of one, or all parts of a suite or below a name.  A
# part that has the word "named" must be named itself, and one with "long" too, in short form.
select_name()
{
	local name=$1 part found=

	[[ $name != t/* ]] || name=tap/$(basename "$name" .pl)
	for part in "${PARTS[@]}"; do
		case $name in
			"$part") select_part "$part"; return ;;
			"$part"/*) select_file "$part" "${name#"$part"/}"; return ;;
		esac
	done
	for part in "${PARTS[@]}"; do
		if [[ ${WORDS[$part]} != *" named "* &&
			(${WORDS[$part]} != *" long "* || -n ${IDTYPES_STRESS:-}) &&
			($name = all || $part = "$name"/* || ${RUN[$part]} = */"$name"/run) ]]
		then
			select_part "$part"
			found=yes
		fi
	done
	[ -n "$found" ] || die "there is no suite $name: ${PARTS[*]}"
}

select_tests()
{
	local name

	read_suites
	# What takes half a minute.
	[ "${1:-}" != quick ] || set -- lint gcc unit oracle regress docs "${@:2}"
	for name in "${@:-all}"; do
		select_name "$name"
	done
}

# Prints the packages that the parts $@ need.
packages_of()
{
	local part word

	for part in "$@"; do
		for word in ${WORDS[$part]}; do
			case $word in
				named | long | any | waits | *:* | +*) ;;
				more) offered_packages $("$REPO/${RUN[$part]}" --packages "$part") ;;
				*) say ${PACKAGES[$word]:-$word} ;;
			esac
		done
	done | tr ' ' '\n' | sort -u
}

# Puts into the private server what the parts $@ need there.  What is not on offer is missed by the
# job that needs it.
add_neighbours()
{
	local part word

	for part in "$@"; do
		for word in ${WORDS[$part]}; do
			[[ $word != +* ]] || add_to_private_server "${word#+}"
		done
	done
}

# ----------
# One job
# ----------

# What the files of the job $1 are called.
job_file()
{
	printf '%s' "${1//\//-}"
}

# Runs the job $1, whose folder is $CLUSTERS, with the options $2 and so on.
run_job()
{
	local job=$1 part word file=

	shift
	part=$(part_of "$job")
	[ "$part" = "$job" ] || file=${job#"$part"/}
	if [[ -n $MAJOR ]]; then
		WORKER_ENV+=(PG_CONFIG="$PG_CONFIG" PG_MAJOR="$MAJOR" INITDB_TEMPLATE="$TEMPLATE")
	fi
	for word in ${WORDS[$part]}; do
		case $word in
			server | cluster)
				cat "$LOGS/build.log"
				[ -e "$STATE/build/installed" ] || { say "error: the build failed"; return 1; }
				[ $word = server ] || start_new_cluster test "fsync = off" "wal_level = logical" \
					"max_prepared_transactions = 4" || return 1
				;;
			+*)
				[ -e "$(neighbour_file "${word#+}")" ] && continue
				say "1..0 # SKIP there is no ${word//+postgresql-NN/postgresql-$MAJOR} yet"
				return
				;;
		esac
	done
	WORKER_ENV+=(STATE="$STATE" WORK="$CLUSTERS" BUILD="$BUILD")
	limited "${RUN[$part]}" "$@" "$part" $file ${FILES[$part]:-}
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
		run_job "$name"
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
	# one that has just ended is no error
	kill "${!JOBS[@]}" 2>/dev/null
	wait "${!JOBS[@]}"
	say "stopped before the end of: ${JOBS[*]} ${WAITING[*]}"
	say_sum
}

# ----------
# All of them
# ----------

# Begins the first of the waiting jobs for which there is room; false if there is none.
start_next_job()
{
	local name i computing=0

	[ ${#JOBS[@]} -lt "$LANES" ] || return 1
	for name in "${JOBS[@]}"; do
		waits "$name" || computing=$((computing + 1))
	done
	for i in "${!WAITING[@]}"; do
		if [ $computing -lt "$COMPUTE" ] || waits "${WAITING[i]}"; then
			start_job "${WAITING[i]}"
			unset "WAITING[i]"
			return
		fi
	done
	return 1
}

waits()
{
	[[ ${WORDS[$(part_of "$1")]} = *" waits "* ]]
}

# Runs the jobs $@, as many at a time as there are lanes, and reports each when it ends.
run_jobs()
{
	local pid status tick= all=$# shown=$SECONDS

	WAITING=("$@")
	while [ ${#WAITING[@]} -gt 0 ] || [ ${#JOBS[@]} -gt 0 ]; do
		while start_next_job; do
			:
		done
		[ -n "$tick" ] || { sleep 5 9>&- & tick=$!; }
		wait -n "${!JOBS[@]}" "$tick"
		# Which of them it was, wait does not tell reliably where two end at a time.
		kill -0 "$tick" 2>/dev/null || tick=
		for pid in "${!JOBS[@]}"; do
			kill -0 "$pid" 2>/dev/null && continue
			status=0
			wait "$pid" || status=$?
			report_job "${JOBS[$pid]}" $status
			unset "JOBS[$pid]"
			shown=$SECONDS
		done
		if [ $((SECONDS - shown)) -ge 30 ]; then
			show_progress "$all"
			shown=$SECONDS
		fi
	done
	[ -z "$tick" ] || { kill "$tick"; wait "$tick"; } 2>/dev/null
}

# A line now and then.
show_progress()
{
	local name line

	[ ${#JOBS[@]} -gt 0 ] || return 0
	line="  $(($1 - ${#JOBS[@]} - ${#WAITING[@]})) of $1 done; at work:"
	for name in "${JOBS[@]}"; do
		line+=" $name ($(elapsed "${BEGAN[$name]}" | sed 's/\..*//') s)"
	done
	say "$line"
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

# A line for the job $1, which ended with the status $2, and the lines of its log that begin with
# "#= ".  Everything else is in its log.
#
# What may be skipped is listed in .ci/skips.tsv.  What is skipped beyond that is shown, and a
# failure in continuous integration.
report_job()
{
	local name=$1 status=$2 log verdict=ok passed failed skipped times reason unknown= seconds

	log=$LOGS/$(job_file "$name").log
	seconds=$(elapsed "${BEGAN[$name]}")
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
	printf '%-20s ........ %-7s %8d passed %6s s%s\n' "$name" "$verdict" "$passed" "$seconds" \
		"$([ "$skipped" -eq 0 ] || echo ", $skipped skipped")"
	printf '%s' "$unknown"
	sed -n 's/^#= /    /p' "$log"
	if [ "$failed" -ne 0 ]; then
		printf '    %d failed, from %s:\n' "$failed" "$log"
		awk -f "$REPO/tools/failures.awk" "$log" | sed 's/^/    | /'
	elif [ -z "${FILES[$name]:-}" ]; then
		say "$seconds $name" >>"$STATE/times"
	fi
	PASSED=$((PASSED + passed))
	FAILED=$((FAILED + failed))
	SKIPPED=$((SKIPPED + skipped))
}

say_sum()
{
	say "$PASSED passed, $FAILED failed$([ "$SKIPPED" -eq 0 ] || echo ", $SKIPPED skipped")"
}

# Sets WAITING to the selected jobs, the longest of the last runs first, and those not known yet
# before them; says how long they will take.  Stops if there is no room.
announce()
{
	local free jobs seconds

	free=$(($(stat -f -c '%a * %S' "$STATE") / 1000000))
	[ $free -ge 1000 ] || die "only $free MB are free in $STATE"
	touch "$STATE/times"
	jobs=$(printf '%s\n' "${SELECTED[@]}" |
		awk -v times="$STATE/times" '
			BEGIN { while ((getline <times) > 0) took[$2] = $1 }
			{ print ($1 in took) ? took[$1] : 9999, $1 }' | sort -s -k 1,1rn)
	mapfile -t WAITING < <(cut -d ' ' -f 2 <<<"$jobs")
	seconds=$(awk -v n="$(nproc)" 'NR == 1 { longest = $1 } { sum += $1 }
		END { print longest == 9999 ? "" : int(sum / n > longest ? sum / n : longest) }' \
		<<<"$jobs")
	[ -z "$seconds" ] || seconds=": about $(((seconds + 59) / 60)) min"
	say "PostgreSQL ${MAJOR:-not needed}, logs in $LOGS" \
		"${#SELECTED[@]} jobs, $LANES at a time$seconds"
}

# Builds the extension once in a run, before the jobs that need it run side by side.
build_for_tests()
{
	rm -f "$STATE/build/installed"
	: >"$LOGS/build.log"
	[ -n "$MAJOR" ] || return 0
	! install_extension >"$LOGS/build.log" 2>&1 || touch "$STATE/build/installed"
}

verb_test()
{
	local began part
	local -a parts

	while [[ ${1:-} = --* ]]; do
		case $1 in
			--long) export IDTYPES_STRESS=1; LIMIT=14400 ;;
			--build=*) use_build "${1#*=}" ;;
			*) die "test knows --long and --build, not $1" ;;
		esac
		shift
	done
	if [ "${1:-}" = list ]; then
		read_suites
		for part in "${PARTS[@]}"; do
			case ${WORDS[$part]} in
				*" named "*) say "$part (by name)" ;;
				*" long "*) say "$part (in long form)" ;;
				*) say "$part" ;;
			esac
		done
		return
	fi
	select_tests "$@"
	mapfile -t parts < <(for job in "${SELECTED[@]}"; do part_of "$job"; done | sort -u)
	prepare_with $(packages_of "${parts[@]}") "${BUILD_NEEDS[@]}"
	began=$EPOCHREALTIME
	announce
	build_for_tests
	add_neighbours "${parts[@]}"
	${BUILD:+begin_build}
	run_jobs "${WAITING[@]}"
	${BUILD:+end_build}
	say "$(elapsed "$began") s"
	say_sum
	[ "$FAILED" -eq 0 ]
}

# What a part expects is written anew, in the copy of the sources, by "run --accept"; the files that
# the word "accept" names are then compared with the checkout's and taken over.
verb_accept()
{
	local part file changed=0

	LIMIT=14400
	if [ $# -eq 1 ]; then select_tests "$1"; else read_suites; fi
	part=$(part_of "${SELECTED[0]:-none}")
	[[ ${#SELECTED[@]} -eq 1 && ${WORDS[$part]:-} = *" accept:"* ]] ||
		die "accept takes a suite that keeps what it expects: $(
			for part in "${PARTS[@]}"; do [[ ${WORDS[$part]} != *accept:* ]] || echo $part; done |
				xargs)"
	prepare_with $(packages_of "$part")
	build_for_tests
	if ! run_job "$part" --accept >"$LOGS/accept.log" 2>&1 </dev/null; then
		awk -f "$REPO/tools/failures.awk" "$LOGS/accept.log"
		die "$part gave nothing to accept, see $LOGS/accept.log"
	fi
	for file in $(cd "$SRC" && REPO=$SRC paths_of "$part" accept); do
		cmp -s "$REPO/$file" "$file" && continue
		diff -uN --label "$file" --label "$file, accepted" "$REPO/$file" "$file"
		cat "$file" >"$REPO/$file" || die "cannot write $REPO/$file"
		changed=$((changed + 1))
	done
	say "$changed files changed; read every line of it before you commit them"
}

# Which changes of the sources no test notices, see test/source/mutate.py; or whether the proofs
# notice theirs.
verb_mutate()
{
	local folder=$STATE/build/mutate status=0

	[[ ${1:-} = proof || ${1:-} =~ ^[0-9]+$ && ${2:-} =~ ^[0-9]+$ ]] ||
		die "mutate takes a number and a seed, or \"proof\""
	if [ "$1" = proof ]; then
		prepare_with cbmc spin gcc libc6-dev
	else
		prepare ${PACKAGES[python]}
		build_or_die
		start_new_cluster test "fsync = off"
		WORKER_ENV+=(PG_CONFIG="$PG_CONFIG")
	fi
	as_worker rm -rf "$folder"
	as_worker mkdir -p "$folder"
	copy_sources "$folder"
	LIMIT=86400
	cd "$folder" || return 1
	if [ "$1" = proof ]; then
		limited nice test/source/proofs.sh "${@:2}"
		return
	fi
	limited nice python3 test/source/mutate.py "$@" || status=1
	# not to leave a changed library behind
	install_extension >"$LOGS/build.log" 2>&1
	return $status
}
