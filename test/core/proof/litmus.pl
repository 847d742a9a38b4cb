#!/usr/bin/perl
#
# litmus.pl: writes the litmus tests below for herd7, each for three processors.
#
#	litmus.pl FOLDER
#
# "never" is what two processes must not find, in whatever order a processor makes their accesses
# to memory visible.  Each access is written as PostgreSQL's atomics and barriers are compiled: for
# AArch64 with load-linked and store-conditional instructions (llsc), for AArch64 with its Large
# System Extensions (lse), and for POWER.
#
# "R = swap V A B" exchanges A in the variable V for B, or finds another value there; then R is not
# "done".  On AArch64, register 8 has what was found; on lse, only that tells.
#
use strict;
use warnings;

my ($folder) = @ARGV;

# The register with the address of each variable.
my %address = (last => 1, renew_at => 2, start => 3, slot => 3, invalidations => 4);

# %V stands for that register, %R for that of the result, %P for the process.
my %aarch64 = (
	set => 'MOV W7,#%A; STR W7,[X%V]',
	get => 'LDR W%R,[X%V]',
	full_barrier => 'DMB ISH',
	write_barrier => 'DMB ISH',
	read_barrier => 'DMB ISHLD');
my %processors = (
	llsc => {
		%aarch64,
		swap => 'MOV W10,#%A; MOV W7,#%B; LDAXR W8,[X%V]; CMP W8,W10; B.NE L%P%R; '
			. 'STLXR W%R,W7,[X%V]; L%P%R:',
		increment => 'MOV W7,#1; LDAXR W11,[X%V]; ADD W11,W11,W7; STLXR W%R,W11,[X%V]'
	},
	lse => {
		%aarch64,
		swap => 'MOV W10,#%A; MOV W7,#%B; MOV W8,W10; CASAL W8,W7,[X%V]',
		increment => 'MOV W7,#1; LDADDAL W7,W11,[X%V]'
	},
	power => {
		set => 'li r7,%A; stw r7,0(r%V)',
		get => 'lwz r%R,0(r%V)',
		full_barrier => 'sync',
		write_barrier => 'lwsync',
		read_barrier => 'lwsync',
		swap => 'li r10,%A; li r7,%B; sync; lwarx r8,r0,r%V; cmpw r8,r10; bne L%P%R; '
			. 'stwcx. r7,r0,r%V; bne L%P%R; li r%R,1; L%P%R:; isync',
		increment => 'li r7,1; sync; lwarx r11,r0,r%V; add r11,r11,r7; '
			. 'stwcx. r11,r0,r%V; bne L%P%R; li r%R,1; L%P%R:; isync'
	});

# The instructions of a process, as lines of the same width below its name.
sub column
{
	my ($processor, $process, @accesses) = @_;
	my @lines = "P$process";
	my $width = 0;

	foreach (@accesses)
	{
		my ($register, $access, $variable, @values) = /^(?:(\d+) = )?(\w+) ?(\w*) ?(\d*) ?(\d*)$/;
		my %value = (P => $process, R => $register, V => $address{$variable},
			A => $values[0], B => $values[1]);

		push(@lines, split(/; /, $processors{$processor}{$access} =~ s/%([A-Z])/$value{$1}/gr));
	}
	foreach (@lines) { $width = length if length > $width; }
	return map { sprintf('%-*s', $width, $_) } @lines;
}

# A finding, such as "0:9=done", or nothing where the processor does not have it.
sub finding
{
	my ($processor, $process, $register, $value) = @_;

	if ($processor eq 'power')
	{
		return $register == 8 ? () : "$process:r$register=" . ($value eq 'done' ? 1 : $value);
	}
	return $value ne 'done' ? "$process:X$register=$value" :
		$processor eq 'llsc' ? "$process:X$register=0" : ();
}

sub write_test
{
	my ($name, $processor, $variables, $p0, $p1, $never) = @_;
	my $r = $processor eq 'power' ? 'r' : 'X';
	my @columns = map { [ column($processor, $_, split(/; /, ($p0, $p1)[$_])) ] } 0, 1;
	my $blank = ' ' x length $columns[0][0];

	open(my $test, '>', "$folder/$name-$processor.litmus") or die "$folder: $!";
	print $test $processor eq 'power' ? 'PPC' : 'AArch64', " $name\n{";
	foreach (split / /, $variables)
	{
		my ($variable, $value) = split /=/;

		print $test " $_:$r$address{$variable}=$variable;" foreach 0, 1;
		print $test " $variable=$value;" if defined $value;
	}
	print $test " }\n";
	while (grep { @$_ } @columns)
	{
		print $test join(' | ', map { shift(@$_) // $blank } @columns), " ;\n";
	}
	print $test 'exists (', join(' /\ ', map { finding($processor, split(/[:=]/)) }
		split(/ /, $never)), ")\n";
}

# A paragraph is a test.
local $/ = '';
while (<DATA>)
{
	s/^#.*\n//gm;
	my ($name, $variables, @rest) = /^(\S+) +(.+)\nP0: (.+)\nP1: (.+)\nnever: (.+)$/m;

	write_test($name, $_, $variables, @rest) foreach sort keys %processors;
}

__DATA__
# A backend that sees the mark of initialize_words(), write_mark(), and swaps afterwards, swaps a
# clock word that initialize_words() has written: shared_last(), clockwords_next().
initialize last renew_at
P0: set last 1; write_barrier; set renew_at 1
P1: 5 = get last; read_barrier; 6 = get renew_at; 9 = swap last 0 2
never: 1:5=0 1:6=1 1:8=0 1:9=done

# A backend that sees a clock word of restart_words() sees its mark.
restart last renew_at
P0: set renew_at 1; full_barrier; 9 = swap last 0 1
P1: 5 = get last; read_barrier; 6 = get renew_at
never: 0:8=0 0:9=done 1:5=1 1:6=0

# A backend that sees a clock word of advance_words() sees that it starts there:
# idtypes_generators().
advance last start
P0: set start 1; 9 = swap last 0 1
P1: 5 = get last; read_barrier; 6 = get start
never: 0:8=0 0:9=done 1:5=1 1:6=0

# A block that was taken before restart_words() or advance_words() swapped has the number from
# before: clockwords_next_of_block().
block last invalidations
P0: 5 = get last; 9 = swap last 9 7; 12 = increment invalidations
P1: 6 = get invalidations; 9 = swap last 0 9
never: 0:5=9 0:8=9 0:9=done 1:6=1 1:8=0 1:9=done

# The reader of the slots that sees a word of another backend sees its slot: openxact_cover(),
# clockwords_next(), settled_instant().  What goes for the slot goes for the local transaction id.
slot-swap last slot
P0: set slot 1; full_barrier; 13 = swap last 0 1
P1: 5 = get last; read_barrier; full_barrier; 6 = get slot
never: 0:8=0 0:13=done 1:5=1 1:6=0

# A backend that uses a word of its block and a reader that has invalidated blocks: one of them sees
# what the other has stored.  openxact_cover(), clockwords_next_of_block(), clockwords_bound().
slot-block last slot invalidations
P0: set slot 1; full_barrier; 5 = get last; read_barrier; 6 = get invalidations
P1: 12 = increment invalidations; full_barrier; 6 = get slot
never: 0:6=0 1:12=done 1:6=0
