# packages.sh: what must be installed, by Debian package name.
# Part of ./dev, which sources it.

# NN stands for the PostgreSQL major, and LLVM for the version of clang that PostgreSQL was packaged
# with and that its development package brings along.
COMPILER_PACKAGES=(make gcc libc6-dev)
BUILD_PACKAGES=("${COMPILER_PACKAGES[@]}" libssl-dev postgresql-NN postgresql-server-dev-NN)
# What the tests in Python are written with, beside its own library.
PYTHON_PACKAGES=(python3 python3-cryptography python3-psycopg)
BENCH_PACKAGES=("${PYTHON_PACKAGES[@]}" valgrind)
# The core for browsers: by names without a version, as the C library is made for that compiler.
MODULE_PACKAGES=(clang lld wasi-libc libstb-dev)
# What looks at the pages as MkDocs does, and at files in YAML.
PAGES_PACKAGES=(python3-markdown python3-yaml)
DOCS_PACKAGES=(mkdocs mkdocs-material "${MODULE_PACKAGES[@]}")
BROWSER_PACKAGES=(python3-selenium chromium chromium-driver)

# What the suites need; those that are not named here build the extension and use PYTHON_PACKAGES.
declare -A SUITE_PACKAGES=(
	[lint]=python3
	[oracle]="python3 python3-cryptography"
	[apt]=python3
	[unit]="${COMPILER_PACKAGES[*]}"
	[sanitize]="${COMPILER_PACKAGES[*]}"
	[instructions]="${COMPILER_PACKAGES[*]} ${BENCH_PACKAGES[*]}"
	[fuzz]="${BUILD_PACKAGES[*]} clang-LLVM libclang-rt-LLVM-dev"
	[clang]="${BUILD_PACKAGES[*]} clang-LLVM"
	[planning]="${BUILD_PACKAGES[*]} ${BENCH_PACKAGES[*]}"
	[search]="${DOCS_PACKAGES[*]} ${BROWSER_PACKAGES[*]}"
	[inspect]="${BUILD_PACKAGES[*]} ${PYTHON_PACKAGES[*]} ${DOCS_PACKAGES[*]}
		${BROWSER_PACKAGES[*]} nodejs"
	[docs]="${BUILD_PACKAGES[*]} ${PYTHON_PACKAGES[*]} ${PAGES_PACKAGES[*]}"
	[sixth]="${BUILD_PACKAGES[*]} ${PYTHON_PACKAGES[*]} ${PAGES_PACKAGES[*]}
		${MODULE_PACKAGES[*]} nodejs"
	[tap]="${BUILD_PACKAGES[*]} libipc-run-perl"
)

# Prints the packages that the suites $@ need.
suite_packages()
{
	local suite

	for suite in "$@"; do
		printf '%s\n' ${SUITE_PACKAGES[$suite]:-${BUILD_PACKAGES[*]} ${PYTHON_PACKAGES[*]}}
	done | sort -u
}

installed()
{
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

# To be asked before as_root(), whose output may go elsewhere.
may_be_root()
{
	[ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null
}

# Another apt at work is waited for, and that is said: apt itself can do that for some of its locks
# only, and in silence.
APT_LOG=
apt_get()
{
	local held waited=

	may_be_root || die "to install packages, be root or install sudo"
	: "${APT_LOG:=$(mktemp)}"
	until as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y \
		-o DPkg::Lock::Timeout=0 "$@" </dev/null >"$APT_LOG" 2>&1
	do
		held=$(sed -n 's/^E: \(Could not get lock .*\)/\1/p' "$APT_LOG")
		if [ -z "$held" ]; then
			tail -n 20 "$APT_LOG" >&2
			die "apt-get $1 failed, see above"
		fi
		[ -n "$waited" ] || say "waiting for another apt: $held"
		waited=yes
		sleep 1
	done
}

# The lists of packages are fetched at most once, and only if something has to be installed.
APT_UPDATED=
apt_update()
{
	[ -z "$APT_UPDATED" ] || return 0
	say "fetching the lists of packages ..."
	apt_get update
	APT_UPDATED=yes
}

# The PostgreSQL major, once one is needed.
MAJOR=

# Sets MAJOR: the one asked for, else the newest that is installed, else the newest on offer.
choose_major()
{
	local names='^postgresql-server-dev-[0-9]+$'

	MAJOR=${PG_MAJOR:-}
	[ -z "$MAJOR" ] || return 0
	MAJOR=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 'postgresql-server-dev-*' \
		2>/dev/null | sed -n 's/^installed postgresql-server-dev-\([0-9]*\)$/\1/p' |
		sort -n | tail -n 1)
	[ -z "$MAJOR" ] || return 0
	apt_update
	MAJOR=$(apt-cache search --names-only "$names" | sed 's/ .*//; s/.*-//' | sort -n | tail -n 1)
	[ -n "$MAJOR" ] || die "no package postgresql-server-dev-NN on offer here"
}

# The version of that clang.
llvm_of_server()
{
	apt-cache depends "postgresql-server-dev-$MAJOR" 2>/dev/null |
		sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1
}

# Installs those of the packages named that are missing.
need_installed_packages()
{
	local package status conf=/etc/postgresql-common/createcluster.conf
	local -a missing=()

	for package in "$@"; do
		installed "$package" || missing+=("$package")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	may_be_root || die "to install ${missing[*]}, be root or install sudo"

	apt_update
	say "installing ${missing[*]} ..."
	case " ${missing[*]}" in
		*" postgresql-"*)
			# Debian starts a cluster when a server is first installed.  The user did not ask for
			# one here, so this turns it off for the time of the installation.
			installed postgresql-common || apt_get install --no-install-recommends postgresql-common
			as_root cp -p "$conf" "$conf.idtypes"
			as_root pg_conftool "$conf" set create_main_cluster off
			(apt_get install --no-install-recommends "${missing[@]}")
			status=$?
			as_root mv "$conf.idtypes" "$conf"
			[ $status -eq 0 ] || exit 1
			;;
		*)
			apt_get install --no-install-recommends "${missing[@]}"
			;;
	esac
	rm -f "$APT_LOG"
	APT_LOG=
}

# The same for names in which NN and LLVM are still to be filled in.
need_packages()
{
	local llvm
	local -a names=()

	if [[ "$*" != *NN* && "$*" != *LLVM* ]]; then
		need_installed_packages "$@"
		return
	fi
	choose_major
	llvm=$(llvm_of_server)
	[ -n "$llvm" ] || { apt_update; llvm=$(llvm_of_server); }
	[ -n "$llvm" ] || die "no package postgresql-server-dev-$MAJOR on offer here"
	names=("${@//NN/$MAJOR}")
	need_installed_packages "${names[@]//LLVM/$llvm}"
}
