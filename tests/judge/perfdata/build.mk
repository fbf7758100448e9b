# SPDX-License-Identifier: GPL-2.0-only
# Tests how ustack reads files of perf.
#
#   make perfdata-judge     files of all kinds, recorded here, compared with perf report
#   make perfdata-perfs     the same with later versions of perf, from Debian's packages

$(B)/perfdata/work: tests/judge/perfdata/work.c
	@mkdir -p $(@D)
	@$(CC) -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o $@ $< -lpthread -ldl
$(B)/perfdata/plugin.so: tests/judge/perfdata/plugin.c
	@mkdir -p $(@D)
	@$(CC) -O1 -g -fno-omit-frame-pointer -shared -fPIC -o $@ $<

.PHONY: perfdata-judge
perfdata-judge: $(B)/ustack $(B)/perfdata/work $(B)/perfdata/plugin.so
	@scripts/deps.sh known
	@tests/judge/perfdata/judge $(abspath $(B)/ustack) $(abspath $(B)/perfdata)

.PHONY: perfdata-perfs
perfdata-perfs: $(B)/ustack $(B)/perfdata/work $(B)/perfdata/plugin.so
	@scripts/deps.sh known vm
	@tests/judge/perfdata/perfs $(abspath $(B)/ustack) $(abspath $(B)/perfdata)

CHECKS_OWN += perfdata-judge
NIGHTLY += perfdata-perfs
