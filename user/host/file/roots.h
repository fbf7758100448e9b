/* SPDX-License-Identifier: GPL-2.0-only */
/* The root folders of other processes: those of containers and chroots. */
#ifndef USTACK_USER_SUPPLY_ROOTS_H
#define USTACK_USER_SUPPLY_ROOTS_H

#include <stdbool.h>

/**
 * supply_roots_each() - visit each root folder once, except this process's own
 * @visit: gets a descriptor of the folder, which is closed afterwards; returns true to
 *         end
 * @arg: passed to @visit
 *
 * Processes start and end meanwhile, and some may not be inspected: only those roots are
 * visited that can be opened.
 */
void supply_roots_each(bool (*visit)(int root, void *arg), void *arg);

#endif /* USTACK_USER_SUPPLY_ROOTS_H */
