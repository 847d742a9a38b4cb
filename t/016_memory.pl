# Memory that there is not: a session that runs out of its own somewhere in what the extension does
# gets an error meant for users, can go on, and holds nothing that others need; shared memory that
# other libraries have used up, or that belongs to another version of this one, is an error that
# says so, and the server lives.

use t::IdTypesTest;

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

# ---- A session's memory ----

# A session that has loaded the library.  It has also hashed a domain and encrypted an id: the
# server's OpenSSL, where it lacks memory when it starts, is of no use for the rest of the process.
# Nor is the server's type cache, which two arrays that are compared bring into use: from 18 on
# lookup_type_cache() makes two hash tables, and if only the first could be made, its next call ends
# with SIGSEGV (seen on 18.6).
sub ready
{
	my $session = session($node);

	$session->sql("\\set VERBOSITY verbose\nSET statement_timeout = '60s';
		LOAD 'idtypes';
		SELECT FROM siq_domain_hash('of no use'),
			uid11_encrypt('11111111111', 'sixteen letters!')
		WHERE '{1}'::int[] = '{1}'");
	return $session;
}

# Runs a statement again and again: the first time its first allocation fails, then its second, and
# so on until there are no more; each time in a new session if asked for.
sub run_out($sql, $label, $anew = 0)
{
	my ($failures, $errors) = (0, 0);
	my %strange;
	my $session = ready();

	# Those of a library that is initialized are hundreds: then not each of them is tried.
	for (my $after = 0;; $after += 1 + int($after / 20))
	{
		$session = ready() if $anew && $failures > 0;
		# the server itself panics where it lacks memory at the end of a transaction
		$session->query('BEGIN');
		set_fake($file, after => $after);
		set_fake($file, pid => $session->{pid});
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
		  if $session->query("ROLLBACK;\n$one_of_each") eq ''
		  || $session->{stderr} ne '';
	}
	is(join("\n", sort keys %strange), '', "$label: out of memory");
	cmp_ok($errors, '>', 0, "$label: has run out of it");
	is($session->{stderr}, '', "$label: and succeeds where it does not");
	is($node->error_of("SET statement_timeout = '60s';\n$one_of_each"),
		'', "$label: others generate");
	note("$label: $failures allocations failed, $errors errors");
	$session->quit;
}

  SKIP:
{
	skip 'these tests need the C library of GNU: they preload a malloc of their own', 1
	  if `ldd --version 2>&1` !~ /GNU|GLIBC/;

	# A generator's first call of a session brings into use what the session has of the generators.
	run_out("SELECT $_->{call} FROM generate_series(1, 1) g", "$_->{name}, first call", 1)
	  foreach @generators;

	my %seen = (uuid7 => 1);
	# only the long form takes more than a type passed by reference and one by value
	foreach my $generator (grep { !$seen{ $_->{type} }++ } @generators)
	{
		next unless $stress || $generator->{type} =~ /^(?:siq|uid11)$/;
		my ($type, $table) = @$generator{ 'type', 'keyed' };

		run_out($_, "$type: $_") foreach (
			"SELECT id::text::$type, ${type}_send(id), id::bytea::$type FROM $table LIMIT 5",
			"COPY $table TO '/dev/null' (FORMAT binary)",
			"SELECT ${type}_parts(id), ${type}_timestamp(id), ${type}_try(id::text)
				FROM $table LIMIT 5",
			"SELECT ${type}_decrypt(${type}_encrypt(id, key), key),
				${type}_encrypt(id, key, 'tweak')
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
}

# ---- Shared memory ----

my $library = build_library('functions');
$node->sql(qq{
	CREATE FUNCTION shmem_hog(most bigint DEFAULT 1::bigint << 40) RETURNS bigint
		AS '$library' LANGUAGE c;
	CREATE FUNCTION shmem_name_locks(count int) RETURNS void AS '$library' LANGUAGE c;
	CREATE FUNCTION shmem_pretend(name text, size int, version int, library text) RETURNS boolean
		AS '$library' LANGUAGE c;});

# Tests that each generator, and the view of them, fails with an error.
sub all_fail($label, @patterns)
{
	foreach my $sql ((map { "SELECT $_->{call} FROM generate_series(1, 1) g" } @generators),
		'SELECT * FROM idtypes_generators()')
	{
		my $error = $node->error_of($sql);

		like($error, $_, "$label: $sql says $_") foreach @patterns;
	}

	# not in the middle of anything, either
	is( $node->sql(q{DO $$ BEGIN FOR i IN 1 .. 100 LOOP
				BEGIN PERFORM tid64_generate(); EXCEPTION WHEN OTHERS THEN NULL; END;
			END LOOP; END $$; SELECT 'aaaaaaaaaaa'::uid11}),
		'aaaaaaaaaaa',
		"$label: a session survives it, and the rest of the library works");
}

# Used up before the first id
$node->restart;
my $taken = $node->sql('SELECT shmem_hog()');
cmp_ok($taken, '>', 4096, 'there was shared memory left');
all_fail(
	'no shared memory',
	qr/ERROR:  (not enough shared memory|out of shared memory)/,
	qr/CONTEXT: .*shared_preload_libraries/s);

# Room for the generators, but not for the slots of T_settled(), once and for all
$node->restart;
$node->sql(q{SELECT shmem_hog((SELECT size - 4700 FROM pg_shmem_allocations WHERE name IS NULL))});
is($node->error_of('SELECT tid64_generate()'), '', 'without room for slots, ids are generated');
like(
	$node->error_of("\\set VERBOSITY verbose\nSELECT $_"),
	qr/ERROR:  55000: \w+_settled\(\) is not available.*HINT:  .*shared_preload_libraries/s,
	"without room for slots, $_ is an error")
  foreach map { "$_->{type}_settled()" } @generators;
is( $node->sql('SELECT count(*) FROM idtypes_generators() WHERE oldest_open IS NOT NULL'),
	0, 'and no open transaction is known');

# Used up after it
$node->restart;
my $first = $node->sql('SELECT tid64_generate()');
$node->sql('SELECT shmem_hog()');
is($node->sql("SELECT tid64_generate() > '$first'"),
	't', 'once there is a clock word, it is of no importance');

# From PostgreSQL 19 on there are 256 names of locks.  Who makes the memory but gets no name for its
# lock must not leave it to others as if it were made.
$node->restart;
if ($node->error_of('SELECT shmem_name_locks(257)') eq '')
{
	is($node->error_of('SELECT tid64_generate()'), '', 'there is no end of names of locks');
}
else
{
	all_fail(
		'no names of locks',
		qr/ERROR:  maximum number of tranches already registered/,
		qr/CONTEXT: .*shared_preload_libraries/s);
}

# Another layout: the message has the versions of both libraries.
$node->restart;
my ($version) = slurp_file('META.json') =~ /^\t"version": "(.*)",$/m;
is($node->sql('SELECT version FROM idtypes_status()'), $version, 'idtypes_status() says it');
foreach my $layout (1, 2147483647)
{
	$node->restart;
	is($node->sql("SELECT shmem_pretend('idtypes', 4096, $layout, '0.9.12')"),
		'f', "layout $layout is in shared memory");
	all_fail(
		"layout $layout",
		qr/ERROR:  the identifier generators of this server belong to another version/,
		qr/DETAIL:  They run with library version 0\.9\.12 \(layout $layout\); this /,
		qr/ has loaded version \Q$version\E \(layout \d+\)\./,
		qr/HINT:  Restart the server/);
}

# Another size, which no version should ever have
$node->restart;
$node->sql("SELECT shmem_pretend('idtypes', 8192, 2, '0.9')");
all_fail('another size',
	qr/ERROR: .*(size is wrong for data structure.*"idtypes"|"idtypes" was created with)/);

# A restart mends all of it
$node->restart;
is($node->sql("SELECT tid64_generate() > '$first'"), 't', 'a restart mends it');

# Preloaded, the memory is reserved: others can take only what is left.
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'idtypes'");
$node->restart;
$node->sql('SELECT shmem_hog()');
is($node->error_of('SELECT tid64_generate()'),
	'', 'preloaded: nobody can take the memory of the generators');

$node->stop;
done_testing();
