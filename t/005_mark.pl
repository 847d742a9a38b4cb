# The durable mark, idtypes.mark in the data directory: what happens when it is missing, damaged,
# old, or cannot be written, and how often it is.

use FindBin;
use lib $FindBin::RealBin;
use IdTypesTest;
use List::Util qw(max);
use POSIX qw(mkfifo);
use Time::HiRes qw(sleep);

my $clock = new_clock();
my $node = new_node('main', clock => $clock);
my $mark = $node->data_dir . '/idtypes.mark';
my $day = 86400;
my $slot = 4096;

sub start { with_fake_clock($clock, sub { $node->start }); return }

# One id of each generator, as text in one row.
my $one_of_each = 'SELECT ' . join(', ', map { "($_->{call})::text" } @generators)
  . ' FROM generate_series(1, 1) g';

# The time in an id of each generator, in seconds of the server's clock: the least and the greatest.
sub id_times
{
	return split /\|/, $node->safe_psql('postgres',
		'SELECT min(s), max(s) FROM (SELECT unnest(ARRAY['
		  . join(', ',
			map { "extract(epoch FROM $_->{type}_timestamp($_->{call}))" } @generators)
		  . ']) AS s FROM generate_series(1, 1) g) t');
}

# Up to when ids may be handed out, in microseconds: the later mark of the two.
sub reserved { return max(slurp_file($mark) =~ /before (\d+) us/g) }

sub now { return $node->safe_psql('postgres', 'SELECT extract(epoch FROM clock_timestamp())') }

# Tests that no generator works and that each says why.
sub all_refuse
{
	my ($label, $pattern) = @_;

	foreach my $generator (@generators)
	{
		my $stderr = '';
		my $status = $node->psql(
			'postgres',
			"SELECT $generator->{call} FROM generate_series(1, 1) g",
			stderr => \$stderr,
			timeout => $PostgreSQL::Test::Utils::timeout_default);

		isnt($status, 0, "$label: $generator->{name} refuses");
		like($stderr, $pattern, "$label: $generator->{name} says why");
	}
	is($node->safe_psql('postgres', 'SELECT 1'), 1, "$label: the server lives");
	return;
}

# Missing, as on a new cluster
ok(!-e $mark, 'no mark before the first id');
my $status = 'SELECT mark, mark_written, mark_timeline FROM idtypes_status()';
is($node->safe_psql('postgres', $status), '||', 'nor in idtypes_status()');
$node->safe_psql('postgres', $one_of_each);
ok(-e $mark, 'a mark after it');
my $line = qr/idtypes 1: ids before \d{16} us, timeline 1, crc [0-9a-f]{8}\n/;
like(slurp_file($mark), qr/^$line\0+$/, 'it is a line of text, and room for another');
is(-s $mark, 2 * $slot, 'each in a block of its own');
ok(!-e "$mark.new", 'and no other file is left');

# It holds where the clock does not
set_clock($clock, "+$day");
my (undef, $high) = id_times();
set_clock($clock, '+0');
$node->stop('immediate');
start();
my $position = log_position($node);
my ($low) = id_times();
cmp_ok($low, '>', $high, 'ids start behind the mark');
cmp_ok($low, '<', $high + 5, 'but not far behind');
my ($ahead) = log_since($node, $position) =~
  /identifier generators start (\d+\.\d{3}) s ahead of the system clock/;
cmp_ok($ahead, '<=', $day + 3, 'the log says that they are ahead');
cmp_ok($ahead, '>', $day - 3600, 'and by how much');

# Removed, which the hint of the damaged file allows: ids start at the clock
my ($good) = slurp_file($mark) =~ /^($line)/;
$node->stop('fast');
unlink($mark);
start();
my $before = now();
($low, $high) = id_times();
# a tick of xid, whose time is cut to a millisecond
cmp_ok($low, '>=', $before - 0.001, 'without the mark ids start at the clock');
cmp_ok($high, '<=', now(), 'and not ahead of it');

