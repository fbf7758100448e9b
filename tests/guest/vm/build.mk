# SPDX-License-Identifier: GPL-2.0-only
# Guests with stock kernels under QEMU; see tests/guest/vm/README.

VM_GUESTS := $(shell tests/guest/vm/list)

# $(call each_guest,TARGET): make TARGET in each guest, one after the other
each_guest = @for guest in $(VM_GUESTS); do \
	$(MAKE) --no-print-directory $1 GUEST=$$guest || exit 1; done

.PHONY: vm-fetch vm-selftest
vm-fetch: $(VM_GUESTS:%=vm-fetch-%)
vm-selftest: $(VM_GUESTS:%=vm-selftest-%)

# One after the other, because a guest keeps two cores busy.
.PHONY: $(VM_GUESTS:%=vm-fetch-%) $(VM_GUESTS:%=vm-selftest-%)
$(VM_GUESTS:%=vm-fetch-%): vm-fetch-%:
	@tests/guest/vm/fetch $* >/dev/null
$(VM_GUESTS:%=vm-selftest-%): vm-selftest-%:
	@tests/guest/vm/selftest $*

CHECKS_GUEST += vm-selftest-x86_64-6.1
