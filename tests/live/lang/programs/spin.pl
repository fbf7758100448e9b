# SPDX-License-Identifier: GPL-2.0-only
# A program that is sampled anywhere. A comment after a call names what it calls: so the line of each
# caller in a stack tells which callees are possible; a leaf may be at any of its lines. With the
# argument "lines" it prints the lines of its functions. To Perl, a block of eval is a function, too.
use strict;
use warnings;
use List::Util qw(first reduce);
use Time::HiRes ();
use JSON::PP ();

sub leaf {
	my ($n) = @_;
	my $s = 0;
	for my $i (0 .. $n) {
		$s += $i * $i;
	}
	return $s;
}

sub compare {
	leaf(4) + $a <=> leaf(4) + $b; #> main::leaf
}

sub sorting {
	my @a = reverse 1 .. 40;
	@a = sort compare @a; #> main::compare
	@a = sort { leaf(3) + $a <=> $b } @a; #> main::leaf
	return scalar @a;
}

sub counting {
	my $s = 0;
	for my $i (0 .. 19) {
		if ($i % 2) {
			$s += leaf($i); #> main::leaf
		} else {
			$s -= leaf($i); #> main::leaf
		}
	}
	my $each = sub {
		my ($x) = @_;
		for my $y (4, 5, 6) {
			$s += leaf($x + $y); #> main::leaf
		}
	};
	$each->($_) for 1, 2, 3; #> main::__ANON__
	return $s;
}

sub listed {
	my $found = first { leaf(5) < 0 } 1 .. 10; #> main::__ANON__,main::leaf
	my $sum = reduce { $a + leaf(3) + $b } 1 .. 10; #> main::__ANON__,main::leaf
	my @made = map { leaf($_) } grep { leaf(2) > 1 } 1 .. 5; #> main::leaf
	return $sum + @made;
}

sub words {
	my @all;
	push @all, "word $_ of " . reverse "line $_" for 0 .. 39;
	my $text = join ' ', @all;
	$text =~ s/line/upper($&)/ge; #> main::upper
	return $text =~ tr/a-z//;
}

sub upper {
	my ($word) = @_;
	return uc $word;
}

sub raising {
	my ($n) = @_;
	die "thrown\n" if !$n;
	eval { #> (eval)
		raising($n - 1); #> main::raising
	};
	leaf(4); #> main::leaf
	die $@;
}

sub caught {
	eval { raising(8) }; #> (eval),main::raising
	return leaf(9); #> main::leaf
}

sub deep_raising {
	my ($n) = @_;
	die { thrown => [1 .. 50] } if !$n;
	deep_raising($n - 1); #> main::deep_raising
}

sub unwound {
	my $done = eval { deep_raising(20); 1 }; #> (eval),main::deep_raising
	return $done;
}

package Thing {
	use overload '+' => \&add, '""' => sub { 'thing' };

	sub new {
		my ($class, $n) = @_;
		my $self = bless { n => $n }, $class;
		main::leaf(1); #> main::leaf
		return $self;
	}

	sub add {
		my ($self, $other) = @_;
		return main::leaf(5); #> main::leaf
	}

	sub walk {
		my ($self, $n) = @_;
		return $self->walk($n - 1) if $n > 0; #> Thing::walk
		return $self->{n};
	}

	our $AUTOLOAD;

	sub AUTOLOAD {
		my ($self, $n) = @_;
		return main::leaf($n); #> main::leaf
	}

	sub DESTROY {
		my ($self) = @_;
		main::leaf(2); #> main::leaf
	}
}

sub objects {
	my @all = map { Thing->new($_) } 0 .. 19; #> Thing::new
	my $s = $all[3]->walk(15); #> Thing::walk
	$s += $all[4]->other(3); #> Thing::AUTOLOAD
	$s += $all[5] + 1; #> Thing::add
	@all = (); #> Thing::DESTROY,(eval)
	return $s;
}

sub fibonacci {
	my ($n) = @_;
	return $n < 2 ? $n : fibonacci($n - 1) + fibonacci($n - 2); #> main::fibonacci
}

sub made {
	my ($i) = @_;
	return eval "main::leaf($i) + main::leaf(3)"; #> (eval),main::leaf
}

sub once {
	sorting(); #> main::sorting
	counting(); #> main::counting
	listed(); #> main::listed
	words(); #> main::words
	caught(); #> main::caught
	unwound(); #> main::unwound
	objects(); #> main::objects
	fibonacci(10); #> main::fibonacci
	made($_) for 1 .. 3; #> main::made
}

sub main {
	my ($seconds) = @_;
	my $over = Time::HiRes::time() + $seconds;
	once() while Time::HiRes::time() < $over; #> main::once
}

# In this file the first and last line of a function have the same indentation.
sub lines {
	my (%all, $name, $first, $package, $tabs);
	open my $source, '<', __FILE__ or die $!;
	while (<$source>) {
		$package = $1 if /^package (\w+)/;
		($name, $first, $tabs) = (($package // 'main') . "::$2", $., $1) if /^(\t?)sub (\w+)/;
		$all{$name} = [$first, $.] if defined $tabs && /^$tabs\}$/;
		undef $package if /^\}$/;
		$all{$_} = [1, $.] for '(main)', '(eval)', 'main::__ANON__', 'Thing::__ANON__';
	}
	print JSON::PP::encode_json(\%all);
}

if ($ARGV[0] eq 'lines') {
	lines();
} else {
	main($ARGV[0]); #> main::main
}
