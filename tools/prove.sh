# prove.sh: proofs of src/core for all values, and models of its clock words.
# Part of ./dev, which sources it.

# Debian packages cbmc 6 from this version on; the release that is made in a folder elsewhere.
PROVE_DEBIAN=13
PROVE_RELEASE=trixie
PROVE_PACKAGES=(cbmc spin gcc libc6-dev)

# The table of what is proved, with the mutants; the arguments are properties of test/proof/proofs,
# or "memory" for the order of memory, which is asked here, where herd7 may be installed.
verb_prove()
{
	local root=$MATRIX/$PROVE_RELEASE-prove version work status=0

	if [ $# -eq 0 ] || [[ " $* " = *" memory "* ]]; then
		need_installed_packages python3
		python3 -B "$REPO/test/proof/memory.py" || status=1
		[ "$*" != memory ] || return $status
		# the rest, by name
		set -- $(if [ $# -eq 0 ]; then
			sed -n 's/^\([a-z_]*\)\t.*/\1/p' "$REPO/test/proof/proofs" | sort -u
		else
			printf '%s\n' "$@" | grep -vx memory
		fi)
	fi
	version=$(. /etc/os-release && echo "${VERSION_ID:-$PROVE_DEBIAN}")
	if [ "${version%%.*}" -lt "$PROVE_DEBIAN" ]; then
		[ "$(id -u)" -eq 0 ] ||
			die "this Debian packages no cbmc 6; as root, $PROVE_RELEASE is made in a folder"
		need_debootstrap
		have_debian "$PROVE_RELEASE" "$root" || die "debootstrap failed, see $root.log"
		dev_inside "$root" prove "$@" || status=1
		return $status
	fi
	need_installed_packages "${PROVE_PACKAGES[@]}"
	work=$(mktemp -d)
	list_sources | tar -C "$REPO" --null -T - -c | tar -C "$work" -x --no-same-owner
	if ! "$work/test/proof/run.sh" "$@"; then
		say "failed; what was said is kept in $work/test/proof/build"
		return 1
	fi
	rm -rf "$work"
	return $status
}
