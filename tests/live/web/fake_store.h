/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A test double for the store, for tests of code that queries it: windows in memory, and a simple
 * implementation of user/serve/store/query.h. Selectors are KEY="VALUE", KEY!="VALUE", KEY=~"REGEX"
 * and KEY!~"REGEX" with POSIX' expressions; the only escapes are \" and \\.
 */
#ifndef USTACK_TESTS_WEB_FAKE_STORE_H
#define USTACK_TESTS_WEB_FAKE_STORE_H

#include "profile/profile.h"

/* Adds a window, which the double owns from here on. */
void fake_store_append(struct profile *window);
/* Removes all windows and the failure. */
void fake_store_clear(void);
/* Makes every query fail with @err; 0 for no failure. */
void fake_store_fail(int err);

#endif /* USTACK_TESTS_WEB_FAKE_STORE_H */
