# Tables that clients load in bulk, keyed by generated ids, when the server is killed, or restored
# to a point of its past: no row that a client was told of is lost, none of its ids comes twice, and
# indexes and tables are sound.

use FindBin;
use lib $FindBin::RealBin;
use IdTypesTest;
use Time::HiRes qw(sleep time);

my $rounds = $stress ? 10 : 1;
my $clients = 4;
my $rows = $stress ? 200 : 20;
my $clock = new_clock();
my $node =
  new_node('main', init => { allows_streaming => 1, has_archiving => 1 }, clock => $clock);

create_keyed_tables($node);

sub load { return start_recorders($node, $clients, sub { insert_keyed($_[0], $rows) }) }

# Tests what became of what was loaded, and empties the tables.
sub check_load
{
	my ($what, @recorders) = @_;

	create_id_tables($node);
	load_recorded($node, @recorders);
	my $ids = check_ids($node, $what, across_eras => 1);
	my $lost = check_keyed_tables($node, $what);
	note("$what: $ids rows at risk, $lost lost");
	$node->sql('TRUNCATE ' . join ', ', map { $_->{keyed} } @generators);
	return;
}

# ----------
# Killed
# ----------

# Its processes go on until they notice.
sub kill_postmaster
{
	ok( wait_until($node, q{SELECT count(*) > 0 FROM pg_stat_activity
			WHERE application_name = 'recorder' AND state = 'active' AND query ~ '^INSERT'}),
		'clients load');
	my @pids = split /\n/, $node->sql('SELECT pid FROM pg_stat_activity');

	$node->kill9;
	ok(wait_for(sub { kill(0, @pids) == 0 }), 'its processes are gone');
	$node->start;
	return;
}

my %faults = (
	'kill -9 of a backend' => sub { crash($node) },
	'kill -9 of the postmaster' => \&kill_postmaster);
foreach my $what (sort keys %faults)
{
	my $recorders = load();

	foreach my $round (1 .. $rounds)
	{
		$faults{$what}->();
		ok( wait_until($node, 'SELECT min(generated) > 0 FROM idtypes_generators()'),
			"$what: clients load again");
	}
	stop_recorders($recorders);
	check_load($what, $recorders);
}

# ----------
# Restored
# ----------

# What comes after the point to restore is lost as it should be, but was told to clients.
my @recorders;
sub load_for_a_while
{
	my $recorder = load();

	ok(wait_until($node, "SELECT min(generated) > 1000 FROM idtypes_generators()"), 'clients load');
	stop_recorders($recorder);
	push @recorders, $recorder;
	return;
}
$node->backup('before');
load_for_a_while();
my $rows_then = join '+', map { "(SELECT count(*) FROM $_->{keyed})" } @generators;
my $kept = $node->sql("SELECT $rows_then");
$node->sql("SELECT pg_create_restore_point('then')");
load_for_a_while();
my $last = time();
my $beyond = $node->sql("SELECT $rows_then") - $kept;
my $segment = $node->sql('SELECT pg_walfile_name(pg_switch_wal())');
ok(wait_until($node, "SELECT last_archived_wal >= '$segment' FROM pg_stat_archiver"), 'archived');
my $era = era($node);
$node->stop('immediate');

my $restored = IdTypesTest::Cluster->new('restored', clock => $clock);
$restored->init_from_backup($node, 'before', has_restoring => 1);
$restored->append_conf('postgresql.conf',
	"recovery_target_name = 'then'\nrecovery_target_action = promote\n");
$node = $restored;
$node->start;
ok( wait_until(
		$node, "SELECT NOT pg_is_in_recovery() AND checkpoint_lsn <> '$era'
			FROM pg_control_checkpoint()"),
	'restored');
is($node->sql("SELECT $rows_then"), $kept, 'restored: all rows up to the point');

# Its clock is behind: when the first id is generated it shows almost a second before the moment of
# the other server's last one.
my $session = session($node);
my $first = new_recorded(1);
set_clock($clock, $last - time() - 0.9);
append_to_file("$first->{dir}/ids.1", join '', map { $session->query($_) . "\n" }
	  "SELECT 'era', checkpoint_lsn - '0/0' FROM pg_control_checkpoint()",
	map { insert_keyed($_, 1) } @generators);
$session->quit;
push @recorders, $first;
load_for_a_while();

create_id_tables($node);
load_recorded($node, @recorders);
my $ids = check_ids($node, 'restored', across_eras => 1);
check_indexes($node, 'restored');
my $missing = join '+', map { "(SELECT count(*) FROM (SELECT id FROM $_->{table}
	EXCEPT SELECT id FROM $_->{keyed}) s)" } @generators;
is($node->sql("SELECT $missing"), $beyond,
	'of all ids that clients have, only those beyond the point are gone');
note("restored: $ids rows at risk, $beyond of them beyond the point");

$node->stop;
done_testing();
