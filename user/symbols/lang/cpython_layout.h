/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/lang: CPython's structures, by minor version. */
#ifndef USTACK_USER_LANG_CPYTHON_LAYOUT_H
#define USTACK_USER_LANG_CPYTHON_LAYOUT_H

#include "symbols/lang/cpython.h"

/**
 * cpython_layout() - the structures of a version
 * @e: its file
 * @runtime: link-time address of _PyRuntime
 * @ret: @ret->version is set; gets @autotss, and @layout but for addresses
 *
 * Return: NULL, or why its frames are not read, a sentence.
 */
const char *cpython_layout(const struct lang_elf *e, u64 runtime, struct cpython_file *ret);

#endif /* USTACK_USER_LANG_CPYTHON_LAYOUT_H */
