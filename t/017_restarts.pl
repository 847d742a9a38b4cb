# Starts that follow each other closely: what a start reserves, and the next one therefore begins
# behind, does not add up, and three seconds after the last one a failover repeats nothing.
#
# The clock stands still while servers start and stop, and between the two it moves by as little as
# their clients need, so that the starts are as close to each other as on the fastest machine.

use t::IdTypesTest;
use List::Util qw(max);
use Time::HiRes qw(sleep);

my $starts = $stress ? 200 : 5;
my $clock = new_clock();
# with the largest steps, a tick of ulidflake has one scalable id
my $server = new_node(
	'main',
	init => { allows_streaming => 1 },
	conf => "idtypes.ulidflake_increment_bits = 16\n",
	clock => $clock);
my $standby = t::Cluster->new('standby', clock => $clock);
my $recorded = new_recorded();
my $era = 0;

# Generates, and lets as much time pass as that takes, or a number of seconds if that is more.
sub burst
{
	my ($ids, $seconds) = @_;
	my $clients =
	  start_burst($server, $recorded, $era, 1, map { (twenty($_)) x ($ids / 20) } @generators);
	my $passed = 0;

	while (grep { $_->pumpable } @$clients)
	{
		advance_clock($clock, 0.002);
		$passed += 0.002;
		sleep(0.002);
		IPC::Run::reap_nb($_) foreach @$clients;
	}
	IPC::Run::finish($_) or die "server $era: a burst fails" foreach @$clients;
	advance_clock($clock, $seconds - $passed) if $seconds > $passed;
	return $passed;
}

# Takes every tick of a generator, until the mark is written for what comes after that.  So the next
# start begins at what was reserved for clock words that are ahead of the clock, no matter how much
# time clients have taken before.  The clock goes on only here, while there is one at work.
sub use_up_mark
{
	my $session = session($server);
	my $reserved = reserved_until($server);

	send_query($session,
		'SELECT count(ulidflake_generate_scalable()) FROM generate_series(1, 100000)');
	my $moved = wait_for(
		sub {
			advance_clock($clock, 0.001);
			return reserved_until($server) > $reserved;
		},
		0.002);
	$session->{run}->kill_kill;
	return $moved;
}

create_id_tables($server);
burst(20, 0);
$server->backup('backup');
$standby->init_from_backup($server, 'backup', has_streaming => 1);
$standby->start;
advance_clock($clock, 10);
stop_clock($clock);

my ($lead, $passed, $highest) = (0, 0, 0);
foreach my $n (1 .. $starts)
{
	# a first one whose clock words begin behind the clock
	$passed += burst(20, 0);
	ok(use_up_mark(), "start $n: the mark is renewed") if $n > 1;
	# there the next start begins
	$lead = reserved_until($server) - $server->seconds;
	$highest = max($highest, $lead - 0.005 * $n);
	$server->restart('immediate');
	$era++;
}
cmp_ok($highest, '<=', 2.001, 'the lead of a start is two seconds, and 5 ms for each start before');
note(sprintf('%d starts in %.3f s of the clock; the last one leads by %.3f s',
		$starts, $passed, $lead));

burst(400, 3);
cmp_ok(largest_lead($server),
	'<', 2, 'three seconds after the last, it leads by less than a promotion adds');
$server->stop('immediate');
$standby->promote;
$server = $standby;
$era++;
burst(400, 0);

create_id_tables($server);
load_recorded($server, $recorded);
check_ids($server, 'starts in a row and a failover', across_eras => 1);
is($server->sql('SELECT count(DISTINCT era) FROM ids_siq'), $era + 1, 'from each start');

start_clock($clock);
$server->stop;
done_testing();
