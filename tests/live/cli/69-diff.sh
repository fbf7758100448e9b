# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack diff: two profiles whose difference is known, as text and as JSON.
checks 94

D=$T/diff
mkdir -p "$D"
python3 tests/live/cli/profiles.py "$D"

run "$USTACK" diff "$D/a" "$D/b"
status 0 "diff"
no_err "diff"
check "diff: functions" cmp <(tail -n +3 "$T/out") - <<'END'
# chance alone marks 1 of 20 rows with *, 1 of 100 with **, 1 of 1000 with ***
#
#before    after    change           image                 function
  0.00 %  13.02 %  +13.02 % *** new   prog                  fresh
 10.00 %   0.00 %  -10.00 % *** gone  [kernel.kallsyms]     read
 25.00 %  21.70 %   -3.30 %           prog                  light
 60.00 %  60.76 %   +0.76 %           prog                  step (inlined)
  5.00 %   4.51 %   -0.49 %           prog                  prog+0x4242
# 3 more functions
END
out "^# before: .*/a: cpu, 1\\.000 s, 1000 samples$" "diff: what was before"
out "^#  after: .*/b: cpu, 1\\.152 s, 1152 samples$" "diff: what is after"
run "$USTACK" diff -g --percent-limit 1 "$D/a" "$D/b"
check "diff -g" cmp <(grep -v '^#' "$T/out") - <<'END'
 95.00 %  95.49 %   +0.49 %           prog
 95.00 %  95.49 %   +0.49 %             main
 35.00 %  21.70 %  -13.30 % ***           light
 10.00 %   0.00 %  -10.00 % *** gone        read
  0.00 %  13.02 %  +13.02 % *** new       fresh
END
run "$USTACK" diff --absolute --percent-limit 5 "$D/a" "$D/b"
check "diff --absolute" cmp <(grep -v '^#' "$T/out") - <<'END'
    0.000 ms   150.000 ms   +150.000 ms *** new   prog                  fresh
  600.000 ms   700.000 ms   +100.000 ms **        prog                  step (inlined)
  100.000 ms     0.000 ms   -100.000 ms *** gone  [kernel.kallsyms]     read
END
run "$USTACK" diff --percent-limit 0 "$D/a" "$D/a"
check "diff: nothing has changed" bash -c "! grep -v '^#' '$T/out' | grep -v ' +0\\.00 %  *prog\\|  +0\\.00 %  *\\[kernel'"
run "$USTACK" diff -g "$D/a" "$D/a"
out '^# nothing has changed$' "diff -g: nothing has changed"
for view in "" -g --absolute; do
	# shellcheck disable=SC2086
	run "$USTACK" diff --percent-limit 90 $view "$D/a" "$D/b"
	status 0 "diff $view: a limit that nothing reaches"
	hint=$(sed -n 's/^# nothing has changed by 90\.00 %: \(--percent-limit [0-9.]*\) shows the largest change$/\1/p' "$T/out")
	check "diff $view: the limit that is proposed: $hint" [ -n "$hint" ]
	# shellcheck disable=SC2086
	run "$USTACK" diff $hint $view "$D/a" "$D/b"
	check "diff $view: $hint shows a row" grep -q '^ *[0-9.]* [%m].* \*\*\*' "$T/out"
done
run "$USTACK" diff --json "$D/a" "$D/b"
check "diff --json: z by another's arithmetic" python3 - "$T/out" <<'END'
import json, math, sys
d = json.load(open(sys.argv[1]))
n0, n1 = d["all_samples"]
assert (n0, n1, d["left_out"]) == (1000, 1152, 0)
for f in d["functions"]:
    c0, c1 = f["samples"]
    p = (c0 + c1) / (n0 + n1)
    if not c0 + c1:
        assert f["z"] is None
        continue
    z = (c1 / n1 - c0 / n0) / math.sqrt(p * (1 - p) * (1 / n0 + 1 / n1))
    assert abs(z - f["z"]) < 1e-4, (z, f)
    assert abs(f["change"] - 100 * (c1 / n1 - c0 / n0)) < 1e-4
assert {f["name"]: f["state"] for f in d["functions"] if f["state"] != "both"} == \
    {"fresh": "new", "read": "gone"}
END
for file in "$D/a" "$D/b"; do
	run "$USTACK" report --json "$file"
	cp "$T/out" "$file.json"
