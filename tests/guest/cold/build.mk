# SPDX-License-Identifier: GPL-2.0-only
# `make cold GUEST=...` measures the time from exec to the first complete stack, with ustack supply.
# `make cold-storm GUEST=...` compiles a project, with hundreds of short processes.

.PHONY: cold cold-storm cold-deps
cold-deps:
	@scripts/deps.sh build vm known

$(B)/cold/truth: $(wildcard tests/guest/cold/*.[ch]) tests/guest/cold/filler tests/guest/cold/build \
		tests/guest/workload/mktruth.py tests/guest/workload/src/workload.h | cold-deps
	tests/guest/cold/build $(@D)

cold: user $(B)/cold/truth $(B)/workload/chaincheck
	tests/guest/cold/run $(or $(GUEST),x86_64-6.1)

cold-storm: user | cold-deps
	tests/guest/cold/storm/run $(or $(GUEST),x86_64-6.1)

NIGHTLY += cold cold-storm
