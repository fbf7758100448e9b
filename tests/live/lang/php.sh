# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of tests/live/lang/run for PHP; sourced by it, and uses its functions and variables.

php=/usr/bin/php8.2

# Debian 13 has another version; its files are run from where they are unpacked
php_of_trixie()
{
	local tree libraries

	php84=()
	tree=$("$here/../../guest/vm/tree" trixie amd64 php8.4-cli 2>/dev/null) || return 1
	libraries=$tree/usr/lib/x86_64-linux-gnu
	php84=("$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "$tree/usr/bin/php8.4"
		-n -d "extension_dir=$tree/usr/lib/php/20240924" -d extension=posix.so)
	"${php84[@]}" -r 'exit(posix_getppid() ? 0 : 1);' || { php84=() && return 1; }
}

judged php marks 99 -e "$event" -- "$php" "$programs/constructs.php" 10
# code from the opcache, which is off by default for scripts on the command line
judged php-opcache marks 99 -e "$event" -- "$php" -d opcache.enable_cli=1 \
	"$programs/constructs.php" 3
# code that lives for microseconds may be freed before it is read, but never gets a wrong name
judged php-again marks 10 -e "$event" -- "$php" "$programs/again.php" 100
# a fiber has its own native stack, which ends where the fiber begins
judged php-fibers apart 99 -e "$event" -- "$php" "$programs/fibers.php" 20
judged php-forks marks 99 -e "$event" -- "$php" "$programs/forks.php" 6
judged php-waits waits 97 --off-cpu --min-wait 3000 -- "$php" "$programs/waits.php" 25

judged php-hostile hostile 0 -e "$event" -- "$php" "$programs/hostile.php"
check "php-hostile: the process is unharmed" grep -q "still here" php-hostile.out

if php_of_trixie; then
	judged php8.4 marks 99 -e "$event" -- "${php84[@]}" "$programs/constructs.php" 10
	judged php8.4-again marks 10 -e "$event" -- "${php84[@]}" "$programs/again.php" 50
else
	skip php8.4 "not on this machine, and not to be had from Debian 13"
fi

echo "php-spin:"
"$php" "$programs/spin.php" lines >php-spin.lines
"$php" "$programs/spin.php" 600 &
pid=$!
sampled php-spin "$pid" 3000
sampled php-native "$pid" 1000 --native
"$ustack" doctor -p "$pid" >php-doctor.out 2>&1 || :
kill "$pid"
wait "$pid" 2>/dev/null || :
check "php-spin: as the source says" \
	"$here/judge" php-spin 99 php-spin.pb.gz "$programs/spin.php" php-spin.lines
check "php-spin: frames of the interpreter stay with --native" \
	"$here/judge" native 99 php-native.pb.gz "$programs/spin.php"
check "doctor names PHP" grep -q "PHP 8\.2\.[0-9]*: frames are read" php-doctor.out
"$ustack" export php-spin.pb.gz >php-folded.out
check "folded stacks of PHP" grep -q ";{main};main;once;sorting;usort;.*;compare;leaf" php-folded.out

# usage: jit_judged NAME OWN MODE COMMAND...: checks the frames of a PHP whose JIT is in this mode:
# 1205 compiles all functions when they are loaded, 1254 traces of what runs often. OWN is the number
# of frames of called.php that other code of the JIT must have called
jit_judged()
{
	local name=$1 own=$2 mode=$3
	shift 3
	local command=("$@" -d opcache.enable_cli=1 -d "opcache.jit=$mode"
		-d opcache.jit_buffer_size=16M)

	judged "$name-jit-$mode" marks 99 -e "$event" -- "${command[@]}" "$programs/constructs.php" 10
	judged "$name-jit-$mode-fibers" apart 99 -e "$event" -- "${command[@]}" "$programs/fibers.php" 20
	judged "$name-jit-$mode-waits" waits 97 --off-cpu --min-wait 3000 -- \
		"${command[@]}" "$programs/waits.php" 10

	echo "$name-jit-$mode-spin:"
	"${command[@]}" "$programs/spin.php" 600 &
	pid=$!
	sampled "$name-jit-$mode-spin" "$pid" 2000
	"$ustack" doctor -p "$pid" >"$name-jit-$mode.out" 2>&1 || :
	kill "$pid"
	wait "$pid" 2>/dev/null || :
	check "$name-jit-$mode-spin: as the source says" "$here/judge" php-jit-spin 99 \
		"$name-jit-$mode-spin.pb.gz" "$programs/spin.php" php-spin.lines
	check "$name-jit-$mode: doctor says that frames are read" \
		grep -q "PHP 8\.[0-9]*\.[0-9]*: frames are read" "$name-jit-$mode.out"

	"${command[@]}" "$programs/called.php" 600 &
	pid=$!
	sampled "$name-jit-$mode-called" "$pid" 3000 --native
	kill "$pid"
	wait "$pid" 2>/dev/null || :
	check "$name-jit-$mode-called: callers of code of the JIT" "$here/judge" php-jit 99 \
		"$name-jit-$mode-called.pb.gz" "$own"
}

for mode in 1205 1254; do
	jit_judged php 1 "$mode" "$php"
	judged "php-jit-$mode-forks" marks 99 -e "$event" -- "$php" -d opcache.enable_cli=1 \
		-d "opcache.jit=$mode" -d opcache.jit_buffer_size=16M "$programs/forks.php" 6
done

if [ -n "${php84[*]:-}" ]; then
	php84+=(-d zend_extension=opcache.so)
	for mode in 1205 1254; do
		# 8.4 hardly calls its own code
		jit_judged php8.4 0 "$mode" "${php84[@]}"
	done
	# the JIT is disabled by default, although its buffer has a size
	echo "php8.4-opcache:"
	"${php84[@]}" -d opcache.enable_cli=1 "$programs/spin.php" 600 &
	pid=$!
	sampled php8.4-opcache "$pid" 2000
	kill "$pid"
	wait "$pid" 2>/dev/null || :
	check "php8.4-opcache: as the source says, with lines" \
		"$here/judge" php-spin 99 php8.4-opcache.pb.gz "$programs/spin.php" php-spin.lines
fi

# a worker of a pool executes a request; php-fpm forks it
if fpm=$("$here/../../guest/vm/tree" bookworm amd64 php8.2-fpm 2>/dev/null); then
	fpm_command=("$fpm/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"
		--library-path "$fpm/usr/lib/x86_64-linux-gnu" "$fpm/usr/sbin/php-fpm8.2" -n
		-d "extension_dir=$fpm/usr/lib/php/20220829" -d extension=posix.so
		-d zend_extension=opcache.so)
	for mode in off 1254; do
		mkdir -p "fpm-$mode"
		judged "php-fpm-$mode" marks 99 -e "$event" -- python3 "$programs/fpm.py" "fpm-$mode" \
			"$programs/constructs.php" 10 "${fpm_command[@]}" -d "opcache.jit=$mode" \
			-d opcache.jit_buffer_size=16M
	done
else
	skip php-fpm "not to be had from Debian 12"
fi
