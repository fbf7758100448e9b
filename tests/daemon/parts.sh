# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The parts of tests/daemon/run, which has the functions that they use.

# A load that is never the same process for long: its CPU time, as the kernel has it.
part_truth()
{
	local truth nr sum

	configuration "$dir/truth"
	start
	watch_costs 1
	read -r truth nr < <("$dir/burn" "$seconds" "$(nproc)")
	sleep 1.2
	stop
	sum=$(cpu "$dir/truth" 'command="burn"')
	# a sample is a period of one CPU; where it is begun and ended, one may be missing
	ok "truth: $sum ns of $truth ns, $nr processes" near "$sum" "$truth" $((3 * $(nproc) * 1000000000 / hz))
	windows "$dir/truth" >"$dir/windows"
	ok "truth: windows leave gaps" python3 "$here/judge" gaps "$dir/windows" 0.05
	# one that is late is one less: of a machine that is too busy some are, and of a CPU
	# that is emulated many
	[ -n "${APART-}" ] || ok "truth: few windows" [ "$(wc -l <"$dir/windows")" -ge $((seconds * 19 / 20)) ]
	ok "truth: windows are missing" python3 "$here/judge" covers "$dir/windows" "$seconds"
	says "samples $hz times a second" "truth"
	costs truth 20
	printf 'truth: %s processes, %.3f s of CPU time, %.3f s sampled, %s windows\n' "$nr" \
		"$(awk "BEGIN { print $truth / 1e9 }")" "$(awk "BEGIN { print $sum / 1e9 }")" \
		"$(wc -l <"$dir/windows")"
}

# kill -9 at any moment: all windows that were whole stay, none is there twice.
part_crashes()
{
	local i before now burn sum all

	configuration "$dir/crashes"
	# until it is killed: a start takes long on an emulated CPU
	"$dir/burn" $((crashes * 60 + 60)) 1 >/dev/null &
	burn=$!
	before=0
	for ((i = 0; i < crashes; i++)); do
		start
		sleep "$((RANDOM % 3)).$((RANDOM % 1000))"
		now=$(windows "$dir/crashes" | wc -l)
		crash
		ok "crash $i: $now windows were there, $(windows "$dir/crashes" | wc -l) are" \
			[ "$(windows "$dir/crashes" | wc -l)" -ge "$now" ]
		ok "crash $i: fewer windows than before" [ "$now" -ge "$before" ]
		before=$now
	done
	start
	sleep 1.5
	stop
	kill $burn 2>/dev/null || :
	windows "$dir/crashes" >"$dir/windows"
	# the load has one CPU all the time, if the machine has one for it
	sum=$(cpu "$dir/crashes" 'command="burn"')
	all=$(awk '{ sum += $2 } END { printf "%.0f", sum }' "$dir/windows")
	ok "crashes: $sum ns in windows of $all ns" [ $((sum * 10)) -le $((all * 11)) ]
	ok "crashes: no more than $sum ns in windows of $all ns" [ $((sum * 2)) -ge "$all" ]
	ok "crashes: a window is there twice" [ "$(sort "$dir/windows" | uniq -d | wc -l)" = 0 ]
	ok "crashes: nothing after the last" [ "$(wc -l <"$dir/windows")" -gt "$before" ]
	ok "crashes: the store is bad" query "$dir/crashes" --no-names -o "$dir/crashes.pb.gz" 2>"$dir/err"
	ok "crashes: $(cat "$dir/err")" [ ! -s "$dir/err" ]
}

# A disk that is full for a while: windows wait, and nothing is lost.
part_disk()
{
	local truth sum

	mkdir -p "$dir/disk"
	if ! mount -t tmpfs -o size=1m,mode=0700 tmpfs "$dir/disk" 2>/dev/null; then
		echo "disk: skipped: nothing can be mounted here"
		return
	fi
	configuration "$dir/disk/store"
	start
	read -r truth _ < <("$dir/burn" 1.5 1)
	head -c 2M /dev/zero >"$dir/disk/full" 2>/dev/null || :
	read -r sum _ < <("$dir/burn" 2.5 1)
	truth=$((truth + sum))
	says "windows wait in memory" "a full disk"
	rm "$dir/disk/full"
	sleep 2.2
	says "takes windows again" "a disk that has room again"
	stop
	sum=$(cpu "$dir/disk/store" 'command="burn"')
	ok "disk: $sum ns of $truth ns" near "$sum" "$truth" $((3 * $(nproc) * 1000000000 / hz))
	windows "$dir/disk/store" >"$dir/windows"
	ok "disk: windows leave gaps" python3 "$here/judge" gaps "$dir/windows" 0.05
	umount "$dir/disk"
}

# usage: reload [STATUS]: the configuration is read again
reload()
{
	local before

	before=$(grep -c '^READY=1' "$dir/told")
	kill -HUP $pid
	for _ in {1..100}; do
		[ "$(grep -c '^READY=1' "$dir/told")" = "$before" ] || return 0
		sleep 0.05
	done
	fail "it does not read its configuration again"
}

# What a reload asks for may be more than the machine can do: the kernel takes more files for
# its stacks than there may be. Who has sampled goes on as before.
cannot()
{
	local most truth sum

	configuration "$dir/cannot"
	start
	sleep 1.2
	most=$(($(find "/proc/$pid/fd" | wc -l) + 12))
	python3 -c "import resource
resource.prlimit($pid, resource.RLIMIT_NOFILE, ($most, $most))"
	sed -i 's/mode: copy/mode: bpf/' "$dir/config.yaml"
	reload
	sleep 0.5
	read -r truth _ < <("$dir/burn" 3 1)
	sleep 1.2
	says "cpu-clock: too many open files.*what was read before holds again" "what cannot be"
	stop
	sum=$(cpu "$dir/cannot" 'command="burn"')
	ok "cannot: $sum ns of $truth ns" near "$sum" "$truth" $((3 * $(nproc) * 1000000000 / hz))
}

