/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stands for a store where a test is of those who ask it: windows in memory, and
 * user/serve/store/query.h done in the plainest way. Selectors are KEY="VALUE", KEY!="VALUE" and,
 * by POSIX' expressions, KEY=~"REGEX", with the escapes \" and \\ and nothing else.
 */
#ifndef USTACK_TESTS_WEB_DOUBLE_H
#define USTACK_TESTS_WEB_DOUBLE_H

#include "profile/profile.h"

/* Owned by the double from here on. */
void double_append(struct profile *window);
void double_clear(void);
/* Every query fails with it; 0 for none. */
void double_fail(int err);

#endif /* USTACK_TESTS_WEB_DOUBLE_H */
