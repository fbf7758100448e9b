# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack prebuild: it makes tables for files and folders in a cache.
checks 91

P=$T/prebuild
mkdir -p "$P/tree/sub"
cp /bin/ls /bin/cat "$P/tree"
cp /bin/date "$P/tree/sub"
ln "$P/tree/ls" "$P/tree/sub/hard"
ln -s ls "$P/tree/soft"
ln -s .. "$P/tree/sub/up"
mkfifo "$P/tree/pipe"
: >"$P/tree/empty"
cp tests/live/cli/run "$P/tree/script"
head -c 5000 /bin/ls >"$P/tree/half"

run timeout 60 "$USTACK" prebuild --cache "$P/cache" "$P/tree" "$P/tree/ls"
status 0 "prebuild"
out '^[56] files: 3 made, 0 already there, [1-3] skipped \(.*NOT_OURS 1' "prebuild: each file once"
out '^[0-9.]+ MB of CFI, [0-9.]+ MB/s, [0-9.]+ KiB written, [0-9.]+ s$' "prebuild"
check "prebuild: entries" [ "$(find "$P/cache" -name '*.sframe' | wc -l)" -eq 3 ]
run timeout 60 "$USTACK" prebuild --cache "$P/cache" -j 3 "$P/tree"
status 0 "prebuild again"
out '^[56] files: 0 made, 3 already there' "prebuild again"
out '^0\.0 MB of CFI, .* 0 bytes written' "prebuild again"
run timeout 60 "$USTACK" prebuild --cache "$P/cache" --json "$P/tree" /bin/true
status 0 "prebuild --json"
check "prebuild --json: one line" [ "$(wc -l <"$T/out")" -eq 1 ]
check "prebuild --json" json '[d[0][k] for k in ("made", "already_there", "missing_paths")] == [1, 3, 0] and (
	d[0]["files"] - 4 == sum(d[0]["skipped"].values()) and d[0]["skipped"]["NOT_OURS"] == 1 and
	d[0]["written_bytes"] > 0 and d[0]["seconds"] > 0)'

# files do not get the numbers of standard descriptors that are closed
run timeout 60 sh -c '"$@" <&- >&-' - "$USTACK" prebuild --cache "$P/closed" "$P/tree"
err 'stdout: Bad file descriptor$' "prebuild without standard descriptors"
check "prebuild without standard descriptors: entries" \
	[ "$(find "$P/closed" -name '*.sframe' | wc -l)" -eq 3 ]

# children are waited for, though the parent ignores the ends of its own
run timeout 60 python3 -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])' "$USTACK" prebuild --cache "$P/ignored" "$P/tree"
status 0 "prebuild with SIGCHLD ignored"
check "prebuild with SIGCHLD ignored: entries" \
	[ "$(find "$P/ignored" -name '*.sframe' | wc -l)" -eq 3 ]

run "$USTACK" prebuild --cache "$P/cache" "$P/tree/cat" "$P/nothing"
status 1 "a path that is not there"
err "^ustack: $P/nothing: No such file or directory$" "a path that is not there"
out '^1 files: 0 made, 1 already there' "a path that is not there: the others are done"
run "$USTACK" prebuild --cache "$P/tree/cat/cache" "$P/tree"
status 1 "prebuild: no cache"
err "^ustack: $P/tree/cat/cache: Not a directory$" "prebuild: no cache"
run timeout 20 "$USTACK" prebuild --cache "$P/cache" /proc
status 0 "prebuild of /proc"
out '^0 files' "prebuild of /proc"

if [ "$(id -u)" -eq 0 ]; then
	# the program must also be in a folder that every user may enter
	open=$(mktemp -d)
	chmod 755 "$open"
	cp "$USTACK" "$open/ustack"
	mkdir "$open/cache"
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$open/ustack" prebuild \
		--cache "$open/cache" /bin/cat
	status 1 "prebuild: a cache of another user's"
	err "^ustack: $open/cache: cannot write to the cache: Permission denied$" \
		"prebuild: a cache of another user's is named"
	out '^1 files: 0 made, 0 already there' "prebuild: what was not written was not made"
	rm -r "$open"
fi

# only files that changed after the stamp, by the change time of the inode: files of a package have an
# older modification time
stamp=$P/stamp
touch "$stamp"
run timeout 60 "$USTACK" prebuild --cache "$P/newer" --newer-than "$stamp" "$P/tree"
status 0 "prebuild --newer-than: nothing is new"
out '^0 files: 0 made' "prebuild --newer-than: nothing is new"
touch -d '1 day ago' "$P/tree/cat"
run timeout 60 "$USTACK" prebuild --cache "$P/newer" --newer-than "$stamp" "$P/tree"
status 0 "prebuild --newer-than: a new file with an old date"
out '^1 files: 1 made' "prebuild --newer-than: a new file with an old date"
run timeout 60 "$USTACK" prebuild --cache "$P/newer" --newer-than "$P/no-stamp" "$P/tree"
status 0 "prebuild --newer-than a stamp that is not there"
out '^[56] files: 2 made, 1 already there' "prebuild --newer-than a stamp that is not there"
run "$USTACK" prebuild --cache "$P/newer" --newer-than "$P/tree/cat/stamp" "$P/tree"
status 1 "prebuild --newer-than a stamp that cannot be"
err "^ustack: $P/tree/cat/stamp: Not a directory$" "prebuild --newer-than a stamp that cannot be"

