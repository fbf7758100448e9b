# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Parts of tests/live/daemon/run about the process that serves and pushes, and about conditions that make the
# daemon wait or refuse to start.

# usage: caps PID: prints the capabilities of its threads, hexadecimal
caps() { sed -n 's/^CapEff:[[:space:]]*//p' "/proc/$1/task/"*/status | sort -u; }
# usage: owner PID: prints its user, real and effective
owner() { awk '/^Uid:/ { print $2, $3 }' "/proc/$1/status"; }
is_healthy() { curl -s -f -m "$hang" "http://127.0.0.1:$port/healthz" -o "$dir/health"; }

# The tools of Prometheus and Go accept what the daemon makes for them.
others()
{
	if [ -n "${BURN-}" ]; then
		skip "metrics: promtool" "a guest has only what the daemon needs"
		skip "live: go tool pprof" "a guest has only what the daemon needs"
		return
	fi
	# promtool wants help for each metric, valid endings of names, and each family only once
	check "metrics: promtool: $(promtool check metrics 2>&1 <"$dir/metrics" || :)" \
		[ -z "$(promtool check metrics 2>&1 <"$dir/metrics" || :)" ]
	HOME=$dir go tool pprof -top "http://127.0.0.1:$port/debug/pprof/profile?seconds=1" \
		>"$dir/top" 2>"$dir/err" || :
	check "live: go tool pprof: $(cat "$dir/err")" grep -q "Type: cpu" "$dir/top"
}

# Checks which capabilities and users the two processes have.
rights()
{
	check "front: rights $(caps "$front")" [ "$(caps "$front")" = 0000000000000000 ]
	# SETGID, SETUID, DAC_READ_SEARCH, IPC_LOCK, SYS_PTRACE, SYSLOG, PERFMON, BPF,
	# CHECKPOINT_RESTORE
	check "rights: $(caps "$pid")" [ $((0x$(caps "$pid") & ~0x1c4000840c4)) = 0 ]
	check "owner: $(owner "$pid"), $(owner "$front")" [ "$(owner "$pid")$(owner "$front")" = "1 11 1" ]
}

# usage: reads GROUP: whether a user who is only in GROUP can query the store
reads() { setpriv --reuid nobody --regid "$1" --clear-groups "$ustack" query -q --store "$dir/front" --windows >/dev/null 2>&1; }
cannot_read() { ! reads "$1"; }

# The members of the configured group may read the store; a group that does not exist is refused.
readers()
{
	local rc=0

	chmod 755 "$dir"
	check "readers: not before" cannot_read games
	mkdir -p "$dir/conf.d"
	echo "store: { group: nosuchgroup }" >"$dir/conf.d/group.yaml"
	sed -i /nonsense/d "$dir/config.yaml"
	"$ustack" daemon --config "$dir/config.yaml" --user daemon 2>"$dir/err" || rc=$?
	check "readers: a group that is none: $(cat "$dir/err")" [ "$rc" = 1 ]
	check "readers: it is named" grep -q "there is no group 'nosuchgroup'" "$dir/err"
	echo "store: { group: games }" >"$dir/conf.d/group.yaml"
	start --user daemon
	await "it serves with a group" serves
	check "readers: the front is in no group: $(grep Groups: "/proc/$front/status")" \
		[ -z "$(sed -n 's/^Groups:[[:space:]]*//p' "/proc/$front/status")" ]
	stored "$dir/front"
	stop
	rm -r "$dir/conf.d"
	check "readers: members" reads games
	check "readers: others" cannot_read daemon
}

