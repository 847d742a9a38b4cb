# IdTypesTest.pm: what the tests of the generators share.
#
# Every test gathers ids in tables of one shape, ids_<generator>, with the columns
#
#	client	who asked; its ids are in the order of n
#	n		ordinal of the id among those of the client
#	era		rises with each restart or crash of the server, where a test has any
#	id		the id, in its own type
#
# and check_ids() then looks for what the generators promise never to do.
#
# IDTYPES_STRESS=1 in the environment asks for the long form of the tests.

package t::IdTypesTest;

use strict;
use warnings;
use feature 'signatures';
no warnings 'experimental::signatures';

use Exporter ();
use Fcntl qw(:DEFAULT SEEK_SET);
use IO::Select;
use IO::Socket::UNIX;
use List::Util qw(max min);
use Test::More;
use Time::HiRes qw(sleep clock_gettime CLOCK_REALTIME CLOCK_MONOTONIC);

our @EXPORT = qw(
  $stress @generators $one_of_each
  new_node create_id_tables start_load stop_load
  new_recorded start_burst ids_of load_recorded crash
  create_keyed_tables insert_keyed check_indexes
  check_ids all_refuse
  id_times longest_tick state_of lead_of largest_lead all_lead bursts_lead_little reserved_until
  wait_for wait_until wait_for_ids session
  new_clock set_clock move_clock stop_clock start_clock advance_clock set_fake fake
  wait_for_sync let_one_sync
  page_block statements
  build_library on_small_disk fill_disk free_disk
);

# Each of these tests starts servers of its own.  Where that cannot be, "make installcheck" says so
# and goes on.
BEGIN
{
	plan skip_all => 'not as root: initdb refuses that' if $> == 0;
	plan skip_all => 'these tests need the Perl module IPC::Run (package libipc-run-perl on Debian,'
	  . ' perl-IPC-Run elsewhere)'
	  unless eval { require IPC::Run };
	plan skip_all => 'these tests need the Perl modules PostgreSQL::Test, which come with the '
	  . "server's development files (package postgresql-server-dev-NN on Debian)"
	  unless eval { require PostgreSQL::Test::Cluster };
	PostgreSQL::Test::Cluster->import;
	require PostgreSQL::Test::Utils;
	PostgreSQL::Test::Utils->import;
}

# Gives a test, beside the names above, what each of them uses.
sub import
{
	my $test = caller;

	strict->import;
	warnings->import;
	feature->import('signatures');
	warnings->unimport('experimental::signatures');
	eval "package $test; Test::More->import; PostgreSQL::Test::Utils->import;
		List::Util->import(qw(max min)); Time::HiRes->import(qw(sleep time)); 1" or die;
	goto &Exporter::import;
}

our $stress = $ENV{IDTYPES_STRESS} ? 1 : 0;

# The generators, one for each clock word.
#
#	call	generates an id; g is a number that differs from row to row, so that two uses that
#			share a clock word are both taken, in turn
#	key		the part of an id that must not repeat; defaults to all of it.  Where the rest is
#			random that is the time and counter in front of it: the random bits would hide that two
#			ids got the same clock word.
#	order	what rises from each id of a client to the next; defaults to key
#	steady	true where two neighbours may be equal in that
#	stored	the type of its ids, if functions are not named after that
our @generators = (
	{ name => 'siq', call => q{siq_generate('example.org', 'message')} },
	{
		name => 'scru160',
		call => q{scru160_generate(CASE WHEN g % 2 = 0 THEN 'default' ELSE 'microsecond' END)},
		key => "('x' || substr(scru160_hex(id), 1, 16))::bit(64)::bigint"
	},
	{ name => 'tid64', call => 'tid64_generate()' },
	{
		name => 'uid11 xid',
		call => 'uid11_generate()',
		order => 'uid11_timestamp(id)',
		steady => 1
	},
	{ name => 'uid11 snowish', call => q{uid11_generate('snowish')} },
	{
		name => 'uid11 ts-seq-rand',
		call => q{uid11_generate('ts-seq-rand')},
		key => 'id::bigint >> 10'
	},
	{
		name => 'ulidflake',
		call => q{CASE WHEN g % 2 = 0 THEN ulidflake_generate()
			ELSE ulidflake_generate_scalable() END}
	},
	{
		name => 'uuid7',
		call => 'uuid7_generate()',
		stored => 'uuid',
		key => "('x' || substr(replace(id::text, '-', ''), 1, 16))::bit(64)::bigint"
	});

