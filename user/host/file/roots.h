/* SPDX-License-Identifier: GPL-2.0-only */
/* The folders that processes have as their root: those of containers and chroots. */
#ifndef USTACK_USER_SUPPLY_ROOTS_H
#define USTACK_USER_SUPPLY_ROOTS_H

#include <stdbool.h>

/**
 * supply_roots_each() - visit them, each once, apart from this process's own
 * @visit: gets a handle of the folder, which is closed after it; returns true to end
 * @arg: for @visit
 *
 * Processes come and go meanwhile, and not all may be looked at: what is visited is what
 * can be had.
 */
void supply_roots_each(bool (*visit)(int root, void *arg), void *arg);

#endif /* USTACK_USER_SUPPLY_ROOTS_H */
