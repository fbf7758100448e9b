/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/lang: CPython's structures, by minor version. */
#ifndef USTACK_USER_LANG_CPYTHON_LAYOUT_H
#define USTACK_USER_LANG_CPYTHON_LAYOUT_H

#include "symbols/lang/cpython.h"

/**
 * cpython_layout() - find the structures of a version
 * @e: the file
 * @runtime: link-time address of _PyRuntime
 * @ret: @version is set before; gets @autotss and the offsets of @layout
 *
 * Return: NULL, or the reason why frames are not read, a sentence.
 */
const char *cpython_layout(const struct lang_elf *e, u64 runtime, struct cpython_file *ret);

#endif /* USTACK_USER_LANG_CPYTHON_LAYOUT_H */
