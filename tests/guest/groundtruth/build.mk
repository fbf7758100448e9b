# SPDX-License-Identifier: GPL-2.0-only
# The recorder (static, both architectures), the comparer (this host, libdw)
# and the self-test: see README.

GT := $(B)/groundtruth
GT_DIR := tests/guest/groundtruth
GT_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS)
GT_RECORD_SRC := $(wildcard $(GT_DIR)/record/*.c) $(GT_DIR)/pack.c
GT_COMPARE_SRC := $(wildcard $(GT_DIR)/compare/*.c) $(GT_DIR)/pack.c
# the core, whose steps are judged
GT_COMPARE_CORE := $(wildcard kmod/core/*.c)
GT_HEADERS := $(wildcard $(GT_DIR)/*.h $(GT_DIR)/record/*.h $(GT_DIR)/compare/*.h) \
	kmod/core/reason.def
GT_RECORDERS := $(GT)/x86_64/gt-record $(GT)/aarch64/gt-record

GT_CC_x86_64 := $(CC)
GT_CC_aarch64 := aarch64-linux-gnu-gcc
GT_FIXTURE_CFLAGS := -O2 -nostdlib -static -fno-stack-protector -fcf-protection=none
GT_FIXTURE_KEEP := -fno-omit-frame-pointer
GT_FIXTURE_OMIT := -fomit-frame-pointer
GT_FIXTURE_LIE := -fomit-frame-pointer -DLIE

.PHONY: groundtruth groundtruth-deps groundtruth-selftest
groundtruth: $(GT_RECORDERS) $(GT)/gt-compare $(GT)/gt-text

groundtruth-deps:
	@scripts/deps.sh groundtruth

$(GT)/%/gt-record: $(GT_RECORD_SRC) $(GT_HEADERS) | groundtruth-deps
	@mkdir -p $(@D)
	$(GT_CC_$*) $(GT_CFLAGS) -static -o $@ $(GT_RECORD_SRC)

$(GT)/gt-compare: $(GT_COMPARE_SRC) $(GT_COMPARE_CORE) $(GT_HEADERS) \
		$(wildcard kmod/core/*.h) | groundtruth-deps
	@mkdir -p $(@D)
	$(CC) $(GT_CFLAGS) -o $@ $(GT_COMPARE_SRC) $(GT_COMPARE_CORE) -ldw -lelf

GT_TEXT_SRC := $(GT_DIR)/text.c $(GT_DIR)/compare/reader.c $(GT_DIR)/compare/util.c $(GT_DIR)/pack.c \
	kmod/core/reason.c

$(GT)/gt-text: $(GT_TEXT_SRC) $(GT_HEADERS) | groundtruth-deps
	@mkdir -p $(@D)
	$(CC) $(GT_CFLAGS) -o $@ $(GT_TEXT_SRC)

# subject programs for this machine; the stored records are from both architectures
$(GT)/fixture-%: $(GT_DIR)/fixture.c | groundtruth-deps
	@mkdir -p $(@D)
	$(CC) $(GT_FIXTURE_CFLAGS) -fno-pie -no-pie $(GT_FIXTURE_$*) -o $@ $<

# with its table of functions, and without it
$(GT)/fixture-GO: $(GT_DIR)/fixture_go.c | groundtruth-deps
	@mkdir -p $(@D)
	$(CC) $(GT_FIXTURE_CFLAGS) -fno-pie -no-pie $(GT_FIXTURE_KEEP) \
		-fno-asynchronous-unwind-tables -fno-unwind-tables -s -o $@ $<

$(GT)/fixture-BARE: $(GT)/fixture-GO
	objcopy -R .gopclntab $< $@

groundtruth-selftest: groundtruth $(patsubst %,$(GT)/fixture-%,KEEP OMIT LIE GO BARE)
	$(GT_DIR)/selftest $(GT)

CHECKS += groundtruth-selftest
CHECK_BUILD += groundtruth $(patsubst %,$(GT)/fixture-%,KEEP OMIT LIE GO BARE)

# In guests: at least 20,000 frames in each, no mismatch, nearly all stacks whole.
.PHONY: groundtruth-guests
groundtruth-guests: groundtruth
	@scripts/deps.sh build cross vm
	@$(MAKE) --no-print-directory workload workload-arm64
	@for guest in $$(tests/guest/vm/list); do \
		echo "== $$guest"; tests/guest/groundtruth/guest $$guest || exit 1; \
	done
NIGHTLY += groundtruth-guests
