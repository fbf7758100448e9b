# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Parts of tests/daemon/run that want a machine of their own: the module in it, a clock that
# may be set, CPUs that may go, half an hour.

# usage: walks: how many user stacks the module has walked
walks() { sed -n 's/^samples *//p' /proc/ustack/stat; }
# usage: outcome STORE REASON: samples of the load that ended so; all of them by ''
outcome()
{
	query "$1" --series stack -V samples --step 1d --json 'command="burn"' |
		python3 "$here/judge" group "$2"
}
# usage: walked STORE: samples of whatever has a user stack
walked()
{
	query "$1" --series stack -V samples --step 1d --json 'stack!~"kernel|none"' |
		python3 "$here/judge" sum
}

# The module's own count against the daemon's, and how whole its stacks are.
part_module()
{
	local before after burn sum whole all

	configuration "$dir/module"
	before=$(walks)
	cat /proc/ustack/stat >"$dir/stat"
	start
	# tables of the load's files are made at its beginning
	"$dir/burn" 3 1 >/dev/null
	stop
	after=$(walks)
	sum=$(walked "$dir/module")
	ok "module: $sum samples of $((after - before)) walks" [ "$sum" = $((after - before)) ]
	# why each of them ended, as both have it
	[ "$sum" = $((after - before)) ] || {
		cat "$dir/stat" /proc/ustack/stat
		query "$dir/module" --series stack -V samples --step 1d
		cat "$dir/log"
	}
	configuration "$dir/whole"
	start
	"$dir/burn" "$seconds" "$(nproc)" >"$dir/burnt"
	stop
	whole=$(outcome "$dir/whole" complete)
	# who has none, as there is no program yet, or as the kernel works for itself
	all=$(($(outcome "$dir/whole" '') - $(outcome "$dir/whole" kernel) - $(outcome "$dir/whole" execve)))
	# a process of some milliseconds is learnt while it is sampled
	ok "module: $whole of $all stacks are whole" [ $((whole * 100)) -ge $((all * 96)) ]
	printf 'module: %s samples, %s walks; %s of %s stacks of the load are whole\n' "$sum" \
		$((after - before)) "$whole" "$all"
	query "$dir/whole" --series stack -V samples --step 1d 'command="burn"'
}

# usage: set_clock SECONDS: by so much, from what it is
set_clock() { date -u -s "@$(($(date +%s) + $1))" >/dev/null; }
# usage: newest STORE: wait for windows of the last ten seconds
newest()
{
	for _ in {1..40}; do
		[ -z "$(query "$1" --from -10s --windows --json 2>/dev/null |
			python3 "$here/judge" windows)" ] || return 0
		sleep 0.5
	done
	return 1
}

# A clock that is set while it samples: windows go on, and are found by what it shows.
part_clock()
{
	local truth sum burn began ended

	if ! date -u -s "@$(date +%s)" >/dev/null 2>&1; then
		echo "clock: skipped: it cannot be set here"
		return
	fi
	configuration "$dir/clock"
	start
	began=${EPOCHREALTIME%.*}
	"$dir/burn" 24 1 >"$dir/burnt" &
	burn=$!
	ok "clock: nothing before it was set" newest "$dir/clock"
	set_clock 3600
	ok "clock: nothing of the hour ahead" newest "$dir/clock"
	set_clock -7200
	ok "clock: nothing of the hour before" newest "$dir/clock"
	set_clock 3600
	wait $burn
	ok "clock: nothing after all that" newest "$dir/clock"
	sleep 1.2
	ended=${EPOCHREALTIME%.*}
	stop
	read -r truth _ <"$dir/burnt"
	sum=$(cpu "$dir/clock" 'command="burn"')
	ok "clock: $sum ns of $truth ns" near "$sum" "$truth" $((4 * $(nproc) * 1000000000 / hz))
	windows "$dir/clock" >"$dir/windows"
	ok "clock: a window is there twice" [ "$(sort "$dir/windows" | uniq -d | wc -l)" = 0 ]
	ok "clock: windows are missing" python3 "$here/judge" covers "$dir/windows" \
		$((ended - began - 1))
	printf 'clock: %.3f s of CPU time, %.3f s sampled, %s windows\n' \
		"$(awk "BEGIN { print $truth / 1e9 }")" "$(awk "BEGIN { print $sum / 1e9 }")" \
		"$(wc -l <"$dir/windows")"
}

