# The durable mark, idtypes.mark in the data directory: what happens when it is missing, damaged,
# old, or cannot be written, and how often it is.

use t::IdTypesTest;
use POSIX qw(mkfifo);

my $clock = new_clock();
my $node = new_node('main', clock => $clock);
my $mark = $node->data_dir . '/idtypes.mark';
my $day = 86400;
my $slot = 4096;

# Up to when ids may be handed out, in microseconds: the later mark of the two.
sub reserved { return max(slurp_file($mark) =~ /before (\d+) us/g) }

# Starts the server anew after a crash, with a mark of that content or else the one it has.
sub crash_and_start($content = undef)
{
	$node->stop('immediate');
	put($content) if defined $content;
	$node->start;
}

sub put($content)
{
	unlink($mark);
	append_to_file($mark, $content);
}

# The times of new ids of all generators: the least and the greatest.
sub least_and_greatest
{
	my @times = values %{ id_times($node) };

	return (min(@times), max(@times));
}

# Missing, as on a new cluster
ok(!-e $mark, 'no mark before the first id');
my $status = 'SELECT mark, mark_written, mark_timeline FROM idtypes_status()';
is($node->sql($status), '||', 'nor in idtypes_status()');
$node->sql($one_of_each);
ok(-e $mark, 'a mark after it');
my $line = qr/idtypes 1: ids before \d{16} us, timeline 1, crc [0-9a-f]{8}\n/;
like(slurp_file($mark), qr/^$line\0+$/, 'it is a line of text, and room for another');
is($node->sql('SELECT (extract(epoch FROM mark) * 1000000)::bigint FROM idtypes_status()'),
	slurp_file($mark) =~ /before (\d+) us/ ? $1 : undef, 'with the instant that the server shows');
is(-s $mark, 2 * $slot, 'each in a block of its own');
ok(!-e "$mark.new", 'and no other file is left');

# It holds where the clock does not
set_clock($clock, "+$day");
my (undef, $high) = least_and_greatest();
set_clock($clock, '+0');
crash_and_start();
my $position = -s $node->logfile;
my ($low) = least_and_greatest();
cmp_ok($low, '>', $high, 'ids start behind the mark');
cmp_ok($low, '<', $high + 5, 'but not far behind');
my ($ahead) = slurp_file($node->logfile, $position) =~
  /identifier generators start (\d+\.\d{3}) s ahead of the system clock/;
cmp_ok($ahead, '<=', $day + 3, 'the log says that they are ahead');
cmp_ok($ahead, '>', $day - 3600, 'and by how much');

# Removed: ids start at the clock
my ($good) = slurp_file($mark) =~ /^($line)/;
$node->stop('fast');
unlink($mark);
$node->start;
my $before = $node->seconds;
($low, $high) = least_and_greatest();
# the time of an id is that of the beginning of its tick
my $longest_tick = longest_tick($node);
cmp_ok($low, '>=', $before - $longest_tick, 'without the mark ids start at the clock');
cmp_ok($high, '<=', $node->seconds, 'and not ahead of it');

# Who looks while the first mark is written sees when, or nothing.
$node->restart;
my $opener = session($node);
set_fake($clock, hold => 10**12);
$opener->send($one_of_each);
ok(wait_for_sync($clock), 'the first mark is being written');
set_fake($clock, reader => $opener->{pid});
set_fake($clock, hold => 0);
ok(wait_for(sub { fake($clock, 'reader') < 0 }), 'the first mark is in the file');
is( $node->sql(q{SELECT coalesce(mark_written, 'infinity') > clock_timestamp() - interval '1 h'
			FROM idtypes_status()}),
	't', 'and idtypes_status() does not say that it is old');
set_fake($clock, reader => 0);
$opener->query('');
$opener->quit;

# From an old backup: an intact mark of the past does no harm
my $old = slurp_file($mark);
sleep(2.5);
(undef, $high) = least_and_greatest();
isnt(slurp_file($mark), $old, 'the mark is renewed');
$node->stop('fast');
put($old);
# what follows is of a later tick
sleep($longest_tick);
$node->start;
($low) = least_and_greatest();
cmp_ok($low, '>', $high, 'an old mark does not set the clock back');

