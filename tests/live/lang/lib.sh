# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Functions that record programs and compare the profiles with what the programs know; for scripts that
# also source tests/live/record/lib.sh. They set $here (this folder) and $ustack.

# options of each recording
record_options=()
# samples in a second of CPU time
frequency=997
# samples that sampled() waits for: emulated CPUs, which wait for this machine, miss many of them
least_samples=0

# usage: judged NAME HOW PERCENT [OPTION...] -- COMMAND: records COMMAND and compares with its log
judged()
{
	local name=$1 how=$2 percent=$3 options=()
	shift 3
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	echo "$name:"
	if ! PROBE_LOG=$PWD/$name "$ustack" record -q "${record_options[@]}" "${options[@]}" -o "$name.pb.gz" -- "$@" \
		>"$name.out" 2>"$name.err"; then
		tail -n 3 "$name.out" "$name.err"
		fail "$name: recorded"
		return
	fi
	check "$name: as the program says" "$here/judge" "$how" "$percent" "$name.pb.gz" "$name".*.[0-9]*
}

# usage: has_samples FILE: whether the recorder, whose messages (-v) are in FILE, has enough samples
has_samples()
{
	awk -v least="$least_samples" '$3 == "samples" && $4 == "in" { n += $2 } END { exit n < least }' "$1"
}

# usage: sampled NAME PID MS [OPTION...]: records PID into NAME.pb.gz for this much of its CPU time, and until
# there are $least_samples; so load does not change how many samples there are
sampled()
{
	local name=$1 pid=$2 ms=$3 recorder
	shift 3

	"$ustack" record -v -F "$frequency" "${record_options[@]}" "$@" -o "$name.pb.gz" -p "$pid" 2>"$name.err" &
	recorder=$!
	recorded $recorder "$pid" "$ms" || fail "$name: it does not begin"
	until_true eval "has_samples \"$name.err\" || is_gone $recorder" || fail "$name: few samples"
	kill -INT $recorder
	wait $recorder || fail "$name: recorded" "$(tail -n 3 "$name.err")"
}
