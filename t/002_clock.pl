# The system clock jumps while clients generate: no id repeats, the order is kept, no session waits,
# and the server log has one line for each step.

use t::IdTypesTest;

my $jitters = $stress ? 1000 : 150;
my $clients = 4;
my $clock = new_clock();
my $node = new_node('main', clock => $clock);
my $jumps = 0;
my $day = 86400;

create_id_tables($node);

# Sets the clock, lets the clients feel it, and returns what the log says of that.
sub jump($offset)
{
	my $position = -s $node->logfile;

	set_clock($clock, $offset);
	# a step forward is noticed when the mark is renewed
	advance_clock($clock, 1.5);
	$jumps++;
	$node->wait_for_log(qr/the system clock was set/, $position);
	wait_for_ids($node) or die 'the clients get no ids';
	return join ', ',
	  slurp_file($node->logfile, $position) =~ /the system clock was (set \w+ by \d+\.\d\d\d s)/g;
}

# One message, of a step by that many seconds, give or take what the clocks drift.
sub set_by($where, $seconds)
{
	my $before = $seconds - 1;

	return qr/^set $where by (?:$before\.9\d\d|$seconds\.0\d\d) s$/;
}

# A rate that a busy machine can keep up with
my $load = start_load($node, clients => $clients, rate => 500);

ok(wait_for_ids($node), 'clients are served');
is(lead_of($node, 'scru160'), 0, 'generators in step with the clock');

# A clock that trembles is no event
foreach my $i (1 .. $jitters)
{
	set_clock($clock, $i % 2 ? '+0.001' : '-0.001');
	sleep(0.02);
}
set_clock($clock, '+0');
unlike(slurp_file($node->logfile), qr/clock was set/,
	"nor are $jitters steps of 1 ms, or the first look at it");

like(jump('-3600'), set_by('back', 3600), 'an hour back: said once');
cmp_ok(lead_of($node, 'siq'), '>', 3590, 'the lead shows it');
like(jump('+0'), set_by('forward', 3600), 'and forth again: said once');
like(jump("+$day"), set_by('forward', $day), 'a day forward: said once');
cmp_ok(lead_of($node, 'siq'), '<', 1, 'the generators followed');
like(jump('+0'), set_by('back', $day), 'and back again: said once');
cmp_ok(lead_of($node, 'siq'), '>', $day - 10, 'the lead shows it');
like(jump('-3600'), set_by('back', 3600), 'further back: said once');
like(jump("+$day"), set_by('forward', $day + 3600), 'the day forward again: said once');
ok(stop_load($load), 'no client failed');

check_ids($node, "$jumps jumps");
note("$jumps clock jumps and $jitters of 1 ms");

# No session waits for a jump to be over.  Both clocks stand still during a call, so that a call
# that waits for a clock goes on waiting; two milliseconds later, which is more than any tick, it
# must return.
my $session = session($node);
my $observer = session($node);
foreach my $offset ('+0', "+$day", '-3600', "+$day", '+0')
{
	stop_clock($clock);
	set_clock($clock, $offset);
	foreach my $generator (@generators)
	{
		my $name = $generator->{name};
		my $sum = 'sum(counter_waits + clock_waits + mark_waits)';
		my $waits = $observer->sql("SELECT $sum FROM idtypes_generators()");
		my $slept = 0;

		$session->send("SELECT $generator->{call} FROM (VALUES (1)) AS v (g)");
		until ($session->is_answered || $slept++ == 1000)
		{
			last if $observer->sql("SELECT $sum > $waits FROM idtypes_generators()") eq 't';
			sleep(0.01);
		}
		advance_clock($clock, 0.002);
		ok(eval { $session->query('') ne '' },
			"clock $offset: $name waits for two milliseconds at most")
		  or die $@ . $session->{stderr};
	}
	start_clock($clock);
}

# What a session has counted since its last report is missing while it is idle, and added when it
# ends.  It reports the first id after more than a second.
stop_clock($clock);
advance_clock($clock, 2);
my $count = sub { state_of($node, 'scru160', 'generated') };
$session->sql('SELECT scru160_generate()');
my $reported = $count->();
$session->sql('SELECT count(scru160_generate()) FROM generate_series(1, 5)');
is($count->(), $reported, 'the last counts of an idle session are missing');
$_->quit foreach $session, $observer;
ok(wait_for(sub { $count->() == $reported + 5 }), 'until it ends');

$node->stop;
done_testing();
