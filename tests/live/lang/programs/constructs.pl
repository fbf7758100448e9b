# SPDX-License-Identifier: GPL-2.0-only
# All kinds of calls in Perl; a sample is taken in each.
use strict;
use warnings;
use utf8;
use feature qw(current_sub postderef say state try defer);
no warnings qw(experimental recursion once redefine void);
use FindBin;
use lib $FindBin::Bin;
use Probe;
use List::Util qw(first any reduce sum pairmap max);
use Sub::Util qw(set_subname);
use Scalar::Util qw(weaken);
use threads;

Probe::begin();

sub recursion {
	my ($n) = @_;
	if ($n > 0) {
		recursion($n - 1);
	} else {
		mark();
	}
}

sub branches {
	my ($n) = @_;
	if (mark() > $n) {
		1;
	} elsif (mark() == $n) {
		mark();
	} elsif (mark()) {
		2;
	} else {
		mark();
		unless ($n > 2) {
			mark();
		}
	}
	mark() if $n;
	mark() unless
		$n > 5;
	my $i = 0;
	while ($i++ < 2) {
		mark();
	}
	until (mark() || $i-- < 0) {
		mark() +
			mark();
	}
	do {
		mark()
	} while ($i++ < 1);
	for my $x (1, 2) {
		next if $x == 1;
		mark();
	}
	for ($i = 0; $i < 1; mark(), $i++) {
		mark();
	}
	my $x = $n
		? mark()
		: [mark(), mark(),
		   mark()];
	$x = mark() || mark()
		|| mark();
	{
		mark();
		last;
	}
	my %h = (
		a => mark(),
		b => recursion(1),
	);
	my $text = "a @{[mark()]} b
		@{[mark()]}" . mark()
		. mark();
	mark(
		1,
		mark(),
	);
}

sub compare {
	mark();
	return $a <=> $b;
}

sub compare_by_arguments($$) {
	my ($x, $y) = @_;
	mark();
	$x <=> $y;
}

sub tail { mark() }

sub callbacks {
	my @x = sort compare 2, 1;
	@x = sort compare_by_arguments 3, 2, 1;
	@x = sort { mark(); $a <=> $b } 2, 1;
	@x = sort {
		my $n = $a;
		recursion(2);
		$n <=> $b
	} 2, 1;
	@x = sort { tail() } 2, 1;
	my $by = sub { mark(); $b <=> $a };
	@x = sort $by 1, 2;
	@x = sort { first { mark(); 1 } 1; eval { mark() }; 0 } 2, 1;
	@x = sort { eval { tail() } } 2, 1;
	@x = sort { (sort { tail() } 2, 1)[0] <=> 1 } 2, 1;
	@x = map { mark(); $_ } 1, 2;
	@x = map { my $y = $_; tail(); { y => $y } } 1;
	@x = grep { tail() == 0 } 1, 2;
	first { mark(); 0 } 1, 2;
	any {
		mark();
		recursion(2);
		0;
	} 1, 2;
	reduce { tail() + $a + $b } 1, 2, 3;
	pairmap { mark(); $a } 1, 2;
	first { first { tail(); 1 } 1 } 1;
	"ab" =~ /(?{ mark() })a/;
	"ab" =~ /a(?{ tail() })b(?{ recursion(1) })/;
	my $re = qr/a(?{ recursion(2) })/;
	"aa" =~ /$re$re/;
	"a1" =~ /a(??{ mark(); '\d' })/;
	(my $s = 'banana') =~ s/an/mark()/eg;
	$s =~ s{b}{
		recursion(1);
		mark()}ex;
}