# The daemon runs as another user than root, and another process answers requests.
part_front()
{
	local first

	configuration "$dir/front"
	sed -i "s/listen: \[\]/listen: ['127.0.0.1:0']/" "$dir/config.yaml"
	# the serving process gets a configuration that only root can read from its parent
	chmod 600 "$dir/config.yaml"
	# the user must be able to enter the folder
	chmod 755 "$dir"
	start --user daemon
	await "it serves" serves
	first=$front
	rights
	await "samples are told" metric_counts ustack_samples_total
	await "windows are told" metric_counts ustack_windows_total
	await "it is healthy" is_healthy
	curl -s -m "$hang" "http://127.0.0.1:$port/metrics" >"$dir/metrics" || :
	[ "$mode" != copy ] || check "metrics: tables" \
		grep -q -E '^ustack_sampler_table_bytes [1-9]' "$dir/metrics"
	curl -s -m "$hang" "http://127.0.0.1:$port/debug/pprof/profile?seconds=1" -o "$dir/live.pb.gz" || :
	check "live: a profile" "$ustack" report "$dir/live.pb.gz" >/dev/null
	others
	# ^C at a terminal sends SIGINT to both processes. Here only the serving process gets it; at the
	# end of each window the daemon would notice if it had ended
	kill -INT "$front"
	stored "$dir/front"
	stored "$dir/front"
	check "front: SIGINT does not end it" [ "$(pgrep -P "$pid" -x ustackd-front)" = "$first" ]
	check "front: it has not ended" [ "$(grep -c 'serving process has ended' "$dir/log")" = 0 ]
	# no reload follows, so this file must not be read when another one starts
	echo "nonsense: 1" >>"$dir/config.yaml"
	kill -KILL "$first"
	await "another one serves" serves "$first"
	await "that is healthy" is_healthy
	says "serving process has ended"
	stop
	readers
	check "store: owner" [ -z "$(find "$dir/front" ! -user daemon)" ]
}

# usage: target: starts a server that windows are pushed to; target is its number, $dir/target has its
# port
target()
{
	rm -f "$dir/target"
	: >"$dir/pushed"
	python3 "$here/target" "$dir/pushed" "$dir/target" &
	target=$!
	wait_for "the target listens" [ -s "$dir/target" ]
}

# usage: silent: starts a server that never answers; silent is its number, $dir/silent has its port
silent()
{
	rm -f "$dir/silent"
	python3 "$here/silent" >"$dir/silent" &
	silent=$!
	wait_for "the silent server listens" [ -s "$dir/silent" ]
}

# usage: pushed: prints how many windows the target has got; has_pushed NR: whether there are NR
pushed() { wc -l <"$dir/pushed"; }
has_pushed() { [ "$(pushed)" -ge "$1" ]; }
answers() { curl -s -f -m "$hang" "http://127.0.0.1:$1/healthz" -o "$dir/health"; }

# An address that another process uses and a folder that others may write to do not delay the rest, and
# are tried again.
part_later()
{
	local taken holder target

	target
	silent
	holder=$silent taken=$(<"$dir/silent")
	configuration "$dir/later" "push:" \
		"  - { name: t, type: pyroscope, batch: 1, url: 'http://127.0.0.1:$(cat "$dir/target")' }"
	sed -i "s/listen: \[\]/listen: ['127.0.0.1:$taken', '127.0.0.1:0']/" "$dir/config.yaml"
	mkdir -m 700 "$dir/later"
	mkdir "$dir/later/push"
	chmod 777 "$dir/later/push"
	start
	says "nothing is pushed: .*/later/push: others may write to the folder"
	says "not served: 127.0.0.1:$taken: Address already in use"
	await "the other address is served" serves
	await "it is healthy there" answers "$port"
	check "later: nothing is pushed before it may be" [ "$(pushed)" = 0 ]
	kill "$holder"
	chmod 700 "$dir/later/push"
	await "the address that was taken is served" answers "$taken"
	await "windows are pushed" metric_counts 'ustack_push_windows_total{target="t"}'
	await "three windows are pushed" has_pushed 3
	stop
	kill "$target"
}

# usage: is_written STORE: whether its target has all windows, and the file with its position says so
is_written()
{
	local end next

	end=$(windows "$1" | tail -n 1)
	# the file has segment and record of the next window
	next=$(awk '{ print $4 ":" $5 - 1 }' "$1/push/t.position" 2>/dev/null)
	[ -n "$end" ] && [ "${end##* }" = "$next" ]
}

