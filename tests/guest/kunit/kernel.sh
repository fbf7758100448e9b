# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# How a kernel is configured, built and made a guest's folder, as tests/guest/vm/fetch lays it out. It is
# sourced after lib.sh. Variables of the caller:
#	source	 the folder of the kernel's source
#	build	 where it is built
#	configs	 files of options on top of tinyconfig; the last value of an option counts
#	stock	 the folder of the stock guest whose root it gets
#	compiler gcc-12, clang-16, ...

kernel_make()
{
	local llvm=()
	[[ $compiler != clang-* ]] || llvm=("LLVM=-${compiler#clang-}")
	make -s -C "$source" O="$build" ARCH=x86_64 "${llvm[@]}" "$@"
}

kernel_configure()
{
	local missing
	kernel_make tinyconfig >/dev/null
	(cd "$source" && scripts/kconfig/merge_config.sh -m -O "$build" \
		"$build/.config" "${configs[@]}" >/dev/null)
	kernel_make olddefconfig
	# an option that was removed or lacks a dependency would be missing silently
	missing=$(awk -F= '/^CONFIG/ { last[$1] = $2 } END { for (name in last) print name "=" last[name] }' \
		"${configs[@]}" | grep '=y$' | sort | comm -23 - <(sort "$build/.config"))
	[ -z "$missing" ] || { rm "$build/.config"; vm_die "this kernel has no ${missing//$'\n'/, }"; }
}

kernel_build()
{
	[ -s "$build/.config" ] || { mkdir -p "$build"; kernel_configure; }
	kernel_make -j"$(nproc)" bzImage modules
}

# kernel_guest NEW: the folder of a guest
kernel_guest()
{
	local new=$1 krel kept
	krel=$(cat "$build/include/config/kernel.release")
	kept=$new/modules/lib/modules/$krel
	echo "$krel" >"$new/krel"
	{ basename "$source"; cat "$stock/packages"; } >"$new/packages"
	cp "$build/arch/x86/boot/bzImage" "$new/kernel"
	ln -s "$build" "$new/kdir"
	# where tests/guest/vm/kdir looks for the compiler, and Debian's makefile for other values
	echo "# $compiler" >"$build/.kernelvariables"
	# all drivers are built in; modprobe looks for their names in these files
	mkdir -p "$kept"
	cp "$build"/modules.builtin* "$kept/"
	touch "$kept/modules.order"
	depmod -b "$new/modules" "$krel"
	cp -a "$stock/root" "$new/root"
	rm -f "$new"/root/etc/vm/*.ko
	python3 "$VM/mkcpio.py" "$new/root" >"$new/root.cpio"
	ln -s "$stock/lib" "$new/lib"
}

# kernel_make_guest GUEST: builds the kernel and moves the folder to GUEST
kernel_make_guest()
{
	local new
	kernel_build >&2
	new=$(mktemp -d "$KUNIT_CACHE/guest.XXXXXX")
	# shellcheck disable=SC2064
	trap "rm -rf '$new'" EXIT
	kernel_guest "$new"
	chmod 755 "$new"
	mv -T "$new" "$1"
}
