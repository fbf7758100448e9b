# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Tests ustack load.
checks 31

elf=$golden/t47.elf
raw=$golden/t47.elf.sframe.bin

# usage: handed NAME LINE: checks that the stand-in for the module got this request
handed() { check "$1: handed over" grep -qx "$2" "$T/log"; rm -f "$T/log"; }

rm -f "$T/log"
fake "$USTACK" load "$elf"
status 0 "load FILE"
no_err "load FILE"
out "^$elf: 120 functions, 412 rows, 3456 bytes$" "load FILE"
out "^$elf: 2 functions lost, the first: offset 0x44: PLT_BUG: a PLT entry" "load FILE"
handed "load FILE" 'load fd good flags 0 vaddr 0x2148 len 226 magic dee2'

fake "$USTACK" load "$elf" --section "$raw" --vaddr 0x2148
status 0 "load --section --vaddr"
handed "load --section --vaddr" "load fd good flags 0 vaddr 0x2148 len $(wc -c <"$raw") magic dee2"

fake "$USTACK" load /bin/sh --section "$elf"
status 0 "load --section of an ELF file"
handed "load --section of an ELF file" 'load fd good flags 0 vaddr 0x2148 len 226 magic dee2'

fake "$USTACK" load --vdso --section "$raw" --vaddr 8520
status 0 "load --vdso --section"
out '^\[vdso\]: 120 functions' "load --vdso --section"
handed "load --vdso --section" 'load fd none flags 1 vaddr 0x2148 len [0-9]* magic dee2'

fake "$USTACK" load --vdso "$elf"
status 0 "load --vdso FILE"
handed "load --vdso FILE" 'load fd none flags 1 vaddr 0x2148 len 226 magic dee2'

FAKE_REFUSE=36 fake "$USTACK" load "$elf"
status 1 "refused section"
no_out "refused section"
err "^ustack: $elf: offset 0x1c: BAD_FLAGS: the header has flags" "refused section"

FAKE_REFUSE=64 fake "$USTACK" load "$elf" --section "$raw" --vaddr 0
status 1 "refused file"
err "^ustack: $elf: NOT_ELF: the file is not" "refused file: the file, not the section"

FAKE_ERRNO=9 fake "$USTACK" load "$elf"
err "^ustack: $elf: not a regular file$" "not a regular file"

FAKE_ERRNO=12 fake "$USTACK" load "$elf"
status 1 "no memory"
err '^ustack: /dev/ustack: Cannot allocate memory$' "no memory"

rm -f "$T/log"
fake "$USTACK" load "$elf" --section "$raw"
status 1 "bare section without address"
err '^ustack: a bare section needs --vaddr$' "bare section without address"
fake "$USTACK" load "$golden/t47.o"
status 1 "no executable"
err "^ustack: $golden/t47.o: NOT_EXECUTABLE: " "no executable"
fake "$USTACK" load "$T/absent"
status 1 "no such file"
err "^ustack: $T/absent: No such file" "no such file"
fake "$USTACK" load "$T"
status 1 "a directory"
err "^ustack: $T: Is a directory" "a directory"
check "nothing was handed over" [ ! -e "$T/log" ]
