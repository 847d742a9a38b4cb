# common.sh: messages, the state folder, the unprivileged worker, the copy of the sources.

say()
{
	printf '%s\n' "$@"
}

die()
{
	printf 'dev: %s\n' "$*" >&2
	exit 1
}

# git on the checkout, also where that belongs to another user.
repo_git()
{
	git -c safe.directory='*' -C "$REPO" "$@"
}

# The archive of a release and the acceptance test are made from HEAD; says so if that matters.
note_changes()
{
	repo_git diff --quiet HEAD || say "note: this is about HEAD, which lacks your changes"
}

# Seconds since $1, a value of EPOCHREALTIME, with one decimal.
elapsed()
{
	awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }'
}

# Two checkouts, or two users of one, must not share a state folder.
use_state()
{
	STATE=$1
	SRC=$STATE/src
	LOGS=$STATE/logs
	CLUSTERS=$STATE/clusters
}
use_state \
	"${IDTYPES_STATE:-/var/tmp/idtypes-$(id -un)-$(printf '%s' "$REPO" | cksum | cut -d' ' -f1)}"

# Refuses a state folder that make, or a comparison with the folder a process works in, would
# misread.  Nothing has been done yet when this is called.
check_state()
{
	local real

	[[ $STATE != *[^A-Za-z0-9_./+-]* ]] ||
		die "IDTYPES_STATE may hold only letters, digits and _ . / + -, unlike \"$STATE\""
	real=$(realpath -m "$STATE")
	[ "$STATE" = "$real" ] || die "IDTYPES_STATE must be an absolute path without symbolic links," \
		"such as $real, unlike $STATE"
}

# Sets AS_WORKER to what goes before a command to run it as the unprivileged worker, in an
# environment that is the same for every user and machine.  Python finds there what the suites
# share, from the folder of the sources or a copy of it.  All of it replaces itself by the command,
# so that process ids and signals are the command's own.
WORKER_ENV=()
set_as_worker()
{
	local variable

	AS_WORKER=(env -i HOME="$STATE/home" PATH="${BIN:+$BIN:}/usr/bin:/bin" LC_ALL=C.UTF-8
		TMPDIR=/tmp PYTHONPATH=test/lib:test/oracle:bench/lib PYTHONDONTWRITEBYTECODE=1
		"${WORKER_ENV[@]}")
	while read -r variable; do
		AS_WORKER+=("$variable=${!variable}")
	done < <(compgen -e | grep -E '^(IDTYPES_|CI$|TERM$)')
	[ "$(id -u)" -ne 0 ] || AS_WORKER=(setpriv --reuid="$WORKER" --regid="$(id -g "$WORKER")"
		--init-groups "${AS_WORKER[@]}")
}

# Runs a command as the worker.  Descriptor 9 holds the lock, which no server may inherit.
as_worker()
{
	set_as_worker
	"${AS_WORKER[@]}" "$@" 9>&-
}

# The same for a command that may hang: after LIMIT seconds, or IDTYPES_LIMIT, it and all that it
# started are ended.
# It runs beside the shell, because a shell that waits for a command heeds no signal until then.
CHILD=
LIMIT=3600
limited()
{
	local status=0

	set_as_worker
	"${AS_WORKER[@]}" timeout -k 30 "${IDTYPES_LIMIT:-$LIMIT}" "$@" 9>&- <&0 &
	CHILD=$!
	wait "$CHILD" || status=$?
	CHILD=
	[ $status -ne 124 ] || say "took longer than ${IDTYPES_LIMIT:-$LIMIT} s and was ended: $1"
	return $status
}

# Ends what runs, on a signal: the command of limited(), and the jobs of "test".
interrupted()
{
	trap '' INT TERM HUP
	if [ -n "$CHILD" ]; then
		kill "$CHILD"
		wait "$CHILD"
	fi
	end_jobs
	exit "$1"
}

