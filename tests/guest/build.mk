# SPDX-License-Identifier: GPL-2.0-only
# Runs all quick parts in one boot of a guest; see tests/guest/README.
#
#	make guest-quick			x86_64-6.1 and x86_64-7.3
#	make guest-quick GUEST=x86_64-7.3	one of these guests, or another one
#	make guest-smp [GUEST=x86_64-7.3]	known and unload on 8 emulated CPUs; SMP=N works for any
#						target that boots a guest for parts
#	make guest-arm64			the walk by tables in eBPF in arm64's guests
#	make guest-flavours			generic kernels; PREEMPT_RT kernels refuse the module
#	make guest-selftest			the parts must fail with broken modules

GUEST_PARTS := lifetime users unload hostile nmi memory known supply sampler bpfwalk bpftables getstack
GUEST_QUICK := x86_64-6.1 x86_64-7.3

# programs of the parts that are built for each architecture
GUEST_PROGRAMS := $(B)/sampler/sampler-test $(B)/bpfwalk/bpfwalk $(addprefix $(B)/bpftables/,chains crowd hoard) \
	$(addprefix $(B)/getstack/,probe opens)

.PHONY: guest-quick guest-build guest-build-x86_64 guest-build-arm64 guest-programs-arm64 guest-arm64 \
	guest-smp guest-flavours guest-selftest
# The kernels, the compiler of 7.3 and the emulator are fetched side by side: one is unpacked
# while another is downloaded.
guest-build: $(if $(filter arm64-%,$(GUEST)),guest-build-arm64,guest-build-x86_64) groundtruth $(B)/bpftables/rechain
	@scripts/deps.sh build vm known
	@{ printf 'build-module %s\n' $(or $(GUEST),$(GUEST_QUICK)); echo qemu $(if $(filter arm64-%,$(GUEST)),arm64,x86_64); } | \
		xargs -P 4 -L 1 sh -c 'exec tests/guest/vm/$$0 "$$@"' >/dev/null

guest-build-x86_64: stress-build-x86_64 workload user $(GUEST_PROGRAMS) $(B)/guest-commands/x86_64/ustack
guest-build-arm64: stress-build-aarch64 workload-arm64 guest-programs-arm64
# one make for all that is built in build/arm64
guest-programs-arm64:
	@scripts/deps.sh user cross vm
	@$(call arm64_make,user $(GUEST_PROGRAMS:$(B)/%=$(B)/arm64/%))

# The commands that use the module, linked statically, because a guest has hardly any library. The arm64
# tree has no static library but the C library.
$(B)/guest-commands/x86_64/ustack: $(call objects,plain,tests/guest/commands.c) $(B)/plain/libustack.a
	@mkdir -p $(@D)
	@$(CC) -static $^ -o $@
.PHONY: $(B)/guest-commands/aarch64/ustack
$(B)/guest-commands/aarch64/ustack: commands := $(addprefix $(B)/arm64/plain/,tests/guest/commands.o libustack.a)
$(B)/guest-commands/aarch64/ustack:
	@scripts/deps.sh user cross vm
	@$(call arm64_make,$(commands))
	@mkdir -p $(@D)
	@aarch64-linux-gnu-gcc -static $(commands) -o $@

guest-quick: guest-build
	@tests/guest/quick $(or $(GUEST),$(GUEST_QUICK)) -- $(GUEST_PARTS)

# More CPUs than the machine has, so that some CPUs run while others stand still. With a thread for each of
# them, QEMU 10 still runs an int3 of ftrace that the kernel has replaced already, if the kernel's text is
# patched often (see tests/guest/vm/qemu): part unload, which does nothing else, ended so. There all CPUs are
# run by one thread.
SMP_GUEST = $(or $(GUEST),x86_64-7.3)
guest-smp: guest-build
	@failed=; SMP=$(or $(SMP),8) GUEST_OUT=build/guest/smp-$(SMP_GUEST) \
		tests/guest/run $(SMP_GUEST) known || failed=known; \
	SMP=$(or $(SMP),8) GUEST_OUT=build/guest/smp-$(SMP_GUEST)-unload USTACK_ACCEL=single \
		tests/guest/run $(SMP_GUEST) unload || failed+=' unload'; \
	[ -z "$$failed" ] || { echo "failed: $$failed"; exit 1; }

guest-flavours: guest-build
	@tests/guest/flavours $(GUEST_PARTS)

guest-selftest: guest-build
	tests/guest/selftest $(or $(GUEST),x86_64-6.1)

# Parts that make on this machine cannot replace, and that have no target for all guests, as known and
# sampler have.
GUEST_ARM64 := arm64-6.1 arm64-6.12 arm64-7.3
guest-arm64: groundtruth workload-arm64 guest-programs-arm64 $(B)/bpftables/rechain
	@failed=; for guest in $(or $(GUEST),$(GUEST_ARM64)); do \
		tests/guest/run $$guest bpfwalk bpftables getstack || failed+=" $$guest"; \
	done; [ -z "$$failed" ] || { echo "guests that failed:$$failed"; exit 1; }

CHECKS_GUEST += guest-quick
NIGHTLY += guest-arm64 guest-smp guest-flavours guest-selftest
CHECK_BUILD += guest-build
