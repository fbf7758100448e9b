# SPDX-License-Identifier: GPL-2.0-only
# The files of this machine that judges of tables read, and what ustack itself says of the
# sections that it makes of their .eh_frame: every address of their text is looked up in
# the table that the module would have, with the module's lookup, and in the CFI. Both
# sides ask synth_rule.c and one reader of CFI. So make check does not run it: stepjudge
# looks up each of these addresses as well, by libdw's CFI, and has the floor of coverage.
#
#	make corpus		two dozen files of this machine, seconds
#	make check-corpus	all of this machine and of the arm64 guests' roots

# Debian 12's, of the packages of scripts/deps.sh's group tables: one that is missing is an
# error, as every judge of tables has floors of what these files give
CORPUS := $(addprefix /usr/lib/x86_64-linux-gnu/, \
	libc.so.6 ld-linux-x86-64.so.2 libstdc++.so.6 libcrypto.so.3 libssl.so.3 \
	libdw.so.1 libelf.so.1 libpython3.11.so.1.0 libLLVM-14.so.1 libgcrypt.so.20 \
	libgmp.so.10 libz.so.1 libm.so.6) \
	$(addprefix /usr/bin/,bash perl git gdb ld make openssl ssh xz)

.PHONY: corpus check-corpus
corpus: user
	@scripts/deps.sh tables
	@tests/lib/judge corpus --least 22 '(\d+) files' --least 99.95 'all: ([\d.]+)%' \
		--least 65000000 '(\d+) bytes looked up' --most 0 '(\d+) differ' -- \
		$(B)/ustack sframe coverage --check --extended $(CORPUS)

check-corpus: user
	@tests/lib/judge check-corpus --least 65000000 '(\d+) bytes looked up' --most 0 '(\d+) differ' -- \
		$(B)/ustack sframe coverage --check --extended /usr/bin /usr/sbin /usr/lib
	@for guest in $$(tests/vm/list | grep ^arm64); do \
		echo "== $$guest"; \
		tests/lib/judge check-corpus-$$guest --most 0 '(\d+) differ' -- \
			$(B)/ustack sframe coverage --check --extended $$(tests/vm/fetch $$guest)/root/usr || exit 1; \
	done

NIGHTLY += check-corpus
