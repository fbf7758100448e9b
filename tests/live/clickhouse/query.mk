# SPDX-License-Identifier: GPL-2.0-only
# ustack query and ustack symbolizer with a real ClickHouse.
#
#   make clickhouse-query		compares answers with those of stores; part of make clickhouse
#   make clickhouse-engine	the tests of make clickhouse with a current ClickHouse: its engine
#				as a library from npm's registry, 560 MB
#   make clickhouse-questions HOSTS=4 DAYS=4
#					measures five questions about a billion samples

.PHONY: clickhouse clickhouse-engine clickhouse-query clickhouse-questions
clickhouse: clickhouse-query

clickhouse-query: user $(B)/cli/make_store $(B)/push/driver
	@scripts/deps.sh clickhouse-query
	@/usr/bin/python3 tests/live/clickhouse/query $(B)/ustack $(B)/cli/make_store $(B)/push/driver

CLICKHOUSE_ENGINE = @chdb/lib-linux-$(if $(filter aarch64,$(shell uname -m)),arm64,x64)-gnu 26.5.3
clickhouse-engine: user $(B)/cli/make_store $(B)/push/driver
	@scripts/deps.sh clickhouse-query
	@package=$$(tests/live/flame/package $(CLICKHOUSE_ENGINE)) && \
	/usr/bin/python3 tests/live/clickhouse/query --engine $$package/libchdb.so $(B)/ustack \
		$(B)/cli/make_store $(B)/push/driver && \
	/usr/bin/python3 tests/live/clickhouse/run --engine $$package/libchdb.so \
		--kills $(CLICKHOUSE_KILLS) $(B)/ustack $(B)/push/driver

NIGHTLY += clickhouse-engine clickhouse-questions

clickhouse-questions: user
	@scripts/deps.sh clickhouse-query
	@tests/lib/judge clickhouse-questions -- /usr/bin/python3 tests/live/clickhouse/questions $(if $(HOSTS),--hosts $(HOSTS)) \
		$(if $(DAYS),--days $(DAYS)) $(B)/ustack
