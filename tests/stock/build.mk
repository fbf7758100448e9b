# SPDX-License-Identifier: GPL-2.0
# Stock programs under load in guests: `make stock GUEST=x86_64-6.1`. See README.
.PHONY: stock stock-all
stock: groundtruth user
	@scripts/deps.sh build cross vm
	tests/stock/run $(or $(GUEST),x86_64-6.1)

# arm64 needs a supplier of its own architecture
stock-all:
	@for guest in $(filter x86_64-%,$(VM_GUESTS)); do \
		$(MAKE) --no-print-directory stock GUEST=$$guest || exit 1; \
	done

FULL_CHECKS += stock-all
