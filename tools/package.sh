# package.sh: what users install: the release archive, Debian packages, the image of a container.
# Part of ./dev, which sources it.

verb_package()
{
	declare -F "package_${1:-archive}" >/dev/null || die "package takes deb or docker, or nothing"
	"package_${1:-archive}" "${@:2}"
}

# Archives HEAD in the form PGXN wants, and proves that the archive builds without git.
package_archive()
{
	local version zip unpacked

	prepare python3
	note_changes
	unpacked=$STATE/build/package
	rm -rf "$unpacked"
	as_worker mkdir -p "$unpacked"
	repo_git archive HEAD | as_worker tar -C "$unpacked" -x ||
		die "could not archive HEAD"
	version=$(as_worker python3 -B tools/check_meta.py "$unpacked") ||
		die "META.json is not fit for release"
	as_worker python3 -B tools/check_meta.py --publish "$unpacked" >/dev/null ||
		say "note: not to be published before that is filled in, see doc/releasing.md"
	WERROR=-Werror build_extension "$unpacked" gcc >"$LOGS/package.log" 2>&1 ||
		die "the archive does not build, see $LOGS/package.log"

	mkdir -p "$REPO/dist"
	zip=$REPO/dist/idtypes-$version.zip
	repo_git archive --format=zip --prefix="idtypes-$version/" -o "$zip" HEAD ||
		die "could not archive HEAD"
	say "$zip"
}

# What follows is done in Debian folders: functions without arguments, run one after the other.

# Builds the Debian source package that lies in /srv; cleaned, its folder is as it was.
build_deb()
{
	apt-get -q update
	apt-get -q -y --no-install-recommends install build-essential lintian postgresql-server-dev-all
	cd /srv/idtypes-*/
	pg_buildext updatecontrol
	apt-get -q -y --no-install-recommends build-dep ./
	find . -type f | sort >../before
	dpkg-buildpackage -us -uc
	debian/rules clean
	find . -type f | sort | diff ../before -
	lintian --fail-on error ../*.changes
}

install_deb()
{
	apt-get -q update
	apt-get -q -y --no-install-recommends install /srv/postgresql-*-idtypes_*.deb
}

# The tests that the source package brings, on what is installed.
test_deb()
{
	apt-get -q -y --no-install-recommends install autopkgtest
	autopkgtest --no-built-binaries /srv/idtypes_*.dsc -- null
}

# What the official image of PostgreSQL has.
install_server()
{
	apt-get -q update
	PG_MAJOR=$(apt-cache depends postgresql | sed -n 's/.*Depends: postgresql-\([0-9]*\)$/\1/p')
	apt-get -q -y --no-install-recommends install "postgresql-$PG_MAJOR"
	export PG_MAJOR
}

run_dockerfile()
{
	sed -e ':a' -e '/\\$/N; s/\\\n//; ta' /src/Dockerfile | sed -n 's/^RUN //p' >/tmp/steps
	sh -ex /tmp/steps
}

# README's SQL, and what it shows.  The servers are stopped again: who makes another one afterwards
# looks for a free port by TCP, which these do not listen to.
try_readme()
{
	apt-get -q -y --no-install-recommends install python3
	pg_lsclusters -h | while read -r major name _; do
		pg_conftool "$major" "$name" set listen_addresses ''
		pg_ctlcluster "$major" "$name" start
	done
	runuser -u postgres -- env -C /usr/src/idtypes PGDATABASE=postgres \
		python3 -B test/docs/run.py README.md
	pg_lsclusters -h | while read -r major name _; do
		pg_ctlcluster "$major" "$name" stop
	done
}

# Makes a clean Debian of the release $1 in the folder $2, puts what stdin has as tar into its
# folder $3, and runs the functions named after that in it.  The log is beside the folder.
in_clean_debian()
{
	local release=$1 root=$2 into=$3

	shift 3
	copy_debian "$release" "$root"
	mkdir -p "$root/usr/src/idtypes" "$root$into"
	repo_git archive HEAD README.md test/docs test/lib | tar -C "$root/usr/src/idtypes" -x
	tar -C "$root$into" -x || die "nothing to put into $root$into"
	inside "$root" bash -c "set -ex; export DEBIAN_FRONTEND=noninteractive
		$(declare -f "$@")"'
		for step; do $step; done' inside "$@" >"$root.log" 2>&1 && return
	tail -n 30 "$root.log"
	say "failed; the folder is kept: $root, as is its log"
	return 1
}

# The source package of HEAD, unpacked beside its archive, as tar.
source_package()
{
	local folder

	folder=$(mktemp -d) || return 1
	repo_git archive --prefix="idtypes-$1/" HEAD . ':!debian' | gzip \
		>"$folder/idtypes_$1.orig.tar.gz" &&
		repo_git archive --prefix="idtypes-$1/" HEAD | tar -C "$folder" -x &&
		tar -C "$folder" -c "idtypes-$1" "idtypes_$1.orig.tar.gz" || return 1
	rm -rf "$folder"
}

# Debian packages of HEAD, built for each of the releases in a clean folder and tried in another.
package_deb()
{
	local status=0 version release built used began dist

	need_debootstrap
	note_changes
	version=$(repo_git show HEAD:debian/changelog | sed -n '1s/.*(\(.*\)-[^-]*).*/\1/p')
	[ $# -gt 0 ] || set -- bookworm trixie sid
	for release in "$@"; do
		built=$MATRIX/deb-build-$release
		used=$MATRIX/deb-use-$release
		dist=$REPO/dist/$release
		began=$EPOCHREALTIME
		say "== $release"
		source_package "$version" | in_clean_debian "$release" "$built" /srv build_deb ||
			{ status=1; continue; }
		sed -n 's/^[EW]: /&/p' "$built.log"
		rm -rf "$dist"
		mkdir -p "$dist"
		find "$built/srv" -maxdepth 1 -type f -name '*idtypes*' -exec cp -t "$dist" {} +
		say "built in $(elapsed "$began") s: $dist"
		began=$EPOCHREALTIME
		tar -C "$dist" -c . | in_clean_debian "$release" "$used" /srv install_deb try_readme \
			test_deb || { status=1; continue; }
		say "installed and tried in $(elapsed "$began") s"
		rm -rf --one-file-system "$built" "$used"
	done
	return $status
}

# The steps of the Dockerfile, with a Debian of the release $1 in place of the official image.
package_docker()
{
	local release=${1:-trixie} began=$EPOCHREALTIME

	need_debootstrap
	note_changes
	repo_git archive HEAD | in_clean_debian "$release" "$MATRIX/docker-build" /src \
		install_server run_dockerfile || return 1
	tar -C "$MATRIX/docker-build/out" -c . | in_clean_debian "$release" "$MATRIX/docker-use" / \
		install_server try_readme || return 1
	say "the steps of the Dockerfile work on $release, in $(elapsed "$began") s"
	rm -rf --one-file-system "$MATRIX/docker-build" "$MATRIX/docker-use"
}
