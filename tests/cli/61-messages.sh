# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# What people are told when something is wrong, word by word: each command of
# data/messages is run in a folder of samples, and says what stands below it. That file
# is read by people: is it true, does it say what to do?
checks 46

M=$T/messages
mkdir -p "$M/folder"
python3 tests/cli/profiles.py "$M"
printf 'PERFILE2%064d' 0 >"$M/perf.data"
echo 'main;work;step 12' >"$M/folded"
echo '{"$schema":"https://www.speedscope.app/file-format-schema.json"}' >"$M/speedscope.json"
printf 'perf 123 [000] 1.0: cpu-clock: \n\tffff f ([k])\n' >"$M/script.txt"
echo 'some words' >"$M/text"
: >"$M/nothing"
cp /bin/true "$M/stripped"
run "$USTACK" gsym convert --unnamed -o "$M/stripped.gsym" "$M/stripped"
status 0 "messages: a GSYM file of what is stripped"
echo 'unknown: 1' >"$M/key.yaml"
printf 'push:\n  - type: nosuch\n    url: http://127.0.0.1/\n' >"$M/push.yaml"
printf 'http:\n  listen: 0.0.0.0:7777\n' >"$M/open.yaml"

# usage: said COMMAND: what it says on standard error, and its status if it is not 0
said()
{
	local words rc=0

	read -ra words <<<"$1"
	(cd "$M" && env -u DEBUGINFOD_URLS "$program" "${words[@]:1}") </dev/null 2>&1 >/dev/null || rc=$?
	[ $rc = 0 ] || echo "status $rc"
}

program=$(realpath "$USTACK")
awk -v dir="$M" '/^\$ / { n++; print substr($0, 3) >dir "/command." n; next } /^#/ || !n || !NF { next }
	{ print >dir "/want." n } END { print n >dir "/number" }' tests/cli/data/messages
for ((i = 1; i <= $(cat "$M/number"); i++)); do
	command=$(cat "$M/command.$i")
	said "$command" >"$T/out" 2>"$T/err"
	check "$command" diff "$M/want.$i" "$T/out"
done
