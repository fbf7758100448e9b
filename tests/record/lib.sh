# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What a profile says about tests/record/work.c. For scripts that set $ustack and $what,
# a word for messages; $failed becomes 1.
failed=0

fail()
{
	echo "FAILED: $what: $1" >&2
	failed=1
}

# usage: share PROFILE FUNCTION [OPTION...]: its total in hundredths of a percent
share()
{
	local profile=$1 function=$2

	shift 2
	"$ustack" report --children --percent-limit 0 "$@" "$profile" |
		awk -v f="$function" '$1 ~ /^[0-9.]+$/ && $8 == f { v = int($3 * 100 + 0.5); if (v > n) n = v }
				      END { print n + 0 }'
}

# usage: samples PROFILE [OPTION...]
samples()
{
	local profile=$1

	shift
	"$ustack" report --value samples "$@" "$profile" | sed -n 's/^# *value: samples, \([0-9]*\) in all/\1/p'
}

# usage: near PROFILE FUNCTION PERCENT WHAT: of the samples of the loop, within
# five standard errors of a binomial
near()
{
	local n p

	n=$(samples "$1" -S inlined)
	p=$(share "$1" "$2" -S inlined)
	awk -v p="$p" -v want="$3" -v n="$n" 'BEGIN {
		q = want / 100; e = 5 * sqrt(q * (1 - q) / n) * 10000 + 50;
		d = p - want * 100; if (d < 0) d = -d; exit !(n >= 30 && d <= e) }' ||
		fail "$4: $2 has $p hundredths of a percent of $n samples, not $3 percent"
}

# usage: most PROFILE FUNCTION WHAT [OPTION...]: all samples but those of the program's start
most()
{
	local p

	p=$(share "$1" "$2" "${@:4}")
	[ "$p" -ge 9000 ] || fail "$3: $2 has $p"
}

# usage: complete PROFILE: samples with a whole stack, in hundredths of a percent
complete()
{
	"$ustack" report "$1" | awk '/^# *stacks:.* complete/ { n = int($3 * 100 + 0.5) }
					      END { print n + 0 }'
}

# usage: whole PROFILE WHAT: at least 99 percent of the stacks are whole, of those that there
# are: a kernel thread has none, nor has a process between two programs
whole()
{
	local p

	p=$("$ustack" report "$1" | sed -n 's/^# *stacks: //p' | tr ',' '\n' |
		awk '{ sum += $1 } $3 ~ /^(complete|kernel|execve)$/ { good += $1 }
		     END { print sum ? int(good / sum * 10000 + 0.5) : 0 }')
	[ "$p" -ge 9900 ] || fail "$2: $p hundredths of a percent are whole"
}
