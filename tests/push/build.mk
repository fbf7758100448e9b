# SPDX-License-Identifier: GPL-2.0
# Windows to servers that stand for Pyroscope, Parca and collectors of OTLP, and to servers
# that do what servers should not.
#
#   make push-check OTLP_PROTO=DIR    with the .proto files of opentelemetry-proto in DIR

# the objects of the unit tests, with sanitizers
PUSH_OBJ := $(patsubst user/%.c,$(B)/unit/asan/user/%.o,\
		$(sort $(filter user/%,$(PUSH) $(STORE)) user/util/json.c)) \
	$(B)/unit/asan/user/gen/profile/pprof.pb-c.o $(B)/unit/asan/reason.o
PUSH_LIBS := -lprotobuf-c -lz -ljansson -lzstd

$(B)/push/driver: tests/push/driver.c $(PUSH_OBJ)
	@mkdir -p $(@D)
	@$(USER_CC) -fsanitize=address,undefined -fno-sanitize-recover=all $^ $(PUSH_LIBS) \
		-Wl,--wrap=pread -o $@

.PHONY: push-check
push-check: $(B)/push/driver
	@scripts/deps.sh push-test pprof-judge
	@/usr/bin/python3 tests/push/run $(if $(OTLP_PROTO),--otlp-proto $(OTLP_PROTO)) $<

CHECKS += push-check
