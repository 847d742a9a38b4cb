# A restore to a point of the past, crashes, restarts and a clock that is set while clients
# generate: what was handed out before is never handed out again, whether or not the transaction
# that asked for it is remembered.

use t::IdTypesTest;

my $clock = new_clock();
my $node =
  new_node('main', init => { allows_streaming => 1, has_archiving => 1 }, clock => $clock);

# ---- Restored to a point of its past ----

# No id that a client was told comes twice, and indexes and tables are sound.
my $rows = $stress ? 200 : 20;

create_keyed_tables($node);

# What comes after the point to restore is lost as it should be, but was told to clients.
my $recorded = new_recorded();

sub load_for_a_while($era)
{
	my $clients =
	  start_burst($node, $recorded, $era, 50, map { insert_keyed($_, $rows) } @generators);

	ok(IPC::Run::finish($_), 'clients load') foreach @$clients;
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
my $times = id_times($node);
cmp_ok($times->{ $_->{name} }, '>', $last, "restored: $_->{name} starts behind all ids before")
  foreach @generators;
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

# ---- Faults while clients generate ----

my $rounds = $stress ? 20 : 1;
my $day = 86400;
my $era = 0;
my $clients;
$recorded = new_recorded();
set_clock($clock, '+0');

# Starts clients, who go on until they lose their server, and waits until they have ids.
sub serve($label)
{
	# for far longer than it takes to come to the next fault
	$clients = start_burst($node, $recorded, $era, 5000, (map { ids_of($_) } @generators) x 20);
	ok( wait_until($node, 'SELECT min(generated) > 0 FROM idtypes_generators()'),
		"$label: clients are served");
	sleep(0.5);
}

# After a fault
sub serve_again($label)
{
	IPC::Run::finish($_) foreach @$clients;
	$era++;
	return serve($label);
}

sub kill_client
{
	return crash($node, $node->sql(q{SELECT pid FROM pg_stat_activity
		WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1}));
}

sub stop_and_start($mode, $offset = undef)
{
	$node->stop($mode);
	set_clock($clock, $offset) if defined $offset;
	$node->start;
}

# Its processes go on until they notice.
sub kill_postmaster
{
	my @pids = split /\n/, $node->sql('SELECT pid FROM pg_stat_activity');

	$node->kill9;
	ok(wait_for(sub { kill(0, @pids) == 0 }), 'its processes are gone');
	$node->start;
}

# The clock goes further ahead each time: it must pass where the generators have come to, as they do
# not go back with it.
my $ahead = 0;

sub crash_after_clock_was_ahead
{
	$ahead += $day;
	set_clock($clock, "+$ahead");
	ok( wait_until($node, q{SELECT bool_and(lead < '1 s'
				AND last_time > clock_timestamp() - interval '1 h')
			FROM idtypes_generators()}),
		'the generators followed the clock');
	set_clock($clock, '+0');
	sleep(0.3);
	kill_client();
	serve_again('after the crash');
	all_lead($node, '>', $ahead - 3600, 'stays there');
	stop_and_start('immediate');
}

my %faults = (
	'crash' => \&kill_client,
	'kill -9 of the postmaster' => \&kill_postmaster,
	'immediate stop' => sub { stop_and_start('immediate') },
	'restart' => sub { stop_and_start('fast') },
	'crash after the clock was set forth and back' => \&crash_after_clock_was_ahead,
	'clock set back while the server is down' => sub { stop_and_start('immediate', '-3600') });

serve('at first');
foreach my $round (1 .. $rounds)
{
	foreach my $fault (sort keys %faults)
	{
		$faults{$fault}->();
		serve_again("round $round, after $fault");
		set_clock($clock, '+0');
	}
}
IPC::Run::kill_kill($_) foreach @$clients;

create_id_tables($node);
my $loaded = load_recorded($node, $recorded);
is( check_ids($node, 'whole run', across_eras => 1), $loaded,
	'all ids that clients wrote down are there');
is($node->sql('SELECT count(DISTINCT era) FROM ids_tid64'),
	$era + 1, 'clients were served between any two faults');

$node->stop;
done_testing();
