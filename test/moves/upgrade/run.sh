#!/usr/bin/env bash
#
# run.sh: one cluster through pg_upgrade from the oldest major to the newest, and its data by dumps
# there and back.
#
#	run.sh SERVERS
#
# SERVERS has a private copy of each major's server below lib/postgresql and share/postgresql, with
# the extension; libraries that they need and the system lacks are in SERVERS/compat.  The clusters
# are made in a temporary folder.
#
set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit 1

servers=${1:?"usage: run.sh SERVERS"}
bins=$servers/lib/postgresql
mapfile -t majors < <(ls "$bins" | sort -n)
oldest=${majors[0]}
newest=${majors[-1]}
work=$(mktemp -d /var/tmp/idtypes-upgrade.XXXXXX)
log=$work/log
started=
on=
export LD_LIBRARY_PATH=$servers/compat PGHOST=$work PGUSER=postgres PGOPTIONS='-c TimeZone=UTC'
export LC_ALL=C.UTF-8

finish()
{
	local status=$? major failed

	for major in $started; do
		stop "$major"
	done
	grep -q '^not ok - ' "$log" || [ $status -eq 0 ] || echo "not ok - to come to the end" | tell
	failed=$(grep -c '^not ok - ' "$log")
	[ "$failed" -eq 0 ] || echo "kept: $work"
	printf '%d passed, %d failed\n' "$(grep -c '^ok - ' "$log")" "$failed"
	[ "$failed" -eq 0 ] || exit 1
	rm -rf "$work"
	exit 0
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

# Everything that is said, tests among it.
tell()
{
	tee -a "$log"
}

# The test $1, passed if the rest of the command line succeeds; if not, the end of what it said.
check()
{
	local name=$1

	shift
	if "$@" >"$work/said" 2>&1; then
		echo "ok - $name" | tell
	else
		{ echo "not ok - $name"; tail -n 30 "$work/said" | sed 's/^/    /'; } | tell
		return 1
	fi
}

# SQL on the server of major $on: psql's options as arguments.
sql()
{
	PGPORT=54$on "$bins/$on/bin/psql" -XAtq -v ON_ERROR_STOP=1 -v VERBOSITY=terse "$@"
}

# Runs a file of tests in the database $1.  That it stops halfway is a failure, too.
ask()
{
	local database=$1 file=$2

	sql -d "$database" -f "test/moves/upgrade/$file.sql" 2>&1 | tell ||
		echo "not ok - $file.sql" | tell
}

# The test $1 for each type: a query for true, with the type's name for @T@.
question()
{
	sql -d "${3:-data}" -v name="$1" -v query="$2" <<<"SELECT ask(:'name', :'query')" 2>&1 | tell ||
		echo "not ok - $1" | tell
}

# Starts the cluster of major $1, which is talked to from then on; further arguments are the
# environment that it gets.
start()
{
	local major=$1

	shift
	on=$major
	started="$started $major"
	check "$major: the server starts" env "$@" "$bins/$major/bin/pg_ctl" \
		-D "$work/$major" -l "$work/server-$major.log" -w start || exit 1
}

stop()
{
	"$bins/$1/bin/pg_ctl" -D "$work/$1" -w -m fast stop >"$work/said" 2>&1
	started=${started/ $1/}
}

# A new cluster of major $1, set up as the others are.
init()
{
	# -k as 18 has it by default: both sides of pg_upgrade must agree
	PATH=$bins/$1/bin:$PATH test/lib/new_cluster "$work/$1" "$work" -k "port = 54$1" \
		"fsync = off" "jit = off" || exit 1
}

# The catalog rows of the extension in the database $1, but for the comments on multirange types and
# constructors, which pg_upgrade loses for every extension.
objects()
{
	sql -d "$1" -f sql/objects.psql -c 'COPY (SELECT * FROM objects ORDER BY 1, 2, 3) TO STDOUT' |
		grep -vP '^(type \w+multirange|function [a-z0-9]+range\(.*\))\tcomment'
}

# Runs what doc/operations.md says of members that pg_upgrade loses, in the database $1; whether all
# objects of the extension can then be moved.
keep_members()
{
	sed -n '/^```sql/,/^```/ { s/^```.*//; p }' doc/operations.md | awk -v RS='' '/gexec/' |
		sql -d "$1" && [ "$(sql -d "$1" -c 'BEGIN' -c 'CREATE SCHEMA elsewhere' \
			-c 'ALTER EXTENSION idtypes SET SCHEMA elsewhere' -c "DO \$\$ BEGIN
				ALTER EXTENSION idtypes_uuid SET SCHEMA elsewhere;
				EXCEPTION WHEN undefined_object THEN NULL; END \$\$" \
			-c "SELECT count(*) FROM pg_proc
				WHERE pronamespace = 'public'::regnamespace AND probin ~ 'idtypes'
				OR proname ~ '^[a-z0-9]+range$' AND pronamespace = 'public'::regnamespace" \
			-c 'ROLLBACK')" = 0 ]
}

# Whether an extension that has come here from elsewhere has become what is installed anew.
same_objects()
{
	local fresh=$work/fresh-$on

	if [ ! -e "$fresh" ]; then
		sql -d postgres -c 'CREATE DATABASE fresh' &&
			sql -d fresh -c 'CREATE EXTENSION idtypes' && objects fresh >"$fresh" &&
			sql -d postgres -c 'DROP DATABASE fresh' || return 1
	fi
	objects "$1" >"$work/carried" && [ "$(wc -l <"$fresh")" -gt 10000 ] &&
		diff "$fresh" "$work/carried"
}

same_data()
{
	sql -d "$1" -f test/moves/upgrade/checksums.sql >"$work/sums-now" &&
		diff "$work/sums" "$work/sums-now"
}

# Whether the list of updates that pg_upgrade leaves names the extension exactly if it should.
listed()
{
	local wanted=$1 file=$work/upgrade/update_extensions.sql count

	count=$(cat "$file" 2>/dev/null | grep -cE 'ALTER EXTENSION "?idtypes"? UPDATE')
	echo "listed $count times"
	[ "$count" -eq "$wanted" ]
}

# pg_upgrade of the cluster of major $1 to major $2, as doc/operations.md says.
upgrade()
{
	local old=$1 new=$2 databases=0 said

	[ "$old" -ge 18 ] || [ "$new" -lt 18 ] || databases=2
	init "$new"
	mkdir "$work/upgrade"
	check "pg_upgrade $old to $new" env -C "$work/upgrade" "$bins/$new/bin/pg_upgrade" \
		-b "$bins/$old/bin" -B "$bins/$new/bin" -d "$work/$old" -D "$work/$new" -U postgres \
		--socketdir="$work" || exit 1
	check "$new: pg_upgrade lists $databases databases to update" listed "$databases"
	check "$new: pg_upgrade leaves the mark behind" test ! -e "$work/$new/idtypes.mark"
	cp "$work/$old/idtypes.mark" "$work/$new/"
	start "$new"
	check "$new: checksums of all tables" same_data data
	question "$new: with the mark, new ids follow those of a clock that was ahead" \
		'SELECT @T@_new() > max(id) FROM @T@_ahead'
	if [ $databases -gt 0 ]; then
		sql -d data -c 'INSERT INTO notes.searched SELECT t, searches(t) FROM samples'
		question "$new: no WITHOUT OVERLAPS before the update" \
			"SELECT err('CREATE TABLE @T@_key (id @T@, valid int4range,
				PRIMARY KEY (id, valid WITHOUT OVERLAPS))') LIKE '42704: %'" tenant
		said=$(sql -d tenant -U tenant -c 'ALTER EXTENSION idtypes UPDATE' 2>&1)
		check "$new: who installed the extension may no longer update it" \
			test "$said" = 'ERROR:  must be owner of extension idtypes'
	fi
	[ ! -e "$work/upgrade/update_extensions.sql" ] ||
		check "$new: the list of updates" sql -d postgres -f "$work/upgrade/update_extensions.sql"
	rm -r "$work/upgrade"
	check "$new: the extension can be moved" keep_members data
	check "$new: and that of a role" keep_members tenant
	check "$new: objects of the extension are those of a new one" same_objects data
	check "$new: and where a role installed it" same_objects tenant
	ask data check
	check "$new: checksums after it" same_data data
	[ "$new" -lt 18 ] || ask tenant temporal
	if [ $databases -gt 0 ]; then
		sql -d data -c "SELECT ok(format('%s: skip scans: %s searches, %s before the update',
			t, searches(t), searches), searches(t) < searches) FROM notes.searched" 2>&1 | tell
	fi
}

