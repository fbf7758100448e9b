# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack supply: it reads events and loads tables; files may have changed since the event.
checks 179

S=$T/supply
mkdir -p "$S"
# the cache of this machine's users may already have tables of the programs used here
export USTACK_SFRAME_CACHE=$S/cache
# a program of this machine, with a build id and .eh_frame
program=$(realpath /bin/ls)
build_id() { readelf -n "$1" 2>/dev/null | sed -n 's/.*Build ID: //p'; }
id=$(build_id "$program")
entry=$S/cache/${id:0:2}/${id:2}.sframe

# usage: event PATH [DEV [BUILDID]]: prints the event for a file in its present state
event()
{
	local dev ino size major minor
	read -r dev ino size < <(stat -Lc '%d %i %s' "$1")
	major=$(((dev >> 8) & 0xfff)) minor=$((dev & 0xff | (dev >> 12) & 0xfff00))
	dev=$((minor & 0xff | major << 8 | (minor & ~0xff) << 12))
	echo "999999 0x400000 0x500000 ${2:-$dev} $ino $size ${3:-$(build_id "$1" | grep . || echo -)} 0 $1"
}

# usage: supply [OPTION...]: answers the events in $S/events
supply()
{
	rm -f "$T/log" "$T/paths"
	FAKE_EVENTS=$S/events FAKE_PATHS=$T/paths \
		fake timeout 60 "$USTACK" supply --once "$@"
}

# usage: skipped CAUSE NAME: the last run skipped its one file, and said so
skipped()
{
	status 0 "$2"
	out "^1 images: 0 from the cache, 0 synthesized, 1 skipped \($1 1\); 0 bytes" "$2"
	err ": skipped: $1: [a-z]" "$2"
	check "$2: nothing was handed over" [ ! -e "$T/log" ]
}

cp "$program" "$S/program"
event "$S/program" >"$S/events"
supply -v
status 0 "supply"
out '^1 images: 0 from the cache, 1 synthesized, 0 skipped; [0-9.]+ KiB in [0-9.]+ ms$' "supply"
err "^ustack: $S/program: synthesized: [0-9]+ functions, [0-9]+ bytes, [0-9.]+ ms$" "supply -v"
check "supply: handed over" grep -Eq '^load fd good flags 0 vaddr 0x[0-9a-f]+ len [0-9]+ magic dee2$' "$T/log"
check "supply: for the right file" grep -qx "$S/program" "$T/paths"
check "supply: the cache has it" [ -s "$entry" ]
cp "$T/log" "$S/first"
supply
status 0 "supply from the cache"
no_err "supply from the cache"
out '^1 images: 1 from the cache, 0 synthesized, 0 skipped' "supply from the cache"
check "supply from the cache: the same section" cmp "$S/first" "$T/log"
supply --prepare --cache-size 1
status 0 "supply --prepare"
out '^1 images: 1 from the cache' "supply --prepare"

# overlayfs shows other device and inode numbers to users than the kernel has
event "$S/program" 0x99 >"$S/events"
supply
out '^1 images: 1 from' "another device, the same build id"
event "$S/program" 0x99 - >"$S/events"
supply
skipped REPLACED "another device, no build id"
event "$S/program" '' 00112233 >"$S/events"
supply
skipped REPLACED "another build id"

