# The durable mark, idtypes.mark in the data directory: what happens when it is missing, damaged,
# old, or cannot be written, and how often it is.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use IdTypesTest;
use IPC::Run;
use List::Util qw(max);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep time);

my $clock = PostgreSQL::Test::Utils::tempdir() . '/clock';
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
like(
	log_since($node, $position),
	qr/identifier generators start 8640[0-9]\.\d{3} s ahead of the system clock/,
	'the log says that they are ahead');

# Removed, which the hint of the damaged file allows: ids start at the clock
my $good = slurp_file($mark);
$node->stop('fast');
unlink($mark);
start();
(undef, $high) = id_times();
cmp_ok(abs($high - now()), '<', 5, 'without the mark ids start at the clock');

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
cmp_ok($low, '>', now() + $day - 60, 'the mark from before takes effect without a restart');

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
	my ($failed, $highest, $stderr) = (0, 0, '');

	$obstacle{$message}->("$mark.new") or die "could not make $mark.new: $!";
	foreach (1 .. 100)
	{
		my $stdout = '';

		if ($node->psql(
				'postgres', 'SELECT extract(epoch FROM tid64_timestamp(tid64_generate()))',
				stdout => \$stdout,
				stderr => \$stderr) != 0)
		{
			last if ++$failed == 3;
		}
		else
		{
			$highest = $stdout;
		}
		sleep(0.1);
	}
	is($failed, 3, "$message: generation stops");
	like($stderr, qr/ERROR:  \Q$message\E/, "$message: and says why");
	my ($reserved) = slurp_file($mark) =~ /before (\d+) us/;
	cmp_ok($highest, '>', 0, "$message: not before it must");
	cmp_ok($highest * 1e6, '<', $reserved, "$message: nothing beyond the mark");
	-d "$mark.new" ? rmdir("$mark.new") : unlink("$mark.new");
	is($node->psql('postgres', $one_of_each), 0, "$message: goes on once it can");
}

# While one session writes the mark, the others go on with what is reserved.  A pipe that nobody
# reads holds up the session that opens it: a slow disk, for as long as the test likes.
my $writer = $node->background_psql('postgres');
my $other = $node->background_psql('postgres');
my $generate_for = sub {
	my ($duration) = @_;

	return qq{DO \$\$ DECLARE until timestamptz := clock_timestamp() + interval '$duration s'; BEGIN
		WHILE clock_timestamp() < until LOOP PERFORM uid11_generate(); END LOOP; END \$\$;\n};
};
my $written;

$writer->query_safe('SELECT uid11_generate()');
# once the mark has just been written
do
{
	$other->query_safe($generate_for->(0.3));
	$written = (Time::HiRes::stat($mark))[9];
} until (time() < $written + 0.5);
PostgreSQL::Test::Utils::system_or_bail('mkfifo', "$mark.new");
my ($reserved) = slurp_file($mark) =~ /before (\d+) us/;
my $reader = IPC::Run::start([ 'sh', '-c', 'sleep 4; exec cat "$0"', "$mark.new" ], '>', \my $line);
$writer->query_until(qr/begins/,
	"\\echo begins\n" . $generate_for->($reserved / 1e6 - time()) . "\\echo released\n");
# at the last moment, when it is certainly time to write the next one
sleep(max(0, $reserved / 1e6 - 0.3 - time()));
my $asked = time();
$other->query_safe($one_of_each) foreach 1 .. 5;
my $took = time() - $asked;
cmp_ok($took, '<', 1, 'while one session writes the mark, another is served');
note(sprintf('served %.3f s before the end of what is reserved, in %.3f s',
		$reserved / 1e6 - $asked, $took));
$writer->query_until(qr/released/, "\n");
IPC::Run::finish($reader);
like($line, qr/^idtypes 1: /, 'the mark went into the pipe');
$_->quit foreach $writer, $other;
$node->safe_psql('postgres', $one_of_each);

# How often it is written: once a second, however many ids there are, and while one session does it
# the others go on.
create_id_tables($node, 'postgres');
unlink($mark);
$node->stop('immediate');
start();
my $seconds = $stress ? 30 : 5;
my $load = start_load($node, 'postgres', clients => 4, seconds => $seconds, ids => 200);
my ($writes, $last) = (0, '');
my $began = time();
while (time() < $began + $seconds - 0.5)
{
	# each is a new file, renamed into place
	my ($inode, $mtime) = (Time::HiRes::stat($mark))[ 1, 9 ];

	if (defined $inode && "$inode $mtime" ne $last)
	{
		$last = "$inode $mtime";
		$writes++;
	}
	sleep(0.002);
}
ok(stop_load($load), 'no client failed');
my $ids = check_ids($node, 'postgres', 'full speed');
note(sprintf('%d writes of the mark in %d s; longest call %.1f ms', $writes, $seconds,
		longest_call($load) * 1000));
cmp_ok($writes, '>=', $seconds / 2 - 1, 'the mark is kept ahead');
cmp_ok($writes, '<=', $seconds + 2, 'at most about one write a second');

$node->stop;
done_testing();
