# packages.sh: what must be installed, by Debian package name.

# Groups that the suites and verbs name.  NN stands for the PostgreSQL major, and LLVM for the
# version of clang that PostgreSQL was packaged with and that its development package brings along.
declare -A PACKAGES=(
	[compiler]="make gcc libc6-dev"
	[server]="make gcc libc6-dev libssl-dev postgresql-NN postgresql-server-dev-NN"
	# what the tests in Python are written with, beside its own library
	[python]="python3 python3-cryptography python3-psycopg"
	# the core for browsers: by names without a version, as the C library is made for that compiler
	[module]="clang lld wasi-libc libstb-dev"
	[site]="mkdocs mkdocs-material clang lld wasi-libc libstb-dev"
	[browser]="python3-selenium chromium chromium-driver"
)
PACKAGES[cluster]=${PACKAGES[server]}

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

# Prints those of the packages named that this Debian offers.
offered_packages()
{
	[ -n "$(apt-cache madison python3)" ] || apt_update >&2
	apt-cache madison "$@" 2>/dev/null | awk '{ print $1 }' | sort -u
}
