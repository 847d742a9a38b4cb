# upstream.sh: the server's own regression suite, in a database that has the extension.
# Part of ./dev, which sources it.

# Unpacks the source of the installed server into $STATE/build/upstream and sets UPSTREAM to it; or,
# where that is not on offer, of another minor: the suite hardly differs, and what it prints is only
# compared with what it prints on the same server.  The lists of source packages are kept apart from
# the system's, which may not have any.
fetch_upstream()
{
	local folder=$STATE/build/upstream/$MAJOR list version
	local -a options

	UPSTREAM=$folder/source
	[ ! -e "$UPSTREAM/src/test/regress/parallel_schedule" ] || return 0
	say "fetching the source of PostgreSQL $MAJOR ..."
	rm -rf "$folder"
	mkdir -p "$folder/lists/partial"
	list=$folder/sources.list
	apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' | sort -u >"$list"
	options=(-q -o "Dir::Etc::sourcelist=$list" -o Dir::Etc::sourceparts=/dev/null
		-o "Dir::State::lists=$folder/lists" -o APT::Sandbox::User=root)
	(
		cd "$folder" && apt-get "${options[@]}" update || exit 1
		for version in $(apt-cache "${options[@]}" madison "postgresql-$MAJOR" |
			awk '{ print $3 }' | sort -Vru); do
			apt-get "${options[@]}" --download-only source "postgresql-$MAJOR=$version" &&
				dpkg-source -x ./*"${version#*:}".dsc source && exit 0
		done
		exit 1
	) >"$LOGS/upstream-source.log" 2>&1 ||
		die "no source of postgresql-$MAJOR, see $LOGS/upstream-source.log"
	chown -R "$WORKER": "$folder"
}

# Runs the suite in a new database, with the SQL command $2 run first; its output goes to the folder
# $1.  That some test fails is no error here: what counts is the difference between two such runs.
run_upstream()
{
	local output=$1 first=$2

	as_worker rm -rf "$output"
	as_worker mkdir -p "$output"
	as_worker psql -Xq -v ON_ERROR_STOP=1 -c 'DROP DATABASE IF EXISTS regression' \
		-c 'CREATE DATABASE regression TEMPLATE template0' || return 1
	as_worker psql -Xq -v ON_ERROR_STOP=1 -d regression -c "$first" || return 1
	limited "$PGXS_FOLDER/test/regress/pg_regress" --use-existing --dbname=regression \
		--inputdir="$UPSTREAM/src/test/regress" --outputdir="$output" --bindir="$BIN" \
		--dlpath="$STATE/build/upstream/$MAJOR/lib" --max-concurrent-tests=20 \
		--schedule="$UPSTREAM/src/test/regress/parallel_schedule" >"$output.log" 2>&1
	ls "$output/results"/*.out >/dev/null || { tail -n 20 "$output.log"; return 1; }
}

# Prints the names of the tests that failed in such a run, by the output of pg_regress before 16 and
# since.
failed_upstream()
{
	sed -nE -e 's/^(test|    ) +([^ ]+) +\.\.\. (FAILED|failed).*/\2/p' \
		-e 's/^not ok [0-9]+ +[-+] ([^ ]+) .*/\1/p' "$1.log" | sort
}

# Prints which source and server this is about, and what failed where.
report_upstream()
{
	local a=$folder/without.failed b=$folder/with.failed

	failed_upstream "$without" >"$a"
	failed_upstream "$with" >"$b"
	say "source of the tests: PostgreSQL $(sed -n "s/^PACKAGE_VERSION='\(.*\)'/\1/p" \
		"$UPSTREAM/configure"); server: $("$PG_CONFIG" --version)"
	say "fail without and with the extension: $(comm -12 "$a" "$b" | xargs)"
	say "fail without the extension only: $(comm -23 "$a" "$b" | xargs)"
	say "fail with the extension only: $(comm -13 "$a" "$b" | xargs)"
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
		say anyrange
		as_worker make -s --no-print-directory -C "$SRC" types | tr -s ' ' '\n' | sed 's/$/range/'
	} | awk '{ for (i = 1; i < NR; i++) print "> " name[i] " | " $0; name[NR] = $0 }'
	say '> ulidflake | bigint | 0 | e'
}

# The difference that the extension makes to the output of one test: those lines, or none.
same_upstream()
{
	local known=/dev/null

	if [ ! -e "$without/results/$1.out" ] || [ ! -e "$with/results/$1.out" ]; then
		say "error: there is no output of $1"
		return 1
	fi
	[ "$1" != opr_sanity ] || known=$folder/known
	diff "$known" <(upstream_changes "$1")
}

# Says that each session of the tests had the library: one like them has it before it does anything.
has_library()
{
	[ "$(as_worker psql -XAtq -d regression -c "SELECT count(*) FROM pg_settings
		WHERE name = 'idtypes.node_id'")" = 1 ]
}

suite_upstream()
{
	local folder=$STATE/build/upstream/$MAJOR with without test status=0

	need_cluster && fetch_upstream || return 1
	with=$folder/with
	without=$folder/without
	as_worker mkdir -p "$folder/lib"
	as_worker gcc -shared -fPIC -O1 -w -I"$("$PG_CONFIG" --includedir-server)" \
		-o "$folder/lib/regress.so" "$UPSTREAM/src/test/regress/regress.c" || return 1
	as_worker cp "$("$PG_CONFIG" --pkglibdir)"/{autoinc,refint}.so "$folder/lib/" || return 1
	run_upstream "$without" '' && run_upstream "$with" "CREATE EXTENSION idtypes;
		ALTER DATABASE regression SET session_preload_libraries = 'idtypes'" || return 1
	known_changes | sort >"$folder/known"
	report_upstream
	one_test "a session has the library" has_library || status=1
	for test in $(sed -n 's/^test: *//p' "$UPSTREAM/src/test/regress/parallel_schedule"); do
		one_test "$test" same_upstream "$test" || status=1
	done
	return $status
}

verb_upstream()
{
	local status=0

	need_packages dpkg-dev
	SUITES=(upstream)
	verb_test || status=$?
	grep -E '^(source of|fail) ' "$LOGS/upstream.log"
	return $status
}
