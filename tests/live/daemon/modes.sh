# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A part of tests/live/daemon/run: a long run with the default configuration, under the load whose CPU time
# is known. make daemon-modes runs it in two modes at the same time, and compares their costs.

# The default frequency in Hz, and the seconds after which it must be reached.
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
	# a rate that was lowered while tables were made must be restored by then
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
