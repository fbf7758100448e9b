# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Parts of tests/live/daemon/run about sampling and storing. lib.sh has the functions that they use.

# The CPU time of a load whose processes live only for milliseconds is what the kernel counted.
part_truth()
{
	local cpus nr elapsed least=30

	cpus=$(nproc)
	[ -z "${BURN-}" ] || least=2
	configuration "$dir/truth"
	start
	"$here/watch" "$pid" 0.5 >"$dir/watched" &
	load "$dir/burnt" $((seconds * cpus)) "$cpus"
	await "ten windows" has_windows "$dir/truth" 10
	stop
	read -r _ nr elapsed _ <"$dir/burnt"
	judged "CPU time" near "$(cpu "$dir/truth")" "$hz" "${APART-5}" "$cpus" \
		"$dir/burnt"
	# burn.c gives each process 20 ms of CPU time; an emulator takes long to begin and end one
	check "truth: $nr processes ran" [ "$nr" -ge $((seconds * cpus * least)) ]
	whole "$dir/truth" 10
	judged "windows are of all the time" covers "$dir/windows" "$elapsed"
	says "samples $hz times a second"
	python3 "$here/judge" costs "$dir/watched"
	# part "long" does the same for minutes
	printf 'truth: %s processes, %s windows\n' "$nr" "$(wc -l <"$dir/windows")"
}

# kill -9 at any moment: all windows that were whole stay, none occurs twice, and time is missing only
# from a crash to the next start. Another load runs all the time.
part_crashes()
{
	local i before now burn

	configuration "$dir/crashes"
	: >"$dir/burnt"
	begin_load /dev/null other
	before=0
	for ((i = 0; i < crashes; i++)); do
		start
		load "$dir/burnt" "$half"
		stored "$dir/crashes"
		# a random moment within some windows
		sleep "0.$((RANDOM % 1000))"
		windows "$dir/crashes" >"$dir/windows.$i"
		now=$(wc -l <"$dir/windows.$i")
		ended KILL
		windows "$dir/crashes" >"$dir/windows"
		check "crash $i: the $now windows that were there are still the first" \
			[ "$(<"$dir/windows.$i")" = "$(head -n "$now" "$dir/windows")" ]
		check "crash $i: $now windows after $before" [ "$now" -gt "$before" ]
		before=$now
	done
	start
	load "$dir/burnt" "$half"
	end_load
	stop
	judged "CPU time" near "$(cpu "$dir/crashes")" "$hz" "${APART-5}" 1 "$dir/burnt"
	windows "$dir/crashes" >"$dir/windows"
	# time is missing only from a crash to the next start
	judged "windows" whole "$dir/windows" $((before + 1)) "$crashes"
	check "crashes: the store is good" query "$dir/crashes" --no-names -o "$dir/crashes.pb.gz" 2>"$dir/err"
	check "crashes: nothing is bad: $(cat "$dir/err")" [ ! -s "$dir/err" ]
}

# While the disk is full for some time, windows wait in memory, and nothing is lost.
part_disk()
{
	mkdir -p "$dir/disk"
	if ! mount -t tmpfs -o size=4m,mode=0700 tmpfs "$dir/disk" 2>/dev/null; then
		skip "disk" "nothing can be mounted here"
		return
	fi
	configuration "$dir/disk/store"
	: >"$dir/burnt"
	start
	load "$dir/burnt" "$half"
	head -c 8M /dev/zero >"$dir/disk/full" 2>/dev/null || :
	load "$dir/burnt" "$half"
	says "windows wait in memory"
	rm "$dir/disk/full"
	says "takes windows again"
	stop
	judged "CPU time" near "$(cpu "$dir/disk/store")" "$hz" "${APART-5}" 1 \
		"$dir/burnt"
	whole "$dir/disk/store" 3
	umount "$dir/disk"
}

