# SPDX-License-Identifier: GPL-2.0-only
# ustack: targets only. Rules live in the build.mk of the folder they build.
#
#   make module KDIR=...   the kernel module for one kernel (default: the running one)
#   make user              the program, build/ustack
#   make libgsym           the library that reads GSYM files
#   make check             the short test run, which continuous integration uses
#   make check-fast        lint, and the unit tests of changed files: two minutes
#   make check-live        the part of make check that samples this machine's own kernel
#   make check-guest       the part of make check that boots stock kernels
#   make check-nightly     the longer tests: all guests, fuzzing, servers, browsers
#   make measure           the figures of Documentation/measurements.md
#   make demo              perf's stacks of python3 before and after insmod, in a guest
#   make install           DESTDIR=, PREFIX=/usr/local: program, library, service, sources for DKMS
#   make static            build/static/ustack, which needs no library
#   make dist              the tarball of a release, made from the commit
#   make clean
#
# Variables for the build of a distribution: V=1 shows commands, DEPS=no does not look for packages,
# WERROR=no lets warnings pass. Documentation/building.md describes CC, CPPFLAGS, CFLAGS, LDFLAGS, AR,
# BPF_CLANG, LLVM_STRIP, BPFTOOL and PROTOC_C.

.DEFAULT_GOAL := all
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
# Built-in rules are off: one of them would make a program from a .d file, which lists dependencies.
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
# given on the command line: V=1 shows commands, GUEST is a stock kernel of tests/guest/vm/list
V ?=
GUEST ?=
WARN_ERROR := $(if $(filter no,$(WERROR)),,-Werror)
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wpointer-arith -Wvla $(WARN_ERROR) -Wno-unused-parameter
# scripts/deps.sh reads DEPS
export DEPS ?= yes
Q := $(if $(filter 1,$(V)),,@)
# ccache is used where it is installed
CCACHE := $(shell command -v ccache)

# Slow steps use caches that are keyed by content. Tests keep their caches of tables and names in build/,
# and never use the caches of this machine's users.
CHECK_CACHE := $(abspath $(B))/cache
CHECK_ENV = XDG_CACHE_HOME=$(CHECK_CACHE) USTACK_SFRAME_CACHE=$(CHECK_CACHE)/sframe \
	$(if $(CCACHE),CCACHE_DIR=$(shell $(CCACHE) -k cache_dir))

# For a make inside a recipe: use all CPUs, unless the outer make already has a job server.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: all module user check check-build check-fast check-live check-guest check-nightly demo clean
all: user

# Each build.mk below adds its targets to one of these lists:
#	CHECKS		watch only processes that they start; run in parallel
#	CHECKS_LIVE	sample this machine's own kernel; run one at a time, in parallel with CHECKS
#	CHECKS_OWN	sample it too, but only processes that they start; run like CHECKS
#	CHECKS_GUEST	boot stock kernels; run like CHECKS
#	NIGHTLY		take longer, and are not part of make check
# and adds the programs that its targets need to CHECK_BUILD.
include kmod/build.mk
include bpf/build.mk
include user/build.mk
include user/formats/gsym/build.mk
include dist/build.mk
include $(sort $(wildcard tests/*/*.mk tests/*/*/*.mk))

# The longest targets start first.
FIRST := guest-quick lang kunit cli unit stepjudge push-check
LONGEST_FIRST = $(filter $(FIRST),$1) $(filter-out $(FIRST),$1)
SUITE = $(CHECK_ENV) tests/lib/suite --logs $(B)/check

# The suite is a Python program, so Python and the other packages are installed before it runs.
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

# Everything is built before targets run side by side, so that no two of them build the same file.
check-build: check-packages
	@$(MAKE) --no-print-directory -s -k $(PARALLEL) $(CHECK_BUILD)

clean:
	rm -rf $(B)
