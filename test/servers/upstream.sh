#!/usr/bin/env bash
#
# upstream.sh: the server's own regression suite, in a database that has the extension.
#
#	upstream.sh
#
set -u -o pipefail
. test/lib/check.sh

PGXS_FOLDER=$(pgxs)
folder=$STATE/build/upstream/$PG_MAJOR
with=$folder/with
without=$folder/without

# Unpacks the source of the installed server and sets UPSTREAM to it; or,
# where that is not on offer, of another minor: the suite hardly differs, and what it prints is only
# compared with what it prints on the same server.  The lists of source packages are kept apart from
# the system's, which may not have any.
fetch_upstream()
{
	local list version
	local -a options

	UPSTREAM=$folder/source
	[ ! -e "$UPSTREAM/src/test/regress/parallel_schedule" ] || return 0
	echo "fetching the source of PostgreSQL $PG_MAJOR ..."
	rm -rf "$folder"
	mkdir -p "$folder/lists/partial"
	list=$folder/sources.list
	apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' | sort -u >"$list"
	options=(-q -o "Dir::Etc::sourcelist=$list" -o Dir::Etc::sourceparts=/dev/null
		-o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder")
	(
		cd "$folder" && apt-get "${options[@]}" update || exit 1
		for version in $(apt-cache "${options[@]}" madison "postgresql-$PG_MAJOR" |
			awk '{ print $3 }' | sort -Vru); do
			apt-get "${options[@]}" --download-only source "postgresql-$PG_MAJOR=$version" &&
				dpkg-source -x ./*"${version#*:}".dsc source && exit 0
		done
		exit 1
	)
}

# Runs the suite in a new database, with the SQL command $2 run first; its output goes to the folder
# $1.  That some test fails is no error here: what counts is the difference between two such runs.
run_upstream()
{
	local output=$1 first=$2

	rm -rf "$output"
	mkdir -p "$output"
	psql -Xq -v ON_ERROR_STOP=1 -c 'DROP DATABASE IF EXISTS regression' \
		-c 'CREATE DATABASE regression TEMPLATE template0' || return 1
	psql -Xq -v ON_ERROR_STOP=1 -d regression -c "$first" || return 1
	"$PGXS_FOLDER/test/regress/pg_regress" --use-existing --dbname=regression \
		--inputdir="$UPSTREAM/src/test/regress" --outputdir="$output" \
		--bindir="$("$PG_CONFIG" --bindir)" \
		--dlpath="$folder/lib" --max-concurrent-tests=20 \
		--schedule="$UPSTREAM/src/test/regress/parallel_schedule" >"$output.log" 2>&1
	ls "$output/results"/*.out >/dev/null || { tail -n 20 "$output.log"; return 1; }
}

# Prints the lines that differ between the outputs of a test, blanks and rules of tables aside, and
# without the counts of rows.
upstream_changes()
{
	diff -b "$without/results/$1.out" "$with/results/$1.out" | sed -nE \
		-e '/^[<>] (\([0-9]+ rows?\)|[-+]+)$/d' -e '/^[<>]/{s/ +/ /g;s/ $//;p}' | sort
}

# Prints the lines with our types that opr_sanity, which lists whatever of certain kinds there is in
# the catalogs, has beside the server's own: the pairs of range types that share functions for GiST,
# and the cast from ulidflake to bigint, which has none back.
known_changes()
{
	{
		echo anyrange
		make -s --no-print-directory  types | tr -s ' ' '\n' | sed 's/$/range/'
	} | awk '{ for (i = 1; i < NR; i++) print "> " name[i] " | " $0; name[NR] = $0 }'
	echo '> ulidflake | bigint | 0 | a'
}

# The difference that the extension makes to the output of one test: those lines, or none.
same_upstream()
{
	local known=/dev/null

	ls "$without/results/$1.out" "$with/results/$1.out" >/dev/null || return 1
	[ "$1" != opr_sanity ] || known=$folder/known
	diff "$known" <(upstream_changes "$1")
}

# Says that each session of the tests had the library: one like them has it before it does anything.
has_library()
{
	[ "$(psql -XAtq -d regression -c "SELECT count(*) FROM pg_settings
		WHERE name = 'idtypes.node_id'")" = 1 ]
}

fetch_upstream && mkdir -p "$folder/lib" || exit 1
gcc -shared -fPIC -O1 -w -I"$("$PG_CONFIG" --includedir-server)" -o "$folder/lib/regress.so" \
	"$UPSTREAM/src/test/regress/regress.c" &&
	cp "$("$PG_CONFIG" --pkglibdir)"/{autoinc,refint}.so "$folder/lib/" || exit 1
run_upstream "$without" '' && run_upstream "$with" "CREATE EXTENSION idtypes;
	ALTER DATABASE regression SET session_preload_libraries = 'idtypes'" || exit 1
known_changes | sort >"$folder/known"
echo "#= source of the tests: PostgreSQL $(sed -n "s/^PACKAGE_VERSION='\(.*\)'/\1/p" \
	"$UPSTREAM/configure"); server: $("$PG_CONFIG" --version)"
check "a session has the library" has_library
for test in $(sed -n 's/^test: *//p' "$UPSTREAM/src/test/regress/parallel_schedule"); do
	check "$test" same_upstream "$test"
done
sums
