# SPDX-License-Identifier: GPL-2.0-only
# Stress tests of the module, in guests; see tests/guest/stress/README.
#
#	make stress-TEST [GUEST=x86_64-6.1] [FORM=quick] [SEED=1]
#		TEST is one of unload hostile device nmi memory lifetime users
#	make guest-quick	short forms of all, together with others, in one boot (tests/guest)
#	make stress-all		all tests in full, in all guests
#	make soak		two hours of load, with insmod and rmmod every ten minutes
#				[GUEST=x86_64-7.3] [SOAK_SECONDS=7200] [SOAK_DISK=IMAGE]
#				[SOAK_CONTROL=1]: without the module
#	make soak-selftest		the judges of the soak tests: memory that grows, lines of a log
#	make soak-leaks			the soak tests fail with a module that loses memory: in a guest
#					[GUEST=x86_64-6.1], and in the debug kernel

STRESS := lifetime users unload hostile device nmi memory
SB := $(B)/stress
STRESS_SRC := $(wildcard tests/guest/stress/*/*.[chS]) tests/guest/stress/build-one kmod/uapi/ustack.h \
	kmod/core/reason.def tests/guest/vm/modules/nmi/ustack_nmi.h

STRESS_GUEST = $(or $(GUEST),x86_64-6.1)
STRESS_ARCH = $(if $(filter arm64-%,$(STRESS_GUEST)),aarch64,x86_64)

.PHONY: $(STRESS:%=stress-%) stress-all stress-build-x86_64 stress-build-aarch64

$(SB)/%/ext4.img: $(STRESS_SRC) $(B)/workload/%-v1/truth $(B)/workload/%-v2/truth $(B)/workload/%-v3/truth
	@scripts/deps.sh build stress $(if $(filter aarch64,$*),cross)
	tests/guest/stress/build-one $* $(@D)
stress-build-x86_64: $(SB)/x86_64/ext4.img $(B)/workload/chaincheck
stress-build-aarch64: $(SB)/aarch64/ext4.img $(B)/workload/chaincheck

$(STRESS:%=stress-%):
	@$(MAKE) --no-print-directory stress-build-$(STRESS_ARCH)
	tests/guest/stress/run $(STRESS_GUEST) $(or $(FORM),full) $(@:stress-%=%)

stress-all: stress-build-x86_64 stress-build-aarch64
	failed=; for guest in $$(tests/guest/vm/list); do for test in $(STRESS); do \
		[[ $$guest:$$test != arm64-*:nmi ]] || { echo "skip: $$guest: nmi: x86-64 only"; continue; }; \
		tests/guest/stress/run $$guest full $$test || failed+=" $$guest:$$test"; \
	done; done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

.PHONY: soak
soak: stress-build-x86_64
	tests/guest/stress/run $(or $(GUEST),x86_64-7.3) $(or $(FORM),full) soak

.PHONY: soak-selftest soak-leaks
soak-selftest: stress-build-x86_64
	@tests/guest/stress/soak/selftest
soak-leaks: stress-build-x86_64 workload
	@GUEST=$(or $(GUEST),x86_64-6.1) tests/guest/stress/soak/selftest guest kasan

CHECK_BUILD += stress-build-x86_64
CHECKS += soak-selftest
NIGHTLY += stress-all soak soak-leaks
