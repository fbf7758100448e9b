# SPDX-License-Identifier: GPL-2.0-only
.PHONY: lint lint-selftest
lint:
	@scripts/deps.sh unit lint cross vm
	@tests/lint/run $(B)/lint

# Each check must fail when its subject is broken on purpose.
lint-selftest:
	@scripts/deps.sh unit lint cross vm
	@tests/lint/selftest

CHECKS += lint lint-selftest
