# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack annotate: a function of a small program, refused input, and files with wrong contents.
# (make annotate-judge compares percents, instructions and lines with other programs)
checks 74

A=$T/annotate
mkdir -p "$A/src" "$A/old" "$A/made"
cat >"$A/src/loop.c" <<'END'
int loop(int n)
{
	int sum = 0;
	while (n--)
		sum += n * n;
	return sum;
}
int main(int argc, char **argv)
{
	return loop(argc);
}
END
gcc -O1 -g -o "$A/prog" "$A/src/loop.c"
python3 - "$A" <<'END'
import re, subprocess, sys
sys.path.insert(0, "tests/judge/profile")
from wire import field, message
d = sys.argv[1]
run = lambda *a: subprocess.run(a, capture_output=True, text=True, check=True).stdout
build_id = re.search(r"Build ID: ([0-9a-f]+)", run("readelf", "-n", d + "/prog"))[1].encode()
start = {n: int(a, 16) for a, n in re.findall(r"^(\w+) T (loop|main)$", run("nm", d + "/prog"), re.M)}
words = [b"", b"samples", b"count", (d + "/prog").encode(), build_id, b"loop", b"main", b"[kernel.kallsyms]", b"vfs_read",
         b"command", b"prog", b"other"]
base = b"".join(field(6, w) for w in words) + field(1, message((1, 1), (2, 2)))
base += field(3, message((1, 1), (2, start["loop"] & ~0xfff), (3, (start["loop"] & ~0xfff) + 0x1000),
                         (4, start["loop"] & ~0xfff), (5, 3), (6, 4)))
base += field(3, message((1, 2), (2, 1 << 63), (5, 7)))
for i, name in enumerate((5, 6, 8)):
    base += field(5, message((1, i + 1), (2, name), (3, name)))
line = lambda f: (4, message((1, f)))
base += field(4, message((1, 1), (2, 1), (3, start["loop"]), line(1)))
base += field(4, message((1, 2), (2, 1), (3, start["loop"] + 1), line(1)))
base += field(4, message((1, 3), (2, 1), (3, start["main"] + 4), line(2)))
base += field(4, message((1, 4), (2, 2), (3, (1 << 63) + 64), line(3)))
label = lambda n: (3, message((1, 9), (2, n)))
base += field(2, message((1, [1, 3]), (2, [6]), label(10))) + field(2, message((1, [2, 3]), (2, [2]), label(11)))
base += field(2, message((1, [4, 3]), (2, [90]), label(10)))
open(d + "/p", "wb").write(base)
END

run "$USTACK" annotate -i "$A/p" loop
status 0 "annotate"
no_err "annotate"
out '^# function: loop$' "annotate: the function"
out "^#    image: $A/prog, build id [0-9a-f]{40}$" "annotate: the file"
out '^#    value: samples, 8, 8\.16 % of all; 8 samples$' "annotate: its samples"
out '^ +\| loop\(\):$' "annotate: where it is"
out '^ +\| loop\.c:5 +sum \+= n \* n;$' "annotate: the source"
out '^ *(75|100)\.00 \| +[0-9a-f]+:  ' "annotate: percents"
out 'j[a-z]+ +[0-9a-f]+ <loop\+0x[0-9a-f]+>$' "annotate: jumps"
run "$USTACK" annotate -i "$A/p"
out '^# function: loop$' "annotate: the hottest that has code"
run "$USTACK" annotate --rows 9 -i "$A/p"
status 0 "annotate: some have no code"
out '^# function: vfs_read$' "annotate: the kernel's, too"
out "^# no instructions: .*vfs_read: it belongs to the kernel, whose code is in no file" "annotate: why there is none"
run "$USTACK" annotate -c other -i "$A/p" loop
out ' 2 samples$' "annotate: of a command"
run "$USTACK" annotate -c nobody -i "$A/p" loop
status 1 "annotate: of no command"
err "none of the selected samples was taken in the code of 'loop' itself" "annotate: of no command"
run "$USTACK" annotate -i "$A/p" main
status 1 "annotate: a caller"
err "none of the selected samples was taken in the code of 'main' itself" "annotate: a caller"
run "$USTACK" annotate -i "$A/p" vfs_read
status 1 "annotate: the kernel"
err "^ustack: .*vfs_read: it belongs to the kernel" "annotate: the kernel"
run "$USTACK" annotate -i "$A/p" -d other.so loop
err "in the code of 'loop' itself in other.so$" "annotate: another file"
run "$USTACK" annotate -i "$A/p" -d prog loop
status 0 "annotate: its file"
run "$USTACK" annotate -l -i "$A/p" loop
out '^ *[0-9.]+ \| loop\.c:[0-9]+ ' "annotate: lines"
run "$USTACK" annotate --hottest -i "$A/p" loop
out '^ *[0-9.]+ \| +[0-9a-f]+: .* # loop\.c:[0-9]+$' "annotate: the hottest instructions"
run "$USTACK" annotate -M intel -i "$A/p" loop
check "annotate: no AT&T in Intel's syntax" bash -c "! grep -q % <(grep ':  ' '$T/out')"
run "$USTACK" annotate --json -i "$A/p" loop
check "annotate: JSON" json 'd[0]["all"] == 98 and d[0]["unit"] == "count" and len(d[0]["functions"]) == 1'
check "annotate: JSON: sums" json 'sum(i["self"] for i in d[0]["functions"][0]["instructions"]) == 8'
run bash -c '"$1" annotate -i - loop <"$2"' _ "$USTACK" "$A/p"
out ' 8 samples$' "annotate: standard input"