sub closures {
	my $n = 0;
	my $adder = sub { mark(); $n += shift };
	$adder->(1);
	&$adder(2);
	&{sub { mark() }};
	my @made = map { my $x = $_; sub { mark(); $x } } 1 .. 3;
	$_->() for @made;
	sub { my $n = shift; $n ? __SUB__->($n - 1) : mark() }->(3);
	our $given = set_subname('Given::name', sub { mark() });
	$given->();
	no strict 'refs';
	*{'main::globbed'} = sub { mark() };
	globbed();
	{
		# earlier samples are read while this name is set, so they have it, too
		seen();
		local *__ANON__ = 'of_its_own';
		sub { seen() }->();
	}
	my sub lexical { my $n = shift; $n ? __SUB__->($n - 1) : mark() }
	lexical(2);
	state sub kept { mark() }
	kept();
	'main'->can('recursion')->(1);
	goto_it(2);
}

sub goto_it {
	@_ = (3);
	goto &recursion;
}

package Thing {
	use overload '""' => \&text, '+' => sub { Probe::mark(); 1 }, '<=>' => 'compare',
		'bool' => sub { 1 }, '&{}' => sub { my $self = shift; sub { Probe::mark() } };

	sub new {
		my ($class, $n) = @_;
		Probe::mark();
		return bless { n => $n }, $class;
	}

	sub text { Probe::mark(); 'thing' }

	sub compare {
		my ($self, $other) = @_;
		Probe::mark();
		return 1;
	}

	sub walk {
		my ($self, $n) = @_;
		return $n ? $self->walk($n - 1) : $self->last_one;
	}

	sub last_one { Probe::mark() }

	sub value : lvalue { Probe::mark(); $_[0]{n} }

	sub DESTROY {
		Probe::mark();
		main::recursion(1);
	}

	our $AUTOLOAD;
	sub AUTOLOAD {
		Probe::mark();
		main::recursion(1);
	}
}

package Thing::Child {
	our @ISA = 'Thing';

	sub new {
		my $class = shift;
		my $self = $class->SUPER::new(@_);
		Probe::mark();
		return $self;
	}
}

package Tied {
	sub TIESCALAR { Probe::mark(); bless [] }
	sub TIEARRAY { bless [] }
	sub TIEHASH { bless [] }
	sub TIEHANDLE { bless [] }
	sub FETCH { Probe::mark(); 1 }
	sub STORE { Probe::mark() }
	sub FETCHSIZE { Probe::mark(); 2 }
	sub FIRSTKEY { Probe::mark(); 'a' }
	sub NEXTKEY { Probe::mark(); undef }
	sub EXISTS { main::recursion(2) }
	sub PRINT { Probe::mark() }
	sub UNTIE { Probe::mark() }
}

sub objects {
	my $one = Thing->new(1);
	my $two = Thing::Child->new(2);
	"$one";
	$one + 1;
	my @x = sort { $a <=> $b } $one, $two;
	$one->walk(3);
	$two->walk(1);
	$one->value = 3;
	$one->nothing(1);
	Thing->nothing_either;
	my $method = 'walk';
	$one->$method(0);
	$one->(1);
	eval { $two->();
	       1 } or mark();
	undef $two;
	my $many = [map { Thing->new($_) } 1 .. 2];
	@$many = ();
	{
		my $inner = Thing->new(4);
		local $_ = $inner;
	}
	sum(map { Thing->new($_) } 1 .. 2);
}

sub ties {
	tie my $scalar, 'Tied';
	my $x = $scalar;
	$scalar = "$scalar" .
		$scalar;
	tie my @array, 'Tied';
	$x = $array[0] + @array;
	push @$x, 1 for ();
	tie my %hash, 'Tied';
	$hash{a} = exists $hash{b};
	for my $k (keys %hash) {
		recursion(1);
	}
	tie *HANDLE, 'Tied';
	print HANDLE 'a';
	untie $scalar;
}

sub raising {
	my ($n) = @_;
	raising($n - 1) if $n > 0;
	die bless [], 'Raised';
}

sub exceptions {
	eval { mark(); recursion(1) };
	eval { raising(3); 1 } or mark();
	eval {
		eval { raising(1) };
		mark();
		die;
	};
	mark();
	try {
		mark();
		raising(2);
	} catch ($e) {
		mark();
	}
	{
		defer { mark() }
		mark();
	}
	local $SIG{__DIE__} = sub { mark() };
	eval { raising(2) };
	local $SIG{__WARN__} = sub { recursion(1) };
	warn 'this';
	my @x = sort { eval { mark(); 1 }; eval { mark() }; 0 } 2, 1;
	first { eval { raising(1) }; mark(); eval { recursion(1) }; 0 } 1, 2;
}

