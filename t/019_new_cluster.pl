# A new cluster that takes over the rows of another one, by a dump or by logical replication, and
# whose clock is behind: past the last of the ids that it has got, it repeats none.

use FindBin;
use lib $FindBin::RealBin;
use IdTypesTest;

my $behind = 10;
my $old_clock = new_clock();
my $old = new_node('old', clock => $old_clock, init => { allows_streaming => 'logical' });
# Of these the same tick and counter are the same id: nothing else of it is drawn.
my @plain = grep { $_->{name} =~ /^(?:siq|tid64|uid11 snowish)$/ } @generators;

sub now { return $_[0]->safe_psql('postgres', 'SELECT extract(epoch FROM clock_timestamp())') }

# Stores a hundred ids of each of these generators.
sub fill
{
	my ($node, $table, @which) = @_;

	$node->safe_psql('postgres',
		"INSERT INTO $_->{$table} SELECT 1, g, 1, $_->{call} FROM generate_series(1, 100) g")
	  foreach @which;
	return;
}

# Makes the tables for ids that were made elsewhere.
sub create_tables
{
	my ($node) = @_;

	$node->safe_psql('postgres',
		"CREATE TABLE $_->{table} (client int, n int, era int, id $_->{type} PRIMARY KEY)")
	  foreach @generators;
	return;
}

# And, anew, for those that are made in the new cluster.
sub create_made
{
	my ($node) = @_;

	$node->safe_psql('postgres', "DROP TABLE IF EXISTS $_->{made};
		CREATE UNLOGGED TABLE $_->{made} (LIKE $_->{table})")
	  foreach @generators;
	return;
}

# How many ids of a generator a cluster has made that it had got.
sub repeated
{
	my ($node, $generator) = @_;

	return $node->safe_psql('postgres',
		"SELECT count(*) FROM $generator->{made} JOIN $generator->{table} USING (id)");
}

$_->{made} = $_->{table} =~ s/^ids/made/r foreach @generators;
create_tables($old);
advance_clock($old_clock, 100);
stop_clock($old_clock);
my $instant = now($old);
fill($old, 'table', @plain);
start_clock($old_clock);
fill($old, 'table', grep { my $this = $_; !grep { $_ == $this } @plain } @generators);
$old->safe_psql('postgres', 'CREATE PUBLICATION everything FOR ALL TABLES');

my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump.sql';
system_or_bail('pg_dump', '-d', $old->connstr('postgres'), '-f', $dump);

# ways to carry the rows over
my %ways = (
	dump => sub {
		my ($node) = @_;

		system_or_bail('psql', '-XAtq', '-d', $node->connstr('postgres'), '-f', $dump);
	},
	replication => sub {
		my ($node) = @_;

		create_tables($node);
		$node->safe_psql('postgres', 'CREATE SUBSCRIPTION new CONNECTION '
			  . "'" . ($old->connstr('postgres') =~ s/'/''/gr) . "' PUBLICATION everything");
		wait_until($node, q{SELECT bool_and(srsubstate IN ('r', 's')) AND count(*) > 0
			FROM pg_subscription_rel}) or die 'no rows come';
		$node->safe_psql('postgres', 'ALTER SUBSCRIPTION new DISABLE');
	});

foreach my $way (sort keys %ways)
{
	my $clock = new_clock();

	set_clock($clock, 100 - $behind);
	my $new = new_node($way, clock => $clock);
	$ways{$way}->($new);
	create_made($new);
	is($new->safe_psql('postgres', "SELECT count(*) FROM $_->{table}"),
		100, "$way: $_->{name}: the rows are there")
	  foreach @generators;

	# Without the call: where the new clock comes to that instant, ids repeat.
	stop_clock($clock);
	advance_clock($clock, $instant - now($new));
	fill($new, 'made', @plain);
	cmp_ok(repeated($new, $_), '>', 0, "$way: without the call, ids of $_->{name} repeat")
	  foreach @plain;

	# As new once more, and with the call
	$new->stop('immediate');
	unlink($new->data_dir . '/idtypes.mark') or die $!;
	advance_clock($clock, -$behind);
	start_clock($clock);
	with_fake_clock($clock, sub { $new->start });
	create_made($new);
	cmp_ok(now($new), '<', $instant, "$way: the clock is behind again");
	$new->safe_psql('postgres',
		"SELECT idtypes_advance_generators($_->{type}_timestamp(max(id))) FROM $_->{table}")
	  foreach @generators;
	fill($new, 'made', @generators);
	foreach my $generator (@generators)
	{
		my ($type, $name) = @$generator{qw(type name)};

		is(repeated($new, $generator), 0, "$way: with the call, $name repeats nothing");
		is( $new->safe_psql(
				'postgres', "SELECT (SELECT min(${type}_timestamp(id)) FROM $generator->{made}) >
					(SELECT max(${type}_timestamp(id)) FROM $generator->{table})"),
			't', "$way: with the call, $name goes on in later ticks");
	}
	$new->stop;
}
$old->stop;
done_testing();
