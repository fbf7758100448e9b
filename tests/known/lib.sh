# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# What the judges of known answers share. Sourced by part.sh here and in supply/; wants
# tests/lib/check.sh, guest_arch's variables and $out.

# known_limits: sets seconds of each scenario, samples a second (hz), and the minimum of stacks
known_limits()
{
	minimum=800
	[ "$form" = full ] || minimum=500
	seconds=${KNOWN_SECONDS-1} hz=${KNOWN_HZ-199} minimum=${KNOWN_MINIMUM-$minimum}
}

# known_floors LIBC SCENARIO...: chaincheck's options for at least so many whole samples of
# each, whatever the machine does beside it: one that was not sampled has shown nothing. Short
# processes are hardly ever met. LIBC is "no" if libc and ld.so have no table: nearly all
# stacks of qsort and dlopen end there; with the tables they are demanded.
known_floors()
{
	local name least libc=$1
	shift
	for name; do
		least=3
		[ "${name#*:}" != shorts ] || least=1
		[[ $libc:${name#*:} != no:@(qsort|dlopen) ]] || continue
		echo "-n ${name#*:}=$least"
	done | sort -u
}

# known_dump FOLDER: perf.txt of perf.data, where the guest has not made it
known_dump()
{
	[ -s "$1/perf.txt" ] || [ ! -s "$1/perf.data" ] || tests/workload/perfdump "$1/perf.data" >"$1/perf.txt" 2>/dev/null || :
}

# known_accounts NAME FOLDER: perf lost nothing, and all that it has is in the dump
known_accounts()
{
	local stats=$2/perf.stats samples lost dumped
	samples=$(awk '/ SAMPLE events:/ { print $3; exit }' "$stats" 2>/dev/null)
	lost=$(awk '/ LOST(_SAMPLES)? events:/ { n += $3 } END { print n + 0 }' "$stats" 2>/dev/null)
	dumped=$(grep -cE '^[^[:space:]].* [0-9]+\.[0-9]+: +(cpu-clock|cycles)' "$2/perf.txt" 2>/dev/null)
	if [ -n "$samples" ] && [ "$samples" = "$dumped" ] && [ "$lost" = 0 ]; then
		pass "$1: perf's accounts"
	else
		fail "$1: perf's accounts" "${samples:-no} samples, $lost lost; $dumped in the dump"
	fi
}

# known_check NAME right|wrong VERSION DUMP OPTION...: right: every stack is. wrong: there
# are enough of them, and most are wrong; so they are without the module.
known_check()
{
	local name=$1 expected=$2 version=$3 dump=$4 verdict=right W=build/workload
	shift 4
	[ -s "$dump" ] || { fail "$name" "no samples came back"; return; }
	"$W/chaincheck" -t "$W/$arch-$version/truth" -t "$known_truth" -c tests/workload/chains \
		"$@" "$dump" >"$dump.verdict" 2>&1 || verdict=wrong
	if [ "$verdict" = wrong ] && [ "$expected" = wrong ]; then
		# samples N, checked N, whole N, in-libc N, wrong N
		awk '/^TOO FEW/ { few = 1 } /^samples / { checked = $4 + 0; bad = $10 + 0 }
			END { exit few || !checked || 2 * bad < checked }' "$dump.verdict" || verdict=few
	fi
	if [ "$verdict" = "$expected" ]; then
		pass "$name"
		echo "ok $name: $(grep '^samples ' "$dump.verdict")"
		return
	fi
	fail "$name" "it is $verdict, not $expected"
	head -n 40 "$dump.verdict" | sed 's/^/    /'
	tail -n 2 "$dump.verdict" | sed 's/^/    /'
}
