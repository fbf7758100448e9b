# SPDX-License-Identifier: GPL-2.0
# Sections made of .eh_frame, over stock files: every address of their text is
# looked up in the table that the module would have, with the module's lookup, and
# in the CFI. That the CFI is read rightly is tests/cfi's to show, against libdw; that
# a row becomes the right rule is not seen here, as both sides ask synth_rule.c, but by
# tests/stepjudge.
#
#	make corpus		a few dozen files of this machine, seconds
#	make check-corpus	all of this machine and of the arm64 guests' roots

CORPUS := $(wildcard $(addprefix /usr/lib/$(shell uname -m)-linux-gnu/, \
	libc.so.6 ld-linux-x86-64.so.2 libstdc++.so.6 libcrypto.so.3 libssl.so.3 \
	libdw.so.1 libelf.so.1 libpython3.*.so.1.0 libLLVM-14.so.1 libgcrypt.so.20 \
	libgmp.so.10 libz.so.1 libm.so.6) \
	$(addprefix /usr/bin/,bash perl git gdb ld cc1 make openssl ssh xz))

.PHONY: corpus check-corpus
corpus: user
	@$(B)/ustack sframe coverage --check --extended $(CORPUS) | tail -n 8

check-corpus: user
	$(B)/ustack sframe coverage --check --extended /usr/bin /usr/sbin /usr/lib
	@for guest in $$(tests/vm/list | grep ^arm64); do \
		echo "== $$guest"; \
		$(B)/ustack sframe coverage --check --extended \
			$$(tests/vm/fetch $$guest)/root/usr || exit 1; \
	done

CHECKS += corpus
CHECK_BUILD += $(B)/ustack
NIGHTLY += check-corpus
