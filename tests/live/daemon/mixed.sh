# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A part of tests/live/daemon/run: how much memory the daemon takes, by kind, while many different programs
# run, for whose files it has to make tables and names.

# usage: mixed: runs programs of all kinds, each for some seconds of CPU time, until it is killed
mixed()
{
	local work=$dir/mixed.work

	# go on even if one of them fails
	set +e
	mkdir -p "$work"
	while :; do
		gcc -O2 -g -c -o "$work/burn.o" "$here/burn.c"
		clang -O2 -g -c -o "$work/clang.o" "$here/burn.c"
		python3 -c 'import email, json, http.client, xml.dom, sqlite3, ctypes, asyncio
for i in range(200): json.loads(json.dumps({str(k): [k] * 20 for k in range(1000)}))'
		perl -e 'for $i (1 .. 2e6) { $h{$i % 1000} .= "x" if $i % 3 } print length join "", values %h' >/dev/null
		find /usr/lib /usr/share -xdev -printf '%s %p\n' 2>/dev/null | sort -n | tail -n 20000 >"$work/files"
		gzip -kf "$work/files"
		xz -kf "$work/files"
		tar -cf "$work/files.tar" -C "$here" .
		awk '{ n[$1 % 1000] += length($2) } END { for (k in n) print k, n[k] }' "$work/files" | sort >/dev/null
		sed -E 's/([a-z]+)-([0-9.]+)/\2-\1/g' "$work/files" | grep -cE '(lib|share)/.*[0-9]{2}' >/dev/null
		objdump -d "$ustack" 2>/dev/null | head -n 200000 | wc -l >/dev/null
		readelf -wi "$work/burn.o" >/dev/null
		sha256sum "$ustack" "$work/files.tar" >/dev/null
		cmp -s "$work/files" "$work/files.gz"
		bash -c 'for ((i = 0; i < 50000; i++)); do x=${x-}$((i % 10)); x=${x: -20}; done'
	done
}

part_mixed()
{
	local load

	need gcc clang python3 perl find sort gzip xz tar awk sed grep objdump readelf sha256sum cmp
	printf '%s\n' "supply: ${SUPPLY-false}" "sampling: { mode: $mode }" \
		"store: { path: $dir/store }" "http: { listen: ['127.0.0.1:0'] }" >"$dir/config.yaml"
	start
	"$here/resident" "$pid" 5 >"$dir/resident" &
	# a process group of its own, so that it can be killed with all its children
	set -m
	mixed &
	load=$!
	set +m
	sleep "$seconds"
	check "mixed: programs ran all the time" kill -- "-$load"
	wait "$load" 2>/dev/null || :
	stop
	judged "memory, $mode" resident "$dir/resident" "${MOST_MIB-320}"
	check "mixed: windows are there" has_windows "$dir/store" $((seconds / 20))
}
