# Tables that clients load in bulk, keyed by generated ids, when the server is restored to a point
# of its past: no id that a client was told comes twice, and indexes and tables are sound.

use t::IdTypesTest;
use Time::HiRes qw(time);

my $rows = $stress ? 200 : 20;
my $clock = new_clock();
my $node =
  new_node('main', init => { allows_streaming => 1, has_archiving => 1 }, clock => $clock);

create_keyed_tables($node);

# What comes after the point to restore is lost as it should be, but was told to clients.
my $recorded = new_recorded();

sub load_for_a_while
{
	my ($era) = @_;
	my $clients =
	  start_burst($node, $recorded, $era, 50, map { insert_keyed($_, $rows) } @generators);

	ok(IPC::Run::finish($_), 'clients load') foreach @$clients;
	return;
}
$node->backup('before');
load_for_a_while(0);
my $rows_then = join '+', map { "(SELECT count(*) FROM $_->{keyed})" } @generators;
my $kept = $node->sql("SELECT $rows_then");
$node->sql("SELECT pg_create_restore_point('then')");
load_for_a_while(0);
my $last = time();
my $beyond = $node->sql("SELECT $rows_then") - $kept;
my $segment = $node->sql('SELECT pg_walfile_name(pg_switch_wal())');
ok(wait_until($node, "SELECT last_archived_wal >= '$segment' FROM pg_stat_archiver"), 'archived');
$node->stop('immediate');

my $restored = t::Cluster->new('restored', clock => $clock);
$restored->init_from_backup($node, 'before', has_restoring => 1);
$restored->append_conf('postgresql.conf',
	"recovery_target_name = 'then'\nrecovery_target_action = promote\n");
$node = $restored;
$node->start;
ok(wait_until($node, 'SELECT NOT pg_is_in_recovery()'), 'restored');
is($node->sql("SELECT $rows_then"), $kept, 'restored: all rows up to the point');

# Its clock is behind: when the first id is generated it shows almost a second before the moment of
# the other server's last one.
set_clock($clock, $last - time() - 0.9);
load_for_a_while(1);

create_id_tables($node);
load_recorded($node, $recorded);
my $ids = check_ids($node, 'restored', across_eras => 1);
check_indexes($node, 'restored');
my $missing = join '+', map { "(SELECT count(*) FROM (SELECT id FROM $_->{table}
	EXCEPT SELECT id FROM $_->{keyed}) s)" } @generators;
is($node->sql("SELECT $missing"), $beyond,
	'of all ids that clients have, only those beyond the point are gone');
note("restored: $ids rows at risk, $beyond of them beyond the point");

$node->stop;
done_testing();
