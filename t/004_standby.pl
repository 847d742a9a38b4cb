# A primary dies while clients generate, and its standby takes over: nothing is handed out twice,
# with the standby's clock almost a second behind and the primary's generators ahead of theirs.

use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;

use IdTypesTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

my $rounds = $stress ? 10 : 1;
my $total = 0;

# What tid64 and snowish hand out when they are asked for as much as they have: that leads the clock
# by up to a second.  The greatest comes last.
sub greatest
{
	my ($node, $rows) = @_;

	return $node->safe_psql(
		'postgres', "SELECT max(tid64_generate()), max(uid11_generate('snowish'))
			FROM generate_series(1, $rows)");
}

sub promotion
{
	my ($round) = @_;
	my $clock = new_clock();
	my $primary = new_node("primary$round", init => { allows_streaming => 1 });
	my $standby = PostgreSQL::Test::Cluster->new("standby$round");

	create_id_tables($primary, 'postgres');

	# so that there is a mark to be copied
	$primary->safe_psql('postgres', "SELECT $_->{call} FROM generate_series(1, 2) g")
	  foreach @generators;
	$primary->backup('base');
	$standby->init_from_backup($primary, 'base', has_streaming => 1);
	ok(-e $standby->data_dir . '/idtypes.mark', "round $round: the mark is in a base backup");

	set_clock($clock, '-0.9');
	with_fake_clock($clock, sub { $standby->start });

	# A standby that answers queries can generate too, which is of use with a node number of its
	# own.  It is not the primary's standby in this: both count by themselves.
	$primary->wait_for_catchup($standby);
	foreach my $generator (@generators)
	{
		is( $standby->safe_psql(
				'postgres',
				"SELECT count(DISTINCT $generator->{key}) FROM
					(SELECT $generator->{call} AS id FROM generate_series(1, 1000) g) s"),
			1000,
			"round $round: $generator->{name} generates on a hot standby");
	}

	my $recorders = start_recorders($primary, 3);
	sleep($stress ? 3 : 0);

	# ahead of its clock, and gone
	my ($tid64, $snowish) = split /\|/, greatest($primary, 3_000_000);
	note("lead of tid64 before the end: " . lead_of($primary, 'tid64') . ' s');
	$primary->stop('immediate');
	stop_recorders($recorders);
	$standby->promote;
	is( $standby->safe_psql(
			'postgres',
			"SELECT tid64_generate() > '$tid64', uid11_generate('snowish') > '$snowish'"),
		't|t',
		"round $round: ids of the new primary come after those of the old");
	# for the era of start_recorders(): a promotion alone makes no checkpoint
	$standby->safe_psql('postgres', 'CHECKPOINT');
	my $followers = start_recorders($standby, 3);
	sleep($stress ? 3 : 0);

	# and once more after a restart on the new timeline
	stop_recorders($followers);
	$standby->stop('fast');
	with_fake_clock($clock, sub { $standby->start });
	my $survivors = start_recorders($standby, 3);
	stop_recorders($survivors);

	# The recorders' era is a place in the WAL, which goes on from one server to the next.
	load_recorded($standby, 'postgres', $recorders, $followers, $survivors);
	$total += check_ids($standby, 'postgres', "round $round", across_eras => 1);
	is($standby->safe_psql('postgres', 'SELECT count(DISTINCT era) FROM ids_siq'),
		3, "round $round: from before and after the promotion and the restart");
	$standby->stop;
	return;
}

promotion($_) foreach 1 .. $rounds;
note("$rounds promotions, generated $total ids");
done_testing();
