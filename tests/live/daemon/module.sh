# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Parts of tests/live/daemon/run that need a machine of their own: with the module, with a clock that may be
# set, with CPUs that may go offline, or for half an hour.

# usage: walks: prints how many user stacks the module has walked
walks() { sed -n 's/^samples *//p' /proc/ustack/stat; }
# usage: walked STORE: prints how many samples have a user stack
walked()
{
	query "$1" --series stack -V samples --step 1d --json 'stack!~"kernel|none"' |
		python3 "$here/judge" sum
}

# usage: wholeness STORE: sets whole to the number of the load's complete stacks, and all to the number
# of those that could be complete. Samples without a user stack do not count: there is no program yet,
# or the kernel works for itself
wholeness()
{
	whole=$(outcome "$1" complete)
	all=$(($(outcome "$1" '') - $(outcome "$1" kernel) - $(outcome "$1" execve)))
}

# usage: check_wholeness NAME LEAST: at least LEAST stacks, of which 96 percent are complete. Not all,
# because a process that lives for milliseconds is sampled before it is fully known
check_wholeness()
{
	check "$1: $all stacks of the load" [ "$all" -ge "$2" ]
	check "$1: $whole of $all stacks are whole" [ $((whole * 100)) -ge $((all * 96)) ]
}

# The module has walked as many stacks as the daemon has samples, and its stacks are complete.
part_module()
{
	local before after sum whole all

	configuration "$dir/module"
	before=$(walks)
	cat /proc/ustack/stat >"$dir/stat"
	start
	# the tables of the load's files are made meanwhile
	load /dev/null 3
	stop
	after=$(walks)
	sum=$(walked "$dir/module")
	check "module: samples" [ "$sum" -ge 100 ]
	check "module: $sum samples of $((after - before)) walks" [ "$sum" = $((after - before)) ]
	# on a difference, print the reasons by both counts
	[ "$sum" = $((after - before)) ] || {
		cat "$dir/stat" /proc/ustack/stat
		query "$dir/module" --series stack -V samples --step 1d
		cat "$dir/log"
	}
	configuration "$dir/whole"
	start
	tabled "$dir/whole"
	load "$dir/burnt" $((seconds * $(nproc))) "$(nproc)"
	stop
	wholeness "$dir/whole"
	check_wholeness module 100
	printf 'module: %s samples, %s walks; %s of %s stacks of the load are whole\n' "$sum" \
		$((after - before)) "$whole" "$all"
	query "$dir/whole" --series stack -V samples --step 1d "command=\"$(named)\""
}

# usage: set_clock SECONDS: sets the clock forward by SECONDS
set_clock() { date -u -s "@$(($(date +%s) + $1))" >/dev/null; }
# usage: has_recent STORE: whether there are windows of the last ten seconds
has_recent()
{
	[ -n "$(query "$1" --from -10s --windows --json 2>/dev/null | python3 "$here/judge" windows)" ]
}

# When the clock is set while the daemon samples, windows go on and are found by the new time.
part_clock()
{
	local burn elapsed

	if ! date -u -s "@$(date +%s)" >/dev/null 2>&1; then
		skip "clock" "it cannot be set here"
		return
	fi
	configuration "$dir/clock.store"
	start
	begin_load "$dir/burnt"
	await "windows before it is set" has_recent "$dir/clock.store"
	set_clock 3600
	await "windows of the hour ahead" has_recent "$dir/clock.store"
	set_clock -7200
	await "windows of the hour before" has_recent "$dir/clock.store"
	set_clock 3600
	await "windows after all that" has_recent "$dir/clock.store"
	end_load
	stop
	judged "CPU time" near "$(cpu "$dir/clock.store")" "$hz" "${APART-5}" 1 "$dir/burnt"
	windows "$dir/clock.store" >"$dir/windows"
	check "clock: no window is there twice" [ -z "$(sort "$dir/windows" | uniq -d)" ]
	read -r _ _ elapsed _ <"$dir/burnt"
	judged "windows are of all the time" covers "$dir/windows" "$elapsed"
	printf 'clock: %s windows\n' "$(wc -l <"$dir/windows")"
}

