# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Gives damaged files to the program with sanitizers: it must report an error or success, and must not
# crash, hang or end without a message.
checks 49

export ASAN_OPTIONS=exitcode=99:detect_leaks=1 UBSAN_OPTIONS=exitcode=99

# usage: hostile_one FILE [OPTION...]: status, and the form of every complaint
hostile_one()
{
	local file=$1 out line rc form complaint
	shift

	complaint="^ustack: $file: (offset 0x[0-9a-f]+: )?[A-Z_]+: [a-z]"
	# dump --table also makes all checks of verify
	for form in dump "dump --table"; do
		# shellcheck disable=SC2086
		out=$(timeout 20 "$USTACK_ASAN" sframe $form "$@" "$file" 2>&1 >/dev/null)
		rc=$?
		if [ $rc -gt 1 ]; then
			echo "$file: $form: status $rc: ${out:0:2000}"
		elif [ $rc -eq 1 ] && [ -z "$out" ]; then
			echo "$file: $form: refused in silence"
		elif [ -n "$out" ]; then
			while IFS= read -r line; do
				[[ $line =~ $complaint ]] || echo "$file: $form: $line"
			done <<<"$out"
		fi
	done
}

# usage: hostile_part PART PARTS [OPTION...]: one of so many parts of the files in $T/m. A shell for each
# file would need as much time as the program
hostile_part()
{
	local part=$1 parts=$2 n=0 file
	shift 2

	for file in "$T/m/"*; do
		[ $((n++ % parts)) -ne "$part" ] || hostile_one "$file" "$@"
	done
}

# usage: hostile_files [OPTION...]: prints what is wrong with the answer for any file of $T/m
hostile_files()
{
	local part parts pids=()

	parts=$(nproc)
	for ((part = 0; part < parts; part++)); do
		hostile_part "$part" "$parts" "$@" >"$T/part.$part" &
		pids+=($!)
	done
	wait "${pids[@]}"
	cat "$T/part."*
}

# usage: hostile NAME SAMPLE COUNT OFFSET LENGTH [--raw ARCH VADDR]
hostile()
{
	local name=$1 sample=$2 count=$3 off=$4 len=$5
	shift 5

	rm -rf "$T/m"
	mkdir "$T/m"
	run "$CLI_BUILD/mutate" "$sample" "$T/m/$name" "$count" "$off$len" "$off" "$len"
	status 0 "$name: mutate"
	check "$name: $count mutants" [ "$(find "$T/m" -type f | wc -l)" -eq "$count" ]
	hostile_files "$@" >"$T/out"
	rc=0
	check "$name: $count damaged files" [ ! -s "$T/out" ]
	# not all damaged files may be refused by their headers, and not all may be harmless
	"$USTACK_ASAN" sframe verify "$@" "$T/m/"* >"$T/accepted" 2>"$T/refused"
	check "$name: verify of all" [ $? -eq 1 ]
	check "$name: some accepted" [ "$(grep -c '^/' "$T/accepted")" -gt 0 ]
	check "$name: some refused" [ "$(wc -l <"$T/refused")" -gt 0 ]
}

# the ELF header and program headers, then the section (0x2148, 284 bytes)
hostile elf-headers "$golden/t47.elf" 64 0 904
for v in 40:212 44:280 47:284; do
	hostile "section-${v%:*}" "$golden/t${v%:*}.elf" 64 8520 "${v#*:}"
done
hostile flex tests/live/cli/data/c47.sframe 64 0 519 --raw x86_64 0x10000
hostile arm64-v2 tests/live/cli/data/ta244.sframe 64 0 167 --raw aarch64 0x10000
hostile arm64-v3 tests/live/cli/data/ta247.sframe 64 0 171 --raw aarch64 0x10000

# cut everywhere
rm -rf "$T/m"
mkdir "$T/m"
for n in $(seq 0 171); do
	head -c "$n" tests/live/cli/data/ta247.sframe >"$T/m/cut.$n"
done
hostile_files --raw aarch64 0 >"$T/out"
check "cut at every byte" [ ! -s "$T/out" ]

# many functions that share the same rows are refused quickly, without reading all rows
python3 - "$T/shared" <<'PY'
import struct, sys
n, rows = 20000, 2000
fres = b"".join(struct.pack("<HBb", i, 3 | 0, 8) for i in range(rows))
fdes = b"".join(struct.pack("<iIIIBBH", 0x100000 + 0x10000 * i, 0x10000, 0, rows, 1, 0, 0)
		for i in range(n))
open(sys.argv[1], "wb").write(
	struct.pack("<HBBBbbBIIIII", 0xdee2, 2, 1, 3, 0, -8, 0, n, n * rows,
		    len(fres), 0, len(fdes)) + fdes + fres)
PY
for form in verify dump; do
	run timeout 20 "$USTACK_ASAN" sframe $form --raw x86_64 0 "$T/shared"
	status 1 "shared rows, $form"
	err 'offset 0x[0-9a-f]+: SHARED_ROWS: ' "shared rows, $form"
	check "shared rows, $form: bounded" [ "$(wc -c <"$T/out")" -lt 30000000 ]
done
unset ASAN_OPTIONS UBSAN_OPTIONS
