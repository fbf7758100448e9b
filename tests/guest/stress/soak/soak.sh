# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Runs in the guest: the soak program, while other programs make load. perf samples the whole
# machine at 99 Hz all the time, and programs of tests/guest/workload fork, execute, map and dlopen.
# usage: sh soak.sh SECONDS CYCLE-SECONDS FOLDER [OPTION...]
#	OPTION: an option of the soak program
seconds=$1 cycle=$2 folder=$3
shift 3
mkdir -p "$folder"
touch /tmp/soaking

load()
{
	cd /w || exit 1
	while [ -e /tmp/soaking ]; do
		for name in fork shorts vfork dlopen mremap churn threads; do
			while [ -e /tmp/soak-quiet ]; do sleep 1; done
			./workload "$name" 1
			cp ./workload "$folder/copy" && "$folder/copy" leaf 1
			/bin/busybox true
			sleep 1
		done
	done >/dev/null 2>&1
}

load &
one=$!
perf record -q -a -g -e cpu-clock -F 99 -m 64 --switch-output=60s --switch-max-files=2 \
	-o "$folder/all.data" sleep 1000000 >/dev/null 2>&1 &
perf=$!
status=0
/soak -t "$seconds" -c "$cycle" -d "$folder" "$@" || status=$?
rm -f /tmp/soaking
if ! kill -INT $perf; then
	echo "FAILED: perf record of the machine ended before"
	status=1
fi
wait $perf $one
exit $status
