# SPDX-License-Identifier: GPL-2.0
# The daemon's server over a store of made up windows, asked by curl, promtool and
# `go tool pprof`.

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

.PHONY: web-check
web-check: $(B)/web/asan/server
	@scripts/deps.sh web
	@tests/web/judge $<

CHECKS += web-check