# Whether what pg_dump writes of the extension is that there is one.
dumps_extension_only()
{
	[ "$(grep -o '^CREATE EXTENSION .*idtypes.*' "$1" | sort)" = \
		"$(printf 'CREATE EXTENSION IF NOT EXISTS %s WITH SCHEMA public;\n' \
			idtypes idtypes_uuid)" ] &&
		! grep -nE 'LANGUAGE c\>|AS RANGE|^CREATE (OPERATOR|AGGREGATE|CAST)' "$1"
}

# Restores the dump $2 of the format $1 by the programs of major $3 from the server of major $4.  A
# server before 17 does not know a setting that newer programs begin with; that is the one error
# that may happen, on the way back.
restores()
{
	{
		case $1 in
			plain) sql -d restored -v ON_ERROR_STOP=0 -f "$2" ;;
			*) PGPORT=54$on "$bins/$3/bin/pg_restore" -d restored "$2" ;;
		esac
		true
	} 2>&1 | awk -v back=$(($4 > on)) '!/ERROR:/ { next }
		/parameter "transaction_timeout"/ && ++known == 1 && back { next }
		{ print; failed = 1 }
		END { exit failed }'
}

# The data of the server of major $2, dumped in the format $1, restored on that of $3, both by the
# programs of the newer of the two.
dump_and_restore()
{
	local format=$1 from=$2 to=$3 tools=$(($2 > $3 ? $2 : $3)) dump=$work/dump
	local name="$from to $to by dump, $format"

	rm -rf "$dump"
	on=$from
	PGPORT=54$from check "$name: pg_dump" "$bins/$tools/bin/pg_dump" -d data -F "$format" \
		-f "$dump" || return
	on=$to
	sql -d postgres -c 'CREATE DATABASE restored'
	check "$name: restored" restores "$format" "$dump" "$tools" "$from"
	check "$name: checksums" same_data restored
	# once is enough of what is the same in all formats
	if [ "$format" = plain ]; then
		check "$name: of the extension only that it is there" dumps_extension_only "$dump"
		check "$name: objects" same_objects restored
	fi
	sql -d postgres -c 'DROP DATABASE restored'
}

