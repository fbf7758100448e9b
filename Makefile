# SPDX-License-Identifier: GPL-2.0-only
# ustack: targets only. Rules live in the build.mk of the folder they build.
#
#   make module KDIR=...   the kernel module for one kernel (default: the running one)
#   make user              the program, build/ustack
#   make libgsym           the library that reads GSYM files
#   make check             the short run, which continuous integration makes
#   make check-fast        lint, and the unit tests of what has changed: two minutes
#   make check-live        of make check, what samples this machine's own kernel
#   make check-guest       of make check, what boots stock kernels
#   make check-nightly     what takes longer: all guests, searches, servers, browsers
#   make measure           the figures of Documentation/measurements.md
#   make demo              the main job on real input, in a guest
#   make install           DESTDIR=, PREFIX=/usr/local: program, library, service, sources for DKMS
#   make static            build/static/ustack, which needs no library
#   make dist              a release's tarball, of the commit
#   make clean
#
# What a distribution's build sets: V=1 shows commands, DEPS=no looks for no packages, WERROR=no
# lets warnings pass; CC, CPPFLAGS, CFLAGS, LDFLAGS, AR, BPF_CLANG, LLVM_STRIP, BPFTOOL, PROTOC_C
# as in Documentation/building.md.

.DEFAULT_GOAL := all
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
# what is here is all: make knows rules that take a file of dependencies for a program
MAKEFLAGS += --no-builtin-rules

B := build
export USTACK_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ustack

ifeq ($(origin CC),default)
CC := gcc
endif
CLANG ?= clang
BPF_CLANG ?= $(CLANG)
LLVM_STRIP ?= llvm-strip
BPFTOOL ?= bpftool
PROTOC_C ?= protoc-c
CFLAGS ?= -O2 -g
WERROR ?= yes
WARN_ERROR := $(if $(filter no,$(WERROR)),,-Werror)
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wpointer-arith -Wvla $(WARN_ERROR) -Wno-unused-parameter
# scripts/deps.sh reads it
export DEPS ?= yes
Q := $(if $(filter 1,$(V)),,@)
# compilations are looked up in ccache where it is installed
CCACHE := $(shell command -v ccache)

# What is slow comes from a cache by content; nothing that a test makes or reads comes from
# this machine's own caches of tables and names.
CHECK_CACHE := $(abspath $(B))/cache
CHECK_ENV = XDG_CACHE_HOME=$(CHECK_CACHE) USTACK_SFRAME_CACHE=$(CHECK_CACHE)/sframe \
	$(if $(CCACHE),CCACHE_DIR=$(shell $(CCACHE) -k cache_dir))

# For a make within a recipe: on all CPUs, unless the outer make shares them out already.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: all module user check check-build check-fast check-live check-guest check-nightly demo clean
all: user

# Each build.mk below adds its targets to one of these lists:
#	CHECKS		watch nothing but what they start: any of them side by side
#	CHECKS_LIVE	sample this machine's own kernel: one at a time, beside those of CHECKS
#	CHECKS_OWN	sample it, too, but only what they start: as CHECKS
#	CHECKS_GUEST	boot stock kernels: as CHECKS
#	NIGHTLY		what takes longer, and is no part of make check
# and to CHECK_BUILD the programs that its targets need.
include kmod/build.mk
include bpf/build.mk
include user/build.mk
include user/formats/gsym/build.mk
include dist/build.mk
include $(sort $(wildcard tests/*/*.mk))

# what takes longest begins first
FIRST := guest-quick lang kunit cli unit stepjudge push-check
LONGEST_FIRST = $(filter $(FIRST),$1) $(filter-out $(FIRST),$1)
SUITE = $(CHECK_ENV) tests/lib/suite --logs $(B)/check

# The suite is a Python program, so what a fresh machine lacks is installed before it runs.
check check-live check-guest check-nightly: check-packages
.PHONY: check-packages
check-packages:
	@scripts/deps.sh check

check:
	@$(SUITE) --build check-build --side-by-side $(call LONGEST_FIRST,$(CHECKS_GUEST) $(CHECKS_OWN) $(CHECKS)) \
		--in-turn $(call LONGEST_FIRST,$(CHECKS_LIVE))

check-fast:
	@scripts/deps.sh check-fast
	@$(SUITE) --build user --side-by-side lint tests-selftest unit-changed

check-live:
	@$(SUITE) --build check-build --side-by-side $(CHECKS_OWN) --in-turn $(CHECKS_LIVE)

check-guest:
	@$(SUITE) --build check-build --alone $(CHECKS_GUEST)

check-nightly:
	@$(SUITE) --build check-build --within 18000 --alone $(NIGHTLY)

# Targets that run side by side find everything built, so that no two of them build the same.
check-build: check-packages
	@$(MAKE) --no-print-directory -s -k $(PARALLEL) $(CHECK_BUILD)

clean:
	rm -rf $(B)
