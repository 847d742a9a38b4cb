# Settings, from wherever an administrator can set them: a value that cannot be is an error when an
# id is generated, never another value in silence, and an ordinary user can change none.

use t::IdTypesTest;

# Of each setting but node_id: an expression that depends on it and shows it, a good value, bad
# ones, the administrator's value, and the one that a user tries to set instead.  Of a field for the
# server's number also the largest node_id, and the field of node_id 0 if that is not 0.
my %settings = (
	siq_shard => {
		shows => q{siq_shard(siq_generate('example.org', 'post'))},
		good => 255,
		largest_node => 255
	},
	tid64_clock_id => {
		shows => 'tid64_clock_id(tid64_generate())',
		good => 1023,
		largest_node => 959,
		first => 32
	},
	uid11_machine => {
		shows => q{(uid11_parts(uid11_generate('snowish'), 'snowish')).machine},
		good => 1023,
		largest_node => 1023
	},
	ulidflake_scalability => {
		shows => 'ulidflake_scalability(ulidflake_generate_scalable())',
		good => 31,
		largest_node => 31
	},
	ulidflake_increment_bits =>
	  { shows => '%s FROM ulidflake_generate()', good => 16, bad => [ 17, 0 ], mine => 1 },
	# looked at only when the ids of an instant are used up, as these are by large steps
	on_overflow => {
		shows => '%s FROM (SELECT count(ulidflake_generate()) FROM generate_series(1, 3000)) s',
		good => 'wait',
		bad => [ 'maybe', 'rejected' ],
		mine => 'error',
		theirs => 'wait'
	},
	require_node_id => {
		shows => '%s FROM uid11_min(now())',
		good => 'on',
		bad => [ 'maybe', -2 ],
		mine => 'off',
		theirs => 'on'
	});
my @names = sort keys %settings;
my @fields = grep { exists $settings{$_}{largest_node} } @names;
my @words = qw(on_overflow require_node_id);
my @numbers = (@fields, 'ulidflake_increment_bits');

foreach my $name (@names)
{
	my $setting = $settings{$name};

	$setting->{shows} = sprintf($setting->{shows}, "current_setting('idtypes.$name')");
	$setting->{first} //= 0;
	$setting->{bad} //= [ $setting->{good} + 1, -2 ];
	$setting->{mine} //= 9;
	$setting->{theirs} //= 7;
}

my $node = t::Cluster->new('main');

