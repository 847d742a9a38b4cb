# upgrade.sh: data through pg_upgrade and dumps, over all majors that Debian offers.
# Part of ./dev, which sources it.

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

# pg_upgrade starts the servers of both majors, so all are brought into the folder of the newest
# release.  Every release has a folder, this machine's too: what is in it are the minor versions
# that a release began or continued with, and these upgrade each other.
verb_upgrade()
{
	local release root newest=$MATRIX/${RELEASES[-1]} state servers pg_config

	need_debootstrap
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
	say "== pg_upgrade and dumps"
	inside "$newest" runuser -u postgres -- "$state/src/test/upgrade/run.sh" "$state/servers"
}
