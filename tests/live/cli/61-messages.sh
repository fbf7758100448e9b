# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Compares error messages word by word: each command of data/messages is run in a folder of
# samples, and must print the lines below it in that file. When you change that file, ask of each
# message: is it true, and does it say what to do?
checks 66

M=$T/messages
mkdir -p "$M/folder"
python3 tests/live/cli/profiles.py "$M"
printf 'PERFILE2%064d' 0 >"$M/perf.data"
echo 'main;work;step 12' >"$M/folded"
echo '{"$schema":"https://www.speedscope.app/file-format-schema.json"}' >"$M/speedscope.json"
printf 'perf 123 [000] 1.0: cpu-clock: \n\tffff f ([k])\n\tno frame\n' >"$M/script.txt"
echo 'some words' >"$M/text"
: >"$M/nothing"
cp /bin/true "$M/stripped"
run "$USTACK" gsym convert --unnamed -o "$M/stripped.gsym" "$M/stripped"
status 0 "messages: a GSYM file of what is stripped"
echo 'unknown: 1' >"$M/key.yaml"
printf 'push:\n  - type: nosuch\n    url: http://127.0.0.1/\n' >"$M/push.yaml"
printf 'http:\n  listen: 0.0.0.0:7777\n' >"$M/open.yaml"
echo 'user: ${USTACK_NOT_SET}' >"$M/environment.yaml"
echo 'user: ${USTACK_NOT_SET-nobody}' >"$M/reference.yaml"
mkdir -p "$M/dropins/conf.d"
: >"$M/dropins/ustackd.yaml"
printf 'sampling:\n  window: 10\n' >"$M/dropins/conf.d/10-window.yaml"

# a place that every user may enter, with the program
open=$(mktemp -d)
chmod 755 "$open"
cp "$USTACK" "$open/ustack"
mkdir "$open/cache"
path=$PATH
export PATH=$open:$PATH
unset DEBUGINFOD_URLS

# usage: cannot WHO: why a command for WHO cannot run here; status 1 if it can
cannot()
{
	case $1 in
	nobody*)
		[ "$(id -u)" -eq 0 ] || { echo "this user cannot become another one"; return; }
		[ "$(</proc/sys/kernel/perf_event_paranoid)" = 2 ] ||
			{ echo "perf_event_paranoid is not 2"; return; }
		[ "$1" = nobody ] || [ "$(</proc/sys/kernel/kptr_restrict)" = 0 ] ||
			{ echo "kptr_restrict is not 0"; return; }
		;;
	"no module")
		[ ! -e /dev/ustack ] || { echo "the module is loaded"; return; }
		;;
	esac
	return 1
}

# usage: answer COMMAND [WHO]: prints the standard error of COMMAND. WHO is "nobody" for an unprivileged
# user in a folder of root's; "nobody names" for the same, but the kernel hides addresses although
# kptr_restrict is 0; or "terminal" to run it on a terminal and print all of its output
answer()
{
	case ${2-} in
	nobody*)
		cd "$open" && setpriv --reuid=65534 --regid=65534 --clear-groups bash -c "$1" \
			</dev/null 2>&1 >/dev/null
		;;
	terminal)
		cd "$M" && script -qec "$1" /dev/null </dev/null | tr -d '\r'
		;;
	*)
		cd "$M" && bash -c "$1" </dev/null 2>&1 >/dev/null
		;;
	esac
}

# usage: said COMMAND [WHO]: the answer, and its status if it is not 0
said()
{
	local rc=0 text

	text=$(answer "$@") || rc=$?
	[ -z "$text" ] || sed 's/ after [0-9]* ms/ after N ms/' <<<"$text"
	[ $rc = 0 ] || echo "status $rc"
}

awk -v dir="$M" '/^\$ / { n++; print substr($0, 3) >dir "/command." n; next } /^#/ || !n || !NF { next }
	{ print >dir "/want." n } END { print n >dir "/number" }' tests/live/cli/data/messages
for ((i = 1; i <= $(cat "$M/number"); i++)); do
	command=$(cat "$M/command.$i")
	who=
	if [[ $command =~ ^"["([a-z ]+)"] "(.*) ]]; then
		who=${BASH_REMATCH[1]} command=${BASH_REMATCH[2]}
		if why=$(cannot "$who"); then
			skip "$command" "$why"
			continue
		fi
	fi
	said "$command" "$who" >"$T/out" 2>"$T/err"
	check "$command${who:+ ($who)}" diff "$M/want.$i" "$T/out"
done
export PATH=$path
rm -r "$open"
