# SPDX-License-Identifier: GPL-2.0-only
# A process that waits, and writes down where.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Probe;
use List::Util qw(first);
use threads;
use threads::shared;

# The caller is about to wait in its next line.
sub about_to_wait {
	my (undef, $file, $line) = caller;
	my @frames = Probe::frames(1, $file, $line + 1);
	Probe::put(@frames);
}

sub sleeps {
	my ($depth, $n) = @_;
	return sleeps($depth - 1, $n) if $depth > 0;
	for (1 .. $n) {
		about_to_wait();
		select undef, undef, undef, 0.02;
	}
}

sub reads {
	my ($n) = @_;
	for (1 .. $n) {
		my $pid = open my $pipe, '-|', 'sleep 0.02' or die $!;
		about_to_wait();
		my $line = <$pipe>;
		close $pipe;
	}
}

my $never : shared = 0;

sub locks {
	my ($n) = @_;
	lock $never;
	for (1 .. $n) {
		my $over = Time::HiRes::time() + 0.02;
		about_to_wait();
		threads::shared::cond_timedwait($never, $over);
	}
}

sub in_block {
	my ($n) = @_;
	my @x = sort { sleeps(2, $n); $a <=> $b } 1, 2;
	first { sleeps(1, $n); 1 } 1;
	eval {
		for (1 .. $n) {
			about_to_wait();
			select undef, undef, undef, 0.02;
		}
	};
}

Probe::begin();
my $n = $ARGV[0];
sleeps(0, $n);
sleeps(12, $n);
reads($n);
locks($n);
in_block($n);
threads->create(sub { Probe::begin('thread'); sleeps(5, $n) })->join;
