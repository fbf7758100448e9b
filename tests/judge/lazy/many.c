// SPDX-License-Identifier: GPL-2.0-only
/* Functions of a library that the program binds at their first call. */
#include "many.h"

#define DEFINE(n) \
	__attribute__((noinline)) int many_##n(int v) { return v + n; }
MANY(DEFINE)