# Who looks while the first mark is written sees when, or nothing.
$node->stop('fast');
start();
my $opener = session($node);
my $pid = $opener->query('SELECT pg_backend_pid()');
set_disk($clock, hold => 10**12);
$opener->query_until(qr/begins/, "\\echo begins\n$one_of_each;\n");
ok(wait_for(sub { disk($clock, 'held') > 0 }), 'the first mark is being written');
hold_reader($clock, $pid);
set_disk($clock, hold => 0);
ok(wait_for(sub { reader_is_held($clock) }), 'the first mark is in the file');
is( $node->safe_psql(
		'postgres', q{SELECT coalesce(mark_written, 'infinity') > clock_timestamp() - interval '1 h'
			FROM idtypes_status()}),
	't', 'and idtypes_status() does not say that it is old');
release_reader($clock);
$opener->query('');
$opener->quit;

# From an old backup: an intact mark of the past does no harm
my $old = slurp_file($mark);
sleep(2.5);
(undef, $high) = id_times();
isnt(slurp_file($mark), $old, 'the mark moves on');
$node->stop('fast');
unlink($mark);
append_to_file($mark, $old);
start();
($low) = id_times();
cmp_ok($low, '>', $high, 'an old mark does not set the clock back');

# Both slots in use
sub put
{
	my ($content) = @_;

	unlink($mark);
	append_to_file($mark, $content);
	return;
}
stop_clock($clock);
foreach (1 .. 3)
{
	my $reserved = reserved();

	advance_clock($clock, 5);
	$node->safe_psql('postgres', $one_of_each);
	cmp_ok(reserved(), '>', $reserved, 'the mark moves on');
	is( $node->safe_psql(
			'postgres', 'SELECT mark_written = clock_timestamp() FROM idtypes_status()'),
		't', 'idtypes_status() says when');
	like(slurp_file($mark), qr/ $reserved us/, 'over the older slot: the one before stays');
}
start_clock($clock);
my $both = slurp_file($mark);
like($both, qr/^$line\0+$line\0+$/, 'in two slots');

# A file of one line alone, as the first version of this wrote it
$node->stop('immediate');
put($good);
start();
($low) = id_times();
cmp_ok($low * 1e6, '>=', ($good =~ /before (\d+) us/)[0], 'a file of one line is read');
is(-s $mark, 2 * $slot, 'and replaced by one of two slots');

# The later of two marks counts, whichever slot it is in.
my ($first, $second) = map { substr($both, $_ * $slot, $slot) } 0, 1;
my $later = $good . "\0" x ($slot - length($good));
foreach my $content ($later . $second, $first . $later)
{
	$node->stop('immediate');
	put($content);
	start();
	($low) = id_times();
	cmp_ok($low * 1e6, '>=', ($good =~ /before (\d+) us/)[0], 'the later of two marks counts');
}

# One slot damaged, as by a write that was cut short: the other one counts.  As the damaged one may
# have been the later, ids start as far ahead as after a promotion, which is two seconds.
foreach my $damage ("\0" x $slot, 'x' x 20, "idtypes 1: ids before 99", substr($first, 0, 60))
{
	my $damaged = substr($damage . "\0" x $slot, 0, $slot);

	foreach my $content ($damaged . $second, $first . $damaged)
	{
		# a second slot of zeros has not been used yet
		next if $content =~ /\0{4096}$/;
		$node->stop('immediate');
		put($content);
		start();
		$before = now();
		($low) = id_times();
		cmp_ok($low, '>=', $before + 2, 'a damaged slot: ids start ahead');
		cmp_ok($low, '<=', now() + 2.002, 'by no more than that');
	}
}

# Damaged in each way.  Not intact is also one that lost its last byte, that has one too many, or
# one with another time than its checksum's.
my $len = length($good);
my %damaged = (
	'empty' => '',
	'torn' => substr($good, 0, $len / 2),
	'torn in the checksum' => substr($good, 0, $len - 4),
	'without end of line' => substr($good, 0, $len - 1),
	'too long' => $good . 'x',
	'longer than a file ever is' => $both . 'x',
	'garbage' => join('', map { chr(($_ * 7919) % 256) } 1 .. 200),
	'zeros' => "\0" x $len,
	'two slots of zeros' => "\0" x (2 * $slot),
	'both slots torn' => substr($first, 0, 50) . ("\0" x ($slot - 50)) . substr($first, 0, 60),
	'of another time' => $good =~ s/before (\d{15})(\d)/'before ' . $1 . ($2 + 1) % 10/er,
	'of another version' => $good =~ s/^idtypes 1/idtypes 2/r);
