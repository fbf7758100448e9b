# SPDX-License-Identifier: GPL-2.0-only
#
#	make tasks	runs the tasks of Documentation/tasks.md; needs perf events
.PHONY: tasks
tasks: $(B)/ustack $(B)/cli/make_store
	@scripts/deps.sh record
	@tests/live/tasks/run $(B)/ustack $(B)/cli/make_store $(B)/tasks

CHECKS_LIVE += tasks
