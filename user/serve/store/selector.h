/* SPDX-License-Identifier: GPL-2.0-only */
/* Labels as texts: those of selectors, and of sets of labels in clickhouse. */
#ifndef USTACK_USER_STORE_SELECTOR_H
#define USTACK_USER_STORE_SELECTOR_H

#include "profile/profile.h"

/* Room for a number as text. */
#define STORE_NUMBER_TEXT 24

/* Return: the text of a label; a number's is in @buf. */
const char *store_label_text(const struct profile *p, const struct profile_label *l,
			     char buf[STORE_NUMBER_TEXT]);

/* The same of the first label with that key in a set, or NULL. */
const char *store_labels_text(const struct profile *p, uint32_t labels, const char *key,
			      char buf[STORE_NUMBER_TEXT]);

#endif /* USTACK_USER_STORE_SELECTOR_H */