foreach my $kind (sort keys %damaged)
{
	$node->stop('immediate');
	put($damaged{$kind});
	start();
	all_refuse($kind, qr/ERROR:  file "idtypes\.mark" in the data directory is damaged/);
	is(slurp_file($mark), $damaged{$kind}, "$kind: and leave it as it is");
}

# Mended, the same server goes on
unlink($mark);
append_to_file($mark, $good);
$node->safe_psql('postgres', $one_of_each);
($low) = id_times();
cmp_ok($low * 1e6, '>=', ($good =~ /before (\d+) us/)[0],
	'the mark from before takes effect without a restart');

# No file at all, and yet not as on a new cluster
my $no_file = '"idtypes.mark" in the data directory is not a regular file';
my %no_file = (
	'a directory' => [ sub { mkdir($_[0]) }, sub { rmdir($_[0]) } ],
	'a named pipe' => [ sub { mkfifo($_[0], 0600) }, sub { unlink($_[0]) } ],
	'a link that leads nowhere' =>
	  [ sub { symlink("$_[0].elsewhere", $_[0]) }, sub { unlink($_[0]) } ]);
foreach my $kind (sort keys %no_file)
{
	my ($make, $remove) = @{ $no_file{$kind} };

	$node->stop('immediate');
	unlink($mark);
	$make->($mark) or die "could not make $kind: $!";
	start();
	all_refuse($kind, qr/ERROR:  \Q$no_file\E/);
	$remove->($mark) or die "could not remove $kind: $!";
	$node->safe_psql('postgres', $one_of_each);
}

# Nor does anything else of the name of the file that is made first disturb that.
foreach my $kind ('a named pipe', 'a link that leads nowhere')
{
	$node->stop('immediate');
	unlink($mark);
	$no_file{$kind}[0]->("$mark.new") or die "could not make $kind: $!";
	start();
	is( $node->psql(
			'postgres', $one_of_each, timeout => $PostgreSQL::Test::Utils::timeout_default),
		0, "beside $kind: the mark is made");
	ok(-f $mark && !-l $mark && !-l "$mark.new", "beside $kind: as a file");
}

# A data directory that became read-only after the start: there a file cannot be made, as at the
# first id, but one can be written over.
$node->stop('immediate');
start();
chmod(0500, $node->data_dir);
all_refuse('a read-only folder', qr/ERROR:  could not create file "idtypes\.mark\.new": /);
chmod(0700, $node->data_dir);
$node->safe_psql('postgres', $one_of_each);
chmod(0500, $node->data_dir);
my $written = slurp_file($mark);
until (slurp_file($mark) ne $written)
{
	advance_clock($clock, 0.5);
	last if $node->psql('postgres', $one_of_each) != 0;
}
isnt(slurp_file($mark), $written, 'a read-only folder: the mark moves on');
chmod(0700, $node->data_dir);

# Cannot be written: nobody may open it, it is no file any more, or the disk fails.  What is already
# reserved may still be handed out, but nothing beyond it; and it goes on once it can.
$node->stop('immediate');
unlink($mark);
$node->append_conf('postgresql.conf', 'fsync = on');
start();
$node->safe_psql('postgres', $one_of_each);
my $content;
my %obstacle = (
	'could not open file "idtypes.mark": Permission denied' =>
	  [ sub { chmod(0400, $mark) }, sub { chmod(0600, $mark) } ],
	$no_file => [
		sub { $content = slurp_file($mark); unlink($mark) && mkfifo($mark, 0600) },
		sub { put($content) }
	],
	'could not fdatasync file "idtypes.mark": Input/output error' =>
	  [ sub { set_disk($clock, error => 5) }, sub { set_disk($clock, error => 0) } ]);
foreach my $message (sort keys %obstacle)
{
	my ($status, $highest, $stderr) = (0, 0, '');
	my $reserved = reserved();

	stop_clock($clock);
	$obstacle{$message}[0]->();
	foreach (1 .. 100)
	{
		my $stdout = '';

		$status = $node->psql(
			'postgres', 'SELECT extract(epoch FROM tid64_timestamp(tid64_generate()))',
			stdout => \$stdout,
			stderr => \$stderr);
		last if $status != 0;
		$highest = $stdout;
		advance_clock($clock, 0.1);
	}
	isnt($status, 0, "$message: generation stops");
	like($stderr, qr/ERROR:  \Q$message\E/, "$message: and says why");
	cmp_ok($highest * 1e6, '<', $reserved, "$message: nothing beyond the mark");
	$obstacle{$message}[1]->();
	$node->safe_psql('postgres', 'SELECT tid64_generate()');
	cmp_ok(reserved(), '>', $reserved, "$message: who comes next tries again, and can");
	start_clock($clock);
	is($node->psql('postgres', $one_of_each), 0, "$message: goes on once it can");
}

