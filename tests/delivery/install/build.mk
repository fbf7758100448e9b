# SPDX-License-Identifier: GPL-2.0-only
# make install-check: make install puts each file into its place, DKMS can build the module, and
# programs can be linked with the library.
.PHONY: install-check
install-check: user libgsym
	@scripts/deps.sh vm install
	@tests/delivery/install/run
	@tests/delivery/install/libgsym $(B)

CHECKS += install-check