# code that is freed is read before, if it lives some milliseconds longer
sub seen {
	mark();
	Probe::warm(0.02);
}

sub evaluated {
	eval 'seen()';
	eval "\n\nseen();\nrecursion(2)\n; seen()";
	eval 'sub made { my $n = shift; $n ? made($n - 1) : seen() } made(3)';
	eval 'package Made::Up; sub up { main::seen() } up()';
	eval 'BEGIN { seen() } seen()';
	eval 'eval q{eval { seen() }; seen()}; seen()';
	eval "#line 77 \"template.tt\"\nseen();\n  recursion(1);\n" . 'sub in_template { seen() } in_template()';
	eval 'if (shift) { 1 } else {' . "\n" . 'seen() } while (!$_[0]++) {' . "\n\n" . 'seen() }';
	eval 'die' or mark();
	eval 'syntax error(' or mark();
	my $sub = eval 'sub { seen() }';
	$sub->();
	my $path = "$ENV{PROBE_LOG}.loaded.pl";
	open my $file, '>', $path or die $!;
	print $file "use strict;\nmain::seen();\nmain::recursion(1);\nsub loaded { main::seen() }\n\nloaded();\n1;\n";
	close $file;
	do $path;
	delete $INC{$path};
	require $path;
	loaded();
	unlink $path;
}

# caller() cannot name a format, and dies
my @around;
sub in_format {
	Probe::put(['main::in_format', __FILE__, __LINE__ + 1], ['main::STDOUT', (caller(0))[1, 2]], @around);
	my $parent = getppid;
	return 'a';
}

format STDOUT =
@<<<<<
in_format()
.

sub formats {
	open my $null, '>', '/dev/null' or die $!;
	my $old = select $null;
	$~ = 'STDOUT';
	@around = Probe::frames(0, __FILE__, __LINE__ + 1);
	write;
	select $old;
}

sub größe_名前 { mark() }

package Größe::名 { sub wert { Probe::mark() } }

sub gone { mark(); undef &gone; mark(); }

sub names {
	größe_名前();
	Größe::名::wert();
	*alias = \&recursion;
	alias(1);
	my $undone = \&in_package;
	eval 'package Lost; sub in_package { Probe::mark(); 1 }';
	my $lost = \&Lost::in_package;
	delete $Lost::{in_package};
	$lost->();
	package Other::Place { main::mark(); sub there { main::recursion(1) } there() }
}

sub signals {
	local $SIG{USR1} = sub { mark(); recursion(1) };
	kill USR1 => $$;
	select undef, undef, undef, 0.001;
	local $SIG{ALRM} = \&tail;
	kill ALRM => $$;
	recursion(1);
}

sub in_threads {
	threads->create(sub { Probe::begin("thread$_[0]"); recursion($_[0]); mark(); Probe::warm(0.1) }, $_)->join for 1, 2;
	threads->create(sub { recursion(3); Probe::warm(0.05) })->join;
	threads->create({ context => 'list' }, sub { map { tail() } 1, 2; Probe::warm(0.05) })->join;
}

# called by programs that embed the interpreter (embed_perl.c)
sub from_c { recursion(3); mark() }

sub deep { my $n = shift; $n ? deep($n - 1) : mark() }

sub once {
	recursion(0);
	recursion(7);
	deep(90);
	branches(0);
	branches(1);
	callbacks();
	closures();
	objects();
	ties();
	exceptions();
	evaluated();
	formats();
	names();
	signals();
}

once() for 1 .. $ARGV[0];
in_threads();
mark();
(sub {
	for my $i (1, 2) {
		mark();
	}
})->();
# names of functions are read while the process is still running
Probe::warm();

END { mark(); Probe::warm(0.2) }