# files of a list, as a package manager prints it: it also has folders, links and files that are gone
printf '%s\n' "$P/tree" "$P/tree/sub" "$P/tree/soft" "$P/tree/gone" "$P/tree/cat" "$P/tree/ls" \
	"$P/tree/sub/hard" >"$P/list"
run timeout 60 "$USTACK" prebuild --cache "$P/listed" --files-from "$P/list"
status 0 "prebuild --files-from"
out '^2 files: 2 made' "prebuild --files-from: each file once"
check "prebuild --files-from: nothing to say" [ ! -s "$T/err" ]
# shellcheck disable=SC2016 # the shell's own
run timeout 60 sh -c '"$1" prebuild --cache "$2" --files-from - <"$3"' - "$USTACK" "$P/listed" "$P/list"
status 0 "prebuild --files-from -"
out '^2 files: 0 made, 2 already there' "prebuild --files-from -"
run timeout 60 "$USTACK" prebuild --cache "$P/listed" --files-from "$P/list" "$P/tree"
out '^[56] files: 1 made, 2 already there' "prebuild --files-from, and a folder"
run timeout 60 "$USTACK" prebuild --cache "$P/listed" --files-from "$P/list" --newer-than "$stamp"
out '^1 files: 0 made, 1 already there' "prebuild --files-from --newer-than"
run "$USTACK" prebuild --cache "$P/listed" --files-from "$P/empty-list"
status 1 "prebuild --files-from what is not there"
err "^ustack: $P/empty-list: No such file" "prebuild --files-from what is not there"
{ echo "$P/tree/ls"; head -c 5000 /dev/zero | tr '\0' a; echo; } >"$P/list"
run "$USTACK" prebuild --cache "$P/listed" --files-from "$P/list"
status 1 "a line that is no path"
err "^ustack: $P/list: offset 0x.*line 2: longer than a path may be" "a line that is no path"
printf 'a\0b\n' >"$P/list"
run "$USTACK" prebuild --cache "$P/listed" --files-from "$P/list"
status 1 "a NUL in a line"
run "$USTACK" prebuild --cache "$P/listed"
status 2 "prebuild of nothing"
err 'which PATH' "prebuild of nothing"

# the entry that was used last is removed last; files that are not entries are not touched
rm -rf "$P/kept"
mv "$P/cache" "$P/kept"
mkdir -p "$P/cache/00"
touch -d '2 days ago' "$P/cache/00/.new-1-1"
touch "$P/cache/00/note.txt" "$P/cache/00/.new-2-2"
# the pruner looks only at the beginning of an entry
prebuilt=$(find "$P/kept" -name '*.sframe' | head -n 1)
{ head -c 16 "$prebuilt"; head -c 2000000 /dev/zero; } >"$P/cache/00/11.sframe"
touch -d '3 days ago' "$P/cache/00/11.sframe"
run "$USTACK" prebuild --cache "$P/cache" --cache-size 1 "$P/tree"
status 0 "a cache that is too large"
err '^ustack: the cache was too large: 1 of 4 entries removed$' "a cache that is too large"
check "the oldest entry is gone" [ ! -e "$P/cache/00/11.sframe" ]
check "an old temporary file is gone" [ ! -e "$P/cache/00/.new-1-1" ]
check "a new temporary file is there" [ -e "$P/cache/00/.new-2-2" ]
check "a file that is not an entry is there" [ -e "$P/cache/00/note.txt" ]
check "new entries are there" [ "$(find "$P/cache" -name '*.sframe' | wc -l)" -eq 3 ]

# an entry of another synthesizer, whose digest differs in one bit, is removed although it is small and new
byte=$(od -An -tu1 -j 8 -N 1 "$prebuilt")
cp "$prebuilt" "$P/cache/00/22.sframe"
# shellcheck disable=SC2059
printf "\\x$(printf %02x $((byte ^ 1)))" |
	dd of="$P/cache/00/22.sframe" bs=1 seek=8 conv=notrunc 2>/dev/null
run "$USTACK" prebuild --cache "$P/cache" "$P/tree"
status 0 "entries of another synthesizer"
err '^ustack: 1 of 4 entries of the cache were made by another version; they were removed$' \
	"entries of another synthesizer"
check "entries of another synthesizer: gone" [ ! -e "$P/cache/00/22.sframe" ]
check "entries of another synthesizer: the others stay" \
	[ "$(find "$P/cache" -name '*.sframe' | wc -l)" -eq 3 ]

