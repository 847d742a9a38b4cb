# A disk that is full when the mark needs room: generators say so, and go on once there is room.

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

# At a start a file is made
$node->start;
# the server's own cache files
$node->sql('SELECT 1');
fill_disk();
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
fill_disk();
my $mark = $node->sql('SELECT mark FROM idtypes_status()');
ok( wait_until(
		$node,
		"SELECT tid64_generate() IS NOT NULL AND mark > '$mark' FROM idtypes_status()"),
	'the mark later: is renewed, though the disk is full');
free_disk();

$node->stop;
done_testing();
