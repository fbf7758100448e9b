# SPDX-License-Identifier: GPL-2.0
# The daemon's server over a store of made up windows, asked by curl, promtool and
# `go tool pprof`; and its page in Chromium. Debian's python3 has Debian's selenium.
#
#   make web-check         the server
#   make web-page          the page; WEB_PICTURES=DIR keeps pictures of what the tests see
#   make web-axe           axe-core, of npm's registry, has nothing to say of the page

# what the server asks, beside the store: profiles and what is shown of them
WEB_USER := $(STORE) $(STORE_QUERY) $(HTTP) $(FLAME) $(CALLTREE) $(wildcard user/profile/export*.c) $(PPROF) \
	user/report/select.c $(patsubst %,user/util/%.c,hex options screen when)
WEB_USER := $(sort $(filter-out kmod/%,$(WEB_USER)))

# with sanitizers for what is asked at once, without for what takes long
define web_variant
$(B)/web/$(1)/%.o: user/%.c $(wildcard user/*/*.h) $(PPROF_GEN).h tests/web/build.mk | $(B)/user/deps
	@mkdir -p $$(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O1 -g $(2) $(USER_INC) -c $$< -o $$@
$(B)/web/$(1)/server: $(patsubst user/%.c,$(B)/web/$(1)/%.o,$(WEB_USER)) \
		tests/web/server.c tests/web/fill.c \
		$(wildcard tests/web/*.h) $(PPROF_GEN).c $(FLAME_PAGE) $(DAEMON_PAGE) kmod/core/reason.c
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O1 -g $(2) -iquote tests/web \
		$(USER_INC) $$(sort $$(filter-out %.h,$$^)) -lmicrohttpd -lpcre2-8 -lprotobuf-c \
		-lz -lzstd -lm -lpthread -o $$@
endef
$(eval $(call web_variant,plain,))
$(eval $(call web_variant,asan,$(UNIT_FLAGS_asan)))

.PHONY: web-check web-page web-axe
web-check: $(B)/web/asan/server
	@scripts/deps.sh web
	@tests/web/judge $<

web-page: $(B)/web/plain/server
	@scripts/deps.sh flame
	@tests/web/page $(WEB_PICTURES:%=--pictures %) $<

web-axe: $(B)/web/plain/server
	@scripts/deps.sh flame
	@package=$$(tests/flame/package axe-core 4.10.2) && tests/web/axe $< "$$package"

CHECKS += web-check
FULL_CHECKS += web-page web-axe
