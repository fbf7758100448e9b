# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions that check profiles of tests/live/record/work.c. The script that sources this file sets
# $ustack, $what (a word for messages) and checks_name.

# shellcheck source=tests/lib/check.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/check.sh"
# shellcheck source=tests/lib/time.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/time.sh"
# seconds; the limit is reached only by a test that hangs
hang=300

is_gone() { ! kill -0 "$1" 2>/dev/null; }
has_events() { readlink /proc/"$1"/fd/* 2>/dev/null | grep -q 'perf_event'; }
cpu_ticks() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat" 2>/dev/null || echo 0; }
has_used() { is_gone "$1" || [ "$(cpu_ticks "$1")" -ge "$2" ]; }

# Whether the recorder samples. With -v it reports that, if the report can be read. Otherwise its perf
# events must exist; those that follow processes are opened first.
has_begun()
{
	local said

	said=$(readlink "/proc/$1/fd/2") || return 1
	if [ -f "$said" ] && tr '\0' '\n' <"/proc/$1/cmdline" | grep -qx -- -v; then
		grep -q '^ustack: recording ' "$said"
	else
		has_events "$1"
	fi
}

# usage: recording RECORDER: waits until it samples, or is gone
recording()
{
	until_true eval "has_begun $1 || is_gone $1"
}

# usage: spend PID MS: waits until the process has used this much more CPU time
spend()
{
	until_true has_used "$1" $(($(cpu_ticks "$1") + $2 * $(getconf CLK_TCK) / 1000))
}

# usage: recorded RECORDER PID MS: waits until RECORDER has recorded PID for this much CPU time
recorded()
{
	recording "$1" && spend "$2" "$3"
}

# usage: share PROFILE FUNCTION [OPTION...]: prints its total in hundredths of a percent
share()
{
	local profile=$1 function=$2

	shift 2
	"$ustack" report --children --percent-limit 0 "$@" "$profile" |
		awk -v f="$function" '$1 ~ /^[0-9.]+$/ && $8 == f { v = int($3 * 100 + 0.5); if (v > n) n = v }
				      END { print n + 0 }'
}

# usage: samples PROFILE [OPTION...]: prints their number; 0 without a profile
samples()
{
	local profile=$1

	shift
	"$ustack" report --value samples "$@" "$profile" |
		awk '/^# *value: samples, / { n = $4 } END { print n + 0 }'
}

# usage: near PROFILE FUNCTION PERCENT WHAT: checks its share of the samples of the loop, within
# five standard errors of a binomial
near()
{
	local n p

	n=$(samples "$1" -S inlined)
	p=$(share "$1" "$2" -S inlined)
	n=${n:-0}
	check "$what: $4: $2 has $p hundredths of a percent of $n samples, not $3 percent" \
		awk -v p="$p" -v want="$3" -v n="$n" 'BEGIN {
			if (n < 30)
				exit 1
			q = want / 100; e = 5 * sqrt(q * (1 - q) / n) * 10000 + 50;
			d = p - want * 100; if (d < 0) d = -d; exit d > e }'
}

# usage: most PROFILE FUNCTION WHAT [OPTION...]: all samples have it, except those of the
# program's start
most()
{
	local p

	p=$(share "$1" "$2" "${@:4}")
	check "$what: $3: $2 has $p hundredths of a percent" [ "$p" -ge 9000 ]
}

# usage: complete PROFILE: prints the share of complete stacks, in hundredths of a percent
complete()
{
	"$ustack" report "$1" | awk '/^# *stacks:.* complete/ { n = int($3 * 100 + 0.5) }
					      END { print n + 0 }'
}

# usage: whole PROFILE WHAT: at least 99 percent of the stacks are complete; a kernel thread has no
# stack, nor has a process within execve
whole()
{
	local p

	p=$("$ustack" report "$1" | sed -n 's/;.*//; s/^# *stacks: //p' | tr ',' '\n' |
		awk '{ sum += $1 } $3 ~ /^(complete|execve)$/ { good += $1 }
		     END { print sum ? int(good / sum * 10000 + 0.5) : 0 }')
	check "$what: $2: $p hundredths of a percent are whole" [ "$p" -ge 9900 ]
}
