# clients.sh: the programs in examples/clients, each run with the client library that it is for; and
# encrypted ids, compared with those of a library that an application may use.
# Part of ./dev, which sources it.

# Installs what the programs need, as far as this Debian has it.  What is missing is said by the
# table, which looks at what is installed.
need_client_packages()
{
	local -a wanted offered

	mapfile -t wanted < <(grep -v '^#' "$REPO/examples/clients/clients.tsv" | tail -n +2 |
		cut -f 3,4 | tr '\t,' '\n\n' | grep -v -e '^$' -e '^npm:' | sort -u)
	# a nodejs that is not Debian's brings an npm along and gets into the way of Debian's
	command -v npm >/dev/null || wanted+=(nodejs npm)
	# has FF1, to compare ours with
	wanted+=(libbcprov-java)
	[ -n "$(apt-cache madison python3)" ] || apt_update
	mapfile -t offered < <(apt-cache madison "${wanted[@]}" 2>/dev/null | awk '{ print $1 }' |
		sort -u)
	need_installed_packages "${offered[@]}"
}

# Installs the npm packages of the lock into the folder $1, unless they are there.
need_npm_packages()
{
	local folder=$1 sources=$REPO/examples/clients

	cmp -s "$sources/package-lock.json" "$folder/package-lock.json" && return 0
	say "installing npm packages ..."
	rm -rf "$folder"
	mkdir -p "$folder" && cp "$sources"/package*.json "$folder" || return 1
	if ! (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund) >"$LOGS/npm.log" 2>&1; then
		rm "$folder/package-lock.json"
		tail -n 20 "$LOGS/npm.log" >&2
		die "npm ci failed, see above"
	fi
}

# A client that knows TCP only needs a port, and with it a password, as every user of this machine
# could connect to that.  Arguments are the programs to run, all of them without.
verb_clients()
{
	local port password status=0

	need_client_packages
	prepare "${PYTHON_PACKAGES[@]}"
	build_or_die
	need_npm_packages "$STATE/npm"
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])') || die "no free port"
	password=$(od -An -N 16 -tx1 /dev/urandom | tr -d ' \n')
	start_new_cluster clients "fsync = off" "listen_addresses = '127.0.0.1'" "port = $port"
	WORKER_ENV=(PGHOST="$SOCKET" PGPORT="$port" PGUSER=postgres PGPASSWORD="$password"
		PGDATABASE=postgres)
	as_worker psql -Xq -c "ALTER ROLE postgres PASSWORD '$password'" || die "no password"
	LIMIT=${IDTYPES_LIMIT:-14400}
	limited python3 -B test/clients/run.py "$STATE/build/clients" "$STATE/npm/node_modules" "$@" ||
		status=1
	[ $# -gt 0 ] || limited python3 -B test/oracle/ff1_peer.py || status=1
	return $status
}
