/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/supply/tables: numbers and tables of files that no process has mapped any more are
 * given back, and tables are moved together so that there is room behind them.
 */
#ifndef USTACK_USER_TABLES_COLLECT_H
#define USTACK_USER_TABLES_COLLECT_H

#include "supply/tables/answer.h"

/* Gives back what nobody has mapped. Return: 0, or a negative errno with nothing lost. */
int collect(struct answers *a);

/* Moves the tables of one bin together. Return: whether there is more room now. */
bool collect_move(struct answers *a);

#endif /* USTACK_USER_TABLES_COLLECT_H */
