# SPDX-License-Identifier: GPL-2.0-only
# make install-check: what make install puts where, that DKMS could build the module, and that
# programs can be linked with the library
.PHONY: install-check
install-check: user libgsym
	@scripts/deps.sh vm install
	@tests/install/run
	@tests/install/libgsym $(B)

CHECKS += install-check
