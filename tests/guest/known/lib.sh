# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Functions of the judges of known stacks. Sourced by part.sh here and in supply/; needs
# tests/lib/check.sh, the variables of guest_arch, and $out.

# known_limits: sets seconds of each scenario, samples a second (hz), and the minimum of stacks
known_limits()
{
	minimum=800
	[ "$form" = full ] || minimum=500
	seconds=${KNOWN_SECONDS-1} hz=${KNOWN_HZ-199} minimum=${KNOWN_MINIMUM-$minimum}
}

# known_floors LIBC SCENARIO...: prints chaincheck's options for a minimum of whole samples of each
# scenario, whatever else the machine does: a scenario that was not sampled has shown nothing. Short
# processes are hardly ever sampled. LIBC is "no" if libc and ld.so have no table: then nearly all
# stacks of qsort and dlopen end there; with tables they must be whole.
known_floors()
{
	local name least libc=$1
	shift
	for name; do
		least=3
		[ "${name#*:}" != shorts ] || least=1
		[[ $libc:${name#*:} != no:@(qsort|dlopen) ]] || continue
		echo "-n ${name#*:}=$least"
		[ "$name" != clock ] || echo "-n [vdso]=$least"
	done | sort -u
}

# known_dump FOLDER: makes perf.txt from perf.data, if the guest has not made it
known_dump()
{
	[ -s "$1/perf.txt" ] || [ ! -s "$1/perf.data" ] || tests/guest/workload/perfdump "$1/perf.data" >"$1/perf.txt" 2>/dev/null || :
}

# known_accounts NAME FOLDER: checks that perf lost nothing, that the dump has everything, and that
# programs ran on all CPUs
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
	check "$1: programs were sampled on ${SMP-2} CPUs" [ "$(grep -c . "$2/cpus")" = "${SMP-2}" ]
}

# known_check NAME right|wrong VERSION DUMP OPTION...: right: every stack must be right. wrong:
# there must be enough stacks, and most must be wrong, as they are without the module.
known_check()
{
	local name=$1 expected=$2 version=$3 dump=$4 verdict=right W=build/workload
	shift 4
	[ -s "$dump" ] || { fail "$name" "no samples came back"; return; }
	"$W/chaincheck" -t "$W/$arch-$version/truth" -t "$known_truth" -c tests/guest/workload/chains \
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
