# No session is held up by what another one is held up by: a disk, a client that does not read, or
# nothing at all, where it is stopped.  Who needs what the other one is to bring waits where it can
# be cancelled, and the wait shows.

use t::IdTypesTest;

my $clock = new_clock();
my $node = new_node(
	'main',
	conf => "fsync = on\nidtypes.ulidflake_increment_bits = 16\n",
	clock => $clock);
my $forever = 10**12;
my $named = $node->sql('SHOW server_version_num') >= 170000;

# A session that may come to a stop: its statements are sent and not waited for.
sub session_of($name)
{
	local $ENV{PGAPPNAME} = $name;

	return { name => $name, session => session($node) };
}

# Each statement is marked, so that a session that has not come to it yet is not mistaken for one
# that is through.
my $mark = 0;
my %marked;

sub marked($name, $sql)
{
	$marked{$name} = 'statement ' . ++$mark;
	return "/* $marked{$name} */ $sql";
}

sub send_to($session, $sql)
{
	$session->{session}->send(marked($session->{name}, $sql));
}

my $observer = session($node);

# What a session does with the statement that it was sent last: its state, and what it waits for.
sub doing($name)
{
	# the server has been started anew
	$observer = session($node) if $observer->error_of('SELECT 1') ne '';
	return $observer->sql("SELECT coalesce(max(CASE WHEN query LIKE '%$marked{$name} %'
				THEN concat_ws(' ', state, wait_event_type, wait_event) ELSE 'nothing' END), 'gone')
			FROM pg_stat_activity WHERE application_name = '$name'");
}

sub wait_until_doing($name, $what)
{
	return 1 if wait_for(sub { doing($name) =~ $what });
	diag("$name: " . doing($name));
	return 0;
}

sub wait_event($name)
{
	return $named ? qr/ Extension $name$/ : qr/ Extension Extension$/;
}

# ---- A slow disk ----

# The clock stands still, so that it does not matter how long any of this takes.  The test moves it
# on: until a session writes the mark, and then by the half second that the disk needs for that.
# Each instant has enough ids for an xid.
$node->sql($one_of_each);
stop_clock($clock);
set_fake($clock, hold => $forever);
my $writer = session_of('writer');
my $mark_waits = state_of($node, 'uid11 xid', 'mark_waits');
my $moved = 0;
until (fake($clock, 'held') > 0 || $moved >= 3)
{
	$moved += 0.02;
	advance_clock($clock, 0.02);
	send_to($writer, 'SELECT uid11_generate()');
	sleep(0.01) until doing('writer') =~ /^idle/ || fake($clock, 'held') > 0;
}
cmp_ok(fake($clock, 'held'), '>', 0, 'the mark is written');
note("$moved s after the one before");
ok(wait_until_doing('writer', wait_event('IdtypesMarkWrite')), 'the writer is seen to write');
my $other = session_of('other');
foreach my $tenths (0 .. 5)
{
	send_to($other, 'SELECT uid11_generate()');
	ok(wait_until_doing('other', qr/^idle|Extension|LWLock/), 'another session returns or waits');
	like(doing('other'), qr/^idle/, "it is served $tenths tenths of a second later");
	advance_clock($clock, 0.1);
}

# ---- A disk that is slower than time is reserved ----

# Waits until sessions have returned, or one writes the mark again, and tests which of them did.
sub returned_by_now($label, @names)
{
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	wait_for(sub { fake($clock, 'held') > 0 || !grep { doing($_) !~ /^idle/ } @names });
	return !grep { !like(doing($_), qr/^idle/, "$label: $_ has its id") } @names;
}

# The other session has got an id since the writer read the clock word, so the writer has to read it
# again; and more than half of the time that the writer reserved has passed.
advance_clock($clock, 0.6);
ok(let_one_sync($clock), 'the sync takes 1.2 s');
returned_by_now('after one sync of 1.2 s', 'writer');
is(state_of($node, 'uid11 xid', "mark_waits - $mark_waits"), 1, 'its wait for the disk is counted');

# Alone, it does not write the mark again until it needs the next one: it would do nothing else.
foreach my $tenths (0 .. 7)
{
	send_to($writer, 'SELECT count(uid11_generate()) FROM generate_series(1, 100)');
	returned_by_now("$tenths tenths of a second after a sync of 1.2 s", 'writer') or last;
	advance_clock($clock, 0.1);
}

# By more than all of what it reserved: what the writer gets is of the time of its call.  The others
# have called since, and one of them writes the mark for both.
advance_clock($clock, 0.01);
send_to($writer, 'SELECT uid11_generate()');
ok(wait_for_sync($clock), 'at the mark, it writes the next one');
advance_clock($clock, 2.5);
my $third = session_of('third');
foreach my $session ($other, $third)
{
	send_to($session, 'SELECT uid11_generate()');
	ok(wait_until_doing($session->{name}, wait_event('IdtypesMark')), 'others wait for it');
}
ok(let_one_sync($clock), 'the sync takes 2.5 s');
ok(wait_for_sync($clock), 'one of the others writes the mark');
ok(wait_until_doing('writer', qr/^idle/), 'after one sync of 2.5 s: writer has its id');
advance_clock($clock, 2.5);
ok(let_one_sync($clock), 'this sync takes 2.5 s, too');
returned_by_now('after two syncs of 2.5 s', 'other', 'third');
$third->{session}->quit;

# ---- A disk that hangs ----

send_to($writer, 'SELECT uid11_generate()');
ok(wait_for_sync($clock), 'the mark is written again');

