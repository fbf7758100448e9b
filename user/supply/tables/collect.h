/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/supply/tables: frees numbers and tables of files that no process has mapped any
 * more, and compacts bins so that there is room at their end.
 */
#ifndef USTACK_USER_TABLES_COLLECT_H
#define USTACK_USER_TABLES_COLLECT_H

#include "supply/tables/answer.h"

/* Frees numbers and tables of files that nobody has mapped. Return: 0, or a negative errno with nothing lost. */
int collect(struct answers *a);

/* Compacts one bin. Return: whether there is more room now. */
bool collect_move(struct answers *a);

#endif /* USTACK_USER_TABLES_COLLECT_H */
