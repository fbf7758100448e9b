# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of tests/live/lang/run for the BEAM; sourced by it, and uses its functions and variables.

# all of the BEAM's samples are taken with this event: os:getpid() makes this system call
erlang_event=syscalls:sys_enter_getpid
# its threads wait in sched_yield() by default, and then get hardly any CPU time beside other load
export ERL_FLAGS="+sbwt none +sbwtdcpu none +sbwtdio none"

# usage: erlang_judged NAME PERCENT MODULE ROUNDS [USER...]: records the program and compares with its log;
# USER is a command that runs it as another user
erlang_judged()
{
	local name=$1 percent=$2 module=$3 rounds=$4 logs
	shift 4

	echo "$name:"
	logs=$(mktemp -d)
	chmod 777 "$logs"
	if ! PROBE_LOG=$logs/$name HOME=$logs "$ustack" record -q --mode tables -e "$erlang_event" -o "$name.pb.gz" -- \
		"$@" erl -noshell -pa "$code" -run "$module" main "$rounds" >"$name.out" 2>"$name.err"; then
		tail -n 3 "$name.out" "$name.err"
		fail "$name: recorded"
	else
		check "$name: as the program says" "$here/judge" beam "$percent" "$name.pb.gz" "$logs/$name".[0-9]*
	fi
	rm -rf "$logs"
}

# usage: erlang_started MODULE: starts it; $erlang is its process
erlang_started()
{
	erl -noshell -pa "$code" -s "$1" start </dev/null >"$1.out" 2>&1 &
	erlang=$!
	for ((tries = 0; tries < 600; tries++)); do
		! grep -q running "$1.out" || break
		sleep 0.1
	done
}

# it would wait for the program to end if it were asked to
erlang_stopped()
{
	kill -KILL "$erlang"
	wait "$erlang" 2>/dev/null || :
}

erlang_version=$(erl -noshell -eval 'io:format("~s", [erlang:system_info(version)]), halt().' 2>/dev/null) || :
if [ "$erlang_version" != 13.1.5 ]; then
	skip "frames of the BEAM" "this machine has version ${erlang_version:-none}, not 13.1.5"
	return 0
fi

# other users can read it
code=$(mktemp -d)
chmod 755 "$code"
for module in probe constructs again spin hostile; do
	erlc -W0 -o "$code" "$programs/$module.erl"
done

erlang_judged beam 99 constructs 3
# the jail reads memory of another user's process
erlang_judged beam-user 99 constructs 1 setpriv --reuid 65534 --regid 65534 --clear-groups
# code that lives for moments may be gone before it is read, but never gets a wrong name
erlang_judged beam-again 10 again 8

echo "beam-spin:"
erlang_started spin
sampled beam-spin "$erlang" 3000 --mode tables
sampled beam-native "$erlang" 1000 --mode tables --native
"$ustack" doctor -p "$erlang" >beam-doctor.out 2>&1 || :
erlang_stopped
check "beam-spin: as the source says" "$here/judge" beam-spin 99 beam-spin.pb.gz "$programs/spin.erl"
check "doctor names the BEAM" grep -q "BEAM (Erlang), erts 13\.1\.5: frames are read" beam-doctor.out
"$ustack" export beam-spin.pb.gz >beam-folded.out
check "folded stacks of Erlang" grep -q ";spin:rounds/1;spin:funs/1;lists:map/2;" beam-folded.out
"$ustack" export beam-native.pb.gz >beam-native.out
check "beam-spin: generated code stays with --native" grep -q "spin:work/1;spin:leaf/2;\[jit" beam-native.out

echo "beam-hostile:"
erlang_started hostile
"$ustack" record -q --mode tables -e "$erlang_event" -o beam-hostile.pb.gz -p "$erlang" 2>beam-hostile.err &
recorder=$!
sleep 2
python3 "$programs/hostile_beam.py" "$erlang" >beam-hostile.out 2>&1 || fail "beam-hostile: forged" "$(tail -1 beam-hostile.out)"
kill -INT $recorder
wait $recorder || fail "beam-hostile: recorded" "$(tail -n 3 beam-hostile.err)"
check "beam-hostile: the process is unharmed" kill -0 "$erlang"
erlang_stopped
check "beam-hostile: as forged" "$here/judge" beam-hostile 0 beam-hostile.pb.gz

erl -noshell +JPperf true -eval 'timer:sleep(60000).' </dev/null >/dev/null 2>&1 &
erlang=$!
# until it has made its code
for ((tries = 0; tries < 60; tries++)); do
	"$ustack" doctor -p "$erlang" >beam-perf.out 2>&1 || :
	! grep -q JPperf beam-perf.out || break
	sleep 0.5
done
erlang_stopped
rm -rf "$code" "/tmp/perf-$erlang.map" "/tmp/jit-$erlang.dump"
check "doctor refuses frame pointers" grep -q "its code keeps frame pointers (+JPperf)" beam-perf.out
