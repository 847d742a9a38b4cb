# cluster.sh: several servers, for the suite that tests them and for a person to see.
# Part of ./dev, which sources it.

# Runs a program on three new servers, whose socket folders become its last arguments.
on_three_servers()
{
	local number status=0 SOCKET
	# The other suites' server remains the one that libpq finds.
	local -a sockets=() WORKER_ENV=()

	for number in 1 2 3; do
		start_new_cluster "server$number" "shared_buffers = '32MB'" "fsync = off" \
			"wal_level = logical" "max_worker_processes = 16" \
			"max_logical_replication_workers = 8" "wal_retrieve_retry_interval = '100ms'"
		sockets+=("$SOCKET")
	done
	limited "$@" "${sockets[@]}" || status=$?
	for number in 1 2 3; do
		stop_cluster "$CLUSTERS/server$number-$MAJOR"
	done
	return $status
}

verb_cluster()
{
	prepare python3
	build_or_die
	say "starting three throwaway servers, PostgreSQL $MAJOR ..."
	on_three_servers test/servers/show.py
}
