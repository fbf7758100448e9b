# SPDX-License-Identifier: GPL-2.0-only
# Breaks the program in one place at a time and checks that the tests notice it: see README.
#
#	make mutants				core and gsym, a sample of ten CPU minutes
#	make mutants AREA="store push" EVERY=20 SEED=3
#	make mutants JOBS=1			one mutant at a time, while the machine does other work
#	make mutants-check			checks that the list of equivalent mutants is right

.PHONY: mutants mutants-check
mutants: unit-deps $(B)/deps
	@tests/mutants/mutants run $(B)/mutants $(addprefix --area ,$(AREA)) \
		$(addprefix --every ,$(EVERY)) $(addprefix --seed ,$(SEED)) \
		$(addprefix --jobs ,$(JOBS))
mutants-check:
	@tests/mutants/mutants check

CHECKS += mutants-check
NIGHTLY += mutants
