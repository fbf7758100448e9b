# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack flame: the page's data, its security policy, hostile names, and refused input.
checks 121

F=$T/flame
mkdir -p "$F"
python3 - "$F" <<'END'
import sys
sys.path.insert(0, "tests/judge/profile")
from wire import field, message

def profile(names, stacks, minus=False):
    """stacks: (numbers of names, outermost first; value; why it ends or None)"""
    strings = [b"", b"cpu", b"nanoseconds", b"command", b"prog", b"stack", b"/bin/prog", b"a.c"]
    index = lambda s: strings.index(s) if s in strings else strings.append(s) or len(strings) - 1
    out = field(1, message((1, 1), (2, 2)))
    out += field(3, message((1, 1), (3, 1 << 20), (5, 6)))
    for n, name in enumerate(names, 1):
        out += field(5, message((1, n), (2, index(name)), (4, 7)))
        out += field(4, message((1, n), (2, 1), (3, n), (4, message((1, n), (2, n)))))
    for stack, value, why in stacks:
        labels = [(3, message((1, 3), (2, 4)))]
        if why:
            labels.append((3, message((1, 5), (2, index(why)))))
        out += field(2, message((1, [n for n in reversed(stack)]), (2, [value]), *labels))
    out += field(13, index(b"host: <b>")) + message((9, 1700000000 * 10 ** 9), (10, 2 * 10 ** 9))
    return b"".join(field(6, s) for s in strings) + out

def save(name, *args):
    open(sys.argv[1] + "/" + name, "wb").write(profile(*args))

names = [b"main", b"work", b"wait", b"</script><script>alert(1)</script>", b"<!--", b"bad\xff\x1b[31m"]
save("p", names, [([1, 2], 3000, b"complete"), ([1, 2, 3], 1000, b"complete"),
                  ([1, 4, 5, 6], 500, b"no_table"), ([], 500, None)])
save("before", names, [([1, 2], 1000, b"complete"), ([1, 3], 1000, b"complete")])
save("minus", names, [([1], -1, None)])
save("none", names, [])
END

# the page's data as a dict $d, its nodes as {path: [self, ...]} in $n
page()
{
	python3 - "$1" "$2" <<'END'
import base64, hashlib, json, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
parts = page.split('<script type="application/json" id="data">')
assert len(parts) == 2
text, behind = parts[1].split("</script>", 1)
assert "<" not in text
d = json.loads(text)

def numbers(s):
    n = shift = 0
    for b in base64.b64decode(s, validate=True):
        n |= (b & 127) << shift
        shift += 7
        if not b & 128:
            yield n
            n = shift = 0
    assert shift == 0

flat = list(numbers(d["symbols"]))
assert len(flat) == 5 * d["nr_symbols"]
symbols = [(d["strings"][flat[i]], d["strings"][flat[i + 1]], d["strings"][flat[i + 2]], *flat[i + 3:i + 5])
           for i in range(0, len(flat), 5)]
k, it, path, n = len(d["scale"]), numbers(d["nodes"]), [], {(): d["root_self"]}
for _ in range(d["nr_nodes"]):
    up, sym = next(it), next(it)
    path = path[:len(path) - up] + [symbols[sym][0]]
    n[tuple(path)] = [next(it) * d["scale"][j] for j in range(k)]
assert next(it, None) is None
policy = re.search('content="(default-src[^"]*)"', page).group(1)
styles, scripts = re.findall("<style>(.*?)</style>", page, re.S), re.findall("<script>(.*?)</script>", page, re.S)
digest = lambda s: base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()
nothing = "default-src 'none'; script-src"
allowed = lambda kind, s: "%s-src 'sha256-%s';" % (kind, digest(s)) in policy
script = "</script><script>alert(1)</script>"
sys.exit(not eval("(" + sys.argv[2] + ")"))
END
}

run "$USTACK" flame -o "$F/p.html" "$F/p"
status 0 "flame"
no_out "flame"
no_err "flame"
check "flame: nodes" page "$F/p.html" 'n == {(): [0], ("prog",): [500], ("prog", "main"): [0],
	("prog", "main", "work"): [3000], ("prog", "main", "work", "wait"): [1000],
	("prog", "[no_table]"): [0], ("prog", "[no_table]", "main"): [0],
	("prog", "[no_table]", "main", script): [0], ("prog", "[no_table]", "main", script, "<!--"): [0],
	("prog", "[no_table]", "main", script, "<!--", "bad\ufffd\x1b[31m"): [500]}'
check "flame: values share a scale" page "$F/p.html" 'd["scale"] == [500]'
check "flame: symbols" page "$F/p.html" '("work", "a.c", "prog", 0, 0) in symbols and ("prog", "", "", 0, 5) in symbols'
check "flame: what was recorded" page "$F/p.html" 'd["title"] == "p" and d["before"] is None and
	d["value"] == {"type": "cpu", "unit": "nanoseconds"} and
	d["recorded"]["comments"] == ["host: <b>"] and d["recorded"]["seconds"] == 1700000000 and
	d["recorded"]["duration_ns"] == 2000000000 and d["recorded"]["all"] == 4500 and
	d["recorded"]["reasons"] == [["complete", 4000], ["no_table", 500]]'
