# SPDX-License-Identifier: GPL-2.0-only
# Tests frames of languages, with programs that print their own stacks.
#
#	make lang			on this machine, as root
#	make lang-guest GUEST=...	in a guest, with the runtimes of its Debian and architecture: by tables
#					in eBPF without the module, and with the module.
#					LANG_MODES=bpf LANG_RUNTIMES="python php": only these
#	make lang-guest-all		in guests of both architectures
.PHONY: lang lang-guest lang-guest-all
lang: $(B)/ustack
	@scripts/deps.sh lang
	@tests/live/lang/run $(B)

CHECKS_OWN += lang

LANG_GUESTS := x86_64-6.1 x86_64-7.3 arm64-6.1 arm64-7.3

lang-guest: $(if $(filter arm64-%,$(GUEST)),user-arm64,$(B)/ustack)
	@scripts/deps.sh vm
	@GUEST_OUT=build/lang/guest/$(GUEST) tests/guest/run --full $(GUEST) lang

lang-guest-all: $(B)/ustack user-arm64
	@scripts/deps.sh vm
	@failed=; for guest in $(LANG_GUESTS); do \
		GUEST_OUT=build/lang/guest/$$guest tests/guest/run --full $$guest lang || failed+=" $$guest"; \
	done; [ -z "$$failed" ] || { echo "guests that failed:$$failed"; exit 1; }

NIGHTLY += lang-guest-all
