# timescaledb.sh: the SQL of doc/timescaledb.md, run with the TimescaleDB that Debian packages.
# Part of ./dev, which sources it.

# The release that packages it, which is made in a folder elsewhere.
TIMESCALEDB_RELEASE=sid

# In the folder, the newest major that has the package is taken: a new server comes before it.
verb_timescaledb()
{
	local root=$MATRIX/$TIMESCALEDB_RELEASE names='^postgresql-[0-9]+-timescaledb$' package

	# Only testing and sid have no version.
	if [ "$(. /etc/os-release && echo "${VERSION_ID:-sid}")" != sid ]; then
		need_debootstrap
		have_debian "$TIMESCALEDB_RELEASE" "$root" || die "debootstrap failed, see $root.log"
		dev_inside "$root" timescaledb
		return
	fi
	[ -n "$(apt-cache search --names-only "$names")" ] || apt_update
	package=$(apt-cache search --names-only "$names" | sed 's/ .*//' | sort -V | tail -n 1)
	[ -n "$package" ] || die "no package postgresql-NN-timescaledb on offer here"
	PG_MAJOR=${package//[!0-9]/}
	prepare "${PYTHON_PACKAGES[@]}"
	add_to_private_server "$package"
	build_or_die
	start_new_cluster timescaledb "fsync = off" "shared_preload_libraries = 'timescaledb'"
	say "PostgreSQL $MAJOR, $package $(apt-cache show "$package" | sed -n 's/^Version: //p')"
	limited python3 -B test/docs/run.py --here tools/timescaledb.sh doc/timescaledb.md
}
