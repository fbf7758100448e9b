# SPDX-License-Identifier: GPL-2.0-only
# A fleet's ClickHouse: Debian's own servers, which die, and a fleet that is not there.
#
#   make clickhouse           what arrives, and how often; CLICKHOUSE_KILLS of servers
#   make clickhouse-fleet     FLEET_HOSTS replay what this machine records: inserts, bytes

CLICKHOUSE_KILLS ?= 10
FLEET_HOSTS ?= 1000
FLEET_WINDOWS ?= 60

$(B)/clickhouse/replay: $(call objects,plain,tests/clickhouse/replay.c) $(B)/plain/libustack.a
	@$(call link,plain)

.PHONY: clickhouse clickhouse-fleet
clickhouse: user $(B)/push/driver
	@scripts/deps.sh clickhouse
	@/usr/bin/python3 tests/clickhouse/run --kills $(CLICKHOUSE_KILLS) $(B)/ustack $(B)/push/driver

clickhouse-fleet: user $(B)/clickhouse/replay
	@scripts/deps.sh clickhouse
	@tests/lib/judge clickhouse-fleet -- /usr/bin/python3 tests/clickhouse/fleet --hosts $(FLEET_HOSTS) --windows $(FLEET_WINDOWS) \
		$(B)/ustack $(B)/clickhouse/replay $(B)/clickhouse

NIGHTLY += clickhouse clickhouse-fleet
