# demo.sh: what the types do, on real rows, in under a minute.
# Part of ./dev, which sources it.

verb_demo()
{
	local began

	prepare
	began=$EPOCHREALTIME
	build_or_die
	say "starting a throwaway PostgreSQL $MAJOR ..." ""
	start_new_cluster demo "shared_buffers = '256MB'" "synchronous_commit = off"
	as_worker psql -X -q -v rows="${IDTYPES_DEMO_ROWS:-250000}" -f tools/demo.sql |
		fold -s -w 100 || die "the demo failed"
	say "== Done in $(elapsed "$began") s" "" \
		"The server is stopped again; its data is kept.  Look around in it with psql:  ./dev shell"
}
