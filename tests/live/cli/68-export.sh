# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack export: each format of a small profile, and refused input.
checks 103

E=$T/export
mkdir -p "$E"
python3 - "$E" <<'END'
import sys
sys.path.insert(0, "tests/judge/profile")
from wire import field, message
strings = [b"", b"samples", b"count", b"cpu", b"nanoseconds", b"command", b"prog", b"main", b"in;ner",
           b"/usr/bin/prog", b"[kernel.kallsyms]", b"pid", b"tid", b"event", b"cycles:u", b"a.c"]
base = b"".join(field(6, s) for s in strings)
base += field(1, message((1, 1), (2, 2))) + field(1, message((1, 3), (2, 4)))
base += field(11, message((1, 3), (2, 4))) + field(12, 1000)
base += field(3, message((1, 1), (3, 1 << 20), (5, 9))) + field(3, message((1, 2), (2, 1 << 63), (5, 10)))
base += field(5, message((1, 1), (2, 7), (4, 15))) + field(5, message((1, 2), (2, 8)))
line = lambda f, n: (4, message((1, f), (2, n)))
base += field(4, message((1, 1), (2, 1), (3, 0x1234), line(2, 5), line(1, 6)))
base += field(4, message((1, 2), (2, 2), (3, (1 << 63) + 7))) + field(4, message((1, 3), (2, 1), (3, 16)))
labels = [(3, message((1, 5), (2, 6))), (3, message((1, 11), (3, 7))), (3, message((1, 12), (3, 8))),
          (3, message((1, 13), (2, 14)))]
base += field(2, message((1, [2, 1]), (2, [2, 2000]), *labels)) + field(2, message((1, 3), (2, [1, 500])))
open(sys.argv[1] + "/p", "wb").write(base)
open(sys.argv[1] + "/minus", "wb").write(base + field(2, message((2, [0, -1]))))
open(sys.argv[1] + "/many", "wb").write(base + field(2, message((2, [1 << 60, 0]))))
open(sys.argv[1] + "/empty", "wb").write(field(6, b""))
END

run "$USTACK" export "$E/p"
status 0 "export"
check "export: folded" cmp "$T/out" - <<'END'
prog;main;in:ner;[kernel.kallsyms]+0x8000000000000007 2000
prog+0x10 500
END
check "export: standard input" bash -c '"$1" export -V samples - <"$2" | grep -qx "prog+0x10 1"' _ "$USTACK" "$E/p"
run "$USTACK" export -f perf "$E/p"
check "export: perf" cmp "$T/out" - <<'END'
prog 7/8 0.000000000: 1000 cycles:u:
	8000000000000007 [unknown] ([kernel.kallsyms])
	            1234 in;ner (inlined)
	            1234 main (/usr/bin/prog)

prog 7/8 0.000001000: 1000 cycles:u:
	8000000000000007 [unknown] ([kernel.kallsyms])
	            1234 in;ner (inlined)
	            1234 main (/usr/bin/prog)

[unknown] 0/0 0.000000000: 500 cpu:
	              10 [unknown] (/usr/bin/prog)

END
run "$USTACK" export -f speedscope -o "$E/s.json" "$E/p"
status 0 "export: speedscope"
no_out "export: speedscope"
check "export: speedscope's fields" python3 - "$E/s.json" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["$schema"] == "https://www.speedscope.app/file-format-schema.json"
p, = d["profiles"]
assert (p["type"], p["name"], p["unit"], p["startValue"], p["endValue"]) == \
    ("sampled", "cpu", "nanoseconds", 0, 2500)