gcc -O2 -shared -fPIC -o "$work/fakes.so" t/fakes.c -ldl || exit 1
for major in "${majors[@]}"; do
	printf '# %s\n' "$("$bins/$major/bin/postgres" --version)" | tell
done

init "$oldest"
start "$oldest"
sql -d postgres -c 'CREATE ROLE tenant LOGIN' -c 'CREATE DATABASE data' \
	-c 'CREATE DATABASE tenant OWNER tenant'
sql -d tenant -U tenant -c 'CREATE EXTENSION idtypes'
check "$oldest: data" sql -d data -f test/moves/upgrade/fill.sql || exit 1
check "$oldest: database of a role" sql -d tenant -f test/lib/ask.sql || exit 1
# ids of a clock that is an hour ahead
stop "$oldest"
perl -MTime::HiRes=clock_gettime,CLOCK_REALTIME,CLOCK_MONOTONIC -e 'print pack "q7", 0,
	1e9 * int(3600 + clock_gettime(CLOCK_REALTIME) - clock_gettime(CLOCK_MONOTONIC))' >"$work/clock"
start "$oldest" LD_PRELOAD="$work/fakes.so" FAKES="$work/clock"
sql -d data -c "CALL for_each_type('INSERT INTO @T@_ahead SELECT FROM generate_series(1, 20)')"
ask data check
sql -d data -f test/moves/upgrade/checksums.sql >"$work/sums"
stop "$oldest"

for ((i = 1; i < ${#majors[@]}; i++)); do
	upgrade "${majors[i - 1]}" "${majors[i]}"
	stop "${majors[i]}"
done
rm "$work/$newest/idtypes.mark"
start "$newest"
question "$newest: without the mark, new ids follow those of the right clock only" \
	'SELECT @T@_new() > max(data.id) AND @T@_new() < max(ahead.id)
	FROM @T@_data data, @T@_ahead ahead'
stop "$newest"
start "$oldest"
for major in "${majors[@]:1}"; do
	start "$major"
	for format in plain custom directory tar; do
		dump_and_restore "$format" "$oldest" "$major"
		dump_and_restore "$format" "$major" "$oldest"
	done
	stop "$major"
done
