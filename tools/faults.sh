# faults.sh: what becomes of ids when the machine, the server or a session fails.
# Part of ./dev, which sources it.

FAULTS=(003_crash 004_standby 005_mark 014_bulk 015_full_disk 016_memory)

# The TAP tests of faults in their long form, with what each put at risk; then the regress tests in
# a server under valgrind.
verb_faults()
{
	local name status=0

	prepare_with $(suite_packages tap) valgrind
	build_or_die
	say yes | as_worker tee "$STATE/build/installed" >/dev/null
	export IDTYPES_STRESS=1
	LIMIT=${IDTYPES_LIMIT:-14400}
	run_jobs "${FAULTS[@]/#/tap/}"
	for name in "${FAULTS[@]}"; do
		say "$name"
		grep -E '^# .* at risk|^# .* duplicates$|^Files=|skipped:' "$LOGS/tap-$name.log"
	done
	say "regress tests under valgrind ..."
	limited env PG_CONFIG="$PG_CONFIG" test/faults/valgrind.sh \
		"$STATE/clusters/valgrind-$MAJOR" "$STATE/build" || status=1
	say_sum
	[ $status -eq 0 ] && [ "$FAILED" -eq 0 ]
}
