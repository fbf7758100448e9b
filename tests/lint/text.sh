# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Lint of scripts and documents, and of facts on which several files must agree. Sourced by
# run, which describes the functions that a check may use.

shell_scripts() { scripts '[/ ](ba)?sh( |$)' | sort; }
shell_sourced() { files '\.(sh|bash)$' | sort | comm -23 - <(shell_scripts); }
python_files() { { files '\.py$'; scripts 'python3?( |$)'; } | sort -u; }

# Exceptions are listed by path, with the reason.
check_sizes()
{
	local names

	tools python3 || return 1
	mapfile -t names < <({
		files '^(kmod|user|bpf|tests)/.*\.[ch]$'
		files '\.js$'
		shell_scripts
		shell_sourced
		python_files
	} | sort -u)
	looked=${#names[@]}
	python3 "$here/sizes.py" tests/lint/long "${names[@]}"
}

# Files whose comments begin with "#", other than scripts
hash_files()
{
	files '\.(mk|ya?ml|service|conf|rules|spec|rpmlintrc|fish)$|(^|/)(Makefile|Kbuild|Dockerfile)$|^scripts/'
	files '^debian/(control|rules|source/.*|.*\.(triggers|lintian-overrides|postinst|postrm|prerm))$'
}

# Each file of C begins with a comment about the file. No sentence of a comment lacks its subject.
check_comments()
{
	local names

	tools python3 || return 1
	mapfile -t names < <({
		files '^(kmod|user|bpf|tests|dist|Documentation)/.*\.[ch]$'
		shell_scripts
		shell_sourced
		python_files
		hash_files
	} | sort -u)
	looked=${#names[@]}
	python3 "$here/comments.py" "${names[@]}"
}

# tests/lint/rooms says which folder may include which, and the table of architecture.md says which
# layer may use which. The README of a folder lists the headers that other folders may include.
check_rooms()
{
	local names

	tools python3 || return 1
	mapfile -t names < <(files '^(kmod/(core|uapi)/.*\.([ch]|def)|kmod/[^/]*\.def|(bpf|user)/.*\.([ch]|def)|user/(.*/)?README|tests/unit/.*/.*\.c)$')
	looked=${#names[@]}
	python3 "$here/rooms.py" tests/lint/rooms Documentation/architecture.md "${names[@]}"
}

# Every reason has its row in the page that explains them, with its number, what it means and
# what fixes it; and the page has no other reason.
check_reasons()
{
	local page=Documentation/short-stacks.md listed documented

	listed=$(sed -n 's/^USTACK_REASON(\([0-9]*\), \([A-Z_]*\),.*/\1 \2/p' \
		kmod/core/reason.def | sort)
	looked=$(wc -l <<<"$listed")
	documented=$(sed -n -E 's/^\| ([0-9]+) \| `([A-Z_]+)` \| [^|]{10,} \| [^|]{10,} \|$/\1 \2/p' \
		"$page" | sort)
	[ "$listed" = "$documented" ] && return 0
	say "$page and kmod/core/reason.def differ (number, name):"
	diff <(echo "$listed") <(echo "$documented")
	return 1
}

# Prints the version numbers in files that are built, installed or read, as "FILE:LINE:VERSION"
versions()
{
	local number='[0-9]+(\.[0-9]+)+([+~-][a-z0-9.]*[a-z0-9])?'

	files '\.(md|[1-8]|c|h|mk|conf|service|yaml|fish|bash)$|^(Kbuild|Makefile)$' |
		grep -v '^tests/\|^kmod/version.h$' |
		xargs -r -d '\n' grep -noE \
			"(ustack[/-]|\"version\": ?\"|(MODULE|PACKAGE|USTACK)_VERSION[^0-9]{1,5})$number" /dev/null |
		sed -E "s/^([^:]*:[0-9]+:).*[^0-9.]($number)\$/\1\2/"
	# the newest entry
	grep -noE "^## $number" CHANGELOG.md | head -n 1 | sed 's/^/CHANGELOG.md:/; s/## //'
	# the packages
	sed -n '1s/^ustack (\(.*\)) .*/debian\/changelog:1:\1/p' debian/changelog
	sed -n 's/^Version:[[:space:]]*/dist\/rpm\/ustack.spec:Version:/p' dist/rpm/ustack.spec
}

# The version is defined once, and documents that contain a version contain this one.
check_version()
{
	local version line bad=0

	version=$(sed -n 's/^#define USTACK_VERSION "\(.*\)"$/\1/p' kmod/version.h)
	[ -n "$version" ] || { say "kmod/version.h names no version"; return 1; }
	looked=1
	while read -r line; do
		looked=$((looked + 1))
		[ "${line##*:}" = "$version" ] ||
			{ say "${line%:*}: ${line##*:}, but kmod/version.h says $version"; bad=1; }
	done < <(versions)
	for line in 'kmod/main.c:MODULE_VERSION(USTACK_VERSION);' \
		    'dkms.conf:PACKAGE_VERSION="#MODULE_VERSION#"'; do
		grep -Fqx "${line#*:}" "${line%%:*}" ||
			{ say "${line%%:*} does not take the version from kmod/version.h"; bad=1; }
		looked=$((looked + 1))
	done
	return $bad
}

# .shellcheckrc lists the disabled checks of shellcheck, each with its reason.
check_shell()
{
	local scripts sourced bad=0

	tools shellcheck || return 1
	mapfile -t scripts < <(shell_scripts)
	mapfile -t sourced < <(shell_sourced)
	looked=$((${#scripts[@]} + ${#sourced[@]}))
	printf '%s\n' "${scripts[@]}" | shellcheck_all || bad=1
	# the script that sources the file sets and uses its variables
	printf '%s\n' "${sourced[@]}" | shellcheck_all -e SC2154,SC2034 || bad=1
	return $bad
}

shellcheck_all() { xargs -d '\n' -n 20 -P "$(nproc)" shellcheck -f gcc "$@"; }

check_python()
{
	local names

	tools pyflakes3 || return 1
	mapfile -t names < <(python_files)
	looked=${#names[@]}
	pyflakes3 "${names[@]}"
}

# A variable in a target's prerequisites is expanded when its line is read: if a makefile that is read
# later sets it, the prerequisite is missing without a message.
check_makefiles()
{
	local names unset

	tools make || return 1
	mapfile -t names < <(files '(^|/)(Makefile|[^/]*\.mk)$')
	looked=${#names[@]}
	unset=$(env -u MAKEFLAGS -u MFLAGS make --warn-undefined-variables -q no-such-target 2>&1 |
		grep 'undefined variable' | sort -u)
	[ -z "$unset" ] || { say "$unset"; return 1; }
	twofold "${names[@]}"
}

# usage: twofold MAKEFILE...: $(or $(NAME),DEFAULT) never means its default if a makefile gives NAME a
# value: it would be another one's default, for another thing of the same name
twofold()
{
	local name status=0

	while read -r name; do
		grep -E "^$name *(\?|::?)?= *[^ ]" "$@" /dev/null | sed "s/\$/: \$(or \$($name),...) never means its default/" |
			grep . && status=1
	done < <(grep -hoE '\$\(or \$\([A-Za-z_]+\),' "$@" | sed 's/.*(//; s/),//' | sort -u)
	return $status
}

# Each path and each make target in a document must exist.
check_documents()
{
	local names

	tools python3 make || return 1
	mapfile -t names < <(files '^(README|Documentation/.*)\.md$')
	python3 "$here/documents.py" "$dir/files" "${names[@]}" >"$dir/documents" || {
		cat "$dir/documents"
		return 1
	}
	looked=$(cat "$dir/documents")
}

# A test must not use a cache of the machine, in which another version may have put files: the top
# Makefile gives each test its own folders.
check_caches()
{
	local names found

	mapfile -t names < <(files '^tests/' |
		grep -v -E '^tests/(golden|live/cli/data|fuzz/corpus|lint)/')
	looked=${#names[@]}
	found=$(grep -n -I -E '/var/cache/ustack|\.cache/ustack/symbols|(unset|-u) *(XDG_CACHE_HOME|USTACK_SFRAME_CACHE)' \
		"${names[@]}")
	[ -z "$found" ] && return 0
	say "these name a cache of the machine:" "$found"
	return 1
}

# A document contains no figure that was not measured, and each measurement names existing code. A
# figure that is older than its code is only reported. Only git knows which is older.
check_figures()
{
	local bad=0

	looked=$(files '^Documentation/measurements/' | wc -l)
	tests/measure/named || bad=1
	if [ "$(git rev-parse --show-toplevel 2>/dev/null)" != "$root" ]; then
		say "outside git nobody knows the age of a figure"
	else
		tests/measure/stale >"$dir/stale" || bad=1
		if [ $bad = 0 ]; then tail -n 1 "$dir/stale"; else cat "$dir/stale"; fi
	fi
	return $bad
}
