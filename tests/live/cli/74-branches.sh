# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack branches: both formats of a small program, and refused input.
checks 22

R=$T/branches
mkdir -p "$R"
python3 - "$R" <<'END'
import sys
sys.path[:0] = ["tests/fuzz", "tests/judge/branches"]
sys.dont_write_bytecode = True
from perfdata import Writer
from seed_branches import ID, program, recording
d = sys.argv[1] + "/"
open(d + "p", "wb").write(program())
open(d + "other", "wb").write(program().replace(ID, ID[::-1]))
recording(False, False, d + "listed")
recording(True, True, d + "mapped")
w = Writer()
w.comm(7, "p")
w.map(7, 0x7000, 0x1000, 0, d + "other", ID)
w.sample(7, 0x7200, [(0x7209, 0x7200, 2)])
w.write(d + "path", [(d + "other", ID)])
open(d + "cut", "wb").write(open(d + "listed", "rb").read()[:700])
END
for file in listed mapped; do
	run "$USTACK" branches "$R/p" "$R/$file"
	status 0 "branches: $file"
	no_err "branches: $file"
	check "branches: $file: autofdo" cmp "$T/out" - <<'END'
5
200-202:1
200-207:2
200-209:1
20b-20b:1
20c-20c:1
1
200:2
5
202->20b:1
207->200:2
209->200:1
20b->211:1
20c->200:1
END
done
run "$USTACK" branches -f fdata -o "$R/fdata" "$R/p" "$R/listed"
status 0 "branches: fdata"
no_out "branches: fdata"
check "branches: fdata: the file" cmp "$R/fdata" - <<'END'
1 loop 2 1 loop 4 0 3
1 loop 2 1 loop b 1 1
1 loop 7 1 loop 0 0 2
1 loop 7 1 loop 9 0 1
1 loop 9 1 loop 0 1 1
1 twin/2 0 1 loop 0 0 1
0 [unknown] 0 1 twin/2 0 0 1
END
check "branches: perf.data is read if none is named" bash -c 'cd "$2" && cp listed perf.data && "$1" branches p | grep -qx "209->200:1"' _ "$(realpath "$USTACK")" "$R"
check "branches: standard input" bash -c '"$1" branches "$2/p" - <"$2/listed" | grep -qx "209->200:1"' _ "$USTACK" "$R"
run "$USTACK" branches "$R/other" "$R/path"
status 1 "branches: another build"
err "path: has branches of .*/other, but of another build: the build ids differ" "branches: another build"
run "$USTACK" branches "$R/other" "$R/listed"
status 1 "branches: not mapped"
err "listed: has no process that had mapped .*/other" "branches: not mapped"
run "$USTACK" branches "$R/p" "$R/cut"
status 1 "branches: a cut file"
err "cut: offset 0x.*: the file ends before its records do" "branches: a cut file"
run "$USTACK" branches "$R/p" "$R/p"
err "is not a file of perf record" "branches: no recording"
run "$USTACK" branches "$R/listed" "$R/listed"
status 1 "branches: no program"
run "$USTACK" branches -f pprof "$R/p" "$R/listed"
status 2 "branches: no such format"
run "$USTACK" branches
status 2 "branches: no program is named"
run "$USTACK" branches -o "$R/none/out" "$R/p" "$R/listed"
status 1 "branches: output that cannot be written"
