/* SPDX-License-Identifier: GPL-2.0-only */
/* Version numbers of language runtimes, as texts in files. */
#ifndef USTACK_USER_LANG_VERSION_H
#define USTACK_USER_LANG_VERSION_H

#include "core.h"

/**
 * lang_version_parse() - parse a version: "8.2.36-dev" is 0x08022400
 * @s: first digit of the version
 * @end: one past the last readable byte
 *
 * Return: the version; 0 if it is not three numbers below 256.
 */
u32 lang_version_parse(const u8 *s, const u8 *end);

#endif /* USTACK_USER_LANG_VERSION_H */
