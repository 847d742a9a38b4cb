# Settings, from wherever an administrator can set them: a value that cannot be is an error when an
# id is generated, never another value in silence, and an ordinary user can change none.

use FindBin;
use lib $FindBin::RealBin;
use IdTypesTest;

# Of each setting: a generator that depends on it, an expression over its id that shows the value
# (if there is one), a good value, the first one too large, and the field's automatic value.
my %settings = (
	'siq_shard' => {
		call => q{siq_generate('example.org', 'post')},
		shows => 'siq_shard(%s)',
		good => 200,
		too_large => 256,
		automatic => 'pg_backend_pid() % 256'
	},
	'tid64_clock_id' => {
		call => 'tid64_generate()',
		shows => 'tid64_clock_id(%s)',
		good => 1023,
		too_large => 1024
	},
	'uid11_machine' => {
		call => q{uid11_generate('snowish')},
		shows => q{(uid11_parts(%s, 'snowish')).machine},
		good => 1023,
		too_large => 1024,
		automatic => '0'
	},
	'ulidflake_scalability' => {
		call => 'ulidflake_generate_scalable()',
		shows => 'ulidflake_scalability(%s)',
		good => 31,
		too_large => 32,
		automatic => '0'
	},
	'ulidflake_increment_bits' => {
		call => 'ulidflake_generate()',
		good => 16,
		too_large => 17,
	},
	'on_overflow' => {
		# looked at only when the ids of an instant are used up, as these are by large steps
		call => 'count(ulidflake_generate()) FROM generate_series(1, 10000)',
		good => 'wait',
		too_large => 'maybe',
	});
my %large_steps = (ulidflake_increment_bits => 16);
my @node_fields = grep { exists $settings{$_}{shows} } sort keys %settings;

sub new_server
{
	my ($name) = @_;
	my $server = PostgreSQL::Test::Cluster->new($name);

	$server->init;
	$server->append_conf('postgresql.conf', "log_statement = none\n");
	$server->start;
	$server->safe_psql('postgres', 'CREATE EXTENSION idtypes; CREATE ROLE ordinary LOGIN');
	$server->append_conf('postgresql.conf', "include_if_exists = 'idtypes.conf'\n");
	return $server;
}

my $node = new_server('main');
my $configurations = 0;

# Replaces what is configured.  The server is restarted if asked for, else it reloads.
sub configure
{
	my ($values, %params) = @_;
	my $node = $params{node} // $node;

	$configurations++;
	open(my $fh, '>', $node->data_dir . '/idtypes.conf') or die $!;
	print $fh "test.configuration = '$configurations'\n";
	print $fh "idtypes.$_ = '$values->{$_}'\n" foreach sort keys %$values;
	close($fh);
	if ($params{restart})
	{
		$node->restart;
		return;
	}
	$node->reload;
	# new sessions are not told before the postmaster is
	$node->poll_query_until('postgres',
		"SELECT current_setting('test.configuration', true) = '$configurations'")
	  or die 'no reload';
	return;
}

# One call of a generator in a new session.
sub generate_with
{
	my ($name, %params) = @_;
	my ($stdout, $stderr);
	my $status = $node->psql(
		'postgres', "SELECT $settings{$name}{call}",
		stdout => \$stdout,
		stderr => \$stderr,
		%params);

	return ($status, $stdout, $stderr);
}

# What a node field of generated ids holds in a new session.
sub shown
{
	my ($name) = @_;
	my $setting = $settings{$name};

	return $node->safe_psql('postgres', 'SELECT ' . sprintf($setting->{shows}, $setting->{call}));
}

sub refuses
{
	my ($label, $name, $value) = @_;
	my ($status, $stdout, $stderr) = generate_with($name);
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	isnt($status, 0, "$label: $name = '$value' stops generation");
	like($stderr, qr/ERROR:  invalid value for parameter "idtypes\.$name": "\Q$value\E"/,
		"$label: the error names $name and '$value'");
	like($stderr, qr/DETAIL:  It must be /, "$label: and says what $name must be");
	return;
}

# ----------
# postgresql.conf
# ----------