answered() { [ "$(grep -c '^READY=1' "$dir/told")" -gt "$1" ]; }
# Makes the daemon read its configuration again, and waits until it has.
reload()
{
	local before

	before=$(grep -c '^READY=1' "$dir/told")
	kill -HUP "$pid"
	await "the configuration is read again" answered "$before"
}

# A reload may ask for something that the machine cannot do: without the kernel's types no eBPF
# program can be loaded. Then a daemon that has sampled before goes on with its old configuration.
part_cannot()
{
	local RUNNER="unshare -m"

	configuration "$dir/cannot"
	if ! unshare -m true 2>/dev/null; then
		skip "cannot" "no namespace can be made here"
		return
	fi
	: >"$dir/burnt"
	start
	[ ! -d /sys/kernel/btf ] || nsenter -t "$pid" -m -r mount -t tmpfs none /sys/kernel/btf
	sed -i 's/mode: copy/mode: bpf/' "$dir/config.yaml"
	reload
	says "has no BTF.*the previous configuration is in use again"
	# nothing is sampled before that
	await "it samples again" answered 2
	load "$dir/burnt" "$enough"
	stop
	judged "CPU time" near "$(cpu "$dir/cannot")" "$hz" "${APART-5}" 1 "$dir/burnt"
}

# A load runs during reloads, and none of its samples is lost. A second load begins when the new rules
# are in use.
part_reload()
{
	local burn

	configuration "$dir/reload"
	start
	begin_load "$dir/burnt"
	: >"$dir/burnt.ruled"
	stored "$dir/reload"
	configuration "$dir/reload" "nonsense: 1"
	reload
	says "nonsense"
	configuration "$dir/reload" "relabel:" \
		"  - { source_labels: [__command], target_label: program }" \
		"  - { source_labels: [__stack], target_label: stack }"
	reload
	load "$dir/burnt.ruled" "$enough" 1 ruled
	stored "$dir/reload"
	sed -i "s/frequency: $hz/frequency: $((hz * 2))/" "$dir/config.yaml"
	reload
	stored "$dir/reload"
	stored "$dir/reload"
	end_load
	stop
	# chance counts by the lower rate
	judged "CPU time" near \
		$(($(cpu "$dir/reload") + $(cpu "$dir/reload" "program=\"$(named)\""))) \
		"$hz" "${APART-5}" 1 "$dir/burnt"
	judged "CPU time by the new rules" near "$(cpu "$dir/reload" "program=\"$(named ruled)\"")" "$hz" \
		"${APART-5}" 1 "$dir/burnt.ruled"
	check "reload: nothing by the old rules" [ "$(cpu "$dir/reload" "command=\"$(named ruled)\"")" = 0 ]
	whole "$dir/reload" 4
	[ "$mode" != copy ] || part_cannot
}

# usage: has_room STORE ROOM: whether some window has the machine's label room="ROOM"
has_room()
{
	query "$1" -o "$dir/rooms.pb.gz" 2>/dev/null &&
		zcat "$dir/rooms.pb.gz" | grep -a "labels: {[^}]*\"room\":\"$2\"" >/dev/null
}

# Files of conf.d override the configuration, also in the serving process. Values come from the
# environment. SIGHUP makes the daemon read all files again.
part_dropins()
{
	local port

	# shellcheck disable=SC2016 # the daemon expands it
	configuration "$dir/dropins" 'labels: { room: "${DROPIN_ROOM}" }'
	rm -rf "$dir/conf.d"
	mkdir "$dir/conf.d"
	echo "http: { listen: ['127.0.0.1:0'] }" >"$dir/conf.d/10-http.yaml"
	DROPIN_ROOM=first start
	await "it serves what a file beside the configuration says" serves
	await "the environment's value is in windows" has_room "$dir/dropins" first
	echo "labels: { room: [ }" >"$dir/conf.d/20-room.yaml"
	reload
	says "conf.d/20-room.yaml: line 1, column 19: .*the previous configuration stays in use"
	echo "labels: { room: 'second of \${DROPIN_ROOM}' }" >"$dir/conf.d/20-room.yaml"
	reload
	await "a later file overrides it" has_room "$dir/dropins" "second of first"
	stop
	rm -rf "$dir/conf.d"
}

