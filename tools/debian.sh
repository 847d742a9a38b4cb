# debian.sh: minimal Debian releases in folders of their own, to test on.
# Part of ./dev, which sources it.

# Those that have different majors of PostgreSQL, the oldest first; where they are kept.
RELEASES=(bookworm trixie sid experimental)
MATRIX=${IDTYPES_MATRIX:-/var/tmp/idtypes-matrix}

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
	inside "$root" env CI="${CI:-}" /root/idtypes/dev "$@" | tee "$root.out"
}

verb_matrix()
{
	local verb=test failed=0 release root here
	local -a summary=()

	if [ "${1:-}" = -v ]; then
		verb=${2:-}
		declare -F "verb_$verb" >/dev/null || die "matrix -v takes a verb, not \"$verb\""
		shift 2
	fi
	[ "$verb" != test ] || [ "${1:-}" = list ] || select_tests "$@"
	need_debootstrap
	here=$(. /etc/os-release && echo "$VERSION_CODENAME")
	for release in "${RELEASES[@]}"; do
		[ "$release" != "$here" ] || continue
		root=$MATRIX/$release
		say "== $release"
		if ! have_debian "$release" "$root"; then
			summary+=("$release  missing (see $root.log)")
			continue
		fi
		dev_inside "$root" "$verb" "$@" || failed=1
		summary+=("$release  $(sed -n 's/^PostgreSQL \([0-9]*\),.*/\1/p' "$root.out")  $(
			tail -n 1 "$root.out")")
	done
	say "== matrix"
	printf '%s\n' "${summary[@]}"
	return $failed
}

# The acceptance test: what a stranger does, on a machine that has nothing but git.
verb_fresh()
{
	local release=${1:-bookworm} root status=0 step began

	need_debootstrap
	root=$(mktemp -d "/var/tmp/idtypes-fresh-$release.XXXXXX")
	rmdir "$root"
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
