# SPDX-License-Identifier: GPL-2.0-only
# make tests-selftest: proof that the tools that count results see a failure
.PHONY: tests-selftest
tests-selftest:
	@scripts/deps.sh lint
	@tests/lib/selftest

CHECKS += tests-selftest
