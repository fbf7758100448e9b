# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# The script that tests/guest/kunit/debug runs in the guest.
# usage: sh debug-guest.sh SECONDS FUZZ-SECONDS SEED PART...
#	the part soak runs for FUZZ-SECONDS, too
seconds=$1 fuzz=$2 seed=$3
shift 3
bad=0
cd /w || exit 1

say() { echo "$*"; echo "debug: $*" >/dev/kmsg; }
fail() { say "FAILED: $*"; bad=1; }
stat_of() { sed -n "s/^$1 *//p" /proc/ustack/stat; }

leaks()
{
	# the kernel with KCSAN does not search for leaks
	[ -e /sys/kernel/debug/kmemleak ] || return
	rm -f /tmp/*.data*
	# twice: a first scan takes registers and stale stacks for references
	for scan in 1 2; do
		sleep 6
		echo scan >/sys/kernel/debug/kmemleak
	done
	cat /sys/kernel/debug/kmemleak >/tmp/leaks
	[ -s /tmp/leaks ] || { say "kmemleak: nothing"; return; }
	fail "leaks: $(grep -c '^unreferenced object' /tmp/leaks) objects, of which the first are"
	head -n 300 /tmp/leaks
}

load()
{
	insmod /ustack.ko "$@" || fail "insmod $*"
}

unload()
{
	rmmod ustack || fail "rmmod"
}

record()
{
	perf record -q -e cpu-clock -F 199 "$@" >/dev/null 2>/tmp/perf.err ||
		{ fail "perf record $*"; cat /tmp/perf.err; }
}

# The share of frames from tables shows whether the module was active.
part_sample()
{
	load
	for name in $(./workload); do
		case $name in *_child) continue ;; esac
		record -g -o /tmp/p.data ./workload "$name" "$seconds"
	done
	# callchains taken on the way to user mode, where a reader may be preempted
	if perf record -q -e cpu-clock -F 199 --call-graph fp,defer -o /tmp/p.data \
		./workload deep "$seconds" >/dev/null 2>&1; then
		say "deferred callchains: recorded"
	else
		say "deferred callchains: this perf has none"
	fi
	say "sample: $(stat_of samples) samples, complete $(stat_of complete)," \
		"$(stat_of table_steps) of $(stat_of frames) frames by tables"
	[ "$(stat_of table_steps)" -gt 1000 ] || fail "hardly any frame by a table"
	cat /proc/ustack/stat
	unload
}

churner()
{
	while [ -e /tmp/churning ]; do
		./workload fork 1
		./workload shorts 1
		./workload vfork 1
		./workload dlopen 1
		./workload mremap 1
		./workload churn 1
		/bin/busybox true
		busybox ls -R /w >/dev/null
	done >/dev/null 2>&1
}

start_churn()
{
	touch /tmp/churning
	churner &
	one=$!
	churner &
	two=$!
}

stop_churn()
{
	rm -f /tmp/churning
	wait "$one" "$two"
}

# All processes are sampled, while their mappings and files change all the time.
part_churn()
{
	load budget_mb=1
	start_churn
	(
		n=0
		while [ -e /tmp/churning ]; do
			cp /w/workload "/tmp/copy$((n % 4))"
			"/tmp/copy$((n % 4))" leaf 0.2 >/dev/null
			n=$((n + 1))
		done
	) &
	copies=$!
	record -a -g -o /tmp/p.data sleep $((seconds * 5))
	cat /proc/ustack/images >/dev/null
	echo 2 >/proc/sys/vm/drop_caches
	stop_churn
	wait "$copies"
	say "churn: $(stat_of samples) samples, $(stat_of images) images"
	unload
}

part_reload()
{
	start_churn
	perf record -q -a -g -e cpu-clock -F 499 -o /tmp/p.data sleep 100000 \
		>/dev/null 2>&1 &
	perf=$!
	for n in 1 2 3 4 5 6 7 8 9 10; do
		load
		# perf itself may take long to start here
		for wait in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
			sleep 2
			[ "$(stat_of samples)" -eq 0 ] || break
		done
		[ "$(stat_of samples)" -gt 0 ] || fail "no sample after loading"
		unload
	done
	kill -INT "$perf"
	wait "$perf"
	stop_churn
	say "reload: 10 times"
}

# One in five allocations of the module fails. The module's allocations are selected before any
# fails, because if all allocations failed, the guest would die.
part_nomem()
{
	load
	f=/sys/kernel/debug/failslab
	start=$(cat /sys/module/ustack/sections/.text)
	end=$(printf '0x%x' $((start + $(cat /sys/module/ustack/coresize))))
	echo 16 >"$f/stacktrace-depth"
	echo "$start" >"$f/require-start"
	echo "$end" >"$f/require-end"
	echo N >"$f/ignore-gfp-wait"	# also those that may sleep
	echo N >"$f/task-filter"
	echo 0 >"$f/verbose"
	echo 1 >"$f/interval"
	echo 1000000 >"$f/times"
	echo 20 >"$f/probability"
	start_churn
	record -a -g -o /tmp/p.data sleep $((seconds * 3))
	stop_churn
	echo 0 >"$f/probability"
	failed=$((1000000 - $(cat "$f/times")))
	say "nomem: $(stat_of samples) samples, $failed allocations failed"
	[ "$failed" -gt 100 ] || fail "hardly an allocation failed"
	unload
}

# Tables are loaded and dropped by ioctl while samples use them.
part_device()
{
	load
	start_churn
	perf record -q -a -g -e cpu-clock -F 199 -o /tmp/p.data sleep 100000 \
		>/dev/null 2>&1 &
	perf=$!
	for n in 1 2 3 4 5 6 7 8 9 10; do
		/ustack load /usr/lib/x86_64-linux-gnu/libc.so.6 --section /libc.sframe \
			--vaddr "$(cat /libc.sframe.vaddr)" >/dev/null || fail "load"
		/ustack prepare $$ >/dev/null || fail "prepare"
		/ustack stat >/dev/null || fail "stat"
		timeout 1 /ustack events >/dev/null 2>&1
	done
	kill -INT "$perf"
	wait "$perf"
	stop_churn
	say "device: $(stat_of samples) samples, complete $(stat_of complete)"
	unload
}

# tests/guest/stress, in its short forms
part_lifetime() { stress /lifetime -q; }
part_unload() { stress /unload -q; }
part_hostile() { stress /hostile -q /bases/*; }

# a quarter of the time with allocations that fail
part_fuzz()
{
	stress /fuzz -s "$seed" -t $((fuzz - fuzz / 4))
	stress /fuzz -s "$((seed + 1))" -t $((fuzz / 4)) -f
}

part_soak()
{
	stress sh /soak.sh "$fuzz" "$((fuzz / 12 + 1))" /tmp/soak -l
}

stress()
{
	(cd /tmp && "$@") || fail "$*"
	! grep -q '^ustack ' /proc/modules || unload
	say "stress: $* ended"
}

part_suites()
{
	insmod /ustack_kunit.ko || fail "insmod ustack_kunit"
	rmmod ustack_kunit || fail "rmmod ustack_kunit"
	say "suites: ended"
}

if [ -e /sys/kernel/debug/kmemleak ]; then
	echo scan=off >/sys/kernel/debug/kmemleak
	echo clear >/sys/kernel/debug/kmemleak
fi
for part; do
	say "part $part"
	"part_$part"
	leaks
done
exit $bad
