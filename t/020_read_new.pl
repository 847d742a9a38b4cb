# The statements of doc/read-new.md, taken from that page: each shortcut that it warns of misses a
# row in an order of events that is arranged here by hand, every time; the two ways that it
# recommends miss none there, and two processes of one reader repeat none.  t/022_settled.pl tests
# T_settled() under load.

use t::IdTypesTest;

# ---- The page ----

sub block_with { return page_block('read-new.md', @_) }

# A reader: the statements of its round; of these, the one that reads the point up to where it
# reads, and what makes that one wait; and when its position is past a row.
my @settled = statements(block_with(qr/UPDATE watermark .*, uid11_settled/));
my ($set_newest, $rows_and_point) = statements(block_with(qr/UPDATE watermark .*max/));
my %by_id = (
	statements => \@settled,
	point => 0,
	hold => 'SELECT FROM watermark FOR UPDATE',
	past => 'SELECT id < last FROM reader, event');
my %right = (
	settled => { %by_id, name => 'T_settled()' },
	xid => {
		name => 'by transaction',
		statements => [ statements(block_with(qr/UPDATE reader_by_xid SET upto/)) ],
		point => 1,
		hold => 'SELECT FROM reader_by_xid FOR UPDATE',
		past => 'SELECT x < last FROM reader_by_xid, event'
	});
my %wrong = (
	newest => { %by_id, name => 'the newest id', statements => [ $set_newest, @settled[1 .. 4] ] },

	# its point can be made to wait when the statement has its snapshot
	one_statement => {
		%by_id,
		name => 'in one statement',
		statements => [
			$rows_and_point =~ s/uid11_settled/held_settled/r,
			'UPDATE reader SET last = uid11_settled()'
		],
		hold => 'SELECT pg_advisory_xact_lock(1)'
	});

# ---- The server ----

my $node = new_node('main', conf => 'max_prepared_transactions = 20');

# the page begins with the extension
$node->sql('DROP EXTENSION idtypes');
$node->sql(block_with(qr/CREATE TABLE watermark/));
$node->sql(q{CREATE FUNCTION held_settled() RETURNS uid11 LANGUAGE plpgsql AS
	'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN uid11_settled(); END'});

# The reader by transaction is set up beside a writer that began before it.
my $older = session($node);
$older->sql('BEGIN');
$older->sql('SELECT pg_current_xact_id()');
$node->sql(block_with(qr/CREATE TABLE reader_by_xid/));
my $to_be_read = 'SELECT count(*) FROM event JOIN reader_by_xid ON x >= last';
is($node->sql($to_be_read), '0', 'beside an older writer, the reader has no old row to read');
$older->sql("INSERT INTO event (body) VALUES ('of the older writer')");
$older->sql('COMMIT');
is($node->sql($to_be_read), '1', 'and the new row of that writer to read');
$node->sql("DELETE FROM event WHERE body = 'of the older writer'");
$older->quit;
$node->sql(q{CREATE ROLE mailer; GRANT SELECT ON event, readable TO mailer;
	GRANT SELECT, UPDATE ON watermark, reader, reader_by_xid TO mailer});

# ids and points that follow each other lie in different ticks
my $next_tick = 'SELECT pg_sleep(0.01)';

my $locker = session($node);
my $early = session($node);
my $late = session($node);

# Gives a reader its session, without special rights.
sub start_reader($reader)
{
	# what came before is not its business
	$node->sql(
		'UPDATE reader SET last = uid11_settled(); UPDATE watermark SET upto = last FROM reader');
	$reader->{session} = session($node);
	$reader->{session}->sql('SET ROLE mailer');
	$reader->{seen} = {};
}

