# SPDX-License-Identifier: GPL-2.0-only
.PHONY: lint lint-selftest
lint:
	@scripts/deps.sh unit lint cross vm
	@tests/lint/run $(B)/lint

# each check, broken on purpose, is red
lint-selftest:
	@scripts/deps.sh unit lint cross vm
	@tests/lint/selftest

CHECKS += lint lint-selftest
