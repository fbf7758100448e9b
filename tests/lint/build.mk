# SPDX-License-Identifier: GPL-2.0
.PHONY: lint
lint:
	@scripts/deps.sh unit lint cross vm
	@tests/lint/run $(B)/lint

CHECKS += lint