assert p["weights"] == [2000, 500]
names = [[d["shared"]["frames"][i]["name"] for i in s] for s in p["samples"]]
assert names == [["prog", "main", "in;ner", "[kernel.kallsyms]+0x8000000000000007"], ["prog+0x10"]]
assert {"name": "main", "file": "a.c"} in d["shared"]["frames"]
END
# each thread's samples: seven by eight, and the one without labels
run "$USTACK" export -f firefox -V samples "$E/p"
status 0 "export: firefox"
check "export: firefox's fields" json '[(t["name"], t["pid"], t["tid"], t["samples"]["length"]) for t in d[0]["threads"]] == [("prog", "7", 8, 2), ("", "0", 0, 1)]'
check "export: firefox's made-up times" json 'd[0]["threads"][0]["samples"]["time"] == [0, 0.001]'
check "export: firefox's categories" json 'sorted(d[0]["shared"]["frameTable"]["category"]) == [0, 0, 0, 1]'
check "export: firefox's inlined function" json 'sorted(d[0]["shared"]["frameTable"]["inlineDepth"]) == [0, 0, 0, 1]'
run "$USTACK" export -f chrome -V samples "$E/p"
status 0 "export: chrome"
check "export: chrome's threads" json '[(e["tid"], e["args"]["name"]) for e in d[0]["traceEvents"] if e["name"] == "thread_name"] == [(8, "prog"), (0, "[unknown]")]'
check "export: chrome's samples" json '[len(e["args"]["data"]["timeDeltas"]) for e in d[0]["traceEvents"] if e["name"] == "ProfileChunk"] == [3, 2]'
# known times: the output of perf script, with a pause between two samples
printf 'w 5/6 10.000000000: 1000000 cpu-clock:\n\t10 f+0x1 (/x)\n\nw 5/6 10.001000000: 1000000 cpu-clock:\n\t10 f+0x1 (/x)\n\nw 5/6 12.000000000: 1000000 cpu-clock:\n\t20 g+0x1 (/x)\n\n' >"$E/script"
run "$USTACK" export -f chrome "$E/script"
check "export: chrome's times, and what is idle" json '[e["args"]["data"]["timeDeltas"] for e in d[0]["traceEvents"] if e["name"] == "ProfileChunk"] == [[0, 1000, 1000, 1998000, 1000]]'
sed 's/cpu-clock/cycles/' "$E/script" >"$E/cycles"
run "$USTACK" export -f chrome "$E/cycles"
check "export: chrome: cycles are no time, and nothing is idle" json '[e["args"]["data"]["timeDeltas"] for e in d[0]["traceEvents"] if e["name"] == "ProfileChunk"] == [[0, 1000, 1999000, 0]]'
run "$USTACK" export -f firefox "$E/script"
check "export: firefox's times" json 'd[0]["threads"][0]["samples"]["time"] == [0, 1, 2000]'
check "export: firefox's weights" json 'd[0]["threads"][0]["samples"]["weight"] == [1, 1, 1] and d[0]["threads"][0]["samples"]["weightType"] == "tracing-ms"'
run "$USTACK" export -f perf "$E/script"
out '^w 5/6 12\.000000000: 1000000 ' "export: perf's times are the file's"
run "$USTACK" export -f pprof -o "$E/again" "$E/p"
status 0 "export: pprof"
run "$USTACK" export -f pprof -o "$E/third" "$E/again"
check "export: pprof's bytes are the same again" cmp "$E/again" "$E/third"

run "$USTACK" export -V nothing "$E/p"
status 1 "export: a value that is not there"
err "^ustack: $E/p: there are no values 'nothing'; it has samples, cpu$" "export: a value that is not there"
run "$USTACK" export "$E/empty"
err "^ustack: $E/empty: the profile has no values$" "export: no values"
run "$USTACK" export "$E/minus"
err "^ustack: $E/minus: sample 2 has a negative value, which only the pprof format can have$" "export: a negative value"
run "$USTACK" export -f perf -V samples -o "$E/blocks" "$E/many"
status 1 "export: 2^60 blocks"
err "^ustack: $E/blocks: File too large$" "export: 2^60 blocks"
check "export: a failure leaves nothing" [ -z "$(find "$E" -name 'blocks*')" ]
run "$USTACK" export /bin/true
status 1 "export: no profile"
err "^ustack: /bin/true: is an ELF file, not a profile$" "export: no profile"
for format in firefox chrome; do
	run "$USTACK" export -f $format -V samples -o "$E/blocks" "$E/many"
	err "^ustack: $E/blocks: File too large$" "export: 2^60 samples for $format"
done
run "$USTACK" export -f folded -o /dev/full "$E/p"
err "^ustack: /dev/full: No space left on device$" "export: a full disk"
run "$USTACK" export -f svg "$E/p"
status 2 "export: no such format"
run bash -c 'cd "$1" && "$2" export' _ "$T" "$(realpath "$USTACK")"
status 1 "export: nothing recorded"

# each damaged copy gives a result or an error, and no report of the sanitizers
"$CLI_BUILD/mutate" "$E/p" "$E/mutated" 40 1
for copy in "$E"/mutated.*; do
	run timeout --foreground 20 "$USTACK_ASAN" export "$copy"
	check "export: ${copy##*/}" [ "$rc" -le 1 ]
	[ "$rc" = 0 ] || err "^ustack: $E/" "export: ${copy##*/} says why"
done
