// SPDX-License-Identifier: GPL-2.0-only
/* Creates the tracepoints. */
#include "compat.h"

#define CREATE_TRACE_POINTS
#include "trace.h"
