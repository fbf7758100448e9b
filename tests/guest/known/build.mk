# SPDX-License-Identifier: GPL-2.0-only
# Programs with known stacks in guests: `make known GUEST=x86_64-7.3 VERSIONS="v2 v3"`.
# The short form is a part of guest-quick (tests/guest); known-all runs in all guests.
# `make known-vdso GUEST=...`: stacks through the vDSO, with a table loaded for it.
KNOWN_ARCH = $(if $(filter arm64-%,$(1)),workload-arm64,workload)

.PHONY: known known-all known-vdso known-vdso-all \
	known-supply known-supply-all known-tools known-tools-all
known:
	@scripts/deps.sh build cross vm known
	@$(MAKE) --no-print-directory $(call KNOWN_ARCH,$(GUEST)) groundtruth $(B)/bpftables/rechain \
		$(if $(filter arm64-%,$(GUEST)),guest-programs-arm64,$(B)/bpftables/chains)
	tests/guest/known/run $(GUEST) $(VERSIONS)

known-all:
	$(call each_guest,known)

known-vdso:
	@scripts/deps.sh build cross vm known
	tests/guest/known/vdso/run $(GUEST)

known-vdso-all:
	$(call each_guest,known-vdso)

# `make known-supply GUEST=...`: programs without .sframe, with ustack supply
known-supply:
	@scripts/deps.sh build cross vm known
	@$(MAKE) --no-print-directory $(call KNOWN_ARCH,$(GUEST)) \
		$(if $(filter arm64-%,$(GUEST)),user-arm64,user)
	tests/guest/known/supply/run $(GUEST)

known-supply-all:
	$(call each_guest,known-supply)

# `make known-tools GUEST=...`: bpftrace, bcc and bpf_get_stackid(), unmodified
known-tools:
	@scripts/deps.sh build cross vm known
	@$(MAKE) --no-print-directory $(call KNOWN_ARCH,$(or $(GUEST),x86_64-6.1))
	tests/guest/known/tools/run $(or $(GUEST),x86_64-6.1)

known-tools-all:
	$(call each_guest,known-tools)

NIGHTLY += known-all known-vdso-all known-supply-all known-tools-all
