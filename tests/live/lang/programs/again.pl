# SPDX-License-Identifier: GPL-2.0-only
# Code that is created and freed, so that its addresses are reused again and again. Some of it lives
# long enough to be read.
use strict;
use warnings;
no warnings 'redefine';
use FindBin;
use lib $FindBin::Bin;
use Probe;

Probe::begin();

sub linger {
	my ($i) = @_;
	Probe::warm(0.01) if $i % 5 == 0;
}

sub evaluated {
	my ($n) = @_;
	for my $i (0 .. $n - 1) {
		eval "\n" x ($i % 9) . "mark(); main::linger($i)";
		my $made = eval "sub { if (1) {" . "\n" x ($i % 7) . "mark(); main::linger($i) } }";
		$made->();
		undef $made;
		my ($package, $name) = ("Thrown" . $i % 3, "m" . $i % 5);
		eval "package $package; sub $name {" . "\n" x ($i % 3) . "Probe::mark(); main::linger($i) } $name()";
		no strict 'refs';
		delete ${"${package}::"}{$name};
		undef %{"${package}::"} if $i % 2;
	}
}

sub loaded {
	my ($n) = @_;
	my $path = "$ENV{PROBE_LOG}.loaded.pl";
	for my $i (0 .. $n - 1) {
		open my $file, '>', $path or die $!;
		print $file "\n" x $i, "mark();\nlinger($i);\nsub again$i { mark(); linger($i) } again$i();\n1;\n";
		close $file;
		do $path or die $@;
		no strict 'refs';
		delete $main::{"again$i"};
	}
	unlink $path;
}

evaluated($ARGV[0]);
loaded(40);
Probe::warm();
