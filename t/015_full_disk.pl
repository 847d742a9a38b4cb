# A disk that is full when the mark or a table needs room: each says so, nothing that was told to a
# client is lost, and it goes on once there is room.

use t::IdTypesTest;

my $disk;
BEGIN { $disk = on_small_disk(160) }

my $full = qr/No space left on device/;

# The data directory is there, its WAL is not: a server whose WAL finds no room stops, whatever the
# extension does.
my $node = new_node('main');
my $data = $node->data_dir;
my $wal = PostgreSQL::Test::Utils::tempdir() . '/wal';

create_keyed_tables($node);
$node->sql(insert_keyed($_, 100)) foreach @generators;
$node->stop;
system_or_bail('mv', "$data/pg_wal", $wal);
system_or_bail('mv', $data, "$disk/data");
symlink("$disk/data", $data) && symlink($wal, "$data/pg_wal") or die "could not link: $!";

# ---- The mark ----

# At a start a file is made
$node->start;
# the server's own cache files
$node->sql('SELECT 1');
fill_disk(0);
all_refuse($node, 'the mark at a start',
	qr/ERROR:  could not write file "idtypes\.mark\.new": $full/);
free_disk();

foreach my $generator (@generators)
{
	# no repeat, as the primary key would say
	$node->sql(insert_keyed($generator, 100));
	is( $node->sql("SELECT min($generator->{order}) FILTER (WHERE later)
					> max($generator->{order}) FILTER (WHERE NOT later)
				FROM (SELECT id, row_number() OVER (ORDER BY ctid) > 100 AS later
					FROM $generator->{keyed}) s"),
		't',
		"the mark at a start: $generator->{name} starts behind all ids before");
}

# Later its place is written over, which needs no room
$node->sql($one_of_each);
ok(!-e "$data/idtypes.mark.new", 'the mark at a start: made once there is room');
fill_disk(0);
my $mark = $node->sql('SELECT mark FROM idtypes_status()');
ok( wait_until(
		$node,
		"SELECT tid64_generate() IS NOT NULL AND mark > '$mark' FROM idtypes_status()"),
	'the mark later: is renewed, though the disk is full');
free_disk();

# ---- Tables ----

my $session = session($node);
my %acknowledged;
foreach my $generator (@generators)
{
	my $table = $generator->{keyed};

	$acknowledged{$table} = 200;
	fill_disk(1024);
	$session->{stderr} = '';
	while ($acknowledged{$table} < 1_000_000)
	{
		my $ids = () = $session->query(insert_keyed($generator, 500)) =~ /\|/g;

		last if $session->{stderr} ne '';
		$acknowledged{$table} += $ids;
	}
	like($session->{stderr}, qr/ERROR:  could not (extend|write to) .*$full/,
		"$table: no room, and the client is told");
	$session->{stderr} = '';
	is($session->query("SELECT $generator->{call} IS NOT NULL FROM generate_series(1, 1) g"),
		't', "$table: the session generates");
	free_disk();
	$acknowledged{$table} += 500 if () = $session->query(insert_keyed($generator, 500)) =~ /\|/g;
	is($session->{stderr}, '', "$table: it goes on once there is room");
	is($node->sql("SELECT count(*), count(DISTINCT id) FROM $table"),
		"$acknowledged{$table}|$acknowledged{$table}",
		"$table: what the client was told is there, once");
	note("$table: $acknowledged{$table} rows at risk");
}
check_indexes($node, 'tables');

$session->quit;
$node->stop;
done_testing();