part_reload()
{
	local truth sum burn

	configuration "$dir/reload"
	start
	"$dir/burn" 6 1 >"$dir/burnt" &
	burn=$!
	sleep 1.3
	configuration "$dir/reload" "nonsense: 1"
	reload
	says "nonsense" "a configuration that does not hold"
	configuration "$dir/reload" "relabel:" \
		"  - { source_labels: [__command], target_label: program }" \
		"  - { source_labels: [__stack], target_label: stack }"
	reload
	sleep 1.5
	sed -i "s/frequency: $hz/frequency: 251/" "$dir/config.yaml"
	reload
	wait $burn
	sleep 1.2
	stop
	read -r truth _ <"$dir/burnt"
	sum=$(($(cpu "$dir/reload" 'command="burn"') + $(cpu "$dir/reload" 'program="burn"')))
	ok "reload: $sum ns of $truth ns" near "$sum" "$truth" $((4 * $(nproc) * 1000000000 / hz))
	[ "$mode" != copy ] || cannot
	ok "reload: no label of the new rules" [ "$(cpu "$dir/reload" 'program="burn"')" -gt 1000000000 ]
	windows "$dir/reload" >"$dir/windows"
	ok "reload: windows leave gaps" python3 "$here/judge" gaps "$dir/windows" 0.05
}

# A budget that nothing fits into: fewer samples, the same sum.
part_budget()
{
	local truth sum

	configuration "$dir/budget"
	sed -i "s/cpu_budget: 0/cpu_budget: 0.01%\n  min_frequency: 19/; s/frequency: $hz/frequency: 499/" \
		"$dir/config.yaml"
	start
	read -r truth _ < <("$dir/burn" 8 1)
	sleep 1.2
	stop
	says "the frequency is lowered" "a budget"
	sum=$(cpu "$dir/budget" 'command="burn"')
	ok "budget: $sum ns of $truth ns" near "$sum" "$truth" $((8 * 1000000000 / 19))
	sum=$(($(last "$dir/budget" cpu) / $(last "$dir/budget" samples)))
	ok "budget: the last period is $sum ns" [ $sum = $((1000000000 / 19)) ]
}

# A service that has far more samples than it should: a part is kept, and stands for all. A
# reload that changes nothing of that does not begin again with all of them.
part_thin()
{
	local truth sum port burn all left_out all_before left_out_before

	port=$(free_port)
	configuration "$dir/thin"
	sed -i "s/^sampling:/sampling:\n  samples_per_hour: { label: command, targets: { burn: 1000 } }/
		s/listen: \[\]/listen: ['127.0.0.1:$port']/; s/frequency: $hz/frequency: 999/" "$dir/config.yaml"
	start
	"$dir/burn" 8 1 >"$dir/burnt" &
	burn=$!
	sleep 4
	read -r all_before left_out_before < <(thinned "$port")
	printf '%s\n' "labels: { a: b }" >>"$dir/config.yaml"
	reload
	wait $burn
	sleep 2.2
	read -r all left_out < <(thinned "$port")
	stop
	read -r truth _ <"$dir/burnt"
	sum=$(cpu "$dir/thin" 'command="burn"')
	# some 1,700 of 8,000 samples, whose sum has a deviation of 4 %
	ok "thin: $sum ns of $truth ns" near "$sum" "$truth" $((truth / 5))
	ok "thin: $left_out of $all samples are left out" [ $((left_out * 2)) -gt "$all" ]
	# a sixteenth is kept then, or a third of what a service begins with
	ok "thin: $left_out_before of $all_before before the reload, then $left_out of $all" \
		[ $(((left_out - left_out_before) * 4)) -gt $(((all - all_before) * 3)) ]
	printf 'thin: %s of %s samples left out, %.3f s of CPU time, %.3f s told\n' "$left_out" "$all" \
		"$(awk "BEGIN { print $truth / 1e9 }")" "$(awk "BEGIN { print $sum / 1e9 }")"
}

# usage: thinned PORT: samples, and those that were left out
thinned()
{
	curl -s -m 5 "http://127.0.0.1:$1/metrics" | awk '
		$1 == "ustack_samples_total" { all = $2 }
		$1 == "ustack_samples_thinned_total" { thinned = $2 }
		END { printf "%.0f %.0f\n", all, thinned }'
}

# A window that is longer than systemd's patience: it is told that somebody is there.
part_alive()
{
	configuration "$dir/alive"
	sed -i 's/window: 1s/window: 10m/' "$dir/config.yaml"
	start
	sleep 3.5
	ok "alive: told $(grep -c WATCHDOG=1 "$dir/told") times" [ "$(grep -c WATCHDOG=1 "$dir/told")" -ge 2 ]
	stop
	ok "alive: a window that is ended early is not there" [ "$(windows "$dir/alive" | wc -l)" = 1 ]
}

# Waits, which only the kernel can count: without the module its own stacks do.
part_waits()
{
	local sum

	configuration "$dir/waits"
	sed -i "s/mode: $mode/mode: auto\n  off_cpu: 1ms/" "$dir/config.yaml"
	start
	sleep 0.3
	python3 -c 'import time
open("/proc/self/comm", "w").write("waiter")
for i in range(40): time.sleep(0.05)'
	sleep 1.2
	stop
	sum=$(query "$dir/waits" --series command -V off-cpu --step 1d --json 'command="waiter"' |
		python3 "$here/judge" sum)
	ok "waits: $sum ns of 2 s" near "$sum" 2000000000 300000000
}
