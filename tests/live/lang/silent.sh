# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# A process whose memory does not answer: a page is mapped from a file on FUSE, whose server is silent.
# Reading such a page blocks for ever; it must not block ustack, and other processes keep their frames.
# Sourced by tests/live/lang/run.

silent_end()
{
	# the server first: a process that waits for it cannot be killed
	kill -KILL "$server" "$silent" "$loud" 2>/dev/null || :
	wait "$server" "$silent" "$loud" 2>/dev/null || :
	umount -l "$home/files" 2>/dev/null || :
	rm -rf "$home"
}

# usage: until_said FILE WORD PID: waits until PID has written WORD to FILE, or has ended
until_said()
{
	until grep -qsx "$2" "$1" || ! kill -0 "$3" 2>/dev/null; do sleep 0.1; done
	grep -qsx "$2" "$1"
}

silent_test()
{
	local home server silent loud recorder seconds=0

	# a folder that another user may read
	home=$(mktemp -d)
	mkdir "$home/files"
	# old output must not be taken for an answer
	rm -f silent_files.out silent.out
	cp "$programs/silent.py" "$programs/silent_files.py" "$home"
	chmod 755 "$home"
	"$python" "$home/silent_files.py" "$home/files" 65534 >silent_files.out 2>&1 &
	server=$!
	"$python" -c '
def loud():
    while True: sum(range(1000))
loud()' &
	loud=$! silent=$!
	until_said silent_files.out mounted "$server" || { fail "a silent file system: $(cat silent_files.out)"; silent_end; return; }
	setpriv --reuid 65534 --regid 65534 --clear-groups "$python" "$home/silent.py" "$home/files/x" >silent.out 2>&1 &
	silent=$!
	until_said silent.out forged "$silent" || { fail "a silent process: $(cat silent.out)"; silent_end; return; }
	"$ustack" record -q -F 199 -d 4 -p "$silent,$loud" -o silent.pb.gz 2>silent.err &
	recorder=$!
	while kill -0 $recorder 2>/dev/null && [ $seconds -lt 120 ]; do
		sleep 1
		seconds=$((seconds + 1))
	done
	check "a process whose memory is silent: the recorder ends" [ $seconds -lt 120 ]
	silent_end
	check "a process whose memory is silent: status" wait $recorder
	"$ustack" report --json silent.pb.gz >silent.json
	check "a process whose memory is silent: another one has its frames" python3 -c '
import json, sys
names = {f["name"] for f in json.load(open(sys.argv[1]))["functions"]}
sys.exit("loud" not in names)' silent.json
	check "a process whose memory is silent: it has no forged name" \
		[ "$(grep -c '"name":"aaaa' silent.json || :)" = 0 ]
}

if [ -c /dev/fuse ] && grep -qw fuse /proc/filesystems; then
	silent_test
else
	skip "a process whose memory is silent" "the kernel has no FUSE"
fi
