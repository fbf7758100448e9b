# SPDX-License-Identifier: GPL-2.0-only
# The files of this machine that the judges of tables read, and ustack's own check of the
# sections that it makes from their .eh_frame: every address of their text is looked up in
# the table that the module would have, with the module's lookup, and in the CFI. Both
# sides use synth_rule.c and the same reader of CFI. make check does not run it, because stepjudge
# looks up each of these addresses too, by libdw's CFI, and has the minimum of coverage.
#
#	make corpus		two dozen files of this machine, in seconds
#	make check-corpus	all files of this machine and of the arm64 guests' root file systems

# Files of Debian 12, from the packages in the group tables of scripts/deps.sh. A missing file is an
# error, because every judge of tables has minimums that depend on these files.
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
	@for guest in $$(tests/guest/vm/list | grep ^arm64); do \
		echo "== $$guest"; \
		tests/lib/judge check-corpus-$$guest --most 0 '(\d+) differ' -- \
			$(B)/ustack sframe coverage --check --extended $$(tests/guest/vm/fetch $$guest)/root/usr || exit 1; \
	done

NIGHTLY += check-corpus
