# Many clients at once, in two databases of a server with stock settings: no id twice, and each
# client's ids, and those of clients that take turns, in order.

use t::IdTypesTest;

my $clients = 8;
my $ids = $stress ? 200_000 : 10_000;

my $node = new_node('main');
is($node->sql('SHOW shared_preload_libraries'), '', 'nothing is preloaded');

# Two databases, which share the clock words.  Clients of the second have other numbers.
create_id_tables($node);
$node->sql('CREATE DATABASE other');
$node->sql('CREATE EXTENSION idtypes; CREATE EXTENSION idtypes_uuid', 'other');
create_id_tables($node, 'other');
my $began = time();
my $half = $clients / 2;
my %half = (clients => $half, transactions => 10, ids => $ids / 10);
my @halves = (
	start_load($node, %half),
	start_load($node, %half, db => 'other', first_client => $half));
ok(IPC::Run::finish($_->{harness}), "$half clients in one of two databases") foreach @halves;
note(sprintf('%.1f s', time() - $began));
my $dir = PostgreSQL::Test::Utils::tempdir();
foreach my $generator (@generators)
{
	my $file = "'$dir/$generator->{table}' (FORMAT binary)";

	$node->sql("COPY $generator->{table} TO $file", 'other');
	$node->sql("COPY $generator->{table} FROM $file");
}
is(check_ids($node, "$clients clients"), $clients * $ids * @generators, 'all ids are there');

# What the server says of it.  Its counts are exact once the clients are gone.
$node->poll_query_until(
	'postgres', 'SELECT bool_and(generated = ' . $clients * $ids . ') FROM idtypes_generators()')
  or diag($node->sql('SELECT * FROM idtypes_generators()'));
is( $node->sql('SELECT count(*), sum(generated) FROM idtypes_generators()'),
	@generators . '|' . $clients * $ids * @generators,
	'idtypes_generators() counts them');

# Ids rise from client to client, in the order in which they were handed out: under a lock, that is
# the order of a sequence.  All as one client's, for check_ids().
create_id_tables($node);
$node->sql('CREATE SEQUENCE turn');
$node->pgbench(
	"--no-vacuum -c $clients -j 2 -t " . ($stress ? 1000 : 200),
	0,
	[qr/processed: /],
	[qr/^$/],
	'clients take turns',
	{
		'turns' => join '',
		"BEGIN;\nSELECT pg_advisory_xact_lock(1);\n",
		(map { "INSERT INTO $_->{table} SELECT 0, nextval('turn'), 1, $_->{call} "
				. "FROM generate_series(1, 3) g;\n" } @generators),
		"COMMIT;\n"
	});
check_ids($node, 'taking turns');

# The same numbers by plain SQL, for servers without the extension: 32 sessions, and none twice.
my $rows = $stress ? 10_000_000 : 160_000;
$node->sql(slurp_file('examples/hosted/ids.sql'));
foreach my $next (qw(tid64_next uid11_next))
{
	$node->sql("CREATE UNLOGGED TABLE $next (id bigint PRIMARY KEY)");
	$node->pgbench(
		'--no-vacuum -c 32 -j 2 -t ' . $rows / 32 / 500,
		0,
		[qr/processed: /],
		[qr/^$/],
		"32 sessions call $next()",
		{ $next => "INSERT INTO $next SELECT $next() FROM generate_series(1, 500)" });
	is($node->sql("SELECT count(*), count(DISTINCT id) FROM $next"),
		"$rows|$rows", "no number of $next() twice");
	foreach my $reset ('DISCARD ALL', 'RESET ALL')
	{
		$node->pgbench(
			'--no-vacuum -c 4 -j 2 -t 200',
			0,
			[qr{processed: 800/800}],
			[qr/^$/],
			"$next() after $reset repeats none",
			{ $next . lc $reset =~ tr/ /_/r => "INSERT INTO $next VALUES ($next());\n$reset;" });
	}
}

$node->stop;
done_testing();
