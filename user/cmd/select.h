/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of report, diff, flame and others that select samples. */
#ifndef USTACK_USER_CMD_SELECT_H
#define USTACK_USER_CMD_SELECT_H

#include "show/report/select.h"
#include "util/options.h"

/* @s: in all of these a struct report_select, as an lvalue */
#define CMD_SELECT_NAMES(s)                                                            \
	OPTION_STRING('c', "comm", "NAMES", &(s).command, "only processes with these names"), \
	OPTION_STRING(0, "thread", "NAMES", &(s).thread, "only threads with these names")

#define CMD_SELECT_NUMBERS(s)                                                          \
	OPTION_STRING(0, "pid", "PIDS", &(s).pid, "only these processes"),             \
	OPTION_STRING(0, "tid", "TIDS", &(s).tid, "only these threads")

#define CMD_SELECT_OPTIONS(s)                                                          \
	CMD_SELECT_NAMES(s),                                                           \
	OPTION_STRING('d', "dso", "NAMES", &(s).image, "only stacks with these files"),      \
	OPTION_STRING('S', "symbol", "FUNCTIONS", &(s).function,                             \
		      "only stacks with these functions or parts of names"),                 \
	/* as perf has them */                                                               \
	OPTION_STRING(0, "comms", "NAMES", &(s).command, NULL),                              \
	OPTION_STRING(0, "dsos", "NAMES", &(s).image, NULL),                                 \
	OPTION_STRING(0, "symbols", "FUNCTIONS", &(s).function, NULL)

#endif /* USTACK_USER_CMD_SELECT_H */
