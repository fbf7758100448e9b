/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies of a target's options, which its thread uses. push.h has the struct and the check. */
#ifndef USTACK_USER_PUSH_OPTIONS_H
#define USTACK_USER_PUSH_OPTIONS_H

#include "serve/push/push.h"

#define PUSH_NAME_BYTES 64u

/* Copy everything that @from points to, and set defaults. Return: 0 or -ENOMEM. */
int push_options_copy(struct push_options *to, const struct push_options *from);
/* Release a copy; it may be all zeros. */
void push_options_release(struct push_options *o);

#endif /* USTACK_USER_PUSH_OPTIONS_H */
