# package.sh: what users get: the release archive, packages for Debian and by RPM, the image of a
# container, and the site.

# Where the results go.
DIST=$REPO/dist

# The releases that packages are built for.  The volume's is the first whose server, 18 or later,
# looks for extensions in other folders.
declare -A BUILT_FOR=([deb]="bookworm trixie sid" [rpm]=trixie [docker]=trixie [volume]=sid)

verb_package()
{
	local kind=${1:-archive}

	shift
	if [ -n "${BUILT_FOR[$kind]:-}" ]; then
		package_for "$kind" ${*:-${BUILT_FOR[$kind]}}
	elif declare -F "package_$kind" >/dev/null; then
		"package_$kind"
	else
		die "package takes ${!BUILT_FOR[*]} or npm, or nothing"
	fi
}

# Writes the archive of HEAD, and proves that the archive builds without git.
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
	version=$(as_worker env -C "$unpacked" python3 tools/meta.py --check) ||
		die "META.json is not fit for release"
	as_worker env -C "$unpacked" python3 tools/meta.py --publish >/dev/null ||
		say "note: not to be published before that is filled in, see doc/releasing.md"
	build_extension "$unpacked" >"$LOGS/package.log" 2>&1 ||
		die "the archive does not build, see $LOGS/package.log"

	mkdir -p "$DIST"
	zip=$DIST/idtypes-$version.zip
	release_archive >"$zip" || die "could not archive HEAD"
	say "$zip"
}

# HEAD in the form PGXN wants, named by $version.
release_archive()
{
	repo_git archive --format=zip --prefix="idtypes-$version/" HEAD
}

# The first value of the key $1 in META.json.
meta_of_head()
{
	repo_git show HEAD:META.json | sed -n "s/^\t*\"$1\": \"\(.*\)\".*/\1/p" | head -n 1
}

# The module of js/ as a package for npm, which is tried by installing it into an empty project.
package_npm()
{
	local folder=$STATE/build/npm project=$STATE/build/npm-project packed

	# a nodejs that is not Debian's brings an npm along and gets into the way of Debian's
	command -v npm >/dev/null || need_packages nodejs npm
	prepare_with ${PACKAGES[module]}
	as_worker tools/build_module "$folder" >"$LOGS/package-npm.log" 2>&1 ||
		die "see $LOGS/package-npm.log"
	packed=$(as_worker env -C "$folder" npm pack --silent) || die "npm pack failed"
	as_worker rm -rf "$project"
	as_worker mkdir -p "$project"
	as_worker env -C "$project" npm install --silent --offline --no-audit --no-fund \
		"$folder/$packed" &&
		sed -n '/^```js$/,/^```$/{//!p}' js/README.md |
		as_worker env -C "$project" node --input-type=module >/dev/null ||
		die "the package does not work"
	mkdir -p "$DIST"
	cp "$folder/$packed" "$DIST"
	say "$DIST/$packed"
}

# What follows is done in Debian folders: functions without arguments, run one after the other.

