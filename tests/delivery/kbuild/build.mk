# SPDX-License-Identifier: GPL-2.0-only
# make kbuild: the build of the module stops with a message for a kernel that does not fit.
.PHONY: kbuild
kbuild:
	@scripts/deps.sh vm
	@tests/delivery/kbuild/run

CHECKS += kbuild
