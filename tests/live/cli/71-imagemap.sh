# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack imagemap: the golden streams, all formats of input and output, and refused input.
checks 186

I=$T/imagemap
mkdir -p "$I"
cif=tests/golden/cif

run "$USTACK" imagemap decode "$cif/t3_expand0.cif"
status 0 "imagemap decode"
no_err "imagemap decode"
check "imagemap decode: text" cmp "$T/out" - <<'END'
platform test
word 64
0x1000 0x1100 - /lib/libbar.so
END
run "$USTACK" imagemap decode --json "$cif/t1_basic.cif"
check "imagemap decode: JSON" json 'd == [{"platform": "macosx", "word": 64, "images":
	[{"base": "0x555500001000", "end": "0x555500003000", "build_id": "deadbeef",
	  "path": "/usr/lib/libfoo.dylib"}]}]'
cp "$T/out" "$I/json"
run "$USTACK" imagemap decode --strict "$cif/t5_fw.cif"
out '^0x1000 0x1100 - /System/Library/Frameworks/AppKit.framework/Versions/C/AppKit$' "imagemap: framework"
run "$USTACK" imagemap show "$cif/t1_basic.cif"
status 0 "imagemap show"
out '^1 images of macosx, 64 bits, in 48 bytes$' "imagemap show"
out '^ +0x555500001000 +0x555500003000 +8.0 KiB  deadbeef +libfoo.dylib  /usr/lib/libfoo.dylib$' "imagemap show: row"

run "$USTACK" imagemap encode --json "$I/json" -o "$I/map"
status 0 "imagemap encode --json"
check "imagemap encode: shorter than the stream of Swift's test" [ "$(wc -c <"$I/map")" -lt 48 ]
run "$USTACK" imagemap encode --json "$I/json" --base64
check "imagemap encode --base64: what base64 says" bash -c 'base64 -w0 "$1" | cmp - <(head -c -1 "$2")' _ "$I/map" "$T/out"
line=$(cat "$T/out")
for form in "$line" "$T/out" "$I/map"; do
	cp "$T/out" "$I/line"
	run "$USTACK" imagemap decode --json "${form/"$T/out"/"$I/line"}"
	check "imagemap decode: again" cmp "$T/out" "$I/json"
	cp "$I/line" "$T/out"
done
run bash -c '"$1" imagemap decode --json - <"$2"' _ "$USTACK" "$I/map"
check "imagemap decode: standard input" cmp "$T/out" "$I/json"

sleep 60 &
until [ "$(cat /proc/$!/comm)" = sleep ]; do sleep 0.01; done
run "$USTACK" imagemap encode -p $! -o "$I/sleep"
status 0 "imagemap encode -p"
kill $!
wait $! 2>/dev/null
run "$USTACK" imagemap decode "$I/sleep"
out '^0x[0-9a-f]+ 0x[0-9a-f]+ [0-9a-f]{40} .*/sleep$' "imagemap encode -p: the program"
out '^0x[0-9a-f]+ 0x[0-9a-f]+ [0-9a-f]{40} .*libc.so.6$' "imagemap encode -p: libc"
out '^0x[0-9a-f]+ 0x[0-9a-f]+ [0-9a-f]{40} \[vdso\]$' "imagemap encode -p: the vDSO"
run "$USTACK" imagemap encode -p 2147483647
status 1 "imagemap encode: no such process"
err '^ustack: /proc/2147483647/maps: No such file or directory$' "imagemap encode: no such process"
run "$USTACK" imagemap encode -p 2
status 1 "imagemap encode: a kernel thread, or nobody's"

printf '\x02\x00\x02\x00\x01\x01\x00\x94\x00\x00\x02\x01\x00\x02/x\x00!' >"$I/damaged"
run "$USTACK" imagemap decode "$I/damaged"
status 0 "imagemap: a damaged path"
out '^0x1 0x2 -$' "imagemap: a damaged path"
out '^0x2 0x3 - /x$' "imagemap: a damaged path: the next"
err ': image 0: the path uses a prefix that is not defined$' "imagemap: a damaged path"
err ': 1 bytes after the last image$' "imagemap: trailing"
run "$USTACK" imagemap decode --strict "$I/damaged"
status 1 "imagemap --strict: a damaged path"
err "^ustack: $I/damaged: offset 0x9: the path uses a prefix that is not defined$" "imagemap --strict"
printf '\x02\x00\x02\x00\x01\x01\x00\x02/x\x00' >"$I/short"
run "$USTACK" imagemap decode "$I/short"
status 1 "imagemap: a short stream"
out '^0x1 0x2 - /x$' "imagemap: a short stream: what is there"
err "^ustack: $I/short: offset 0xb: the stream ends before image 1$" "imagemap: a short stream"
run "$USTACK" imagemap show /bin/true
err '^ustack: /bin/true: neither an image map nor base64$' "imagemap: no map"
run "$USTACK" imagemap decode "$I/none"
err "^ustack: $I/none: No such file or directory$" "imagemap: no file"
printf '\x03' >"$I/three"
run "$USTACK" imagemap decode "$I/three"
err "^ustack: $I/three: offset 0x0: addresses of reserved size 3$" "imagemap: word size"

