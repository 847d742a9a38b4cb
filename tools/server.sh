# server.sh: the private copy of the PostgreSQL server, and throwaway clusters of it.

# PostgreSQL's programs find their folders relative to their own place, so a copy of the two folders
# of a Debian server is a server of its own, with a pg_config that names the copy.  The extension is
# installed there.  Headers and time zones remain the system's.
make_private_server()
{
	local root=$STATE/usr version part folder
	local -a parts=("lib/postgresql/$MAJOR" "share/postgresql/$MAJOR")

	BIN=$root/lib/postgresql/$MAJOR/bin
	PG_CONFIG=$BIN/pg_config
	TEMPLATE=$root/initdb-$MAJOR
	version=$(dpkg-query -W -f '${Package} ${Version}\n' "postgresql-$MAJOR" \
		"postgresql-server-dev-$MAJOR") || die "PostgreSQL $MAJOR is not installed"
	[ -e "$TEMPLATE" ] &&
		[ "$version" = "$(cat "$root/version-$MAJOR" 2>/dev/null)" ] && return 0

	say "copying the PostgreSQL $MAJOR server to $root ..."
	for part in "${parts[@]}"; do
		as_worker rm -rf "$root/$part"
		as_worker mkdir -p "$root/$part"
		# The LLVM bitcode is most of its size and of no use here.
		tar -C "/usr/$part" -c --exclude=./lib/bitcode . | as_worker tar -C "$root/$part" -x ||
			die "could not copy /usr/$part"
	done
	as_worker ln -sfn /usr/include "$root/include"
	for folder in pkglibdir sharedir pgxs; do
		case $("$PG_CONFIG" --$folder) in
			"$root"/*) ;;
			*) die "the copied server still refers to the system's $folder" ;;
		esac
	done
	as_worker rm -rf "$TEMPLATE"
	as_worker "$SRC/test/lib/new_cluster" "$TEMPLATE" / ||
		die "initdb failed, see above"
	# a copy has settings of its own
	as_worker truncate -s 0 "$TEMPLATE/postgresql.auto.conf"
	printf '%s\n' "$version" | as_worker tee "$root/version-$MAJOR" >/dev/null
}

# The file that says that the package $1 is there.
neighbour_file()
{
	say "$STATE/usr/neighbours/${1//NN/$MAJOR}"
}

# Copies the files of the package $1 into the private server, if it is on offer.  The package is not
# installed: the servers of this machine remain as they are.
add_to_private_server()
{
	local package=${1//NN/$MAJOR} mark work part

	mark=$(neighbour_file "$1")
	[ ! -e "$mark" ] || return 0
	[ -n "$(offered_packages "$package")" ] || return 0
	work=$(mktemp -d) || die "no place to download to"
	(cd "$work" && apt-get -qq -o APT::Sandbox::User=root download "$package" &&
		dpkg -x "$package"_*.deb files) || die "cannot get the package $package"
	for part in lib share; do
		[ -d "$work/files/usr/$part/postgresql" ] || continue
		tar -C "$work/files/usr/$part/postgresql" -c . |
			as_worker tar -C "$STATE/usr/$part/postgresql" -x --no-same-owner ||
			die "cannot copy $package into $STATE/usr"
	done
	rm -rf "$work"
	as_worker mkdir -p "$(dirname "$mark")" && as_worker touch "$mark"
}

# Starts the cluster $1 and points libpq at it; makes it first if it is not there yet, as a copy of
# the one that initdb has made once.  Further arguments are lines for postgresql.conf.
start_cluster()
{
	local data=$CLUSTERS/$1-$MAJOR log=$LOGS/${JOB:+$JOB-}server-$1.log

	shift
	SOCKET=$(as_worker mktemp -d /tmp/idtypes.XXXXXX) || die "no place for a socket"
	[ -e "$data/PG_VERSION" ] || as_worker cp -a "$TEMPLATE" "$data" ||
		die "cannot make a cluster in $data"
	as_worker "$SRC/test/lib/new_cluster" "$data" "$SOCKET" "max_wal_size = 4GB" "$@" || exit 1
	as_worker pg_ctl -D "$data" -l "$log" -w -t 600 start >"$log.start" 2>&1 ||
		die "no server, see $log"
	rm -f "$log.start"
	WORKER_ENV+=(PGHOST="$SOCKET" PGPORT=5432 PGUSER=postgres PGDATABASE=postgres PGDATA="$data")
}

# Starts an empty cluster for tests or measurements.
start_new_cluster()
{
	as_worker rm -rf "$CLUSTERS/$1-$MAJOR"
	start_cluster "$@"
}

# Stops the cluster in the data folder $1, if it runs.  A process id in a file may since have become
# that of another process, but a server runs in its data folder.
stop_cluster()
{
	local data=$1 pid socket

	[ -e "$data/postmaster.pid" ] || return 0
	{
		read -r pid
		read -r _; read -r _; read -r _
		read -r socket
	} <"$data/postmaster.pid"
	if [ "$(readlink "/proc/$pid/cwd")" = "$data" ]; then
		kill -INT "$pid"
		timeout 60 tail --pid="$pid" -f /dev/null || kill -QUIT "$pid"
	fi
	case $socket in
		/tmp/idtypes.*) rm -rf "$socket" ;;
	esac
}

# Stops every cluster below the folder $1.
stop_clusters()
{
	local data

	while read -r data; do
		stop_cluster "$data"
	done < <(find "$1" -maxdepth 6 -name postmaster.pid -printf '%h\n' 2>/dev/null)
}

# Builds the sources in the folder $1; further arguments are passed to make.
#
# Server headers raise warnings of their own under -Wextra and -Wshadow.  Naming their folders with
# -isystem makes the compiler drop the -I that PGXS gives for the same folders and keep quiet about
# them, so that every warning left is ours.  PostgreSQL's function interface has parameters that a
# function need not use, and its macros compare signed with unsigned lengths; the core, which has
# neither, does without these two exceptions (see test/source/run).
#
# FURTHER_FLAGS are for the compiler, where a build is another one than the released one.
FURTHER_FLAGS=
build_extension()
{
	local flags="-Wall -Wextra -Wshadow -Wstrict-prototypes -Wno-unused-parameter -Wno-sign-compare"

	flags+=" -isystem $("$PG_CONFIG" --includedir-server) -isystem $("$PG_CONFIG" --includedir)"
	limited make -C "$1" -s -k -j "$(nproc)" PG_CONFIG="$PG_CONFIG" with_llvm=no CC=gcc \
		COPT="$flags $FURTHER_FLAGS" "${@:2}"
}

# Builds the sources and installs them into the private server.
install_extension()
{
	build_extension "$SRC" && build_extension "$SRC" install
}

# The same for a verb that needs it for something else: its first errors if it fails.
build_or_die()
{
	say "building ..."
	install_extension >"$LOGS/build.log" 2>&1 && return
	awk -f "$REPO/tools/failures.awk" "$LOGS/build.log" >&2
	die "the build failed, see $LOGS/build.log"
}

verb_build()
{
	prepare
	build_or_die
	cat "$LOGS/build.log"
	say "installed into $STATE/usr"
	say "pg_config: $PG_CONFIG"
}

verb_shell()
{
	prepare
	[ -e "$STATE/clusters/demo-$MAJOR/PG_VERSION" ] || die "no demo yet: run ./dev demo"
	build_or_die
	start_cluster demo
	say "The demo's server runs until you leave psql."
	as_worker psql "$@"
}

# bench/run makes a cluster of its own; what it found goes back to the checkout, to be looked
# at and committed.  Other extensions that make ids are measured where Debian packages them.
verb_bench()
{
	local status=0 package

	prepare ${PACKAGES[python]} valgrind
	for package in postgresql-NN-{pg-uuidv7,timescaledb}; do
		add_to_private_server "$package"
	done
	build_or_die
	touch "$STATE/bench-began"
	WORKER_ENV+=(PG_CONFIG="$PG_CONFIG" COMMIT="$(repo_git describe --always --dirty)")
	LIMIT=86400
	limited bench/run "$@" || status=$?
	find bench -type f -newer "$STATE/bench-began" -print0 | tar -c --null -T - |
		tar -C "$REPO" -x --no-same-owner
	return $status
}

# Ids in Citus, which Debian does not package: builds a copy of the sources in the folder $1 for
# the private server.
verb_citus()
{
	local sources=${1:-} folder compat stamp version

	[ -x "$sources/configure" ] || die "citus takes a folder with the sources of Citus"
	sources=$(realpath "$sources")
	prepare ${PACKAGES[python]} libkrb5-dev libzstd-dev
	folder=$STATE/build/citus-$MAJOR
	compat=$folder/src/include/pg_version_compat.h
	stamp=$folder/copied
	version="$sources, $("$PG_CONFIG" --version)"
	if [ "$version" != "$(cat "$stamp" 2>/dev/null)" ] ||
		[ -n "$(find "$sources" -type f -newer "$stamp" -print -quit)" ]
	then
		as_worker rm -rf "$folder"
		as_worker mkdir -p "$folder"
		tar -C "$sources" --exclude=./.git -c . | as_worker tar -C "$folder" -x --no-same-owner ||
			die "cannot copy $sources"
		# Later minors of PostgreSQL 15 export a function of which Citus 13 has a copy for 15.
		! grep -q have_createdb_privilege \
			"$("$PG_CONFIG" --includedir-server)/commands/dbcommands.h" ||
			as_worker sed -i 's/have_createdb_privilege/citus_&/' "$compat"
		limited env -C "$folder" ./configure PG_CONFIG="$PG_CONFIG" --without-libcurl \
			--without-lz4 --without-zstd >"$LOGS/citus.log" 2>&1 || die "see $LOGS/citus.log"
		say "$version" | as_worker tee "$stamp" >/dev/null
	fi
	say "building Citus, for some minutes the first time ..."
	limited make -C "$folder" -s -j "$(nproc)" with_llvm=no install-extension \
		>>"$LOGS/citus.log" 2>&1 || die "cannot build Citus, see $LOGS/citus.log"
	build_or_die
	WORKER_ENV+=(PG_CONFIG="$PG_CONFIG")
	limited test/servers/citus.py "${@:2}"
}

# What the types do, on real rows, in under a minute.
verb_demo()
{
	local began

	prepare
	began=$EPOCHREALTIME
	build_or_die
	say "starting a throwaway PostgreSQL $MAJOR ..." ""
	start_new_cluster demo "shared_buffers = '256MB'" "synchronous_commit = off"
	as_worker psql -X -q -v rows=250000 -f tools/demo.sql |
		fold -s -w 100 || die "the demo failed"
	say "== Done in $(elapsed "$began") s" "" \
		"The server is stopped again; its data is kept.  Look around in it with psql:  ./dev shell"
}
