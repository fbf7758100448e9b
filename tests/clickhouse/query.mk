# SPDX-License-Identifier: GPL-2.0
# ustack query and ustack symbolizer against a real ClickHouse.
#
#   make clickhouse-query		answers are those of stores; part of make clickhouse
#   make clickhouse-questions HOSTS=4 DAYS=4
#					how long five questions take, of a billion samples

.PHONY: clickhouse clickhouse-query clickhouse-questions
clickhouse: clickhouse-query

clickhouse-query: user $(B)/cli/make_store $(B)/push/driver
	@scripts/deps.sh clickhouse-query
	@/usr/bin/python3 tests/clickhouse/query $(B)/ustack $(B)/cli/make_store $(B)/push/driver

clickhouse-questions: user
	@scripts/deps.sh clickhouse-query
	@/usr/bin/python3 tests/clickhouse/questions $(if $(HOSTS),--hosts $(HOSTS)) \
		$(if $(DAYS),--days $(DAYS)) $(B)/ustack
