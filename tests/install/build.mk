# SPDX-License-Identifier: GPL-2.0-only
# make install-check: what make install puts where, and that DKMS could build it
.PHONY: install-check
install-check: user
	@scripts/deps.sh vm install
	@tests/install/run

CHECKS += install-check