# usage: refused_json TEXT REGEX
refused_json()
{
	printf '%s' "$1" >"$I/bad.json"
	run "$USTACK" imagemap encode --base64 --json "$I/bad.json"
	status 1 "imagemap: JSON $1"
	no_out "imagemap: JSON $1"
	err "^ustack: $I/bad.json: $2" "imagemap: JSON $1"
}
refused_json '{' 'line 1: '
refused_json '[]' 'no array "images"$'
refused_json '{"images": [1]}' 'image 0: not an object$'
refused_json '{"images": [{"base": 1}]}' 'image 0: no address "base" or "end"$'
refused_json '{"images": [{"base": 2, "end": "1"}]}' 'image 0: its end is not above'
refused_json '{"word": 16, "images": [{"base": 1, "end": 65536}]}' 'image 0: its end is not above'
refused_json '{"word": 8, "images": []}' '"word" is 16, 32 or 64$'
refused_json '{"images": [{"base": 1, "end": 2, "build_id": "abc"}]}' 'image 0: bytes are not'
refused_json '{"images": [{"base": 1, "end": 2, "path_hex": "00"}]}' 'image 0: there is a NUL'
refused_json '{"images": [{"base": 1, "end": 2, "path": 7}]}' 'image 0: the path is no string$'

run "$USTACK" imagemap encode --core /bin/true
err '^ustack: /bin/true: offset 0x0: no core file$' "imagemap: no core"
bad_usage imagemap encode
bad_usage imagemap encode -p 1 --json x
bad_usage imagemap encode -p 0
bad_usage imagemap decode
bad_usage imagemap show a b

