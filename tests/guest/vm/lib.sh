# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Functions that the guest scripts share: the guest table, paths of caches, locks.
# It is sourced; it sets VM (this folder), TOP (the checkout) and VM_CACHE.

VM=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(cd "$VM/../../.." && pwd)
VM_CACHE=${USTACK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ustack}/vm

vm_say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }
vm_die() { vm_say "$@"; exit 1; }

# vm_guests [--all | --built]: names: of guests with cloud kernels, of all with kernels of packages, or of
# those whose kernels are built here
vm_guests()
{
	awk -v which="${1-}" '/^(#|$)/ { next }
		$5 == "built" { if (which == "--built") print $1; next }
		which == "--all" || (which == "" && $5 == "") { print $1 }' "$VM/guests"
}

# vm_guest NAME: set GUEST, DEB_ARCH, LINE, SUITE, FLAVOUR from the table, and from them
# BASE (the suite that a backport sits on), KARCH (make's ARCH) and TRIPLET.
vm_guest()
{
	GUEST=${1:-}
	read -r _ DEB_ARCH LINE SUITE FLAVOUR < <(awk -v g="$GUEST" '$1 == g' "$VM/guests") ||
		vm_die "no guest '$GUEST'; there are: $({ vm_guests --all; vm_guests --built; } | tr '\n' ' ')"
	FLAVOUR=${FLAVOUR:-cloud}
	BASE=${SUITE%-backports}
	case $DEB_ARCH in
	amd64) KARCH=x86_64 TRIPLET=x86_64-linux-gnu ;;
	arm64) KARCH=arm64 TRIPLET=aarch64-linux-gnu ;;
	esac
}

# guest_arch NAME: calls vm_guest and sets what tests of several architectures need:
#	arch	x86_64 or aarch64, as the folders of build/ are named
#	cross	prefix of the tools that build for it, empty for this machine's own
#	event	what perf samples by: an emulated x86-64 machine has no cycles
#	libs	the guest's ld.so and libc, in usr/lib/$TRIPLET of its root
#	built	where make builds programs for it
#	ustack	the program, dynamically linked
#	dump	1 where perf.data is printed in the guest, for this machine's perf is older
#	defer	1 where perf can take stacks on the way to user mode (6.19 and later)
# shellcheck disable=SC2034
guest_arch()
{
	vm_guest "$1"
	dump=1 defer=''
	case $DEB_ARCH in
	amd64)	arch=x86_64 cross='' event=cpu-clock built=build
		libs=(ld-linux-x86-64.so.2 libc.so.6) ;;
	arm64)	arch=aarch64 cross=aarch64-linux-gnu- event=cycles built=build/arm64
		libs=(ld-linux-aarch64.so.1 libc.so.6) ;;
	esac
	ustack=$built/ustack
	case $GUEST in
	*-6.1 | *-6.1-*) dump= ;;
	x86_64-7.3*) defer=1 ;;
	esac
}

vm_hash() { sha256sum | cut -c1-16; }

# vm_lock NAME: hold this lock until the calling shell or subshell ends
vm_lock()
{
	mkdir -p "$VM_CACHE/lock"
	exec {vm_lock_fd}>"$VM_CACHE/lock/$1"
	flock "$vm_lock_fd"
}
