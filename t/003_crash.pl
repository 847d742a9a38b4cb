# Crashes, restarts and a clock that is set while clients generate: what was handed out before is
# never handed out again, whether or not the transaction that asked for it is remembered.

use t::IdTypesTest;
use Time::HiRes qw(sleep);

my $rounds = $stress ? 20 : 1;
my $day = 86400;
my $clock = new_clock();
my $node = new_node('main', clock => $clock);
my $recorded = new_recorded();
my $era = 0;
my $clients;

# Starts clients, who go on until they lose their server, and waits until they have ids.
sub serve
{
	my ($label) = @_;

	# for far longer than it takes to come to the next fault
	$clients = start_burst($node, $recorded, $era, 5000, (map { twenty($_) } @generators) x 20);
	ok( wait_until($node, 'SELECT min(generated) > 0 FROM idtypes_generators()'),
		"$label: clients are served");
	sleep(0.5);
	return;
}

# After a fault
sub serve_again
{
	my ($label) = @_;

	IPC::Run::finish($_) foreach @$clients;
	$era++;
	return serve($label);
}

sub kill_client
{
	return crash($node, $node->sql(q{SELECT pid FROM pg_stat_activity
		WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1}));
}

sub stop_and_start
{
	my ($mode, $offset) = @_;

	$node->stop($mode);
	set_clock($clock, $offset) if defined $offset;
	$node->start;
	return;
}

# Its processes go on until they notice.
sub kill_postmaster
{
	my @pids = split /\n/, $node->sql('SELECT pid FROM pg_stat_activity');

	$node->kill9;
	ok(wait_for(sub { kill(0, @pids) == 0 }), 'its processes are gone');
	$node->start;
	return;
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
	return;
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