mv "$A/src" "$A/elsewhere"
run "$USTACK" annotate -i "$A/p" loop
err 'loop\.c: the source was not found: --source-dir DIR says where it is$' "annotate: no source"
out '^ +\| loop\.c:5$' "annotate: lines without source"
run "$USTACK" annotate --source-dir "$A/elsewhere" -i "$A/p" loop
no_err "annotate: --source-dir"
out 'sum \+= n \* n;' "annotate: --source-dir"
run "$USTACK" annotate --no-source -i "$A/p" loop
no_err "annotate: --no-source"
# a source file with control characters for the terminal, and one that is newer than the program
printf 'a\n\033[31mred\n\n\n\xff\tfive\x1b]0;title\x07\n' >"$A/elsewhere/loop.c"
run "$USTACK" annotate --source-dir "$A/elsewhere" -i "$A/p" loop
check "annotate: nothing is said to the terminal" bash -c "! grep -q $'[\\x1b\\x07\\xff]' '$T/out'"
err 'loop\.c: was changed after the program was built' "annotate: a newer source"

bad_usage annotate -l --json
bad_usage annotate -M arm loop
bad_usage annotate --percent-limit 101 loop
bad_usage annotate one two
run "$USTACK" annotate -i /bin/true
status 1 "annotate: no profile"

# each damaged copy of the program gives a result or an error, and no report of the sanitizers
"$CLI_BUILD/mutate" "$A/prog" "$A/made/prog" 24 1
for copy in "$A"/made/prog.*; do
	cp "$copy" "$A/old/prog"
	mv "$A/prog" "$A/away"
	run timeout --foreground 60 "$USTACK_ASAN" annotate -q --cache "$A/cache" --file-dir "$A/old" -i "$A/p" loop
	mv "$A/away" "$A/prog"
	check "annotate: ${copy##*/}" [ "$rc" -le 1 ]
	[ "$rc" = 0 ] || err "^ustack: " "annotate: ${copy##*/} says why"
done
# a function whose size in the symbol table is larger than the file
python3 - "$A" <<'END'
import struct, sys
d = sys.argv[1]
b = bytearray(open(d + "/prog", "rb").read())
shoff, = struct.unpack_from("<Q", b, 40)
size, nr = struct.unpack_from("<HH", b, 58)
for i in range(nr):
    kind, = struct.unpack_from("<I", b, shoff + i * size + 4)
    if kind in (2, 11):
        at, n = struct.unpack_from("<QQ", b, shoff + i * size + 24)
        for s in range(at, at + n, 24):
            if b[s + 4] & 15 == 2:
                struct.pack_into("<Q", b, s + 16, 1 << 62)
    elif kind == 1:
        struct.pack_into("<Q", b, shoff + i * size + 32, 1 << 50)
open(d + "/old/prog", "wb").write(b)
END
mv "$A/prog" "$A/away"
run timeout --foreground 60 "$USTACK_ASAN" annotate -q --cache "$A/cache" --file-dir "$A/old" -i "$A/p" loop
check "annotate: lengths that lie" [ "$rc" -le 1 ]
mv "$A/away" "$A/prog"
