# SPDX-License-Identifier: GPL-2.0-only
# Rows from code are compared with the CFI of code that has CFI: see main.c. That CFI becomes
# the right rules is checked by tests/judge/stepjudge.
#
#	make codejudge		a few dozen files of this machine: seconds
#	make codejudge-all	all files of this machine

CODEJUDGE := $(B)/codejudge

CODEJUDGE_OBJ := $(call objects,plain,tests/judge/codejudge/main.c)
$(CODEJUDGE)/codejudge: $(CODEJUDGE_OBJ) $(B)/plain/libustack.a
	@$(call link,plain)

.PHONY: codejudge codejudge-all
CODEJUDGE_FLOORS := --least 22 '(\d+) files' --most 0 '(\d+) failed' \
	--least 65000000 'of (\d+) bytes with CFI' --least 62000000 '(\d+) the same'
# A tenth of CORPUS, for judges-selftest: it has to have at least nine tenths of what is there, as above.
CODEJUDGE_FEW := $(addprefix /usr/lib/$(shell uname -m)-linux-gnu/,libc.so.6 libcrypto.so.3 libpython3.11.so.1.0)
CODEJUDGE_FEW_FLOORS := --least 3 '(\d+) files' --most 0 '(\d+) failed' \
	--least 6000000 'of (\d+) bytes with CFI' --least 4900000 '(\d+) the same'

codejudge: $(CODEJUDGE)/codejudge
	@scripts/deps.sh tables
	@tests/lib/judge codejudge $(CODEJUDGE_FLOORS) -- $< $(CORPUS)

codejudge-all: $(CODEJUDGE)/codejudge
	@tests/lib/judge codejudge-all $(CODEJUDGE_FLOORS) -- $< /usr/bin /usr/sbin /usr/lib

CHECKS += codejudge
CHECK_BUILD += $(CODEJUDGE)/codejudge
NIGHTLY += codejudge-all
