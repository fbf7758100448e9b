# SPDX-License-Identifier: GPL-2.0-only
# Tests the page of ustack flame in Chromium. Needs Debian's python3, which has selenium.
#
#   make flame             FLAME_PICTURES=DIR keeps pictures of what the tests see
#   make flame-speedscope  speedscope, from npm's registry, opens files of ustack export
#   make flame-axe         axe-core, from there too, must find nothing wrong with the page

$(B)/flame/profiles/large: tests/live/flame/profiles.py tests/judge/profile/wire.py
	@scripts/deps.sh flame
	@/usr/bin/python3 $< $(@D)

.PHONY: flame flame-axe flame-speedscope
flame: $(B)/ustack $(B)/flame/profiles/large
	@scripts/deps.sh flame
	@tests/live/flame/judge $(FLAME_PICTURES:%=--pictures %) $< $(B)/flame/profiles

flame-speedscope: $(B)/ustack $(B)/flame/profiles/large
	@scripts/deps.sh flame
	@schema=$$(tests/judge/profile/speedscope) && \
		tests/lib/judge flame-speedscope -- tests/live/flame/speedscope $< $(B)/flame/profiles "$${schema%/*}"

flame-axe: $(B)/ustack $(B)/flame/profiles/large
	@scripts/deps.sh flame
	@package=$$(tests/live/flame/package axe-core 4.10.2) && \
		tests/lib/judge flame-axe --least 1 '(\d+) rules passed' -- tests/live/flame/axe $< $(B)/flame/profiles "$$package"

CHECKS_LIVE += flame
CHECK_BUILD += $(B)/flame/profiles/large
NIGHTLY += flame-axe flame-speedscope
