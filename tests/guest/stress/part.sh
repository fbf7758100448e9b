# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
# The stress tests as parts of a guest's run; see tests/guest/lib.sh.
#
#	SEED	seed of the random calls of device (1)
#	SOAK_SECONDS	how long soak runs (7200; in quick form 150, which shows only large leaks)
#	SOAK_CONTROL	if set: without the module, to see what the kernel itself keeps
#	SOAK_DISK	an ext4 image that soak writes to; the next run continues with it

# stress_part SECONDS COMMAND: in quick form COMMAND gets -q
stress_part()
{
	local quick=
	[ "$form" = full ] || quick=-q
	give "build/stress/$arch/plugs" /plugs
	in_guest "$1" echo "${2//@q/$quick}"
}

part_lifetime()
{
	local file
	for file in lifetime ext4.img ext4-128.img spin64 spin32 framed; do
		[ ! -e "build/stress/$arch/$file" ] || give "build/stress/$arch/$file" "/$file"
	done
	option --kmod loop --kmod ext4 --kmod overlay
	stress_part 1800 '/lifetime @q'
}

part_users()
{
	local file
	for file in users colliding a.squashfs b.squashfs; do
		give "build/stress/$arch/$file" "/$file"
	done
	option --kmod loop --kmod squashfs --kmod fuse
	stress_part 1800 '/users @q'
}

part_unload()
{
	give "build/stress/$arch/unload" /unload
	stress_part "$([ "$form" = quick ] && echo 1200 || echo 6000)" '/unload @q'
}

part_device()
{
	give "build/stress/$arch/device" /device
	stress_part "$([ "$form" = quick ] && echo 1800 || echo 7200)" "/device @q -s ${SEED-1}"
}

part_memory()
{
	give "build/stress/$arch/memory" /memory
	stress_part 900 '/memory @q'
}

part_nmi()
{
	if [ "$arch" = x86_64 ]; then
		give "$(tests/guest/vm/build-module "$GUEST" tests/guest/vm/modules/nmi)" /ustack_nmi.ko
		give "build/stress/$arch/nmi" /nmi
		stress_part 1800 'insmod /ustack_nmi.ko; /nmi @q; rmmod ustack_nmi'
	elif grep -q '^CONFIG_ARM64_PSEUDO_NMI=y' "$(tests/guest/vm/kdir "$GUEST")/.config"; then
		cannot "this test cannot send pseudo-NMIs"
	else
		cannot "CONFIG_ARM64_PSEUDO_NMI is not set: samples come in interrupts"
	fi
}

part_hostile()
{
	give "build/stress/$arch/hostile" /hostile
	give "build/stress/$arch/bases" /bases
	# static, because the truth describes this machine's libc, not the guest's
	give "build/workload/$arch-v3/workload-static" /workload-static
	give tests/guest/workload/perfdump /perfdump
	# The call graph is requested at the event, not with -g: then perf on arm64 records no registers
	# from which it would add callers of its own (see Documentation/unwinding.md), and the printed
	# chains are the kernel's. The guest's perf prints them, because the host's may be too old to read
	# the file.
	stress_part 3600 '/hostile @q /bases/*
		perf record -q -a -o w.data -e cpu-clock/call-graph=fp/ -F 999 -- \
			/workload-static leaf 3 >w.log 2>&1 && /perfdump w.data >/out/hostile/dump 2>w.log ||
			{ cat w.log; false; }
		rmmod ustack'
}

# The workload is sampled after all other programs: 100 of some 3,000 samples are enough to see it.
judge_hostile()
{
	check "hostile says what passed" grep -qsE '^stress/hostile: [1-9][0-9]* passed, 0 failed' "$out/log"
	check "perf record of the workload afterwards" build/workload/chaincheck \
		-t "build/workload/$arch-v3/truth" -c tests/guest/workload/chains \
		-s leaf -m 100 -n leaf=100 "$out/dump"
}

# Ten minutes a cycle; in quick form there are six cycles, the fewest that show growth.
part_soak()
{
	local seconds=${SOAK_SECONDS-7200} cycle=600 profile=20
	[ "$form" = full ] || { seconds=${SOAK_SECONDS-150}; cycle=$((seconds / 6)); profile=8; }
	give "build/stress/$arch/soak" /soak
	give tests/guest/stress/soak/soak.sh /soak.sh
	give tests/guest/stress/soak/check.sh /check.sh
	give tests/guest/workload/perfdump /perfdump
	give "build/workload/$arch-v3" /w
	option --data "$(soak_disk)"
	stress_part $((2 * seconds + 1800)) "sh /soak.sh $seconds $cycle /data/soak ${SOAK_CONTROL:+-n} \
		${SOAK_CONTROL--x 'sh /check.sh $profile'}"
}

# soak_disk: prints the path of the image, which is made if it is not there
soak_disk()
{
	local image=${SOAK_DISK-build/stress/soak-$GUEST.ext4}
	if [ ! -e "$image" ]; then
		truncate -s 512M "$image"
		/sbin/mke2fs -q -F -t ext4 "$image" >&2
	fi
	echo "$image"
}

# Each cycle has brought back a profile of the workload.
judge_soak()
{
	local dump n=0
	check "soak says what passed" grep -qsE '^stress/soak: [1-9][0-9]* passed, 0 failed' "$out/log"
	[ -z "${SOAK_CONTROL-}" ] || return 0
	for dump in "$out"/dump.*; do
		check "the workload in cycle ${dump##*.}" build/workload/chaincheck \
			-t "build/workload/$arch-v3/truth" -c tests/guest/workload/chains \
			-s leaf -m 100 -n leaf=100 "$dump"
		n=$((n + 1))
	done
	check "a profile of each cycle" [ $n -ge 6 ]
}
