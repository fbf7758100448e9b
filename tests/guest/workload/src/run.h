/* SPDX-License-Identifier: GPL-2.0-only */
/* The scenarios' entry points, called by main() alone. */
#ifndef WORKLOAD_RUN_H
#define WORKLOAD_RUN_H

#include "workload.h"

#define SCENARIO(name) int run_##name(double seconds);
#include "scenarios.h"
#undef SCENARIO

/* argv[0], for scenarios that print messages */
extern const char *workload_self;

#endif
