// SPDX-License-Identifier: GPL-2.0-only
/* Instantiates the tracepoints. */
#include "compat.h"

#define CREATE_TRACE_POINTS
#include "trace.h"
