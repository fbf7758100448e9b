# SPDX-License-Identifier: GPL-2.0
# The daemon, whole: sampled loads whose CPU time is known, crashes, full disks, reloads.
#
#	make daemon			here, without the module, by copied stacks
#	make daemon-long		half an hour, and 50 crashes
.PHONY: daemon daemon-long
daemon: $(B)/ustack
	@scripts/deps.sh record web
	@XDG_CACHE_HOME=$(abspath $(B))/daemon/cache \
		tests/daemon/run $(abspath $(B)/ustack) $(abspath $(B))/daemon copy 5

daemon-long: $(B)/ustack
	@scripts/deps.sh record web
	@for mode in copy bpf; do XDG_CACHE_HOME=$(abspath $(B))/daemon/cache tests/daemon/run \
		$(abspath $(B)/ustack) $(abspath $(B))/daemon-$$mode $$mode 50 1800 || exit 1; done

CHECKS += daemon
FULL_CHECKS += daemon-long
