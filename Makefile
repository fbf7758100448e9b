# SPDX-License-Identifier: GPL-2.0
# ustack: targets only. Rules live in the build.mk of the folder they build.
#
#   make module KDIR=...   the kernel module for one kernel (default: the running one)
#   make user              the program, build/ustack
#   make check             the short run: every test that fits a quarter of an hour or so
#   make check-full        the long evidence too
#   make demo              the main job on real input, in a guest
#   make install           DESTDIR=, PREFIX=/usr/local: program, service, sources for DKMS
#   make clean

.DEFAULT_GOAL := all
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

B := build
export USTACK_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ustack

CC ?= gcc
CLANG ?= clang
CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wpointer-arith -Wvla -Werror -Wno-unused-parameter
USER_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -iquote kmod/core -I kmod/uapi -iquote user

# For a make within a check: on all CPUs, unless the outer make shares them out already.
# The checks themselves come one after the other, as they measure and are read.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: all module user check check-full demo clean
all: user

include kmod/build.mk
include bpf/build.mk
-include user/build.mk
include dist/build.mk
-include $(sort $(wildcard tests/*/*.mk))

# the fast ones first; what is not named here comes last
ORDER := lint unit workload-selftest groundtruth-selftest oracle cli install-check corpus \
	cfi stepjudge encode toolchain-selftest bench-smoke fuzz kunit stress-quick known-quick
check: $(filter $(CHECKS),$(ORDER)) $(filter-out $(ORDER),$(CHECKS))
	@echo "$(words $(CHECKS)) passed, 0 failed"
check-full: check $(FULL_CHECKS)

clean:
	rm -rf $(B)
