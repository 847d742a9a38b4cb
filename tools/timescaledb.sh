# timescaledb.sh: the SQL of doc/timescaledb.md, run with the TimescaleDB that Debian packages.
# Part of ./dev, which sources it.

# The release that packages it, which is made in a folder elsewhere.
TIMESCALEDB_RELEASE=sid

# Copies the files of the package $1 into the private server.  The package is not installed, so
# that the server of the folder, which ./dev matrix uses too, remains as it is.
add_to_private_server()
{
	local package=$1 work part

	work=$(mktemp -d) || die "no place to download to"
	(cd "$work" && apt-get -qq -o APT::Sandbox::User=root download "$package" &&
		dpkg -x "$package"_*.deb files) || die "cannot get the package $package"
	for part in lib share; do
		tar -C "$work/files/usr/$part/postgresql" -c . |
			as_worker tar -C "$STATE/usr/$part/postgresql" -x --no-same-owner ||
			die "cannot copy $package into $STATE/usr"
	done
	rm -rf "$work"
}

# Only testing and sid have no version.
verb_timescaledb()
{
	local root=$MATRIX/$TIMESCALEDB_RELEASE package

	if [ "$(. /etc/os-release && echo "${VERSION_ID:-sid}")" != sid ]; then
		need_debootstrap
		have_debian "$TIMESCALEDB_RELEASE" "$root" || die "debootstrap failed, see $root.log"
		dev_inside "$root" timescaledb
		return
	fi
	prepare python3
	package=postgresql-$MAJOR-timescaledb
	[ -n "$(apt-cache madison "$package")" ] || apt_update
	add_to_private_server "$package"
	build_or_die
	start_new_cluster timescaledb "fsync = off" "shared_preload_libraries = 'timescaledb'"
	say "PostgreSQL $MAJOR, $package $(apt-cache show "$package" | sed -n 's/^Version: //p')"
	limited python3 -B test/docs/run.py --here tools/timescaledb.sh doc/timescaledb.md
}
