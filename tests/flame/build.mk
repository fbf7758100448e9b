# SPDX-License-Identifier: GPL-2.0
# The page of ustack flame in Chromium. Debian's python3 has Debian's selenium.
#
#   make flame          FLAME_PICTURES=DIR keeps pictures of what the tests see

$(B)/flame/profiles/large: tests/flame/profiles.py tests/profile/wire.py
	@scripts/deps.sh flame
	@/usr/bin/python3 $< $(@D)

.PHONY: flame
flame: $(B)/ustack $(B)/flame/profiles/large
	@scripts/deps.sh flame
	@tests/flame/judge $(FLAME_PICTURES:%=--pictures %) $< $(B)/flame/profiles

CHECKS += flame
