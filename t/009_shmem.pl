# Shared memory that other libraries have used up, or that belongs to another version of this one:
# an error that says so, and the server lives.

use t::IdTypesTest;

# A library that does such things
my $library = build_library('functions');

my $node = new_node('main');
$node->sql(qq{
	CREATE FUNCTION shmem_hog(most bigint DEFAULT 1::bigint << 40) RETURNS bigint
		AS '$library' LANGUAGE c;
	CREATE FUNCTION shmem_name_locks(count int) RETURNS void AS '$library' LANGUAGE c;
	CREATE FUNCTION shmem_pretend(name text, size int, version int, library text) RETURNS boolean
		AS '$library' LANGUAGE c;});

# Tests that each generator, and the view of them, fails with an error.
sub all_fail
{
	my ($label, @patterns) = @_;

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
	return;
}

# Used up before the first id
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
if ($node->psql('postgres', 'SELECT shmem_name_locks(257)') == 0)
{
	is($node->psql('postgres', 'SELECT tid64_generate()'), 0, 'there is no end of names of locks');
}
else
{
	all_fail(
		'no names of locks',
		qr/ERROR:  maximum number of tranches already registered/,
		qr/CONTEXT: .*shared_preload_libraries/s);
}

# Another layout: the message has the versions of both libraries.
my ($library) = slurp_file('META.json') =~ /^\t"version": "(.*)",$/m;
is($node->sql('SELECT version FROM idtypes_status()'), $library, 'idtypes_status() says it');
foreach my $version (1, 2147483647)
{
	$node->restart;
	is($node->sql("SELECT shmem_pretend('idtypes', 4096, $version, '0.9.12')"),
		'f', "layout $version is in shared memory");
	all_fail(
		"layout $version",
		qr/ERROR:  the identifier generators of this server belong to another version/,
		qr/DETAIL:  They run with library version 0\.9\.12 \(layout $version\); this /,
		qr/ has loaded version \Q$library\E \(layout \d+\)\./,
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
