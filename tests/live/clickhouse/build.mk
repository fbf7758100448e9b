# SPDX-License-Identifier: GPL-2.0-only
# A fleet's ClickHouse: Debian's servers, which are killed, and a simulated fleet.
#
#   make clickhouse           checks that each window arrives once, while servers are killed
#                             CLICKHOUSE_KILLS times
#   make clickhouse-fleet     measures inserts and bytes of FLEET_HOSTS simulated hosts, which
#                             replay a recording of this machine

CLICKHOUSE_KILLS ?= 10
FLEET_HOSTS ?= 1000
FLEET_WINDOWS ?= 60

$(B)/clickhouse/replay: $(call objects,plain,tests/live/clickhouse/replay.c) $(B)/plain/libustack.a
	@$(call link,plain)

.PHONY: clickhouse clickhouse-fleet
clickhouse: user $(B)/push/driver
	@scripts/deps.sh clickhouse
	@/usr/bin/python3 tests/live/clickhouse/run --kills $(CLICKHOUSE_KILLS) $(B)/ustack $(B)/push/driver

clickhouse-fleet: user $(B)/clickhouse/replay
	@scripts/deps.sh clickhouse
	@tests/lib/judge clickhouse-fleet -- /usr/bin/python3 tests/live/clickhouse/fleet --hosts $(FLEET_HOSTS) --windows $(FLEET_WINDOWS) \
		$(B)/ustack $(B)/clickhouse/replay $(B)/clickhouse

NIGHTLY += clickhouse clickhouse-fleet
