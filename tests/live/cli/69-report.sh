# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack report: each view of a profile whose contents are known, as text and as JSON.
checks 173

R=$T/report
mkdir -p "$R"
python3 tests/live/cli/profiles.py "$R"

run "$USTACK" report --percent-limit 0 "$R/a"
status 0 "report"
no_err "report"
check "report: functions" cmp "$T/out" - <<'END'
#    value: cpu, 1.000 s in all
#   stacks: 95.00 % complete, 5.00 % no_table
#
#  self    total           self  image                 function
 60.00 %  60.00 %   600.000 ms  prog                  step (inlined)
 25.00 %  35.00 %   250.000 ms  prog                  light
 10.00 %  10.00 %   100.000 ms  [kernel.kallsyms]     read
  5.00 %   5.00 %    50.000 ms  prog                  prog+0x4242
  0.00 %  60.00 %     0.000 ms  prog                  heavy
  0.00 % 100.00 %     0.000 ms  prog                  main
  0.00 %  60.00 %     0.000 ms  prog                  work
END
cp "$T/out" "$T/report.text"
run "$USTACK" report "$R/outcomes"
out '^#   stacks: 99\.97 % complete, 0\.01 % guessed, 0\.01 % no_table; 10\.00 % of all have none: threads of the kernel$' \
	"report: what has no user's stack is apart"
run "$USTACK" report "$R/kernel"
out '^#   stacks: 100\.00 % of all have none: threads of the kernel$' "report: threads of the kernel alone"
run "$USTACK" report -v --percent-limit 0 "$R/a"
status 0 "report -v"
check "report -v prints what report does" cmp "$T/report.text" "$T/out"
err "^ustack: $R/a: [0-9]+ different samples of [0-9]+ stacks, [0-9]+ addresses and [0-9]+ functions$" \
	"report -v"
err '^ustack: value cpu, in nanoseconds$' "report -v: values"
err '^ustack: /usr/bin/prog, build id unknown: 4 of 5 addresses have names$' "report -v: files"
run "$USTACK" report -g -n --percent-limit 8 -i "$R/a"
check "report -g -n" cmp <(grep -v '^#' "$T/out") - <<'END'
 95.00 %   0.00 %   950.000 ms        950  prog
 95.00 %   0.00 %   950.000 ms        950    main
 60.00 %   0.00 %   600.000 ms        600      heavy
 60.00 %   0.00 %   600.000 ms        600        work
 60.00 %  60.00 %   600.000 ms        600          step (inlined)
 35.00 %  25.00 %   350.000 ms        350      light
 10.00 %  10.00 %   100.000 ms        100        read
END
run "$USTACK" report -G -S light --value samples "$R/a"
check "report -G: samples with a function" cmp <(grep -v '^# total' "$T/out") - <<'END'
#    value: samples, 350 in all
#   stacks: 100.00 % complete
#
 71.43 %   0.00 %          250  light
 71.43 %  71.43 %          250    main
 28.57 %   0.00 %          100  read
 28.57 %   0.00 %          100    light
 28.57 %  28.57 %          100      main
END
run "$USTACK" report -s comm,pid,dso,sym "$R/a"
check "report --sort" cmp <(grep -v '^#' "$T/out") - <<'END'
 60.00 %  60.00 %   600.000 ms  prog                  7         prog                  step
 25.00 %  35.00 %   250.000 ms  prog                  7         prog                  light
 10.00 %  10.00 %   100.000 ms  prog                  7         [kernel.kallsyms]     read
  5.00 %   5.00 %    50.000 ms  other                 9         prog                  prog+0x4242
  0.00 %                         4 more
END
run "$USTACK" report -s thread,cgroup,tid --no-inline --rows 1 "$R/a"
check "report --sort: of samples alone" cmp <(grep -v '^#' "$T/out") - <<'END'
 95.00 %  95.00 %   950.000 ms  worker                /a                    8
  5.00 %                         1 more
END
run "$USTACK" report -s srcfile,srcline --children "$R/a"
out "^ 95\\.00 % +100\\.00 % +950\\.000 ms  prog\\.c +prog\\.c:10$" "report --sort srcline"
run "$USTACK" report -c nobody,other --tid 8,9 "$R/a"
out "value: cpu, 50\\.000 ms in all" "report: lists of names"
out "stacks: 100\\.00 % no_table$" "report: stacks of what is looked at"

# control characters in names are not sent to the terminal
for view in -g "-s comm,symbol" "" -l; do
	# shellcheck disable=SC2086
	run "$USTACK" report --stdio --percent-limit 0 --children $view "$R/odd"
	status 0 "report $view: odd names"
	check "report $view: odd names" python3 - "$T/out" <<'END'
import sys, unicodedata
text = open(sys.argv[1], encoding="utf-8").read()
assert "caf\u00e9 \u65e5\u672c" in text and r"ma\033[31min" in text and r"c1\302\2332J" in text
assert not [c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")]
END
done

run "$USTACK" report --json -n "$R/a"
check "report --json" json '(len(d) == 1 and d[0]["all"] == 10**9 and d[0]["type"] == "cpu" and
	d[0]["unit"] == "nanoseconds" and d[0]["stacks"] == {"complete": 950000000, "no_table": 50000000} and
	d[0]["functions"][0] == {"name": "step", "kind": "inlined", "image": "prog", "file": "prog.c",
		"self": 600000000, "total": 600000000, "samples": 600} and
	d[0]["functions"][3]["address"] == 0x4242 and len(d[0]["functions"]) == 7)'
