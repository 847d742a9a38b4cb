#!/usr/bin/env bash
#
# Partitions kept by pg_partman, as Debian packages it for this server.
#
#     PG_CONFIG=... PGHOST=... PGUSER=... PGDATABASE=... test/servers/partman.sh
#
# The server must have pg_partman.  The statements that are run are those of
# doc/partitioning.md.  Makes a database of its own and drops it.
#
set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

TYPES=$(make -s --no-print-directory types)
database=idtypes_partman_$$
work=$(mktemp -d)

. test/lib/check.sh
out=$work/said

cleanup()
{
	psql -XAtq -c "DROP DATABASE IF EXISTS $database WITH (FORCE)" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT

finish()
{
	sums
	exit
}

# Whether $1 is what it should be, $2.
same()
{
	[ "$1" = "$2" ] || { printf 'got:\n%s\nwanted:\n%s\n' "$1" "$2" >"$out"; return 1; }
}

# The output of statements, or their first error.
sql()
{
	psql -XAtq -v ON_ERROR_STOP=1 -d "$database" -c 'SET client_min_messages = warning' \
		-c "SET timezone = 'UTC'" "${@/#/-c}" 2>&1 | sed '/^ERROR:/q'
}

# The arguments that name the functions of type $1.
coders()
{
	echo "p_time_encoder := 'public.$1_time_encoder'," \
		"p_time_decoder := 'public.$1_time_decoder'"
}

# The documentation's block that names this test and has the words $1.
block()
{
	awk -v words="$1" '/^<!-- elsewhere: test\/servers\/partman.sh -->/ { ours = 1 }
		/^```/ { if (inside && ours) { if (index(text, words)) printf "%s", text; ours = 0 }
			inside = !inside; text = ""; next }
		inside { text = text $0 "\n" }' doc/partitioning.md
}

psql -XAtq -c "CREATE DATABASE $database" || exit 1
sql "CREATE SCHEMA partman" "CREATE EXTENSION pg_partman SCHEMA partman" "CREATE EXTENSION idtypes"
version=$(sql "SELECT extversion FROM pg_extension WHERE extname = 'pg_partman'")
echo "# pg_partman $version, $(sql 'SELECT version()')"

# What each version says to a column of our types as it comes.
for t in $TYPES; do
	sql "CREATE TABLE public.${t}_ids (id $t NOT NULL) PARTITION BY RANGE (id)"
	case $version in
		4.*)
			arguments="p_type := 'native', p_interval := '1 month'"
			supported="integer or date/timestamp"
			;;
		*)
			arguments="p_interval := '1 month', $(coders "$t")"
			supported="integer, numeric, date/timestamp or specially encoded text"
			;;
	esac
	check "$t is refused by pg_partman $version as it comes" same \
		"$(sql "SELECT partman.create_parent('public.${t}_ids', 'id', $arguments)" |
			grep -o 'types that are .*')" \
		"types that are $supported. Supplied column is of type $t"
done
case $version in
	4.*) finish ;;
esac

# The partitions of the table $1 as "from to", which $2 reads from the bounds, but the default one.
STAMP="YYYY-MM-DD HH24:MI:SS.US"
partitions()
{
	sql "SELECT string_agg(concat_ws(' ', to_char($2(m[1]), '$STAMP'), to_char($2(m[2]), '$STAMP')),
			', ' ORDER BY $2(m[1]))
		FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid,
			regexp_matches(pg_get_expr(relpartbound, c.oid), '''([^'']+)''.*''([^'']+)''') m
		WHERE inhparent = 'public.$1'::regclass"
}

# The months from $1 to $2, this month being 0, in that form.
months()
{
	sql "SELECT string_agg(concat_ws(' ', to_char(month, '$STAMP'),
			to_char(month + interval '1 month', '$STAMP')), ', ' ORDER BY month)
		FROM generate_series($1, $2) n,
			LATERAL (SELECT date_trunc('month', now()) + n * interval '1 month') m (month)"
}

# What uuid and text columns hold
check "siq as uuid is accepted" same "$(sql "$(block 'siq_uuid_encoder')")" t
check "siq as uuid: months" same "$(partitions letter siq_uuid_decoder)" "$(months -4 4)"
sql "INSERT INTO letter DEFAULT VALUES" \
	"INSERT INTO letter SELECT siq_generate_at(date_trunc('month', now())
		+ interval '3 months 1 day', 'example.org', 'message')::uuid"
check "siq as uuid: rows in their partitions" same \
	"$(sql "SELECT count(*) FROM letter WHERE to_char(siq_timestamp(id::siq), 'YYYYMM01')
		= right(tableoid::regclass::text, 8)")" 2
sql "SELECT partman.run_maintenance('public.letter')" >/dev/null
check "siq as uuid: maintenance goes on from the last row" same \
	"$(partitions letter siq_uuid_decoder)" "$(months -4 7)"

for t in $TYPES; do
	# the text of a siq starts with its checksum and does not sort
	[ "$t" != siq ] || continue
	table=${t}_text
	check "$t as text is accepted" same \
		"$(sql "CREATE TABLE public.$table (id text COLLATE \"C\" NOT NULL)
				PARTITION BY RANGE (id)" \
			"SELECT partman.create_parent('public.$table', 'id', '1 month', $(coders "$t"))")" t
	check "$t as text: months" same "$(partitions "$table" "${t}_time_decoder")" "$(months -4 4)"
	check "$t as text: rows in their partitions" same \
		"$(sql "INSERT INTO $table SELECT ${t}_generate_at(date_trunc('month', now())
				+ n * interval '1 month')::text FROM generate_series(-1, 1) n" \
			"SELECT count(*) FROM $table WHERE to_char(${t}_timestamp(id::$t), 'YYYYMM01')
				= right(tableoid::regclass::text, 8)")" 3
done

# The types themselves, after the documented change
sql "$(block 'check_control_type')"
check "documented table" same "$(sql "$(block 'TABLE public.event')")" t
check "documented table: months" same "$(partitions event uid11_time_decoder)" "$(months -4 4)"
check "documented maintenance" same "$(sql "$(block 'run_maintenance_proc')")" ""
# late in a month pg_partman makes one more
check "documented table: retention, and months to come" same \
	"$(partitions event uid11_time_decoder | grep -o "^$(months -2 4)")" "$(months -2 4)"

for t in $TYPES; do
	table=${t}_ids
	decoder=${t}_time_decoder
	arguments=
	[ "$t" != siq ] || arguments=", 'example.org', 'event'"
	check "$t is accepted after the change" same \
		"$(sql "SELECT partman.create_parent('public.$table', 'id', '1 month', $(coders "$t"),
			p_start_partition := to_char(now() - interval '4 months', 'YYYY-MM-01'))")" t
	check "$t: months" same "$(partitions "$table" "$decoder")" "$(months -4 4)"
	sql "INSERT INTO $table SELECT ${t}_generate_at(date_trunc('month', now())
			+ n * interval '1 month' + o $arguments)
		FROM generate_series(-4, 2) n, (VALUES (interval '0'), ('27 days 23:59:59.999')) v (o)"
	check "$t: rows in their partitions" same \
		"$(sql "SELECT count(*) FROM $table WHERE to_char(${t}_timestamp(id), 'YYYYMM01')
			= right(tableoid::regclass::text, 8)")" 14
	check "$t: maintenance" same "$(sql "SELECT partman.run_maintenance('public.$table')")" ""
	check "$t: months to come after the newest row" same \
		"$(partitions "$table" "$decoder")" "$(months -4 6)"
	check "$t: retention" same \
		"$(sql "UPDATE partman.part_config SET retention = '2 months', retention_keep_table = false
				WHERE parent_table = 'public.$table'" \
			"SELECT partman.run_maintenance('public.$table')")" ""
	check "$t: old months are gone, and their rows" same \
		"$(partitions "$table" "$decoder") $(sql "SELECT count(*) FROM $table")" "$(months -2 6) 10"
	check "$t: show_partition_info() knows the instants" same \
		"$(sql "SELECT count(*) FROM partman.show_partitions('public.$table') p,
				partman.show_partition_info('public.' || partition_tablename, '1 month',
					'public.$table') i
			WHERE to_char(child_start_time, 'YYYYMMDD') = right(partition_tablename, 8)
				AND child_end_time = child_start_time + interval '1 month'")" 9
	check "$t: a day is looked for in one partition" same \
		"$(sql "EXPLAIN (COSTS OFF) SELECT FROM $table
				WHERE id <@ ${t}_range('$(date -u +%Y-%m-03)', '$(date -u +%Y-%m-04)')" |
			grep -o "Scan .*_p[0-9]*")" "Scan on ${table}_p$(date -u +%Y%m01)"
done

# Why the documentation warns of updates: pg_partman made anew does not know the types
check "the change does not outlive an update, and maintenance says so" same \
	"$(sql "CREATE TABLE kept AS TABLE partman.part_config" \
		"DROP EXTENSION pg_partman" "CREATE EXTENSION pg_partman SCHEMA partman" \
		"INSERT INTO partman.part_config SELECT * FROM kept WHERE parent_table = 'public.event'" \
		"SELECT partman.run_maintenance()" | grep -om 1 "show_partitions: Unexpected code path")" \
	"show_partitions: Unexpected code path"
finish