done
run "$USTACK" diff --json -G "$D/a" "$D/b"
check "diff --json -G: sums are those of report" python3 - "$T/out" "$D/a.json" "$D/b.json" <<'END'
import json, sys
d, a, b = (json.load(open(f)) for f in sys.argv[1:])
for k, one in enumerate((a, b)):
    want = {f["name"]: f["self"] for f in one["functions"] if f["self"]}
    got = {n["name"]: n["total"][k] for n in d["nodes"] if n["parent"] == 0 and n["total"][k]}
    assert want == got, (want, got)
END
run "$USTACK" diff "$D/plain" "$D/plain"
out "there are no numbers of samples: changes are not tested" "diff: no number of samples"
run "$USTACK" diff "$D/odd" "$D/a"
check "diff: odd names" bash -c "! LC_ALL=C grep -q '[[:cntrl:]]' '$T/out'"
# another version of the program
run "$USTACK" diff "$D/a" "$D/renamed"
status 0 "diff: another version"
err '^ustack: prog and prog-2\.0 are taken for versions of one program$' "diff: another version"
out '^  0.00 %  13.02 %  \+13.02 % \*\*\* new   prog-2.0              fresh$' "diff: another version: new"
out '^ 25.00 %  21.70 %   -3.30 %           prog-2.0              light$' "diff: another version: the same function"
run "$USTACK" diff -g "$D/a" "$D/renamed"
out '^ 95.00 %  95.49 %   \+0.49 %           prog-2.0$' "diff -g: another version: its command"
run "$USTACK" diff -g --ignore image,command "$D/a" "$D/renamed"
no_err "diff --ignore"
check "diff -g --ignore: one command" [ "$(grep -c '^100.00 % 100.00 %' "$T/out")" -ge 1 ]
run "$USTACK" flame --diff "$D/a" -o "$D/renamed.html" "$D/renamed"
err 'are taken for versions of one program$' "flame --diff: another version"
bad_usage diff --ignore imag "$D/a" "$D/b"

# --fail-on: functions that may not grow
run "$USTACK" diff --fail-on 13 "$D/a" "$D/b"
status 3 "diff --fail-on: more than it may be"
out ' fresh$' "diff --fail-on: is shown"
run "$USTACK" diff --fail-on 13 --percent-limit 50 "$D/a" "$D/b"
status 3 "diff --fail-on: though it is left out"
run "$USTACK" diff --fail-on 13% "$D/a" "$D/b"
status 3 "diff --fail-on: with a percent sign"
run "$USTACK" diff --fail-on 13%% "$D/a" "$D/b"
status 2 "diff --fail-on: with two"
run "$USTACK" diff --fail-on 13.1 "$D/a" "$D/b"
status 0 "diff --fail-on: less than it may be"
run "$USTACK" diff --fail-on 5 "$D/b" "$D/b"
status 0 "diff --fail-on: the same"
# 0.76 points more of step(), which chance does
run "$USTACK" diff --fail-on 0.5 -S step "$D/a" "$D/b"
status 0 "diff --fail-on: chance"
bad_usage diff --fail-on x "$D/a" "$D/b"

run "$USTACK" diff "$D/a" "$D/plain"
status 1 "diff: other values"
err "plain: there are no values 'cpu'; it has alloc_space$" "diff: other values"
run "$USTACK" diff "$D/a" "$D/units"
status 1 "diff: another unit"
err "units: its values 'cpu' are in 'milliseconds', the other's in 'nanoseconds'$" "diff: another unit"
run "$USTACK" flame -o "$D/units.html" --diff "$D/units" "$D/a"
status 1 "flame --diff: another unit"
err "units: its values 'cpu' are in 'milliseconds', the other's in 'nanoseconds'$" "flame --diff: another unit"
run "$USTACK" diff "$D/a" /bin/true
status 1 "diff: no profile"
err "^ustack: /bin/true: is an ELF file, not a profile$" "diff: no profile"
bad_usage diff "$D/a"
bad_usage diff "$D/a" "$D/b" "$D/a"
bad_usage diff -g -G "$D/a" "$D/b"
bad_usage diff --percent-limit x "$D/a" "$D/b"

"$CLI_BUILD/mutate" "$D/b" "$D/mutated" 30 5
for copy in "$D"/mutated.*; do
	run timeout --foreground 20 "$USTACK_ASAN" diff -g "$D/a" "$copy"
	check "diff: ${copy##*/}" [ "$rc" -le 1 ]
done