# Beyond the mark no session gets an id, but each may give up.
start_clock($clock);
move_clock($clock, 3600);
send_to($other, 'SELECT uid11_generate()');
ok(wait_until_doing('other', wait_event('IdtypesMark')), 'beyond the mark, a session waits for it');
like($node->error_of("SET statement_timeout = '1s';\nSELECT tid64_generate()"),
	qr/canceling statement due to statement timeout/,
	'a session returns because of its statement_timeout');
is( $node->sql("SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity
			WHERE application_name = 'other'"),
	1, 'a session is cancelled');
ok(wait_until_doing('other', qr/^idle/), 'and returns');
$other->{session}->query('');
like($other->{session}{stderr}, qr/canceling statement due to user request/, 'because of that');
is( $node->sql(q{SELECT count(*) FROM idtypes_generators()
			WHERE generator IN ('uid11 xid', 'tid64') AND mark_waits > 0}),
	2, 'waits for the mark are counted');
ok(fake($clock, 'held') > 0, 'all the while the disk has hung');
set_fake($clock, hold => 0);
ok(wait_until_doing('writer', qr/^idle/), 'once it does not, the writer goes on');
is($node->error_of($one_of_each), '', 'and so do others');

# ---- A writer that dies ----

move_clock($clock, 3600);
set_fake($clock, hold => $forever);
send_to($writer, $one_of_each);
ok(wait_for_sync($clock), 'the writer is held up again');
my $before = $node->sql('SELECT max(last_time) FROM idtypes_generators()');
my $pid =
  $node->sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'writer'");
is(kill('KILL', $pid), 1, 'and killed');
set_fake($clock, hold => 0);
ok(wait_until($node, 'SELECT tid64_generate() IS NOT NULL'),
	'the server recovers and generates');
is($node->sql("SELECT tid64_timestamp(tid64_generate()) > '$before'"),
	't', 'behind all ids before');
$_->{session}->quit foreach $writer, $other;
# it cannot tell any more that it is not held up
set_fake($clock, held => 0);

# ---- A client that does not read ----

# Logs in and sends statements, and reads nothing, so that the server's process waits once the
# socket is full.
sub deaf_client($name, $sql)
{
	local ($ENV{PGAPPNAME}, $ENV{PGOPTIONS}) = ($name, '-c client_min_messages=log');
	my $session = t::Session->new($node);

	# as one message, so that the server does not send a result before the next one is there
	$session->put('Q', marked($name, $sql) . "\0");
	return $session;
}

# Rows of a result that just do not fit into the socket any more, so that the server can put them
# there but for the rest of its own buffer, and nothing else that it wants to be sent at once.
sub rows_of_result($rows)
{
	return "SELECT repeat('x', 100) FROM generate_series(1, $rows)";
}

sub filling_result
{
	my ($fits, $too_much) = (0, 2**16);

	while ($too_much - $fits > 1)
	{
		my $rows = int(($fits + $too_much) / 2);
		my $deaf = deaf_client('trial', rows_of_result($rows));

		wait_until_doing('trial', qr/Client(Read|Write)$/);
		(doing('trial') =~ /ClientRead/ ? $fits : $too_much) = $rows;
		$deaf->quit;
		wait_until_doing('trial', qr/^gone/);
	}
	note("a socket takes $fits rows");
	return $fits;
}

# Some results around that: how much a socket takes differs by a few kilobytes from one to the next,
# and each of the server's sends is one of 8 kB, some 70 rows.
my $fits = filling_result();
my @fills = map { rows_of_result($fits + 5 + 35 * $_) } -1 .. 2;

sub served($label)
{
	is($node->error_of("SET statement_timeout = '60s';\n$one_of_each"),
		'', "$label: others are served");
}
# What the log says of a start ahead of the clock, and of a clock that was set, is not for it.
move_clock($clock, -7200);
foreach my $fill (@fills)
{
	$node->restart('immediate');
	my $deaf = deaf_client('deaf', "$fill; $one_of_each");
	ok(wait_until_doing('deaf', qr/Client(Read|Write)$/), 'the first client does not read');
	served('after a start');
	$deaf->quit;
}
like(slurp_file($node->logfile), qr/identifier generators start \d+\.\d+ s ahead/,
	'the log says that ids are ahead');

# An error while it writes the mark goes to it, and not before the others may try.
# First back to where the clock was, as the mark may still serve there.
move_clock($clock, 7200);
foreach my $fill (@fills)
{
	# in this order, or a session could write the mark at the new time before the disk fails
	set_fake($clock, error => 5);
	move_clock($clock, 7200);
	my $deaf = deaf_client('deaf', "$fill; $one_of_each");
	ok(wait_until_doing('deaf', qr/Client(Read|Write)$/), 'one that gets an error neither');
	like(
		$node->error_of("SET statement_timeout = '60s';\n$one_of_each"),
		qr/could not \w+ file "idtypes\.mark[.a-z]*": Input/,
		'another session gets an error of its own');
	set_fake($clock, error => 0);
	served('after an error');
	$deaf->quit;
}

# ---- Waits for the next tick show, too ----

# Tests that a session which does something comes to wait for that cause.  Waits are counted by
# their cause, which before 17 alone tells them apart.
sub comes_to_wait($cause, $event, $do)
{
	my $waits = state_of($node, 'ulidflake', "${cause}_waits");

	$do->();
	ok(wait_for(sub { state_of($node, 'ulidflake', "${cause}_waits") > $waits }),
		"a wait for the $cause is counted");
	ok(wait_until_doing('waiter', wait_event($event)), 'and shows');
}
my $waiter = session_of('waiter');
comes_to_wait('counter', 'IdtypesCounter', sub { send_to($waiter,
	'SELECT count(ulidflake_generate_scalable()) FROM generate_series(1, 10000000)') });
comes_to_wait('clock', 'IdtypesClock', sub { move_clock($clock, -60) });
$waiter->{session}->quit;

$node->stop;
done_testing();
