# SPDX-License-Identifier: GPL-2.0-only
# make tests-selftest proves that the tools that count results notice a failure.
.PHONY: tests-selftest
tests-selftest:
	@scripts/deps.sh lint
	@tests/lib/selftest

CHECKS += tests-selftest
