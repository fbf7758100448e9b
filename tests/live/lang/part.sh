# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
# Frames of languages as a part of a guest's run: of runtimes that are packages of the guest's own Debian and
# architecture, in a root of their own. See tests/guest/lib.sh.
#	LANG_MODES	"tables bpf": with tables in eBPF without the module, and with the module
#	LANG_RUNTIMES	"python php perl ruby"

part_lang()
{
	local mode modes=${LANG_MODES-tables bpf} runtimes=${LANG_RUNTIMES-python php} packages disk
	# the program's libraries; bash, awk and more are what the scripts need
	packages=(lib{bpf1,curl4,dw1,jansson4,md0,microhttpd12,ncursesw6,pcre2-8-0,protobuf-c1,tinfo6,yaml-0-2}
		bash coreutils gawk grep libc-bin procps sed util-linux perl php-cli python3)
	if [ "$arch" = x86_64 ]; then
		packages+=(ruby)
		[ -n "${LANG_RUNTIMES-}" ] || runtimes+=" perl ruby"
	fi
	disk=$(tests/guest/vm/disk "$BASE" "$DEB_ARCH" "${packages[@]}" | tail -n 1)
	option --disk "$disk" --mem 3072
	give "$ustack" /tmp/t/ustack
	give tests/lib /tmp/t/tests/lib
	give tests/judge/profile /tmp/t/tests/judge/profile
	give tests/live/lang /tmp/t/tests/live/lang
	give tests/live/record/lib.sh /tmp/t/tests/live/record/lib.sh
	in_guest 7200 lang_script
}

lang_script()
{
	for mode in $modes; do
		[ "$mode" != bpf ] || echo "insmod /ustack.ko"
		echo "chroot /mnt env PATH=/tmp/t/bin:/usr/bin:/usr/sbin HOME=/tmp" \
			"bash /tmp/t/tests/live/lang/in-guest /tmp/t/ustack /tmp/lang/$mode $mode $runtimes || failed=1"
		[ "$mode" != bpf ] || echo "rmmod ustack"
	done
	# shellcheck disable=SC2016
	echo 'cp -a /tmp/lang/. /out/lang/; [ -z "${failed-}" ]'
}

# Checks that there are results of each mode.
judge_lang()
{
	local mode

	for mode in ${LANG_MODES-tables bpf}; do
		check "lang says what passed in mode $mode" \
			grep -qsE "^lang-$mode: [1-9][0-9]* passed, 0 failed" "$out/log"
	done
}