# usage: settle STORE: stops the daemon, and waits until no window is being pushed
settle()
{
	kill -STOP "$pid"
	wait_for "what was pushed is written down" is_written "$1"
}

twice() { sort "$dir/pushed" | uniq -d; }

# A target that has all windows gets none of them again, whichever process is started again.
part_push()
{
	local target before burn last

	target
	configuration "$dir/push" "push:" \
		"  - { name: t, type: pyroscope, batch: 1, url: 'http://127.0.0.1:$(cat "$dir/target")' }"
	sed -i "s/listen: \[\]/listen: ['127.0.0.1:0']/" "$dir/config.yaml"
	begin_load /dev/null
	start
	await "it serves" serves
	await "windows are pushed" has_pushed 2
	settle "$dir/push"
	before=$(pushed)
	kill -KILL "$front"
	kill -CONT "$pid"
	await "more windows are pushed by another process" has_pushed $((before + 2))
	settle "$dir/push"
	before=$(pushed)
	ended KILL
	start
	await "more windows are pushed by another daemon" has_pushed $((before + 2))
	check "push: a window came twice: $(twice)" [ -z "$(twice)" ]
	stop
	# only a request that was running at the end is sent again: that of the last window
	last=$(tail -n 1 "$dir/pushed")
	before=$(pushed)
	start
	await "more windows are pushed after an end" has_pushed $((before + 2))
	stop
	check "push: a window came twice: $(twice)" [ -z "$(twice | grep -v -x -F "$last")" ]
	check "push: nothing is taken for lost" [ -z "$(grep 'has lost' "$dir/log" || :)" ]
	end_load
	kill "$target"
}

# usage: asks PORT: whether a process has a connection to PORT; asker is its number
asks()
{
	asker=$(ss -Htnp state established "( dport = :$1 )" | sed -n 's/.*pid=\([0-9]*\),.*/\1/p' | head -n 1)
	[ -n "$asker" ]
}

# A server of debug files accepts a connection and never answers. The process that asks it has the user
# nobody, and the daemon, which is no longer root, must be able to end it. It is stopped, so that only
# a signal ends it.
part_hang()
{
	local port asker folder

	silent
	port=$(<"$dir/silent")
	configuration "$dir/hang"
	sed -i "s,mode: never,debuginfod: ['http://127.0.0.1:$port']," "$dir/config.yaml"
	chmod 755 "$dir"
	start --user daemon
	load /dev/null 0.5
	await "somebody asks the server" asks "$port"
	kill -STOP "$asker"
	folder=$(find "/proc/$asker/fd" -lname '/var/tmp/ustack-fetch-*' -printf '%l\n' |
		sed -n 's,^\(/var/tmp/[^/]*\)/.*,\1,p' | head -n 1)
	check "hang: who asks is nobody" [ "$(owner "$asker")" = "65534 65534" ]
	check "hang: it has a folder of its own" [ -d "$folder" ]
	stop
	check "hang: who asked has ended" is_gone "$asker"
	check "hang: its folder is gone" [ ! -e "$folder" ]
	kill "$silent"
}

# A second daemon on the same store, and a store without a parent folder, are refused.
part_refusals()
{
	local rc

	configuration "$dir/refusals"
	start
	rc=0
	"$ustack" daemon --config "$dir/config.yaml" --user '' 2>"$dir/err" || rc=$?
	check "a second one: status $rc" [ $rc = 1 ]
	check "a second one: it says why" grep -q "another process writes to it" "$dir/err"
	stop
	configuration "$dir/nothing/there"
	rc=0
	"$ustack" daemon --config "$dir/config.yaml" --user '' 2>"$dir/err" || rc=$?
	check "no parent of the store: status $rc" [ $rc = 1 ]
	check "no parent of the store: it says where" grep -q "$dir/nothing" "$dir/err"
}
