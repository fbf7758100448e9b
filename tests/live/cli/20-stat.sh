# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Tests ustack stat.
checks 31

fake "$USTACK" stat
status 0 "stat"
no_err "stat"
out '^complete stacks  97\.01 %$' "stat: the share is rounded down, and has no guesses"
out '^complete, guess +1\.00 %$' "stat: guessed ones apart"
out '^samples +101000$' "stat"
out '^frames +1919000, 19\.0 a sample$' "stat"
out '^steps by table +99\.44 % of 1800000$' "stat"
out '^steps guessed +123, in 45 stacks$' "stat"
out '^  COMPLETE +98999 +98\.01 %  the outermost frame was reached$' "stat"
out '^  REASON_90 +1 +0\.00 %  unknown reason$' "stat: reason of a newer module"
check "stat: the most frequent reason first" \
	bash -c "grep -n '^  [A-Z]' '$T/out' | sed 's/^[0-9]*:  //;s/ .*//' |
		tr '\n' ' ' | grep -qx 'COMPLETE NO_TABLE STACK_FAULT REASON_90 '"
out '^images +260, 210 with a table, 39\.1 KiB$' "stat"
out '^tables +12\.3 MiB of at most 64\.0 MiB$' "stat"
out '^processes +31, 500 bytes$' "stat"
out '^module +x86_64, interface 1, at most 127 frames a stack$' "stat"
out '^hooks +perf_callchain_user perf_event_mmap uprobe_dup_mmap exit_mmap$' "stat"
out '^not in place +unlink_anon_vmas: unmapped code is noticed late$' "stat"
out '^not in place +unwind_user: .*6\.19' "stat"

FAKE_DISABLED=1 fake "$USTACK" stat
out ', SWITCHED OFF$' "stat, switched off"

FAKE_EVENTS=none fake "$USTACK" stat
status 0 "stat without samples"
out '^complete stacks  -$' "stat without samples"

fake "$USTACK" stat --json
status 0 "stat --json"
check "stat --json: counters" json 'd[0]["samples"] == 101000 and d[0]["reasons"]["NO_TABLE"] == 1500'
check "stat --json: share" json 'abs(d[0]["complete"] - 97989/101000) < 1e-5'
check "stat --json: hooks" json 'd[0]["hooks"]["perf_event_mmap"] and not d[0]["hooks"]["unwind_user"]'
check "stat --json: state" json 'd[0]["enabled"] is True and d[0]["arch"] == "x86_64" and d[0]["table_bytes"] == 12900000'
FAKE_EVENTS=none fake "$USTACK" stat --json
check "stat --json without samples" json 'd[0]["complete"] is None and d[0]["reasons"] == {}'

# each line must be there at once, though stdout is no terminal
fake timeout --foreground -s INT 1 "$USTACK" stat -i 0.2
check "stat -i: ended by the signal" [ "$rc" -eq 124 ]
out '^ +1000 samples +19000 frames  complete  99\.90 %  STACK_FAULT 1$' "stat -i"
check "stat -i: one line each interval" [ "$(wc -l <"$T/out")" -ge 3 ]
fake timeout --foreground -s INT 1 "$USTACK" stat -i.2 --json
check "stat -i --json" json 'len(d) >= 3 and d[0]["samples"] == 1000 and d[0]["seconds"] == 0.2 and d[0]["reasons"]["COMPLETE"] == 999'