# A round of a reader; returns how many rows it found.  Where something is to happen meanwhile, the
# statement that reads the point is held up.
sub round($reader, $meanwhile = undef)
{
	my $session = $reader->{session};
	my $found = 0;

	foreach my $nr (0 .. $#{ $reader->{statements} })
	{
		my $statement = $reader->{statements}[$nr];
		my $result;

		if (defined $meanwhile && $nr == $reader->{point})
		{
			$locker->sql("BEGIN; $reader->{hold}");
			$session->send($statement);
			wait_until($node,
				"SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = $session->{pid}")
			  or die 'the reader does not wait';
			$meanwhile->();
			$locker->sql('ROLLBACK');
			$result = $session->sql('');
		}
		else
		{
			$result = $session->sql($statement);
		}
		foreach my $id (map { /^(\w{11})\|/ ? $1 : () } split /\n/, $result)
		{
			$reader->{seen}{$id}++;
			$found++;
		}
	}
	return $found;
}

sub insert($session, $values)
{
	return $session->sql("INSERT INTO event $values RETURNING id");
}

# ---- By hand ----

# Orders of events.  Each gives a reader an id to find, whose transaction has ended at last.
my %orders = (
	'a later id is committed first' => sub ($reader) {
		$early->sql('BEGIN');
		my $id = insert($early, "VALUES (DEFAULT, 'early')");
		$late->sql($next_tick);
		insert($late, "VALUES (DEFAULT, 'late')");
		$late->sql($next_tick);
		round($reader);
		$early->sql('COMMIT');
		return $id;
	},
	'a commit between snapshot and point' => sub ($reader) {
		$early->sql('BEGIN');
		my $id = insert($early, "VALUES (DEFAULT, 'early')");
		$early->sql($next_tick);
		round($reader, sub { $early->sql('COMMIT') });
		return $id;
	},
	'an id is made, but not yet written' => sub ($reader) {
		$early->sql('BEGIN');
		my $id = $early->sql('SELECT uid11_generate()');
		$early->sql($next_tick);
		round($reader);
		insert($early, "VALUES ('$id', 'early')");
		$early->sql('COMMIT');
		return $id;
	},
	'a transaction is prepared' => sub ($reader) {
		$early->sql('BEGIN');
		my $id = insert($early, "VALUES (DEFAULT, 'early')");
		$early->sql($next_tick);
		$early->sql("PREPARE TRANSACTION 'early'");
		round($reader);
		$early->sql("COMMIT PREPARED 'early'");
		return $id;
	},
	'a transaction is rolled back' => sub ($reader) {
		$early->sql('BEGIN');
		insert($early, "VALUES (DEFAULT, 'gone')");
		$early->sql($next_tick);
		my $id = insert($late, "VALUES (DEFAULT, 'late')");
		round($reader);
		$early->sql('ROLLBACK');
		return $id;
	});
my %trap = (
	newest => 'a later id is committed first',
	one_statement => 'a commit between snapshot and point');

# How often a reader sees the id of an order of events until it is past that.
sub times_seen($reader, $order)
{
	my $id = $orders{$order}->($reader);

	$late->sql($next_tick);
	round($reader);
	$late->sql($next_tick);
	round($reader);
	return 'not yet past it'
	  if $node->sql("$reader->{past} WHERE id = '$id'") ne 't';
	return $reader->{seen}{$id} // 0;
}

foreach my $way (sort keys %wrong)
{
	my $reader = $wrong{$way};

	start_reader($reader);
	is(times_seen($reader, $trap{$way}), 0, "$reader->{name}: $trap{$way}: missed, try $_")
	  foreach 1 .. 3;
	$reader->{session}->quit;
}
foreach my $way (sort keys %right)
{
	my $reader = $right{$way};

	start_reader($reader);
	foreach my $order (sort keys %orders)
	{
		is(times_seen($reader, $order), 1, "$reader->{name}: $order: seen once, try $_")
		  foreach 1 .. 3;
	}
}

# ---- Two processes of one reader ----

# One is held up before it changes its position, when its statement has a snapshot.
$node->sql(q{CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
	'BEGIN PERFORM pg_advisory_xact_lock_shared(2); RETURN NULL; END'});
$node->sql("CREATE TRIGGER hold BEFORE UPDATE ON $_ FOR EACH STATEMENT
		WHEN (current_setting('test.hold', true) = 'on') EXECUTE FUNCTION hold()")
  foreach 'reader', 'reader_by_xid';

my $move_watermark = $settled[0];
my $positions = 'SELECT last, (SELECT last FROM reader_by_xid) FROM reader';

# Inserts a row, which the next round can read.
sub insert_readable
{
	insert($late, "VALUES (DEFAULT, 'next')");
	$late->sql($next_tick);
	$late->sql($move_watermark);
}

my %round = (
	'which reads' => qr/SELECT id, body FROM event\n/,
	'which copies' => qr/INSERT INTO mail /,
	'by transaction' => qr/UPDATE reader_by_xid SET upto/);
$node->sql((statements(block_with($round{'which copies'})))[0]);

foreach my $kind (sort keys %round)
{
	my $sql = join "\n",
	  map { "$_;" } grep { !/^(UPDATE watermark|CREATE)/ } statements(block_with($round{$kind}));
	my ($one, $other) = map { session($node) } 1, 2;
	my %seen;
	my $run = sub ($session, $result = undef) {
		$result //= $session->query($sql);
		my $failed = $session->{stderr};
		$session->{stderr} = '';
		$session->query('ROLLBACK') if $failed ne '';
		if ($failed =~ /ERROR/)
		{
			like($failed, qr/could not serialize access|duplicate key/,
				"$kind: one of two that meet fails");
			return;
		}
		$seen{$_}++ foreach map { /^(\w{11})\|/ ? $1 : () } split /\n/, $result;
		return;
	};

	$node->sql('TRUNCATE mail, event');
	$node->sql($move_watermark);
	$node->sql('UPDATE reader SET last = upto FROM watermark');
	insert_readable();
	$locker->sql('SELECT pg_advisory_lock(2)');
	$one->sql(q{SET test.hold = 'on'});
	$one->send($sql);
	wait_until($node,
		"SELECT wait_event = 'advisory' FROM pg_stat_activity WHERE pid = $one->{pid}")
	  or die "$kind: the round does not wait";
	insert_readable();
	# this one comes to its end, or waits for a row of the first
	$other->send($sql);
	wait_until($node, "SELECT state = 'idle' AND query <> '' OR wait_event_type = 'Lock'
			FROM pg_stat_activity WHERE pid = $other->{pid}")
	  or die "$kind: the second round neither ends nor waits";
	my $before = $node->sql($positions);
	$locker->sql('SELECT pg_advisory_unlock(2)');
	$run->($_, $_->query('')) foreach $one, $other;
	is($node->sql($positions) ge $before, 1, "$kind: no position goes back");
	foreach my $session ($one, $other)
	{
		insert_readable();
		$run->($session);
	}
	%seen = map { $_ => 1 } split /\n/, $node->sql('SELECT id FROM mail') if $kind =~ /copies/;
	is_deeply(\%seen, { map { $_ => 1 } split /\n/, $node->sql('SELECT id FROM event') },
		"$kind: two processes read each row once");
	$_->quit foreach $one, $other;
}
$node->sql('DROP TRIGGER hold ON reader; DROP TRIGGER hold ON reader_by_xid');

# ---- Batches, and what remains ----

# Rows of before and beyond the watermark, and more than a batch has; of ids that are equal in time.
sub batches($size)
{
	my @round = map { s/\b1000\b/$size/gr } @settled;
	my (@batches, @seen);

	do
	{
		my @read = map { /^(\w{11})\|/ ? $1 : () }
		  map { split /\n/, $late->sql($_) } @round;

		push @batches, scalar(@read);
		push @seen, @read;
	} while ($batches[-1] > 0);
	is_deeply(\@seen, [ split /\n/, $node->sql('SELECT id FROM event ORDER BY id') ],
		"batches of $size: each row once, in order");
	return \@batches;
}

foreach my $size (3, 10)
{
	$node->sql('TRUNCATE event');
	$node->sql($move_watermark);
	$node->sql('UPDATE reader SET last = upto FROM watermark');
	insert($late, 'SELECT uid11_generate(), n FROM generate_series(1, 10) n');
	$late->sql($next_tick);
	is_deeply(
		batches($size),
		$size == 3 ? [ 3, 3, 3, 1, 0 ] : [ 10, 0 ],
		"batches of $size: their sizes");
}

# What a batch reads of a large table, without and with statistics of the reader's tables.
$node->sql('TRUNCATE event; UPDATE reader SET last = uid11_settled()');
insert($late, 'SELECT uid11_generate(), n FROM generate_series(1, 20000) n');
$late->sql($next_tick);
$late->sql($move_watermark);
foreach my $when ('VACUUM ANALYZE event', 'ANALYZE reader, watermark')
{
	$node->sql($when);
	foreach my $statement (@settled[ 2, 3 ])
	{
		my $plan = $node->sql(
			"BEGIN; EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $statement; ROLLBACK");
		my ($rows) = $plan =~ /event_pkey on event .*rows=(\d+)/;

		ok(defined $rows && $rows <= 1001 && $plan !~ /Sort/,
			"after $when, a batch reads no more than it needs, by the index") or diag($plan);
	}
}
is($node->sql(block_with(qr/DELETE FROM event/) . 'SELECT count(*) FROM event'),
	'20000', 'no row is deleted that is not read');
$late->sql($_) foreach @settled;
is($node->sql(block_with(qr/DELETE FROM event/) . 'SELECT count(*) FROM event'),
	'19000', 'those of a batch are, when that was read');

# A reader is set up while a transaction is prepared of which nothing is known.
$early->sql('BEGIN');
insert($early, "VALUES (DEFAULT, 'prepared')");
$early->sql(q{PREPARE TRANSACTION 'p'});
$node->restart;
$node->sql('CREATE SCHEMA fresh');
like($node->error_of('SET search_path = fresh, public;'
		. block_with(qr/CREATE TABLE watermark/) =~ s/CREATE EXTENSION.*//r),
	qr/null value in column "last"/, 'a reader begins when the watermark is known');
is($node->sql("SET search_path = fresh, public; $move_watermark; SELECT upto FROM readable"),
	$node->sql(q{SELECT uid11_min('2020-01-01Z')}), 'its watermark waits for that');
$node->sql(q{COMMIT PREPARED 'p'});
$node->sql("SET search_path = fresh, public; $move_watermark;
	INSERT INTO reader SELECT 'mailer', uid11_settled()");
is($node->sql(q{SELECT upto > id FROM fresh.watermark, event WHERE body = 'prepared'}),
	't', 'and moves on then');
$node->stop;
done_testing();
