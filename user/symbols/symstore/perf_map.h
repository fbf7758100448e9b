/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/symstore: /tmp/perf-PID.map, lines of "START SIZE NAME". */
#ifndef USTACK_USER_SYMSTORE_PERF_MAP_H
#define USTACK_USER_SYMSTORE_PERF_MAP_H

#include "symbols/symstore/codes.h"

/**
 * perf_map_parse() - read lines
 * @c: gets them
 * @text: whole lines, and perhaps a half one at the end
 * @len: of it
 *
 * Numbers are hexadecimal, with or without 0x (linux/tools/perf/Documentation/
 * jit-interface.txt). A line that is none is passed over.
 *
 * Return: bytes up to the last whole line, or a negative errno.
 */
int64_t perf_map_parse(struct jit_codes *c, const char *text, size_t len);

#endif /* USTACK_USER_SYMSTORE_PERF_MAP_H */