$node->init;
$node->append_conf('postgresql.conf', "log_statement = none\ninclude_if_exists = 'idtypes.conf'\n");
$node->start;
$node->sql(q{CREATE EXTENSION idtypes; CREATE ROLE ordinary LOGIN;
	CREATE FUNCTION outcome(expression text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE message text; detail text; hint text; result text;
	BEGIN EXECUTE 'SELECT ' || expression INTO result; RETURN result;
	EXCEPTION WHEN OTHERS THEN GET STACKED DIAGNOSTICS message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
		RETURN concat_ws(' / ', message, detail, hint); END $$});

# What a session gets of all settings.  The generators without a field for the server's number do
# not need one.
my $outcomes = q{SELECT 'pid=' || pg_backend_pid()} . join '', map {
	my ($name, $expression) = @$_;
	" UNION ALL SELECT \$\$$name=\$\$ || outcome(\$\$$expression\$\$)"
} (
	[
		others => q{CASE WHEN concat(scru160_generate(), uid11_generate(), ulidflake_generate(),
			uid11_generate('ts-seq-rand'), uid11_generate('fullrand')) > '' THEN 'made' END}
	],
	map { [ $_ => $settings{$_}{shows} ] } @names);
my %automatic = (
	siq_shard => 'process',
	tid64_clock_id => 'drawn',
	uid11_machine => 0,
	ulidflake_scalability => 0,
	ulidflake_increment_bits => 8,
	on_overflow => 'wait',
	require_node_id => 'off',
	others => 'made');


# The errors, with * for what varies, and what they are called here.
my %errors = (
	'invalid value for parameter "idtypes.*": "*" / It must be *  The session found this value'
	  . ' when it loaded the library. / Correct "*" in the server configuration and reload; until'
	  . ' then no ids that depend on it are generated.' => q{invalid %1$s '%2$s'},
	'invalid value for parameter "idtypes.*": "*" / It must be *  The session found this value'
	  . ' when it loaded the library. / Correct "*" on the command line of the server, and restart'
	  . ' the server; until then no ids that depend on it are generated.' =>
	  q{invalid %1$s '%2$s' on the command line},
	'parameter "idtypes.*" was set to "*" for this session, user or database / It belongs to the'
	  . ' server: * / Set it in postgresql.conf or with ALTER SYSTEM, and nowhere else.' =>
	  q{misplaced %1$s '%2$s'},
	'idtypes.node_id is *, which does not fit parameter "idtypes.*" / It takes values of'
	  . ' idtypes.node_id up to *. / Set "idtypes.*" itself.' =>
	  'node_id %1$s is more than %3$s for %2$s, so set %4$s',
	'idtypes.node_id is not set, but idtypes.require_node_id is on / Neither idtypes.node_id nor'
	  . ' "idtypes.*" gives this server a number.* / Set idtypes.node_id in *' => 'no %1$s%2$s');

# Tests what a session gets, where that differs from what is automatic: a new session, the given
# one, or the one that has printed this.  undef is for what is not to be tested.
sub gives($label, $expected, $asked = $node)
{
	my $text =
		!ref $asked ? $asked
	  : $asked == $node ? $node->sql($outcomes)
	  : $asked->query($outcomes);
	my %got = map { /^(\w+)=(.*)/ } split /\n/, $text;
	my %wanted = (%automatic, %$expected);
	my $pid = delete $got{pid};
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	$wanted{siq_shard} = $pid % 256 if ($wanted{siq_shard} // '') eq 'process';
	$got{tid64_clock_id} =~ s/^([012]?[0-9]|3[01])$/drawn/
	  if ($wanted{tid64_clock_id} // '') eq 'drawn';
	foreach my $error (keys %errors)
	{
		my $pattern = quotemeta($error) =~ s/\\\*/(.*?)/gr;

		foreach (values %got)
		{
			if (my @parts = /^$pattern$/)
			{
				$_ = sprintf($errors{$error}, @parts);
			}
		}
	}
	$got{$_} = undef foreach grep { exists $got{$_} && !defined $wanted{$_} } keys %wanted;
	is_deeply(\%got, \%wanted, $label);
}

sub invalid($value, @which) { return map { $_ => "invalid $_ '$value'" } @which }
sub with_node($outcome) { return map { $_ => sprintf($outcome, $_) } @fields }

# What the fields get of a node_id.
sub of_node($number)
{
	return map {
		my ($most, $first) = @{ $settings{$_} }{qw(largest_node first)};
		$_ => $number <= $most
		  ? $first + $number
		  : "node_id $number is more than $most for $_, so set $_"
	} @fields;
}

my $configurations = 0;

# Replaces what is configured.  The server is restarted if asked for, else it reloads.
sub configure($values, %params)
{
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
}

# A setting that is missing above would be tested by nothing.
is( $node->sql(q{SELECT count(current_setting('idtypes.node_id', true));
		SELECT 'aaaaaaaaaaa'::uid11; SELECT current_setting('idtypes.node_id', true);
		SELECT string_agg(substr(name, 9), ' ' ORDER BY name COLLATE "C") FROM pg_settings
		WHERE name LIKE 'idtypes.%'}),
	join("\n", 0, 'aaaaaaaaaaa', -1, join(' ', sort 'node_id', @names)),
	'a session knows all settings from the first call on, and all are tested');
my @drawn = map { $node->sql("SELECT $settings{tid64_clock_id}{shows}") } 1, 2;
is($drawn[0], $drawn[1], 'the automatic tid64_clock_id is the same for all sessions');

# ---- postgresql.conf ----

# What is configured, and what sessions get: values that are good, and each kind of bad ones.
my %large_steps = (ulidflake_increment_bits => 16);
# each generator may use up an instant
my %any = map { $_ => undef } @numbers, 'others';
my @kinds = ([ { map { $_ => $settings{$_}{good} } @names } ]);
$kinds[0][1] = $kinds[0][0];
foreach my $value (undef, 'abc', '', '99999', '-5', '1e99', '9' x 20, '12 apples')
{
	my %bad = map { $_ => $value // $settings{$_}{bad}[0] } @names;
	my $steps = "invalid ulidflake_increment_bits '$bad{ulidflake_increment_bits}'";

	push @kinds,
	  [
		{ map { $_ => $bad{$_} } @numbers },
		{ (map { invalid($bad{$_}, $_) } @numbers), others => $steps, on_overflow => $steps }
	  ],
	  [
		{ %large_steps, node_id => 7, map { $_ => $bad{$_} } @words },
		{ invalid($bad{on_overflow}, 'on_overflow'), %any, require_node_id => 'on' }
	  ];
}
push @kinds, [ {}, {} ];

# Numbers of the server, and where it must have one.
sub no_number($why) { return (with_node("no %s$why"), require_node_id => 'on') }
my %no = no_number('');
my %bad_means_on = no_number(' idtypes.require_node_id was set to "maybe", which counts as on.');
my @cases = (
	@kinds,
	(map { [ { node_id => $_ }, { of_node($_) } ] } 0, 31, 32, 255, 256, 959, 960, 1023),
	(map { [ { node_id => 31, $_ => 5 }, { of_node(31), $_ => 5 } ] } @fields),
	(map { [ { node_id => 1023, $_ => 3 }, { of_node(1023), $_ => 3 } ] } @fields),
	(
		map { [ { node_id => $_ }, { with_node("invalid node_id '$_'") } ] } 'abc', '99999', '-5',
		'1e99', '', '1024'
	),
	[ { require_node_id => 'on' }, \%no ],
	[ { require_node_id => 'on', node_id => 0 }, { of_node(0), require_node_id => 'on' } ],
	(map { [ { require_node_id => 'on', $_ => 5 }, { %no, $_ => 5 } ] } @fields),
	[ { require_node_id => 'maybe' }, \%bad_means_on ]);

sub described($values) { return join ', ', map { "$_ = '$values->{$_}'" } sort keys %$values }

foreach my $case (@cases)
{
	configure($case->[0]);
	gives('configured: ' . described($case->[0]), $case->[1]);
}

configure({ require_node_id => 'on' });
is( $node->sql('SELECT value, source, missing FROM idtypes_node_numbers()'),
	join("\n", ('|idtypes.node_id|t') x @fields),
	'all numbers are shown to be missing');
like(
	$node->error_of('CREATE TABLE unnumbered (id siq DEFAULT siq_generate(\'a\', \'post\'), n int);
		INSERT INTO unnumbered (n) VALUES (1)'),
	qr/idtypes\.node_id is not set/, 'a default must have a number');

# ---- Reloads ----

# Configures one thing after the other, and tests what a session gets that begins after the first.
sub session_gets($label, @cases)
{
	my $session;

	foreach my $case (@cases)
	{
		configure($case->[0]);
		$session //= session($node);
		gives("$label: " . described($case->[0]), $case->[1], $session);
	}
	return $session;
}

# No error names a value that has been corrected.
session_gets(
	'a session that begins with a bad boolean',
	[ { require_node_id => 'maybe' }, \%bad_means_on ],
	[ { require_node_id => 'on' }, \%no ],
	[ { require_node_id => 'on', node_id => 1 }, { of_node(1), require_node_id => 'on' } ],
	[ { require_node_id => 'off' }, {} ],
	[ { require_node_id => 'on' }, \%no ])->quit;
# It does not go on with another value that cannot be, and says of its own when that was found.
session_gets(
	'a session that begins with a bad number',
	(map { [ { node_id => $_ }, { with_node(q{invalid node_id 'abc'}) } ] } 'abc', 5000, -2, 'xyz'),
	[ { node_id => 4 }, { of_node(4) } ])->quit;
# It must not fall back to automatic, and new sessions must not start without.  A session that has
# the library loaded sees the error in pg_file_settings.
foreach my $value (5000, -2, 'abc')
{
	my $session = session_gets(
		'a session that begins with a good number',
		[ { node_id => 3 }, { of_node(3) } ],
		[ { node_id => $value }, { of_node(3) } ]);

	gives("node_id = '$value' by a reload: new sessions",
		{ with_node("invalid node_id '$value'") });
	is( $session->query(
			q{SELECT error IS NOT NULL FROM pg_file_settings WHERE name = 'idtypes.node_id'}),
		't',
		"node_id = '$value' by a reload: pg_file_settings shows the error");
	$session->quit;
}

# In a statement that is in progress a session keeps what it has; the others go on with the new.
my $number_of_server = 'SELECT tid64_clock_id(tid64_generate()) - 32';
configure({ node_id => 1 });
my @sessions = map { session($node) } 1 .. 2;
$sessions[1]->query('SELECT pg_advisory_lock(1)');
$sessions[0]->send("$number_of_server FROM pg_advisory_lock(1)");
ok( wait_until($node, q{SELECT count(*) = 1 FROM pg_locks
		WHERE locktype = 'advisory' AND NOT granted}),
	'a statement is in progress');
configure({ node_id => 2 });
is($sessions[1]->query($number_of_server), 2, 'the other one has 2');
$sessions[1]->query('SELECT pg_advisory_unlock(1)');
is($sessions[0]->query(''), 1, 'while the statement in progress kept 1');
is($sessions[0]->query($number_of_server), 2, 'and the next has 2');
$_->quit foreach @sessions;

# ---- Command line and ALTER SYSTEM ----

# The command line overrides the configuration files, so no reload corrects a bad value there: the
# session must not go on with the default.
$node->stop;
PostgreSQL::Test::Utils::system_or_bail('pg_ctl', '-w', '-D', $node->data_dir, '-l', $node->logfile,
	'-o', '-c idtypes.node_id=5000', 'start');
$node->_update_pid(1);
session_gets('a bad number on the command line',
	map { [ $_, { with_node(q{invalid node_id '5000' on the command line}) } ] }
	  {}, { on_overflow => 'wait' }, { node_id => 7 })->quit;
configure({}, restart => 1);

sub alter_system($name, $value, $load)
{
	return $node->error_of("$load ALTER SYSTEM SET idtypes.$name = '$value'");
}

# After the library is loaded, the server checks what it can, which is the kind; before that, major
# versions differ in whether they allow it at all.
foreach my $name (@names)
{
	like(alter_system($name, $_, q{LOAD 'idtypes';}), qr/ERROR: .*"idtypes\.$name"/,
		"ALTER SYSTEM, loaded: $name = $_ is refused") foreach 'abc', @{ $settings{$name}{bad} };
	is(alter_system($name, $settings{$name}{good}, q{LOAD 'idtypes';}),
		'', "ALTER SYSTEM, loaded: $name = $settings{$name}{good}");
}
$node->restart;
gives('ALTER SYSTEM, loaded', $kinds[0][1]);
configure({ %{ $kinds[0][0] }, node_id => 7 });
foreach my $case (grep { described($_->[0]) =~ /256|maybe|-5/ } @kinds)
{
	my ($values, $outcome) = @$case;

	$node->sql('ALTER SYSTEM RESET ALL');
	my %error = map { $_ => alter_system($_, $values->{$_}, '') } keys %$values;
	my @taken = grep { $error{$_} eq '' } keys %error;

	like($error{$_}, qr/^$|"idtypes\.$_"/, "ALTER SYSTEM, not loaded: $_ is taken, or an error")
	  foreach keys %error;
	$node->restart;
	gives('ALTER SYSTEM, not loaded: ' . described($values), @taken == keys %error
			? { %$outcome, require_node_id => 'on' } : $kinds[0][1]);
}
$node->sql('ALTER SYSTEM RESET ALL');
$node->restart;

# ---- Who may ----

# What an ordinary user tries in a session, and what then stands: the administrator's value, whether
# the library was loaded before the attempt or not.
my %mine = (node_id => 9, map { $_ => $settings{$_}{mine} } @names);
my %theirs = map { $_ => $settings{$_}{theirs} } @names;
my @attempts = (
	'SET %s = %s;',
	q{SELECT set_config('%s', '%s', false);},
	'ALTER SYSTEM SET %s = %s;',
	'ALTER DATABASE postgres SET %s = %s;',
	'ALTER ROLE ordinary SET %s = %s;',
	q{UPDATE pg_settings SET setting = '%2$s' WHERE name = '%1$s';});

# What such a user is told in a new session, and in another one after each \c.
sub as_ordinary($sql)
{
	local $ENV{PGUSER} = 'ordinary';

	return join "\n", map {
		my $session = t::Session->new($node);

		($session->query($_), $session->{stderr})
	} split /\\c\n/, $sql;
}

sub test_privileges($label, $loads)
{
	configure({ %theirs, node_id => 7 }, restart => !$loads);
	foreach my $attempt (@attempts)
	{
		my $commands = join '', map { sprintf($attempt, "idtypes.$_", $mine{$_}) } sort keys %mine;
		# what is set for those counts from the next session on
		my $look = $attempt =~ /DATABASE|ROLE/ ? "\\c\n$outcomes" : $outcomes;

		foreach my $load (q{SELECT 'aaaaaaaaaaa'::uid11;}, '')
		{
			gives("$label, $load: an ordinary user does not get $attempt",
				\%theirs, as_ordinary($load . $commands . $look));
			$node->sql('ALTER ROLE ordinary RESET ALL');
		}
	}

	# In the connection string: if the library is not loaded yet, generators refuse that.
	configure({ node_id => 7, require_node_id => 'on', %large_steps }, restart => !$loads);
	foreach my $name (sort keys %mine)
	{
		local $ENV{PGOPTIONS} = "-c idtypes.$name=$mine{$name}";
		my $misplaced = "misplaced $name '$mine{$name}'";
		my $text = as_ordinary($outcomes);
		my @which =
			$name eq 'node_id' ? @fields
		  : $name eq 'require_node_id' ? ()
		  : $name =~ /bits/ ? ($name, 'on_overflow', 'others', 'ulidflake_scalability')
		  : ($name);

		like($text, qr/FATAL:  parameter "idtypes\.$name" cannot be changed now/,
			"$label: refused in a connection string: $name") && next
		  unless $loads;
		gives(
			"$label: an ordinary user does not get it from its connection string: $name",
			{
				of_node(7),
				%large_steps,
				require_node_id => 'on',
				($name eq 'on_overflow' ? %any : ()),
				map { $_ => $misplaced } @which
			},
			$text);
	}
}

test_privileges('not preloaded', 1);
configure({});
{
	local $ENV{PGOPTIONS} = '-c idtypes.require_node_id=off';
	gives(
		'require_node_id set for a session',
		{
			no_number(' idtypes.require_node_id was set to "off" for this session, user or'
				  . ' database, which counts as on.')
		});
}

# What a superuser sets for users and databases does not count as the server's, either; a session
# that has loaded the library cannot reset that by name.
foreach my $where ('ROLE ALL', 'ROLE ordinary', 'DATABASE postgres',
	'ROLE ordinary IN DATABASE postgres')
{
	$node->sql("ALTER $where SET idtypes.node_id = 9");
	my $text = as_ordinary("$outcomes;\nALTER $where RESET idtypes.node_id");

	gives("ALTER $where", { with_node(q{misplaced node_id '9'}) }, $text);
	like($text, qr/"idtypes.node_id" cannot be changed now/, "$where: nor reset by that session")
	  if $where =~ /ordinary$/;
	$node->sql("ALTER $where RESET ALL");
}

# A user's value must not hide a bad one of the administrator: that would make it automatic.
configure({ node_id => 'abc' });
gives(
	q{an ordinary user does not mend the administrator's value},
	{ with_node(q{invalid node_id 'abc'}) },
	as_ordinary("SET idtypes.node_id = 9;\n$outcomes"));

# ---- Where the library is first loaded ----

# Whatever it is that loads the library in a session, also in its parallel workers, its ids have the
# server's number from the first one on, and so it is after a reload.  A number that cannot be stops
# them all.  Two servers whose numbers got lost would make the same ids.

# Statements on the table have parallel workers.
my $parallel = <<'END';
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2; SET parallel_leader_participation = off;
END

# What new ids have of the number.  The first function cannot be made once the library is loaded.
my $setup = <<'SQL';
CREATE OR REPLACE FUNCTION numbers_with_set() RETURNS text LANGUAGE plpgsql SET idtypes.node_id = 9
	AS 'BEGIN RETURN numbers(); END';
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
my $numbers = 'SELECT DISTINCT numbers() FROM generate_series(1, 10)';

my @places = (
	'SELECT id FROM stored WHERE n = 1',
	'CREATE INDEX ON stored (id)',
	'ALTER TABLE stored ADD PRIMARY KEY (id)',
	"BEGIN; $numbers; COMMIT",
	"BEGIN; $numbers; ROLLBACK",
	"BEGIN; SAVEPOINT s; $numbers; ROLLBACK TO s; $numbers; COMMIT",
	'BEGIN; SAVEPOINT s; SELECT id FROM stored WHERE n = 1; ROLLBACK TO s; COMMIT',
	q{DO 'BEGIN PERFORM numbers(); RAISE division_by_zero; EXCEPTION WHEN OTHERS THEN END'},
	"BEGIN; SET LOCAL idtypes.node_id = 9; $numbers; COMMIT",
	"BEGIN; SAVEPOINT s; SET LOCAL idtypes.node_id = 9; $numbers; ROLLBACK TO s; COMMIT",
	'BEGIN; SET LOCAL idtypes.node_id = 9; SELECT id FROM stored WHERE n = 1; COMMIT',
	"SET idtypes.node_id = 9; $numbers",
	'SET idtypes.node_id = 9; SELECT id FROM stored WHERE n = 1',
	q{SELECT numbers_with_set()});
my $is_loaded = q{SELECT count(*) FROM pg_settings WHERE name = 'idtypes.node_id'};

# Each session goes from one number to the next, the first one of which may be none.
foreach my $numbers ([ 1, 11 ], [ 'abc', 1 ])
{
	my ($first, $then) = @$numbers;
	my %sessions;

	configure({ node_id => $first });
	$node->sql($setup);
	like($node->sql("$parallel EXPLAIN SELECT id FROM stored WHERE n = 1"), qr/Gather/, 'parallel');
	foreach my $place (@places)
	{
		my $session = $sessions{$place} = session($node);
		my $label = "node_id = '$first', $place";
		my @calls = $first ne 'abc' ? $place =~ /SELECT[^;]*numbers/g : ();

		$session->query($parallel);
		is($session->query($is_loaded), 0, "$label: not loaded");
		my @shown = grep { /^\d+ \d+ \d+ \d+$/ } split /\n/, $session->query($place);
		is_deeply(\@shown, [ ("$first $first $first $first") x @calls ], "$label: first ids");
		unlike($session->{stderr}, qr/during a parallel operation/, "$label: no warning");
		is($session->query($is_loaded), 1, "$label: loaded");
		gives(
			$label,
			{ $first eq 'abc' ? with_node(q{invalid node_id 'abc'}) : of_node($first) },
			$session);
	}
	configure({ node_id => $then });
	foreach my $place (@places)
	{
		gives("node_id = '$then', $place",
			{ of_node($then) }, $sessions{$place});
		$sessions{$place}->quit;
	}
}

# ---- Preloaded ----

$node->append_conf('postgresql.conf', "shared_preload_libraries = 'idtypes'\n");
# The values are checked by what checks them without that: only the long form takes all.
foreach my $case (grep { $stress || described($_->[0]) =~ /^$|255|256|maybe|abc/ } @kinds)
{
	configure($case->[0], restart => 1);
	gives('preloaded: ' . described($case->[0]), $case->[1]);
}
test_privileges('preloaded', 0);

# A rejected value stops generators, and not the workers of a query.
configure({ node_id => 'abc' }, restart => 1);
my $session = session($node);
$session->query($parallel);
is($session->query('SELECT count(*) FROM stored'), 1000, 'preloaded: workers start');
gives('preloaded: no id is made', { with_node(q{invalid node_id 'abc'}) },
	$session);
$session->quit;

# A bad value is not even taken by a running server, which says so, and stays with what it has.
configure({ node_id => 7 }, restart => 1);
$node->append_conf('idtypes.conf', "idtypes.node_id = 'abc'");
$node->reload;
ok( $node->poll_query_until(
		'postgres', q{SELECT count(*) > 0 FROM pg_file_settings
			WHERE name = 'idtypes.node_id' AND error IS NOT NULL}),
	'preloaded: pg_file_settings shows the error');
gives('preloaded: the value stays', { of_node(7) });

$node->stop;
done_testing();