# The digest depends only on the bytes of the files: a copy in another folder, made now, has the same. One
# more byte in any file, one more file or a missing file changes the digest.
differ() { ! cmp -s "$@"; }
synthesizer() { "$P/digest/user/supply/synthesizer"; }
mkdir -p "$P/digest"
user/supply/synthesizer >"$P/digest.here"
# shellcheck disable=SC2046 # no path has a blank
cp --parents user/supply/synthesizer $(user/supply/synthesizer --files) "$P/digest"
synthesizer >"$P/digest.copy"
check "digest: the same elsewhere" cmp "$P/digest.here" "$P/digest.copy"
check "digest: of the program under test" grep -q "^const .* = 0x$(
	od -An -tx8 -j 8 -N 8 "$prebuilt" | tr -d ' ');" "$P/digest.here"
same=0
for file in $(user/supply/synthesizer --files); do
	echo >>"$P/digest/$file"
	! synthesizer | cmp -s - "$P/digest.here" || same=$((same + 1))
	cp "$file" "$P/digest/$file"
done
check "digest: any file changes it" [ $same -eq 0 ]
synthesizer >"$P/digest.copy"
check "digest: the same again" cmp "$P/digest.here" "$P/digest.copy"
: >"$P/digest/user/sframe/more.c"
synthesizer >"$P/digest.copy"
check "digest: a file more changes it" differ "$P/digest.here" "$P/digest.copy"
rm "$P/digest/user/sframe/more.c" "$P/digest/kmod/core/reason.c"
synthesizer >"$P/digest.copy"
check "digest: a file less changes it" differ "$P/digest.here" "$P/digest.copy"
# the files of those two folders that the synthesizer includes, as listed by the compiler
for file in user/sframe/{synth,cfi,encode,gopclntab,x86_,elf_}*.c kmod/core/*.c; do
	gcc -MM -D_GNU_SOURCE -iquote user -iquote kmod/core "$file"
done | tr -d "\\\\" | tr ' ' '\n' | grep -E '^(user/sframe|kmod/core)/' | sort -u >"$P/included"
check "digest: what is included is in it" [ "$(wc -l <"$P/included")" -gt 60 ]
check "digest: all that is included is in it" [ -z "$(user/supply/synthesizer --files | sort |
	comm -13 - "$P/included")" ]

# a file with only debug information has the build id of its program, but no code: it gets no table
objcopy --only-keep-debug /bin/ls "$P/debug" 2>/dev/null
run "$USTACK" prebuild --cache "$P/cache" "$P/debug" "$P/tree/ls"
out '^2 files: 0 made, 1 already there, 1 skipped \(NO_FUNCTIONS 1\)$' \
	"a debug file does not take its program's place"

# --load: the module gets the tables before any process maps the files
# (the stand-in for the device writes from the worker, which may write below the cache alone)
prebuild_load()
{
	rm -f "$P/cache/log" "$P/cache/paths"
	FAKE_PATHS=$P/cache/paths fake env FAKE_LOG="$P/cache/log" timeout 60 \
		"$USTACK" prebuild --cache "$P/cache" -l "$P/tree"
}
rm -rf "$P/cache"
for from in made "already there"; do
	prebuild_load
	status 0 "prebuild --load, $from"
	out "3 $from" "prebuild --load, $from"
	out '^3 tables given to the module$' "prebuild --load, $from"
	check "prebuild --load, $from: each file once" \
		[ "$(sort -u "$P/cache/paths" | grep -c "^$P/tree/")" -eq 3 ]
	check "prebuild --load, $from: sections" [ "$(grep -c 'fd good .* magic dee2$' "$P/cache/log")" -eq 3 ]
done
FAKE_TABLES=$((64 << 20)) prebuild_load
status 0 "prebuild --load without room"
out 'skipped \(.*BUDGET 3' "prebuild --load without room"
out '^0 tables given' "prebuild --load without room"
check "prebuild --load without room: said once" [ "$(grep -c 'BUDGET' "$T/err")" -eq 1 ]
check "prebuild --load without room: nothing was handed over" [ ! -e "$P/cache/log" ]
FAKE_CHANGE=$P/tree/cat prebuild_load
out '^2 tables given' "prebuild --load of a file that changes"
err '/cat: skipped: REPLACED: .*: it changed meanwhile$' "prebuild --load of a file that changes"
FAKE_REFUSE=36 prebuild_load
status 0 "prebuild --load, refused"
err 'skipped: REFUSED: .* BAD_FLAGS' "prebuild --load, refused"
FAKE_ERRNO=1 prebuild_load
status 1 "prebuild --load, denied"
err 'permission denied' "prebuild --load, denied"
FAKE_DEVICE=absent prebuild_load
status 1 "prebuild --load without the module"
err 'the module ustack is not loaded' "prebuild --load without the module"
# a file with its own .sframe is not prebuilt, because the module reads that section itself
run cp "$golden/t47.elf" "$P/tree/own"
prebuild_load
out '^[67] files: 1 made, 3 already there' "prebuild --load of a file with .sframe"
out '^3 tables given' "prebuild --load of a file with .sframe"
