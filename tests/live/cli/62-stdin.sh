# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests that "-" is standard input for each operand that is a file, from a pipe and from a file.
checks 92

I=$T/stdin
mkdir -p "$I"
python3 tests/live/cli/profiles.py "$I"
python3 tests/live/cli/macho.py "$I"
gcc -g -O2 -o "$I/prog" "$here/data/inlined.c"
"$USTACK" gsym convert --quiet -o "$I/made.gsym" "$I/prog"
bsym=tests/golden/bsym/bsym-2.0.bsym

# usage: same FILE COMMAND...: the output must be the same with FILE and with "-" in place of @, except for
# the name
same()
{
	local file=$1 how

	shift
	run "$USTACK" "${@/#@/$file}"
	status 0 "$*"
	sed "s,$file,-,g" "$T/out" >"$I/want"
	for how in 'cat "$1" | "${@:2}"' '"${@:2}" <"$1"'; do
		run bash -c "$how" _ "$file" "$USTACK_ASAN" "${@/#@/-}"
		check "$*: $how" cmp "$I/want" "$T/out"
	done
}

same "$golden/t47.elf" sframe dump @
same "$golden/t47.elf" sframe verify @
same "$I/prog" sframe synth -o "$I/made" @
same "$I/prog" gsym convert --quiet -o - @
same "$I/prog" gsym convert --quiet --symbols -o - @
same "$I/made.gsym" gsym dump @
same "$I/made.gsym" gsym verify --json @ "$I/prog"
same "$I/prog" gsym verify --json "$I/made.gsym" @
same "$bsym" bsym dump @
same "$bsym" bsym verify @
same "$bsym" bsym lookup @ 0x80001021
same "$bsym" bsym convert --quiet -o - @
same "$I/prog" bsym convert --quiet --name prog -o - @
same "$bsym" gsym convert --quiet -o - @
same "$I/arm64" macho dump @
same "$I/fat" macho dump @
same "$I/arm64" macho lookup @ 0x100001000
same "$I/a" report @
same "$I/a" report --json @
same "$I/a" export @
same "$I/a" symbolize -q -o - @
same "$I/a" diff @ "$I/b"
same "$I/b" diff "$I/a" @
same "$I/a" flame --title x -o - @

for command in "gsym convert" "bsym convert" "gsym lookup" "bsym lookup" "macho lookup"; do
	# shellcheck disable=SC2086
	bad_usage $command -
done
