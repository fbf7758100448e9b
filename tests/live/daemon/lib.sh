# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions for the parts of tests/live/daemon/run: they start and end a daemon, wait for events, and query
# its store. tests/live/daemon/run sets the variables.

# usage: wait_for WHAT COMMAND...: waits until COMMAND succeeds. The limit is only for events that never
# come; then the test ends, because later checks would mean nothing.
wait_for()
{
	local what="$part: $1" end=$((SECONDS + hang))

	shift
	until "$@"; do
		if [ $SECONDS -ge $end ]; then
			fail "$what" "not within $hang s" "$(tail -n 5 "$dir/log" 2>&1)"
			finish || exit 1
		fi
		sleep 0.05
	done
}

# usage: await WHAT COMMAND...: does the same, and counts it as a check
await()
{
	wait_for "$@"
	pass "$1"
}

# usage: judged NAME WORD...: a check by tests/live/daemon/judge
judged()
{
	local name="$part: $1" said rc=0

	shift
	said=$(python3 "$here/judge" "$@" 2>&1) || rc=$?
	case $rc in
	0) pass "$name" ;;
	77) skip "$name" "$said" ;;
	*) fail "$name" "$said" ;;
	esac
	[ -z "$said" ] || [ $rc != 0 ] || echo "$name: $said"
}

# usage: says SENTENCE: waits until the last daemon has printed SENTENCE, an expression of grep -E
says() { await "it says '$1'" grep -q -E "$1" "$dir/log"; }

# usage: configuration STORE [LINE...]: writes the configuration, with LINE... at its end
configuration()
{
	local store=$1

	shift
	printf '%s\n' "sampling:" "  mode: $mode" "  frequency: ${hz}" "  window: $window" \
		"  cpu_budget: 0" "supply: ${SUPPLY-false}" "store: { path: $store }" \
		"http: { listen: [] }" "symbols: { mode: never }" "$@" >"$dir/config.yaml"
}

is_gone() { [ ! -d "/proc/$1" ] || grep -q '^State:[[:space:]]*Z' "/proc/$1/status"; }
is_ready_or_gone() { grep -q READY=1 "$dir/told" || is_gone "$pid"; }

# usage: start [OPTION...]: starts a daemon and waits until it samples; sets pid. RUNNER is a command
# that runs the daemon
start()
{
	rm -f "$dir/notify"
	: >"$dir/told"
	: >"$dir/clock"
	python3 "$here/listen" "$dir/notify" "$dir/told" "$dir/clock" &
	listener=$!
	wait_for "somebody listens" [ -S "$dir/notify" ]
	# shellcheck disable=SC2086
	NOTIFY_SOCKET=$dir/notify ${RUNNER-} "$ustack" daemon --config "$dir/config.yaml" \
		--user '' "$@" 2>"$dir/log" &
	pid=$!
	wait_for "it is ready, or has ended" is_ready_or_gone
	! is_gone $pid || { fail "$part: it starts" "$(cat "$dir/log")"; finish || exit 1; }
}

# usage: ended SIGNAL: ends the daemon by SIGNAL, and waits until all its processes are gone; rc is its
# status
ended()
{
	local front store

	store=$(sed -n 's/^store: { path: \(.*\) }/\1/p' "$dir/config.yaml")
	front=$(pgrep -P "$pid" -x ustackd-front || :)
	kill "-$1" "$pid"
	# it may be stopped
	kill -CONT "$pid" 2>/dev/null || :
	rc=0
	# hides the shell's message that it was killed
	{
		wait_for "SIG$1 ends it" is_gone "$pid"
		wait "$pid" || rc=$?
	} 2>/dev/null
	[ -z "$front" ] || wait_for "who serves ends with it" is_gone "$front"
	# a process that makes tables holds its parent's lock, and ends a little later
	wait_for "nobody has the store any more" flock -n "$store" true
	kill "$listener" 2>/dev/null || :
}

stop()
{
	ended TERM
	check "$part: it ends with $rc: $(tail -1 "$dir/log")" [ $rc = 0 ]
}

