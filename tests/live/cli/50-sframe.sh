# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack sframe verify and ustack sframe dump on the golden samples.
checks 234

data=tests/live/cli/data

for v in 40:V1 44:V2 47:V3; do
	elf=$golden/t${v%:*}.elf
	run "$USTACK" sframe verify "$elf"
	status 0 "verify $elf"
	no_err "verify $elf"
	out "^$elf: ${v#*:}, 1 part, [67] functions, 1[15] rows, [12] lost; table [0-9]+ bytes, [0-9.]+ a row$" "verify $elf"
	out '^  lost [12], the first: offset 0x[0-9a-f]+: PLT_BUG: ' "verify $elf"
	for form in dump table; do
		option=
		[ $form = table ] && option=--table
		run "$USTACK" sframe dump $option "$elf"
		status 0 "$form of $elf"
		no_err "$form of $elf"
		# the layout and size of a table are not compared, because the core may change them
		[ $form = table ] && sed -i 1,2d "$T/out"
		check "$form of $elf is as expected" cmp "$data/${elf##*/}.$form" "$T/out"
	done
	run "$USTACK" sframe dump --table "$elf"
	out "^$elf: table of [0-9]+ bytes, x86_64, 0x1000-0x11d8$" "table of $elf"
	out '^[0-9]+ rows, [0-9]+ rules, [0-9]+ buckets, [12]-byte keys, [12]-byte rules$' \
		"table of $elf"
	run "$USTACK" sframe dump --section-only "$elf"
	status 0 "headers of $elf"
	check "headers of $elf: the dump's" cmp "$T/out" <(head -2 "$data/${elf##*/}.dump")
done

for s in c47:x86_64 ta244:aarch64 ta247:aarch64; do
	file=$data/${s%:*}.sframe
	run "$USTACK" sframe dump --raw "${s#*:}" 0x10000 "$file"
	check "dump --raw $file is as expected" cmp "$file.dump" "$T/out"
done

# from a pipe
run bash -c "cat $data/ta247.sframe | $USTACK sframe dump --raw aarch64 0x10000 /dev/stdin"
status 0 "dump of a pipe"
check "dump of a pipe" cmp <(sed 1d "$data/ta247.sframe.dump") <(sed 1d "$T/out")

# two concatenated parts, which a linker that does not know SFrame makes
cat "$data/ta247.sframe" >"$T/two"
truncate -s %8 "$T/two"
cat "$data/ta244.sframe" >>"$T/two"
run "$USTACK" sframe verify --raw aarch64 0x10000 "$T/two"
status 0 "two parts"
out ": V2\\+V3, 2 parts, 8 functions, " "two parts"

run "$USTACK" sframe verify --json "$golden/t47.elf" "$golden/t40.o"
status 1 "verify --json with a refused file"
check "verify --json: accepted" json 'd[0][0]["accepted"] and d[0][0]["versions"] == [3] and d[0][0]["functions"] == 7 and d[0][0]["first_lost"]["reason"] == "PLT_BUG"'
check "verify --json: refused" json 'not d[0][1]["accepted"] and d[0][1]["reason"] == "NOT_EXECUTABLE" and d[0][1]["file"].endswith("t40.o")'
err "^ustack: $golden/t40.o: NOT_EXECUTABLE: " "verify --json talks too"

run "$USTACK" sframe verify "$golden/t47.elf" "$golden/s247.o" "$golden/t44.elf"
status 1 "one of three refused"
lines 4 "one of three refused: the others are told"
err "^ustack: $golden/s247.o: ELF_CLASS: " "one of three refused"

run "$USTACK" sframe verify --raw aarch64 0 "$golden/t47.elf.sframe.bin"
status 1 "another architecture"
err ': offset 0x0: WRONG_ARCH: the section is for another architecture$' "another architecture"
run "$USTACK" sframe verify --raw x86_64 0 /dev/null
err '^ustack: /dev/null: offset 0x0: TRUNCATED: ' "nothing"
run "$USTACK" sframe verify "$T/absent"
status 1 "no such file"
err "^ustack: $T/absent: No such file or directory$" "no such file"
run "$USTACK" sframe verify --json "$T/absent"
check "no such file, as JSON" json 'd[0][0]["sentence"] == "No such file or directory"'
run "$USTACK" sframe dump /proc/self
status 1 "a directory"
err '^ustack: /proc/self: Is a directory$' "a directory"
run "$USTACK" sframe verify /bin/sh
err '^ustack: /bin/sh: NO_SECTION: the file has no \.sframe$|^$' "a file without the section"

