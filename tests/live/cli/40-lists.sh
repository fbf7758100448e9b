# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack events, images and prepare.
checks 33

fake "$USTACK" events
status 0 "events"
no_err "events"
lines 4 "events"
id=$(for i in $(seq 160 179); do printf %x "$i"; done)
out "^$id NO_SECTION +/usr/lib/lib with blank\\.so$" "events"
out '^- +TRUNCATED +/tmp/new\\012line$' "events: a path stays on its line"
out '^a0a1a2a3 +NO_SECTION +\[8:74565 inode 77\]$' "events: no path"
out '^a0a1a2a3a4a5a6a7 +NO_SECTION +\[vdso\]$' "events: the vDSO"

fake "$USTACK" events --json
check "events --json" json 'len(d) == 4 and d[1]["path"] == "/tmp/new\nline" and d[1]["reason"] == "TRUNCATED"'
check "events --json: identity" json 'd[0]["dev"] == "8:74565" and d[0]["ino"] == 77 and d[3]["vdso"] and d[1]["build_id"] == ""'

FAKE_EVENTS=none fake "$USTACK" events
status 0 "no events"
no_out "no events"

fake timeout --foreground -s INT 0.5 "$USTACK" events --follow
check "events --follow waits" [ "$rc" -eq 124 ]
lines 4 "events --follow prints at once"

FAKE_EVENTS=broken fake "$USTACK" events
status 1 "records of another form"
err "module's records are not those" "records of another form"

printf '%s\n' >"$T/images" \
	'800001:77 123 users 2 own rows 412 lost 0 bytes 3456 a0a1 /bin/x' \
	'800001:78 5 users 1 NO_SECTION rows 0 lost 0 bytes 0  /bin/y'
fake "$USTACK" images
status 0 "images"
check "images: as the module prints them" cmp "$T/images" "$T/out"
fake "$USTACK" images --json
check "images --json" json 'd == [dict(path="/bin/x", build_id="a0a1", state="own", has_table=True, rows=412,
	lost_functions=0, table_bytes=3456, users=2, dev="8:1", ino=77, file_size=123),
	dict(path="/bin/y", build_id="", state="NO_SECTION", has_table=False, rows=0,
	lost_functions=0, table_bytes=0, users=1, dev="8:1", ino=78, file_size=5)]'
cp "$T/images" "$T/images.two"
: >"$T/images"
fake "$USTACK" images --json
status 0 "images --json: none"
no_out "images --json: none"
printf '800001:77 of another version\n' >"$T/images"
fake "$USTACK" images --json
status 1 "images --json: another version"
err '^ustack: /proc/ustack/images: a line that this version does not know: 800001:77 of another' \
	"images --json: another version"
fake "$USTACK" images
status 0 "images: another version"
check "images: another version, as the module prints it" cmp "$T/images" "$T/out"
mv "$T/images.two" "$T/images"
FAKE_DEVICE=absent fake "$USTACK" images --json
status 1 "images --json: no module"

fake "$USTACK" prepare 1 $$
status 0 "prepare"
out '^1: 12 executable mappings, 10 with a table$' "prepare"
lines 2 "prepare"
fake "$USTACK" prepare 1 999999 2
status 1 "prepare: one is gone"
lines 2 "prepare: the others are prepared"
err '^ustack: 999999: there is no such process' "prepare: one is gone"
fake "$USTACK" prepare --all
status 0 "prepare --all"
out "^$$: 12 executable" "prepare --all"
