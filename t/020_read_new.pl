# The statements of doc/read-new.md, taken from that page: each shortcut that it warns of misses a
# row in an order of events that is arranged here by hand, every time; the two ways that it
# recommends miss none there.  t/022_settled.pl tests T_settled() under load.

use t::IdTypesTest;

# ----------
# The page
# ----------

# The SQL block of the page that has such a line.
my @blocks = slurp_file('doc/read-new.md') =~ /^```sql\n(.*?)^```$/gms;

sub block_with
{
	my ($line) = @_;
	my @found = grep { /^$line/m } @blocks;

	@found == 1 or die "not one block has $line";
	return $found[0];
}

# The statements of a block.
sub statements
{
	my ($sql) = @_;

	return $sql =~ /\s*(.+?);\n/gs;
}

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

# ----------
# The server
# ----------

my $node = new_node('main', conf => 'max_prepared_transactions = 20');

# the page begins with the extension
$node->sql('DROP EXTENSION idtypes');
$node->sql(block_with(qr/CREATE TABLE watermark/));
$node->sql(q{CREATE FUNCTION held_settled() RETURNS uid11 LANGUAGE plpgsql AS
	'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN uid11_settled(); END'});

# The reader by transaction is set up beside a writer that began before it.
my $older = session($node);
$older->query_safe('BEGIN');
$older->query_safe('SELECT pg_current_xact_id()');
$node->sql(block_with(qr/CREATE TABLE reader_by_xid/));
my $to_be_read = 'SELECT count(*) FROM event JOIN reader_by_xid ON x >= last';
is($node->sql($to_be_read), '0', 'beside an older writer, the reader has no old row to read');
$older->query_safe("INSERT INTO event (body) VALUES ('of the older writer')");
$older->query_safe('COMMIT');
is($node->sql($to_be_read), '1', 'and the new row of that writer to read');
$node->sql("DELETE FROM event WHERE body = 'of the older writer'");
$older->quit;
$node->sql(q{CREATE ROLE mailer; GRANT SELECT ON event TO mailer;
	GRANT SELECT, UPDATE ON watermark, reader, reader_by_xid TO mailer});

# ids and points that follow each other lie in different ticks
my $next_tick = 'SELECT pg_sleep(0.01)';

my $locker = session($node);
my $early = session($node);
my $late = session($node);

# Gives a reader its session, without special rights.
sub start_reader
{
	my ($reader) = @_;

	# what came before is not its business
	$node->sql(
		'UPDATE reader SET last = uid11_settled(); UPDATE watermark SET upto = last FROM reader');
	$reader->{session} = session($node);
	$reader->{session}->query_safe('SET ROLE mailer');
	$reader->{seen} = {};
	return;
}

# A round of a reader; returns how many rows it found.  Where something is to happen meanwhile, the
# statement that reads the point is held up.
sub round
{
	my ($reader, $meanwhile) = @_;
	my $session = $reader->{session};
	my $found = 0;

	foreach my $nr (0 .. $#{ $reader->{statements} })
	{
		my $statement = $reader->{statements}[$nr];
		my $result;

		if (defined $meanwhile && $nr == $reader->{point})
		{
			$locker->query_safe("BEGIN; $reader->{hold}");
			send_query($session, $statement);
			wait_until($node,
				"SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = $session->{pid}")
			  or die 'the reader does not wait';
			$meanwhile->();
			$locker->query_safe('ROLLBACK');
			$result = $session->query_safe('');
		}
		else
		{
			$result = $session->query_safe($statement);
		}
		foreach my $id (map { /^(\w{11})\|/ ? $1 : () } split /\n/, $result)
		{
			$reader->{seen}{$id}++;
			$found++;
		}
	}
	return $found;
}

sub insert
{
	my ($session, $values) = @_;

	return $session->query_safe("INSERT INTO event $values RETURNING id");
}

# ----------
# By hand
# ----------

# Orders of events.  Each gives a reader an id to find, whose transaction has ended at last.
my %orders = (
	'a later id is committed first' => sub {
		my ($reader) = @_;

		$early->query_safe('BEGIN');
		my $id = insert($early, "VALUES (DEFAULT, 'early')");
		$late->query_safe($next_tick);
		insert($late, "VALUES (DEFAULT, 'late')");
		$late->query_safe($next_tick);
		round($reader);
		$early->query_safe('COMMIT');
		return $id;
	},
	'a commit between snapshot and point' => sub {
		my ($reader) = @_;

		$early->query_safe('BEGIN');
		my $id = insert($early, "VALUES (DEFAULT, 'early')");
		$early->query_safe($next_tick);
		round($reader, sub { $early->query_safe('COMMIT') });
		return $id;
	},
	'an id is made, but not yet written' => sub {
		my ($reader) = @_;

		$early->query_safe('BEGIN');
		my $id = $early->query_safe('SELECT uid11_generate()');
		$early->query_safe($next_tick);
		round($reader);
		insert($early, "VALUES ('$id', 'early')");
		$early->query_safe('COMMIT');
		return $id;
	},
	'a transaction is prepared' => sub {
		my ($reader) = @_;

		$early->query_safe('BEGIN');
		my $id = insert($early, "VALUES (DEFAULT, 'early')");
		$early->query_safe($next_tick);
		$early->query_safe("PREPARE TRANSACTION 'early'");
		round($reader);
		$early->query_safe("COMMIT PREPARED 'early'");
		return $id;
	},
	'a transaction is rolled back' => sub {
		my ($reader) = @_;

		$early->query_safe('BEGIN');
		insert($early, "VALUES (DEFAULT, 'gone')");
		$early->query_safe($next_tick);
		my $id = insert($late, "VALUES (DEFAULT, 'late')");
		round($reader);
		$early->query_safe('ROLLBACK');
		return $id;
	});
my %trap = (
	newest => 'a later id is committed first',
	one_statement => 'a commit between snapshot and point');

# How often a reader sees the id of an order of events until it is past that.
sub times_seen
{
	my ($reader, $order) = @_;
	my $id = $orders{$order}->($reader);

	$late->query_safe($next_tick);
	round($reader);
	$late->query_safe($next_tick);
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

# The time that a session has begins with its last query, and these were idle for long.
foreach my $session ($locker, $early, $late)
{
	$session->query('SELECT 1');
	$session->quit;
}

$node->stop;
done_testing();