# rows that cannot be used are shown in their places, each with its reason
cp "$golden/t47.elf.sframe.bin" "$T/row"
printf '\001' | dd of="$T/row" bs=1 seek=$((0xa5)) conv=notrunc status=none
run "$USTACK" sframe dump --raw x86_64 0x2148 "$T/row"
status 1 "a row that cannot be run"
err "^ustack: $T/row: offset 0xa7: BAD_OPERAND: " "a row that cannot be run"
out '^  0x[0-9a-f]+  cannot be run: BAD_OPERAND: ' "a row that cannot be run"
check "a row that cannot be run: every row has its line" [ "$(grep -c '^  ' "$T/out")" -eq 16 ]
# readelf 2.47 prints r20+300 for it
run "$USTACK" sframe dump "$data/r20.o"
status 1 "a row of register 20"
check "a row of register 20" cmp <(sed 1,3d "$T/out") - <<'END'
  0x0  CFA=SP+8 RA=*(CFA-8)
  0x1  cannot be run: BAD_OPERAND: CFA=r20+300
  0x2  CFA=SP+8 RA=*(CFA-8)
END

# A relocatable file is relocated: its functions are those of the linked file, all functions of a
# section moved by the same distance; .text is at 0, followed by .text.startup with main.
# usage: linked OBJECT LINKED
linked()
{
	python3 - "$1" "$2" <<'END'
import sys

def functions(path):
    """start: (size and kind, rows as they are from the start on)"""
    found = {}
    for line in open(path):
        words = line.split(None, 1)
        if line.startswith("0x"):
            start, end = (int(n, 16) for n in words[0].split("-"))
            found[start] = rows = [(end - start, words[1:])]
        elif line.startswith("  0x"):
            rows.append((int(words[0], 16) - start, words[1]))
    return found

objects, whole = functions(sys.argv[1]), functions(sys.argv[2])
assert sorted(objects) == [0, 0x10, 0x30, 0x60], objects
text = [by for by in whole if all(whole.get(by + at) == objects[at] for at in (0, 0x10, 0x30))]
assert len(text) == 1, text
assert sum(rows == objects[0x60] for rows in whole.values()) == 1
END
}
for nr in 40 44 47; do
	"$USTACK" sframe dump "$golden/t$nr.elf" >"$T/linked"
	run "$USTACK" sframe dump "$golden/t$nr.o"
	status 0 "dump of t$nr.o"
	no_err "dump of t$nr.o"
	check "t$nr.o: the functions of t$nr.elf" linked "$T/out" "$T/linked"
done
for object in ta244 ta247 c40 c44 c47; do
	run "$USTACK" sframe dump "$golden/$object.o"
	status 0 "dump of $object.o"
	out '^0x0-0x[0-9a-f]+$' "dump of $object.o"
done
# the first relocation of .sframe, at 0x438: its place, its type and symbol, its addend
cp "$golden/t47.o" "$T/reloc.o"
printf '\143' | dd of="$T/reloc.o" bs=1 seek=$((0x440)) conv=notrunc status=none
run "$USTACK" sframe dump "$T/reloc.o"
status 1 "an unknown relocation"
no_out "an unknown relocation"
err "^ustack: $T/reloc.o: unknown type 99 of a relocation for .sframe$" "an unknown relocation"
cp "$golden/t47.o" "$T/reloc.o"
printf '\377' | dd of="$T/reloc.o" bs=1 seek=$((0x438)) conv=notrunc status=none
run "$USTACK" sframe dump "$T/reloc.o"
status 1 "a relocation behind the section"
err "^ustack: $T/reloc.o: a relocation of .sframe refers to nothing in the file$" \
	"a relocation behind the section"
check "damage to t47.o" "$CLI_BUILD/mutate" "$golden/t47.o" "$T/object" 24 1
for mutant in "$T"/object.*; do
	run "$USTACK_ASAN" sframe dump "$mutant"
	check "dump of a damaged t47.o, ${mutant##*.}" [ "$rc" -le 1 ]
done
gcc -c -x c -o "$T/bare.o" - <<<'int f(void) { return 1; }'
run "$USTACK" sframe dump "$T/bare.o"
status 1 "dump of a relocatable file without a section"
err "^ustack: $T/bare.o: NO_SECTION: " "dump of a relocatable file without a section"

# files that are not programs or libraries give an error that names their type
for command in compare verify; do
	run "$USTACK" sframe $command "$golden/t47.o"
	status 1 "$command of a relocatable file"
	err 'NOT_EXECUTABLE: the ELF file is relocatable: ' "$command of a relocatable file"
done
# Big-endian files are only shown; no stack walk uses them.
run "$USTACK" sframe dump "$golden/s247.o"
status 0 "dump of a big-endian object"
no_err "dump of a big-endian object"
check "dump of s247.o is as expected" cmp "$data/s247.o.dump" "$T/out"
check "dump of s247.o: what readelf 2.47 says" python3 - "$T/out" "$data/s247.o.readelf" <<'END'
import re, sys

