# SPDX-License-Identifier: GPL-2.0-only
# The module in kernels with other configurations than Debian's; see tests/guest/config/README.
#
#	make guest-config-NAME [PARTS="known unload"]	all quick parts, or these, in the kernel of NAME.config
#	make guest-config				in all of them, one after the other

GUEST_CONFIGS := $(patsubst tests/guest/config/%.config,%, \
	$(filter-out %/distribution.config,$(wildcard tests/guest/config/*.config)))
# given on the command line
PARTS ?=

.PHONY: guest-config $(GUEST_CONFIGS:%=guest-config-%)
$(GUEST_CONFIGS:%=guest-config-%): guest-config-%: guest-build
	@tests/guest/config/run $* $(or $(PARTS),$(GUEST_PARTS))
guest-config: guest-build
	@failed=; for name in $(GUEST_CONFIGS); do \
		tests/guest/config/run $$name $(or $(PARTS),$(GUEST_PARTS)) || failed+=" $$name"; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

NIGHTLY += guest-config
