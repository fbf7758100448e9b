# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Lint of C: the core, headers, gates, sparse, checkpatch. Sourced by run, which
# describes what a check may use.

core_flags=(-std=gnu11 -O2 -ffreestanding -fno-pic -fno-stack-protector
	-I kmod/core)
# -Wconversion is not used: most of its warnings are harmless, because the core computes with u8 and u16
header_flags=(-std=gnu11 -fsyntax-only -Wall -Wextra -Wshadow -Wpointer-arith
	-Wstrict-prototypes -Wmissing-prototypes -Wundef -Wcast-qual -Wvla
	-Wwrite-strings -Werror -Wno-unused-parameter -I kmod/core -I kmod/uapi)
compilers=(gcc clang aarch64-linux-gnu-gcc)

# Outside the core only four functions may be called, and no variable may be modified.
check_symbols()
{
	local cc src obj undefined defined bad=0

	tools "${compilers[@]}" nm size || return 1
	for cc in "${compilers[@]}"; do
		rm -rf "$dir/core"
		mkdir -p "$dir/core"
		for src in kmod/core/*.c; do
			$cc "${core_flags[@]}" -c "$src" \
				-o "$dir/core/$(basename "$src" .c).o" || bad=1
			looked=$((looked + 1))
		done
		defined=$(nm --defined-only "$dir"/core/*.o | awk 'NF == 3 { print $3 }' | sort -u)
		undefined=$(nm -u "$dir"/core/*.o | awk '$1 == "U" { print $2 }' | sort -u |
			grep -v -x -E 'memcpy|memset|memcmp|memmove' |
			grep -v -x -F "$defined")
		[ -z "$undefined" ] || { say "$cc: the core calls $undefined"; bad=1; }
		for obj in "$dir"/core/*.o; do
			size -A "$obj" | awk -v obj="$(basename "$obj")" -v cc="$cc" '
				$1 ~ /^\.(data|bss)(\.|$)/ && $1 !~ /\.ro/ && $2 > 0 {
					print "  " cc ": " obj ": " $2 " bytes of " $1
					bad = 1
				}
				END { exit bad }' || bad=1
		done
	done
	return $bad
}

check_headers()
{
	local cc header bad=0

	tools "${compilers[@]}" || return 1
	for cc in "${compilers[@]}"; do
		for header in kmod/core/*.h kmod/uapi/*.h; do
			printf '#include "%s"\n#include "%s"\n' \
				"$(basename "$header")" "$(basename "$header")" |
				$cc "${header_flags[@]}" -x c - ||
				{ say "$cc: $header does not compile alone"; bad=1; }
			looked=$((looked + 1))
		done
	done
	return $bad
}

# Warnings for the core, in addition to those that everything is built with
check_warnings()
{
	local cc src bad=0

	tools "${compilers[@]}" || return 1
	for cc in "${compilers[@]}"; do
		for src in kmod/core/*.c; do
			$cc "${header_flags[@]}" -Wswitch-enum -Wmissing-declarations \
				-Wredundant-decls -Wformat=2 "$src" || bad=1
			looked=$((looked + 1))
		done
	done
	return $bad
}

# The core by sparse, as a program of user space includes it
check_sparse()
{
	local src found bad=0

	tools sparse || return 1
	for src in kmod/core/*.c; do
		# glibc's headers have attributes that sparse does not know. sizeof is used on purpose for a
		# struct that ends in an array: the rows follow it.
		found=$(sparse "${core_flags[@]}" -Wsparse-all -Wno-unknown-attribute \
			-Wno-flexible-array-sizeof "$src" 2>&1) || bad=1
		[ -z "$found" ] || { say "$found"; bad=1; }
		looked=$((looked + 1))
	done
	return $bad
}

# Checks the module with sparse, which needs the headers of a guest's kernel. The objects are kept,
# so that a second run compiles only changed files.
check_sparse_module()
{
	local guest=x86_64-6.1 work=$dir/module flags kdir cc

	tools sparse make || return 1
	kdir=$(readlink -f "$("$here/../guest/vm/kdir" "$guest")") && cc=$("$here/../guest/vm/kdir" --cc "$guest") &&
		read -ra flags < <("$here/../guest/vm/kdir" --flags "$guest") ||
		{ say "no headers of $guest"; return 1; }
	tools "$cc" || return 1
	mkdir -p "$work"
	# a source that was deleted must not be checked
	find "$work" -name '*.[ch]' -delete
	cp -a --parents Kbuild kmod "$work/" && rm -rf "$work/kmod/tests"
	# the outer make's job server cannot be used by a make inside a script
	if ! env -u MAKEFLAGS -u MFLAGS make --no-print-directory -C "$kdir" M="$work" \
		"${flags[@]}" CC="$cc" -j"$(nproc)" C=2 CHECK=sparse modules >"$dir/module.log" 2>&1; then
		tail -20 "$dir/module.log"
		return 1
	fi
	looked=$(grep -c '^  CHECK ' "$dir/module.log")
	! grep -E 'warning:|error:' "$dir/module.log"
}

# only PATTERN FILE...: no other file of the tree contains PATTERN
only()
{
	local pattern=$1 found

	shift
	found=$(files '\.[ch]$' | xargs -r -d '\n' grep -l -w -E "$pattern" |
		grep -v -x -F "$(printf '%s\n' "$@")")
	[ -z "$found" ] && return 0
	say "only $* may say $pattern:" "$found"
	return 1
}

function_cast='\((const )?([a-z_0-9]+ )+\**\(\*\) *\([^()]*\)\) *&?[a-z_(]'
function_cast+='|\([a-z_0-9]+_(fn|func|func_t|callback_t)\) *&?[a-z_(]'

check_gates()
{
	local found bad=0

	looked=$(files '\.[ch]$' | wc -l)
	only '__KERNEL__' kmod/core/core_env.h || bad=1
	only 'LINUX_VERSION_CODE|KERNEL_VERSION' kmod/compat.h || bad=1
	# files of the core include no file from outside except core_env.h
	if grep -n '#include <' kmod/core/*.[ch] | grep -v '^kmod/core/core_env.h:'; then
		say "only kmod/core/core_env.h may include anything from outside"
		bad=1
	fi
	found=$(files '^user/.*\.[ch]$' | grep -v -x user/util/native.h |
		xargs -r -d '\n' grep -n -w -E '__(aarch64|x86_64)__')
	[ -z "$found" ] || { say "only user/util/native.h may ask for the machine:" "$found"; bad=1; }
	# kCFI stops the kernel at a call through a pointer of another type: without a cast the compiler
	# refuses such a pointer
	if files '^kmod/.*\.[ch]$' | xargs -r -d '\n' grep -n -E "$function_cast"; then
		say "kmod may not cast pointers to functions"
		bad=1
	fi
	return $bad
}

# Each function that the module hooks has a prototype for comparison, and each guest's kernel is a
# release that the module loads into.
check_kernels()
{
	local name line list=kmod/kernel_check.c bad=0

	for name in $(sed -nE 's/.*\.name = "([a-z_]+)".*/\1/p' kmod/hook.c kmod/redirect.c); do
		grep -qE "\((int|void), $name,|\"$name\"," $list ||
			{ say "$list has no prototype of $name(), which is hooked"; bad=1; }
		looked=$((looked + 1))
	done
	for line in $(awk '!/^(#|$)/ { print $3 }' tests/guest/vm/guests | sort -u); do
		grep -qx "USTACK_TESTED(${line/./, })" kmod/tested.def ||
			{ say "tests/guest/vm/guests has $line, kmod/tested.def has not"; bad=1; }
		looked=$((looked + 1))
	done
	return $bad
}

