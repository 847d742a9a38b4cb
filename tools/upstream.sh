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

# The difference that the extension makes to the output of one test: none.  Only opr_sanity lists
# whatever of certain kinds there is in the catalogs: two of its lists get lines with our types, for
# GiST functions that range types share, and the cast from ulidflake to bigint with none back.
same_upstream()
{
	local test=$1 ours=$2

	if [ "$test" = opr_sanity.out ]; then
		diff "$without/results/$test" "$with/results/$test" |
			grep -vE "^([0-9]|---|[<>] \([0-9]+ rows\)|> .*\<($ours)(range)?\>)" && return 1
		return 0
	fi
	diff "$without/results/$test" "$with/results/$test"
}

suite_upstream()
{
	local folder=$STATE/build/upstream/$MAJOR with without test types status=0

	need_cluster && fetch_upstream || return 1
	types=$(as_worker make -s --no-print-directory -C "$SRC" types) || return 1
	with=$folder/with
	without=$folder/without
	as_worker mkdir -p "$folder/lib"
	as_worker gcc -shared -fPIC -O1 -w -I"$("$PG_CONFIG" --includedir-server)" \
		-o "$folder/lib/regress.so" "$UPSTREAM/src/test/regress/regress.c" || return 1
	as_worker cp "$("$PG_CONFIG" --pkglibdir)"/{autoinc,refint}.so "$folder/lib/" || return 1
	run_upstream "$without" '' && run_upstream "$with" 'CREATE EXTENSION idtypes' || return 1
	for test in "$without"/results/*.out; do
		test=$(basename "$test")
		one_test "${test%.out}" same_upstream "$test" "${types// /|}" || status=1
	done
	return $status
}

verb_upstream()
{
	need_packages dpkg-dev
	SUITES=(upstream)
	verb_test
}
