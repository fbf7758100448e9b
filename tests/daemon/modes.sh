# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A part of tests/daemon/run: the daemon as it is installed, for long, under the load whose CPU time
# is known. make daemon-modes runs it in two modes at a time, and compares what they cost.

# Hertz as it is installed, and seconds after which it has to sample so often.
installed_hz=19
starts_within=30

part_modes()
{
	local began=$SECONDS burn

	printf '%s\n' "sampling: { mode: $mode }" "supply: false" "store: { path: $dir/store }" \
		"http: { listen: ['127.0.0.1:0'] }" >"$dir/config.yaml"
	start
	"$here/watch" "$pid" 2 >"$dir/watched" &
	"$here/resident" "$pid" 2 >"$dir/resident" &
	await "it serves" serves
	begin_load "$dir/burnt"
	# a rate that is lowered meanwhile, as tables are made, has to be back by then
	sleep $((began + starts_within > SECONDS ? began + starts_within - SECONDS : 0))
	check "modes: $installed_hz Hz $starts_within s after the start" \
		metric_is ustack_sampling_frequency_hertz "$installed_hz"
	sleep "$seconds"
	echo "modes: $mode: the rate was lowered $(metric 'ustack_cpu_budget_changes_total{direction="down"}') times"
	end_load
	stored "$dir/store"
	stop
	judged "CPU time, $mode" near "$(cpu "$dir/store")" "$installed_hz" "${APART-5}" 1 "$dir/burnt"
	whole "$dir/store" 1
	python3 "$here/judge" costs "$dir/watched"
}
