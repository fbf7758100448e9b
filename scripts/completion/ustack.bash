# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Completion of ustack and ustackd for bash. The program itself lists the possible words, from the
# tables by which it parses its command line: options_complete() in user/util/options.h.

# _ustack_words gets the words up to the cursor. Bash also splits words at "=" and ":", so
# _ustack_first gets the index of the bash word at which each of these words starts.
_ustack_join()
{
	local i joined='' last=-1

	_ustack_words=() _ustack_first=()
	for ((i = 1; i <= COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} =~ ^[=:]+$ && $last -ge 0 ]]; then
			_ustack_words[last]+=${COMP_WORDS[i]}
			joined=yes
		elif [ -n "$joined" ]; then
			_ustack_words[last]+=${COMP_WORDS[i]}
			joined=''
		else
			_ustack_words+=("${COMP_WORDS[i]}")
			_ustack_first+=("$i")
			last=$((last + 1))
		fi
	done
}

# The last $1 words belong to another command.
_ustack_command()
{
	if declare -F _command_offset >/dev/null; then
		_command_offset "${_ustack_first[${#_ustack_words[@]} - $1]}"
	elif [ "$1" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$2")
	else
		compopt -o default
	fi
}

_ustack()
{
	local _ustack_words _ustack_first line word cut cur=$2

	_ustack_join
	word=${_ustack_words[-1]}
	# bash replaces only the part after the last "=" or ":"
	cut=${word%"$cur"}
	[[ $word =~ [=:]$ && $cur =~ ^[=:]*$ ]] && cut=$word cur=''
	COMPREPLY=()
	while IFS= read -r line; do
		case $line in
		:files*) compopt -o default ;;
		:folders*) compopt -o dirnames ;;
		:users*) mapfile -t COMPREPLY < <(compgen -u -- "$cur") ;;
		:processes*) mapfile -t COMPREPLY < <(cd /proc && compgen -G "${cur}[0-9]*"; compgen -G "$cur") ;;
		:command*) _ustack_command "${line#* }" "$cur" ;;
		*)
			line=${line%%$'\t'*}
			COMPREPLY+=("${line#"$cut"}")
			;;
		esac
	done < <("${1/#\~/$HOME}" --complete-words "${_ustack_words[@]}" 2>/dev/null)
}
complete -F _ustack ustack ustackd
