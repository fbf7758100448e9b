/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/symstore: reads /tmp/perf-PID.map, lines of "START SIZE NAME". */
#ifndef USTACK_USER_SYMSTORE_PERF_MAP_H
#define USTACK_USER_SYMSTORE_PERF_MAP_H

#include "symbols/symstore/jit_codes.h"

/**
 * perf_map_parse() - read lines
 * @c: gets the functions
 * @text: complete lines, possibly followed by an incomplete one
 * @len: number of bytes of @text
 *
 * Numbers are hexadecimal, with or without 0x
 * (linux/tools/perf/Documentation/jit-interface.txt). Malformed lines are skipped.
 *
 * Return: bytes of complete lines, or a negative errno.
 */
int64_t perf_map_parse(struct jit_codes *c, const char *text, size_t len);

#endif /* USTACK_USER_SYMSTORE_PERF_MAP_H */
