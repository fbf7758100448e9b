# SPDX-License-Identifier: GPL-2.0-only
# Runs stock programs under load in guests: `make stock GUEST=x86_64-6.1`. See README.
.PHONY: stock stock-all stock-selftest
stock: groundtruth $(if $(filter arm64-%,$(GUEST)),user-arm64,user)
	@scripts/deps.sh build cross vm
	tests/guest/stock/run $(or $(GUEST),x86_64-6.1)

stock-all:
	$(call each_guest,stock)

# proof that each minimum can fail, in seconds
stock-selftest: groundtruth
	tests/guest/stock/selftest

CHECKS += stock-selftest
NIGHTLY += stock-all

# `make stock-live` runs the same programs on this machine, as root; PROGRAMS="perl node" selects some.
STOCK_LIVE := $(B)/stock-live

$(STOCK_LIVE)/beside: $(call objects,plain,tests/guest/stock/live/beside.c tests/live/bpftables/walks.c \
		tests/guest/groundtruth/processes.c tests/guest/groundtruth/rewrite.c tests/guest/groundtruth/compare/calls.c) \
		$(B)/plain/libustack.a
	@$(call link,plain)

.PHONY: stock-live stock-live-selftest
stock-live: groundtruth $(B)/ustack $(addprefix $(B)/bpftables/,chains rechain) \
		$(B)/stackcopy/rewalk $(STOCK_LIVE)/beside
	@scripts/deps.sh vm stock
	tests/guest/stock/live/run $(B) $(PROGRAMS)

# proof that each check of stock-live can fail, in seconds
stock-live-selftest: $(STOCK_LIVE)/beside
	tests/guest/stock/live/selftest $(B)

CHECKS += stock-live-selftest
CHECK_BUILD += $(STOCK_LIVE)/beside
NIGHTLY += stock-live
