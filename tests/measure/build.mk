# SPDX-License-Identifier: GPL-2.0-only
# Figures by command; see README.
#
#	make measure			all of them: hours, on a machine with nothing else to do
#	make measure ONLY="NAME..."	some; NAME:GUEST is one guest of a figure
#	make measure-list		what there is, how long it takes, what is measured
#	make measure-selftest		the reader of outputs and the two checks see what is wrong
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