check "flame: the policy has the hashes of all that runs" page "$F/p.html" 'len(styles) == len(scripts) == 1 and
	policy.startswith(nothing) and "unsafe" not in policy and
	allowed("script", scripts[0]) and allowed("style", styles[0])'
check "flame: no other file, no host" page "$F/p.html" 'not re.search("(src|href)=|@import|url\\(", page.replace(text, ""))'
check "flame: no handler in markup" page "$F/p.html" 'not re.search("<[^>]* on[a-z]+=", page.replace(text, "").replace(scripts[0], ""))'
check "flame: before its data the page says under which terms it may be distributed" page "$F/p.html" \
	'"you may distribute a page that ustack flame has written" in " ".join(parts[0].split())'
check "flame: what the page names is there, and is about it" grep -q '^1\. Pages of ustack flame$' \
	LICENSE-EXCEPTIONS

run bash -c '"$1" flame -o - --title p - <"$2"' _ "$USTACK" "$F/p"
check "flame: the same bytes again, and by pipes" cmp "$T/out" "$F/p.html"
run "$USTACK" flame -G -l --title '</title><b>' -o "$F/g.html" "$F/p"
check "flame: lines, title, callers" page "$F/g.html" 'd["callers"] and d["title"] == "</title><b>" and
	("work", "a.c", "prog", 2, 0) in symbols'
run "$USTACK" flame --diff "$F/before" -o "$F/d.html" "$F/p"
status 0 "flame --diff"
check "flame --diff: nodes" page "$F/d.html" 'n["prog", "main", "work"] == [3000, 1000] and
	n["prog", "main", "wait"] == [0, 1000] and d["scale"] == [500, 1000] and d["before"]["all"] == 2000'
run "$USTACK" flame -S work -o "$F/s.html" "$F/p"
check "flame -S: nodes and reasons of what is selected" page "$F/s.html" 'd["recorded"]["all"] == 4000 and
	d["recorded"]["stacks"] == 2 and len(n) == 5'
run "$USTACK" flame -c 'other,prog' -S 'wait,<!--' -o "$F/c.html" -i "$F/p"
check "flame -c, -S: several names" page "$F/c.html" 'd["recorded"]["all"] == 1500 and d["recorded"]["stacks"] == 2'
run "$USTACK" flame -o "$F/none.html" "$F/none"
check "flame: no samples" page "$F/none.html" 'd["nr_nodes"] == 0 and d["scale"] == [1]'

run "$USTACK" flame --value nothing "$F/p"
status 1 "flame: a value that is not there"
err "^ustack: $F/p: there are no values 'nothing'; it has cpu$" "flame: a value that is not there"
run "$USTACK" flame -o "$F/minus.html" --diff "$F/minus" "$F/p"
status 1 "flame: a negative value"
err "^ustack: $F/minus: sample 0 is negative, which has no width$" "flame: a negative value"
check "flame: a failure leaves nothing" [ -z "$(find "$F" -name 'minus.html*')" ]
run "$USTACK" flame --diff /bin/true "$F/p"
err "^ustack: /bin/true: is an ELF file, not a profile$" "flame: no profile before"
run "$USTACK" flame -o /dev/full "$F/p"
status 1 "flame: a full disk"
err "^ustack: /dev/full: No space left on device$" "flame: a full disk"
bad_usage flame "$F/p" "$F/p"
bad_usage flame --annotate 1001 "$F/p"
bad_usage flame --annotate 1 -M arm "$F/p"
check "flame: no instructions unless they are asked for" page "$F/s.html" 'd["code"] is None'
run "$USTACK" flame --annotate 2 --cache "$F/names" -o "$F/code.html" "$F/p"
check "flame --annotate: why there are none" page "$F/code.html" 'd["code"]["asked"] == 2 and
	len(d["code"]["functions"]) == 2 and all("why" in f and "rows" not in f for f in d["code"]["functions"])'

# each damaged copy gives a result or an error, and no report of the sanitizers
"$CLI_BUILD/mutate" "$F/p" "$F/mutated" 40 1
for copy in "$F"/mutated.*; do
	run timeout --foreground 20 "$USTACK_ASAN" flame -o "$F/m.html" --diff "$F/before" "$copy"
	check "flame: ${copy##*/}" [ "$rc" -le 1 ]
	[ "$rc" = 0 ] || err "^ustack: $F/" "flame: ${copy##*/} says why"
	[ "$rc" != 0 ] || check "flame: ${copy##*/}: a page" page "$F/m.html" 'True'
done
