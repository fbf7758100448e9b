# SPDX-License-Identifier: GPL-2.0
# Profiles.
#
#   make bench-profile     what counting costs

PROFILE_HEADERS := $(wildcard user/profile/*.h user/util/*.h)

$(B)/profile/bench: tests/profile/bench.c $(PROFILE) $(PROFILE_HEADERS)
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -iquote user $(filter %.c,$^) -o $@

.PHONY: bench-profile
bench-profile: $(B)/profile/bench
	@scripts/deps.sh bench
	@tests/profile/bench $<

FULL_CHECKS += bench-profile
