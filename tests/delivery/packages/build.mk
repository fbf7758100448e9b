# SPDX-License-Identifier: GPL-2.0-only
# Tests building, packaging and installing as distributions do it: see tests/delivery/packages/README
.PHONY: plain-build
plain-build:
	@scripts/deps.sh user $(USER_DEPS)
	@tests/delivery/packages/plain-build

CHECKS += plain-build

dist-check:
	@scripts/deps.sh lint
	@tests/delivery/packages/dist
CHECKS += dist-check
.PHONY: dist-check

static-check: static
	@tests/delivery/packages/static $(B)/static/ustack
.PHONY: static-check
NIGHTLY += static-check

packages-source:
	@scripts/deps.sh package
	@tests/delivery/packages/source
packages:
	@scripts/deps.sh package vm-root user $(USER_DEPS)
	@tests/delivery/packages/debian
.PHONY: packages-source packages
NIGHTLY += packages-source packages

packages-rpm:
	@scripts/deps.sh rpm user $(USER_DEPS)
	@tests/delivery/packages/rpm
.PHONY: packages-rpm
NIGHTLY += packages-rpm