# A budget that is always exceeded gives fewer samples, but the same sum.
part_budget()
{
	local least=$hz burn period

	configuration "$dir/budget"
	sed -i "s/cpu_budget: 0/cpu_budget: 0.01%\n  min_frequency: $least/
		s/^  frequency: $hz\$/  frequency: $((hz * 4))/; s/listen: \[\]/listen: ['127.0.0.1:0']/" \
		"$dir/config.yaml"
	start
	await "it serves" serves
	begin_load "$dir/burnt"
	await "the rate is the least" metric_is ustack_sampling_frequency_hertz "$least"
	: >"$dir/burnt.least"
	load "$dir/burnt.least" "$enough" 1 least
	end_load
	stored "$dir/budget"
	stop
	says "the frequency is lowered"
	judged "CPU time" near "$(cpu "$dir/budget")" "$least" "${APART-5}" 1 "$dir/burnt"
	judged "CPU time at the least rate" near "$(cpu "$dir/budget" "command=\"$(named least)\"")" "$least" \
		"${APART-5}" 1 "$dir/burnt.least"
	period=$(($(last "$dir/budget" cpu) / $(last "$dir/budget" samples)))
	check "budget: the last period is $period ns" [ $period = $((1000000000 / least)) ]
}

# usage: sampling_at BUDGET: starts the daemon at four samples a second, without any table, and a
# process to sample, whose number is in the variable busy
sampling_at()
{
	rm -rf "$dir/cache/sframe"
	configuration "$dir/tables"
	sed -i "s/cpu_budget: 0/cpu_budget: $1/; s/^  window: .*/  window: 2s/
		s/^  frequency: $hz\$/  frequency: 4/; s/listen: \[\]/listen: ['127.0.0.1:0']/" \
		"$dir/config.yaml"
	start
	await "it serves" serves
	python3 -c 'while True: pass' &
	busy=$!
}
# usage: took_more_than PERCENT: whether the last window took more than PERCENT of all CPUs; the
# ratio is in the variable used
took_more_than()
{
	used=$(metric ustack_cpu_used_ratio)
	awk -v least="$1" '{ exit !($1 * 100 > least) }' <<<"$used"
}

# The budget is half of what the first window took on this machine. Making tables of new programs
# takes more than that, but samples take less. So the rate stays.
part_tables()
{
	local budget busy used

	[ "$mode" = copy ] || { skip "tables" "stacks are not copied"; return; }
	sampling_at 0
	await "a window says what it took" took_more_than 0
	# from the same window, because the next one takes less
	budget=$(awk '{ printf "%.4f", 50 * $1 }' <<<"$used")
	kill "$busy"
	stop
	sampling_at "$budget%"
	await "it takes more than $budget %" took_more_than "$budget"
	# by now the rate would be lower if the tables had been charged
	stored "$dir/tables"
	kill "$busy"
	check "tables: the rate stays" metric_is ustack_sampling_frequency_hertz 4
	check "tables: it has not been lowered" metric_is 'ustack_cpu_budget_changes_total{direction="down"}' 0
	stop
}

# usage: thinned STORE: waits until a window of this moment is stored, and sets kept and left: how many
# samples of the load were kept and left out. The metric follows a window later.
thinned()
{
	stored "$1"
	stored "$1"
	kept=$(summed "$1" samples)
	left=$(metric ustack_samples_thinned_total)
}

