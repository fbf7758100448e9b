/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A check of the fuzz targets: must() aborts, so that libFuzzer stores the input.
 */
#ifndef USTACK_FUZZ_MUST_H
#define USTACK_FUZZ_MUST_H

#include <stdio.h>
#include <stdlib.h>

/* Unlike assert(), this is never compiled out. */
#define must(x) do {							\
	if (!(x)) {							\
		fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #x); \
		abort();						\
	}								\
} while (0)

#endif /* USTACK_FUZZ_MUST_H */
