# The durable mark, idtypes.mark in the data directory: what happens when it is missing, damaged,
# old, or cannot be written, and how often it is.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use IdTypesTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

my $clock = new_clock();
my $node = new_node('main', clock => $clock);
my $mark = $node->data_dir . '/idtypes.mark';
my $day = 86400;

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

# Up to when ids may be handed out, in microseconds.
sub reserved { return (slurp_file($mark) =~ /before (\d+) us/)[0] }

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
			stderr => \$stderr);

		isnt($status, 0, "$label: $generator->{name} refuses");
		like($stderr, $pattern, "$label: $generator->{name} says why");
	}
	is($node->safe_psql('postgres', 'SELECT 1'), 1, "$label: the server lives");
	return;
}

# Missing, as on a new cluster
ok(!-e $mark, 'no mark before the first id');
$node->safe_psql('postgres', $one_of_each);
ok(-e $mark, 'a mark after it');
like(slurp_file($mark), qr/^idtypes 1: ids before \d{16} us, timeline 1, crc [0-9a-f]{8}\n$/,
	'it is a line of text');
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
my $good = slurp_file($mark);
$node->stop('fast');
unlink($mark);
start();
my $before = now();
($low, $high) = id_times();
# a tick of xid, whose time is cut to a millisecond
cmp_ok($low, '>=', $before - 0.001, 'without the mark ids start at the clock');
cmp_ok($high, '<=', now(), 'and not ahead of it');

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

# Damaged in each way.  Not intact is also one that lost its last byte, that has one too many, or
# one with another time than its checksum's.
my $len = length($good);
my %damaged = (
	'empty' => '',
	'torn' => substr($good, 0, $len / 2),
	'torn in the checksum' => substr($good, 0, $len - 4),
	'without end of line' => substr($good, 0, $len - 1),
	'too long' => $good . 'x',
	'garbage' => join('', map { chr(($_ * 7919) % 256) } 1 .. 200),
	'zeros' => "\0" x $len,
	'of another time' => $good =~ s/before (\d{15})(\d)/'before ' . $1 . ($2 + 1) % 10/er,
	'of another version' => $good =~ s/^idtypes 1/idtypes 2/r);
foreach my $kind (sort keys %damaged)
{
	$node->stop('immediate');
	unlink($mark);
	append_to_file($mark, $damaged{$kind});
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

# Unreadable
$node->stop('immediate');
unlink($mark);
mkdir($mark);
start();
all_refuse('a directory', qr/ERROR:  could not (read|open) file "idtypes\.mark": /);
rmdir($mark);
$node->safe_psql('postgres', $one_of_each);

# Cannot be written, or not completely: /dev/full is a disk that is.  What is already reserved may
# still be handed out, but nothing beyond it.
my %obstacle = (
	'could not create file "idtypes.mark.new": Is a directory' => sub { mkdir($_[0]) },
	'could not write file "idtypes.mark.new": No space left on device' =>
	  sub { symlink('/dev/full', $_[0]) });
foreach my $message (sort keys %obstacle)
{
	my ($status, $highest, $stderr) = (0, 0, '');

	stop_clock($clock);
	$obstacle{$message}->("$mark.new") or die "could not make $mark.new: $!";
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
	cmp_ok($highest, '>', 0, "$message: not before it must");
	cmp_ok($highest * 1e6, '<', reserved(), "$message: nothing beyond the mark");
	-d "$mark.new" ? rmdir("$mark.new") : unlink("$mark.new");
	is($node->psql('postgres', $one_of_each), 0, "$message: goes on once it can");
	start_clock($clock);
}

# While one session writes the mark, the others go on with what is reserved.  A pipe that nobody
# reads holds up the session that opens it: a slow disk, for as long as the test likes.
my $writer = session($node);
my $other = session($node);

$writer->query_safe('SELECT uid11_generate()');
stop_clock($clock);
PostgreSQL::Test::Utils::system_or_bail('mkfifo', "$mark.new");
# at the last moment, when it is certainly time to write the next one
advance_clock($clock, reserved() / 1e6 - 0.3 - now());
$writer->query_until(qr/begins/, "\\echo begins\nSELECT uid11_generate();\n");
ok( $node->poll_query_until(
		'postgres', q{SELECT count(*) = 1 FROM pg_stat_activity
			WHERE state = 'active' AND query = 'SELECT uid11_generate();'}),
	'one session writes the mark');
is($other->query("$one_of_each \\g (format=unaligned fieldsep=' ')") =~ tr/ //, $#generators,
	'another is served') foreach 1 .. 5;
is( $node->safe_psql(
		'postgres', q{SELECT count(*) FROM pg_stat_activity
			WHERE state = 'active' AND query = 'SELECT uid11_generate();'}),
	1,
	'while the first still writes');
like(slurp_file("$mark.new"), qr/^idtypes 1: /, 'the mark goes into the pipe');
like($writer->query(''), qr/^\w{11}$/, 'and the first session on');
$_->quit foreach $writer, $other;
unlink($mark);

# How often it is written: about once a second and a half of the clock, whoever generates.
create_id_tables($node, 'postgres');
my $load = start_load($node, 'postgres', clients => 4, ids => 200);
my ($steps, $writes, $last) = ($stress ? 1000 : 100, 0, '');
foreach (1 .. $steps)
{
	advance_clock($clock, 0.1);
	wait_until($node, q{SELECT count(*) > 0 FROM idtypes_generators()
			WHERE last_time BETWEEN clock_timestamp() - interval '50 ms' AND clock_timestamp()})
	  or die 'the load came to a halt';

	# each is a new file, renamed into place
	my ($inode, $mtime) = (Time::HiRes::stat($mark))[ 1, 9 ];

	$writes++ if "$inode $mtime" ne $last;
	$last = "$inode $mtime";
}
start_clock($clock);
ok(stop_load($load), 'no client failed');
check_ids($node, 'postgres', 'full speed');
note("$writes writes of the mark in " . $steps / 10 . ' s');
cmp_ok($writes, '>=', $steps / 10 / 2, 'the mark is kept ahead');
cmp_ok($writes, '<=', $steps / 10 + 2, 'at most about one write a second');

$node->stop;
done_testing();
