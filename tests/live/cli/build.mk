# SPDX-License-Identifier: GPL-2.0-only
# Tests the behaviour of the built program; no module is needed. build/cli/ has a stand-in
# for the device, a program that damages files, and the program with sanitizers.

CLI := tests/live/cli
cli: $(B)/ustack $(B)/cli/fake_device.so $(B)/cli/mutate $(B)/cli/make_store $(B)/asan/ustack
	@USTACK=$(B)/ustack USTACK_ASAN=$(B)/asan/ustack CLI_BUILD=$(B)/cli \
		$(CLI)/run

$(B)/cli/fake_device.so: $(CLI)/fake_device.c kmod/uapi/ustack.h | $(B)/cli/deps
	@$(CC) -std=gnu11 $(WARN) -O1 -g -iquote kmod/core -iquote kmod/uapi \
		-shared -fPIC -o $@ $< kmod/core/reason.c

$(B)/cli/mutate: $(CLI)/mutate.c | $(B)/cli/deps
	@$(CC) -std=gnu11 $(WARN) -O1 -g -o $@ $<

$(B)/cli/make_store: $(call objects,plain,tests/live/cli/make_store.c) $(B)/plain/libustack.a
	@$(call link,plain)

# python3 checks the JSON output
$(B)/cli/deps: scripts/deps.sh
	@scripts/deps.sh user lint cross gsym cli
	@mkdir -p $(@D)
	@touch $@

.PHONY: cli

CHECKS += cli
CHECK_BUILD += $(B)/cli/fake_device.so $(B)/cli/mutate $(B)/cli/make_store $(B)/asan/ustack