# usage: cpu1 0|1: it goes, or comes
cpu1() { echo "$1" >/sys/devices/system/cpu/cpu1/online; }
# usage: on_cpu1 SECONDS: the load, there alone; adds its CPU time to $dir/burnt
on_cpu1() { taskset -c 1 "$dir/burn" "$1" 1 >>"$dir/burnt"; }

# A CPU that was not there when it started, and one that goes and comes back: what runs there
# is sampled, and its processes are known.
cpus_in()
{
	local mode=$1 truth sum whole all

	configuration "$dir/cpus-$mode"
	: >"$dir/burnt"
	cpu1 0
	start
	sleep 1.5
	cpu1 1
	# it is seen when a window ends
	sleep 3
	on_cpu1 6
	cpu1 0
	sleep 1.5
	cpu1 1
	sleep 3
	on_cpu1 6
	sleep 1.2
	stop
	says "came online" "a CPU that comes"
	truth=$(awk '{ sum += $1 } END { printf "%.0f", sum }' "$dir/burnt")
	sum=$(cpu "$dir/cpus-$mode" 'command="burn"')
	ok "cpus, $mode: $sum ns of $truth ns" near "$sum" "$truth" $((4 * 1000000000 / hz))
	whole=$(outcome "$dir/cpus-$mode" complete)
	all=$(($(outcome "$dir/cpus-$mode" '') - $(outcome "$dir/cpus-$mode" kernel) -
		$(outcome "$dir/cpus-$mode" execve)))
	ok "cpus, $mode: $whole of $all stacks are whole" [ $((whole * 100)) -ge $((all * 96)) ]
	# the load calls no deeper than what is copied
	ok "cpus, $mode: copies have an end" [ "$(outcome "$dir/cpus-$mode" copy_end)" = 0 ]
	printf 'cpus, %s: %.3f s of CPU time, %.3f s sampled; %s of %s stacks whole\n' "$mode" \
		"$(awk "BEGIN { print $truth / 1e9 }")" "$(awk "BEGIN { print $sum / 1e9 }")" \
		"$whole" "$all"
	query "$dir/cpus-$mode" --series stack -V samples --step 1d 'command="burn"'
}

part_cpus()
{
	cpus_in "$mode"
	[ "$mode" = copy ] || cpus_in copy
}

# As it is installed, for so long: rate, budget and windows are what they are if nothing is
# said. Memory and files stay, CPU time is within the budget, all windows are there.
part_long()
{
	local truth nr sum own before='' APART=${APART-2}

	printf '%s\n' "supply: ${SUPPLY-false}" "sampling: { mode: $mode }" \
		"store: { path: $dir/long }" "http: { listen: [] }" >"$dir/config.yaml"
	[ ! -e /proc/ustack/stat ] || before=$(walks)
	start
	watch_costs 5
	read -r truth nr < <("$dir/burn" "$seconds" "$(nproc)")
	sleep 10.5
	stop
	hz=19
	sum=$(cpu "$dir/long" 'command="burn"')
	ok "long: $sum ns of $truth ns" near "$sum" "$truth" $((3 * $(nproc) * 1000000000))
	# were it woken by samples it would be found by those of the next CPUs (see stackcopy/reader.c)
	own=$(cpu "$dir/long" 'command="ustackd"')
	ok "long: $own ns are its own" awk -v own="$own" \
		'{ took = $2 } END { exit !(own <= (1.5 * took + 1) * 1e9) }' "$dir/watched"
	windows "$dir/long" >"$dir/windows"
	ok "long: windows leave gaps" python3 "$here/judge" gaps "$dir/windows" 0.05
	ok "long: windows are missing" python3 "$here/judge" covers "$dir/windows" "$seconds"
	costs long 10
	# without the kernel's part of each sample, which the budget has, too
	ok "long: the budget" python3 "$here/judge" share "$dir/watched" "${BUDGET-1}"
	printf 'long: %s s, %s processes, %.3f s of CPU time, %.3f s sampled, %s windows\n' "$seconds" \
		"$nr" "$(awk "BEGIN { print $truth / 1e9 }")" "$(awk "BEGIN { print $sum / 1e9 }")" \
		"$(wc -l <"$dir/windows")"
	[ -z "$before" ] || long_module "$before"
}

# usage: long_module WALKS: that there were before
long_module()
{
	local after sum

	after=$(walks)
	sum=$(walked "$dir/long")
	ok "long: $sum samples of $((after - $1)) walks" [ "$sum" = $((after - $1)) ]
	printf 'long: %s samples of user stacks, %s walks by the module\n' "$sum" $((after - $1))
	query "$dir/long" --series stack -V samples --step 1d 'command="burn"'
}
