# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack sframe synth, compare and coverage on files of this machine.
checks 99

libc=$(ldd /bin/sh | sed -n 's/.*=> \(\/[^ ]*libc\.so[^ ]*\).*/\1/p')
interp=$(ldd /bin/sh | sed -n 's/^[ \t]*\(\/[^ ]*ld-linux[^ ]*\).*/\1/p')

for file in "$libc" "$interp" /bin/bash; do
	name=${file##*/}
	for format in 2 3; do
		run "$USTACK" sframe synth --format $format -o "$T/$name.$format" "$file"
		status 0 "synth $format of $name"
		no_err "synth $format of $name"
		out "^$file: [0-9]+ functions, [0-9]+ rows, [0-9]+ bytes at 0x[0-9a-f]+000$" \
			"synth $format of $name"
		run "$USTACK" sframe verify "$T/$name.$format"
		status 0 "verify synth $format of $name"
		out ": V$format, 1 part, .* 0 lost; table" "verify synth $format of $name"
	done
	# version 3 can express all rules
	run "$USTACK" sframe compare --section "$T/$name.3" "$file"
	status 0 "compare $name"
	out "^$file: [0-9]{5,} bytes of text with the same rules$" "compare $name"
	no_err "compare $name"
	run "$USTACK" sframe synth -o "$T/again" "$file"
	check "synth of $name: the same bytes again" cmp "$T/$name.3" "$T/again"
	run "$USTACK" sframe synth --raw -o "$T/raw" "$file"
	vaddr=$(sed -n '1s/.* at //p' "$T/out")
	run "$USTACK" sframe verify --raw x86_64 "$vaddr" "$T/raw"
	status 0 "bare bytes of $name"
done

# version 2 has no signal frames: libc's trampoline is named
run "$USTACK" sframe synth --format 2 -o "$T/out2" "$libc"
out '^  left out [0-9]+, [0-9]+ bytes of text: SIGNAL: version 2 has no signal frames$' \
	"libc in version 2"
run "$USTACK" sframe compare --section "$T/out2" "$libc"
status 3 "compare libc in version 2"
out ': NO_RULE: there is no rule where the CFI has one$' "compare libc in version 2"
run "$USTACK" sframe compare --json --section "$T/out2" "$libc"
check "compare --json" json 'd[0]["differences"]["NO_RULE"]["bytes"] > 0 and d[0]["differences"]["OTHER"]["bytes"] == 0 and d[0]["runs"][0]["sframe"] == "nothing"'

# errors of GNU's assembler and linker are listed by kind
run "$USTACK" sframe compare "$golden/t47.elf"
status 3 "compare of GNU's own"
out '^0x1050\.\.0x1058 NO_RULE: .sframe nothing; CFI CFA=SP\+8 RA=\*\(CFA-8\)$' \
	"compare of GNU's own: .plt.got"

# all other rules are the same, although GNU's tools translate CFI with code of their own
check "compare of GNU's own: all other rules are ours" \
	sh -c "! grep -E ' (STALE_OFFSET|FP_RESTORE|REGISTER_AS_SP|NO_CFI|OTHER):' '$T/out'"
out ': 168 bytes of text with the same rules$' "compare of GNU's own: the rest"

# no section headers: by the program header
cp "$libc" "$T/headless"
printf '\0\0\0\0\0\0\0\0' | dd of="$T/headless" bs=1 seek=40 conv=notrunc status=none
printf '\0\0\0\0\0\0' | dd of="$T/headless" bs=1 seek=58 conv=notrunc status=none
run "$USTACK" sframe synth -o "$T/headless.3" "$T/headless"
status 0 "synth without section headers"
check "synth without section headers: the same section" \
	cmp <("$USTACK" sframe dump "$T/libc.so.6.3" | sed 1d) <("$USTACK" sframe dump "$T/headless.3" | sed 1d)

run "$USTACK" sframe coverage "$libc"
status 0 "coverage of libc"
out "^$libc: 99\.[89][0-9]+% of [0-9]+ bytes of text with CFI" "coverage of libc"
run "$USTACK" sframe coverage --check "$libc" "$interp" /bin/bash
status 0 "coverage --check"
out '^  [0-9]{7} bytes looked up and the same, 0 differ$' "coverage --check"
mkdir "$T/tree"
cp "$libc" "$T/tree/libc"
echo text >"$T/tree/text"
ln -s /nowhere "$T/tree/link"
run "$USTACK" sframe coverage --files "$T/tree"
status 0 "coverage of a tree"
out '^1 files, 1 others; section bytes [0-9]+, of CFI [0-9]+$' "coverage of a tree"
out "^$T/tree/libc: 99" "coverage of a tree: its file"
run "$USTACK" sframe coverage --json "$T/tree" "$interp"
check "coverage --json" json 'len(d[0]) == 2 and all(0.99 < f["covered_bytes"] / f["cfi_bytes"] <= 1 for f in d[0])'

# A few functions without CFI in a program that has CFI, as in Rust with panic=abort: rules from their
# code. The code of crtbegin.o alone is not worth a search.
cat >"$T/main.c" <<'END'
int twice(int (*f)(int), int n);
static int one(int n) { return n + 1; }
int main(int argc, char **argv) { asm(".skip 65536, 0x90"); return twice(one, argc); }
END
cat >"$T/twice.c" <<'END'
__attribute__((noinline)) static int call(int (*f)(int), int n) { return f(f(n) + 1) + 2; }
int twice(int (*f)(int), int n) { return call(f, call(f, n) ^ 0x1234567) * 3 + n; }
END
gcc -O1 -c -o "$T/main.o" "$T/main.c"
gcc -O1 -fno-asynchronous-unwind-tables -c -o "$T/bare.o" "$T/twice.c"
gcc -O1 -c -o "$T/whole.o" "$T/twice.c"
gcc -s -o "$T/bare" "$T/main.o" "$T/bare.o"
gcc -s -o "$T/whole" "$T/main.o" "$T/whole.o"
run "$USTACK" sframe coverage "$T/bare"
out '^  [0-9]{2,3} bytes without CFI have rules by their code$' "few functions without CFI"
run "$USTACK" sframe coverage "$T/whole"
check "all functions have CFI" sh -c "! grep -q 'rules by their code' '$T/out'"

# A function without CFI that never returns: the code after its call is its own, as the called one returns.
# That one has CFI, and returns itself, or jumps to another one that returns.
cat >"$T/endless.c" <<'END'
void called(void);
void endless(volatile int *n) { called(); for (;;) { *n += 0x12345; *n ^= 0x54321; asm(".skip 32, 0x90"); } }
END
cat >"$T/called.s" <<'END'
	.section .note.GNU-stack,"",@progbits
	.text
	.globl called
	.type called, @function
	.macro function name, code:vararg
\name:	.cfi_startproc
	\code
	.cfi_endproc
	.size \name, . - \name
	.endm
	function last, ret
	function middle, jmp last
END
cat >"$T/user.c" <<'END'
void endless(volatile int *n);
int main(int argc, char **argv) { endless(&argc); }
END
gcc -O1 -fno-asynchronous-unwind-tables -c -o "$T/endless.o" "$T/endless.c"
gcc -O1 -c -o "$T/user.o" "$T/user.c"
for called in 'ret; nop' 'jmp last' 'jmp middle' 'jmp called'; do
	{ cat "$T/called.s"; echo "	function called, $called"; } >"$T/one.s"
	gcc -s -o "$T/endless" "$T/user.o" "$T/endless.o" "$T/one.s"
	"$USTACK" sframe coverage "$T/endless" | sed -n 's/^ *\([0-9]*\) bytes without CFI have .*/\1/p'
done >"$T/bytes"
check "a called function returns through jumps to others: $(tr '\n' ' ' <"$T/bytes")" \
	awk '{ n[NR] = $1 } END { exit !(NR == 4 && n[1] > n[4] && n[2] == n[1] && n[3] == n[1]) }' "$T/bytes"

# files of other types, and missing ones
head -c 100000 "$libc" >"$T/cut"
run "$USTACK" sframe synth -o "$T/x" "$T/cut"
status 1 "synth of half a file"
err "^ustack: $T/cut: " "synth of half a file"
check "synth of half a file: no output is left" [ ! -e "$T/x" ]
run "$USTACK" sframe synth -o "$T/x" /etc/passwd
status 1 "synth of a text"
err '^ustack: /etc/passwd: NOT_ELF: ' "synth of a text"
run "$USTACK" sframe coverage "$T/absent"
status 1 "coverage of nothing"
err "^ustack: $T/absent: No such file or directory$" "coverage of nothing"
run "$USTACK" sframe synth -o /dev/full --raw "$libc"
status 1 "synth to a full device"
err '^ustack: /dev/full: No space left on device$' "synth to a full device"

bad_usage sframe synth "$libc"
bad_usage sframe synth -o "$T/x"
bad_usage sframe synth -o "$T/x" --format 1 "$libc"
bad_usage sframe compare
bad_usage sframe coverage
bad_usage sframe coverage --format 4 "$libc"