# Makes the state folder, takes its lock and clears what an earlier run may have left running.
open_state()
{
	local folder

	if [ "$(id -u)" -eq 0 ]; then
		WORKER=${IDTYPES_USER:-postgres}
		# The user comes with the server's package, and what needs no server does not install it.
		[ -n "${IDTYPES_USER:-}" ] || id -u "$WORKER" >/dev/null 2>&1 || WORKER=nobody
		id -u "$WORKER" >/dev/null 2>&1 || die "there is no user $WORKER (see IDTYPES_USER)"
		[ "$(id -u "$WORKER")" -ne 0 ] || die "a PostgreSQL server does not run as root"
	else
		WORKER=$(id -un)
	fi
	mkdir -p "$STATE" || die "cannot make the state folder $STATE"
	# The default name can be guessed, so make sure that no other user was there first.
	[ -O "$STATE" ] && [ ! -L "$STATE" ] || die "the state folder $STATE belongs to another user"
	chmod 755 "$STATE"
	exec 9>"$STATE/lock"
	flock -n 9 || die "another ./dev is at work in $STATE; wait, or set IDTYPES_STATE"
	for folder in home src clusters logs usr build; do
		mkdir -p "$STATE/$folder"
		[ "$(stat -c %U "$STATE/$folder")" = "$WORKER" ] || chown -R "$WORKER": "$STATE/$folder"
	done
	cd "$SRC" || die "cannot enter $SRC"
	# Only from here on is there something to stop.
	trap 'stop_clusters "$CLUSTERS"' EXIT
	trap 'interrupted 130' INT
	trap 'interrupted 143' TERM HUP
	# An interrupted run, or a TAP test, may have left some behind.
	stop_clusters "$CLUSTERS"
}

# The names of the project's files, each ended by a null byte: what git knows plus what it would
# not ignore.
list_sources()
{
	(
		cd "$REPO" || exit 1
		if [ -e .git ]; then
			repo_git ls-files -z --cached --others --exclude-standard |
				while IFS= read -r -d '' file; do
					[ ! -e "$file" ] || printf '%s\0' "$file"
				done
		else
			list_unpacked
		fi
	)
}

# The same in an unpacked archive, where git may not even be installed.  Of the patterns of
# .gitignore, tar takes names as they stand, and paths from the top in its own form.
list_unpacked()
{
	sed '/^#/d; /^$/d; s,^/,./,; s,/$,,' .gitignore | tar -c --exclude-from=- . |
		tar -t --quoting-style=literal | sed -n 's,^\./\(.*[^/]\)$,\1,p' | tr '\n' '\0'
}

# Copies the sources into the folder $1, keeping times so that make stays incremental.
copy_sources()
{
	list_sources | tar -C "$REPO" --null -T - -c --owner=0 --group=0 |
		as_worker tar -C "$1" -x --no-same-owner || die "could not copy the sources to $1"
}

# Brings $SRC up to date: files that an earlier copy brought and that have gone since go there, too.
update_sources()
{
	local list=$STATE/sources

	list_sources | sort -z >"$list.new" || die "cannot list the sources in $REPO"
	[ -s "$list.new" ] || die "no sources found in $REPO"
	[ ! -e "$list" ] || comm -z -23 "$list" "$list.new" |
		(cd "$SRC" && as_worker xargs -0 -r rm -f --)
	copy_sources "$SRC"
	mv "$list.new" "$list"
}

# Gets everything in place to build and to run servers; $@ are further packages that are needed.
prepare()
{
	prepare_with ${PACKAGES[server]} "$@"
}

# The same with no more than the packages $@, and without a server if that is not one of them.
prepare_with()
{
	need_packages "$@"
	open_state
	update_sources
	[[ " $* " != *" postgresql-NN "* ]] || make_private_server
}

verb_clean()
{
	open_state
	trap - EXIT
	rm -rf "$REPO/dist" "$STATE"-*
	cd / && rm -rf "$STATE" && say "removed $STATE"
}
