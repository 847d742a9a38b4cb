# Servers that take over from each other, with clocks almost a second apart.  A server in recovery
# does not generate, as it would repeat the ids of its primary; and once it is promoted, none of its
# ids is one that any server before it handed out, however often that happens.  A reader of new rows
# goes on there and misses none.

use t::IdTypesTest;

# All of them measure time alike, but the second clock is behind.
my @clocks = map { new_clock() } 0 .. 4;
my @offsets = (0, -0.9, 0, 0, 0);
my $recorded = new_recorded();

# Sets some of them back.
sub set_back($seconds, @which)
{
	foreach my $nr (@which)
	{
		$offsets[$nr] -= $seconds;
		set_clock($clocks[$nr], $offsets[$nr]);
	}
}
set_back(0, 0 .. $#clocks);

# With the largest steps a millisecond of ulidflake has one scalable id, so that some thousands take
# seconds, or lead the clock by seconds where nothing holds them.
my $server = new_node(
	'server0',
	init => { allows_streaming => 1 },
	conf => "idtypes.ulidflake_increment_bits = 16\n",
	clock => $clocks[0]);
my $era = 0;

create_id_tables($server);

# Makes a standby of a server that has generated, so that there is a mark to be copied.
sub make_standby($nr)
{
	my $standby = t::Cluster->new("server$nr", clock => $clocks[$nr]);

	$server->sql("SELECT $_->{call} FROM generate_series(1, 2) g") foreach @generators;
	$server->backup("for$nr");
	$standby->init_from_backup($server, "for$nr", has_streaming => 1);
	ok(-e $standby->data_dir . '/idtypes.mark', "server $nr: the mark is in a base backup");
	$standby->start;
	$server->wait_for_catchup($standby);
	return $standby;
}

sub start_bursts($ids, $rows, @which)
{
	return start_burst($server, $recorded, $era, 1,
		map { (ids_of($_, $rows)) x ($ids / $rows) } @which);
}

sub burst($ids)
{
	ok(IPC::Run::finish($_), "server $era: a burst")
	  foreach @{ start_bursts($ids, 100, @generators) };
}

# ---- In recovery ----

my $standby = make_standby(1);
my $mark = slurp_file($standby->data_dir . '/idtypes.mark');

foreach my $call (
	(map { $_->{call} } @generators),
	'ulidflake_generate_scalable()',
	'idtypes_restart_generators()',
	'idtypes_advance_generators(now())')
{
	my ($function) = $call =~ /(\w+)\(/;
	my $refused = qr/ERROR:  25006: cannot execute ${function}\(\) during recovery/;

	like(
		$standby->error_of(
			"\\set VERBOSITY verbose\nSELECT $call FROM generate_series(2, 2) g"),
		qr/$refused.*HINT:  Generate ids on the primary\./s,
		"in recovery: $call refuses, and says what to do");
}
foreach my $call (
	q{uid11_generate('fullrand')},
	q{siq_generate_at('2026-01-01', 'example.org', 'message')},
	q{scru160_generate_at('2026-01-01')},
	q{tid64_generate_at('2026-01-01')},
	q{uid11_generate_at('2026-01-01')},
	q{uid11_generate_at('2026-01-01', 'snowish')},
	q{ulidflake_generate_at('2026-01-01')},
	q{ulidflake_generate_scalable_at('2026-01-01')})
{
	is($standby->error_of("SELECT $call"), '', "in recovery: $call works");
}
is( $standby->sql('SELECT count(*), count(last_time), sum(generated) FROM idtypes_generators()'),
	@generators . '|0|0',
	'in recovery: no generator has handed out anything');
is( $standby->sql('SELECT mark IS NOT NULL, mark_written, mark_timeline FROM idtypes_status()'),
	't||1',
	'in recovery: idtypes_status() shows the mark of the file');
is(slurp_file($standby->data_dir . '/idtypes.mark'), $mark, 'in recovery: the mark is not written');

# ---- Starts that follow each other closely ----

# What a start reserves, and the next one therefore begins behind, does not add up, and three
# seconds after the last one a failover repeats nothing.
#
# The clocks stand still while the server starts and stops, and between the two they move by as
# little as its clients need, so that the starts are as close to each other as on the fastest
# machine.
my $starts = $stress ? 200 : 5;

sub advance_clocks($seconds)
{
	advance_clock($_, $seconds) foreach @clocks;
}

# Generates, and lets as much time pass as that takes, or a number of seconds if that is more.
sub burst_in_time($ids, $seconds)
{
	my $clients = start_bursts($ids, 20, @generators);
	my $passed = 0;

	while (grep { $_->pumpable } @$clients)
	{
		advance_clocks(0.002);
		$passed += 0.002;
		sleep(0.002);
		IPC::Run::reap_nb($_) foreach @$clients;
	}
	IPC::Run::finish($_) or die "server $era: a burst fails" foreach @$clients;
	advance_clocks($seconds - $passed) if $seconds > $passed;
	return $passed;
}

# Takes every tick of a generator, until the mark is written for what comes after that.  So the next
# start begins at what was reserved for clock words that are ahead of the clock, no matter how much
# time clients have taken before.  The clock goes on only here, while there is one at work.
sub use_up_mark
{
	my $session = session($server);
	my $reserved = reserved_until($server);

	$session->send(
		'SELECT count(ulidflake_generate_scalable()) FROM generate_series(1, 100000)');
	my $moved = wait_for(
		sub {
			advance_clocks(0.001);
			return reserved_until($server) > $reserved;
		},
		0.002);
	$session->quit;
	return $moved;
}

sub start_in_a_row
{
	my ($lead, $passed, $highest) = (0, 0, 0);

	advance_clocks(10);
	stop_clock($_) foreach @clocks;
	foreach my $n (1 .. $starts)
	{
		# a first one whose clock words begin behind the clock
		$passed += burst_in_time(20, 0);
		ok(use_up_mark(), "start $n: the mark is renewed") if $n > 1;
		# there the next start begins
		$lead = reserved_until($server) - $server->seconds;
		$highest = max($highest, $lead - 0.005 * $n);
		$server->restart('immediate');
		$era++;
	}
	cmp_ok($highest, '<=', 2.001,
		'the lead of a start is two seconds, and 5 ms for each start before');
	note(sprintf('%d starts in %.3f s of the clock; the last one leads by %.3f s',
			$starts, $passed, $lead));
	burst_in_time(400, 3);
	cmp_ok(largest_lead($server),
		'<', 2, 'three seconds after the last, it leads by less than a promotion adds');
	start_clock($_) foreach @clocks;
}

# ---- Failovers ----

# a session that lives through the promotion, and has been turned away before
my $session = session($standby);
$session->query('SELECT tid64_generate()');
like($session->{stderr}, qr/during recovery/, 'in recovery: an open session is refused');
$session->{stderr} = '';

my $ids = $stress ? 20_000 : 4000;
foreach my $nr (1 .. 3)
{
	burst($ids);
	if ($nr == 2)
	{
		# a step in between: the clock was ten seconds ahead, and is right again
		set_back(-10, $nr - 1);
		burst(100);
		set_back(10, $nr - 1);
		burst(100);
	}
	if ($nr < 3)
	{
		advance_clocks($nr == 2 ? 22 : 3);
		bursts_lead_little($server, $ids, "server $era");
		cmp_ok(largest_lead($server), '<=', 1, "server $era: fit to fail over");
	}
	else
	{
		start_in_a_row();
	}

	# It dies, twice in the middle of a burst, and the next one is there at once: the clocks stand
	# still until that has made its first ids, and pass no more than these need.
	my $clients = $nr < 3 ? start_bursts(60_000, 20, reverse @generators) : [];
	sleep(1) if $nr < 3;
	stop_clock($_) foreach @clocks;
	$server->stop('immediate');
	IPC::Run::finish($_) foreach @$clients;
	$standby->promote;
	$server = $standby;
	$era++;
	$session //= session($server);
	my $promoted = $server->seconds;
	$session->send($one_of_each);
	ok( wait_for(
			sub {
				advance_clocks(0.002);
				return $server->sql("SELECT state = 'idle' AND query ~ 'generate'
					FROM pg_stat_activity WHERE pid = $session->{pid}") eq 't';
			},
			0.05),
		"server $era: an open session generates after the promotion");
	# the lead of the lost one, and the second by which the clocks may differ
	cmp_ok($server->sql('SELECT min(extract(epoch FROM last_time)) FROM idtypes_generators()'),
		'>=', $promoted + 1.999, "server $era: the first ids are two seconds ahead");
	$session->query('');
	is($session->{stderr}, '', "server $era: and are made");
	$session->quit;
	undef $session;
	start_clock($_) foreach @clocks;
	burst($ids);
	$standby = make_standby($nr + 1) if $nr < 3;
}

# once more after a restart on the new timeline
$server->restart('immediate');
$era++;
burst($ids);

create_id_tables($server);
load_recorded($server, $recorded);
my $total = check_ids($server, 'three failovers', across_eras => 1);
is($server->sql('SELECT count(DISTINCT era) FROM ids_siq'),
	$era + 1, 'from all servers');
note("3 failovers, a restart, $total ids");

# ---- A clock that was far ahead when the standby was made ----

my $month = 30 * 86400;
my $restart = 'SELECT count(repeats_from) FROM idtypes_restart_generators()';

set_back(-$month, 3);
$standby = make_standby(4);
set_back($month, 3);
$session = session($server);
$session->sql($restart);
like(
	$session->{stderr},
	qr/NOTICE:  standbys keep the time.*HINT:  After a promotion, call idtypes_restart/s,
	'far ahead: and told to do so after a promotion');
cmp_ok(lead_of($server, 'siq'), '<', 3, 'far ahead: the primary is back');
$server->stop('immediate');
$standby->promote;
my $siq = q{SELECT siq_generate('example.org', 'message')};
$standby->sql($siq);
cmp_ok(lead_of($standby, 'siq'), '>', $month - 3600, 'far ahead: the standby is there again');
$standby->sql($restart);
$standby->sql($siq);
cmp_ok(lead_of($standby, 'siq'), '<', 3, 'far ahead: and back when that was done again');
$session = session($standby);
$session->sql($restart);
is($session->{stderr}, '', 'far ahead: nothing is said where nothing was ahead');

$standby->stop;

# ---- A reader of new rows ----

my ($setup, $round, $advance) = map { page_block('read-new.md', $_) }
  qr/CREATE TABLE watermark/, qr/UPDATE watermark .*uid11_settled/, qr/FROM idtypes_advance/;
my ($subscriber_tables) =
  split /^CREATE SUB/m, page_block('several-servers.md', qr/CREATE TABLE watermark/);
my $settled = q{SELECT upto > uid11_settled() FROM watermark WHERE server = 'main'};

# Inserts a row, and returns what is read until that is.  One round is not enough while the clock
# shows the very tick of the id.
sub insert_and_read($node, $body)
{
	my @read;

	$node->sql("INSERT INTO event VALUES (uid11_generate(), '$body')");
	wait_for(
		sub {
			push @read, map { /^\w{11}\|(.*)/ ? $1 : () } split /\n/, $node->sql($round);
			return grep { $_ eq $body } @read;
		},
		0.01);
	return "@read";
}

# A primary, with what its reader has read.
sub start_reader($name, $streaming)
{
	my $node = new_node($name, init => { allows_streaming => $streaming });

	$node->sql($setup =~ s/EXTENSION/EXTENSION IF NOT EXISTS/r);
	is(insert_and_read($node, 'old'), 'old', "$name: the reader reads");
	return $node;
}

# What the reader reads on the server that took over.
sub test_takeover($node, $label, $clock = undef)
{
	my $began = $node->sql('SELECT clock_timestamp()');

	$node->sql(q{INSERT INTO event VALUES (uid11_generate(), 'too early')});
	is($node->sql($settled), 't', "$label: the watermark is ahead, which the alert shows");
	$node->sql($advance);
	start_clock($clock) if defined $clock;
	is(insert_and_read($node, 'new'), 'new', "$label: a row of after the advance is read");
	is($node->sql($settled), 'f', "$label: the watermark is no longer ahead");
	is(insert_and_read($node, 'newer'), 'newer', "$label: and so on");
	# what was missed before
	$node->sql("UPDATE watermark SET upto = uid11_min('$began'); UPDATE reader SET last = upto
		FROM watermark");
	like(insert_and_read($node, 'last'), qr/^too early ((ahead|published) )?new newer last$/,
		"$label: from further back, all of them are read");
	$node->stop;
}

my $primary = start_reader('ahead', 1);
$primary->backup('before');
$standby = t::Cluster->new('ahead_standby');
$standby->init_from_backup($primary, 'before', has_streaming => 1);
$standby->start;

# A reader on the standby, which keeps its position, beside clients of a primary that crashes.
my ($move) = statements($round);
my $last = $primary->sql('SELECT last FROM reader');
my %seen;

sub read_on_standby
{
	wait_until($primary, 'SELECT true');
	$primary->sql($move);
	($last, my @ids) = split /\n/, $standby->sql("BEGIN ISOLATION LEVEL REPEATABLE READ;
		SELECT upto FROM readable;
		SELECT id FROM event WHERE id >= '$last' AND id < (SELECT upto FROM readable); COMMIT");
	$seen{$_}++ foreach @ids;
	return scalar(@ids);
}

my $insert = "INSERT INTO event (body) VALUES ('x');\n";
foreach my $rows (200, 400)
{
	my $load = start_load($primary,
		clients => 4,
		scripts => [ $insert, "BEGIN;\n$insert\\sleep 20 ms\n${insert}COMMIT;\n" ]);

	ok(wait_for(sub { read_on_standby(); keys %seen >= $rows }), "standby: $rows rows are read");
	# the rows may be there before these clients are
	my $client;
	wait_for(sub { $client = $primary->sql(q{SELECT min(pid) FROM pg_stat_activity
		WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()}) });
	crash($primary, $client);
	IPC::Run::finish($load->{harness});
}
my $rows = $primary->sql('SELECT count(*) FROM event');
ok(wait_for(sub { read_on_standby(); keys %seen >= $rows - 1 }), 'standby: all rows are read');
read_on_standby();
is_deeply(
	\%seen,
	{ map { $_ => 1 } split /\n/, $primary->sql(q{SELECT id FROM event WHERE body = 'x'}) },
	'standby: each row is read once');
$primary->sql($round) foreach 0 .. $rows / 1000;

# The ids of a server that crashed are seconds ahead of its clock; the reader goes back to a time of
# after them.
ok(wait_until($primary, 'SELECT max(id) < clock_timestamp() FROM event'),
	'two hours ahead: no id is ahead of the clock yet');
# A generator that was two hours ahead, as after a clock that was.
$primary->sql(q{SELECT idtypes_advance_generators(now() + interval '2 h')});
is(insert_and_read($primary, 'ahead'), 'ahead', 'two hours ahead: the reader reads');
$primary->wait_for_catchup($standby);
is($standby->sql('SELECT bool_and(id < upto), count(*) FROM event, readable'),
	't|' . ($rows + 1), 'two hours ahead: the standby has the rows below its watermark');
$primary->stop('immediate');
$standby->promote;
test_takeover($standby, 'two hours ahead');

# A subscriber whose clock shows 0.3 s less than the watermark when clients come.
$primary = start_reader('published', 'logical');
$primary->sql('CREATE PUBLICATION news FOR TABLE event, watermark');
my $clock = new_clock();
my $subscriber = new_node('subscriber', init => { allows_streaming => 'logical' }, clock => $clock);
$subscriber->sql($subscriber_tables =~ s/EXTENSION/EXTENSION IF NOT EXISTS/r);
$subscriber->sql(sprintf("CREATE SUBSCRIPTION news CONNECTION 'host=%s port=%d dbname=postgres'
		PUBLICATION news", $primary->host, $primary->port));
ok(wait_until($subscriber, 'SELECT upto IS NOT NULL FROM readable'), 'behind: all is copied');
$subscriber->sql(q{INSERT INTO reader SELECT 'mailer', upto FROM readable});
is(insert_and_read($primary, 'published'), 'published', 'behind: the reader reads');
my $published = $primary->sql('SELECT upto FROM readable');
ok(wait_until($subscriber, "SELECT upto = '$published' FROM readable"), 'behind: it arrives');
$subscriber->sql('DROP SUBSCRIPTION news');
is(join(' ', map { /\|(\w+)/ } $subscriber->sql($round =~ s/^UPDATE watermark.*?;//rs)),
	'published', 'behind: the subscriber reads it');
$primary->stop;
stop_clock($clock);
move_clock($clock, $subscriber->seconds("(SELECT uid11_timestamp(upto) FROM readable)") - 0.3
	  - $subscriber->seconds);
test_takeover($subscriber, 'behind', $clock);
done_testing();
