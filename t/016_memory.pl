# A session that runs out of memory somewhere in what the extension does: it gets an error meant for
# users, can go on, and holds nothing that others need.
#
# Each statement is run again and again: the first time its first allocation fails, then its second,
# and so on until there are no more.

use t::IdTypesTest;
use Test::More;

plan skip_all => 'these tests need the C library of GNU: they preload a malloc of their own'
  if `ldd --version 2>&1` !~ /GNU|GLIBC/;

my $file = new_clock();

# The server does not survive it if the allocation of a reference to an object's statistics fails:
# pgstat_get_entry_ref_cached() leaves an entry in its hash table whose pointer is that of an entry
# deleted before, and the backend frees that one again when it exits (seen on 15.20).
my $node = new_node('main', clock => $file, conf => "track_counts = off\n");
create_keyed_tables($node);
# of uuid, the server has no operators for GiST
foreach my $generator (grep { $_->{name} ne 'uuid7' } @generators)
{
	$node->sql(join ';', insert_keyed($generator, 500),
		map { "CREATE INDEX ON $generator->{keyed} USING $_ (id)" } 'gist', 'brin', 'hash');
}
$node->restart;

# Makes psql begin a session that loads the library, and returns its process.  The session also
# hashes a domain and encrypts an id: the server's OpenSSL, where it lacks memory when it starts, is
# of no use for the rest of the process.
sub ready
{
	my ($psql) = @_;

	return $psql->query("\\c\n\\set VERBOSITY verbose\nSET statement_timeout = '60s';
		LOAD 'idtypes';
		SELECT pg_backend_pid() FROM siq_domain_hash('of no use'),
			uid11_encrypt('11111111111', 'sixteen letters!')");
}

# Runs a statement until memory suffices, each time in a new session if asked for.
sub run_out
{
	my ($sql, $label, $anew) = @_;
	my ($failures, $errors) = (0, 0);
	my %strange;
	my $session = session($node);
	my $pid;

	# Those of a library that is initialized are hundreds: then not each of them is tried.
	for (my $after = 0;; $after += 1 + int($after / 20))
	{
		$pid = ready($session) if $anew || !defined $pid;
		# the server itself panics where it lacks memory at the end of a transaction
		$session->query('BEGIN');
		set_fake($file, after => $after);
		set_fake($file, pid => $pid);
		$session->query($sql);
		my $failed = fake($file, 'pid') == 0;
		set_fake($file, pid => 0);
		last unless $failed;
		$failures++;
		if ($session->{stderr} =~ /(ERROR|FATAL|PANIC): +(\w+):/)
		{
			$errors++;
			# OpenSSL does not tell that it is memory that it lacks
			$strange{ $session->{stderr} } = 1
			  unless "$1 $2" eq 'ERROR 53200'
			  || $session->{stderr} =~ /could not (compute SHA-256 of a domain|encrypt with AES)/;
		}
		$session->{stderr} = '';
		$strange{'does not go on'} = 1
		  if ($session->query("ROLLBACK;\n$one_of_each") // '') eq ''
		  || $session->{stderr} ne '';
	}
	is(join("\n", sort keys %strange), '', "$label: out of memory");
	cmp_ok($errors, '>', 0, "$label: has run out of it");
	is($session->{stderr}, '', "$label: and succeeds where it does not");
	is($node->error_of("SET statement_timeout = '60s';\n$one_of_each"),
		'', "$label: others generate");
	note("$label: $failures allocations failed, $errors errors");
	$session->quit;
	return;
}

# A generator's first call of a session brings into use what the session has of the generators.
run_out("SELECT $_->{call} FROM generate_series(1, 1) g", "$_->{name}, first call", 1)
  foreach @generators;

my %seen;
foreach my $generator (grep { $_->{stored} eq $_->{type} && !$seen{ $_->{type} }++ } @generators)
{
	my ($type, $table) = @$generator{ 'type', 'keyed' };

	run_out($_, "$type: $_") foreach (
		"SELECT id::text::$type, ${type}_send(id), id::bytea::$type FROM $table LIMIT 5",
		"COPY $table TO '/dev/null' (FORMAT binary)",
		"SELECT ${type}_parts(id), ${type}_timestamp(id), ${type}_try(id::text)
			FROM $table LIMIT 5",
		"SELECT ${type}_decrypt(${type}_encrypt(id, key), key), ${type}_encrypt(id, key, 'tweak')
			FROM $table, (VALUES ('sixteen letters!'::bytea)) k (key) LIMIT 5",
		"SELECT idtypes_identify(id::text) FROM $table LIMIT 2",
		"SELECT array_agg(id ORDER BY id DESC), range_agg(${type}range(id, id, '[]')), max(id)
			FROM $table",
		"SELECT count(*), count(DISTINCT id) FROM $table a JOIN $table b USING (id)",
		"SELECT count(*) FROM $table WHERE id <@ ${type}_range(now() - interval '1 s', now())
			AND id >= ${type}_min('2026-01-01') AND id <@ ${type}_prefix('')",
		insert_keyed($generator, 300),
		"ANALYZE $table");
}
run_out('SELECT * FROM idtypes_generators(), idtypes_status()', 'state');

check_indexes($node, 'afterwards');

$node->stop;
done_testing();
