# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Compares walks of a program in eBPF with libdw's, and with the declared stacks of programs
# (tests/guest/workload), for tests/live/bpftables/run and tests/live/getstack/run.
#
# The caller sets $build and $dir, where a BPF file system is mounted as bpf, and defines a function
# walker FILE [PROGRAM...]. It becomes (exec) a program that pins the walking program as
# $dir/bpf/walk, prints "ready", writes struct chain to FILE until SIGTERM, and prints
# "chains: N lost; N instructions verified ...".

record=$build/groundtruth/$(uname -m)/gt-record
compare=$build/groundtruth/gt-compare
workload=$here/../../guest/workload
# shellcheck source=tests/guest/known/lib.sh
. "$here/../../guest/known/lib.sh"
hang=600
samples=0 frames=0 verified=
# files whose tables are made before the command of take() runs
also=()

# usage: sample OUT COMMAND...: takes its samples, at which the pinned program walks, too
sample()
{
	local out=$1

	shift
	"$record" -F 999 -k --cpu-clock --program "$dir/bpf/walk" -s "$hang" -o "$out" -- \
		"$@" >/dev/null 2>>"$dir/err" || fail "$name: gt-record ends with $?" "$(cat "$dir/err")"
}

# usage: take NAME COMMAND...: takes its samples and their walks
#
# The command runs twice, and the second run is judged: tables are made while the first one runs,
# which takes as long as other load on the machine lets it.
take()
{
	local name=$1 pid said line longest most

	shift
	coproc walker "$dir/$name.chains" "$@" "${also[@]}" 2>"$dir/err"
	pid=$COPROC_PID
	exec {said}<&"${COPROC[0]}"
	read -rt "$hang" line <&"$said" || line=
	[ "$line" = ready ] || { fail "$name: the program that walks ended" "$(tail -n 3 "$dir/err")"; return 1; }
	sample "$dir/$name.rec" "$@"
	sample "$dir/$name.rec" "$@"
	kill "$pid"
	read -rt "$hang" line <&"$said" || line=
	while read -rt "$hang" longest <&"$said"; do
		most=300000
		[[ $longest != *" tasks: "* ]] || most=60000
		[ "${longest##* }" -le $most ] || fail "the verifier: $longest instructions, more than $most"
	done
	wait "$pid" || fail "$name: the program that walks ends with $?" "$(tail -n 3 "$dir/err")"
	exec {said}<&-
	[[ $line = "chains: 0 lost"* ]] || fail "$name: walks were lost" "$line"
	verified=${line#*; }
	verified=${verified%% *}
}

# usage: judge NAME WHOLE LEAST COMMAND...: there must be at least LEAST samples, and WHOLE percent
# of those that libdw unwinds to their end must be whole
judge()
{
	local name=$1 whole=$2 least=$3 line n without guessed

	shift 3
	take "$name" "$@" || return 0
	line=$("$build/bpftables/rechain" "$dir/$name.rec" "$dir/$name.chains" "$dir/$name.out") ||
		{ fail "$name: rechain ends with $?"; return 0; }
	read -r _ n _ without _ _ _ guessed _ <<<"$line"
	check "$name: $n samples, at least $least" [ "$n" -ge "$least" ]
	check "$name: $without samples have no walk" [ $((100 * without)) -le "$n" ]
	check "$name: $guessed samples are guessed" [ $((20 * guessed)) -le "$n" ]
	if "$compare" --min-ended "$whole" --min-frames $((3 * n)) --show 3 "$dir/$name.out" >"$dir/verdict"; then
		pass "$name: libdw says the same"
	else
		fail "$name: libdw says otherwise, or too little is whole" "$line" "$(cat "$dir/verdict")"
	fi
	rm "$dir/$name.out"
	# the first sample of a thread has its whole stack, the next ones only new frames
	"$build/bpftables/rechain" "$dir/$name.rec" "$dir/$name.chains" "$dir/$name.out" $((n / 4)) >/dev/null ||
		fail "$name: rechain ends with $?"
	if "$compare" --min-ended "$whole" --min-frames "$n" --show 3 "$dir/$name.out" >"$dir/last"; then
		pass "$name: libdw says the same of the last three quarters"
	else
		fail "$name: libdw says otherwise of the last three quarters" "$(cat "$dir/last")"
	fi
	rm "$dir/$name.out" "$dir/$name.rec" "$dir/$name.chains"
	samples=$((samples + n))
	frames=$((frames + $(sed -n 's/^frames compared \([0-9]*\),.*/\1/p' "$dir/verdict")))
	echo "$name: ${line#rechain: }"
}

# usage: known SECONDS SCENARIO...: runs each for so many seconds; each of their stacks must be a
# declared one, and whole. Apart from them, one sample in a hundred may have no walk, one may be
# guessed, and one may end because the kernel's programs have missed a mapping (LEARNING), as it
# happens where they can follow system calls only.
known()
{
	local seconds=$1 folder line n without guessed learning options also
	shift

	folder=$build/workload/$(uname -m)-v3
	# libraries that come and go: a short first run may not meet all of them
	also=("$folder"/lib*.so)
	take known "$workload/scenarios" "$folder" "$seconds" "$@" || return 0
	line=$("$build/bpftables/rechain" "$dir/known.rec" "$dir/known.chains" "$dir/known.out") ||
		{ fail "known: rechain ends with $?"; return 0; }
	read -r _ n _ without _ _ _ guessed _ <<<"$line"
	check "known: $without of $n samples have no walk" [ $((100 * without)) -le "$n" ]
	check "known: $guessed of $n samples are guessed" [ $((100 * guessed)) -le "$n" ]
	"$build/groundtruth/gt-text" -x LEARNING "$dir/known.out" >"$dir/known.txt" 2>"$dir/learning"
	read -r learning _ <"$dir/learning"
	check "known: $learning of $n walks met a mapping too early" [ $((100 * learning)) -le "$n" ]
	"$workload/truth-of" "$(readlink -f /lib64/ld-linux-x86-64.so.2)" \
		"/usr/lib/$(gcc -dumpmachine)/libc.so.6" >"$dir/truth"
	mapfile -t options < <(known_floors yes "$@" | tr ' ' '\n')
	check "known: each stack is whole and a declared one" "$build/workload/chaincheck" -t "$folder/truth" \
		-t "$dir/truth" -c "$workload/chains" -L -m 1000 "${options[@]}" "$dir/known.txt"
	rm "$dir"/known.{rec,chains,out,txt}
	echo "known: ${line#rechain: }"
}
