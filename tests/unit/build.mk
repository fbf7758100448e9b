# SPDX-License-Identifier: GPL-2.0-only
# Unit tests with cmocka: build/{plain,asan}/unit/test_NAME. Each is linked from its own source and the
# archive of the variant (user/build.mk).
#
# tests/unit/LAYER/ has the tests of user/LAYER/, and tests/unit/core those of kmod/core. Files that
# they share are in tests/unit itself. A test includes only files of its layer and of lower ones (lint).
#
#	make unit		all unit tests, in both variants
#	make unit-all		the asan variant with as many rounds as the plain one has
#	make unit-changed	unit tests of the plain variant whose programs have changed since they passed

UNIT_SRC := $(sort $(wildcard tests/unit/*/test_*.c))
UNIT_TESTS := $(notdir $(basename $(UNIT_SRC)))
UNIT_BIN := $(foreach v,plain asan,$(UNIT_TESTS:%=$(B)/$(v)/unit/%))

# unit_program VARIANT SOURCE links a test program. If its bytes are the same as before, the old file and
# its time are kept, so that unit-changed does not run it again.
define unit_program
$(B)/$(1)/unit/$(notdir $(basename $(2))): $(B)/$(1)/$(basename $(2)).o $(B)/$(1)/tests/unit/support.o \
		$(B)/$(1)/libustack.a | unit-deps
	@mkdir -p $$(@D)
	@$$(LINK_$(1)) $$^ -lcmocka $$(USER_LIBS) -o $$@.new
	@if cmp -s $$@.new $$@; then rm $$@.new; else mv $$@.new $$@; fi
endef
$(foreach v,plain asan,$(foreach s,$(UNIT_SRC),$(eval $(call unit_program,$(v),$(s)))))

$(call objects,plain,$(UNIT_SRC)) $(call objects,asan,$(UNIT_SRC)): TEST_FLAGS := -iquote tests/unit
# test_api uses the store of tests/live/web instead of the real one
$(foreach v,plain asan,$(B)/$(v)/tests/unit/serve/test_api.o): TEST_FLAGS += -iquote tests/live/web

.PHONY: unit unit-all unit-changed unit-deps
unit-deps:
	@scripts/deps.sh unit

unit: $(UNIT_BIN)
	@tests/unit/run $(UNIT_BIN)

unit-all: $(filter $(B)/asan/%,$(UNIT_BIN))
	@UNIT_ROUNDS=all tests/unit/run $^

$(UNIT_TESTS:%=$(B)/plain/unit/%.passed): %.passed: %
	@tests/unit/run $<
	@touch $@
unit-changed: $(UNIT_TESTS:%=$(B)/plain/unit/%.passed)

CHECKS += unit
NIGHTLY += unit-all
CHECK_BUILD += $(UNIT_BIN)