# Both slots in use
stop_clock($clock);
foreach (1 .. 3)
{
	my $reserved = reserved();

	advance_clock($clock, 5);
	$node->sql($one_of_each);
	cmp_ok(reserved(), '>', $reserved, 'the mark is renewed');
	is( $node->sql('SELECT mark_written = clock_timestamp() FROM idtypes_status()'),
		't', 'idtypes_status() says when');
	like(slurp_file($mark), qr/ $reserved us/, 'over the older slot: the one before stays');
}
start_clock($clock);
my $both = slurp_file($mark);
like($both, qr/^$line\0+$line\0+$/, 'in two slots');

my ($good_until) = map { $_ / 1e6 } $good =~ /before (\d+) us/;

# The later of two marks counts, whichever slot it is in.
my ($first, $second) = map { substr($both, $_ * $slot, $slot) } 0, 1;
my $later = $good . "\0" x ($slot - length($good));
foreach my $content ($later . $second, $first . $later)
{
	crash_and_start($content);
	($low) = least_and_greatest();
	cmp_ok($low, '>=', $good_until, 'the later of two marks counts');
}

# One slot damaged, as by a write that was cut short, or gone, as from a copy that was: the other
# one counts.  As the damaged one may have been the later, ids start as far ahead as after a
# promotion, which is two seconds.
my %one_slot = map { ("$_ bytes" => substr($first . "\0" x $slot, 0, $_)) }
  (index($first, "\n") + 1, $slot, 2 * $slot - 1);
