# SPDX-License-Identifier: GPL-2.0-only
# Completion of ustack and ustackd for fish. The program itself lists the possible words, from the
# tables by which it parses its command line: options_complete() in user/util/options.h.

function __ustack_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])

    set -e words[1]
    for line in ($program --complete-words $words $last 2>/dev/null)
        set -l prefix (string replace -r '^:\w+ ' '' -- $line)
        set -l typed (string sub -s (math (string length -- "$prefix") + 1) -- $last)
        switch $line
            case ':files*'
                printf "$prefix%s\n" (__fish_complete_path $typed)
            case ':folders*'
                printf "$prefix%s\n" (__fish_complete_directories $typed)
            case ':users*'
                __fish_complete_users
            case ':processes*'
                __fish_complete_pids
            case ':command*'
                set -l rest $words $last
                set rest $rest[(math 0 - (string replace ':command ' '' -- $line))..-1]
                complete -C (string join ' ' -- (string escape --no-quoted -- $rest))
            case '*'
                echo $line
        end
    end
end

complete -c ustack -f -a '(__ustack_complete)'
complete -c ustackd -f -a '(__ustack_complete)'
