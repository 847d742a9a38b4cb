# demo.sh: what the types do, on real rows, in under a minute.
# Part of ./dev, which sources it.

DEMO_ROWS=${IDTYPES_DEMO_ROWS:-250000}
DEMO_CHUNKS=10

# The generator that fills a type's table, if that needs arguments, and the text that its prefixes
# are taken from, if that is not the id's own.
declare -A GENERATOR=(
	[siq]="siq_generate('example.org', 'post')"
	[uuid]="gen_random_uuid()"
)
declare -A PREFIX_TEXT=([siq]="siq_hex(id)")

# Runs psql on the demo's cluster; a failure ends the demo.
demo_psql()
{
	as_worker psql -X -q -v ON_ERROR_STOP=1 -P pager=off -P footer=off "$@" || die "the demo failed"
}

headline()
{
	printf '== %s\n\n' "$*"
}

# Breaks lines at blanks so that plans with long ids stay within 100 columns.
wrap()
{
	awk '{
		match($0, /^ */)
		indent = sprintf("%*s", RLENGTH + 6, "")
		while (length($0) > 98) {
			for (cut = 98; cut > RLENGTH + 6 && substr($0, cut, 1) != " "; cut--)
				;
			if (cut <= RLENGTH + 6)
				break
			print "  " substr($0, 1, cut - 1)
			$0 = indent substr($0, cut + 1)
		}
		print "  " $0
	}'
}

# Joins its further arguments, one query each, with UNION ALL and runs that; $1 is appended.
demo_union()
{
	local tail=$1 query=$2 part

	shift 2
	for part in "$@"; do
		query+=" UNION ALL $part"
	done
	demo_psql -c "$query $tail"
}

# Shows a statement, and what comes out.
demo_show()
{
	say "  $1" ""
	demo_psql -c "$1" | sed 's/^/  /; s/^ *$//'
	[ "${PIPESTATUS[0]}" -eq 0 ] || exit 1
}

# What one wants to see first: a key that makes itself, and what can be asked of it.
demo_first()
{
	local prefix

	demo_show "CREATE TABLE post (id uid11 PRIMARY KEY DEFAULT uid11_generate(), title text);"
	demo_show "INSERT INTO post (title) VALUES ('Hello'), ('World') RETURNING id, title;"
	demo_show "-- what was made in the last minute, and when?
  SELECT title, uid11_timestamp(id) AS made FROM post
  WHERE id <@ uid11_range(now() - interval '1 minute', NULL);"
	prefix=$(demo_psql -A -t -c "SELECT left(max(id)::text, 5) FROM post") || exit 1
	demo_show "-- somebody has only the beginning of an id
  SELECT * FROM post WHERE id <@ uid11_prefix('$prefix');"
}