foreach my $damage ("\0" x $slot, 'x' x 20, "idtypes 1: ids before 99", substr($first, 0, 60))
{
	my $damaged = substr($damage . "\0" x $slot, 0, $slot);

	$one_slot{"$damage, then a mark"} = $damaged . $second;
	# a second slot of zeros has not been used yet
	$one_slot{"a mark, then $damage"} = $first . $damaged unless $damaged =~ /^\0/;
}
foreach my $which (sort keys %one_slot)
{
	crash_and_start($one_slot{$which});
	$before = $node->seconds;
	($low) = least_and_greatest();
	$which =~ s/\0+/zeros/;
	cmp_ok($low, '>=', $before + 2, "$which: ids start ahead");
	cmp_ok($low, '<=', $node->seconds + 2.002, 'by no more than that');
	is(-s $mark, 2 * $slot, 'and the file is whole');
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
crash_and_start($damaged{garbage});
all_refuse($node, 'garbage',
	qr/HINT:  Remove the file when the system clock is 4 seconds past the largest time/);
$before = $node->seconds;
unlink($mark);
($low, $high) = least_and_greatest();
cmp_ok($low, '>=', $before - $longest_tick, 'removed while the server runs: ids start');
cmp_ok($high, '<=', $node->seconds, 'at the clock');
# a server that has not begun reads the mark anew each time
crash_and_start();
foreach my $kind (sort keys %damaged)
{
	put($damaged{$kind});
	all_refuse($node, $kind, qr/ERROR:  file "idtypes\.mark" in the data directory is damaged/);
	is(slurp_file($mark), $damaged{$kind}, "$kind: and leave it as it is");
}

# Mended, the same server goes on
put($good);
$node->sql($one_of_each);
($low) = least_and_greatest();
cmp_ok($low, '>=', $good_until,
	'the mark from before takes effect without a restart');

# A session that a program in an untrusted language has taken elsewhere has the same mark.
$node->sql("CREATE FUNCTION change_directory(text) RETURNS void
	AS '" . build_library('functions') . "' LANGUAGE c STRICT");
my $elsewhere = PostgreSQL::Test::Utils::tempdir();
my $generate_there = "SELECT count(tid64_generate())
	FROM (SELECT change_directory('$elsewhere') OFFSET 0) s";
foreach my $how ('reads', 'moves', 'makes')
{
	crash_and_start($first);
	$node->sql($one_of_each) if $how ne 'reads';
	advance_clock($clock, 60);
	unlink($mark) if $how eq 'makes';
	my $until = $how eq 'moves' ? reserved() : 0;

	is($node->sql($generate_there), 1, "elsewhere: a session $how the mark");
	cmp_ok(reserved(), '>', $until, "elsewhere: where it is");
	is(join(' ', glob("$elsewhere/*")), '', "elsewhere: and nothing there");
}

# No file at all, and yet not as on a new cluster
my $no_file = '"idtypes.mark" in the data directory is not a regular file';
my %no_file = (
	'a directory' => [ sub { mkdir($_[0]) }, sub { rmdir($_[0]) } ],
	'a named pipe' => [ sub { mkfifo($_[0], 0600) }, sub { unlink($_[0]) } ],
	'a link that leads nowhere' =>
	  [ sub { symlink("$_[0].elsewhere", $_[0]) }, sub { unlink($_[0]) } ]);
crash_and_start();
unlink($mark);
foreach my $kind (sort keys %no_file)
{
	my ($make, $remove) = @{ $no_file{$kind} };

	$make->($mark) or die "could not make $kind: $!";
	all_refuse($node, $kind, qr/ERROR:  \Q$no_file\E/);
	$remove->($mark) or die "could not remove $kind: $!";
}
$node->sql($one_of_each);

# Nor does anything else of the name of the file that is made first disturb that.
foreach my $kind ('a named pipe', 'a link that leads nowhere')
{
	$node->stop('immediate');
	unlink($mark);
	$no_file{$kind}[0]->("$mark.new") or die "could not make $kind: $!";
	$node->start;
	is($node->error_of($one_of_each), '', "beside $kind: the mark is made");
	ok(-f $mark && !-l $mark && !-l "$mark.new", "beside $kind: as a file");
}

# A data directory that became read-only after the start: there a file cannot be made, as at the
# first id, but one can be written over.
crash_and_start();
chmod(0500, $node->data_dir);
all_refuse($node, 'a read-only folder', qr/ERROR:  could not create file "idtypes\.mark\.new": /);
chmod(0700, $node->data_dir);
$node->sql($one_of_each);
chmod(0500, $node->data_dir);
my $written = slurp_file($mark);
until (slurp_file($mark) ne $written)
{
	advance_clock($clock, 0.5);
	last if $node->error_of($one_of_each) ne '';
}
isnt(slurp_file($mark), $written, 'a read-only folder: the mark is renewed');
chmod(0700, $node->data_dir);

# The mark cannot be written: the server may not open it, it is no file any more, or the disk fails.
# The server hands out what it has reserved, but nothing beyond; it goes on once it can write.
$node->stop('immediate');
unlink($mark);
$node->append_conf('postgresql.conf', 'fsync = on');
$node->start;
$node->sql($one_of_each);
my $content;
my %obstacle = (
	'could not open file "idtypes.mark": Permission denied' =>
	  [ sub { chmod(0400, $mark) }, sub { chmod(0600, $mark) } ],
	$no_file => [
		sub { $content = slurp_file($mark); unlink($mark) && mkfifo($mark, 0600) },
		sub { put($content) }
	],
	'could not fdatasync file "idtypes.mark": Input/output error' =>
	  [ sub { set_fake($clock, error => 5) }, sub { set_fake($clock, error => 0) } ]);
foreach my $message (sort keys %obstacle)
{
	my $session = session($node);
	my $highest = 0;
	my $reserved = reserved();

	stop_clock($clock);
	$obstacle{$message}[0]->();
	foreach (1 .. 100)
	{
		my $id_time =
		  $session->query('SELECT extract(epoch FROM tid64_timestamp(tid64_generate()))');

		last if $session->{stderr} ne '';
		$highest = $id_time;
		advance_clock($clock, 0.1);
	}
	like($session->{stderr}, qr/ERROR:  \Q$message\E/, "$message: generation stops, and says why");
	$session->quit;
	cmp_ok($highest * 1e6, '<', $reserved, "$message: nothing beyond the mark");
	$obstacle{$message}[1]->();
	$node->sql('SELECT tid64_generate()');
	cmp_ok(reserved(), '>', $reserved, "$message: who comes next tries again, and can");
	start_clock($clock);
	is($node->error_of($one_of_each), '', "$message: goes on once it can");
}

# Removed while the server runs: it is made again.
unlink($mark);
advance_clock($clock, 2);
$node->sql($one_of_each);
ok(-e $mark, 'a mark that was removed is made again');

# Another program has made it longer, or shorter: the next write makes it whole.
foreach my $size (2 * $slot + 1, 5 * $slot, $slot, 1)
{
	truncate($mark, $size) or die $!;
	advance_clock($clock, 2);
	$node->sql($one_of_each);
	is(-s $mark, 2 * $slot, "a mark of $size bytes is made whole by the next write");
	my (undef, $highest) = least_and_greatest();
	crash_and_start();
	($low) = least_and_greatest();
	cmp_ok($low, '>', $highest, 'and the next start goes on from there');
}

# The path to the data directory leads elsewhere, as by a link that was switched: to a directory of
# no server, of another one, or of one that has stopped.  Nothing is read or written there.
{
	my $data = $node->data_dir;
	my $other = t::Cluster->new('other');
	my $lock = slurp_file("$data/postmaster.pid");

	$other->init;
	rename($data, "$data.own") or die $!;
	symlink("$data.own", $data) or die $!;
	advance_clock($clock, 2);
	is($node->error_of($one_of_each), '', 'a link to the data directory does no harm');
	foreach my $pid (undef, 1, $lock =~ /^\d(\d+)/, "-$lock")
	{
		my $label = 'a link to a directory of ' . (defined $pid ? 'another server' : 'none');
		my $session = session($node);

		unlink($data);
		symlink($other->data_dir, $data) or die $!;
		append_to_file("$data/postmaster.pid", $pid) if defined $pid;
		advance_clock($clock, 5);
		like($session->error_of($_),
			qr/ERROR:  the data directory is no longer .*HINT:  .* a link .* switch it back/s,
			"$label: an error, and what to do")
		  foreach $one_of_each, 'SELECT * FROM idtypes_restart_generators()';
		$session->quit;
		is(join(' ', glob("$data/idtypes.mark*")), '', "$label: nothing is written there");
		unlink("$data/postmaster.pid");
	}
	unlink($data);
	rename("$data.own", $data) or die $!;
	is($node->error_of($one_of_each), '', 'a link switched back: generation goes on');
}

# A mark that cannot be read
$position = -s $node->logfile;
$node->restart;
chmod(0, $mark) or die $!;
my $stderr = $node->error_of($one_of_each);
chmod(0600, $mark) or die $!;
like($stderr, qr/ERROR:  could not open file "idtypes\.mark": Permission denied/,
	'unreadable: an error');
unlike($stderr, qr/\Q$mark\E/, 'unreadable: a client sees no path');
like(slurp_file($node->logfile, $position), qr/DETAIL:  The path is "\Q$mark\E"/,
	'unreadable: which is in the log');

# The disk fails when a restart of the generators has put a new file in its place, so that it is not
# known which one is there after a crash.  Until the next mark is durable the one before stays, and
# the file is made again.
stop_clock($clock);
do
{
	advance_clock($clock, 5);
	$node->sql($one_of_each);
	$content = slurp_file($mark);
} until $content =~ /before (\d+) us.*before (\d+) us/s && $2 > $1;
set_fake($clock, spared => 2);
set_fake($clock, error => 5);
like($node->error_of('SELECT * FROM idtypes_restart_generators()'),
	qr/could not fsync file "idtypes\.mark": Input/, 'a new file that may not last');
set_fake($clock, error => 0);
like(slurp_file($mark), qr/^$line\0+$/, 'it is in its place');
my $reserved = reserved();
my $inode = (stat($mark))[1];
set_fake($clock, hold => 10**12);
advance_clock($clock, 5);
my $writer = session($node);
$writer->send($one_of_each);
ok(wait_for_sync($clock), 'the next mark is being written');
like(slurp_file($mark), qr/ $reserved us/, 'the one before stays until it is durable');
set_fake($clock, hold => 0);
$writer->query('');
$writer->quit;
cmp_ok(reserved(), '>', $reserved, 'then the next one counts');
isnt((stat($mark))[1], $inode, 'in a file made anew');
start_clock($clock);

# How often the mark is written: about once a second of the clock, however many sessions generate.
create_id_tables($node);
stop_clock($clock);
my $load = start_load($node, clients => 4, ids => 200);
my $steps = $stress ? 1000 : 100;
my $observer = session($node);
my $follows = q{SELECT count(*) > 0 FROM idtypes_generators()
	WHERE last_time BETWEEN clock_timestamp() - interval '50 ms' AND clock_timestamp()};
my $synced = fake($clock, 'synced');
foreach (1 .. $steps)
{
	advance_clock($clock, 0.1);
	wait_for(sub { $observer->query($follows) eq 't' }, 0.005) or die 'the load came to a halt';
}
$observer->quit;
start_clock($clock);
ok(stop_load($load), 'no client failed');
check_ids($node, 'full speed');
my $writes = fake($clock, 'synced') - $synced;
note("$writes writes of the mark in " . $steps / 10 . ' s');
cmp_ok($writes, '>=', $steps / 10 / 2, 'the mark is kept ahead');
# ahead of the clock, where tid64 may be at full speed, it is two
cmp_ok($writes, '<=', $steps / 10 * 2 + 2, 'at most one or two writes a second');

$node->stop;
done_testing();
