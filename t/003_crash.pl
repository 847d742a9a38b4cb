# Crashes, restarts and a clock that is set while clients generate: what was handed out before is
# never handed out again, whether or not the transaction that asked for it is remembered.

use t::IdTypesTest;
use Time::HiRes qw(sleep time);

# Each has three crashes, two immediate stops and a restart.
my $rounds = $stress ? 20 : 1;
my $clients = 4;
my $day = 86400;
my $clock = new_clock();
my $node = new_node('main', clock => $clock);
my %count = (crashes => 0, 'immediate stops' => 0, restarts => 0, 'clock jumps' => 0);
my $set_clock = sub { set_clock($clock, $_[0]); $count{'clock jumps'}++ };

# Waits until clients have got ids from this run of the server.
sub wait_for_service
{
	my ($label) = @_;

	ok( wait_until($node, 'SELECT min(generated) > 0 FROM idtypes_generators()'),
		"$label: clients are served");
	sleep(0.5);
	return;
}

sub stop_and_start
{
	my ($mode, $offset) = @_;

	$node->stop($mode);
	$set_clock->($offset) if defined $offset;
	$node->start;
	$count{ $mode eq 'immediate' ? 'immediate stops' : 'restarts' }++;
	return;
}

# Its processes go on until they notice.
sub kill_postmaster
{
	my @pids = split /\n/, $node->sql('SELECT pid FROM pg_stat_activity');

	$node->kill9;
	ok(wait_for(sub { kill(0, @pids) == 0 }), 'its processes are gone');
	$node->start;
	$count{crashes}++;
	return;
}

# The faults of a round.  The clock goes further ahead each time: it must pass where the generators
# have come to, as they do not go back with it.
my $ahead = 0;
my @faults = (
	[ 'crash', sub { crash($node); $count{crashes}++ } ],
	[ 'kill -9 of the postmaster', \&kill_postmaster ],
	[ 'immediate stop', sub { stop_and_start('immediate') } ],
	[ 'restart', sub { stop_and_start('fast') } ],
	[
		'crash after the clock was set forth and back',
		sub {
			$ahead += $day;
			$set_clock->("+$ahead");
			ok( wait_until($node, q{SELECT bool_and(lead < '1 s'
						AND last_time > clock_timestamp() - interval '1 h')
					FROM idtypes_generators()}),
				'the generators followed the clock');
			$set_clock->('+0');
			sleep(0.3);
			crash($node);
			$count{crashes}++;
			wait_for_service('after the crash');
			all_lead($node, '>', $ahead - 3600, 'stays there');
		}
	],
	[
		'clock set back while the server is down',
		sub {
			stop_and_start('immediate', '-3600');
			wait_for_service('an hour back');
			$set_clock->('+0');
		}
	]);

my $recorders = start_recorders($node, $clients);
foreach my $round (1 .. $rounds)
{
	foreach my $fault (@faults)
	{
		my ($what, $do) = @$fault;

		wait_for_service("round $round, $what");
		$do->();
	}
}
wait_for_service('at the end');
stop_recorders($recorders);

create_id_tables($node);
my $loaded = load_recorded($node, $recorders);
note(join ', ', map { "$count{$_} $_" } sort keys %count);
is( check_ids($node, 'whole run', across_eras => 1), $loaded,
	'all ids that clients wrote down are there');
my $eras = $node->sql('SELECT count(DISTINCT era) FROM ids_tid64');
cmp_ok($eras, '>=', $count{crashes} + $count{'immediate stops'} + $count{restarts},
	'clients were served between any two of them');

$node->stop;
done_testing();