# All numbers have the same bad value at a time: each stops the generator that looks at it.
my @bad = ('abc', '', '99999', '-5', '1e99', '99999999999999999999', '12 apples', 'maybe');

# A server that has the library preloaded must be restarted: told to reload, it refuses to.
sub test_values
{
	my ($label, %params) = @_;

	my @numbers = grep { $_ ne 'on_overflow' } sort keys %settings;

	configure({ map { ($_ => $settings{$_}{good}) } keys %settings }, %params);
	foreach my $name (sort keys %settings)
	{
		my ($status, $stdout, $stderr) = generate_with($name);

		is($status, 0, "$label: $name = $settings{$name}{good} is taken") or diag($stderr);
		is(shown($name), $settings{$name}{good}, "$label: and shows in the ids")
		  if exists $settings{$name}{shows};
	}
	foreach my $value (@bad)
	{
		configure({ map { ($_ => $value) } @numbers }, %params);
		refuses($label, $_, $value) foreach @numbers;
		configure({ %large_steps, on_overflow => $value }, %params);
		refuses($label, 'on_overflow', $value);
	}
	configure({ map { ($_ => $settings{$_}{too_large}) } @numbers }, %params);
	refuses($label, $_, $settings{$_}{too_large}) foreach @numbers;
	configure({}, %params);
	foreach my $name (sort keys %settings)
	{
		is((generate_with($name))[0], 0, "$label: $name mended");
	}
	return;
}

test_values('not preloaded');
test_values('not preloaded, from the start', restart => 1) if $stress;

# Automatic
foreach my $name (@node_fields)
{
	my $setting = $settings{$name};

	next unless defined $setting->{automatic};
	is( $node->safe_psql(
			'postgres',
			'SELECT ' . sprintf($setting->{shows}, $setting->{call}) . " = $setting->{automatic}"),
		't',
		"automatic $name");
}
my $drawn = shown('tid64_clock_id');
like($drawn, qr/^([0-9]|[12][0-9]|3[01])$/, 'automatic tid64_clock_id is best effort');
is(shown('tid64_clock_id'), $drawn, 'and the same for all sessions');

# ----------
# ALTER SYSTEM
# ----------

sub alter_system
{
	my ($name, $value, $load) = @_;
	my $stderr = '';
	my $status = $node->psql(
		'postgres',
		($load ? "LOAD 'idtypes';\n" : '') . "ALTER SYSTEM SET idtypes.$name = '$value'",
		stderr => \$stderr);

	return ($status, $stderr);
}

# After the library is loaded, the server checks what it can, which is the kind; before that, major
# versions differ in whether they allow it at all.
configure(\%large_steps);
foreach my $name (sort keys %settings)
{
	my $setting = $settings{$name};
	my ($status, $stdout, $stderr);

	($status, $stderr) = alter_system($name, 'abc', 1);

	isnt($status, 0, "ALTER SYSTEM, loaded: $name = 'abc' refused");
	like($stderr, qr/"idtypes\.$name"/, "ALTER SYSTEM, loaded: the error names $name");

	($status, $stderr) = alter_system($name, $setting->{good}, 1);
	is($status, 0, "ALTER SYSTEM, loaded: $name = $setting->{good}") or diag($stderr);
	$node->restart;
	($status, $stdout, $stderr) = generate_with($name);
	is($status, 0, "ALTER SYSTEM, loaded: $name works after a restart") or diag($stderr);
	is(shown($name), $setting->{good}, "ALTER SYSTEM, loaded: $name shows")
	  if exists $setting->{shows};

	foreach my $load (1, 0)
	{
		my $label = 'ALTER SYSTEM, ' . ($load ? 'loaded' : 'not loaded');

		foreach my $value ($name eq 'on_overflow' ? ('maybe') : ($setting->{too_large}, -5))
		{
			($status, $stderr) = alter_system($name, $value, $load);
			if ($status == 0)
			{
				$node->restart;
				refuses($label, $name, $value);
			}
			else
			{
				like($stderr, qr/"idtypes\.$name"/, "$label: $name = $value refused at once");
			}
		}
	}
	$node->safe_psql('postgres', "LOAD 'idtypes'; ALTER SYSTEM RESET idtypes.$name");
}
$node->restart;

