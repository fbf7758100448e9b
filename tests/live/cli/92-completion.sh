# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests completion: the program lists the possible words, and bash, zsh and fish offer them.
checks 16

C=$T/completion
mkdir -p "$C/bin" "$C/here/shares.folder"
touch "$C/here/shares.pb.gz"
for name in bin/ustack bin/ustackd here/ustack; do
	ln -s "$(realpath "$USTACK")" "$C/$name"
done
printf '#!/bin/sh\n' >"$C/bin/ustack-test-command"
chmod +x "$C/bin/ustack-test-command"

words() { run "$USTACK" --complete-words "$@"; }

words rec
status 0 "the start of a command"
check "a command with its summary" diff <(printf 'record\tsample stacks and write a profile\n') "$T/out"
words record --dura
check "an option with its help" diff <(printf -- '--duration\tend after this\n') "$T/out"
words nothing rec
status 0 "no such command"
no_out "no such command"
no_err "no such command"
words
no_out "no word"

# The file has the answers that all shells must give.
for shell in bash zsh fish; do
	need "$shell"
	run env -C "$C/here" PATH="$C/bin:$PATH" HOME="$C" python3 "$root/tests/live/cli/shells.py" $shell \
		"$root/tests/live/cli/data/completion"
	status 0 "$shell"
	check "$shell completes commands, options, values and operands" \
		diff "$root/tests/live/cli/data/completion" "$T/out"
done
