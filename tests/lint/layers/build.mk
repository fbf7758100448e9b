# SPDX-License-Identifier: GPL-2.0-only
# The linker proves that no room calls a room above it: see tests/lint/layers/run.
#
#	make layers

.PHONY: layers
layers: $(filter-out %/user/main.o,$(USER_OBJ_plain))
	@PROGRAM_LIBS="$(USER_LIBS)" tests/lint/layers/run $(B)/plain $^

CHECKS += layers
CHECK_BUILD += user
