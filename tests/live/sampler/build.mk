# SPDX-License-Identifier: GPL-2.0-only
# Tests the BPF sampler on programs whose answers are known.
#
#	make sampler			here, as root; loads nothing but BPF programs
#	make sampler-guest GUEST=...	in a guest, with and without the module
#	make guest-quick		a short form, with other tests, in one boot (tests/guest)
#	make sampler-all		all guests
#	make sampler-cost		nanoseconds for a sample, here

SAMPLER_TEST_SRC := $(wildcard tests/live/sampler/*.c)

# the tests count frames, so each function must have one
$(patsubst %.c,$(B)/plain/%.o,$(SAMPLER_TEST_SRC)): TEST_FLAGS := -fno-omit-frame-pointer \
	-fno-optimize-sibling-calls
# static, because guests have other libraries and no libbpf; libdw is for the unwind tables
$(B)/sampler/sampler-test: $(call objects,plain,$(SAMPLER_TEST_SRC)) $(B)/plain/libustack.a
	@mkdir -p $(@D)
	@$(LINK_plain) $^ -o $@ -static -lbpf -ldw -lelf -lz -lpthread

.PHONY: sampler sampler-guest sampler-test sampler-test-arm64 sampler-all sampler-cost
sampler-test: $(B)/sampler/sampler-test
sampler-test-arm64:
	@scripts/deps.sh bpf cross vm
	@$(call arm64_make,sampler-test)

sampler: sampler-test
	@$(B)/sampler/sampler-test -q

sampler-guest: $(if $(filter arm64-%,$(GUEST)),sampler-test-arm64,sampler-test)
	tests/live/sampler/run $(GUEST) full

sampler-all: sampler-test sampler-test-arm64
	for guest in $$(tests/guest/vm/list); do tests/live/sampler/run $$guest full || exit 1; done

sampler-cost: sampler-test
	@$(B)/sampler/sampler-test --cost

CHECKS_LIVE += sampler
CHECK_BUILD += $(B)/sampler/sampler-test
NIGHTLY += sampler-all
