# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the parts of tests/daemon/run share: a daemon that is started and ended, and questions
# to its store. tests/daemon/run sets the variables.

fail() { echo "FAILED: daemon, $mode: $*" >&2; failed=1; }
# usage: ok WHAT COMMAND...
ok()
{
	local name=$1

	shift
	if "$@"; then passed=$((passed + 1)); else fail "$name"; fi
}

# usage: says SENTENCE WHAT: in what the last daemon said
says() { ok "$2: it does not say '$1'" grep -q -E "$1" "$dir/log"; }

# usage: configuration STORE [LINE...]
configuration()
{
	local store=$1

	shift
	printf '%s\n' "sampling:" "  mode: $mode" "  frequency: ${hz}" "  window: 1s" \
		"  cpu_budget: 0" "supply: ${SUPPLY-false}" "store: { path: $store }" \
		"http: { listen: [] }" "symbols: { mode: never }" "$@" >"$dir/config.yaml"
}

# usage: start [OPTION...]: pid is its number when it samples
start()
{
	rm -f "$dir/notify"
	: >"$dir/told"
	python3 "$here/listen" "$dir/notify" "$dir/told" &
	listener=$!
	while [ ! -S "$dir/notify" ]; do sleep 0.05; done
	NOTIFY_SOCKET=$dir/notify "$ustack" daemon --config "$dir/config.yaml" --user '' "$@" 2>"$dir/log" &
	pid=$!
	for _ in {1..600}; do
		! grep -q READY=1 "$dir/told" || return 0
		kill -0 $pid 2>/dev/null || break
		sleep 0.05
	done
	fail "it does not start"; cat "$dir/log" >&2
	exit 1
}

# usage: watch_costs SECONDS: of what it takes every so often, until it ends
watch_costs() { "$here/watch" $pid "$1" >"$dir/watched" & }

# usage: costs NAME PERCENT: memory may be more by so much at the end; prints what it took
costs()
{
	ok "$1: memory and files" python3 "$here/judge" flat "$dir/watched" "$2"
	printf '%s: ' "$1"
	python3 "$here/judge" costs "$dir/watched"
}

stop()
{
	local rc=0

	kill -TERM $pid
	wait $pid || rc=$?
	kill $listener 2>/dev/null || :
	ok "it ends with $rc: $(tail -1 "$dir/log")" [ $rc = 0 ]
}

crash()
{
	kill -KILL $pid
	wait $pid 2>/dev/null || :
	kill $listener 2>/dev/null || :
}

query() { "$ustack" query -q --store "$@"; }
# usage: cpu STORE SELECTOR: nanoseconds of CPU time
cpu() { query "$1" --series command -V cpu --step 1d --json "$2" | python3 "$here/judge" sum; }
windows() { query "$1" --windows --json 2>/dev/null | python3 "$here/judge" windows 2>/dev/null || :; }
# usage: last STORE VALUE: of the last window's second
last() { query "$1" --series '' -V "$2" --step 1s --json | python3 "$here/judge" last; }

# usage: near IS WANT SLACK: apart by so much, and so many nanoseconds. A sample in an
# interrupt is of the process that was interrupted, whose CPU time does not have it, nor what
# a virtual machine was kept from.
near()
{
	awk -v i="$1" -v w="$2" -v s="$3" -v p="${APART-10}" \
		'BEGIN { d = i - w; if (d < 0) d = -d; exit !(d <= w * p / 100 + s) }'
}
