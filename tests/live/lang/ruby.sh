# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of tests/live/lang/run for Ruby; sourced by it, and uses its functions and variables.

ruby=/usr/bin/ruby3.1
libruby=/usr/lib/x86_64-linux-gnu/libruby-3.1.so.3.1

# Debian 13 has another version; its files are run from where they are unpacked
ruby_of_trixie()
{
	local tree libraries

	tree=$("$here/../../guest/vm/tree" trixie amd64 ruby3.3 libruby3.3 2>/dev/null) || return 1
	libraries=$tree/usr/lib/x86_64-linux-gnu
	cat >ruby3.3 <<-EOF
	#!/bin/sh
	exec "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "$tree/usr/bin/ruby3.3" \
		--disable-gems -I "$tree/usr/lib/ruby/3.3.0" -I "$libraries/ruby/3.3.0" "\$@"
	EOF
	chmod +x ruby3.3
	./ruby3.3 -e 'exit Process.ppid > 0'
}

# usage: ruby_spins NAME VERSION COMMAND...: samples spin.rb anywhere
ruby_spins()
{
	local name=$1 version=$2 pid
	shift 2

	echo "$name:"
	"$@" "$programs/spin.rb" lines >"$name.lines"
	"$@" "$programs/spin.rb" 600 &
	pid=$!
	sampled "$name" "$pid" 3000
	sampled "$name-native" "$pid" 1000 --native
	"$ustack" doctor -p "$pid" >"$name-doctor.out" 2>&1 || :
	kill "$pid"
	wait "$pid" 2>/dev/null || :
	check "$name: as the source says" \
		"$here/judge" ruby-spin 99 "$name.pb.gz" "$programs/spin.rb" "$name.lines"
	check "$name: frames of the interpreter stay with --native" \
		"$here/judge" native 99 "$name-native.pb.gz" "$programs/spin.rb"
	check "doctor names Ruby $version" \
		grep -q "Ruby $version\.[0-9]*: frames are read if eBPF takes the stacks$" "$name-doctor.out"
}

# usage: ruby_compiles NAME COMMAND...: code compiled by a JIT has no frames, but a label
ruby_compiles()
{
	local name=$1 pid
	shift

	echo "$name:"
	"$@" "$programs/spin.rb" lines >"$name.lines"
	"$@" "$programs/spin.rb" 600 &
	pid=$!
	sampled "$name" "$pid" 1500
	kill "$pid"
	wait "$pid" 2>/dev/null || :
	check "$name: no frame is made up" \
		"$here/judge" ruby-compiled 50 "$name.pb.gz" "$programs/spin.rb" "$name.lines"
}

# usage: ruby_classes NAME COMMAND...: methods have the names of their classes
ruby_classes()
{
	local name=$1
	shift

	judged "$name" marks 99 -e "$event" -- "$@" "$programs/classes.rb" 10
	check "$name: Ruby's own interface names the same classes, but for an alias" \
		bash -c "! grep -v '^Base#overridden is said to be Borrower#overridden$' $name.out"
}

judged ruby marks 99 -e "$event" -- "$ruby" "$programs/constructs.rb" 10
ruby_classes ruby-classes "$ruby"
# code that lives for microseconds may be freed before it is read, but never gets a wrong name
judged ruby-again marks 10 -e "$event" -- "$ruby" "$programs/again.rb" 200
# the collector may have moved a class's name before it is read: then the method has no class
judged ruby-gc marks 97 -e "$event" -- "$ruby" "$programs/gc.rb" 20
judged ruby-forks marks 99 -e "$event" -- "$ruby" "$programs/forks.rb" 6
judged ruby-ractors marks 99 -e "$event" -- "$ruby" "$programs/ractors.rb" 5
judged ruby-waits waits 97 --off-cpu --min-wait 3000 -- "$ruby" "$programs/waits.rb" 25

judged ruby-hostile hostile 0 -e "$event" -- "$ruby" "$programs/hostile.rb"
check "ruby-hostile: the process is unharmed" grep -q "still here" ruby-hostile.out

cp "$ruby" "$dir/run/renamed-ruby"
judged ruby-renamed marks 99 -e "$event" -- "$dir/run/renamed-ruby" "$programs/constructs.rb" 2
gcc -O2 -o embedding-ruby "$programs/embed_ruby.c" -ldl
judged ruby-embedded marks 99 -e "$event" -- "$dir/run/embedding-ruby" "$libruby" \
	"$programs/constructs.rb" 3

ruby_spins ruby-spin '3\.1' "$ruby"
"$ustack" export ruby-spin.pb.gz >ruby-folded.out
check "folded stacks of Ruby" \
	grep -q ";<main>;Object#main;Object#once;Object#sorting;Array#sort;.*;block in Object#sorting;Object#compare;Object#leaf" ruby-folded.out
ruby_compiles ruby-yjit "$ruby" --yjit

if ruby_of_trixie; then
	judged ruby3.3 marks 99 -e "$event" -- ./ruby3.3 "$programs/constructs.rb" 10
	ruby_classes ruby3.3-classes ./ruby3.3
	judged ruby3.3-again marks 10 -e "$event" -- ./ruby3.3 "$programs/again.rb" 100
	judged ruby3.3-gc marks 97 -e "$event" -- ./ruby3.3 "$programs/gc.rb" 10
	PROBE_RUBY=$PWD/ruby3.3 judged ruby3.3-forks marks 99 -e "$event" -- \
		./ruby3.3 "$programs/forks.rb" 4
	judged ruby3.3-ractors marks 99 -e "$event" -- ./ruby3.3 "$programs/ractors.rb" 3
	judged ruby3.3-waits waits 97 --off-cpu --min-wait 3000 -- ./ruby3.3 "$programs/waits.rb" 25
	ruby_spins ruby3.3-spin '3\.3' ./ruby3.3
	ruby_compiles ruby3.3-rjit ./ruby3.3 --rjit
else
	skip ruby3.3 "not on this machine, and not to be had from Debian 13"
fi
