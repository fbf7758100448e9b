# SPDX-License-Identifier: GPL-2.0-only
# Tests and benchmarks of profiles.
#
#   make profile-judge      ustack's files compared by Go's runtime and Go's pprof
#   make profile-judge-all  more random files, and speedscope's schema
#   make bench-profile      the cost of counting
#   make bench-report       the cost of showing

$(B)/profile/bench: $(call objects,plain,tests/judge/profile/bench.c) $(B)/plain/libustack.a
	@$(call link,plain)

.PHONY: bench-profile
bench-profile: $(B)/profile/bench
	@scripts/deps.sh bench
	@tests/judge/profile/bench $<

.PHONY: bench-report
bench-report: $(B)/ustack
	@scripts/deps.sh bench
	@tests/judge/profile/bench-report $<

# files that Go's runtime writes
$(B)/profile/go/cpu.pb.gz: tests/judge/profile/profiles.go
	@scripts/deps.sh pprof-judge
	@mkdir -p $(@D)
	@GO111MODULE=off GOCACHE=$(USTACK_CACHE)/go-build go build -o $(B)/profile/profiles $<
	@$(B)/profile/profiles $(@D)

.PHONY: profile-judge profile-judge-all
profile-judge: $(B)/ustack $(B)/profile/go/cpu.pb.gz
	@scripts/deps.sh pprof-judge
	@tests/judge/profile/judge $< $(B)/profile/go
profile-judge-all: $(B)/ustack $(B)/profile/go/cpu.pb.gz
	@scripts/deps.sh pprof-judge
	@tests/judge/profile/judge --seeds 100 --schema "$$(tests/judge/profile/speedscope)" $< $(B)/profile/go

CHECKS += profile-judge
CHECK_BUILD += $(B)/ustack $(B)/profile/go/cpu.pb.gz
NIGHTLY += profile-judge-all
