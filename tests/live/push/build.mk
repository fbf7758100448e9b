# SPDX-License-Identifier: GPL-2.0-only
# Pushes windows to servers that stand for Pyroscope, Parca and OTLP collectors, and to servers
# that misbehave.
#
#   make push-check OTLP_PROTO=DIR    with the .proto files of opentelemetry-proto in DIR

$(B)/push/driver: LIBS := -Wl,--wrap=pread,--wrap=push_delay_ms
$(B)/push/driver: $(call objects,asan,tests/live/push/driver.c) $(B)/asan/libustack.a
	@$(call link,asan)

.PHONY: push-check
push-check: $(B)/push/driver
	@scripts/deps.sh push-test pprof-judge
	@/usr/bin/python3 tests/live/push/run $(if $(OTLP_PROTO),--otlp-proto $(OTLP_PROTO)) $<

CHECKS += push-check
CHECK_BUILD += $(B)/push/driver
