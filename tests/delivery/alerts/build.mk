# SPDX-License-Identifier: GPL-2.0-only
#	make alerts	tests the alert rules and the dashboard of the daemon's metrics
.PHONY: alerts
alerts:
	@scripts/deps.sh alerts
	@/usr/bin/python3 tests/delivery/alerts/run

CHECKS += alerts
