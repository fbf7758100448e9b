# SPDX-License-Identifier: GPL-2.0-only
# A program's own idea of its stack. mark() writes down what caller() has, innermost frame first, and
# makes the system call that is sampled; so each sample has a stack that is known, line by line.
# caller() says of each sub where it was called: that is where the frame outside of it is. The outermost
# frame is the program's, which has no sub.
package Probe;
use strict;
use warnings;
use JSON::PP ();
use Time::HiRes ();
use Exporter 'import';
our @EXPORT = ('mark');

my $json = JSON::PP->new->utf8->canonical;
my $log;

# Each process has a log of its own.
sub begin {
	my ($name) = @_;
	$name //= 'log';
	open $log, '>', "$ENV{PROBE_LOG}.$name.$$" or die $!;
	$log->autoflush(1);
	warm();
}

# Samples of a process that is not known yet have no frames of a language.
sub warm {
	my ($seconds) = @_;
	my $over = Time::HiRes::time() + ($seconds // 0.5);
	my $parent = getppid while Time::HiRes::time() < $over;
}

sub put {
	print $log $json->encode([@_]), "\n";
}

# The frames outside of the one that is at @where.
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