# ----------
# node_id
# ----------

configure({ node_id => 31 });
is(shown($_), 31, "node_id feeds $_") foreach @node_fields;
foreach my $name (@node_fields)
{
	configure({ node_id => 31, $name => 5 });
	is(shown($name), 5, "$name overrides node_id");
}
configure({ node_id => 1000 });
foreach my $name (@node_fields)
{
	if ($settings{$name}{too_large} > 1000)
	{
		is(shown($name), 1000, "node_id 1000 fits $name");
		next;
	}
	my ($status, $stdout, $stderr) = generate_with($name);

	isnt($status, 0, "node_id 1000 does not fit $name");
	like(
		$stderr,
		qr/ERROR:  idtypes\.node_id is 1000, which does not fit parameter "idtypes\.$name"/,
		"and the error names both");
	configure({ node_id => 1000, $name => 3 });
	is(shown($name), 3, "$name set, node_id does not matter");
	configure({ node_id => 1000 });
}
foreach my $value ('abc', '99999', '-5', '1e99', '', '1024')
{
	configure({ node_id => $value });
	foreach my $name (@node_fields)
	{
		my ($status, $stdout, $stderr) = generate_with($name);

		isnt($status, 0, "node_id = '$value' stops what $name is for");
		like($stderr, qr/ERROR:  invalid value for parameter "idtypes\.node_id": "\Q$value\E"/,
			"and the error names node_id and '$value'");
	}
}
configure({});

# ----------
# An open session
# ----------

# It sees a change, its next id is with the new value, and another session's too.
configure({ node_id => 1 });
my @sessions = map { session($node) } 1 .. 2;
is($_->query('SELECT tid64_clock_id(tid64_generate())'), 1, 'open session begins with 1')
  foreach @sessions;

# In a statement that is in progress a session keeps what it has; the others go on with the new.
$sessions[1]->query('SELECT pg_advisory_lock(1)');
$sessions[0]->query_until(qr/begins/,
	"\\echo begins\nSELECT tid64_clock_id(tid64_generate()) FROM pg_advisory_lock(1);\n");
ok( wait_until($node, q{SELECT count(*) = 1 FROM pg_locks
		WHERE locktype = 'advisory' AND NOT granted}),
	'a statement is in progress');
configure({ node_id => 2 });
is($sessions[1]->query('SELECT tid64_clock_id(tid64_generate())'), 2, 'the other one has 2');
$sessions[1]->query('SELECT pg_advisory_unlock(1)');
is($sessions[0]->query(''), 1, 'while the statement in progress kept 1');
is($sessions[0]->query('SELECT tid64_clock_id(tid64_generate())'), 2, 'and the next has 2');

# A number out of range, or text that is no number, a session refuses to take: it stays with the
# value before.  It must not fall back to automatic, and new sessions must not start without.
# Whoever has the library loaded sees the error in pg_file_settings.
foreach my $value (5000, 'abc')
{
	configure({ node_id => 3 });
	is($sessions[0]->query('SELECT tid64_clock_id(tid64_generate())'), 3, 'a number by a reload');
	configure({ node_id => $value });
	is($sessions[0]->query('SELECT tid64_clock_id(tid64_generate())'),
		3, "$value by a reload: an open session stays with its number");
	is( $sessions[0]->query(
			q{SELECT error IS NOT NULL FROM pg_file_settings WHERE name = 'idtypes.node_id'}),
		't',
		"$value by a reload: pg_file_settings shows the error");
	my (undef, undef, $stderr) = generate_with('tid64_clock_id');
	like($stderr, qr/ERROR:  invalid value for parameter "idtypes\.node_id": "$value"/,
		"$value by a reload: new sessions refuse");
}
# A session that began with that text does not go on with another one that cannot be.
push @sessions, session($node);
$sessions[2]->query('SELECT tid64_generate()');
like($sessions[2]->{stderr}, qr/invalid value for parameter "idtypes\.node_id": "abc"/,
	'a session begins with text');
