# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Parts of tests/daemon/run about the process that serves and pushes, and about what can make
# the daemon wait or refuse to start.

# usage: caps PID: those that each of its threads has, hexadecimal
caps() { sed -n 's/^CapEff:[[:space:]]*//p' "/proc/$1/task/"*/status | sort -u; }
# usage: owner PID: its user
owner() { awk '/^Uid:/ { print $2, $3 }' "/proc/$1/status"; }
# The process that serves, once there is one other than $1.
front_of()
{
	local found

	for _ in {1..100}; do
		found=$(pgrep -P $pid -x ustackd-front || :)
		[ -z "$found" ] || [ "$found" = "${1-}" ] || break
		sleep 0.1
	done
	echo "$found"
}

# usage: others URL: what is made for Prometheus and for Go's pprof, theirs take; guests have neither
others()
{
	if command -v promtool >/dev/null; then
		# help for each, names that end as they should, and no family in two places
		ok "metrics: promtool: $(promtool check metrics 2>&1 <"$dir/metrics" || :)" \
			[ -z "$(promtool check metrics 2>&1 <"$dir/metrics" || :)" ]
	fi
	if command -v go >/dev/null; then
		HOME=$dir go tool pprof -top "$1/debug/pprof/profile?seconds=2" >"$dir/top" 2>"$dir/err" || :
		ok "live: go tool pprof: $(cat "$dir/err")" grep -q "Type: cpu" "$dir/top"
	fi
}

# By another user than root: what is left of root's rights, and who serves.
part_front()
{
	local port front

	port=$(free_port)
	configuration "$dir/front"
	sed -i "s/listen: \[\]/listen: ['127.0.0.1:$port']/" "$dir/config.yaml"
	# what is for root alone the serving process has from its parent
	chmod 600 "$dir/config.yaml"
	# the way to the folder is to be open for the user
	chmod 755 "$dir"
	start --user daemon
	front=$(front_of)
	ok "front: it is not there" [ -n "$front" ]
	ok "front: rights $(caps "$front")" [ "$(caps "$front")" = 0000000000000000 ]
	# SETGID, SETUID, DAC_READ_SEARCH, IPC_LOCK, SYS_PTRACE, SYSLOG, PERFMON, BPF,
	# CHECKPOINT_RESTORE
	ok "rights: $(caps $pid)" [ $((0x$(caps $pid) & ~0x1c4000840c4)) = 0 ]
	ok "owner: $(owner $pid), $(owner "$front")" [ "$(owner $pid)$(owner "$front")" = "1 11 1" ]
	sleep 2.5
	ok "healthz" curl -s -f -m 5 "http://127.0.0.1:$port/healthz" -o "$dir/health"
	curl -s -m 5 "http://127.0.0.1:$port/metrics" >"$dir/metrics" || :
	ok "metrics: no samples" grep -q -E '^ustack_samples_total [1-9]' "$dir/metrics"
	[ "$mode" != copy ] || ok "metrics: no tables" grep -q -E '^ustack_sampler_table_bytes [1-9]' "$dir/metrics"
	ok "metrics: no windows" grep -q -E '^ustack_windows_total [1-9]' "$dir/metrics"
	curl -s -m 20 "http://127.0.0.1:$port/debug/pprof/profile?seconds=2" -o "$dir/live.pb.gz" || :
	ok "live: no profile" "$ustack" report "$dir/live.pb.gz" >/dev/null
	others "http://127.0.0.1:$port"
	# as a terminal does; the daemon itself is not told here
	kill -INT "$front"
	sleep 1.5
	ok "front: it ends by itself" [ "$(front_of)" = "$front" ]
	# nobody has been told of that
	echo "nonsense: 1" >>"$dir/config.yaml"
	kill -KILL "$front"
	ok "front: it does not come again" [ -n "$(front_of "$front")" ]
	sleep 1
	ok "healthz, again" curl -s -f -m 5 "http://127.0.0.1:$port/healthz" -o "$dir/health"
	stop
	says "serving process has ended" "a front that dies"
	ok "front: it stays" [ -z "$(pgrep -x ustackd-front -P $pid || :)" ]
	ok "store: owner" [ -z "$(find "$dir/front" ! -user daemon)" ]
}

