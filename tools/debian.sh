# debian.sh: other Debian releases and architectures, in folders of their own: "./dev in".

# Those that have different majors of PostgreSQL, the oldest first; where all are kept.
RELEASES=(bookworm trixie sid experimental)
MATRIX=/var/tmp/idtypes-matrix
# What "./dev in" exits with where a release cannot be installed, so that nothing was run.
CANNOT=77

# Everything that runs inside such a folder runs in mount and process namespaces that end with it:
# its mounts and processes are gone afterwards whatever happens, and removing the folder can never
# reach /dev or /proc of this machine.  The folder becomes their root, as the kernel gives users no
# namespaces where the root was changed by chroot.
inside()
{
	local root=$1

	shift
	unshare --mount --pid --fork --kill-child bash -c '
		root=$1
		shift
		mount --bind "$root" "$root" && cd "$root" &&
			mount -t proc proc proc && mount --rbind /dev dev &&
			pivot_root . . && umount -l / &&
			exec env -i HOME=/root TERM="$TERM" LC_ALL=C.UTF-8 \
				PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
	' inside "$root" "$@" </dev/null
}

# The Debian mirror that this machine's own packages come from.
debian_mirror()
{
	apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Component: main' \
		'Origin: Debian' "Codename: $(. /etc/os-release && echo "$VERSION_CODENAME")" |
		head -n 1
}

# Makes a minimal Debian of the release $1 in the folder $2, in which apt works as it does here; for
# the architecture $3 if that is another one.  Fails if the release is not on offer.  Experimental
# is sid, with the PostgreSQL servers that are only there and the libpq that their packages need.
make_debian()
{
	local release=$1 root=$2 arch=${3:-$(dpkg --print-architecture)} mirror

	mirror=$(debian_mirror)
	[ -n "$mirror" ] || die "apt knows no Debian mirror"
	rm -rf --one-file-system "$root" "$root.new"
	mkdir -p "$(dirname "$root")"
	debootstrap --arch="$arch" --variant=minbase --include=ca-certificates,git \
		"${release/experimental/sid}" "$root.new" "$mirror" >"$root.log" 2>&1 </dev/null || return 1
	if [ "$release" = experimental ]; then
		say "deb $mirror experimental main" >>"$root.new/etc/apt/sources.list"
		say 'Package: postgresql-* libpq*' 'Pin: release a=experimental' 'Pin-Priority: 500' \
			>"$root.new/etc/apt/preferences.d/experimental"
	fi
	# Proxies and the like; and a snapshot of sid, or a wrong clock, is no reason to give up.
	{
		apt-config dump | grep -E '^Acquire::(https?|Retries|Check-)[^"]* "'
		say 'Acquire::Check-Valid-Until "false";'
	} >"$root.new/etc/apt/apt.conf.d/90idtypes"
	printf '#!/bin/sh\nexit 101\n' >"$root.new/usr/sbin/policy-rc.d"
	chmod 755 "$root.new/usr/sbin/policy-rc.d"
	mv "$root.new" "$root"
}

need_debootstrap()
{
	[ "$(id -u)" -eq 0 ] || die "this needs root"
	need_installed_packages debootstrap
	[ -n "$(debian_mirror)" ] || apt_update
}

# The same unless it is there already.
have_debian()
{
	[ -e "$2/etc/debian_version" ] || make_debian "$@"
}

# Makes a clean Debian of the release $1 in the folder $2: a copy of one that is kept.
copy_debian()
{
	have_debian "$1" "$MATRIX/clean-$1" || die "debootstrap failed, see $MATRIX/clean-$1.log"
	rm -rf --one-file-system "$2" && cp -a "$MATRIX/clean-$1" "$2" || die "cannot make $2"
}

# Runs ./dev on the checkout's files in such a folder; what it says is in $1.out as well.
dev_inside()
{
	local root=$1

	shift
	rm -rf --one-file-system "$root/root/idtypes"
	mkdir -p "$root/root/idtypes"
	# new as of now, or make would keep what another checkout has left there
	list_sources | tar -C "$REPO" --null -T - -c |
		tar -C "$root/root/idtypes" -x --no-same-owner --touch
	inside "$root" env CI="${CI:-}" PG_MAJOR="${PG_MAJOR:-}" IDTYPES_JOBS="${IDTYPES_JOBS:-}" \
		/root/idtypes/dev "$@" | tee "$root.out"
}

