# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of tests/live/lang/run for PHP; sourced by it, and uses its functions and variables.

php=/usr/bin/php8.2

# Debian 13 has another version; its files are run from where they are unpacked
php_of_trixie()
{
	local tree libraries

	tree=$("$here/../../guest/vm/tree" trixie amd64 php8.4-cli 2>/dev/null) || return 1
	libraries=$tree/usr/lib/x86_64-linux-gnu
	php84=("$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "$tree/usr/bin/php8.4"
		-n -d "extension_dir=$tree/usr/lib/php/20240924" -d extension=posix.so)
	"${php84[@]}" -r 'exit(posix_getppid() ? 0 : 1);'
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

# with a JIT there are no frames, and doctor reports the reason
"$php" -d opcache.enable_cli=1 -d opcache.jit=1205 -d opcache.jit_buffer_size=16M \
	"$programs/spin.php" 600 &
pid=$!
sampled php-jit "$pid" 1000
"$ustack" doctor -p "$pid" >php-jit.out 2>&1 || :
kill "$pid"
wait "$pid" 2>/dev/null || :
check "doctor says that a JIT's frames are not read" \
	grep -q "PHP 8\.2\.[0-9]*: frames are not read: its JIT" php-jit.out
check "with a JIT no frame is made up" "$here/judge" none 0 php-jit.pb.gz
