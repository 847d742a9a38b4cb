# faults.sh: what becomes of ids when the machine, the server or a session fails.
# Part of ./dev, which sources it.

FAULTS=(003_crash 004_standby 005_mark 014_bulk 015_full_disk 016_memory)

# The TAP tests of faults in their long form, with what each put at risk; then the regress tests in
# a server under valgrind.
verb_faults()
{
	local name log status=0

	prepare "${TEST_PACKAGES[@]}"
	build_or_die
	export IDTYPES_STRESS=1
	LIMIT=${IDTYPES_LIMIT:-14400}
	for name in "${FAULTS[@]}"; do
		log=$LOGS/faults-$name.log
		say "$name ..."
		installcheck REGRESS= ISOLATION= PROVE_TESTS="t/$name.pl" PROVE_FLAGS="--verbose --merge" \
			>"$log" 2>&1 || { status=1; awk -f "$REPO/tools/failures.awk" "$log"; }
		grep -E '^# .* at risk|^# .* duplicates$|^Files=|skipped:' "$log"
	done
	say "regress tests under valgrind ..."
	limited env PG_CONFIG="$PG_CONFIG" test/faults/valgrind.sh \
		"$STATE/clusters/valgrind-$MAJOR" "$STATE/build" || status=1
	return $status
}
