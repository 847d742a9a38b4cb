# machines.sh: other machines than this one, as to byte order, word size and C library.
# Part of ./dev, which sources it.
#
# On most of them it is src/core that is tested, by its unit tests, which compare it with
# test/vectors as well: cross-compiled and emulated.  An emulator keeps memory in order like the
# machine it runs on, so this tells nothing of barriers.  i386 runs here as it is, with its server.

MACHINES=(s390x arm64 armhf musl i386)

# Compiler, emulator and packages.
declare -A COMPILERS=([s390x]=s390x-linux-gnu-gcc [arm64]=aarch64-linux-gnu-gcc
	[armhf]=arm-linux-gnueabihf-gcc [musl]=musl-gcc)
declare -A EMULATORS=([s390x]=qemu-s390x [arm64]=qemu-aarch64 [armhf]=qemu-arm)
declare -A MACHINE_PACKAGES=([musl]=musl-tools
	[s390x]="gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user"
	[arm64]="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
	[armhf]="gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user")

# The last Debian that i386 is a whole part of, and what is run there.
I386_RELEASE=bookworm
I386_SUITES=(gcc unit oracle regress compare)

# Runs the suites of a machine; their lines, and the sum, are as those of ./dev test.
test_machine()
{
	local machine=$1 root=$MATRIX/$I386_RELEASE-i386 PASSED=0 FAILED=0 SKIPPED=0

	if [ "$machine" != i386 ]; then
		UNIT_OPTIONS=("CC=${COMPILERS[$machine]} -static" "RUN=${EMULATORS[$machine]:-}")
		run_jobs unit
		say_sum
	elif have_debian "$I386_RELEASE" "$root" i386; then
		dev_inside "$root" test "${I386_SUITES[@]}"
	else
		say "no i386, see $root.log"
	fi
}

verb_machines()
{
	local machine

	[ $# -gt 0 ] || set -- "${MACHINES[@]}"
	for machine in "$@"; do
		[[ " ${MACHINES[*]} " = *" $machine "* ]] ||
			die "there is no machine $machine: ${MACHINES[*]}"
	done
	if [[ " $* " = *" i386 "* ]]; then
		[ "$(id -u)" -eq 0 ] || die "i386 needs root, unlike ${!COMPILERS[*]}"
		need_debootstrap
	fi
	for machine in "$@"; do
		need_installed_packages ${MACHINE_PACKAGES[$machine]:-}
	done
	prepare
	for machine in "$@"; do
		say "== $machine"
		test_machine "$machine"
	done | tee "$LOGS/machines.out"
	say "== all"
	# a machine without a sum counts as one failed test
	awk '/^== / { failed++ }
		 /^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3 - 1 }
		 END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 }' \
		"$LOGS/machines.out"
}
