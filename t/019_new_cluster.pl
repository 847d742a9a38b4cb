# A new cluster that takes over the rows of another one, and whose clock is behind: past the last of
# the ids that it has got, it repeats none.

use t::IdTypesTest;

my $behind = 10;
my $old_clock = new_clock();
my $old = new_node('old', clock => $old_clock);
# Of these the same tick and counter are the same id: nothing else of it is drawn.
my @plain = grep { $_->{name} =~ /^(?:siq|tid64|uid11 snowish)$/ } @generators;

# Stores a hundred ids of each of these generators.
sub fill
{
	my ($node, $table, @which) = @_;

	$node->sql(join ';',
		map { "INSERT INTO $_->{$table} SELECT $_->{call} FROM generate_series(1, 100) g" } @which);
	return;
}

# Makes, anew, the tables for ids that were made elsewhere, or "made" for those of the new cluster.
sub create_tables
{
	my ($node, $table) = @_;

	$node->sql(join ';', 'SET client_min_messages = warning',
		map { "DROP TABLE IF EXISTS $_->{$table};
			CREATE TABLE $_->{$table} (id $_->{type} PRIMARY KEY)" } @generators);
	return;
}

# How many ids of a generator a cluster has made that it had got.
sub repeated
{
	my ($node, $generator) = @_;

	return $node->sql(
		"SELECT count(*) FROM $generator->{made} JOIN $generator->{table} USING (id)");
}

$_->{made} = $_->{table} =~ s/^ids/made/r foreach @generators;
create_tables($old, 'table');
advance_clock($old_clock, 100);
stop_clock($old_clock);
my $instant = $old->seconds;
fill($old, 'table', @plain);
start_clock($old_clock);
fill($old, 'table', grep { my $this = $_; !grep { $_ == $this } @plain } @generators);

my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump.sql';
system_or_bail('pg_dump', '-d', $old->connstr('postgres'), '-f', $dump);

my $clock = new_clock();

set_clock($clock, 100 - $behind);
my $new = new_node('new', clock => $clock);
system_or_bail('psql', '-XAtq', '-d', $new->connstr('postgres'), '-f', $dump);
create_tables($new, 'made');
is($new->sql("SELECT count(*) FROM $_->{table}"), 100, "$_->{name}: the rows are there")
  foreach @generators;

# Without the call: where the new clock comes to that instant, ids repeat.
stop_clock($clock);
advance_clock($clock, $instant - $new->seconds);
fill($new, 'made', @plain);
cmp_ok(repeated($new, $_), '>', 0, "without the call, ids of $_->{name} repeat")
  foreach @plain;

# As new once more, and with the call
$new->stop('immediate');
unlink($new->data_dir . '/idtypes.mark') or die $!;
advance_clock($clock, -$behind);
start_clock($clock);
$new->start;
create_tables($new, 'made');
cmp_ok($new->seconds, '<', $instant, 'the clock is behind again');
$new->sql(join ';', map {
	"SELECT idtypes_advance_generators($_->{type}_timestamp(max(id))) FROM $_->{table}"
} @generators);
fill($new, 'made', @generators);
foreach my $generator (@generators)
{
	my ($type, $name) = @$generator{qw(type name)};

	is(repeated($new, $generator), 0, "with the call, $name repeats nothing");
	is( $new->sql("SELECT (SELECT min(${type}_timestamp(id)) FROM $generator->{made}) >
				(SELECT max(${type}_timestamp(id)) FROM $generator->{table})"),
		't', "with the call, $name goes on in later ticks");
}
$new->stop;
$old->stop;
done_testing();