# Of a type that has no entry of its own, no id must repeat.
foreach my $type (split ' ', `make -s --no-print-directory types`)
{
	push @generators, { name => $type, call => "${type}_generate()" }
	  unless grep { $_->{call} =~ /\b${type}_generate/ } @generators;
}

foreach my $generator (@generators)
{
	($generator->{type}) = $generator->{call} =~ /(\w+?)_generate/;
	($generator->{table} = "ids_$generator->{name}") =~ s/\W/_/g;
	$generator->{key} //= 'id';
	$generator->{order} //= $generator->{key};
	$generator->{steady} //= 0;
	$generator->{stored} //= $generator->{type};
}

# One id of each generator, as text in one row.
our $one_of_each = 'SELECT ' . join(', ', map { "($_->{call})::text" } @generators)
  . ' FROM generate_series(1, 1) g';

# ---- Servers ----

# A session at a server's socket, without a password.  Most tests ask for hundreds of things, and a
# psql for each would cost more than all else together.
#
#	pid		the process that serves it, once an answer has been read
#	stderr	what the server has reported, until a test empties it
#	failed	whether one of the statements failed whose answers were read last
package t::Session
{
	# Logs in.  What the server answers is not read yet.
	sub new($class, $node, $db = 'postgres')
	{
		my $socket = IO::Socket::UNIX->new(Peer => $node->host . '/.s.PGSQL.' . $node->port);
		my $self = bless {
			socket => $socket,
			stderr => $socket ? '' : "could not connect: $!\n",
			pending => 1
		}, $class;

		$self->put(
			'', join "\0",
			pack('N', 196608) . 'user', $ENV{PGUSER} // scalar getpwuid($>),
			database => $db,
			application_name => $ENV{PGAPPNAME} // '',
			options => $ENV{PGOPTIONS} // '',
			"\0");
		return $self;
	}

	sub put($self, $kind, $body)
	{
		local $SIG{PIPE} = 'IGNORE';

		syswrite($self->{socket}, $kind . pack('N', 4 + length $body) . $body)
		  if $self->{socket};
	}

	# A statement ends at a semicolon that is not quoted or in a comment.
	sub statements_of($self, $sql)
	{
		my @statements;

		$self->{verbose} = 1 if $sql =~ s/^\\set VERBOSITY verbose\n//;
		while ($sql =~ /\G((?:'[^']*'|"[^"]*"|(\$\w*\$).*?\g2|--[^\n]*|[^;])++);?\s*/gcs)
		{
			push @statements, $1;
		}
		return @statements;
	}

	# Sends statements, of which each is run, whether those before it fail or not.
	sub send($self, $sql)
	{
		foreach my $statement ($self->statements_of($sql))
		{
			$self->put('Q', "$statement\0");
			$self->{pending}++;
			$self->{sent} = $statement;
		}
	}

	# Reads the answers to what was sent.  Returns the rows as psql -At prints them.
	sub receive($self)
	{
		my $rows = '';

		local $SIG{ALRM} = sub { die 'no answer to: ' . ($self->{sent} // 'the login') };
		alarm $PostgreSQL::Test::Utils::timeout_default;
		$self->{failed} = 0;
		while ($self->{pending} > 0)
		{
			my ($kind, $body) = $self->get;

			if (!defined $kind)
			{
				$self->{stderr} .= "server closed the connection unexpectedly\n";
				$self->{failed} = 1;
				last;
			}
			$self->{pending}-- if $kind eq 'Z';
			$self->{pid} = unpack('N', $body) if $kind eq 'K';
			# the length of a NULL is -1
			$rows .= join('|', unpack('n/(l>/a)', $body =~ s/\xff{4}/\0\0\0\0/gr)) . "\n"
			  if $kind eq 'D' && $body ne "\0\0";
			$self->report(map { /^(.)(.*)/s } split /\0/, $body) if $kind =~ /[EN]/;
			$self->{failed} = 1 if $kind eq 'E';
		}
		alarm 0;
		return $rows;
	}

	# The kind and body of the server's next message; nothing where there is none any more.
	sub get($self)
	{
		return if !$self->{socket} || (read($self->{socket}, my $head, 5) // 0) < 5;
		my ($kind, $size) = unpack('aN', $head);

		return if (read($self->{socket}, my $body, $size - 4) // 0) < $size - 4;
		return ($kind, $body);
	}

	# Adds what psql says of an error or notice.
	sub report($self, %part)
	{
		$part{M} = "$part{C}: $part{M}" if $self->{verbose};
		$self->{stderr} .= join "\n", "$part{S}:  $part{M}",
		  (map { $part{ $_->[0] } ? "$_->[1]:  $part{$_->[0]}" : () }
			  ([ D => 'DETAIL' ], [ H => 'HINT' ], [ W => 'CONTEXT' ])), '';
	}

	# What is still to be read, and what statements return.
	sub query($self, $sql)
	{
		$self->send($sql);
		return $self->receive =~ s/\n\z//r;
	}

	# Runs statements, one after the other, until one fails.
	sub run($self, $sql)
	{
		my $rows = '';

		foreach my $statement ('', $self->statements_of($sql))
		{
			$self->send($statement);
			$rows .= $self->receive;
			last if $self->{failed};
		}
		return $rows;
	}

	# What statements return, of which none may fail.
	sub sql($self, $sql)
	{
		my $rows = $self->run($sql);

		die "$self->{stderr}\nin: $sql" if $self->{failed};
		return $rows =~ s/\n\z//r;
	}

	# What is said of an error that ends statements; nothing where there is none.
	sub error_of($self, $sql)
	{
		local $self->{stderr} = '';

		$self->run($sql);
		return $self->{failed} ? $self->{stderr} : '';
	}

	# Whether something is there to be read.
	sub is_answered($self)
	{
		return IO::Select->new($self->{socket})->can_read(0);
	}

	# Ends the session, at once unless a statement is in progress.
	sub quit($self)
	{
		$self->put('X', '');
		close($self->{socket});
	}
}

# A cluster whose database is postgres.
package t::Cluster
{
	our @ISA = ('PostgreSQL::Test::Cluster');
	my $library;

	# Takes its time from the file of a clock if one is given; see fakes.c.
	sub new($class, $name, %params)
	{
		my $self = $class->SUPER::new($name);

		$self->{clock} = $params{clock};
		$library //= t::IdTypesTest::build_library('fakes') . '.so' if defined $params{clock};
		return $self;
	}

	# As from 17 on, takes a copy of the cluster that initdb has made once, if there is one.
	sub init($self, @params)
	{
		my $run = \&PostgreSQL::Test::Utils::system_or_bail;

		no warnings 'redefine';
		local *PostgreSQL::Test::Utils::system_or_bail = sub {
			@_ = ('cp', '-RPp', $ENV{INITDB_TEMPLATE}, $_[2])
			  if $ENV{INITDB_TEMPLATE} && $_[0] eq 'initdb' && @_ == 6;
			goto &$run;
		};
		return $self->SUPER::init(@params);
	}

	sub start($self, @params)
	{
		local %ENV = (%ENV, LD_PRELOAD => $library, FAKES => $self->{clock})
		  if defined $self->{clock};

		return $self->SUPER::start(@params);
	}

	# pg_ctl restart would lose that.
	sub restart($self, $mode = undef)
	{
		$self->stop($mode);
		return $self->start;
	}

	# What statements return in a new session; none may fail.
	sub sql($self, $sql, $db = 'postgres')
	{
		return t::Session->new($self, $db)->sql($sql);
	}

	# What is said of an error that ends statements; nothing where there is none.
	sub error_of($self, $sql)
	{
		return t::Session->new($self)->error_of($sql);
	}

	# Waits until a query returns what is expected; false if it never does.
	sub poll_query_until($self, $, $query, $expected = 't')
	{
		my $end = time + $PostgreSQL::Test::Utils::timeout_default;
		my $session;

		do
		{
			$session //= t::Session->new($self);
			return 1 if $session->run($query) eq "$expected\n";
			# there may be no server, or another one
			undef $session if $session->{failed};
			Time::HiRes::sleep(0.1);
		} while (time < $end);
		return 0;
	}

	# An instant, by default the server's clock, in seconds.
	sub seconds($self, $instant = 'clock_timestamp()')
	{
		return $self->sql("SELECT extract(epoch FROM $instant)");
	}

	# Sets a parameter, and waits until new sessions have it.
	sub set($self, $name, $value)
	{
		$self->append_conf('postgresql.conf', "$name = '$value'");
		$self->reload;
		$self->poll_query_until('postgres', "SELECT current_setting('$name', true) = '$value'")
		  or die 'no reload';
	}
}

# A cluster with the extension, not preloaded, as most are.  The node's number is set, because
# fields that differ by process or by start would hide repeated clock words.
sub new_node($name, %params)
{
	my $node = t::Cluster->new($name, clock => $params{clock});

	$node->init(%{ $params{init} // {} });
	$node->append_conf('postgresql.conf', <<"END");
log_statement = none
restart_after_crash = on
max_connections = 100
shared_buffers = 32MB
work_mem = 64MB
max_wal_size = 1GB
checkpoint_timeout = 1h
autovacuum = off
jit = off
idtypes.node_id = 7
END
	$node->append_conf('postgresql.conf', $params{conf}) if defined $params{conf};
	$node->start;
	$node->sql('CREATE EXTENSION idtypes; CREATE EXTENSION idtypes_uuid');
	return $node;
}

# ---- The fake clock ----

# A file that a server can take its time from.  Skips a test that has not yet begun where no server
# can.
sub new_clock
{
	plan skip_all => 'these tests need Linux: they preload a clock of their own' if $^O ne 'linux';

	my $file = PostgreSQL::Test::Utils::tempdir() . '/clock';

	set_clock($file, '+0');
	return $file;
}

# The places of its numbers, which fakes.c explains.
my %place;
@place{qw(mono wall_ahead hold error held synced reader spared let_go after pid)} =
  map { 8 * $_ } 0 .. 10;

# What a test asks for, and what became of it.
sub fake($file, $what)
{
	return unpack("x$place{$what} q", slurp_file($file));
}

# Eight bytes at once, and in place: servers look at them all the time.
sub set_fake($file, $what, $number)
{
	sysopen(my $fh, $file, O_WRONLY | O_CREAT) or die "could not open $file: $!";
	sysseek($fh, $place{$what}, SEEK_SET);
	syswrite($fh, pack('q', $number)) == 8 or die "could not write $file: $!";
	close($fh);
}

sub nanoseconds { return 1000 * sprintf('%.0f', $_[0] * 1e6) }

sub monotonic_clock { return nanoseconds(clock_gettime(CLOCK_MONOTONIC)) }

my $machine_ahead =
  nanoseconds(clock_gettime(CLOCK_REALTIME) - clock_gettime(CLOCK_MONOTONIC));

# Sets the system clock of the servers that look at a file to what the machine's shows and so many
# seconds, such as "+86400".  The monotonic clock goes on, as when an administrator sets the time.
sub set_clock($file, $seconds)
{
	set_fake($file, $_, 0) foreach -e $file ? () : keys %place;
	set_fake($file, wall_ahead => $machine_ahead + nanoseconds($seconds));
}

# The same by so many seconds more than before.
my %offset;

sub move_clock($file, $seconds)
{
	return set_clock($file, $offset{$file} += $seconds);
}

# Makes both clocks stand still.
sub stop_clock($file)
{
	set_fake($file, mono => fake($file, 'mono') + monotonic_clock() * 2 + 1);
}

# Lets them go on from there.
sub start_clock($file)
{
	set_fake($file, mono => fake($file, 'mono') - monotonic_clock() * 2 - 1);
}

# Lets time pass on both, whether they stand still or not.
sub advance_clock($file, $seconds)
{
	set_fake($file, mono => fake($file, 'mono') + nanoseconds($seconds) * 2);
}

# Waits until a session is held up while it makes the mark durable.
sub wait_for_sync($file)
{
	return wait_for(sub { fake($file, 'held') > 0 });
}

# Lets that go on, and waits until it has.
sub let_one_sync($file)
{
	my $synced = fake($file, 'synced');

	set_fake($file, let_go => 1);
	return wait_for(sub { fake($file, 'synced') > $synced });
}

# ---- SQL of the pages ----

# The SQL block of a page that has such a line.
sub page_block($page, $line)
{
	my @found = grep { /^$line/m } slurp_file("doc/$page") =~ /^```sql\n(.*?)^```$/gms;

	@found == 1 or die "not one block of $page has $line";
	return $found[0];
}

# The statements of a block.
sub statements($sql)
{
	return $sql =~ /\s*(.+?);\n/gs;
}

# ---- Libraries of functions that tests need ----

# Builds NAME.c for this server, and returns the library's name for CREATE FUNCTION.
sub build_library($name)
{
	my $dir = PostgreSQL::Test::Utils::tempdir();
	my ($cc, $include) = split /\n/, `pg_config --cc --includedir-server`;

	PostgreSQL::Test::Utils::system_or_bail(
		"$cc -O2 -shared -fPIC -I'$include' -Isrc -o '$dir/$name.so' t/$name.c -ldl");
	chmod(0755, $dir);
	return "$dir/$name";
}

# ---- A disk that can be filled ----

my $small_disk = '/mnt';

# Starts the test anew where that folder is a disk of its own, of so many megabytes: in memory, and
# seen by no other process.  That needs no privilege where the kernel lets users have namespaces;
# where it does not, the test says so and is skipped.  To be called in BEGIN.
sub on_small_disk($megabytes)
{
	return $small_disk if @ARGV && $ARGV[0] eq 'on-small-disk';
	# first as the root of a namespace, who may mount, and then as oneself, who may run a server
	my ($uid, $gid) = ($>, $) + 0);
	my @command = (
		'unshare', '-Urm', 'sh', '-c',
		"mount -t tmpfs -o size=${megabytes}m small $small_disk 2>&1 &&
			exec unshare -U --map-user=$uid --map-group=$gid \"\$0\" \"\$@\"");

	plan skip_all => "no small disk: needs $small_disk, and namespaces for users (unshare -Urm)"
	  unless IPC::Run::run([ @command, 'true' ], '>', \my $stdout, '2>', \my $stderr);
	exec(@command, $^X, (map { "-I$_" } @INC), $0, 'on-small-disk') or die "could not exec: $!";
}

# Fills it but for so many kilobytes.
sub fill_disk($but)
{
	my $filler = "$small_disk/filler";

	# until there is no room
	system("dd if=/dev/zero of=$filler bs=64k 2>/dev/null");
	truncate($filler, max(0, (-s $filler) - $but * 1024));
}

sub free_disk
{
	unlink("$small_disk/filler") == 1 or die "could not unlink: $!";
}

# ---- Ids in tables ----

# Makes them anew.
sub create_id_tables($node, $db = 'postgres')
{
	$node->sql(
		join('', map {
			"DROP TABLE IF EXISTS $_->{table};
			CREATE UNLOGGED TABLE $_->{table}
				(client int, n bigint, era bigint, id $_->{stored});\n"
		} @generators), $db);
}

# Writes a pgbench script that stores $rows ids of a generator under the client's number.
sub insert_script($generator, $rows, $client)
{
	# the counter is kept from one script to the next
	return <<"END";
\\set chunk :chunk + 1
INSERT INTO $generator->{table} SELECT $client, :chunk::bigint * $rows + g, 1, $generator->{call}
	FROM generate_series(1, $rows) g;
END
}

sub write_script($text)
{
	my $file = PostgreSQL::Test::Utils::tempdir() . '/script.sql';

	append_to_file($file, $text);
	return $file;
}

# Starts clients that go on until stop_load(), or for a number of transactions; in the latter case
# clients of two databases need numbers of their own: first_client is the lowest.  Their scripts are
# given, or else store ids: each those of a generator, or one those of all for such a number.
sub start_load($node, %params)
{
	my $load = { stdout => '', stderr => '', timeout => IPC::Run::timeout(86400) };
	my $client = ($params{first_client} // 0) . ' + :client_id';
	my @scripts = map { insert_script($_, $params{ids} // 20, $client) } @generators;

	@scripts = join('', @scripts) if $params{transactions};
	@scripts = @{ $params{scripts} } if $params{scripts};
	$load->{harness} = IPC::Run::start(
		[
			'pgbench', '--no-vacuum', '-D', 'chunk=0', '-c', $params{clients}, '-j', 2,
			($params{transactions} ? ('-t', $params{transactions}) : ('-T', 86400)),
			($params{rate} ? ('-R', $params{rate}) : ()),
			(map { ('-f', write_script($_)) } @scripts),
			'-h', $node->host, '-p', $node->port, $params{db} // 'postgres'
		],
		'>', \$load->{stdout}, '2>', \$load->{stderr}, $load->{timeout});
	return $load;
}

# Ends the clients of start_load().  True if all went well and none hangs.
sub stop_load($load)
{
	my $ok = eval
	{
		# the time that -T gave them is up
		$load->{harness}->signal('ALRM');
		$load->{timeout}->start($PostgreSQL::Test::Utils::timeout_default);
		IPC::Run::finish($load->{harness});
	};

	unless ($ok)
	{
		diag($@ . $load->{stderr});
		IPC::Run::kill_kill($load->{harness});
	}
	return $ok;
}

# ---- Ids in files ----

# What a client has seen counts, even if the server then forgets the transaction.  So where servers
# crash, clients write what they got to files, which new_recorded() makes room for.
sub new_recorded { return { dir => PostgreSQL::Test::Utils::tempdir(), clients => 0 } }

# Starts two clients that each repeat statements as fast as they can, such as those of ids_of(), and
# write down the name of the generator and the id of each row.  In one statement they get few ids:
# no client has got what the server has not sent when it dies.
sub start_burst($node, $recorded, $era, $times, @statements)
{
	my $file = "$recorded->{dir}/script." . ++$recorded->{scripts};

	append_to_file($file, join '', "\\echo era|$era\n", map { "$_;\n" } @statements);
	return [
		map {
			IPC::Run::start(
				[ 'psql', '-XAtq', '-d', $node->connstr('postgres'), ('-f', $file) x $times ],
				'>', "$recorded->{dir}/ids.$_", '2>', '/dev/null')
		} map { ++$recorded->{clients} } 1, 2
	];
}

# A statement for that.
sub ids_of($generator, $ids = 20)
{
	return "SELECT '$generator->{name}', $generator->{call} FROM generate_series(1, $ids) g";
}

# Kills a process of a server, and tests that the server recovers.
sub crash($node, $pid)
{
	my $checkpoint = 'SELECT checkpoint_lsn FROM pg_control_checkpoint()';
	my $before = $node->sql($checkpoint);

	is(kill('KILL', $pid), 1, 'a session is killed');
	ok(wait_until($node, "SELECT ($checkpoint) <> '$before'"), 'the server has recovered');
}

# Loads what clients wrote into the tables of a server, and returns the number of ids.
sub load_recorded($node, $recorded)
{
	my $dir = PostgreSQL::Test::Utils::tempdir();
	my %file;
	my $ids = 0;

	foreach my $generator (@generators)
	{
		open($file{ $generator->{name} }, '>', "$dir/$generator->{table}") or die $!;
	}
	foreach my $client (1 .. $recorded->{clients})
	{
		my $era;

		open(my $in, '<', "$recorded->{dir}/ids.$client") or die $!;
		# a line that was cut off is no id that the client got
		while ((readline($in) // '') =~ /^([^|]+)\|(\S+)\n$/)
		{
			$era = $2 if $1 eq 'era';
			print { $file{$1} } join("\t", $client, ++$ids, $era, $2), "\n" if $1 ne 'era';
		}
	}
	close($_) foreach values %file;
	$node->sql(join ';', map { "COPY $_->{table} FROM '$dir/$_->{table}'" } @generators);
	return $ids;
}

# ---- Tables keyed by generated ids ----

# As users have them, one for each generator: the generator is the default of the primary key.
sub create_keyed_tables($node)
{
	foreach my $generator (@generators)
	{
		# a default knows no other column
		my $default = $generator->{call} =~ s/\bg\b/(random() * 100)::int/gr;

		$generator->{keyed} = $generator->{table} =~ s/^ids/keyed/r;
		$node->sql("CREATE TABLE $generator->{keyed}
				(id $generator->{stored} PRIMARY KEY DEFAULT $default, n int)");
	}
}

# A statement that inserts rows into such a table, and returns what recorders write down.
sub insert_keyed($generator, $rows)
{
	return "INSERT INTO $generator->{keyed} (n) SELECT generate_series(1, $rows) "
	  . "RETURNING '$generator->{name}', id";
}

# Tests that indexes of the keyed tables agree with them, and that the tables are sound.
sub check_indexes($node, $label)
{
	local $Test::Builder::Level = $Test::Builder::Level + 1;

  SKIP:
	{
		skip 'no amcheck, which comes with the contrib modules of the server', 2 * @generators
		  if $node->error_of('CREATE EXTENSION IF NOT EXISTS amcheck') ne '';
		foreach my $table (map { $_->{keyed} } @generators)
		{
			is( $node->error_of("SELECT bt_index_parent_check(indexrelid, true, true) FROM pg_index
						JOIN pg_class c ON c.oid = indexrelid
						JOIN pg_am a ON a.oid = relam AND amname = 'btree'
					WHERE indrelid = '$table'::regclass"),
				'', "$label: indexes of $table have all rows in order");
			is($node->sql("SELECT * FROM verify_heapam('$table')"), '', "$label: $table is sound");
		}
	}
}

# ---- What must never be ----

# Looks through the tables for ids that were handed out twice, and for clients whose ids did not
# rise; with across_eras also for a server that began before the end of an earlier one.  One test
# for each of these and each generator; returns the number of ids.
sub check_ids($node, $label, %params)
{
	my $total = 0;
	my $duplicates = 0;
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	foreach my $generator (@generators)
	{
		my ($name, $table, $key, $order) = @$generator{qw(name table key order)};
		my $disorder = $generator->{steady} ? '<' : '<=';
		my $across_eras = $params{across_eras} ? 'true' : 'false';
		my ($ids, $repeated, $backwards, $overlaps) = split /\|/, $node->sql("SELECT count(*),
			count(*) - count(DISTINCT $key),
			(SELECT count(*) FROM (
				SELECT $order AS this, lag($order) OVER (PARTITION BY client ORDER BY n) AS last
				FROM $table) s WHERE this $disorder last),
			CASE WHEN $across_eras THEN (SELECT count(*) FROM (
				SELECT min($order) AS first, lag(max($order)) OVER (ORDER BY era) AS last
				FROM $table GROUP BY era) s WHERE first $disorder last) END
			FROM $table");

		cmp_ok($ids, '>', 0, "$label: ids of $name");
		is($repeated, 0, "$label: no duplicate of $name")
		  or diag($node->sql("SELECT $key, count(*), min(id::text), max(id::text), min(client),
					max(client), min(n), max(n), min(era), max(era)
				FROM $table GROUP BY 1 HAVING count(*) > 1 ORDER BY 1 LIMIT 5"));
		is($backwards, 0, "$label: $name in order");
		is($overlaps, 0, "$label: $name of each start after those of earlier ones")
		  if $params{across_eras};
		$total += $ids;
		$duplicates += $repeated;
	}
	note("$label: generated $total ids, $duplicates duplicates");
	return $total;
}

# Tests that no generator works, with an error like that, and that the server lives.
sub all_refuse($node, $label, $pattern)
{
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	like($node->error_of("SELECT $_->{call} FROM generate_series(1, 1) g"),
		$pattern, "$label: $_->{name} refuses and says why")
	  foreach @generators;
	is($node->sql('SELECT 1'), 1, "$label: the server lives");
}

# The time of a new id of each generator, in seconds, by the name of the generator.
sub id_times($asked)
{
	my $sql = join ' UNION ALL ', map {
		"SELECT '$_->{name}', extract(epoch FROM $_->{type}_timestamp($_->{call}))
			FROM generate_series(1, 1) g"
	} @generators;

	return { map { split /\|/ } split /\n/, $asked->sql($sql) };
}

# Seconds of the longest tick of any type.
sub longest_tick($asked)
{
	my $sql = join ' UNION ALL ', map {
		my $type = $_->{type};

		"SELECT extract(epoch FROM ${type}_timestamp(lower(${type}_range(ts, NULL, '()'))) - ts)
			FROM (SELECT ${type}_timestamp(${type}_min('2026-01-01Z')) AS ts) tick"
	} grep { $_->{stored} eq $_->{type} } @generators;

	return max(split /\n/, $asked->sql($sql));
}

# A column of idtypes_generators(), or an expression over them, for a generator.
sub state_of($asked, $name, $column)
{
	return $asked->sql("SELECT $column FROM idtypes_generators() WHERE generator = '$name'");
}

# How far a generator is ahead of the system clock, in seconds.
sub lead_of($asked, $name)
{
	return state_of($asked, $name, 'extract(epoch FROM lead)::float8');
}

# The same of the one that is most ahead.
sub largest_lead($node)
{
	return $node->sql('SELECT extract(epoch FROM largest_lead) FROM idtypes_status()');
}

# Tests that the lead of each generator compares to a number of seconds in that way.
sub all_lead($node, $operator, $seconds, $label)
{
	my %lead = map { split /\|/, $_, -1 } split /\n/,
	  $node->sql('SELECT generator, extract(epoch FROM lead)::float8 FROM idtypes_generators()');
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	cmp_ok($lead{ $_->{name} }, $operator, $seconds, "$label: lead of $_->{name}")
	  foreach @generators;
}

# Tests that bursts of so many ids of each generator lead the clock by no more than they may, as the
# session that asks for them sees it: a clock that goes on meanwhile only makes that less.
sub bursts_lead_little($node, $ids, $label)
{
	local $Test::Builder::Level = $Test::Builder::Level + 1;

	foreach my $generator (@generators)
	{
		my $most = $generator->{name} =~ /tid64|snowish/ ? 1 : 0;
		my $lead = $node->sql(
			"SELECT max(extract(epoch FROM $generator->{type}_timestamp(id) - now)) FROM
				(SELECT $generator->{call} AS id, clock_timestamp() AS now
					FROM generate_series(1, $ids) g OFFSET 0) s");

		cmp_ok($lead, '<=', $most, "$label: $generator->{name} leads by at most $most s");
		note("$label: $generator->{name} leads by $lead s at most");
	}
}

# The instant of the mark that counts, in seconds.
sub reserved_until($node)
{
	return max(slurp_file($node->data_dir . '/idtypes.mark') =~ /before (\d+) us/g) / 1e6;
}

# Waits until a function returns true, and pauses for so many seconds where it does not, by default
# 0.1.  Returns whether it has, before the time for that was over.
sub wait_for($condition, $pause = 0.1)
{
	foreach (1 .. $PostgreSQL::Test::Utils::timeout_default / $pause)
	{
		return 1 if $condition->();
		sleep($pause);
	}
	return 0;
}

# Waits until a query returns true, also of a server that is not there yet.
sub wait_until($node, $query)
{
	return $node->poll_query_until('postgres', $query);
}

# Waits until clients have got more ids of each generator.  Returns whether they have.
sub wait_for_ids($node)
{
	my $generated = $node->sql('SELECT max(generated) FROM idtypes_generators()');

	return wait_until($node, "SELECT min(generated) > $generated + 100 FROM idtypes_generators()");
}

# A new session, which knows its process.
sub session($node, $db = 'postgres')
{
	my $session = t::Session->new($node, $db);

	$session->sql('');
	return $session;
}

1;
