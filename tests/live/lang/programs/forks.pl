# SPDX-License-Identifier: GPL-2.0-only
# Forked children that share their parent's memory, and one that executes a program.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Probe;
use POSIX ();

sub deep { my ($n) = @_; $n > 0 ? deep($n - 1) : mark() }

sub child {
	my ($n) = @_;
	Probe::begin('child');
	for (1 .. 20) {
		deep($n);
		mark();
	}
	# names of functions are read while the process is still running
	Probe::warm();
	POSIX::_exit(0);
}

sub parents {
	my ($n) = @_;
	for my $i (0 .. $n - 1) {
		my $pid = fork;
		child($i) if !$pid;
		deep($i) for 1 .. 20;
		waitpid $pid, 0;
	}
}

sub after_exec {
	deep($_) for 0 .. 19;
	Probe::warm();
}

Probe::begin(@ARGV > 1 ? 'exec' : 'log');
if (@ARGV > 1) {
	after_exec();
} else {
	parents($ARGV[0]);
	Probe::warm();
	exec $ENV{PROBE_PERL} || $^X, $0, 1, 'again';
}