run "$USTACK" report --json -s comm,symbol --percent-limit 20 "$R/a"
check "report --json --sort" json '(d[0]["rows"] == [
	{"comm": "prog", "symbol": "step", "self": 600000000, "total": 600000000},
	{"comm": "prog", "symbol": "light", "self": 250000000, "total": 350000000}] and
	d[0]["left_out"] == {"number": 6, "value": 150000000})'
run "$USTACK" report --json -g --percent-limit 20 "$R/a"
check "report --json -g: nodes add up" python3 - "$T/out" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
nodes = d["nodes"]
assert nodes[0]["parent"] is None and nodes[0]["total"] == d["all"]
assert all(n["parent"] < i for i, n in enumerate(nodes) if i)
below = sum(n["self"] for n in nodes)
assert below + d["left_out"]["value"] == d["all"]
names = [d["symbols"][n["symbol"]]["name"] for n in nodes]
assert names == ["all", "prog", "main", "heavy", "work", "step", "light"], names
END
run "$USTACK" report --json -g "$R/deep"
check "report --json -g: 3000 frames" json 'len(d[0]["nodes"]) == 3001'
run "$USTACK" report --json "$R/odd"
check "report --json: odd names" json 'any(f["name"] == "ma\x1b[31min" for f in d[0]["functions"])'

# only small functions: ten of them are shown, and the number of the others
run "$USTACK" report "$R/many"
check "report: ten small functions" [ "$(grep -c 'sort_Orders(Item' "$T/out")" -eq 10 ]
out '^ 98\.0[0-9] % +491 more functions$' "report: the others are counted"
run "$USTACK" report --percent-limit 0 "$R/many"
check "report --percent-limit 0: all of them" [ "$(grep -c 'sort_Orders(Item' "$T/out")" -eq 500 ]
# a limit that nothing reaches: how much was left out, and which limit shows the first row
for view in "" "-s symbol"; do
	# shellcheck disable=SC2086
	run "$USTACK" report --percent-limit 10 $view "$R/many"
	status 0 "report $view: a limit that nothing reaches"
	out '^[0-9. ]+ % +50[01] more( functions)?$' "report $view: a limit that nothing reaches"
	hint=$(sed -n 's/^# nothing has 10\.00 %.*: \(--percent-limit [0-9.]*\) shows the largest$/\1/p' "$T/out")
	check "report $view: the limit that is proposed: $hint" [ -n "$hint" ]
	# shellcheck disable=SC2086
	run "$USTACK" report $hint $view "$R/many"
	check "report $view: $hint shows a row" grep -q '^ *[0-9.]* % *[0-9.]* % .*sort_Orders(Item' "$T/out"
done
run "$USTACK" report -g --percent-limit 96 "$R/a"
check "report -g: a limit that nothing reaches" cmp <(grep -v '^#  ' "$T/out") - <<'END'
#
# total    self          total  function
100.00 %                        (2 more)
# nothing has 96.00 %: --percent-limit 95.00 shows the largest
END
# if no function has the given name, parts of names are searched, in upper and lower case
run "$USTACK" report --percent-limit 0 -S SORT_orders "$R/many"
check "report -S: a part of a name" [ "$(grep -c 'sort_Orders(Item' "$T/out")" -eq 500 ]
run "$USTACK" report -S 'orders(item7 ' "$R/many"
check "report -S: a part with a type" [ "$(grep -c 'sort_Orders(Item' "$T/out")" -eq 1 ]
run "$USTACK" report -S step "$R/a"
out '^ *[0-9.]+ % +[0-9.]+ %.* step \(inlined\)$' "report -S: a whole name"
run "$USTACK" report -n "$R/plain"
status 1 "report -n: no number of samples"
err "plain: the profile does not count samples$" "report -n: no number of samples"
run "$USTACK" report "$R/plain"
out "value: alloc_space, 4\\.0 MiB in all" "report: bytes"
run "$USTACK" report "$R/less"
check "report: less than nothing" cmp "$T/out" - <<'END'
#    value: inuse_space, -2.0 MiB in all
#
#  self    total           self  image                 function
-50.00 % -50.00 %      1.0 MiB  prog                  grow
150.00 % 150.00 %     -3.0 MiB  prog                  shrink
  0.00 %                         1 more functions
END
run "$USTACK" report -g "$R/less"
check "report -g: less than nothing" cmp <(grep -v '^#' "$T/out") - <<'END'
100.00 %   0.00 %     -2.0 MiB  prog
100.00 %   0.00 %     -2.0 MiB    main
-50.00 % -50.00 %      1.0 MiB      grow
150.00 % 150.00 %     -3.0 MiB      shrink
END
run "$USTACK" report --json -g "$R/less"
check "report --json -g: less than nothing" json '{d[0]["symbols"][n["symbol"]]["name"]: n["total"] >> 20 for n in d[0]["nodes"]} == {"all": -2, "prog": -2, "main": -2, "grow": 1, "shrink": -3}'
bad_usage report -g -G "$R/a"
bad_usage report -s comm,comm "$R/a"
bad_usage report -s colour "$R/a"
bad_usage report -s "" "$R/a"
bad_usage report -s comm -g "$R/a"
bad_usage report "$R/a" "$R/b"
bad_usage report -i "$R/a" "$R/b"
bad_usage report --percent-limit 101 "$R/a"

"$CLI_BUILD/mutate" "$R/a" "$R/mutated" 30 3
for copy in "$R"/mutated.*; do
	for view in "--json -g" "-s comm,symbol,srcline" "-G -n"; do
		# shellcheck disable=SC2086
		run timeout --foreground 20 "$USTACK_ASAN" report $view "$copy"
		check "report $view: ${copy##*/}" [ "$rc" -le 1 ]
	done
done
