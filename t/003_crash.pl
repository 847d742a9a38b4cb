# Crashes, restarts and a clock that is set while clients generate: what was handed out before is
# never handed out again, whether or not the transaction that asked for it is remembered.

use FindBin;
use lib $FindBin::RealBin;
use IdTypesTest;
use Time::HiRes qw(sleep time);

# Each has two crashes, two immediate stops and a restart.
my $rounds = $stress ? 20 : 2;
my $clients = 4;
my $day = 86400;
my $clock = new_clock();
my $node = new_node('main', clock => $clock);
my %count = (crashes => 0, 'immediate stops' => 0, restarts => 0, 'clock jumps' => 0);
my $set_clock = sub { set_clock($clock, $_[0]); $count{'clock jumps'}++ };

# Which run of the server this is; see start_recorders().
sub era
{
	return $node->safe_psql('postgres', 'SELECT checkpoint_lsn FROM pg_control_checkpoint()');
}

# Waits until clients have got ids from this run of the server.
sub wait_for_ids
{
	my ($label) = @_;

	ok( wait_until($node, 'SELECT min(generated) > 0 FROM idtypes_generators()'),
		"$label: clients are served");
	sleep(0.5);
	return;
}

# Kills a backend that is at work, and waits until the server has recovered.
sub crash
{
	my $era = era();
	my $pid = '';

	# it may have come to its end before it is killed
	until ($pid ne '' && kill('KILL', $pid) == 1)
	{
		$pid = $node->safe_psql(
			'postgres', "SELECT pid FROM pg_stat_activity WHERE application_name = 'recorder'
				AND state = 'active' AND query ~ 'generate' LIMIT 1");
	}
	ok( wait_until($node, "SELECT checkpoint_lsn <> '$era' FROM pg_control_checkpoint()"),
		'the server has recovered');
	$count{crashes}++;
	return;
}

sub stop_and_start
{
	my ($mode) = @_;

	$node->stop($mode);
	with_fake_clock($clock, sub { $node->start });
	$count{ $mode eq 'immediate' ? 'immediate stops' : 'restarts' }++;
	return;
}

# The faults of a round.  The clock goes further ahead each time: it must pass where the generators
# have come to, as they do not go back with it.
my $ahead = 0;
my @faults = (
	[
		'crash',
		sub { crash() }
	],
	[ 'immediate stop', sub { stop_and_start('immediate') } ],
	[ 'restart', sub { stop_and_start('fast') } ],
	[
		'crash after the clock was set forth and back',
		sub {
			$ahead += $day;
			$set_clock->("+$ahead");
			ok( wait_until(
					$node, "SELECT lead < '1 s' AND last_time > clock_timestamp() - interval '1 h'
						FROM idtypes_generators() WHERE generator = '$_->{name}'"),
				"$_->{name} followed the clock") foreach @generators;
			$set_clock->('+0');
			sleep(0.3);
			crash();
			wait_for_ids('after the crash');
			cmp_ok(lead_of($node, $_->{name}), '>', $ahead - 3600, "$_->{name} stays there")
			  foreach @generators;
		}
	],
	[
		'clock set back while the server is down',
		sub {
			$node->stop('immediate');
			$set_clock->('-3600');
			with_fake_clock($clock, sub { $node->start });
			$count{'immediate stops'}++;
			wait_for_ids('an hour back');
			$set_clock->('+0');
		}
	]);

my $recorders = start_recorders($node, $clients);
foreach my $round (1 .. $rounds)
{
	foreach my $fault (@faults)
	{
		my ($what, $do) = @$fault;

		wait_for_ids("round $round, $what");
		$do->();
	}
}
wait_for_ids('at the end');
stop_recorders($recorders);

create_id_tables($node, 'postgres');
my $loaded = load_recorded($node, 'postgres', $recorders);
note(join ', ', map { "$count{$_} $_" } sort keys %count);
is( check_ids($node, 'postgres', 'whole run', across_eras => 1), $loaded,
	'all ids that clients wrote down are there');
my $eras = $node->safe_psql('postgres', 'SELECT count(DISTINCT era) FROM ids_tid64');
cmp_ok($eras, '>=', $count{crashes} + $count{'immediate stops'} + $count{restarts},
	'clients were served between any two of them');

$node->stop;
done_testing();