$sessions[2]->{stderr} = '';
configure({ node_id => 5000 });
$sessions[2]->query('SELECT tid64_generate()');
like($sessions[2]->{stderr}, qr/ERROR:  invalid value for parameter "idtypes\.node_id": /,
	'and goes on to refuse with a number out of range');
$sessions[2]->{stderr} = '';
configure({ node_id => 4 });
is($_->query('SELECT tid64_clock_id(tid64_generate())'), 4, 'mended by a reload')
  foreach @sessions[ 0, 2 ];
configure({});
$_->quit foreach @sessions;

# ----------
# Who may
# ----------

# What an ordinary user tries in a session, and what then stands: the administrator's value, whether
# the library was loaded before the attempt or not.
my %mine = (
	node_id => 9,
	siq_shard => 9,
	tid64_clock_id => 9,
	uid11_machine => 9,
	ulidflake_scalability => 9,
	ulidflake_increment_bits => 1,
	on_overflow => 'error');
my %theirs = (map { ($_ => 7) } keys %mine);
$theirs{on_overflow} = 'wait';
my @attempts = (
	'SET %s = %s',
	q{SELECT set_config('%s', '%s', false)},
	'ALTER SYSTEM SET %s = %s',
	'ALTER DATABASE postgres SET %s = %s; \c',
	'ALTER ROLE ordinary SET %s = %s; \c - ordinary',
	q{UPDATE pg_settings SET setting = '%2$s' WHERE name = '%1$s'});

sub as_ordinary
{
	my ($sql) = @_;
	my $stdout = '';

	$node->psql(
		'postgres', $sql,
		on_error_stop => 0,
		stdout => \$stdout,
		connstr => $node->connstr('postgres') . ' user=ordinary');
	return (split /\n/, $stdout)[-1] // '';
}

sub test_privileges
{
	my ($label) = @_;
	# any function of the library will do
	my $load = q{SELECT 'aaaaaaaaaaa'::uid11};

	foreach my $name (sort keys %mine)
	{
		my $read = "SELECT current_setting('idtypes.$name')";

		foreach my $attempt (@attempts)
		{
			my $command = sprintf($attempt, "idtypes.$name", $mine{$name});

			is(as_ordinary("$load;\n$command;\n$load;\n$read"),
				$theirs{$name}, "$label, loaded: an ordinary user does not get: $command");
			is(as_ordinary("$command;\n$load;\n$read"),
				$theirs{$name}, "$label, before: an ordinary user does not get: $command");
			is( as_ordinary(
					"$command;\nSELECT "
					  . sprintf($settings{$name}{shows}, $settings{$name}{call})),
				$theirs{$name},
				"$label, before: nor do the ids: $command") if grep { $_ eq $name } @node_fields;
		}
	}
	$node->safe_psql('postgres', 'ALTER ROLE ordinary RESET ALL');
	return;
}

configure(\%theirs);
test_privileges('not preloaded');

# In the connection string.  To refuse to generate will do as well.
sub test_connection_string
{
	my ($label) = @_;

	foreach my $name (sort keys %mine)
	{
		my $field = $name eq 'node_id' ? 'tid64_clock_id' : $name;
		my $setting = $settings{$field};
		my $sql = defined $setting->{shows} ? sprintf($setting->{shows}, $setting->{call})
		  : "$setting->{call}; SELECT current_setting('idtypes.$name')";
		local $ENV{PGOPTIONS} = "-c idtypes.$name=$mine{$name}";

		like(as_ordinary("\\set ON_ERROR_STOP on\nSELECT $sql"),
			qr/^($theirs{$name})?$/,
			"$label: an ordinary user does not get it from its connection string: $name");
	}
	return;
}

configure({ node_id => 7, ulidflake_increment_bits => 7 });
test_connection_string('not preloaded');

# A user's value must not hide a bad one of the administrator: that would make it automatic.
configure({ node_id => 'abc' });
is(as_ordinary("SET idtypes.node_id = 9;\nSELECT tid64_clock_id(tid64_generate())"),
	'', "an ordinary user does not mend the administrator's value");

