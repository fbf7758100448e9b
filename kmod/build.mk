# SPDX-License-Identifier: GPL-2.0-only
# The module is built in a copy of its sources, so that one tree can be built for
# several kernels, also at the same time: build/module/RELEASE/kmod/ustack.ko

KDIR ?= /lib/modules/$(shell uname -r)/build
KREL = $(shell cat $(KDIR)/include/config/kernel.release 2>/dev/null)
# kernels of two architectures may have the same release name
MODDIR = $(B)/module/$(KREL)-$(shell realpath $(KDIR) | cksum | cut -d' ' -f1)
MODULE_MAKE = $(MAKE) --no-print-directory -C $(KDIR) M=$(abspath $(MODDIR)) $(KMAKEFLAGS)

module:
	@test -n "$(KREL)" || { echo "no built kernel tree at KDIR=$(KDIR); install linux-headers or set KDIR" >&2; exit 1; }
	@mkdir -p $(MODDIR)
	@cp -a --update --parents Kbuild kmod $(MODDIR)/
	$(MODULE_MAKE) modules
	@echo $(MODDIR)/kmod/ustack.ko