# a process of ustack itself, whose names are found on another machine by its image map
mkfifo "$I/fifo"
"$USTACK" bsym lookup tests/golden/bsym/bsym-1.0.bsym <"$I/fifo" >/dev/null &
pid=$!
exec 9>"$I/fifo"
until [ "$(cat "/proc/$pid/comm")" = ustack ]; do sleep 0.01; done
run "$USTACK" imagemap encode --base64 -p "$pid"
map=$(cat "$T/out")
exec 9>&-
wait "$pid"
run "$USTACK" imagemap decode "$map"
base=$(sed -n 's|^\(0x[0-9a-f]*\) .*/ustack$|\1|p' "$T/out")
address=$(printf '0x%x' $((base + 0x$(nm "$USTACK" | sed -n 's/ T cmd_bsym_lookup$//p'))))
run "$USTACK" symbolize -q --cache "$I/cache" --imagemap "$map" "$address" 0x10
status 0 "symbolize --imagemap"
out "^0x[0-9a-f]{16}: .*/ustack\+0x[0-9a-f]+ [0-9a-f]{40}$" "symbolize --imagemap: image"
out '^    cmd_bsym_lookup @ .*user/cmd/bsym_lookup.c:[0-9]+$' "symbolize --imagemap: function"
out '^    \? \(no image has this address\)$' "symbolize --imagemap: no image"
run bash -c 'echo "$3" | "$1" symbolize -q --json --cache "$2/cache" --imagemap "$4"' _ "$USTACK" "$I" "$address" "$map"
check "symbolize --imagemap --json" json '(d[0]["frames"][0]["function"], d[0]["frames"][0]["offset"]) == ("cmd_bsym_lookup", 0)'
run "$USTACK" symbolize -q --cache "$I/cache" --imagemap "$cif/t1_basic.cif" 0x555500001004
out '^    \? \(.*\)$' "symbolize --imagemap: a file that is not here"
run "$USTACK" symbolize -q --cache "$I/cache" --imagemap "$cif/t2_nopath.cif" 0x1004
out '^    \? \(the image has no build id, ' "symbolize --imagemap: no build id"
run "$USTACK" symbolize -q --imagemap "$map" x
status 1 "symbolize --imagemap: no address"
err "^ustack: 'x' is not an address$" "symbolize --imagemap: no address"
bad_usage symbolize --imagemap "$map" -o x
bad_usage symbolize --json x
bad_usage symbolize -p 1
# programs of another machine, of which only the debug files are here
cat >"$I/spin.c" <<'END'
void __attribute__((noinline)) spin(void) { for (;;) __asm__ volatile(""); }
int main(void) { spin(); }
END
for kind in "pie -pie -fpie" "exec -no-pie -fno-pie" "high -no-pie -fno-pie -Wl,-Ttext-segment=0x12340000"; do
	name=${kind%% *}
	# shellcheck disable=SC2086
	gcc -g -O1 -Wl,--build-id=sha1 ${kind#* } -o "$I/$name" "$I/spin.c"
	id=$(readelf -n "$I/$name" | sed -n 's/.*Build ID: //p')
	mkdir -p "$I/debug/.build-id/${id:0:2}"
	objcopy --only-keep-debug "$I/$name" "$I/debug/.build-id/${id:0:2}/${id:2}.debug"
	"$I/$name" &
	until [ "$(cat /proc/$!/comm)" = "$name" ]; do sleep 0.01; done
	text=$(grep " r-xp .*/$name\$" /proc/$!/maps)
	run "$USTACK" imagemap encode --base64 -p $!
	spinning=$(cat "$T/out")
	kill $!
	wait $! 2>/dev/null
	# a page of text is all that they have
	at=$((16#$(nm "$I/$name" | sed -n 's/ T spin$//p') % 0x1000))
	place=$(printf '0x%x' $((16#${text%%-*} + at)))
	rm "$I/$name"
	for again in made kept; do
		run "$USTACK" symbolize -q --cache "$I/$name.cache" --debug-dir "$I/debug" \
			--imagemap "$spinning" "$place"
		out '^    spin @ .*/spin.c:1$' "symbolize --imagemap: $name, by its debug file, $again"
	done
done

python3 - "$I/profile" "$map" <<'END'
import sys
sys.path.insert(0, "tests/judge/profile")
from wire import field, message
strings = [b"", b"samples", b"count", b"imagemap 77 " + sys.argv[2].encode(), b"imagemap 78 AAAA!", b"host: x"]
open(sys.argv[1], "wb").write(b"".join(field(6, s) for s in strings) + field(1, message((1, 1), (2, 2))) +
                              field(13, 3) + field(13, 4) + field(13, 5) + field(2, message((2, [1]))))
END
run "$USTACK" imagemap decode -p 77 "$I/profile"
cp "$T/out" "$I/want"
run "$USTACK" imagemap decode "$map"
check "imagemap decode -p: of a profile" cmp "$T/out" "$I/want"
run "$USTACK" imagemap show -p 9 "$I/profile"
err "^ustack: $I/profile: no image map of process 9: there are those of 77 78$" "imagemap show -p: not there"
run "$USTACK" imagemap show -p 78 "$I/profile"
err "^ustack: $I/profile: its image map is not in base64$" "imagemap show -p: damaged"
run "$USTACK" report "$I/profile"
out '^# host: x$' "report: comments"
check "report: no image maps" bash -c '! grep -q imagemap "$1"' _ "$T/out"
run "$USTACK" symbolize -q --cache "$I/cache" --imagemap "$I/profile" -p 77 "$address"
out '^    cmd_bsym_lookup @ ' "symbolize --imagemap -p"

# damaged cores and streams give an error message, and no report of the sanitizers
python3 - "$I" <<'END'
import struct, sys
phdrs, notes = [], b""
def note(kind, desc):
    return struct.pack("<III", 5, len(desc), kind) + b"CORE\0\0\0\0" + desc + bytes(-len(desc) % 4)
files = struct.pack("<QQ", 2, 4096) + struct.pack("<6Q", 0x10000, 0x11000, 0, 0x11000, 0x13000, 1) + b"/a/b\0/a/b\0"
notes = note(0x46494c45, files) + note(6, struct.pack("<4Q", 33, 0x20000, 0, 0))
image = bytearray(4096)
image[:64] = struct.pack("<4sBBBB8xHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 0, 3, 62, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
image[64:176] = struct.pack("<IIQQQQQQ", 1, 4, 0, 0, 0, 4096, 4096, 4096) + \
    struct.pack("<IIQQQQQQ", 4, 4, 512, 512, 512, 36, 36, 4)
image[512:548] = struct.pack("<III4s20s", 4, 20, 3, b"GNU\0", bytes(range(20)))
loads = [(0x10000, 4, image, 4096), (0x11000, 5, b"", 8192), (0x20000, 5, image, 4096)]
at = 64 + 56 * (1 + len(loads))
head = struct.pack("<4sBBBB8xHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 0, 4, 62, 1, 0, 64, 0, 0, 64, 56, 1 + len(loads), 0, 0, 0)
phdrs, data = struct.pack("<IIQQQQQQ", 4, 0, at, 0, 0, len(notes), 0, 4), notes
for vaddr, flags, bytes_, size in loads:
    phdrs += struct.pack("<IIQQQQQQ", 1, flags, at + len(data), vaddr, 0, len(bytes_), size, 4096)
    data += bytes_
open(sys.argv[1] + "/core", "wb").write(head + phdrs + data)
END
run "$USTACK_ASAN" imagemap encode --core "$I/core" -o "$I/core.cif"
status 0 "imagemap encode --core"
run "$USTACK" imagemap decode "$I/core.cif"
out '^0x10000 0x13000 000102030405060708090a0b0c0d0e0f10111213 /a/b$' "imagemap encode --core"
out '^0x20000 0x21000 000102030405060708090a0b0c0d0e0f10111213 \[vdso\]$' "imagemap encode --core: vDSO"
"$CLI_BUILD/mutate" "$I/core" "$I/mutated" 60 1
for copy in "$I"/mutated.*; do
	run timeout --foreground 20 "$USTACK_ASAN" imagemap encode --base64 --core "$copy"
	check "imagemap: ${copy##*/}" [ "$rc" -le 1 ]
	[ "$rc" = 0 ] || err "^ustack: $I/" "imagemap: ${copy##*/} says why"
done
