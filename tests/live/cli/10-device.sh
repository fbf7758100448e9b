# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Tests the messages if the module is missing, not permitted or of another version: they must say what to do.
checks 66

for cmd in stat "stat -i 1" events images "prepare 1" "prepare --all" \
	   "load $golden/t47.elf" "supply --once --prepare"; do
	export FAKE_DEVICE=absent
	# shellcheck disable=SC2086
	fake "$USTACK" $cmd
	status 1 "$cmd, no module"
	no_out "$cmd, no module"
	err "not loaded: run 'modprobe ustack', or 'insmod ustack.ko'|is loaded, but" \
		"$cmd, no module"
	export FAKE_DEVICE=denied
	# shellcheck disable=SC2086
	fake "$USTACK" $cmd
	status 1 "$cmd, denied"
	err 'permission denied: .*CAP_PERFMON.* as root' "$cmd, denied"
	unset FAKE_DEVICE
	[ "$cmd" = images ] && continue
	[ "$cmd" = events ] && continue
	# EPERM, then ENOTTY
	# shellcheck disable=SC2086
	FAKE_ERRNO=1 fake "$USTACK" $cmd
	status 1 "$cmd, request denied"
	err 'permission denied: .*CAP_PERFMON' "$cmd, request denied"
	# shellcheck disable=SC2086
	FAKE_ERRNO=25 fake "$USTACK" $cmd
	status 1 "$cmd, old module"
	err 'module is older than this program' "$cmd, old module"
done

FAKE_ERRNO=17 fake "$USTACK" load "$golden/t47.elf"
status 1 "load, own section"
err 't47.elf: its own .sframe stays: only CAP_SYS_ADMIN may replace' "load, own section"