# usage: named [NAME]: prints the name of a load, by default the part's. The number of this shell
# distinguishes it from a test that runs at the same time. A name has at most 15 characters
named() { echo "${1-$part}-$$"; }
# usage: load FILE SECONDS [PROCESSES [NAME]]: runs burn.c, whose line is appended to FILE
load() { "$dir/burn" "$2" "${3-1}" "$(named "${@:4}")" >>"$1"; }
# usage: begin_load FILE [NAME]: starts a load that runs until end_load; burn is its number
begin_load()
{
	"$dir/burn" 0 1 "$(named "${@:2}")" >"$1" &
	burn=$!
}
end_load()
{
	kill "$burn"
	wait "$burn"
}

query() { "$ustack" query -q --store "$@"; }
# usage: summed STORE VALUE [SELECTOR]: prints the sum of VALUE, by default of the part's load
summed() { query "$1" --series command -V "$2" --step 1d --json "${3-command=\"$(named)\"}" | python3 "$here/judge" sum; }
# usage: cpu STORE [SELECTOR]: prints nanoseconds of CPU time
cpu() { summed "$1" cpu "${@:2}"; }
windows() { query "$1" --windows --json 2>/dev/null | python3 "$here/judge" windows 2>/dev/null || :; }
# usage: has_windows STORE NR: whether there are at least NR windows
has_windows() { [ "$(windows "$1" | wc -l)" -ge "$2" ]; }
has_window_after() { windows "$1" | awk -v t="$2" '$1 + $2 > t { found = 1 } END { exit !found }'; }
# usage: stored STORE: waits for a window that ended after this call, so that all samples that were
# taken before are in the store
stored() { wait_for "a window of this moment is stored" has_window_after "$1" "$(date +%s%N)"; }
# usage: outcome STORE REASON [NAME]: prints how many samples of the load ended for REASON; '' counts
# all
outcome()
{
	query "$1" --series stack -V samples --step 1d --json "command=\"$(named "${@:3}")\"" |
		python3 "$here/judge" group "$2"
}
# usage: has_tables STORE: runs the load, with the name "first" and the round's number. Succeeds if some
# stacks are complete, and none ended because a table was being made
has_tables()
{
	round=$((round + 1))
	load /dev/null "$half" 1 first$round
	stored "$1"
	[ "$(outcome "$1" complete first$round)" -gt 0 ] &&
		[ "$(outcome "$1" building first$round)" = 0 ]
}
# usage: tabled STORE: waits until the load's files have their tables, so that later stacks do not end
# for lack of one. How long that takes depends on how busy the machine is
tabled()
{
	local round=0

	wait_for "the load's files have tables" has_tables "$1"
}

# usage: last STORE VALUE: prints the value of the last window
last() { query "$1" --series '' -V "$2" --step 10ms --json | python3 "$here/judge" last; }

# usage: whole STORE LEAST [HOLES]: checks that no time is missing between the last daemon's windows
whole()
{
	windows "$1" >"$dir/windows"
	judged "windows" whole "$dir/windows" "$2" "${3-0}" "$dir/clock"
}

# usage: serves [OTHER]: whether a serving process answers that is not OTHER; front is its number, port
# its port
serves()
{
	front=$(pgrep -P "$pid" -x ustackd-front) && [ "$front" != "${1-}" ] &&
		port=$(python3 "$here/ports" "$front" | head -n 1) && [ -n "$port" ] &&
		curl -s -m "$hang" -o "$dir/health" "http://127.0.0.1:$port/healthz"
}

# usage: metric NAME: prints the value of a metric
metric()
{
	curl -s -m "$hang" "http://127.0.0.1:$port/metrics" |
		awk -v name="$1" '$1 == name { printf "%.15g\n", $2 }'
}
# usage: metric_is NAME VALUE
metric_is() { [ "$(metric "$1")" = "$2" ]; }
# usage: metric_counts NAME: whether it is more than 0
metric_counts() { [ "$(metric "$1" | grep -c '^[1-9]')" = 1 ]; }