# usage: free_port: one that nobody listens at
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# An address that somebody else has and a folder that others may write to keep nobody waiting,
# and are tried again.
part_later()
{
	local taken free holder target

	rm -f "$dir/target"
	: >"$dir/pushed"
	python3 "$here/target" "$dir/pushed" "$dir/target" &
	target=$!
	taken=$(free_port)
	python3 -m http.server -b 127.0.0.1 "$taken" >/dev/null 2>&1 &
	holder=$!
	until curl -s -m 5 "http://127.0.0.1:$taken/" -o /dev/null; do sleep 0.05; done
	while [ ! -s "$dir/target" ]; do sleep 0.05; done
	free=$(free_port)
	configuration "$dir/later" "push:" \
		"  - { name: t, type: pyroscope, batch: 1, url: 'http://127.0.0.1:$(cat "$dir/target")' }"
	sed -i "s/listen: \[\]/listen: ['127.0.0.1:$taken', '127.0.0.1:$free']/" "$dir/config.yaml"
	mkdir -m 700 "$dir/later"
	mkdir "$dir/later/push"
	chmod 777 "$dir/later/push"
	start
	sleep 1.5
	says "nothing is pushed: .*/later/push: others may write to the folder" "a folder of others"
	says "not served: 127.0.0.1:$taken: Address already in use" "an address that is taken"
	ok "later: the other address" curl -s -f -m 5 "http://127.0.0.1:$free/healthz" -o "$dir/health"
	kill $holder
	chmod 700 "$dir/later/push"
	sleep 3.5
	ok "later: the address that was taken" curl -s -f -m 5 "http://127.0.0.1:$taken/healthz" -o "$dir/health"
	curl -s -m 5 "http://127.0.0.1:$free/metrics" >"$dir/metrics" || :
	ok "later: windows are pushed" grep -q -E '^ustack_push_windows_total\{target="t"\} [1-9]' "$dir/metrics"
	stop
	ok "later: $(pushed) windows" [ "$(pushed)" -ge 3 ]
	kill $target
}

# usage: pushed: how many windows the target has got
pushed() { wc -l <"$dir/pushed"; }

# The moment behind a window's way, so that none is under way.
after_a_window()
{
	local before

	before=$(pushed)
	for _ in {1..100}; do
		[ "$(pushed)" = "$before" ] || break
		sleep 0.05
	done
	sleep 0.3
}

# A target that has everything gets nothing again, whoever starts anew.
part_push()
{
	local target port before

	rm -f "$dir/target"
	: >"$dir/pushed"
	python3 "$here/target" "$dir/pushed" "$dir/target" &
	target=$!
	while [ ! -s "$dir/target" ]; do sleep 0.05; done
	port=$(cat "$dir/target")
	configuration "$dir/push" "push:" "  - { name: t, type: pyroscope, batch: 1, url: 'http://127.0.0.1:$port' }"
	"$dir/burn" 14 1 >/dev/null &
	start
	sleep 2.5
	after_a_window
	kill -KILL "$(front_of)"
	sleep 2.5
	after_a_window
	stop
	before=$(pushed)
	ok "push: $before windows were sent" [ "$before" -ge 3 ]
	start
	sleep 4.5
	stop
	ok "push: $(pushed) windows after $before" [ "$(pushed)" -gt "$before" ]
	ok "push: a window came twice" [ -z "$(sort "$dir/pushed" | uniq -d)" ]
	ok "push: what is there was taken for lost" [ -z "$(grep 'has lost' "$dir/log" || :)" ]
	kill $target
}

# usage: asks PORT: somebody has a connection to it
asks() { [ -n "$(ss -Htn state established "( dport = :$1 )")" ]; }

# A server of debug files that accepts and says nothing: what asks it is nobody, and has to
# be ended by who is not root any more.
part_hang()
{
	local port server

	exec {server}< <(exec python3 "$here/silent")
	read -r port <&"$server"
	configuration "$dir/hang"
	sed -i "s,mode: never,debuginfod: ['http://127.0.0.1:$port']," "$dir/config.yaml"
	chmod 755 "$dir"
	start --user daemon
	"$dir/burn" 3 1 >/dev/null
	for _ in {1..100}; do
		! asks "$port" || break
		sleep 0.2
	done
	ok "hang: nobody asks the server" asks "$port"
	kill -TERM $pid
	for _ in {1..50}; do
		kill -0 $pid 2>/dev/null || break
		sleep 0.1
	done
	ok "hang: it waits for the server" [ "$(kill -0 $pid 2>&1 | wc -l)" = 1 ]
	ok "hang: who asks runs on" [ -z "$(ss -Htn state established "( dport = :$port )")" ]
	exec {server}<&-
	kill -KILL $pid 2>/dev/null || :
	wait $pid 2>/dev/null || :
	kill $listener 2>/dev/null || :
	ok "hang: a folder is left" [ -z "$(find /var/tmp -maxdepth 1 -name 'ustack-fetch-*' -newer "$dir/told" 2>/dev/null)" ]
}

# Who may not, and what cannot be.
part_refusals()
{
	local rc

	configuration "$dir/refusals"
	start
	rc=0
	"$ustack" daemon --config "$dir/config.yaml" --user '' 2>"$dir/err" || rc=$?
	ok "a second one: status $rc" [ $rc = 1 ]
	ok "a second one: it does not say why" grep -q "another process writes to it" "$dir/err"
	stop
	configuration "$dir/nothing/there"
	rc=0
	"$ustack" daemon --config "$dir/config.yaml" --user '' 2>"$dir/err" || rc=$?
	ok "no parent of the store: status $rc" [ $rc = 1 ]
	ok "no parent of the store: it does not say where" grep -q "$dir/nothing" "$dir/err"
}
