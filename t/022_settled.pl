# T_settled(): each row whose id a generator returned in the transaction that stores it is read
# exactly once by a reader that goes on to the point that the function returns, whatever happens to
# transactions, sessions, the server and its clock meanwhile.

use t::IdTypesTest;

my $clock = new_clock();
# only a session that asks for it waits for a standby, which there is none of
my $node = new_node(
	'main',
	clock => $clock,
	init => { allows_streaming => 1 },
	conf => "max_prepared_transactions = 30\nsynchronous_commit = local\n"
	  . "synchronous_standby_names = 'stopped'\n");

foreach my $generator (@generators)
{
	my ($arguments) = $generator->{call} =~ /^uid11_generate\((.*)\)/;

	$generator->{settled} = "$generator->{type}_settled(" . ($arguments // '') . ')';
}
create_keyed_tables($node);
$node->sql('CREATE DATABASE other');
$node->sql('CREATE EXTENSION idtypes; CREATE EXTENSION idtypes_uuid', 'other');

my $early = session($node);
my $late = session($node);
my $idle = session($node);
my $observer = session($node);
my $elsewhere = session($node, 'other');

# no id that follows is of the same tick; a unit of the time in a slot is 2 ms
my $longer = longest_tick($node) + 0.01;
sub next_tick { $late->sql("SELECT pg_sleep($longer)"); return }

sub insert($session, $generator)
{
	return $session->sql("INSERT INTO $generator->{keyed} (n) VALUES (1) RETURNING id");
}

# Whether all ids up to this one are settled: t or f; nothing where that is unknown.
sub is_settled($generator, $id)
{
	return $observer->sql("SELECT $generator->{settled} > '$id'");
}

# ---- By hand ----

# A session that has only read, and holds a snapshot; it holds nothing up.
$idle->sql('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM pg_class');

my %ends = (
	COMMIT => ['COMMIT'],
	ROLLBACK => ['ROLLBACK'],
	'an error' => [ 'RELEASE s', 'SELECT 1 / 0' ],
	'a savepoint that is rolled back' => [ 'ROLLBACK TO s', 'COMMIT' ],
	'PREPARE, COMMIT PREPARED' => [ q{PREPARE TRANSACTION 'p'}, q{COMMIT PREPARED 'p'} ],
	'PREPARE, ROLLBACK PREPARED' => [ q{PREPARE TRANSACTION 'p'}, q{ROLLBACK PREPARED 'p'} ]);

foreach my $generator (@generators)
{
	my $name = $generator->{name};
	my ($other) = grep { $_->{name} ne $name } @generators;

	foreach my $end (sort keys %ends)
	{
		my @statements = @{ $ends{$end} };
		my $last = pop @statements;

		$early->sql('BEGIN; SAVEPOINT s');
		my $early_id = insert($early, $generator);
		my $other_id = insert($late, $other);
		next_tick();
		my $late_id = insert($late, $generator);
		next_tick();
		is(is_settled($generator, $early_id), 'f', "$name: an open transaction holds its id back");
		foreach my $statement (@statements)
		{
			$early->sql($statement);
			is(is_settled($generator, $early_id), 'f', "$name: it does after $statement");
		}
		is(is_settled($other, $other_id), 't', "$name: it does not hold back $other->{name}");
		is($elsewhere->sql("SELECT $generator->{settled} > '$late_id'"),
			't', "$name: nor another database");
		$early->query($last);
		is(is_settled($generator, $late_id), 't', "$name: $end: nothing is held back any more");
		$early->query('ROLLBACK') if $end eq 'an error';
	}
}
$idle->sql('COMMIT');

# The first id of a transaction is held back, not the latest one, and several generators in one
# transaction hold back each its own.
my ($first, $second) = @generators;
$early->sql('BEGIN');
my %open = map { $_->{name} => insert($early, $_) } $first, $second;
next_tick();
insert($early, $_) foreach $first, $second;
next_tick();
is(is_settled($_, $open{ $_->{name} }), 'f', "$_->{name}: the first id is held back")
  foreach $first, $second;

# What holds a reader up is shown, in the database where it does.
my $shown = "SELECT generator, oldest_open_pid, oldest_open > now() - interval '1 hour'
	FROM idtypes_generators() WHERE oldest_open IS NOT NULL ORDER BY generator";
is($node->sql($shown),
	join("\n", map { "$_|$early->{pid}|t" } sort $first->{name}, $second->{name}),
	'the process of the oldest open ids is shown');
is($elsewhere->sql($shown), '', 'elsewhere it is not');
cmp_ok(
	$node->sql("SELECT count(*) FROM idtypes_generators() WHERE generator = '$first->{name}'
		AND oldest_open <= $first->{type}_timestamp('$open{$first->{name}}')"),
	'==', 1, 'with the time of its first id, or a little less');
$early->sql(q{PREPARE TRANSACTION 'p'});
is($node->sql($shown),
	join("\n", map { "$_||t" } sort $first->{name}, $second->{name}),
	'of a prepared transaction without a process');
$early->sql(q{COMMIT PREPARED 'p'});
is($node->sql($shown), '', 'and nothing when all have ended');

# An id that another session generates after the point was read is not below it, in the same tick as
# well, of which there are no ids yet, or some.
stop_clock($clock);
foreach my $generator (@generators, @generators)
{
	my $point = $early->sql("SELECT $generator->{settled}");

	is($node->sql("SELECT $generator->{call} >= '$point' FROM generate_series(1, 1) g"),
		't', "$generator->{name}: a new id is not below the point");
}
start_clock($clock);

# Where it is an error
my %errors = (
	'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT tid64_settled()' =>
	  qr/55000: tid64_settled\(\) needs the isolation level READ COMMITTED.*watermark/s,
	'BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT siq_settled()' =>
	  qr/55000: siq_settled\(\) needs the isolation level READ COMMITTED/,
	q{SELECT uid11_settled('fullrand')} => qr/22023: uid11 profile "fullrand" holds no time/,
	q{SELECT uid11_settled('no')} => qr/22023: .*"no"/);
like($node->error_of("\\set VERBOSITY verbose\n$_"), $errors{$_}, "$_: an error")
  foreach sort keys %errors;
is($node->sql('SET ROLE pg_monitor; SELECT tid64_settled() IS NOT NULL'), 't', 'for everybody');

# ---- Clock and generators ----

# A clock that was set back: the point is beyond what was handed out all the same.
move_clock($clock, -3600);
foreach my $generator (@generators)
{
	my $id = insert($late, $generator);

	is(is_settled($generator, $id), 't', "$generator->{name}: settled beyond a clock set back");
	$id = insert($late, $generator);
	is(is_settled($generator, $id), 't', "$generator->{name}: and once more");
}

# A transaction that has ids of before a restart of the generators, and lower ones of after it.
$early->sql('BEGIN');
insert($early, $_) foreach @generators;
$node->sql('SELECT idtypes_restart_generators()');
%open = map { $_->{name} => insert($early, $_) } @generators;
next_tick();
is(is_settled($_, $open{ $_->{name} }),
	'f', "$_->{name}: ids of after a restart of the generators are held back, too")
  foreach @generators;
$early->sql('COMMIT');
is(is_settled($_, $open{ $_->{name} }), 't', "$_->{name}: until they are committed")
  foreach @generators;
move_clock($clock, 3600);

# The point of one generator leaves the blocks of another one valid.  Where it does not, each id of
# the loop takes a block of 64 words, and while the clock stands still, 2^22 words are all.
$node->set('idtypes.on_overflow', 'error');
stop_clock($clock);
is( $node->error_of(
		q{DO $$ BEGIN FOR i IN 0 .. 1 << 16 LOOP
			PERFORM uid11_generate(), tid64_settled(); END LOOP; END $$}),
	'', 'the point of one generator costs another one no ids');
start_clock($clock);
$node->set('idtypes.on_overflow', 'wait');

# ---- The local transaction id, of which a slot has 22 bits ----

my $library = build_library('functions');
$node->sql("CREATE FUNCTION use_local_xids(int) RETURNS void AS '$library' LANGUAGE c");
my $lxid = q{(SELECT split_part(virtualtransaction, '/', 2)::bigint FROM pg_locks
	WHERE pid = pg_backend_pid() AND locktype = 'virtualxid')};
my ($tid64) = grep { $_->{name} eq 'tid64' } @generators;

# Ends a transaction with an id, and begins another one whose number has the same low bits, while
# readers call.
$early->sql('BEGIN');
my $id = insert($early, $tid64);
my $then = $early->sql("SELECT $lxid");
$early->sql('COMMIT');
next_tick();
is(is_settled($tid64, $id), 't', 'a transaction with an id has ended');
my $now = $early->sql("SELECT $lxid");
$early->sql('SELECT use_local_xids(' . ($then - $now - 2) % (1 << 22) . ')');
$early->sql('BEGIN');
is(($early->sql("SELECT $lxid") - $then) % (1 << 22),
	0, 'the low bits of the transaction id are the same again');
is(is_settled($tid64, $id), 'f', 'what it has left holds a reader back, and is not cleared');
$id = insert($early, $tid64);
next_tick();
is(is_settled($tid64, $id), 'f', 'the ids of the later one are held back');
$early->sql('COMMIT');
is(is_settled($tid64, $id), 't', 'until it ends');

# What a session has left behind holds nothing up when it has ended.
foreach my $round (1 .. 3)
{
	my $gone = session($node);

	$gone->sql('BEGIN');
	$id = insert($gone, $tid64);
	$gone->quit;
	ok(wait_until($node, "SELECT tid64_settled() > '$id'"), 'a session ends in a transaction');
}

# ---- A generator ahead of the clock, beside one that is not ----

# Eight sessions, each in a transaction with an id of both, of which one is open at any time.
$node->sql(q{SELECT idtypes_advance_generators(now() + interval '1 hour',
	for_generator => 'uid11 xid')});
my ($xid) = grep { $_->{name} eq 'uid11 xid' } @generators;
my @sessions = map { session($node) } 1 .. 8;
my ($before, $before_id);
foreach my $session (@sessions, @sessions)
{
	$session->sql('BEGIN');
	insert($session, $tid64);
	$id = insert($session, $xid);
	# ahead of the clock, it is calls that end a tick with ids
	$node->sql("SELECT $xid->{call}, $xid->{settled} FROM generate_series(1, 10)");
	if (defined $before)
	{
		is(is_settled($xid, $before_id), 'f', 'ahead of the clock: an open id is held back');
		$before->sql('COMMIT');
		is(is_settled($xid, $before_id), 't', 'and settles beside other transactions');
	}
	($before, $before_id) = ($session, $id);
}
$before->sql('COMMIT');
$_->quit foreach @sessions;
$node->sql('SELECT idtypes_restart_generators()');

# ---- A reader that counts ----

# What is read of each generator's table, from where on, and how often each row was seen.
my %reader = map { $_->{name} => { generator => $_, since => undef, seen => {} } } @generators;
my $rounds = 0;
my $session;

# A round of all readers, in one session as an application has it: the point in a statement of its
# own, then the rows up to there.
sub read_round
{
	foreach my $reader (values %reader)
	{
		my $generator = $reader->{generator};
		my $upto = $session->sql("SELECT $generator->{settled}");

		next if $upto eq '';
		$reader->{since} //= $upto;
		$reader->{seen}{$_}++ foreach split /\n/,
		  $session->sql("SELECT id FROM $generator->{keyed}
				WHERE id >= '$reader->{since}' AND id < '$upto'");
		# the point itself may fall back; what was read stays read
		$reader->{since} = $session->sql(
			"SELECT greatest('$reader->{since}', '$upto'::$generator->{stored})");
	}
	$rounds++;
}

# Reads until something is so.  Returns false if it never is.
sub reads_until($condition)
{
	my $end = time() + $PostgreSQL::Test::Utils::timeout_default;

	read_round() until $condition->() || time() > $end;
	return $condition->();
}

sub start_reading
{
	$session = session($node);
	foreach my $reader (values %reader)
	{
		$node->sql("TRUNCATE $reader->{generator}{keyed}");
		@$reader{qw(since seen)} = (undef, {});
	}
	read_round();
}

# Tests that each row of the tables was seen once, when all transactions have ended.
sub all_seen_once($label)
{
	next_tick();
	read_round();
	foreach my $reader (map { $reader{ $_->{name} } } @generators)
	{
		my $generator = $reader->{generator};
		my @rows = split /\n/, $node->sql("SELECT id FROM $generator->{keyed}");
		my @not_once = grep { ($reader->{seen}{$_} // 0) != 1 } @rows;

		cmp_ok(scalar(@rows), '>', 0, "$label: rows of $generator->{name}");
		is_deeply(\@not_once, [],
			"$label: each of " . @rows . " rows of $generator->{name} was seen once");
	}
}

# Scripts of clients that insert rows into one table: alone, several in a transaction with pauses,
# some rolled back, some in savepoints, some prepared.
sub scripts($generator)
{
	my $insert = "INSERT INTO $generator->{keyed} (n) SELECT generate_series(1, 3)";
	my $begin = "\\set ms random(0, 20)\nBEGIN;\n$insert;\n\\sleep :ms ms\n";
	my $prepare = "PREPARE TRANSACTION 'p:client_id'";

	return (
		"$insert;\n",
		"$begin$insert;\nCOMMIT;\n",
		"${begin}ROLLBACK;\n",
		"${begin}SAVEPOINT s;\n$insert;\nROLLBACK TO s;\n$insert;\nCOMMIT;\n",
		"$begin$prepare;\n\\sleep :ms ms\nCOMMIT PREPARED 'p:client_id';\n",
		"$begin$prepare;\nROLLBACK PREPARED 'p:client_id';\n");
}

$idle->sql('BEGIN');
insert($idle, $_) foreach @generators;
$idle->sql('ROLLBACK; BEGIN; SELECT count(*) FROM pg_class');
start_reading();
my $load = start_load($node, clients => 20, scripts => [ map { scripts($_) } @generators ]);
my $least = $stress ? 2000 : 100;
ok( reads_until(sub { !grep { keys %{ $_->{seen} } < $least } values %reader }),
	"beside clients, readers find $least rows of each");
ok(stop_load($load), 'the clients end');
all_seen_once('beside clients');
note("$rounds rounds");
$idle->sql('COMMIT');

# ---- Waiting for a standby, a crash ----

# A commit that waits for a synchronous standby, which has stopped: its row is not visible yet.
start_reading();
insert($late, $_) foreach @generators;
my $waiting = session($node);
$waiting->sql('SET synchronous_commit = on');
$waiting->sql('BEGIN');
$id = insert($waiting, $tid64);
$waiting->send('COMMIT');
ok( wait_until($node,
		"SELECT wait_event = 'SyncRep' FROM pg_stat_activity WHERE pid = $waiting->{pid}"),
	'a commit waits for a standby');
next_tick();
is(is_settled($tid64, $id), 'f', 'it holds its id back');
read_round();
is($reader{tid64}{seen}{$id}, undef, 'the row is not read');
$node->set('synchronous_standby_names', '');
$waiting->query('');
is(is_settled($tid64, $id), 't', 'the standby is waited for no longer');
all_seen_once('beside a commit that waited');
$_->quit foreach $waiting, $session, $late, $early, $idle, $observer, $elsewhere;

# A crash with a prepared transaction, and with a slot of a session that is gone: what a prepared
# transaction of before has taken is not known.
start_reading();
$late = session($node);
insert($late, $_) foreach @generators;
$late->sql('BEGIN');
insert($late, $_) foreach @generators;
$late->sql(q{PREPARE TRANSACTION 'p'});
my $gone = session($node);
$gone->sql('BEGIN');
insert($gone, $_) foreach @generators;
next_tick();
read_round();
crash($node, $gone->{pid});
$session = session($node);
$late = session($node);
insert($late, $_) foreach @generators;
foreach my $generator (@generators)
{
	is($node->sql("SELECT $generator->{settled} IS NULL"),
		't', "$generator->{name}: unknown while one of before the crash is prepared");
	is($node->sql("SELECT $generator->{settled} IS NULL", 'other'),
		'f', "$generator->{name}: known in another database");
}
read_round();
$node->sql(q{COMMIT PREPARED 'p'});
all_seen_once('across a crash');

$_->quit foreach $session, $late;
$node->stop;
done_testing();
