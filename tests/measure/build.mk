# SPDX-License-Identifier: GPL-2.0-only
# Measures the figures of Documentation/measurements.md; see README.
#
#	make measure			all figures: takes hours, on an otherwise idle machine
#	make measure ONLY="NAME..."	some figures; NAME:GUEST is one guest of a figure
#	make measure-list		lists the figures, their time, and which are measured
#	make measure-selftest		the reader of outputs and the two checks notice errors
.PHONY: measure measure-list measure-selftest
measure:
	@scripts/deps.sh bench measure
	@tests/measure/run $(ONLY)

measure-list:
	@tests/measure/run --list

measure-selftest:
	@scripts/deps.sh lint
	@tests/measure/selftest

CHECKS += measure-selftest
