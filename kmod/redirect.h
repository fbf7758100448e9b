/* SPDX-License-Identifier: GPL-2.0-only */
/* Redirect: replaces two functions of the kernel by ours. */
#ifndef USTACK_REDIRECT_H
#define USTACK_REDIRECT_H

#include <linux/types.h>

extern bool ustack_enabled;	/* module parameter: the kill switch */

/**
 * ustack_redirect_start() - take over user callchains
 *
 * A conflict is reported in the kernel log and is no error: the module still
 * serves its device, and the kernel's own callchains stay.
 *
 * Context: process, may sleep.
 */
void ustack_redirect_start(void);

/*
 * Ends the redirections. After return no CPU and no task is inside our
 * functions. Context: process, may sleep.
 */
void ustack_redirect_stop(void);

/* Return: USTACK_HOOK_* of the redirections in place. */
u32 ustack_redirect_bits(void);

#endif /* USTACK_REDIRECT_H */
