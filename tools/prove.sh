# prove.sh: what is proved of src/core for all values there are, and modelled of its words.
# Part of ./dev, which sources it.

# Debian packages cbmc 6 from this version on; the release that is made in a folder elsewhere.
PROVE_DEBIAN=13
PROVE_RELEASE=trixie
PROVE_PACKAGES=(cbmc spin gcc libc6-dev)

# The table of what is proved, with the mutants; the arguments are properties of test/proof/proofs.
verb_prove()
{
	local root=$MATRIX/$PROVE_RELEASE-prove version work

	version=$(. /etc/os-release && echo "${VERSION_ID:-$PROVE_DEBIAN}")
	if [ "${version%%.*}" -lt "$PROVE_DEBIAN" ]; then
		[ "$(id -u)" -eq 0 ] ||
			die "this Debian packages no cbmc 6; as root, $PROVE_RELEASE is made in a folder"
		need_debootstrap
		have_debian "$PROVE_RELEASE" "$root" || die "debootstrap failed, see $root.log"
		dev_inside "$root" prove "$@"
		return
	fi
	need_installed_packages "${PROVE_PACKAGES[@]}"
	work=$(mktemp -d)
	list_sources | tar -C "$REPO" --null -T - -c | tar -C "$work" -x --no-same-owner
	if ! "$work/test/proof/run.sh" "$@"; then
		say "failed; what was said is kept in $work/test/proof/build"
		return 1
	fi
	rm -rf "$work"
}
