# SPDX-License-Identifier: GPL-2.0-only
# Stock programs under load in guests: `make stock GUEST=x86_64-6.1`. See README.
.PHONY: stock stock-all stock-selftest
stock: groundtruth $(if $(filter arm64-%,$(GUEST)),user-arm64,user)
	@scripts/deps.sh build cross vm
	tests/stock/run $(or $(GUEST),x86_64-6.1)

stock-all:
	$(call each_guest,stock)

# the floors can fail: seconds
stock-selftest: groundtruth
	tests/stock/selftest

CHECKS += stock-selftest
NIGHTLY += stock-all
