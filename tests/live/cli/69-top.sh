# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests the command line of ustack top, and its messages if it cannot record; tests/live/tui/top tests the rest.
checks 36

bad_usage top -n 0
bad_usage top -d 0
bad_usage top -F 0
bad_usage top -p x
bad_usage top -p 1 -- true
bad_usage top --mode fast -a
run "$USTACK" top --stdio -- /nonexistent/program
status 1 "top: a command that is not there"
err "/nonexistent/program: No such file or directory$" "top: a command that is not there"
no_out "top: a command that is not there"
run "$USTACK" top --stdio -e no-such-event -n 1 -- true
status 1 "top: no such event"
err "no-such-event" "top: no such event"
run timeout --foreground 30 "$USTACK_ASAN" top --mode copy -n 2 -d 0.2 -F 199 -- timeout 10 sh -c 'while :; do :; done'
status 0 "top: two intervals"
check "top: two intervals" [ "$(grep -c '^# ustack top: ' "$T/out")" = 2 ]
run timeout --foreground 30 "$USTACK_ASAN" top -v --mode copy -n 1 -d 0.2 -F 199 -- timeout 10 sh -c 'while :; do :; done'
status 0 "top -v"
err '^ustack: stacks are taken by: copied$' "top -v"
err '^ustack: event cpu-clock: one sample in 5025125 ns' "top -v: the event"
run timeout --foreground 30 "$USTACK" top --mode copy -n 1 -d 0.2 -- sh -c 'exit 3'
status 0 "top: it ends with the command"
check "top: a full disk" bash -c '! timeout 30 "$1" top --mode copy -n 3 -d 0.2 -- sh -c "sleep 2" >/dev/full 2>/dev/null' _ "$USTACK"
