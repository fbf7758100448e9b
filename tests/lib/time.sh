# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Time, for tests in bash: sourced after $hang is set, the seconds after which only a hang can
# be the cause.

# usage: until_true COMMAND...: waits until it succeeds; status 1 if it never does
until_true()
{
	local end=$((SECONDS + hang))

	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.05
	done
}

# Prints the ms that the hypervisor has taken from this machine's CPUs. Ticks come late then, and
# the kernel leaves that time out of its account, although an event's timer counts it.
stolen() { awk -v hz="$(getconf CLK_TCK)" '/^cpu / { print int($9 * 1000 / hz) }' /proc/stat; }
