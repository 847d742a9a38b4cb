#!/usr/bin/perl
#
# seeds.pl: writes the fuzzer's inputs, each as a file of the folder FOLDER.
#
#	seeds.pl FOLDER CORPUS VECTORS TYPE...
#
# They are the lines of CORPUS, and of the folder VECTORS the texts of ids, the refused texts and
# the refused prefixes.  The types are all, in the order of types.h: the first byte of an input is a
# type's number, and that of a prefix is as many more as there are types (fuzz_core.c).
#
use strict;
use warnings;

my ($folder, $corpus, $vectors, @types) = @ARGV;
my %number = map { $types[$_] => $_ } 0 .. $#types;
my @inputs;

open(my $lines, '<', $corpus) or die "$corpus: $!";
chomp, push(@inputs, pack('H*', $_)) while <$lines>;
foreach my $type (@types)
{
	open(my $rows, '<', "$vectors/$type.tsv") or die "$vectors/$type.tsv: $!";
	push(@inputs, map { /^([^#\t]+)\t/ ? chr($number{$type}) . $1 : () } <$rows>);
}
foreach my $use (0, 1)
{
	my $file = "$vectors/" . ('invalid.tsv', 'prefix_invalid.tsv')[$use];

	open(my $rows, '<', $file) or die "$file: $!";
	while (<$rows>)
	{
		my ($type, $text) = split /\t/;

		next unless defined $text && exists $number{$type};
		$text =~ s/\\x(..)/chr hex $1/ge;
		push(@inputs, chr($number{$type} + $use * @types) . $text);
	}
}
foreach my $n (0 .. $#inputs)
{
	open(my $seed, '>', "$folder/$n") or die "$folder/$n: $!";
	print $seed $inputs[$n];
}
