# package.sh: the release archive.
# Part of ./dev, which sources it.

# Archives HEAD in the form PGXN wants, and proves that the archive builds without git.
verb_package()
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
	WERROR=-Werror build_extension "$unpacked" gcc >"$LOGS/package.log" 2>&1 ||
		die "the archive does not build, see $LOGS/package.log"

	mkdir -p "$REPO/dist"
	zip=$REPO/dist/idtypes-$version.zip
	repo_git archive --format=zip --prefix="idtypes-$version/" -o "$zip" HEAD ||
		die "could not archive HEAD"
	say "$zip"
}