def dumped(text):
    """(pc, base and offset of the CFA, FP, RA) in readelf's words; what is not saved is None"""
    for pc, cfa, ra, fp in re.findall(r"^  0x(\w+)  CFA=(\S+) RA=(\S+)(?: FP=(\S+))?$", text, re.M):
        slot = re.compile(r"\*\(CFA(-\d+)\)")
        yield (int(pc, 16), cfa.lower(), slot.sub(r"c\1", fp) if fp else None,
               slot.sub(r"c\1", ra) if ra != "r14" else None)

def read(text):
    for pc, cfa, fp, ra in re.findall(r"^    (\w{16})  (\S+) +(\S+) +(\S+)", text, re.M):
        saved = [None if w in "uU" else w.replace("r17+0", "r17") for w in (fp, ra)]
        yield (int(pc, 16), cfa, *saved)

rows, theirs = (list(f(open(p).read())) for f, p in zip((dumped, read), sys.argv[1:]))
assert rows == theirs and len(rows) == 16, (rows, theirs)
END
for command in compare verify; do
	run "$USTACK" sframe $command "$golden/s247.o"
	status 1 "$command of a big-endian object"
	err 'ELF_CLASS: the ELF file is big-endian; ' "$command of a big-endian object"
done
run "$USTACK" sframe dump --table "$golden/s247.o"
status 1 "no table of a big-endian object"
err 's247\.o: is big-endian: the module makes no table of it$' "no table of a big-endian object"

# The same code, assembled and linked in either byte order, must have the same functions and rows, each
# at its own addresses. The assembler of this machine makes version 1 or 2.
# usage: rows FILE: functions as their size, rows as their offset
rows()
{
	"$USTACK" sframe dump "$1" | python3 -c '
import sys
for line in sys.stdin:
    words = line.split(None, 1)
    if line.startswith("0x"):
        start, end = (int(n, 16) for n in words[0].split("-"))
        print(hex(end - start), *words[1:])
    elif line.startswith("  0x"):
        print(hex(int(words[0], 16) - start), words[1].strip())'
}
for order in L B; do
	aarch64-linux-gnu-as -E$order --gsframe -o "$T/e$order.o" "$data/aarch64.s"
	aarch64-linux-gnu-ld -E$order -e f1 -o "$T/e$order.elf" "$T/e$order.o"
	aarch64-linux-gnu-ld -q -E$order -e f1 -o "$T/q$order.elf" "$T/e$order.o"
done
for file in e%.o e%.elf q%.elf; do
	rows "$T/${file/\%/L}" >"$T/little"
	rows "$T/${file/\%/B}" >"$T/big.rows"
	check "big-endian $file: the rows of little-endian" cmp "$T/little" "$T/big.rows"
	check "big-endian $file has rows" [ "$(wc -l <"$T/big.rows")" -eq 10 ]
	run "$USTACK" sframe dump "$T/${file/\%/B}"
	status 0 "dump of big-endian $file"
	out ' aarch64, big-endian$' "dump of big-endian $file"
done
functions=$("$USTACK" sframe dump "$T/eB.elf" | sed -n 's/^\(0x[0-9a-f]*\)-.*/\1/p')
symbols=$(aarch64-linux-gnu-nm "$T/eB.elf" | sed -n 's/^0*\([0-9a-f]*\) T f.*/0x\1/p' | sort)
check "big-endian: functions are at their symbols" [ "$functions" = "$symbols" ]
# a section whose byte order differs from its file's
cp "$T/eL.elf" "$T/mixed"
aarch64-linux-gnu-objcopy -O binary -j .sframe "$T/eB.o" "$T/eB.sframe"
aarch64-linux-gnu-objcopy --update-section .sframe="$T/eB.sframe" "$T/mixed"
run "$USTACK" sframe dump "$T/mixed"
status 1 "a big-endian section of a little-endian file"
err 'FOREIGN_ENDIAN: ' "a big-endian section of a little-endian file"
for file in "$golden/s247.o" "$T/eB.elf"; do
	check "damage to ${file##*/}" "$CLI_BUILD/mutate" "$file" "$T/foreign" 40 2
	for mutant in "$T"/foreign.*; do
		run timeout --foreground 20 "$USTACK_ASAN" sframe dump "$mutant"
		check "dump of a damaged ${file##*/}, ${mutant##*.}" [ "$rc" -le 1 ]
	done
	rm "$T"/foreign.*
done

# a file name with a line break must not fake a line
printf '\177ELF' >"$T/a
b"
run "$USTACK" sframe verify "$T/a
b"
check "line break in a name" [ "$(wc -l <"$T/err")" -eq 1 ]
