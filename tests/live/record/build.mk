# SPDX-License-Identifier: GPL-2.0-only
# Tests the recorder on programs whose answers are known.
#
#	make record			here, without the module: by frame pointers and by tables
#	make record-guest GUEST=...	in a guest, with the module
#	make record-all			all guests
#	make record-hostile		here: what can go wrong
#	make record-sums		here: as many samples as are due, in all modes
#	make record-times		here: times of samples, in all modes
#	make record-waits		here: time off the CPU agrees with the scheduler; complete stacks
#	make record-first		here: the first sample of programs of 5 ms
.PHONY: record record-hostile record-sums record-times record-waits record-first record-guest record-all
record: $(B)/ustack
	@scripts/deps.sh record
	@scripts/deps.sh pprof-judge
	@status=0; for mode in bpf tables; do tests/live/record/run $(abspath $(B)/ustack) \
		$(abspath $(B))/record/$$mode $$mode || status=1; done; exit $$status

record-hostile: $(B)/ustack
	@scripts/deps.sh record known
	@status=0; for mode in copy bpf tables; do tests/live/record/hostile $(abspath $(B)/ustack) \
		$(abspath $(B))/record/hostile $$mode || status=1; done; exit $$status

record-sums: $(B)/ustack
	@scripts/deps.sh record
	@tests/live/record/sums $(B)/ustack

record-times: $(B)/ustack
	@scripts/deps.sh record
	@tests/live/record/times $(abspath $(B)/ustack) $(abspath $(B))/record/times

record-waits: $(B)/ustack
	@scripts/deps.sh record
	@tests/live/record/waits $(abspath $(B)/ustack) $(abspath $(B))/record/waits

record-first: $(B)/ustack
	@scripts/deps.sh record pprof-judge
	@tests/live/record/first $(abspath $(B)/ustack) $(abspath $(B))/record/first

CHECKS_LIVE += record record-hostile record-sums record-times record-waits record-first

record-guest: $(if $(filter arm64-%,$(GUEST)),user-arm64,$(B)/ustack)
	@tests/live/record/guest $(GUEST)

record-all: $(B)/ustack user-arm64
	@for guest in $$(tests/guest/vm/list); do tests/live/record/guest $$guest || exit 1; done

NIGHTLY += record-all
