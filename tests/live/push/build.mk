# SPDX-License-Identifier: GPL-2.0-only
# Pushes windows to servers that stand for Pyroscope, Parca and OTLP collectors, and to servers
# that misbehave.
#
#   make push-check OTLP_PROTO=DIR    with the .proto files of opentelemetry-proto in DIR
#   make push-parca                   the same, and Parca's own client reads each request to Parca

$(B)/push/driver: LIBS := -Wl,--wrap=pread,--wrap=push_delay_ms
$(B)/push/driver: $(call objects,asan,tests/live/push/driver.c) $(B)/asan/libustack.a
	@$(call link,asan)

.PHONY: push-check
push-check: $(B)/push/driver
	@scripts/deps.sh push-test pprof-judge
	@/usr/bin/python3 tests/live/push/run $(if $(OTLP_PROTO),--otlp-proto $(OTLP_PROTO)) $<

# Parca's own client, from npm's registry, reads each request to Parca as well.
.PHONY: push-parca
push-parca: $(B)/push/driver
	@scripts/deps.sh push-test pprof-judge
	@client=$$(tests/live/flame/package @parca/client 0.17.24) && \
		/usr/bin/python3 tests/live/push/run --parca-client $$client --only parca $<

NIGHTLY += push-parca
CHECKS += push-check
CHECK_BUILD += $(B)/push/driver
