# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Runs in the guest, once in each cycle: a profile of a program whose every stack is known,
# for the judge outside.
# usage: sh check.sh SECONDS N
cd /tmp || exit 1
perf record -q -o w.data -e cpu-clock/call-graph=fp/ -F 99 -- /w/workload-static leaf "$1" \
	>w.log 2>&1 && /perfdump w.data >"/out/soak/dump.$2" 2>w.log || { cat w.log; exit 1; }
rm -f w.data
