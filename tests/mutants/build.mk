# SPDX-License-Identifier: GPL-2.0-only
# Break the program in one place at a time and see whether the tests notice: README.
#
#	make mutants				core and gsym, a sample of ten CPU minutes
#	make mutants AREA="store push" EVERY=20 SEED=3
#	make mutants JOBS=1			one mutant at a time, beside other work
#	make mutants-check			whether the list of equivalent mutants is true

.PHONY: mutants mutants-check
mutants: unit-deps $(B)/deps
	@tests/mutants/mutants run $(B)/mutants $(addprefix --area ,$(AREA)) \
		$(addprefix --every ,$(EVERY)) $(addprefix --seed ,$(SEED)) \
		$(addprefix --jobs ,$(JOBS))
mutants-check:
	@tests/mutants/mutants check

CHECKS += mutants-check
NIGHTLY += mutants