# If a service has far more samples than its target, a part is kept that represents all. A reload that
# does not change the targets does not begin again with keeping all.
part_thin()
{
	local kept left kept_before left_before rate=$((hz * 5))

	configuration "$dir/thin"
	sed -i "s/^sampling:/sampling:\n  samples_per_hour: { label: command, targets: { $(named): 500 } }/
		s/listen: \[\]/listen: ['127.0.0.1:0']/; s/frequency: $hz\$/frequency: $rate/" \
		"$dir/config.yaml"
	: >"$dir/burnt"
	start
	await "it serves" serves
	load "$dir/burnt" "$enough"
	thinned "$dir/thin"
	kept_before=$kept left_before=$left
	printf '%s\n' "labels: { a: b }" >>"$dir/config.yaml"
	reload
	await "another one serves" serves "$front"
	load "$dir/burnt" "$enough"
	thinned "$dir/thin"
	stop
	# the estimated sum has a standard deviation of sqrt(2 / 500)
	judged "CPU time" near "$(cpu "$dir/thin")" "$rate" 35 1 "$dir/burnt"
	# of 900 later samples a tenth is kept; if thinning began again, two fifths or more would be
	kept=$((kept - kept_before)) left=$((left - left_before))
	check "thin: $left left out and $kept kept after the reload, $left_before and $kept_before before" \
		[ $left -gt $((kept * 4)) ]
	printf 'thin: %s samples left out and %s kept, then %s and %s\n' "$left_before" "$kept_before" \
		"$left" "$kept"
}

# Memory does not grow with the number of windows while the load stays the same. malloc() is told to return
# free memory to the kernel, because the memory of the first tables would hide hundreds of windows.
part_memory()
{
	local burn RUNNER="env MALLOC_MMAP_THRESHOLD_=4096 MALLOC_MMAP_MAX_=1000000 MALLOC_TRIM_THRESHOLD_=0"

	configuration "$dir/memory"
	sed -i "s/listen: \[\]/listen: ['127.0.0.1:0']/; s/window: .*/window: ${MEMORY_WINDOW-100ms}/" "$dir/config.yaml"
	start
	await "it serves" serves
	begin_load /dev/null
	timeout "$hang" "$here/growth" "$pid" "$port" >"$dir/growth" || :
	end_load
	stop
	judged "memory" calm "$dir/growth"
}

told() { [ "$(grep -c "$1" "$dir/told")" -ge "$2" ]; }
# During a window that is longer than systemd's watchdog, the daemon still sends signs of life.
part_alive()
{
	configuration "$dir/alive"
	sed -i "s/window: $window/window: 10m/" "$dir/config.yaml"
	start
	await "systemd is told twice" told WATCHDOG=1 2
	stop
	check "alive: the window that is ended early is there" [ "$(windows "$dir/alive" | wc -l)" = 1 ]
}

# Waits are sampled; without the module their stacks are the kernel's own.
part_waits()
{
	local least most sum waiter whole

	configuration "$dir/waits"
	sed -i "s/mode: $mode/mode: auto\n  off_cpu: 1ms/" "$dir/config.yaml"
	start
	rm -f "$dir/waited"
	"$here/waiter" "$(named waiter)" >"$dir/waited" &
	waiter=$!
	await "somebody has waited" [ -s "$dir/waited" ]
	tabled "$dir/waits"
	load "$dir/burnt" "$half"
	stop
	# a wait that is not over when the daemon ends counts, too
	kill $waiter
	wait $waiter
	read -r least most < <(tail -n 1 "$dir/waited")
	sum=$(summed "$dir/waits" off-cpu "command=\"$(named waiter)\"")
	check "waits: $sum ns, of $least at least" [ "$sum" -ge "$least" ]
	check "waits: $sum ns, of $most at most" [ "$sum" -le "$most" ]
	# with or without the module, sampling waits does not make stacks on the CPU less complete
	whole=$("$ustack" query -q --no-names --json -V cpu -s "$dir/waits" "command=\"$(named)\"" |
		python3 -c 'import json, sys
stacks = json.load(sys.stdin)["stacks"]
print(100 * (stacks.get("complete", 0) + stacks.get("kernel", 0)) // (sum(stacks.values()) or 1))')
	check "waits: beside them ${whole:-no} percent of the CPU's stacks are complete" [ "${whole:-0}" -ge 90 ]
}
