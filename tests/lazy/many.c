// SPDX-License-Identifier: GPL-2.0-only
/* Functions to be bound when they are first called. */
#include "many.h"

#define DEFINE(n) \
	__attribute__((noinline)) int many_##n(int v) { return v + n; }
MANY(DEFINE)
