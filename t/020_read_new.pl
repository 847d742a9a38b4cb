# The statements of doc/read-new.md, taken from that page: each way of reading new rows that it
# warns of misses a row in an order of events that is arranged here by hand, every time; the two
# ways that it recommends miss none there, nor under load.

use FindBin;
use lib $FindBin::RealBin;
use IdTypesTest;

# ----------
# The page
# ----------

# The SQL blocks of the page, by heading.  The margin is for clocks that are set, which this test
# does not do: without the margin, each id is read as early as possible.
my %blocks;
my $heading;
my $block;
foreach my $line (split /^/, slurp_file("$FindBin::RealBin/../doc/read-new.md"))
{
	if (defined $block)
	{
		push @{ $blocks{$heading} }, $block if $line eq "```\n";
		$block = $line eq "```\n" ? undef :
		  $block . $line =~ s/(\(complete_until\()\)/$1'0')/r;
	}
	elsif ($line eq "```sql\n") { $block = '' }
	elsif ($line =~ /^##? (.*)/) { $heading = $1 }
}

my ($table) = @{ $blocks{'Read what is new, miss nothing'} };
my ($with_column, $xid_round) = @{ $blocks{'By transaction'} };
my ($with_function, $grants, $time_round) = @{ $blocks{'By time'} };
my ($newest, $one_statement, $repeatable_read, $with_xid, $prepared) =
  @{ $blocks{'What misses rows'} };

# The statements of a block.
sub statements
{
	my ($sql) = @_;

	return $sql =~ /\s*(.+?);\n/gs;
}

# A reader: the statements of its round, of which "set" sets the point to read up to; or "all", if
# it is one statement.  The table that holds its position, when it is past a row, and what holds it
# up.
sub reader
{
	my ($name, $sql, %other) = @_;
	my ($table) = $sql =~ /(reader_by_\w+)/;
	my ($column) = $sql =~ /(\w+) >= since/;
	my %reader = (
		name => $name,
		table => $table,
		past => "$column < since",
		hold => "LOCK TABLE $table IN ACCESS EXCLUSIVE MODE");

	@reader{qw(begin set rows move commit)} = statements($sql);
	return { %reader, %other };
}

my %right = (
	xid => reader('by transaction', $xid_round),
	time => reader('by time', $time_round));
my ($begin_repeatable_read, $set_repeatable_read) = statements($repeatable_read);
my %wrong = (
	newest => reader('the newest id', $time_round, set => statements($newest)),
	one_statement => reader(
		'in one statement', $time_round,
		begin => undef,
		all => statements($one_statement),
		hold => 'SELECT FROM reader_by_time FOR UPDATE'),
	repeatable_read => reader(
		'REPEATABLE READ', $time_round,
		begin => $begin_repeatable_read,
		set => $set_repeatable_read),
	with_xid => reader('backend_xid', $time_round, set => statements($with_xid)),
	prepared => reader('min(prepared)', $time_round, set => statements($prepared)));

# ----------
# The server
# ----------

my $node = new_node('main', conf => 'max_prepared_transactions = 20');

# the page begins with the extension
$node->sql('DROP EXTENSION idtypes');
$node->sql($table);

# The reader by transaction is set up beside a writer that began before it.
my $older = session($node);
$older->query_safe('BEGIN');
$older->query_safe('SELECT pg_current_xact_id()');
$node->sql($with_column);
my $to_be_read = 'SELECT count(*) FROM event JOIN reader_by_xid ON x >= since';
is($node->sql($to_be_read), '0', 'beside an older writer, the reader has no old row to read');
$older->query_safe("INSERT INTO event (body) VALUES ('of the older writer')");
$older->query_safe('COMMIT');
is($node->sql($to_be_read), '1', 'and the new row of that writer to read');
$node->sql("DELETE FROM event WHERE body = 'of the older writer'");
$older->quit;

$node->sql($_) foreach $with_function, $grants;
ok( wait_until(
		$node, "SELECT uid11_timestamp(uid11_generate()) <= clock_timestamp() AND
			bool_and(lead = '0') FROM idtypes_generators() WHERE generator = 'uid11 xid'"),
	'new ids do not lead the clock');

# ids and points that follow each other lie in different ticks
my $next_tick = 'SELECT pg_sleep(0.01)';

my $locker = session($node);
my $early = session($node);
my $late = session($node);

# Gives a reader its session: as the page's role, which sees no other session's times; one that asks
# the server itself may see all.
sub start_reader
{
	my ($reader) = @_;

	# what came before is not its business
	$node->sql(
		"UPDATE reader_by_time SET since = uid11_min(clock_timestamp()) WHERE name = 'mailer'");
	$reader->{session} = session($node);
	$reader->{session}->query_safe('SET ROLE mailer')
	  if grep { $_ == $reader } values %right;
	$reader->{pid} = $reader->{session}->query_safe('SELECT pg_backend_pid()');
	$reader->{seen} = {};
	return;
}

# The rows of a result, counted.
sub see
{
	my ($reader, $result) = @_;
	my @ids = map { /^(\w{11})\|/ ? $1 : () } split /\n/, $result;

	$reader->{seen}{$_}++ foreach @ids;
	return scalar @ids;
}

# A round of a reader; returns how many rows it found.  Where something is to happen meanwhile, the
# statement that reads the point is held up: in REPEATABLE READ, EXECUTE has its snapshot when it
# waits for the table; what is one statement has it when it waits for the row.
sub round
{
	my ($reader, $meanwhile) = @_;
	my $session = $reader->{session};
	my $set = $reader->{all} // $reader->{set};
	my $result;

	$session->query_safe("PREPARE point AS $set") if defined $meanwhile;
	$session->query_safe($reader->{begin}) if defined $reader->{begin};
	if (defined $meanwhile)
	{
		$locker->query_safe("BEGIN; $reader->{hold}");
		send_query($session, 'EXECUTE point');
		wait_until($node,
			"SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = $reader->{pid}")
		  or die 'the reader does not wait';
		$meanwhile->();
		$locker->query_safe('ROLLBACK');
		$result = $session->query_safe('DEALLOCATE point');
	}
	else
	{
		$result = $session->query_safe($set);
	}
	unless (defined $reader->{all})
	{
		$result = $session->query_safe($reader->{rows});
		$session->query_safe($_) foreach $reader->{move}, $reader->{commit};
	}
	return see($reader, $result);
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
	one_statement => 'a commit between snapshot and point',
	repeatable_read => 'a commit between snapshot and point',
	with_xid => 'an id is made, but not yet written',
	prepared => 'a transaction is prepared');

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
	  if $node->sql("SELECT $reader->{past} FROM $reader->{table}, event WHERE id = '$id'") ne 't';
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

# ----------
# What the function answers
# ----------

my $point = "SELECT complete_until('0')";

ok($node->sql($point) ne '', 'there is a point');
is( $node->sql('SELECT complete_until() <= clock_timestamp() - interval \'1 second\''),
	't', 'by default with a margin of a second');
$late->query_safe('BEGIN');
my $began = $late->query_safe('SELECT transaction_timestamp()');
is( $node->sql("SELECT complete_until('0') = '$began'"),
	't', 'it is when the oldest transaction began');
$late->query_safe('ROLLBACK');
$late->query_safe("BEGIN; CREATE TABLE prepared (); PREPARE TRANSACTION 'one'");
is($node->sql($point), '', 'unknown where a transaction is prepared');
$late->query_safe("ROLLBACK PREPARED 'one'");
$late->query_safe('SET track_activities = off');
is($node->sql($point), '', 'unknown where a session hides its times');
$late->query_safe('BEGIN');
$late->query_safe('SET track_activities = on');
is($node->sql($point), '', 'unknown where it hid when its transaction began');
$late->query_safe('COMMIT');
isnt($node->sql($point), '', 'known afterwards');
$node->sql('CREATE DATABASE other');
my $elsewhere = $node->background_psql('other', on_error_stop => 0);
$elsewhere->query_safe('SET track_activities = off');
$elsewhere->query_safe("BEGIN; CREATE TABLE prepared (); PREPARE TRANSACTION 'one'; BEGIN");
isnt($node->sql($point), '', 'whatever is the case in another database');
$elsewhere->query_safe("COMMIT; ROLLBACK PREPARED 'one'");
$elsewhere->quit;

like($node->error_of("BEGIN ISOLATION LEVEL REPEATABLE READ; $point"),
	qr/complete_until\(\) needs the isolation level READ COMMITTED/, 'not in REPEATABLE READ');
like($node->error_of("SET ROLE pg_monitor; $point"),
	qr/permission denied for function complete_until/, 'not for everybody');
$node->sql('REVOKE pg_read_all_stats FROM complete_until_owner');
like($node->error_of($point),
	qr/the owner of complete_until\(\) must be a member of pg_read_all_stats/,
	'not without the right to see the times');
$node->sql('GRANT pg_read_all_stats TO complete_until_owner');

# ----------
# Under load
# ----------

# Eight clients insert rows and commit after a while, each its own; some roll back, some prepare.
# They go on until both readers have found rows in many rounds.
my $insert = "INSERT INTO event (body) VALUES ('load'), ('load')";
my @scripts = (
	("BEGIN;\n$insert;\n\\sleep :ms ms\n$insert;\nCOMMIT;\n") x 8,
	("$insert;\n") x 4,
	("BEGIN;\n$insert;\n\\sleep :ms ms\nROLLBACK;\n") x 2,
	"BEGIN;\n$insert;\nPREPARE TRANSACTION 'p:client_id';\n\\sleep :ms ms\n"
	  . "COMMIT PREPARED 'p:client_id';\n\\sleep 50 ms\n",
	"BEGIN;\n$insert;\nPREPARE TRANSACTION 'p:client_id';\n"
	  . "ROLLBACK PREPARED 'p:client_id';\n\\sleep 50 ms\n");
my $load = start_load($node, clients => 8,
	scripts => [ map { "\\set ms random(0, 30)\n$_" } @scripts ]);

my %found = map { $_ => 0 } keys %right;
ok( wait_for(
		sub {
			foreach my $way (keys %right)
			{
				$found{$way} += round($right{$way}) > 0 foreach 1 .. 20;
			}
			return !grep { $_ < 100 } values %found;
		}),
	'both find rows while others write');
ok(stop_load($load), 'the clients end');
$late->query_safe($next_tick);
my %all = map { $_ => 1 }
  split /\n/, $node->sql(q{SELECT id FROM event WHERE body = 'load'});
foreach my $way (sort keys %right)
{
	my $reader = $right{$way};
	my $seen = $reader->{seen};

	round($reader);
	is(scalar(grep { !$seen->{$_} } keys %all),
		0, "$reader->{name}: none missed of " . keys(%all));
	is(scalar(grep { $_ > 1 } values %$seen), 0, "$reader->{name}: none seen twice");
	note("$reader->{name}: $found{$way} rounds with rows");
	$reader->{session}->quit;
}
# The time that a session has begins with its last query, and these were idle for long.
foreach my $session ($locker, $early, $late)
{
	$session->query('SELECT 1');
	$session->quit;
}

$node->stop;
done_testing();
