# SPDX-License-Identifier: GPL-2.0-only
# make kbuild: the module's build refuses, in words, a kernel that it does not fit
.PHONY: kbuild
kbuild:
	@scripts/deps.sh vm
	@tests/kbuild/run

CHECKS += kbuild
