#!/usr/bin/env bash
#
# pg_repack of a table that is written to: it fails where the extension is outside public, and holds
# in public, as doc/messages.md says.
#
set -u -o pipefail
. test/lib/check.sh
database=idtypes_repack_$$
out=$(mktemp)
trap 'psql -XAtqc "DROP DATABASE IF EXISTS $database WITH (FORCE)"; rm -f "$out"' EXIT

# pg_repack's output, with its status, while rows are updated and deleted one after the other.
repack()
{
	local writer

	while psql -XAtqd "$database" -c "UPDATE public.post SET n = n + 1 WHERE id = '$id'" \
			-c "DELETE FROM public.post WHERE ctid = (SELECT max(ctid) FROM public.post)"; do
		:
	done >/dev/null 2>&1 &
	writer=$!
	"$(pg_config --bindir)/pg_repack" -t public.post "$database" >"$out" 2>&1
	set -- $?
	kill "$writer"
	wait "$writer" 2>/dev/null
	return "$1"
}

fails()
{
	! repack && grep -q "operator does not exist: $1.uid11 = $1.uid11" "$out"
}

for schema in ids public; do
	psql -XAtqc "DROP DATABASE IF EXISTS $database" -c "CREATE DATABASE $database" 2>/dev/null
	id=$(psql -XAtq -v ON_ERROR_STOP=1 -d "$database" <<-SQL
		CREATE EXTENSION pg_repack;
		CREATE SCHEMA IF NOT EXISTS ids;
		CREATE EXTENSION idtypes SCHEMA $schema;
		CREATE TABLE post (id $schema.uid11 PRIMARY KEY DEFAULT $schema.uid11_generate(), n int);
		INSERT INTO post (n) SELECT 0 FROM generate_series(1, 200000);
		SET search_path = public, ids;
		SELECT min(id) FROM post;
		ALTER DATABASE $database SET search_path = public, ids;
	SQL
	)
	if [ $schema = ids ]; then
		check "outside public, a write stops pg_repack" fails ids
	else
		check "in public, pg_repack takes the writes over" repack
	fi
done
sums
