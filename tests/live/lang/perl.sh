# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of tests/live/lang/run for Perl; sourced by it, and uses its functions and variables.

perl=/usr/bin/perl
libperl=/usr/lib/x86_64-linux-gnu/libperl.so.5.36

# Debian 13 has another version; its files are run from where they are unpacked
perl_of_trixie()
{
	local tree libraries

	tree=$("$here/../../guest/vm/tree" trixie amd64 perl libperl5.40 2>/dev/null) || return 1
	libraries=$tree/usr/lib/x86_64-linux-gnu
	cat >perl5.40 <<-EOF
	#!/bin/sh
	exec "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "$tree/usr/bin/perl" \
		"-I$tree/etc/perl" "-I$libraries/perl/5.40" "-I$tree/usr/share/perl/5.40" \
		"-I$libraries/perl-base" "\$@"
	EOF
	chmod +x perl5.40
	./perl5.40 -Mthreads -MJSON::PP -e 'exit !getppid'
}

# usage: perl_spins NAME VERSION COMMAND...: samples spin.pl anywhere
perl_spins()
{
	local name=$1 version=$2 pid
	shift 2

	echo "$name:"
	"$@" "$programs/spin.pl" lines >"$name.lines"
	"$@" "$programs/spin.pl" 600 &
	pid=$!
	sampled "$name" "$pid" 3000
	sampled "$name-native" "$pid" 1000 --native
	"$ustack" doctor -p "$pid" >"$name-doctor.out" 2>&1 || :
	kill "$pid"
	wait "$pid" 2>/dev/null || :
	check "$name: as the source says" \
		"$here/judge" perl-spin 99 "$name.pb.gz" "$programs/spin.pl" "$name.lines"
	check "$name: frames of the interpreter stay with --native" \
		"$here/judge" native 99 "$name-native.pb.gz" "$programs/spin.pl"
	check "doctor names Perl $version" grep -q "Perl $version\.[0-9]*: frames are read" "$name-doctor.out"
}

judged perl marks 99 -e "$event" -- "$perl" "$programs/constructs.pl" 8
# code that lives for microseconds may be freed before it is read, but never gets a wrong name
judged perl-again marks 10 -e "$event" -- "$perl" "$programs/again.pl" 200
judged perl-forks marks 99 -e "$event" -- "$perl" "$programs/forks.pl" 6
judged perl-waits waits 97 --off-cpu --min-wait 3000 -- "$perl" "$programs/waits.pl" 25

judged perl-hostile hostile 0 -e "$event" -- "$perl" "$programs/hostile.pl"
check "perl-hostile: the process is unharmed" grep -q "still here" perl-hostile.out

cp "$perl" "$dir/run/renamed-perl"
judged perl-renamed marks 99 -e "$event" -- "$dir/run/renamed-perl" "$programs/constructs.pl" 2
gcc -O2 -o embedding-perl "$programs/embed_perl.c" -ldl
judged perl-embedded marks 99 -e "$event" -- "$dir/run/embedding-perl" "$libperl" \
	"$programs/constructs.pl" 3

perl_spins perl-spin '5\.36' "$perl"
"$ustack" export perl-spin.pb.gz >perl-folded.out
check "folded stacks of Perl" grep -q \
	";(main);main::main;main::once;main::sorting;Perl_pp_sort;.*;main::compare;main::leaf" perl-folded.out

if perl_of_trixie; then
	judged perl5.40 marks 99 -e "$event" -- ./perl5.40 "$programs/constructs.pl" 8
	judged perl5.40-again marks 10 -e "$event" -- ./perl5.40 "$programs/again.pl" 100
	PROBE_PERL=$PWD/perl5.40 judged perl5.40-forks marks 99 -e "$event" -- \
		./perl5.40 "$programs/forks.pl" 4
	judged perl5.40-waits waits 97 --off-cpu --min-wait 3000 -- ./perl5.40 "$programs/waits.pl" 25
	perl_spins perl5.40-spin '5\.40' ./perl5.40
else
	skip perl5.40 "not on this machine, and not to be had from Debian 13"
fi
