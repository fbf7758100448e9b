/* SPDX-License-Identifier: GPL-2.0-only */
/* Sights: processes that samples meet for the first time; see ustack_learn_sight(). */
#ifndef USTACK_SIGHTS_H
#define USTACK_SIGHTS_H

void ustack_sights_init(void);

/*
 * Waits for interrupts that samples have asked for, and for their work. Jobs of
 * that work may still be queued. Context: process.
 */
void ustack_sights_exit(void);

#endif /* USTACK_SIGHTS_H */
