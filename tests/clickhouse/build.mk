# SPDX-License-Identifier: GPL-2.0
# A fleet's ClickHouse: Debian's own servers, which die, and a fleet that is not there.
#
#   make clickhouse           what arrives, and how often; CLICKHOUSE_KILLS of servers
#   make clickhouse-fleet     FLEET_HOSTS replay what this machine records: inserts, bytes

CLICKHOUSE_KILLS ?= 10
FLEET_HOSTS ?= 1000
FLEET_WINDOWS ?= 60

$(B)/clickhouse/replay: tests/clickhouse/replay.c $(PUSH) $(STORE) $(PPROF_GEN).c user/util/json.c \
		$(wildcard user/push/*.h user/store/*.h user/clickhouse/*.h)
	@scripts/deps.sh user pprof json push elfutils
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -iquote user -iquote kmod/core -iquote $(GEN) \
		$(sort $(filter %.c,$^)) -lprotobuf-c -lz -ljansson -lzstd -o $@

.PHONY: clickhouse clickhouse-fleet
clickhouse: user $(B)/push/driver
	@scripts/deps.sh clickhouse
	@/usr/bin/python3 tests/clickhouse/run --kills $(CLICKHOUSE_KILLS) $(B)/ustack $(B)/push/driver

clickhouse-fleet: user $(B)/clickhouse/replay
	@scripts/deps.sh clickhouse
	@/usr/bin/python3 tests/clickhouse/fleet --hosts $(FLEET_HOSTS) --windows $(FLEET_WINDOWS) \
		$(B)/ustack $(B)/clickhouse/replay $(B)/clickhouse

FULL_CHECKS += clickhouse clickhouse-fleet
