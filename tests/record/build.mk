# SPDX-License-Identifier: GPL-2.0
# The recorder on this machine, by frame pointers (see tests/record/run).
.PHONY: record
record: $(B)/ustack
	@XDG_CACHE_HOME=$(abspath $(B))/record/cache \
		tests/record/run $(abspath $(B)/ustack) $(abspath $(B))/record/bpf bpf

CHECKS += record
