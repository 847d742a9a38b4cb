# Settings, from wherever an administrator can set them: a value that cannot be is an error when an
# id is generated, never another value in silence, and an ordinary user can change none.

use t::IdTypesTest;

# Of each setting but node_id: a generator that a bad value stops (call), or else the value that a
# bad one is replaced by (instead); the largest value, or a good and a bad one; the value that
# stands for a rejected one if it is not -2; the administrator's value and the one that a user tries
# to set instead, if they are not 7 and 9.
# Of a field for the server's number also: an expression over an id that shows it, its automatic
# value if that is known, the largest node_id if that is less, and the field of node_id 0 if not 0.
my %settings = (
	siq_shard => {
		call => q{siq_generate('example.org', 'post')},
		shows => 'siq_shard(%s)',
		largest => 255,
		automatic => 'pg_backend_pid() % 256'
	},
	tid64_clock_id => {
		call => 'tid64_generate()',
		shows => 'tid64_clock_id(%s)',
		largest => 1023,
		largest_node => 959,
		first => 32
	},
	uid11_machine => {
		call => q{uid11_generate('snowish')},
		shows => q{(uid11_parts(%s, 'snowish')).machine},
		largest => 1023,
		automatic => '0'
	},
	ulidflake_scalability => {
		call => 'ulidflake_generate_scalable()',
		shows => 'ulidflake_scalability(%s)',
		largest => 31,
		automatic => '0'
	},
	ulidflake_increment_bits =>
	  { call => 'ulidflake_generate()', largest => 16, rejected => 0, mine => 1 },
	# looked at only when the ids of an instant are used up, as these are by large steps
	on_overflow => {
		call => 'count(ulidflake_generate()) FROM generate_series(1, 10000)',
		good => 'wait',
		bad => 'maybe',
		rejected => 'rejected',
		mine => 'error',
		theirs => 'wait'
	},
	require_node_id =>
	  { instead => 'on', good => 'on', bad => 'maybe', mine => 'off', theirs => 'on' });
my %large_steps = (ulidflake_increment_bits => 16);
my @names = sort keys %settings;
my @node_fields = grep { exists $settings{$_}{shows} } @names;
my @numbers = grep { exists $settings{$_}{largest} } @names;
my @words = grep { !exists $settings{$_}{largest} } @names;

foreach my $setting (@settings{@numbers})
{
	$setting->{good} = $setting->{largest};
	$setting->{bad} = $setting->{largest} + 1;
	$setting->{largest_node} //= $setting->{largest};
}
foreach my $setting (@settings{@node_fields})
{
	$setting->{first} //= 0;
	$setting->{shown} = sprintf($setting->{shows}, $setting->{call});
}

my $node = t::Cluster->new('main');

$node->init;
$node->append_conf('postgresql.conf', "log_statement = none\ninclude_if_exists = 'idtypes.conf'\n");
$node->start;
$node->sql('CREATE EXTENSION idtypes; CREATE ROLE ordinary LOGIN');
my $configurations = 0;

# Replaces what is configured.  The server is restarted if asked for, else it reloads.
sub configure
{
	my ($values, %params) = @_;

	$configurations++;
	unlink($node->data_dir . '/idtypes.conf');
	$node->append_conf('idtypes.conf', join "\n", "test.configuration = '$configurations'",
		map { "idtypes.$_ = '$values->{$_}'" } sort keys %$values);
	return $node->restart if $params{restart};
	$node->reload;
	# new sessions are not told before the postmaster is
	$node->poll_query_until('postgres',
		"SELECT current_setting('test.configuration', true) = '$configurations'")
	  or die 'no reload';
	return;
}

# What a node field of generated ids holds in a new session.
sub shown
{
	my ($name) = @_;

	return $node->sql("SELECT $settings{$name}{shown}");
}

# The value of a setting in a new session.  Any function of the library loads it.
sub setting_of
{
	my ($name) = @_;

	return (split /\n/, $node->sql(
			"SELECT 'aaaaaaaaaaa'::uid11; SELECT current_setting('idtypes.$name')"))[-1];
}