# ----------
# Where the library is first loaded
# ----------

# Whatever it is that loads the library in a session, its ids have the server's number from the
# first one on, so do those of its parallel workers, and so it is after a reload.  A number that
# cannot be stops them all.  Two servers whose numbers got lost would make the same ids.

# Statements on the table have parallel workers.
my $parallel = <<'END';
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2; SET parallel_leader_participation = off;
END

# What new ids have of the number.  The leader of a query that calls this in its workers does not
# load the library.
my $setup = <<'SQL';
DROP TABLE IF EXISTS stored;
CREATE TABLE stored (id uid11, n int) WITH (parallel_workers = 2, autovacuum_enabled = off);
INSERT INTO stored SELECT uid11_make('2026-01-01', n), n FROM generate_series(1, 5000) n;
CREATE OR REPLACE FUNCTION numbers() RETURNS text LANGUAGE plpgsql PARALLEL SAFE AS $$
BEGIN
	RETURN concat_ws(' ', (uid11_parts(uid11_generate('snowish'), 'snowish')).machine,
		siq_shard(siq_generate('example.org', 'post')), tid64_clock_id(tid64_generate()),
		ulidflake_scalability(ulidflake_generate_scalable()));
END
$$;
SQL
my $setup_set = <<'END';
CREATE OR REPLACE FUNCTION numbers_with_set() RETURNS text LANGUAGE plpgsql SET idtypes.node_id = 9
	AS 'BEGIN RETURN numbers(); END';
END
my $numbers = 'SELECT DISTINCT numbers() FROM generate_series(1, 10)';
my $numbers_of_workers = 'SELECT DISTINCT numbers() FROM stored';

my %places = (
	'a row of a parallel query' => 'SELECT id FROM stored WHERE n = 1',
	'a parallel index build' => 'CREATE INDEX ON stored (id)',
	'a parallel primary key' => 'ALTER TABLE stored ADD PRIMARY KEY (id)',
	'a parallel worker' => $numbers_of_workers,
	'a parallel worker, and then the leader' => "$numbers_of_workers; $numbers",
	'a transaction' => "BEGIN; $numbers; COMMIT",
	'a transaction that is rolled back' => "BEGIN; $numbers; ROLLBACK",
	'an aborted subtransaction' => "BEGIN; SAVEPOINT s; $numbers; ROLLBACK TO s; $numbers; COMMIT",
	'a parallel query in an aborted subtransaction' =>
	  'BEGIN; SAVEPOINT s; SELECT id FROM stored WHERE n = 1; ROLLBACK TO s; COMMIT',
	'a block with an exception' =>
	  q{DO 'BEGIN PERFORM numbers(); RAISE division_by_zero; EXCEPTION WHEN OTHERS THEN END'},
	'a transaction with SET LOCAL' => "BEGIN; SET LOCAL idtypes.node_id = 9; $numbers; COMMIT",
	'a subtransaction with SET LOCAL' =>
	  "BEGIN; SAVEPOINT s; SET LOCAL idtypes.node_id = 9; $numbers; ROLLBACK TO s; COMMIT",
	'a parallel query with SET LOCAL' =>
	  'BEGIN; SET LOCAL idtypes.node_id = 9; SELECT id FROM stored WHERE n = 1; COMMIT',
	'a session with SET' => "SET idtypes.node_id = 9; $numbers",
	'a parallel query with SET' => 'SET idtypes.node_id = 9; SELECT id FROM stored WHERE n = 1',
	'a function with SET' => q{SELECT numbers_with_set()});

sub numbers_are
{
	my ($session, $label, $number) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	foreach my $query ($numbers, $numbers_of_workers)
	{
		is($session->query($query), "$number $number $number $number", "$label: $query");
	}
	return;
}

sub numbers_are_refused
{
	my ($session, $label, $value) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	foreach my $query ($numbers, $numbers_of_workers)
	{
		$session->{stderr} = '';
		is($session->query($query), '', "$label: no id by $query");
		like($session->{stderr},
			qr/ERROR:  invalid value for parameter "idtypes\.node_id": "\Q$value\E"/,
			"$label: the error says why");
	}
	return;
}

