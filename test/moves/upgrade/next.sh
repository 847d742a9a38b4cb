#!/usr/bin/env bash
#
# next.sh: the next version, made by the recipe of doc/releasing.md, on a copy of the server.
#
# It has one more function, its steps are walked by the regression test "install", and its library
# is tested with the SQL objects of the version before.
#
set -u -o pipefail
. test/lib/check.sh

major=$("$PG_CONFIG" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
usr=$(dirname "$(dirname "$(dirname "$(dirname "$(dirname "$PG_CONFIG")")")")")
server=$WORK/server
bin=$server/lib/postgresql/$major/bin
next=$WORK/next
out=$WORK/said
export PGHOST=$WORK PGUSER=postgres PATH=$bin:$PATH

finish()
{
	[ ! -e "$WORK/data/postmaster.pid" ] || pg_ctl -D "$WORK/data" -w -m fast stop >"$out" 2>&1
}
trap finish EXIT

install_version()
{
	make -C "$1" PG_CONFIG="$bin/pg_config" with_llvm=no install >"$out" 2>&1
}

# Gives a copy of the sources in the folder $1 the objects that were built for the server which this
# one is a copy of, so that make compiles only what another version number changes.
take_objects()
{
	cp -a --parents $(find src -name '*.o') "$1" &&
		"$bin/pg_config" >"$1/built-for" && touch -d @0 "$1/built-for" &&
		(cd "$1" && touch $(grep -L IDTYPES_VERSION src/*.c src/*/*.c | sed 's/c$/o/'))
}

# Runs regression tests against the server, which has what was installed last.
regress()
{
	make -C "$next" PG_CONFIG="$bin/pg_config" with_llvm=no installcheck REGRESS="$*" TAP_TESTS= \
		>"$out" 2>&1 || { cat "$next/regression.diffs" >>"$out" 2>/dev/null; return 1; }
}

answers()
{
	psql -XAtq -v ON_ERROR_STOP=1 -d "$1" -c "$2" >"$out" 2>&1 && [ "$(cat "$out")" = "$3" ]
}

# Replaces the default version of the installed control file, as an older package's would have it.
default_version()
{
	sed -i "s/^default_version.*/default_version = '$1'/" \
		"$server/share/postgresql/$major/extension/idtypes.control"
}

mkdir -p "$server/lib/postgresql" "$server/share/postgresql"
cp -a "$usr/include" "$server/"
cp -a "$usr/lib/postgresql/$major" "$server/lib/postgresql/"
cp -a "$usr/share/postgresql/$major" "$server/share/postgresql/"
rm -f "$server/share/postgresql/$major/extension"/idtypes*
copy_sources "$WORK/old" && take_objects "$WORK/old" && copy_sources "$next" || exit 1
old=$(sed -n "s/^default_version = '\(.*\)'/\1/p" idtypes.control)
new=${old%.*}.$((${old##*.} + 1))
scripts="sql/idtypes--$old.sql" steps="sql/idtypes--$old--$new.sql"
installed=$old
if [ "$major" -ge 18 ]; then
	installed=$old-pg18
	scripts+=" sql/idtypes--$old--$old-pg18.sql" steps+=" sql/idtypes--$old-pg18--$new-pg18.sql"
fi

check "the version of today" install_version "$WORK/old" || exit 1
test/lib/new_cluster "$WORK/data" "$WORK" "fsync = off" || exit 1
check "a server" pg_ctl -D "$WORK/data" -l "$WORK/log" -w start || exit 1
psql -Xq -d postgres -c 'CREATE ROLE owner LOGIN' -c 'CREATE DATABASE kept OWNER owner' || exit 1
PGUSER=owner psql -Xq -d kept -v ON_ERROR_STOP=1 -c 'CREATE EXTENSION idtypes' \
	-c 'CREATE TABLE post (id uid11 PRIMARY KEY DEFAULT uid11_generate())' \
	-c 'INSERT INTO post SELECT FROM generate_series(1, 100)' || exit 1

# The recipe, in its order.
git -C "$next" init -q && git -C "$next" add -A || exit 1
sed -i "0,/\"version\": \"$old/s//\"version\": \"$new/; s/\(^\t*\"version\": \"\)$old/\1$new/" \
	"$next/META.json"
sed -i "0,/^## /s//## $new.0 (not released yet)\n\n&/" "$next/CHANGELOG.md"
sed "1s/($old/($new/" debian/changelog | sed -n '1,/^ -- /p' |
	cat - <(echo) debian/changelog >"$next/debian/changelog"
(cd "$next" && python3 tools/meta.py) >"$out" 2>&1
check "the numbers" grep -qx "$new.0" "$out"
for script in $scripts; do
	cp "$WORK/old/$script" "$next/sql/"
done
say_next="CREATE FUNCTION idtypes_next() RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN 'next';
COMMENT ON FUNCTION idtypes_next() IS 'only the next version has it';"
echo "$say_next" >>"$next/extension/tail.sql"
for step in $steps; do
	echo "$say_next" >"$next/$step"
done
sed -i "s,^DATA_built =,DATA = $scripts $steps\n&," "$next/Makefile"
git -C "$next" add -A
take_objects "$next" || exit 1
check "git takes the scripts, which the copy had ignored" \
	diff <(git -C "$next" ls-files 'sql/idtypes--*' | sort) \
	<(tr ' ' '\n' <<<"$scripts $steps" | sort)
check "the next version" install_version "$next" || exit 1

check "each way to each version ends in the same objects" regress install
PGUSER=owner
check "the owner sees the old version" answers kept \
	"SELECT extversion FROM pg_extension WHERE extname = 'idtypes'" "$installed"
check "the next library works for the objects of the old version" answers kept \
	"INSERT INTO post DEFAULT VALUES;
		SELECT count(*) FROM post WHERE id <@ uid11_prefix('') AND id < now() + interval '1 h'" 101
check "the owner updates" answers kept \
	"ALTER EXTENSION idtypes UPDATE; SELECT idtypes_next(), count(*) FROM post" "next|101"
PGUSER=postgres
check "the library says its version" answers kept 'SELECT version FROM idtypes_status()' "$new.0"
default_version "$installed"
check "the old tests pass with the next library" regress types casts catalog uid11
sums
