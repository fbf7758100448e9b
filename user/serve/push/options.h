/* SPDX-License-Identifier: GPL-2.0-only */
/* A target's options, as its thread has them. */
#ifndef USTACK_USER_PUSH_OPTIONS_H
#define USTACK_USER_PUSH_OPTIONS_H

#include "serve/push/push.h"

#define PUSH_NAME_BYTES 64u

/* Copies all that @from points to, with the defaults. Return: 0 or -ENOMEM. */
int push_options_copy(struct push_options *to, const struct push_options *from);
/* Of a copy; all zeros is one. */
void push_options_release(struct push_options *o);

#endif /* USTACK_USER_PUSH_OPTIONS_H */
