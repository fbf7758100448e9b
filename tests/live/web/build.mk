# SPDX-License-Identifier: GPL-2.0-only
# Tests of the daemon's server over a store of made-up windows, with curl, promtool and
# `go tool pprof`; and of its page in Chromium. Debian's python3 has Debian's selenium.
#
#   make web-check         tests the server
#   make web-page          tests the page; WEB_PICTURES=DIR keeps pictures of what the tests see
#   make web-axe           checks the page with axe-core, from npm's registry

# web-check uses the variant with sanitizers; the others take long, and use the plain one
define web_variant
$(B)/$(1)/web-server: $(call objects,$(1),tests/live/web/server.c tests/live/web/fill.c) $(B)/$(1)/libustack.a
	@$$(call link,$(1))
endef
$(foreach v,plain asan,$(eval $(call web_variant,$(v))))

.PHONY: web-check web-page web-axe
web-check: $(B)/asan/web-server
	@scripts/deps.sh web
	@tests/live/web/judge $<

web-page: $(B)/plain/web-server
	@scripts/deps.sh flame
	@tests/live/web/page $(WEB_PICTURES:%=--pictures %) $<

web-axe: $(B)/plain/web-server
	@scripts/deps.sh flame
	@package=$$(tests/live/flame/package axe-core 4.10.2) && \
		tests/lib/judge web-axe --least 1 '(\d+) rules passed' -- tests/live/web/axe $< "$$package"

CHECKS += web-check
CHECK_BUILD += $(B)/asan/web-server
NIGHTLY += web-page web-axe