# Builds the Debian source package that lies in /srv; cleaned, its folder is as it was.
build_deb()
{
	apt-get -q update
	apt-get -q -y --no-install-recommends install build-essential lintian postgresql-server-dev-all
	cd /srv/idtypes-*/
	# makes debian/control, for the majors of this release
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

# The packages need nothing that builds programs.
lack_compiler()
{
	! command -v cc && ! command -v gcc && ! command -v clang && ! command -v make
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

# Builds the packages of the archive and the spec file that lie in /srv.  --nodeps, as rpm does not
# know what Debian's packages have installed; _debugsource_packages, as Fedora and RHEL have it.
build_rpm()
{
	apt-get -q -y --no-install-recommends install build-essential elfutils file libssl-dev rpm \
		rpmlint unzip "postgresql-server-dev-$PG_MAJOR"
	rpmlint /srv/idtypes.spec
	rpmbuild -ba --nodeps --define '_topdir /srv' --define '_sourcedir /srv' \
		--define '_debugsource_packages 1' \
		--define "pgmajorversion $PG_MAJOR" --define "pginstdir /usr/lib/postgresql/$PG_MAJOR" \
		--define "pgsharedir /usr/share/postgresql/$PG_MAJOR" /srv/idtypes.spec
}

install_rpm()
{
	apt-get -q -y --no-install-recommends install rpm
	rpm -i --nodeps /srv/*/*.rpm
	rpm -qa | xargs rpm -V --nodeps
}

# Nothing must be left of it but the servers' marks.
remove_rpm()
{
	rpm -qa | xargs rpm -e
	find /usr -path '*idtypes*' ! -path '/usr/src/*' | diff /dev/null -
}

run_dockerfile()
{
	sed -e ':a' -e '/\\$/N; s/\\\n//; ta' /src/Dockerfile | sed -n 's/^RUN //p' >/tmp/steps
	sh -ex /tmp/steps
}

# The settings that CloudNativePG makes of an extension named idtypes.
find_volume()
{
	pg_lsclusters -h | while read -r major name _; do
		pg_conftool "$major" "$name" set extension_control_path \
			"\$system:/extensions/idtypes/share"
		pg_conftool "$major" "$name" set dynamic_library_path "\$libdir:/extensions/idtypes/lib"
	done
}

# README's SQL, and what it shows.  The servers are stopped again: who makes another one afterwards
# looks for a free port by TCP, which these do not listen to.
try_readme()
{
	apt-get -q -y --no-install-recommends install python3 python3-psycopg
	pg_lsclusters -h | while read -r major name _; do
		pg_conftool "$major" "$name" set listen_addresses ''
		pg_ctlcluster "$major" "$name" start
	done
	runuser -u postgres -- env -C /usr/src/idtypes PGDATABASE=postgres \
		PYTHONPATH=test/lib python3 -B test/docs/run.py README.md
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

# What the function $1 puts into the folder that it is given, as tar.
as_tar()
{
	local folder status=0

	folder=$(mktemp -d) || return 1
	"$1" "$folder" && (cd "$folder" && tar -c *) || status=1
	rm -rf "$folder"
	return $status
}

# The source package of HEAD, unpacked, and its archive.
source_deb()
{
	repo_git archive --prefix="idtypes-$version/" HEAD . ':!debian' | gzip -n \
		>"$1/idtypes_$version.orig.tar.gz" &&
		repo_git archive --prefix="idtypes-$version/" HEAD | tar -C "$1" -x
}

# The release archive and the spec file.
source_rpm()
{
	release_archive >"$1/idtypes-$version.zip" &&
		repo_git show HEAD:rpm/idtypes.spec >"$1/idtypes.spec"
}

# How each kind of package is built in a clean Debian and tried in another: the folders $built and
# $used, of the release $release.

build_a_deb()
{
	local dist=$DIST/debian/$release

	as_tar source_deb | in_clean_debian "$release" "$built" /srv build_deb || return 1
	sed -n 's/^[EW]: /&/p' "$built.log"
	rm -rf "$dist"
	mkdir -p "$dist"
	find "$built/srv" -maxdepth 1 -type f -name '*idtypes*' -exec cp -t "$dist" {} +
	say "$dist"
}

try_a_deb()
{
	tar -C "$DIST/debian/$release" -c . | in_clean_debian "$release" "$used" /srv install_deb \
		lack_compiler try_readme test_deb
}

# The binary packages have the folders of Debian's PostgreSQL: only the source package is kept.
build_a_rpm()
{
	as_tar source_rpm |
		in_clean_debian "$release" "$built" /srv install_server build_rpm || return 1
	mkdir -p "$DIST/rpm"
	cp "$built"/srv/SRPMS/*.src.rpm "$DIST/rpm"
	say "$DIST/rpm"
	inside "$built" bash -c 'for package in /srv/RPMS/*/*.rpm; do
		echo "${package##*/}:"; rpm -qpl "$package" | grep -v /doc/; done'
}

try_a_rpm()
{
	tar -C "$built/srv/RPMS" -c . | in_clean_debian "$release" "$used" /srv install_server \
		install_rpm try_readme remove_rpm
}

# The official image's place is taken by a Debian.
build_an_image()
{
	repo_git archive HEAD | in_clean_debian "$release" "$built" /src install_server run_dockerfile
}

# What is in the folder $1, as a compressed tar that depends on nothing but HEAD and that.
reproducible_tar()
{
	tar -C "$1" --sort=name --owner=0 --group=0 --numeric-owner \
		--mtime="$(repo_git log -1 --format=@%ct)" -c . | gzip -n
}

# Puts the folder $1 of what was built there as the layer of an image on the image $2, $PG being the
# tag of PostgreSQL's own, beside the other images of the kind.
keep_layer()
{
	local PG kept

	PG=$(ls "$built/usr/lib/postgresql")-$release
	kept=$DIST/$kind/$PG
	mkdir -p "$kept"
	reproducible_tar "$1" >"$kept/idtypes.tar.gz" &&
		printf 'FROM %s\nADD idtypes.tar.gz /\n' "${2/:PG/:$PG}" >"$kept/Dockerfile" &&
		say "$kept"
}

# The layer of the image of the release.
layer()
{
	gunzip <"$(echo "$DIST/$kind"/*-"$release"/idtypes.tar.gz)"
}

build_a_docker()
{
	build_an_image && keep_layer "$built/out" postgres:PG
}

try_a_docker()
{
	layer | in_clean_debian "$release" "$used" / install_server lack_compiler try_readme
}

build_a_volume()
{
	build_an_image && install -D -m 644 -t "$built/volume/licenses/idtypes" "$built/src/LICENSE" &&
		keep_layer "$built/volume" scratch
}

try_a_volume()
{
	layer | in_clean_debian "$release" "$used" /extensions/idtypes \
		install_server lack_compiler find_volume try_readme
}

# Builds and tries the kind $1 on each of the releases $2 and so on.
package_for()
{
	local kind=$1 status=0 version release built used began

	need_debootstrap
	note_changes
	version=$(meta_of_head version)
	for release in "${@:2}"; do
		built=$MATRIX/$kind-build-$release
		used=$MATRIX/$kind-use-$release
		say "== $release"
		began=$EPOCHREALTIME
		"build_a_$kind" || { status=1; continue; }
		say "built in $(elapsed "$began") s"
		began=$EPOCHREALTIME
		"try_a_$kind" || { status=1; continue; }
		say "installed and tried in $(elapsed "$began") s"
		rm -rf --one-file-system "$built" "$used"
	done
	return $status
}

# Builds and tries everything that is to be published of HEAD into the folder $1, with checksums and
# a page that says what goes where.
verb_release()
{
	local version kind sums

	if [ "${1:-}" = --check ]; then
		check_release "${@:2}"
		return
	fi
	[ $# -eq 1 ] || die "release takes a folder, which is made, or --check"
	[ ! -e "$1" ] || [ -z "$(ls -A "$1")" ] || die "$1 is not empty"
	mkdir -p "$1" && DIST=$(cd "$1" && pwd) || die "cannot make $1"
	for kind in archive npm deb rpm docker volume; do
		say "== $kind"
		verb_package $kind || die "$kind failed"
	done
	version=$(meta_of_head version)
	say "== site"
	verb_docs
	reproducible_tar "$STATE/build/docs/site" >"$DIST/idtypes-$version-site.tar.gz" &&
		repo_git show HEAD:doc/releasing.md |
			sed -e "1,/^## What to upload/{/^## What to upload/!d}; s/VERSION/$version/g" \
				-e "s,HOMEPAGE,$(meta_of_head homepage),g" \
				-e "s,REGISTRY,$(meta_of_head x_registry),g" \
				-e "s,REPOSITORY.git,$(meta_of_head url),g; s,BUGTRACKER,$(meta_of_head web),g" \
				-e "s,MAINTAINER,$(meta_of_head maintainer),g" >"$DIST/README.md" &&
		show_checks >"$DIST/TESTS.md" &&
		sums=$(cd "$DIST" && find . -type f -printf '%P\n' | LC_ALL=C sort | xargs sha256sum) &&
		printf '%s\n' "$sums" >"$DIST/SHA256SUMS" || die "could not write to $DIST"
	say "$DIST: its README.md says what to upload where"
}

# The documentation as a site.
verb_docs()
{
	prepare_with ${PACKAGES[site]}
	as_worker tools/build_site "$STATE/build/docs" "$STATE/sources" >"$LOGS/docs-site.log" 2>&1 ||
		{ tail -n 30 "$LOGS/docs-site.log" >&2; die "the site could not be built"; }
	say "the site is in $STATE/build/docs/site; to read it, with its search, on port 8000:" \
		"python3 -m http.server -b 127.0.0.1 -d $STATE/build/docs/site"
}
