# SPDX-License-Identifier: GPL-2.0-only
# Tests of the whole daemon: sampled loads whose CPU time is known, crashes, full disks, reloads.
#
#	make daemon			on this machine, without the module, with copied stacks
#	make daemon-long		half an hour with the default configuration, and 50 crashes
#	make daemon-mixed		half an hour of many different programs: memory by kind
#	make daemon-modes		half an hour with tables and with copies at the same time: their costs
#	make daemon-guest GUEST=...	in a guest, with the module
#	make daemon-guest-long GUEST=...	half an hour in a guest, with the default configuration
#	make daemon-power GUEST=...	a guest that loses its power, again and again
#	make daemon-systemd GUEST=...	as a service of a Debian with systemd
#	make daemon-guest-all		all of these but the long one, in all guests
#	LENGTH=SECONDS sets the time of the long ones.
.PHONY: daemon daemon-long daemon-mixed daemon-modes daemon-guest daemon-guest-long daemon-power daemon-systemd daemon-guest-all
daemon: $(B)/ustack
	@scripts/deps.sh record web daemon-test
	@tests/live/daemon/selftest
	@tests/live/daemon/short $(abspath $(B)/ustack)

daemon-long: $(B)/ustack
	@scripts/deps.sh record web daemon-test
	@for mode in copy bpf; do PARTS="long crashes" tests/live/daemon/run $(abspath $(B)/ustack) \
		$(abspath $(B))/daemon-$$mode $$mode 50 $(or $(LENGTH),1800) || exit 1; done

# Both modes run at the same time; this does not change their memory.
daemon-mixed: $(B)/ustack
	@scripts/deps.sh record web daemon-test unit tables
	@all=; for mode in copy tables; do PARTS=mixed tests/live/daemon/run $(abspath $(B)/ustack) \
		$(abspath $(B))/daemon-mixed-$$mode $$mode 0 $(or $(LENGTH),1800) & all="$$all $$!"; done; \
		rc=0; for one in $$all; do wait $$one || rc=1; done; exit $$rc

# Both run at the same time, so that they see the same load.
daemon-modes: $(B)/ustack
	@scripts/deps.sh record web daemon-test
	@all=; for mode in copy tables; do PARTS=modes tests/live/daemon/run $(abspath $(B)/ustack) \
		$(abspath $(B))/daemon-modes-$$mode $$mode 0 $(or $(LENGTH),1800) & all="$$all $$!"; done; \
		rc=0; for one in $$all; do wait $$one || rc=1; done; \
		tests/live/daemon/judge cheaper $(B)/daemon-modes-copy $(B)/daemon-modes-tables || rc=1; exit $$rc

CHECKS_LIVE += daemon
NIGHTLY += daemon-long daemon-mixed

DAEMON_GUEST = $(or $(GUEST),x86_64-6.12)
DAEMON_GUEST_USTACK = $(if $(filter arm64-%,$(DAEMON_GUEST)),user-arm64,$(B)/ustack)

daemon-guest: $(DAEMON_GUEST_USTACK)
	@tests/live/daemon/guest $(DAEMON_GUEST)

daemon-guest-long: $(DAEMON_GUEST_USTACK)
	@tests/live/daemon/guest $(DAEMON_GUEST) long 0 $(or $(LENGTH),1800)

daemon-power: $(DAEMON_GUEST_USTACK)
	@tests/live/daemon/power $(DAEMON_GUEST) $(or $(TIMES),5)

daemon-systemd: $(B)/ustack
	@tests/live/daemon/systemd $(DAEMON_GUEST)

daemon-guest-all: $(B)/ustack user-arm64
	@for guest in $$(tests/guest/vm/list); do \
		tests/live/daemon/guest $$guest && tests/live/daemon/power $$guest 3 || exit 1; done
	@tests/live/daemon/systemd x86_64-6.12

NIGHTLY += daemon-guest-all daemon-guest-long
