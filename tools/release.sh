# release.sh: all that a release publishes, in one folder.
# Part of ./dev, which sources it.

# Builds and tries everything that is to be published of HEAD into the folder $1, with checksums and
# a page that says what goes where.
verb_release()
{
	local version kind sums

	[ $# -eq 1 ] || die "release takes a folder, which is made"
	[ ! -e "$1" ] || [ -z "$(ls -A "$1")" ] || die "$1 is not empty"
	mkdir -p "$1" && DIST=$(cd "$1" && pwd) || die "cannot make $1"
	for kind in archive npm deb rpm docker volume; do
		say "== $kind"
		"package_$kind" || die "$kind failed"
	done
	version=$(version_of_head)
	say "== site"
	verb_docs
	reproducible_tar "$STATE/build/docs/site" >"$DIST/idtypes-$version-site.tar.gz" &&
		repo_git show HEAD:doc/releasing.md |
			sed "1,/^## What to upload/{/^## What to upload/!d}; s/VERSION/$version/g" \
				>"$DIST/README.md" &&
		sums=$(cd "$DIST" && find . -type f -printf '%P\n' | LC_ALL=C sort | xargs sha256sum) &&
		printf '%s\n' "$sums" >"$DIST/SHA256SUMS" || die "could not write to $DIST"
	say "$DIST: its README.md says what to upload where"
}
