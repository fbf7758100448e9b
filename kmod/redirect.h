/* SPDX-License-Identifier: GPL-2.0-only */
/* Redirect: the two functions of the kernel that we answer instead of. */
#ifndef USTACK_REDIRECT_H
#define USTACK_REDIRECT_H

#include <linux/types.h>

extern bool ustack_enabled;	/* module parameter: the kill switch */

/**
 * ustack_redirect_start() - take over user callchains
 *
 * A conflict is said in words and is no error: the module still serves its
 * device, and the kernel's own callchains stay.
 *
 * Context: process, may sleep.
 */
void ustack_redirect_start(void);

/* Gives them back. After return no CPU and no task is inside our functions.
 * Context: process, may sleep.
 */
void ustack_redirect_stop(void);

/* USTACK_HOOK_* of those in place. */
u32 ustack_redirect_bits(void);

#endif /* USTACK_REDIRECT_H */