demo_examples()
{
	local type
	local -a queries=()

	for type in "${TYPES[@]}"; do
		queries+=("SELECT '$type' AS type, length(id::bytea) AS bytes, id::text,
			${type}_timestamp(id) AS \"its own time\"
			FROM (SELECT ${GENERATOR[$type]:-${type}_generate()} AS id) AS new")
	done
	queries+=("SELECT 'uuid', 16, gen_random_uuid()::text, NULL")
	demo_union "" "${queries[@]}"
}

# Fills the table of one type in chunks, each in a session of its own.
demo_fill()
{
	local type=$1 chunk step=$((DEMO_ROWS / DEMO_CHUNKS)) began=$EPOCHREALTIME seconds

	demo_psql -c "CREATE TABLE by_$type
		(id $type PRIMARY KEY DEFAULT ${GENERATOR[$type]:-${type}_generate()}, n integer NOT NULL)"
	printf '  %-34s ' "by_$type: $DEMO_ROWS rows"
	for ((chunk = 0; chunk < DEMO_CHUNKS; chunk++)); do
		demo_psql -c "INSERT INTO by_$type (n)
			SELECT generate_series($((chunk * step + 1)), $(((chunk + 1) * step)))"
		printf '.'
	done
	seconds=$(elapsed "$began")
	printf ' %5s s\n' "$seconds"
}

# The same ids as text, for comparison, in a table filled in the same order.
demo_fill_text()
{
	local type=$1 began=$EPOCHREALTIME

	printf '  %-34s ' "by_${type}_text: the same ids"
	demo_psql -c "CREATE TABLE by_${type}_text
			(id text COLLATE \"C\" PRIMARY KEY, n integer NOT NULL)" \
		-c "INSERT INTO by_${type}_text SELECT id::text, n FROM by_$type ORDER BY n"
	printf '%*s %5s s\n' "$DEMO_CHUNKS" "" "$(elapsed "$began")"
}

# Loads the ids of foreign origin that come with the sources.
demo_foreign()
{
	local type
	local -a queries=()

	for type in "${TYPES[@]}"; do
		demo_psql -c "CREATE TABLE foreign_$type (id $type)"
		grep -v '^#' "$SRC/test/vectors/$type.tsv" | tail -n +2 | cut -f 1 |
			demo_psql -c "\\copy foreign_$type (id) FROM STDIN" || exit 1
		queries+=("SELECT '$type' AS type, count(*) AS ids, min(id)::text AS smallest,
			max(id)::text AS largest FROM foreign_$type")
	done
	demo_union "" "${queries[@]}"
}

demo_order()
{
	local type
	local -a queries=()

	for type in "${TYPES[@]}"; do
		queries+=("SELECT '$type' AS type, count(*) AS rows,
			count(*) FILTER (WHERE ts < previous_ts) AS \"time goes back\",
			count(*) FILTER (WHERE n < previous_n) AS \"not in order of insertion\",
			to_char(min(ts), 'HH24:MI:SS.MS') AS first, to_char(max(ts), 'HH24:MI:SS.MS') AS last
			FROM (SELECT n, lag(n) OVER by_id AS previous_n, ${type}_timestamp(id) AS ts,
				lag(${type}_timestamp(id)) OVER by_id AS previous_ts
				FROM by_$type WINDOW by_id AS (ORDER BY id)) AS sorted")
	done
	demo_union "" "${queries[@]}"
}

# A prefix of an id from the midst of the table that some dozens of rows or more share.
demo_prefix()
{
	local type=$1

	demo_psql -A -t -c "
		WITH one AS (SELECT ${PREFIX_TEXT[$type]:-id::text} AS whole FROM by_$type
				ORDER BY id OFFSET $((DEMO_ROWS * 45 / 100)) LIMIT 1),
			prefixes AS (SELECT left(whole, generate_series(1, length(whole))) AS prefix FROM one),
			counted AS (SELECT prefix, (SELECT count(*) FROM by_$type
				WHERE id <@ ${type}_prefix(prefix)) AS matches FROM prefixes)
		SELECT prefix FROM counted WHERE matches >= 20 ORDER BY matches LIMIT 1"
}

# Planned twice, because the first planning in a session is mostly the loading of catalogs.
demo_plan()
{
	say "  $1"
	demo_psql -A -t <<-END | wrap
		\o /dev/null
		EXPLAIN $1;
		\o
		EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, BUFFERS OFF) $1;
	END
	[ "${PIPESTATUS[0]}" -eq 0 ] || exit 1
	say ""
}

demo_sizes()
{
	local type
	local -a queries=()

	for type in "${TYPES[@]}" uuid; do
		queries+=("SELECT '$type' AS key,
			$(per_row "by_$type") AS \"table, bytes/row\",
			$(per_row "by_$type" _pkey) AS \"index, bytes/entry\",
			$(per_row "by_${type}_text") AS \"as text: table\",
			$(per_row "by_${type}_text" _pkey) AS \"as text: index\"")
	done
	demo_union "" "${queries[@]}"
}
# Size of a table, or of its index that ends in $2, for each of its rows.
per_row()
{
	printf "round(pg_relation_size('%s')::numeric / (SELECT count(*) FROM %s), 1)" "$1${2:-}" "$1"
}

verb_demo()
{
	local type prefix began

	prepare
	read -r -a TYPES < <(as_worker make -s --no-print-directory -C "$SRC" types)
	began=$EPOCHREALTIME
	say "building ..."
	build_or_die
	say "starting a throwaway PostgreSQL $MAJOR ..."
	start_new_cluster demo "shared_buffers = '256MB'" "synchronous_commit = off"
	demo_psql -c "CREATE EXTENSION idtypes"
	say ""

	headline "1. A table whose key knows when it was made"
	demo_first

	headline "2. Five types, beside uuid"
	demo_examples

	headline "3. Tables keyed by them, filled by their DEFAULT"
	for type in "${TYPES[@]}" uuid; do
		demo_fill "$type"
		demo_fill_text "$type"
	done
	demo_psql -c "VACUUM ANALYZE"
	say ""
	say "And ids that others made (test/vectors), loaded by COPY:"
	say ""
	demo_foreign

	headline "4. Sorted by id is sorted by time"
	demo_order
	say "The lower bits of a uid11 are random within its millisecond; the others count."
	say ""

	headline "5. Prefixes and time windows are index conditions"
	for type in "${TYPES[@]}"; do
		prefix=$(demo_prefix "$type") || exit 1
		demo_plan "SELECT * FROM by_$type WHERE id <@ ${type}_prefix('$prefix')"
	done
	say "  A thousand new rows, and those of the last second:"
	say ""
	demo_psql -c "INSERT INTO by_tid64 (n) SELECT $DEMO_ROWS + generate_series(1, 1000)"
	demo_plan "SELECT * FROM by_tid64 WHERE id <@ tid64_range(now() - interval '1 second', now())"

	headline "6. Bytes"
	demo_sizes
	headline "Done in $(elapsed "$began") s"
	say "The server is stopped again; its data is kept.  Look around in it with psql:  ./dev shell"
}
