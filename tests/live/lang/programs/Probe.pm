# SPDX-License-Identifier: GPL-2.0-only
# A program's own view of its stack. mark() writes down what caller() returns, innermost frame first,
# and makes the system call that is sampled; so the stack of each sample is known, line by line.
# caller() returns where each sub was called: that is the line of the frame outside it. The outermost
# frame is that of the program, which has no sub.
package Probe;
use strict;
use warnings;
use JSON::PP ();
use Time::HiRes ();
use Exporter 'import';
our @EXPORT = ('mark');

my $json = JSON::PP->new->utf8->canonical;
my $log;

# Each process has its own log.
sub begin {
	my ($name) = @_;
	$name //= 'log';
	open $log, '>', "$ENV{PROBE_LOG}.$name.$$" or die $!;
	$log->autoflush(1);
	warm();
}

# Samples have no frames of a language until ustack has inspected the process. Each sample asks for
# that, so a hundred are enough. A pause is longer than the shortest wait that is recorded.
# PROBE_SLOW is how many times slower the machine is than others.
sub warm {
	my ($seconds) = @_;
	my $over = Time::HiRes::time() + ($seconds // 0.5) * ($ENV{PROBE_SLOW} // 1);
	while (Time::HiRes::time() < $over) {
		my $parent = getppid;
		Time::HiRes::sleep(0.004);
	}
}

sub put {
	print $log $json->encode([@_]), "\n";
}

# The frames outside the one at @where.
sub frames {
	my ($level, @where) = @_;
	my @frames;
	while (my @c = caller(++$level)) {
		push @frames, [$c[3], @where];
		@where = @c[1, 2];
	}
	return @frames, ['(main)', @where];
}

sub mark {
	put(frames(0, __FILE__, __LINE__ + 1));
	my $parent = getppid;
	return 0;
}

1;