# Copies the server of a release, with the extension that ./dev has built there, into the folder
# $3: $1 is the release's folder, $2 the pg_config that "build" named.  So are its libraries that
# the newest release, in the folder $4, lacks.
take_server()
{
	local root=$1 folder=${2%/bin/pg_config} servers=$3 newest=$4 part library

	for part in lib share; do
		mkdir -p "$servers/$part/postgresql"
		cp -a "$root${folder/\/usr\/lib\///usr/$part/}" "$servers/$part/postgresql/" || return 1
	done
	# Some programs are scripts, at which ldd fails.
	for library in $(inside "$root" find "$folder" -type f ! -name 'llvmjit*' \
		\( -path '*/bin/*' -o -name '*.so' \) -exec ldd {} + 2>/dev/null |
		awk '$3 ~ /^\// { print $3 }' | sort -u); do
		[ -e "$newest$library" ] || cp -Lf "$root$library" "$servers/compat/" || return 1
	done
}

# Builds in each release, and brings the servers of all into the state folder of the one in the
# folder $1, where pg_upgrade then starts them.  This machine's release has a folder too: what is in
# it are the minor versions that a release began or continued with, and these upgrade each other.
bring_servers()
{
	local release root newest=$1 state servers pg_config

	for release in "${RELEASES[@]}"; do
		root=$MATRIX/$release
		say "== $release"
		have_debian "$release" "$root" || die "no $release, see $root.log"
		dev_inside "$root" build || die "cannot build in $root"
	done
	state=$(sed -n 's/^installed into \(.*\)\/usr$/\1/p' "$newest.out")
	servers=$newest$state/servers
	rm -rf "$servers"
	mkdir -p "$servers/compat"
	for release in "${RELEASES[@]}"; do
		root=$MATRIX/$release
		pg_config=$(sed -n 's/^pg_config: //p' "$root.out")
		take_server "$root" "$pg_config" "$servers" "$newest" || die "no server in $root"
	done
	chmod -R a+rX "$servers"
}

# The acceptance test: what a stranger does, on a machine of the release $1 that has only git.
in_new_debian()
{
	local release=$1 root status=0 step began

	root=$(mktemp -d "$MATRIX/new-$release.XXXXXX") && rmdir "$root"
	say "making a new $release in $root ..."
	make_debian "$release" "$root" || die "debootstrap failed, see $root.log"
	note_changes
	repo_git clone -q --bare --no-hardlinks "$REPO" "$root/root/idtypes.git" ||
		die "could not clone $REPO"
	inside "$root" git clone -q /root/idtypes.git /root/idtypes || die "could not clone"
	for step in demo test; do
		began=$EPOCHREALTIME
		say "== ./dev $step"
		inside "$root" /root/idtypes/dev $step || status=1
		say "== ./dev $step took $(elapsed "$began") s"
	done
	if [ $status -eq 0 ]; then
		rm -rf --one-file-system "$root" "$root.log"
	else
		say "failed; the folder is kept: $root"
	fi
	return $status
}

# Runs a verb in a Debian folder, which is made if it is not there: of the release, and for the
# architecture, named; or, with "all", in those of all other releases.
verb_in()
{
	local target=${1:-} verb=${2:-} release arch root failed=0
	local -a releases summary=()

	shift 2
	[[ $target =~ ^[a-z]+(/[a-z0-9]+)?$ ]] || die "in takes a release, like trixie or bookworm/i386"
	[[ $verb = --new || $verb = --servers ]] || declare -F "verb_$verb" >/dev/null ||
		die "in takes a verb of ./dev, not \"$verb\""
	need_debootstrap
	mkdir -p "$MATRIX"
	if [ "$verb" = --new ]; then
		in_new_debian "$target"
		return
	fi
	releases=("$target")
	[ "$target" != all ] || mapfile -t releases < <(printf '%s\n' "${RELEASES[@]}" |
		grep -vx "$(. /etc/os-release && echo "$VERSION_CODENAME")")
	for target in "${releases[@]}"; do
		release=${target%/*} arch=${target#"$release"}
		root=$MATRIX/${target//\//-}
		say "== $target"
		if ! have_debian "$release" "$root" "${arch#/}"; then
			summary+=("$target  missing (see $root.log)")
			printf 'dev: %s cannot be installed: %s, see %s\n' "$target" \
				"$(grep -m 1 '^[EW]: ' "$root.log")" "$root.log" >&2
			[ $failed -ne 0 ] || failed=$CANNOT
		elif [ "$verb" = --servers ]; then
			bring_servers "$root" && dev_inside "$root" "$@" || failed=1
		else
			dev_inside "$root" "$verb" "$@" || failed=1
			summary+=("$target  $(sed -n 's/^PostgreSQL \([0-9]*\),.*/\1/p' "$root.out")  $(
				tail -n 1 "$root.out")")
		fi
	done
	[ ${#releases[@]} -eq 1 ] || printf '%s\n' "== all" "${summary[@]}"
	return $failed
}
