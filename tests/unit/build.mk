# SPDX-License-Identifier: GPL-2.0-only
# Unit tests with cmocka: build/{plain,asan}/unit/test_NAME. Each is linked from its own source and the
# archive of the variant (user/build.mk).
#
#	make unit		all unit tests, in both variants
#	make unit-changed	those of the plain variant whose program has changed since they passed

UNIT_TESTS := $(sort $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c)))
UNIT_BIN := $(foreach v,plain asan,$(UNIT_TESTS:%=$(B)/$(v)/unit/%))

# If linking gives the same bytes again, the program keeps its old time.
define unit_variant
$(UNIT_TESTS:%=$(B)/$(1)/unit/%): $(B)/$(1)/unit/%: $(B)/$(1)/tests/unit/%.o $(B)/$(1)/tests/unit/support.o \
		$(B)/$(1)/libustack.a | unit-deps
	@mkdir -p $$(@D)
	@$$(LINK_$(1)) $$^ -lcmocka $$(USER_LIBS) -o $$@.new
	@if cmp -s $$@.new $$@; then rm $$@.new; else mv $$@.new $$@; fi
endef
$(foreach v,plain asan,$(eval $(call unit_variant,$(v))))

# the functions that the test of request bodies replaces
$(foreach v,plain asan,$(B)/$(v)/tests/unit/test_api.o): TEST_FLAGS := -iquote tests/web

.PHONY: unit unit-changed unit-deps
unit-deps:
	@scripts/deps.sh unit

unit: $(UNIT_BIN)
	@tests/unit/run $(UNIT_BIN)

$(UNIT_TESTS:%=$(B)/plain/unit/%.passed): %.passed: %
	@tests/unit/run $<
	@touch $@
unit-changed: $(UNIT_TESTS:%=$(B)/plain/unit/%.passed)

CHECKS += unit
CHECK_BUILD += $(UNIT_BIN)