# usage: cpu1 0|1: takes CPU 1 offline or online
cpu1() { echo "$1" >/sys/devices/system/cpu/cpu1/online; }
# usage: on_cpu1 SECONDS: runs the load on CPU 1 only
on_cpu1() { taskset -c 1 "$dir/burn" "$1" 1 "$(named)" >>"$dir/burnt"; }
came_online() { [ "$(grep -c "came online" "$dir/log")" -ge "$1" ]; }

# A CPU comes online after the daemon has started, goes offline and comes back. Programs on it are
# sampled, and their processes are known.
cpus_in()
{
	local mode=$1 whole all

	configuration "$dir/cpus-$mode"
	: >"$dir/burnt"
	cpu1 0
	start
	tabled "$dir/cpus-$mode"
	cpu1 1
	# the daemon sees it at the end of a window
	await "a CPU that comes is seen" came_online 1
	on_cpu1 4
	cpu1 0
	stored "$dir/cpus-$mode"
	stored "$dir/cpus-$mode"
	cpu1 1
	await "it is seen again" came_online 2
	on_cpu1 4
	stop
	judged "CPU time, $mode" near "$(cpu "$dir/cpus-$mode")" "$hz" "${APART-5}" 1 \
		"$dir/burnt"
	wholeness "$dir/cpus-$mode"
	check_wholeness "cpus, $mode" 100
	# the load's stacks are not deeper than what is copied
	check "cpus, $mode: copies have no end" [ "$(outcome "$dir/cpus-$mode" copy_end)" = 0 ]
	printf 'cpus, %s: %s of %s stacks whole\n' "$mode" "$whole" "$all"
	query "$dir/cpus-$mode" --series stack -V samples --step 1d "command=\"$(named)\""
}

part_cpus()
{
	cpus_in "$mode"
	[ "$mode" = copy ] || cpus_in copy
}

# A long run with the default rate, budget and windows. Memory and open files do not grow, CPU time is
# within the budget, and no window is missing.
part_long()
{
	local nr sum period elapsed own before=''

	printf '%s\n' "supply: ${SUPPLY-false}" "sampling: { mode: $mode }" \
		"store: { path: $dir/long }" "http: { listen: [] }" >"$dir/config.yaml"
	[ ! -e /proc/ustack/stat ] || before=$(walks)
	start
	"$here/watch" "$pid" 5 >"$dir/watched" &
	timeout -s TERM "$seconds" "$dir/burn" 0 "$(nproc)" "$(named)" >"$dir/burnt" || [ $? = 124 ]
	stop
	read -r _ nr elapsed _ <"$dir/burnt"
	sum=$(cpu "$dir/long")
	# the budget may have lowered the rate
	period=$((sum / $(summed "$dir/long" samples)))
	judged "CPU time" near "$sum" $((1000000000 / period)) "${APART-2}" "$(nproc)" "$dir/burnt"
	# if samples woke it, samples of the other CPUs would find it running (capture/stackcopy/reader.c)
	own=$(cpu "$dir/long" 'command="ustackd"')
	check "long: $own ns are its own" awk -v own="$own" \
		'{ took = $2 } END { exit !(own <= (1.5 * took + 1) * 1e9) }' "$dir/watched"
	whole "$dir/long" $((seconds / 20))
	judged "windows are of all the time" covers "$dir/windows" "$elapsed"
	if [ "$seconds" -ge 300 ]; then
		judged "memory and files" flat "$dir/watched" 10
	else
		skip "long: memory and files" "a run of $seconds s says nothing about them"
	fi
	python3 "$here/judge" costs "$dir/watched"
	# this does not have the kernel's part of each sample, which the budget includes
	judged "the budget" share "$dir/watched" "${BUDGET-1}"
	printf 'long: %s s, %s processes, %s windows\n' "$seconds" "$nr" "$(wc -l <"$dir/windows")"
	[ -z "$before" ] || long_module "$before"
}

# usage: long_module WALKS: compares samples and walks; WALKS: number of walks before the run
long_module()
{
	local after sum

	after=$(walks)
	sum=$(walked "$dir/long")
	check "long: $sum samples of $((after - $1)) walks" [ "$sum" = $((after - $1)) ]
	printf 'long: %s samples of user stacks, %s walks by the module\n' "$sum" $((after - $1))
	query "$dir/long" --series stack -V samples --step 1d "command=\"$(named)\""
}
