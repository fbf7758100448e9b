/* SPDX-License-Identifier: GPL-2.0-only */
/* Gets labels as texts, for selectors and for label sets in ClickHouse. */
#ifndef USTACK_USER_STORE_SELECTOR_H
#define USTACK_USER_STORE_SELECTOR_H

#include "profile/profile.h"

/* Bytes of the longest number as text, with its NUL. */
#define STORE_NUMBER_TEXT 24

/*
 * Return: the text of the first label with that key in a label set; NULL if there is none. That of
 * a number is written to @buf.
 */
const char *store_labels_text(const struct profile *p, uint32_t labels, const char *key,
			      char buf[STORE_NUMBER_TEXT]);

#endif /* USTACK_USER_STORE_SELECTOR_H */