# damaged entries of the cache, and their replacements
event "$S/program" >"$S/events"
cp "$entry" "$S/entry"
# usage: replaced NAME: the entry is not used, and the next run finds a good one
replaced()
{
	supply
	status 0 "$1"
	out '^1 images: 0 from the cache, 1 synthesized' "$1"
	check "$1: the same section" cmp "$S/first" "$T/log"
	check "$1: replaced" cmp "$S/entry" "$entry"
	check "$1: nothing is left beside it" [ "$(find "${entry%/*}" -mindepth 1 | wc -l)" -eq 1 ]
}
head -c 200 "$S/entry" >"$entry"
replaced "truncated entry"
head -c 20 "$S/entry" >"$entry"
replaced "entry of 20 bytes"
: >"$entry"
replaced "empty entry"
cat "$S/entry" - <<<x >"$entry"
replaced "entry that is too long"
for at in 8 15; do
	byte=$(od -An -tu1 -j $at -N 1 "$S/entry")
	# shellcheck disable=SC2059
	printf "\\x$(printf %02x $((byte ^ 1)))" | dd of="$entry" bs=1 seek=$at conv=notrunc 2>/dev/null
	replaced "entry of another synthesizer, byte $at"
done
printf '\x63' | dd of="$entry" bs=1 seek=24 conv=notrunc 2>/dev/null
replaced "entry for another file"
printf '\x63\x64\x65' | dd of="$entry" bs=1 seek=300 conv=notrunc 2>/dev/null
replaced "entry with other bytes"
rm "$entry"; ln -s /dev/zero "$entry"
replaced "entry that is a link"
rm "$entry"; mkfifo "$entry"
replaced "entry that is a pipe"
FAKE_REFUSE=36 supply
out '^1 images: .* 1 skipped \(REFUSED 1\); 0 bytes' "refused"
err 'REFUSED: the module refused its section: offset 0x1c: BAD_FLAGS' "refused"
check "refused: what came from the cache was made anew" [ "$(wc -l <"$T/log")" -eq 2 ]
FAKE_REFUSE=71 supply
err 'BUDGET: the module has no room' "no room"

# without a cache
: >"$S/file"
supply --cache "$S/file"
status 0 "no cache"
err "^ustack: $S/file: Not a directory$" "no cache"
out '^1 images: 0 from the cache, 1 synthesized' "no cache"
mkdir "$S/open"
chmod 777 "$S/open"
supply --cache "$S/open"
err "^ustack: $S/open: others may write to the cache" "a cache for everybody"
check "a cache for everybody: not used" [ -z "$(ls -A "$S/open")" ]
if [ "$(id -u)" -eq 0 ]; then
	mkdir "$S/roots"
	chmod 755 "$T" "$S" "$S/roots"
	supply --user nobody --cache "$S/roots"
	status 0 "unwritable cache"
	err "^ustack: $S/roots: cannot write to the cache: Permission denied$" "unwritable cache"
	out '^1 images: 0 from the cache, 1 synthesized' "unwritable cache"
	supply --user nobody --cache "$S/nobodys"
	status 0 "--user"
	no_err "--user"
	check "--user: the cache is the user's" \
		[ "$(stat -c %U "$S/nobodys/${id:0:2}/${id:2}.sframe")" = nobody ]
	# root fills the cache for the user
	run "$USTACK" prebuild --cache "$S/nobodys" "$(realpath /bin/cat)"
	check "prebuild: what root writes is the owner's" \
		[ -z "$(find "$S/nobodys" ! -user nobody)" ]
else
	skips 7 "caches of another user" "not root"
fi
supply --user no-such-user
status 1 "no such user"
err "^ustack: there is no user 'no-such-user'$" "no such user"

# files that are removed, change or have wrong contents; no other file waits for them
rm "$S/program"
export FAKE_AGAIN=$S/again FAKE_PREPARED=$S/prepared
supply
skipped GONE "vanished file"
check "vanished file: the module is to tell of it again" \
	[ "$(cat "$S/again")" = "$(cut -d' ' -f5 "$S/events")" ]
check "vanished file: --once does not wait for others that map it" [ ! -e "$S/prepared" ]
# a supply that keeps running searches all processes for a mapping of the file some time later
export FAKE_EVENTS=$S/events
fake timeout 30 "$USTACK" supply &
for _ in {1..250}; do
	! grep -qx "$$" "$S/prepared" 2>/dev/null || break
	sleep 0.1
done
check "vanished file: all processes were asked" grep -qx "$$" "$S/prepared"
pkill -TERM -P $!
wait $!
unset FAKE_EVENTS FAKE_PREPARED
rm "$S/again"
cp /bin/cat "$S/program"
supply
skipped REPLACED "replaced file"
check "replaced file: told of again, if somebody still maps it" [ -s "$S/again" ]
cp --remove-destination "$program" "$S/program"
event "$S/program" >"$S/events"
cat /bin/cat >"$S/program"
supply
skipped REPLACED "overwritten file"
rm "$S/program"
mkfifo "$S/program"
supply
skipped NOT_REGULAR "pipe"
event "$S/program" >"$S/events"
supply
skipped NOT_REGULAR "pipe with an event of its own"
for file in /dev/null "$S" /dev/tty; do
	event "$file" >"$S/events"
	supply
	skipped NOT_REGULAR "$file"
done
event tests/live/cli/run >"$S/events"
supply
skipped GONE "relative path"
event "$PWD/tests/live/cli/run" >"$S/events"
supply
skipped NOT_OURS "script"
event "$PWD/$golden/t47.o" >"$S/events"
supply
skipped NOT_OURS "object file"
rm "$S/program"
head -c 5000 "$program" >"$S/program"
event "$S/program" '' - >"$S/events"
supply
status 0 "half a program"
out '^1 images: 0 from the cache, 0 synthesized, 1 skipped' "half a program"
cp "$program" "$S/program"
truncate -s 1T "$S/program" 2>/dev/null || truncate -s 1G "$S/program"
event "$S/program" >"$S/events"
supply
status 0 "a terabyte"
out '^1 images: ' "a terabyte"
rm "$S/program"

# a file that kills the process which reads it does not kill supply
cp "$program" "$S/program"
{ event "$S/program"; event "$program"; } >"$S/events"
FAKE_DIE=1 supply
status 0 "workers die"
out '^2 images: .* 2 skipped \(DIED 2\)' "workers die"
err "^ustack: $program: skipped: DIED: the process that read it died: Aborted" "workers die"

SECONDS=0
FAKE_HANG=1 FAKE_EVENTS=$S/events fake timeout --foreground -k 20 1 "$USTACK" supply
check "workers hang: SIGTERM ends it" [ "$rc" -eq 124 ]
check "workers hang: at once" [ "$SECONDS" -le 3 ]
out '^0 images' "workers hang"

# a deleted file is opened through its mapping, if this is permitted
cp "$(realpath /bin/sleep)" "$S/sleep"
"$S/sleep" 60 &
sleeper=$!
until grep -q "r-xp.*$S/sleep" "/proc/$sleeper/maps"; do sleep 0.01; done
range=$(sed -n "s|^\([0-9a-f]*-[0-9a-f]*\) r-xp .*$S/sleep$|\1|p" "/proc/$sleeper/maps")
event "$S/sleep" | sed "s/^999999 0x400000 0x500000/$sleeper 0x${range%-*} 0x${range#*-}/" >"$S/events"
rm "$S/sleep"
supply
if [ -r "/proc/$sleeper/map_files/$range" ]; then
	out '^1 images: 0 from the cache, 1 synthesized' "deleted file"
	if [ "$(id -u)" -eq 0 ]; then
		supply --user nobody
		out '^1 images: 1 from the cache, .* 0 skipped' "deleted file, --user"
		supply --user nobody --cache "$S/file"
		out '^1 images: .* 1 synthesized, 0 skipped' "deleted file, --user, no cache"
	else
		skips 2 "deleted file, --user" "not root"
	fi
else
	out '^1 images: .*1 skipped \((DENIED|GONE) 1\)' "deleted file, no right"
	skips 2 "deleted file, --user" "no right to follow map_files"
fi
kill "$sleeper"
wait "$sleeper" 2>/dev/null

# the number of log lines is limited, counters are exact
for _ in $(seq 100); do
	echo "999999 0x1000 0x2000 1 1 1 - 0 /nowhere/to be/found"
done >"$S/events"
supply
out '^100 images: .* 100 skipped \(GONE 100\)' "many at once"
check "many at once: few lines" [ "$(wc -l <"$T/err")" -lt 30 ]
supply -v
check "many at once: all lines with -v" [ "$(wc -l <"$T/err")" -eq 100 ]

# the vDSO, if it has CFI or, on arm64, leaf functions
echo '1 0x1000 0x2000 0 0 0 - 1 x' >"$S/events"
supply -v
status 0 "vDSO"
err '^ustack: \[vdso\]: (synthesized|skipped: NO_FUNCTIONS)' "vDSO"
if grep -q synthesized "$T/err"; then
	check "vDSO: handed over" grep -q '^load fd none flags 1 ' "$T/log"
else
	skips 1 "vDSO: handed over" "this kernel's has no CFI"
fi

# small files do not wait for a large file
large=$(gcc -print-prog-name=cc1)
{ event "$large"; event "$program"; } >"$S/events"
supply -v --cache "$S/large"
status 0 "a large file"
out '^2 images: 0 from the cache, 2 synthesized' "a large file"
check "a large file: the small one is first" \
	[ "$(sed -n 1p "$T/err" | cut -d: -f2)" = " $program" ]

# two supplies at the same time with the same cache
rm -rf "$S/cache"
for file in /bin/{bash,cat,cp,date,dd,mkdir,mv,rm,sed,tar}; do
	event "$(realpath "$file")"
done >"$S/events"
two=()
for i in 1 2; do
	FAKE_EVENTS=$S/events LD_PRELOAD=$CLI_BUILD/fake_device.so \
		"$USTACK" supply --once >"$S/out.$i" 2>&1 &
	two+=($!)
done
for i in 1 2; do
	wait "${two[i - 1]}"
	check "two at once: $i" grep -q '^10 images: .* 0 skipped;' "$S/out.$i"
done
supply
out '^10 images: 10 from the cache' "two at once: the cache is sound"

# without --once it runs until it gets a signal
FAKE_EVENTS=$S/events fake timeout --foreground -s TERM 1 "$USTACK" supply
check "supply stays" [ "$rc" -eq 124 ]
out '^10 images: 10 from the cache' "SIGTERM: the summary"
FAKE_EVENTS=$S/events fake timeout --foreground --preserve-status -s INT 1 "$USTACK" supply
status 0 "SIGINT"
FAKE_EVENTS=broken fake "$USTACK" supply --once
status 1 "records of another form"
err "module's records are not those" "records of another form"
cp "$program" "$S/program"
event "$S/program" >"$S/events"
FAKE_ERRNO=1 supply
status 1 "load denied"
err '^ustack: /dev/ustack: permission denied: .*CAP_PERFMON' "load denied"

# the process of the event is gone, and the path exists only in the root of another process
if [ "$(id -u)" = 0 ]; then
	mkdir -p "$S/root/bin"
	cp "$program" "$S/root/bin/program"
	event "$S/root/bin/program" | sed "s,$S/root,," >"$S/events"
	supply -v
	skipped GONE "file of a root that nobody has"
	python3 -c 'import os, sys, time
os.chroot(sys.argv[1])
print(flush=True)
time.sleep(60)' "$S/root" >"$S/ready" &
	other=$!
	until [ -s "$S/ready" ]; do sleep 0.05; done
	supply -v
	status 0 "file of another process's root"
	out '^1 images: [01] from the cache, [01] synthesized, 0 skipped' "file of another process's root"
	event "$program" 0x99 | sed "s, /[^ ]*\$, /bin/program," >"$S/events"
	supply -v
	skipped REPLACED "file of another process's root that only says that it is the same"
	kill $other
	wait $other 2>/dev/null || :
else
	skips 10 "files of other roots" "not root"
fi

export USTACK_SFRAME_CACHE=$T/cache
