/* SPDX-License-Identifier: GPL-2.0-only */
/* Versions of runtimes, as texts in files. */
#ifndef USTACK_USER_LANG_VERSION_H
#define USTACK_USER_LANG_VERSION_H

#include "core.h"

/**
 * lang_version_parse() - "8.2.36-dev" is 0x08022400
 * @s: the first digit
 * @end: one behind the last byte that there is
 *
 * Return: 0 if it is no version of three numbers below 256.
 */
u32 lang_version_parse(const u8 *s, const u8 *end);

#endif /* USTACK_USER_LANG_VERSION_H */
