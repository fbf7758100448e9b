# SPDX-License-Identifier: GPL-2.0-only
# Tests building, packaging and installing as distributions do it: see tests/packages/README
.PHONY: plain-build
plain-build:
	@scripts/deps.sh user $(USER_DEPS)
	@tests/packages/plain-build

CHECKS += plain-build

dist-check:
	@scripts/deps.sh lint
	@tests/packages/dist
CHECKS += dist-check
.PHONY: dist-check

static-check: static
	@tests/packages/static $(B)/static/ustack
.PHONY: static-check
NIGHTLY += static-check

packages-source:
	@scripts/deps.sh package
	@tests/packages/source
packages:
	@scripts/deps.sh package vm-root user $(USER_DEPS)
	@tests/packages/debian
.PHONY: packages-source packages
NIGHTLY += packages-source packages

packages-rpm:
	@scripts/deps.sh rpm user $(USER_DEPS)
	@tests/packages/rpm
.PHONY: packages-rpm
NIGHTLY += packages-rpm