# checkpatch.pl of the kernel source that the KUnit tests build
check_patch()
{
	local script=${LINT_CHECKPATCH-} out ignore names

	tools perl || return 1
	[ -n "$script" ] || script=$("$here/../guest/kunit/source")/scripts/checkpatch.pl
	[ -f "$script" ] || { say "no checkpatch.pl: '$script'"; return 1; }
	# Exceptions: X macros (reason.def, register tables, prototypes); helpers that only newer kernels
	# have; versions, which check_gates() keeps in one file; words that the user-space half of
	# core_env.h defines; VMA_ITERATOR, which is a declaration; references of core/ref.h, which are
	# pointers or places
	ignore=COMPLEX_MACRO,TRAILING_SEMICOLON,BRACKET_SPACE,MACRO_ARG_UNUSED,ALLOC_WITH_SIZEOF
	ignore+=,LINUX_VERSION_CODE,CONSTANT_COMPARISON,PREFER_DEFINED_ATTRIBUTE_MACRO
	ignore+=,PREFER_KERNEL_TYPES,BIT_MACRO,MSLEEP,LINE_SPACING,NEW_TYPEDEFS
	mapfile -t names < <(files '^kmod/.*\.[ch]$')
	out=$(cd "$dir" && perl "$script" --no-tree --strict --emacs --show-types \
		--ignore "$ignore" -f "${names[@]/#/$root/}" 2>&1 | sed "s|$root/||")
	# it prints this line for each file that it has read to the end
	looked=$(grep -c '^total: ' <<<"$out")
	[ "$looked" -eq ${#names[@]} ] ||
		{ say "checkpatch.pl read $looked of ${#names[@]} files:" "${out:0:400}"; return 1; }
	# checkpatch does not find its own list of words
	! grep -E ': (ERROR|WARNING):|^No ' <<<"$out"
}