# The error of one call of the generator that looks at a setting, if there is one, in a new session.
sub error_with
{
	my ($name) = @_;

	return $node->error_of('SELECT ' . ($settings{$name}{call} // '1'));
}

# What the error of a value that cannot be says.
sub invalid
{
	my ($name, $value) = @_;

	return qr/ERROR:  invalid value for parameter "idtypes\.$name": "\Q$value\E"/;
}

# Tests that none of these values is taken: each stops the generator that looks at it; where none
# does, the setting gets the value that the table above says.
sub refuses
{
	my ($label, $values) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	foreach my $name (sort keys %$values)
	{
		my $what = "$label: $name = '$values->{$name}'";

		if (exists $settings{$name}{call})
		{
			my $invalid = invalid($name, $values->{$name});

			like(error_with($name), qr/$invalid.*DETAIL:  It must be /s,
				"$what: the error says so, and what it must be");
		}
		else
		{
			is(setting_of($name), $settings{$name}{instead}, "$what is replaced");
		}
	}
	return;
}

# A setting that is missing above would be tested by nothing.
is( $node->sql(q{SELECT 'aaaaaaaaaaa'::uid11;
		SELECT string_agg(substr(name, 9), ' ' ORDER BY name COLLATE "C") FROM pg_settings
		WHERE name LIKE 'idtypes.%'}),
	join("\n", 'aaaaaaaaaaa', join(' ', sort 'node_id', @names)),
	'all settings are tested');
is( $node->sql(q{SELECT count(current_setting('idtypes.node_id', true));
		SELECT 'aaaaaaaaaaa'::uid11; SELECT current_setting('idtypes.node_id', true)}),
	"0\naaaaaaaaaaa\n-1", 'a session knows them from the first call on');

# ----------
# postgresql.conf
# ----------

# The same bad value of all numbers or of all words, or else for each one of its own.
sub bad_values
{
	my ($names, $value) = @_;

	return { map { $_ => $value // $settings{$_}{bad} } @$names };
}

# A server that has the library preloaded must be restarted: told to reload, it refuses to.
sub test_values
{
	my ($label, %params) = @_;

	configure({ map { ($_ => $settings{$_}{good}) } keys %settings }, %params);
	foreach my $name (@names)
	{
		is(error_with($name), '', "$label: $name = $settings{$name}{good} is taken");
		is(shown($name), $settings{$name}{good}, "$label: and shows in the ids")
		  if exists $settings{$name}{shows};
	}
	foreach my $value (undef, 'abc', '', '99999', '-5', '1e99', '9' x 20, '12 apples')
	{
		foreach my $values (map { bad_values($_, $value) } \@numbers, \@words)
		{
			configure({ %large_steps, %$values }, %params);
			refuses($label, $values);
		}
	}
	configure({}, %params);
	is(error_with($_), '', "$label: $_ mended") foreach @names;
	return;
}

test_values('not preloaded');

# Automatic
foreach my $name (@node_fields)
{
	my $setting = $settings{$name};

	is($node->sql("SELECT $setting->{shown} = $setting->{automatic}"), 't', "automatic $name")
	  if defined $setting->{automatic};
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

	return $node->error_of(
		($load ? "LOAD 'idtypes';\n" : '') . "ALTER SYSTEM SET idtypes.$name = '$value'");
}

# After the library is loaded, the server checks what it can, which is the kind; before that, major
# versions differ in whether they allow it at all.
configure(\%large_steps);
foreach my $name (@names)
{
	foreach my $bad ('abc', $settings{$name}{bad}, $settings{$name}{rejected} // -2)
	{
		like(alter_system($name, $bad, 1), qr/ERROR: .*"idtypes\.$name"/,
			"ALTER SYSTEM, loaded: $name = $bad refused");
	}
	is(alter_system($name, $settings{$name}{good}, 1),
		'', "ALTER SYSTEM, loaded: $name = $settings{$name}{good}");
}
$node->restart;
is(error_with($_), '', "ALTER SYSTEM, loaded: $_ works after a restart")
  foreach @names;
is(shown($_), $settings{$_}{good}, "ALTER SYSTEM, loaded: $_ shows") foreach @node_fields;
$node->sql('ALTER SYSTEM RESET ALL');
foreach my $values (bad_values(\@numbers), bad_values(\@numbers, -5), bad_values(\@words))
{
	my %taken;

	foreach my $name (sort keys %$values)
	{
		my $error = alter_system($name, $values->{$name});

		$taken{$name} = $values->{$name} if $error eq '';
		like($error, qr/^$|"idtypes\.$name"/,
			"ALTER SYSTEM, not loaded: $name = $values->{$name} is taken, or refused at once");
	}
	$node->restart;
	refuses('ALTER SYSTEM, not loaded', \%taken);
	$node->sql('ALTER SYSTEM RESET ALL');
}
$node->restart;

# ----------
# node_id
# ----------

foreach my $number (0, 31)
{
	configure({ node_id => $number });
	is(shown($_), $settings{$_}{first} + $number, "node_id $number feeds $_") foreach @node_fields;
}
foreach my $name (@node_fields)
{
	my $largest = $settings{$name}{largest_node};

	configure({ node_id => 31, $name => 5 });
	is(shown($name), 5, "$name overrides node_id");
	configure({ node_id => $largest });
	is(shown($name), $settings{$name}{first} + $largest, "node_id $largest fits $name");
	next if $largest == 1023;
	$largest++;
	configure({ node_id => $largest });
	like(
		error_with($name),
		qr/ERROR:  idtypes\.node_id is $largest, which does not fit parameter "idtypes\.$name"
.*DETAIL:  It takes values of idtypes\.node_id up to $settings{$name}{largest_node}\.
.*HINT:  Set "idtypes\.$name" itself\./,
		"node_id $largest does not fit $name, and the error names both");
	configure({ node_id => $largest, $name => 3 });
	is(shown($name), 3, "$name set, node_id does not matter");
}
foreach my $value ('abc', '99999', '-5', '1e99', '', '1024')
{
	configure({ node_id => $value });
	like(error_with($_), invalid(node_id => $value), "node_id = '$value' stops $_")
	  foreach @node_fields;
}
configure({});

# ----------
# require_node_id
# ----------

# The generators without a field for the server's number do not need one.
my @others = (
	'scru160_generate()', 'uid11_generate()', q{uid11_generate('ts-seq-rand')},
	q{uid11_generate('fullrand')}, 'ulidflake_generate()');
my $missing = qr/ERROR:  idtypes\.node_id is not set, but idtypes\.require_node_id is on/;

# Tests that a server without a number refuses to make ids that would have one; $why is a regular
# expression for what the error says of the setting.
sub requires_number
{
	my ($label, $why) = @_;
	my $numbers = $node->sql('SELECT value, source, missing FROM idtypes_node_numbers()');
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	like(
		error_with($_),
		qr/$missing
.*DETAIL:  Neither idtypes\.node_id nor "idtypes\.$_" gives .* a number\.$why$/m,
		"$label: $_ must be numbered, as the error says") foreach @node_fields;
	is($numbers, join("\n", ('|idtypes.node_id|t') x @node_fields), "$label: all are missing");
	is($node->error_of("SELECT $_"), '', "$label: $_ needs no number") foreach @others;
	return;
}

configure({ require_node_id => 'on' });
requires_number('required', '');
like(
	$node->error_of('CREATE TABLE unnumbered (id siq DEFAULT siq_generate(\'a\', \'post\'), n int);
		INSERT INTO unnumbered (n) VALUES (1)'),
	$missing, 'a default must have a number');
configure({ require_node_id => 'on', node_id => 0 });
is(shown($_), $settings{$_}{first}, "number 0 is one: $_") foreach @node_fields;
foreach my $name (@node_fields)
{
	configure({ require_node_id => 'on', $name => 5 });
	is(shown($name), 5, "a number for $name is enough for it");
	like(error_with($_), $missing, "but not for $_") foreach grep { $_ ne $name } @node_fields;
}
configure({ require_node_id => 'off' });
is(error_with($_), '', "not required: $_") foreach @node_fields;

# What cannot be counts as on, also what belongs to the server and is set elsewhere.
configure({ require_node_id => 'maybe' });
requires_number('no boolean',
	' idtypes\.require_node_id was set to "maybe", which counts as on\.');
configure({ require_node_id => 'off' });
{
	local $ENV{PGOPTIONS} = '-c idtypes.require_node_id=off';
	requires_number('set for the session',
		' idtypes\.require_node_id was set to "off" for this session, .*, which counts as on\.');
}

# A session goes with the reloads, and no error names a value that one has corrected.
configure({ require_node_id => 'maybe' });
{
	my $session = session($node);
	my $generate = 'SELECT tid64_clock_id(tid64_generate())';

	like(error_in($session, $generate), qr/was set to "maybe"/, 'a session begins: no boolean');
	configure({ require_node_id => 'on' });
	like(error_in($session, $generate),
		qr/$missing\n(?!.*maybe)/s, 'corrected: it must have a number');
	configure({ require_node_id => 'on', node_id => 1 });
	is($session->query($generate), 33, 'it has one');
	configure({ require_node_id => 'off' });
	cmp_ok($session->query($generate), '<', 32, 'it need not have one');
	configure({ require_node_id => 'on' });
	like(error_in($session, $generate), $missing, 'and must have one again');
	$session->quit;
}
configure({});

# The server's command line overrides the configuration files, so no reload corrects a bad value
# there: the session must not go on with the default.
{
	$node->stop;
	PostgreSQL::Test::Utils::system_or_bail('pg_ctl', '-w', '-D', $node->data_dir,
		'-l', $node->logfile, '-o', '-c idtypes.node_id=5000', 'start');
	$node->_update_pid(1);
	my $session = session($node);

	foreach my $when ('at first', 'after a reload', 'after another value in the file')
	{
		like(
			error_in($session, 'SELECT tid64_generate()'),
			qr/@{[ invalid(node_id => 5000) ]}.*HINT:  Correct "[^"]*" on the command line/s,
			"a bad number from the command line, $when: the error says where it is");
		configure($when eq 'at first' ? {} : { node_id => 7 });
	}
	$session->quit;
	configure({});
	$node->restart;
}

# ----------
# An open session
# ----------

my $number_of_server = 'SELECT tid64_clock_id(tid64_generate()) - 32';

# It sees a change, its next id is with the new value, and another session's too.
configure({ node_id => 1 });
my @sessions = map { session($node) } 1 .. 2;
is($_->query($number_of_server), 1, 'open session begins with 1')
  foreach @sessions;

# In a statement that is in progress a session keeps what it has; the others go on with the new.
$sessions[1]->query('SELECT pg_advisory_lock(1)');
send_query($sessions[0], "$number_of_server FROM pg_advisory_lock(1)");
ok( wait_until($node, q{SELECT count(*) = 1 FROM pg_locks
		WHERE locktype = 'advisory' AND NOT granted}),
	'a statement is in progress');
configure({ node_id => 2 });
is($sessions[1]->query($number_of_server), 2, 'the other one has 2');
$sessions[1]->query('SELECT pg_advisory_unlock(1)');
is($sessions[0]->query(''), 1, 'while the statement in progress kept 1');
is($sessions[0]->query($number_of_server), 2, 'and the next has 2');

# A number out of range, or text that is no number, a session refuses to take: it stays with the
# value before.  It must not fall back to automatic, and new sessions must not start without.
# A session that has the library loaded sees the error in pg_file_settings.
foreach my $value (5000, -2, 'abc')
{
	configure({ node_id => 3 });
	is($sessions[0]->query($number_of_server), 3, 'a number by a reload');
	configure({ node_id => $value });
	is($sessions[0]->query($number_of_server),
		3, "$value by a reload: an open session stays with its number");
	is( $sessions[0]->query(
			q{SELECT error IS NOT NULL FROM pg_file_settings WHERE name = 'idtypes.node_id'}),
		't',
		"$value by a reload: pg_file_settings shows the error");
	like(error_with('tid64_clock_id'),
		invalid(node_id => $value), "$value by a reload: new sessions refuse");
}
# A session that began with that text does not go on with another one that cannot be, and says of
# the text when it was found.
push @sessions, session($node);
foreach my $value ('abc', 5000, -2, 'xyz')
{
	my $first = invalid(node_id => 'abc');

	configure({ node_id => $value });
	like(error_in($sessions[2], 'SELECT tid64_generate()'),
		qr/$first.*DETAIL:  .* found this value when it loaded the library/s,
		"a session refuses with $value from its first id on");
}
configure({ node_id => 4 });
is($_->query($number_of_server), 4, 'mended by a reload')
  foreach @sessions[ 0, 2 ];
configure({});
$_->quit foreach @sessions;

# ----------
# Who may
# ----------

# What an ordinary user tries in a session, and what then stands: the administrator's value, whether
# the library was loaded before the attempt or not.
my %mine = (node_id => 9, map { ($_ => $settings{$_}{mine} // 9) } keys %settings);
my %theirs = (node_id => 7, map { ($_ => $settings{$_}{theirs} // 7) } keys %settings);
my @attempts = (
	'SET %s = %s',
	q{SELECT set_config('%s', '%s', false)},
	'ALTER SYSTEM SET %s = %s',
	"ALTER DATABASE postgres SET %s = %s;\n\\c",
	"ALTER ROLE ordinary SET %s = %s;\n\\c",
	q{UPDATE pg_settings SET setting = '%2$s' WHERE name = '%1$s'});

# The last line that a session of that user gets.
sub as_ordinary
{
	my ($sql, %params) = @_;
	my (undef, $stdout) = $node->psql(
		'postgres', $sql,
		on_error_stop => 0,
		connstr => $node->connstr('postgres') . ' user=ordinary',
		%params);

	return (split /\n/, $stdout)[-1] // '';
}

sub test_privileges
{
	my ($label) = @_;
	# any function of the library will do
	my $load = q{SELECT 'aaaaaaaaaaa'::uid11};

	foreach my $name (sort keys %mine)
	{
		my $read = "$load;\nSELECT current_setting('idtypes.$name')";

		foreach my $attempt (@attempts)
		{
			my $command = sprintf($attempt, "idtypes.$name", $mine{$name});

			is(as_ordinary("$load;\n$command\n;\n$read"),
				$theirs{$name}, "$label: once loaded, an ordinary user does not get $command");
			is(as_ordinary("$command\n;\n$read"),
				$theirs{$name}, "$label: nor does one before that");
			is(as_ordinary("$command\n;\nSELECT $settings{$name}{shown}"),
				$theirs{$name}, "$label: nor in ids")
			  if exists $settings{$name} && exists $settings{$name}{shown};
		}
	}
	$node->sql('ALTER ROLE ordinary RESET ALL');
	return;
}

configure(\%theirs);
test_privileges('not preloaded');

# In the connection string.  To refuse the connection, or to generate, will do as well; a setting
# that stops no generator has the value that replaces a bad one.
sub test_connection_string
{
	my ($label) = @_;

	foreach my $name (sort keys %mine)
	{
		my $field = $name eq 'node_id' ? 'uid11_machine' : $name;
		my $call = $settings{$field}{call} // q{'aaaaaaaaaaa'::uid11};
		my $sql = $settings{$field}{shown} // "$call; SELECT current_setting('idtypes.$name')";
		my $expected = $settings{$name}{instead} // $theirs{$name};
		local $ENV{PGOPTIONS} = "-c idtypes.$name=$mine{$name}";

		# where the connection is refused, psql does not read a script
		like(as_ordinary(undef, extra_params => [ '-c', "SELECT $sql" ]), qr/^($expected)?$/,
			"$label: an ordinary user does not get it from its connection string: $name");
	}
	return;
}

configure({ node_id => 7, ulidflake_increment_bits => 7, require_node_id => 'on' });
test_connection_string('not preloaded');

# What a superuser sets for users and databases does not count as the server's, either; a session
# that has loaded the library cannot reset that by name.
foreach my $where ('ROLE ALL', 'ROLE ordinary', 'DATABASE postgres',
	'ROLE ordinary IN DATABASE postgres')
{
	my $call = 'SELECT tid64_generate()';

	$node->sql("ALTER $where SET idtypes.node_id = 9");
	my (undef, undef, $error) = $node->psql(
		'postgres', "$call;\nALTER $where RESET idtypes.node_id",
		on_error_stop => 0,
		connstr => $node->connstr('postgres') . ' user=ordinary');
	like(
		$error,
		qr/"idtypes.node_id" was set to "9" for this session, user or database/,
		"$where: not taken for the server's number");
	like($error, qr/"idtypes.node_id" cannot be changed now/, "$where: nor reset by that session")
	  if $where =~ /ordinary$/;
	$node->sql("ALTER $where RESET ALL");
}

# A user's value must not hide a bad one of the administrator: that would make it automatic.
configure({ node_id => 'abc' });
is(as_ordinary("SET idtypes.node_id = 9;\nSELECT tid64_clock_id(tid64_generate())"),
	'', "an ordinary user does not mend the administrator's value");

# ----------
# Where the library is first loaded
# ----------

# Whatever it is that loads the library in a session, also in its parallel workers, its ids have the
# server's number from the first one on, and so it is after a reload.  A number that cannot be stops
# them all.  Two servers whose numbers got lost would make the same ids.

# Statements on the table have parallel workers.
my $parallel = <<'END';
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2; SET parallel_leader_participation = off;
END

# What new ids have of the number.
my $setup = <<'SQL';
DROP TABLE IF EXISTS stored;
CREATE TABLE stored (id uid11, n int) WITH (parallel_workers = 2, autovacuum_enabled = off);
INSERT INTO stored SELECT uid11_make('2026-01-01', n), n FROM generate_series(1, 1000) n;
CREATE OR REPLACE FUNCTION numbers() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN concat_ws(' ', (uid11_parts(uid11_generate('snowish'), 'snowish')).machine,
		siq_shard(siq_generate('example.org', 'post')), tid64_clock_id(tid64_generate()) - 32,
		ulidflake_scalability(ulidflake_generate_scalable()));
END
$$;
SQL
my $setup_set = <<'END';
CREATE OR REPLACE FUNCTION numbers_with_set() RETURNS text LANGUAGE plpgsql SET idtypes.node_id = 9
	AS 'BEGIN RETURN numbers(); END';
END
my $numbers = 'SELECT DISTINCT numbers() FROM generate_series(1, 10)';

my %places = (
	'a row of a parallel query' => 'SELECT id FROM stored WHERE n = 1',
	'a parallel index build' => 'CREATE INDEX ON stored (id)',
	'a parallel primary key' => 'ALTER TABLE stored ADD PRIMARY KEY (id)',
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

# A number in each of them.
sub in_each { my $ids = join(' ', ($_[0]) x 4); return qr/^$ids(?![\d\n])/ }

# Tests what sessions, by where they loaded the library, answer: ids, or an error.
sub all_answer
{
	my ($sessions, $label, $pattern) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	foreach my $place (sort keys %$sessions)
	{
		my $session = $sessions->{$place};

		$session->{stderr} = '';
		like($session->query($numbers) . $session->{stderr}, $pattern, "$label, $place");
	}
	return;
}

# Sessions that each load the library in another place, which shows that number in every id; or none
# at all, where no number is expected.
sub loaded_everywhere
{
	my ($what, $number) = @_;
	my $is_loaded = q{SELECT count(*) FROM pg_settings WHERE name = 'idtypes.node_id'};
	my %sessions;

	$node->sql($setup);
	$node->sql($setup_set);
	foreach my $place (sort keys %places)
	{
		my $session = $sessions{$place} = session($node);
		my $label = "$what, $place";

		$session->query($parallel);
		is($session->query($is_loaded), 0, "$label: not loaded");
		my @calls = defined $number ? $places{$place} =~ /SELECT[^;]*numbers/g : ();
		my @shown = grep { /^\d+ \d+ \d+ \d+$/ } split /\n/, $session->query($places{$place});
		is_deeply(\@shown, [ map { "$number $number $number $number" } @calls ],
			"$label: first ids");
		unlike($session->{stderr}, qr/during a parallel operation/, "$label: no warning");
		is($session->query($is_loaded), 1, "$label: loaded");
	}
	return \%sessions;
}

configure({ node_id => 1 });
my $sessions = loaded_everywhere('set', 1);
like($node->sql("$parallel EXPLAIN SELECT id FROM stored WHERE n = 1"), qr/Gather/, 'parallel');
all_answer($sessions, 'set', in_each(1));
configure({ node_id => 11 });
all_answer($sessions, 'reloaded', in_each(11));
$_->quit foreach values %$sessions;

configure({ node_id => 'abc' });
$sessions = loaded_everywhere('no number');
all_answer($sessions, 'no number', invalid(node_id => 'abc'));
configure({ node_id => 1 });
all_answer($sessions, 'mended', in_each(1));
$_->quit foreach values %$sessions;

# ----------
# Preloaded
# ----------

$node->append_conf('postgresql.conf', "shared_preload_libraries = 'idtypes'\n");
test_values('preloaded', restart => 1);
configure(\%theirs, restart => 1);
test_privileges('preloaded');
test_connection_string('preloaded');

# A rejected value stops generators, and not the workers of a query.
configure({ node_id => 'abc' }, restart => 1);
{
	my $session = session($node);

	$session->query($parallel);
	is($session->query('SELECT count(*) FROM stored'), 1000, 'preloaded: workers start');
	like(error_in($session, $numbers), invalid(node_id => 'abc'), 'preloaded: no id is made');
	$session->quit;
}
configure(\%theirs, restart => 1);

# A bad value is not even taken by a running server, which says so, and stays with what it has.
$node->append_conf('idtypes.conf', "idtypes.node_id = 'abc'");
$node->reload;
ok( $node->poll_query_until(
		'postgres', q{SELECT count(*) > 0 FROM pg_file_settings
			WHERE name = 'idtypes.node_id' AND error IS NOT NULL}),
	'preloaded: pg_file_settings shows the error');
is(shown('tid64_clock_id'), 7, 'preloaded: and the value stays');

$node->stop;
done_testing();
