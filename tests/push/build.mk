# SPDX-License-Identifier: GPL-2.0
# Windows to servers that stand for Pyroscope, Parca and collectors of OTLP, and to servers
# that do what servers should not.
#
#   make push-check OTLP_PROTO=DIR    with the .proto files of opentelemetry-proto in DIR

PUSH_SANITIZE ?= -fsanitize=address,undefined -fno-sanitize-recover=all
PUSH_CHECK_SRC := tests/push/driver.c $(PUSH) $(STORE) user/util/json.c

$(B)/push/driver: $(PUSH_CHECK_SRC) $(PPROF_GEN).c $(wildcard user/push/*.h user/profile/*.h user/util/*.h user/store/*.h)
	@scripts/deps.sh pprof json push
	@mkdir -p $(@D)
	@$(USER_CC) $(PUSH_SANITIZE) $(sort $(filter %.c,$^)) -lprotobuf-c -lz -ljansson -lzstd -o $@

.PHONY: push-check
push-check: $(B)/push/driver
	@scripts/deps.sh push-test pprof-judge
	@/usr/bin/python3 tests/push/run $(if $(OTLP_PROTO),--otlp-proto $(OTLP_PROTO)) $<

CHECKS += push-check
