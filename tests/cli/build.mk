# SPDX-License-Identifier: GPL-2.0
# Behaviour of the built program; no module is needed. build/cli/ holds a stand-in
# for the device, a mutator of files, and the program with sanitizers.

CLI := tests/cli
CLI_ASAN_FLAGS := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
	-fno-sanitize-recover=all

cli: $(B)/ustack $(B)/cli/fake_device.so $(B)/cli/mutate $(B)/cli/make_store $(B)/cli/asan/ustack
	@USTACK=$(B)/ustack USTACK_ASAN=$(B)/cli/asan/ustack CLI_BUILD=$(B)/cli \
		$(CLI)/run

$(B)/cli/fake_device.so: $(CLI)/fake_device.c kmod/uapi/ustack.h | $(B)/cli/deps
	@$(CC) -std=gnu11 $(WARN) -O1 -g -iquote kmod/core -iquote kmod/uapi \
		-shared -fPIC -o $@ $< kmod/core/reason.c

$(B)/cli/mutate: $(CLI)/mutate.c | $(B)/cli/deps
	@$(CC) -std=gnu11 $(WARN) -O1 -g -o $@ $<

$(B)/cli/make_store: $(CLI)/make_store.c $(STORE) $(PPROF) $(PPROF_GEN).c $(wildcard user/store/*.h) | $(B)/cli/deps
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O1 -g -iquote user -iquote kmod/core -iquote $(GEN) \
		-o $@ $(filter %.c,$^) -lprotobuf-c -lz -lzstd

# python3 checks the JSON
$(B)/cli/deps: scripts/deps.sh
	@scripts/deps.sh user lint cross gsym cli
	@mkdir -p $(@D)
	@touch $@

# make knows itself what is out of date there
.PHONY: cli $(B)/cli/asan/ustack
$(B)/cli/asan/ustack:
	@$(MAKE) --no-print-directory $(PARALLEL) -s user B=$(B)/cli/asan \
		CFLAGS="$(CLI_ASAN_FLAGS)" >/dev/null

CHECKS += cli
