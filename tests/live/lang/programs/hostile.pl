# SPDX-License-Identifier: GPL-2.0-only
# A process that forges the data by which its frames are found (Perl 5.36's structures), makes the
# sampled system call, and restores the data.
use strict;
use warnings;
no warnings qw(portable recursion);
use FindBin;
use lib $FindBin::Bin;
use Probe;

open my $memory, '+<:raw', '/proc/self/mem' or die $!;

sub word {
	my ($at) = @_;
	sysseek $memory, $at, 0;
	sysread $memory, my $bytes, 8;
	return unpack 'Q', $bytes;
}

sub put {
	my ($at, $value) = @_;
	sysseek $memory, $at, 0;
	syswrite $memory, pack 'Q', $value;
}

# The address of the interpreter: PL_curinterp in the program's file.
sub interpreter {
	my ($symbol) = `nm -D $^X` =~ /^(\w+) B PL_curinterp$/m;
	open my $maps, '<', '/proc/self/maps' or die $!;
	my ($base) = <$maps> =~ /^(\w+)-/;
	return word(hex($base) + hex($symbol));
}

my $interp = interpreter();

# The addresses of the context stack and of the context of the sub with this name.
sub stack { return word($interp + 0xe0) }

sub context {
	my ($code) = @_;
	my $at = word(stack() + 8);
	for my $i (0 .. 100) {
		return $at + 104 * $i if word($at + 104 * $i + 0x48) == $code;
	}
	die 'no context';
}

# The word is forged only while perl does not read it.
sub forged {
	my ($at, $value) = @_;
	my $old = word($at);
	my ($new, $back) = (pack('Q', $value), pack 'Q', $old);
	my $parent;
	sysseek $memory, $at, 0;
	syswrite($memory, $new), $parent = getppid, $parent = getppid, $parent = getppid,
		$parent = getppid, $parent = getppid, $parent = getppid, $parent = getppid,
		$parent = getppid, sysseek($memory, $at, 0), syswrite $memory, $back;
}

# The frame of each sub is found by its code.
sub no_code { forged(context(0 + \&no_code) + 0x48, 0xdead0000) }
sub other_code { forged(context(0 + \&other_code) + 0x48, 0 + \my @array) }
sub wild_statement { forged(context(0 + \&wild_statement) + 0x10, 0xdead0000) }
sub other_statement { forged(context(0 + \&other_statement) + 0x10, $interp) }
sub wild_return { forged(context(0 + \&wild_return) + 0x30, 0xdead0001) }
sub circle { my $at = context(0 + \&circle) + 0x38; forged($at, word($at) & ~0xffffffff | 100) }
sub far { my $at = context(0 + \&far) + 0x38; forged($at, word($at) | 0x7fffffff) }
sub wild_stack { forged($interp + 0xe0, 0xdead0000) }
sub wild_contexts { forged(stack() + 8, 0xdead0000) }
sub many_contexts { my $at = stack() + 0x28; forged($at, word($at) & ~0xffffffff | 0x40000000) }

# A stack of another type has a stack below it: itself.
sub round_about {
	my $stack = stack();
	my ($before, $type) = (word($stack + 0x10), word($stack + 0x28));
	my $other = pack 'Q8', word($stack), word($stack + 8), 0, 0, word($stack + 0x20), $type & 0xffffffff | 9 << 32, 0, 0;
	my $address = unpack 'Q', pack 'P', $other;
	put($address + 0x10, $address);
	forged($interp + 0xe0, $address);
}

sub body { my ($code) = @_; return word($code) }

# a name of 4 GB
sub huge {
	my $name = word(body(0 + \&huge) + 0x38);
	forged($name, word($name) & 0xffffffff | 0x7fffffff << 32);
}

sub wild_name { forged(body(0 + \&wild_name) + 0x38, 0xdead0000) }
sub wild_package { forged(body(0 + \&wild_package) + 0x20, 0xdead0000) }
sub wild_body { forged(0 + \&wild_body, 0xdead0000) }

sub endless {
	my ($n) = @_;
	return endless($n - 1) if $n > 0;
	my $parent = getppid for 1 .. 60;
}

# Names are read later than samples are taken, so this one stays forged.
package C0n7r01 {
	sub shown { my $parent = getppid for 1 .. 60 }
}

Probe::begin();
for (1 .. 4) {
	no_code();
	other_code();
	wild_statement();
	other_statement();
	wild_return();
	circle();
	far();
	wild_contexts();
	many_contexts();
	wild_stack();
	round_about();
	huge();
	wild_name();
	wild_package();
	wild_body();
	endless(400);
}
# the name of a package, which is in the body of its hash
my $name = word(word(0 + \%C0n7r01::) + 32);
put($name + 8, unpack 'Q', "\e[2J\nab\0");
C0n7r01::shown();
# names of functions are read while the process is still running
Probe::warm();
print "still here\n";
