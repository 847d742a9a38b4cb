# A new cluster that takes over the rows of another one, and whose clock is behind: past the last of
# the ids that it has got, it repeats none.  What makes it new is that it has no mark.

use t::IdTypesTest;

my $clock = new_clock();
my $node = new_node('main', clock => $clock);
# Of these the same tick and counter are the same id: nothing else of it is drawn.
my @plain = grep { $_->{name} =~ /^(?:siq|tid64|uid11 snowish)$/ } @generators;

# Its clock is behind.
sub make_new
{
	$node->stop('immediate');
	unlink($node->data_dir . '/idtypes.mark') or die $!;
	advance_clock($clock, -100);
	$node->start;
	return;
}

# The old cluster makes what is plain in an instant.
create_keyed_tables($node);
stop_clock($clock);
my $instant = $node->seconds;
$node->sql(insert_keyed($_, 100)) foreach @plain;
start_clock($clock);
foreach my $generator (@generators)
{
	$node->sql(insert_keyed($generator, 100)) unless grep { $_ == $generator } @plain;
}

# Without the call: where the new clock comes to that instant, ids repeat.
make_new();
stop_clock($clock);
advance_clock($clock, $instant - $node->seconds);
like($node->error_of(insert_keyed($_, 100)),
	qr/duplicate key/, "without the call, ids of $_->{name} repeat")
  foreach @plain;
start_clock($clock);

# With it, the primary key would say if one did.
make_new();
cmp_ok($node->seconds, '<', $instant, 'the clock is behind');
$node->sql(join ';', map {
	"SELECT idtypes_advance_generators(max($_->{type}_timestamp(id))) FROM $_->{keyed}"
} @generators);
foreach my $generator (@generators)
{
	my ($type, $table) = @$generator{qw(type keyed)};
	my $last = $node->sql("SELECT max(${type}_timestamp(id)) FROM $table");

	is($node->error_of(insert_keyed($generator, 100)),
		'', "with the call, $generator->{name} repeats nothing");
	is($node->sql("SELECT count(*) FROM $table WHERE ${type}_timestamp(id) > '$last'"),
		100, "with the call, $generator->{name} goes on in later ticks");
}

$node->stop;
done_testing();
