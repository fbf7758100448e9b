# SPDX-License-Identifier: GPL-2.0-only
# Compares the symbol store with elfutils, on files of the distribution; tests servers of debug
# files, BSYM files, and stripped Go programs.

SYMSTORE_NAMES := $(B)/symstore/names
SYMSTORE_STOCK := /usr/bin/bash /usr/lib/$(shell uname -m)-linux-gnu/libc.so.6
SYMSTORE_COUNT ?= 3000

$(SYMSTORE_NAMES): $(call objects,plain,tests/judge/symstore/names.c) $(B)/plain/libustack.a
	@$(call link,plain)

.PHONY: symstore-judge
symstore-judge: $(SYMSTORE_NAMES)
	@scripts/deps.sh symstore
	@tests/judge/symstore/judge.py $< $(SYMSTORE_COUNT) $(SYMSTORE_STOCK) $(abspath $(B)/ustack)

NIGHTLY += symstore-judge

.PHONY: symstore-servers
symstore-servers: $(SYMSTORE_NAMES) $(B)/ustack
	@scripts/deps.sh symstore
	@tests/judge/symstore/servers $^

CHECKS += symstore-servers
CHECK_BUILD += $(SYMSTORE_NAMES)

.PHONY: symstore-bsym
symstore-bsym: $(B)/ustack $(B)/cli/mutate
	@scripts/deps.sh symstore
	@tests/judge/symstore/bsym $^

CHECKS += symstore-bsym

.PHONY: symstore-go
symstore-go: $(B)/ustack
	@scripts/deps.sh symstore web
	@mkdir -p $(USTACK_CACHE)/go-build
	@tests/judge/symstore/go $< $(USTACK_CACHE)/go-build

CHECKS += symstore-go