# Sessions that each load the library in another place, which shows that number in every id; or none
# at all, where no number is expected.
sub loaded_everywhere
{
	my ($server, $number) = @_;
	my $is_loaded = q{SELECT count(*) FROM pg_settings WHERE name = 'idtypes.node_id'};
	my %sessions;

	$server->safe_psql('postgres', $setup);
	$server->safe_psql('postgres', $setup_set);
	foreach my $place (sort keys %places)
	{
		my $session = $sessions{$place} = session($server);
		my $label = $server->name . ", $place";

		$session->query($parallel);
		is($session->query($is_loaded), 0, "$label: not loaded");
		my @calls = defined $number ? $places{$place} =~ /SELECT[^;]*numbers/g : ();
		my @shown = grep { /^\d+ \d+ \d+ \d+$/ } split /\n/, $session->query($places{$place});
		is_deeply(
			\@shown,
			[ map { "$number $number $number $number" } @calls ],
			"$label: first ids");
		unlike($session->{stderr}, qr/during a parallel operation/, "$label: no warning");
		is($session->query($is_loaded), $place eq 'a parallel worker' ? 0 : 1, "$label: loaded");
	}
	return \%sessions;
}

my $other = new_server('other');
my %number_of = (main => 1, other => 2);
foreach my $server ($node, $other)
{
	my $number = $number_of{ $server->name };
	my $sessions;

	configure({ node_id => $number }, node => $server);
	$sessions = loaded_everywhere($server, $number);
	foreach my $query ('SELECT id FROM stored WHERE n = 1', $numbers_of_workers)
	{
		like($server->safe_psql('postgres', "$parallel EXPLAIN $query"),
			qr/Gather/, "parallel: $query");
	}
	numbers_are($sessions->{$_}, $server->name . ", $_", $number) foreach sort keys %places;
	configure({ node_id => $number + 10 }, node => $server);
	numbers_are($sessions->{$_}, $server->name . ", $_, reloaded", $number + 10)
	  foreach sort keys %places;
	$_->quit foreach values %$sessions;

	configure({ node_id => 'abc' }, node => $server);
	$sessions = loaded_everywhere($server);
	numbers_are_refused($sessions->{$_}, $server->name . ", $_", 'abc') foreach sort keys %places;
	configure({ node_id => $number }, node => $server);
	numbers_are($sessions->{$_}, $server->name . ", $_, mended", $number) foreach sort keys %places;
	$_->quit foreach values %$sessions;
}
$other->stop;

# In a worker that is the first to load it, a SET of its leader hides the server's number: refused
# rather than lost.
my $hidden = session($node);
$hidden->query("$parallel SET idtypes.node_id = 9");
is($hidden->query($numbers_of_workers), '', 'no ids of workers whose leader hides the number');
like(
	$hidden->{stderr},
	qr/ERROR:  parameter "idtypes.node_id" was set to "9" for this session, user or database/,
	'the error says why');
numbers_are($hidden, 'once the leader has loaded it, too', 1);
$hidden->quit;

# ----------
# Preloaded
# ----------

$node->append_conf('postgresql.conf', "shared_preload_libraries = 'idtypes'\n");
test_values('preloaded', restart => 1);
configure(\%theirs, restart => 1);
test_privileges('preloaded');
test_connection_string('preloaded');

# A bad value is not even taken by a running server, which says so, and stays with what it has.
open(my $fh, '>>', $node->data_dir . '/idtypes.conf') or die $!;
print $fh "idtypes.node_id = 'abc'\n";
close($fh);
$node->reload;
ok( $node->poll_query_until(
		'postgres', q{SELECT count(*) > 0 FROM pg_file_settings
			WHERE name = 'idtypes.node_id' AND error IS NOT NULL}),
	'preloaded: pg_file_settings shows the error');
is(shown('tid64_clock_id'), 7, 'preloaded: and the value stays');

$node->stop;
done_testing();