# Removed while the server runs: it is made again.
unlink($mark);
advance_clock($clock, 2);
$node->safe_psql('postgres', $one_of_each);
ok(-e $mark, 'a mark that was removed is made again');

# The disk fails when a restart of the generators has put a new file in its place, so that it is not
# known which one is there after a crash.  Until the next mark is durable the one before stays, and
# the file is made again.
stop_clock($clock);
do
{
	advance_clock($clock, 5);
	$node->safe_psql('postgres', $one_of_each);
	$content = slurp_file($mark);
} until $content =~ /before (\d+) us.*before (\d+) us/s && $2 > $1;
set_disk($clock, spared => 3);
set_disk($clock, error => 5);
my $stderr = '';
$node->psql('postgres', 'SELECT * FROM idtypes_restart_generators()', stderr => \$stderr);
set_disk($clock, error => 0);
like($stderr, qr/could not fsync file "idtypes\.mark": Input/, 'a new file that may not last');
like(slurp_file($mark), qr/^$line\0+$/, 'it is in its place');
my $reserved = reserved();
my $inode = (stat($mark))[1];
set_disk($clock, hold => 10**12);
advance_clock($clock, 5);
my $writer = session($node);
$writer->query_until(qr/writes/, "\\echo writes\n$one_of_each;\n");
ok(wait_for(sub { disk($clock, 'held') > 0 }), 'the next mark is being written');
like(slurp_file($mark), qr/ $reserved us/, 'the one before stays until it is durable');
set_disk($clock, hold => 0);
$writer->query('');
$writer->quit;
cmp_ok(reserved(), '>', $reserved, 'then the next one counts');
isnt((stat($mark))[1], $inode, 'in a file made anew');
start_clock($clock);

# A disk that takes half a second for a sync.  011_neighbours.pl tests that this delays nobody but
# who writes the mark; here it is only noted, as a busy machine has delays of its own.
create_id_tables($node, 'postgres');
my $waits = 'SELECT sum(mark_waits) FROM idtypes_generators()';
my $waited = $node->safe_psql('postgres', $waits);
my $synced = disk($clock, 'synced');
set_disk($clock, hold => 500_000);
my $load = start_load($node, 'postgres', clients => 4, rate => 200);
ok(wait_until($node, "SELECT sum(generated) > 50000 FROM idtypes_generators()"), 'a slow disk');
ok(stop_load($load), 'a slow disk: no client failed');
set_disk($clock, hold => 0);
note(sprintf('a slow disk: %d syncs, %d calls waited for the mark, longest call %.1f ms',
		disk($clock, 'synced') - $synced,
		$node->safe_psql('postgres', $waits) - $waited,
		longest_call($load) * 1000));
drop_id_tables($node, 'postgres');

# How often it is written: about once a second of the clock, whoever generates.
create_id_tables($node, 'postgres');
stop_clock($clock);
$load = start_load($node, 'postgres', clients => 4, ids => 200);
my $steps = $stress ? 1000 : 100;
$synced = disk($clock, 'synced');
foreach (1 .. $steps)
{
	advance_clock($clock, 0.1);
	wait_until($node, q{SELECT count(*) > 0 FROM idtypes_generators()
			WHERE last_time BETWEEN clock_timestamp() - interval '50 ms' AND clock_timestamp()})
	  or die 'the load came to a halt';
}
start_clock($clock);
ok(stop_load($load), 'no client failed');
check_ids($node, 'postgres', 'full speed');
my $writes = disk($clock, 'synced') - $synced;
note("$writes writes of the mark in " . $steps / 10 . ' s');
cmp_ok($writes, '>=', $steps / 10 / 2, 'the mark is kept ahead');
# ahead of the clock, where tid64 may be at full speed, it is two
cmp_ok($writes, '<=', $steps / 10 * 2 + 2, 'at most one or two writes a second');

$node->stop;
done_testing();
