/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes the table of code that a process made, from the CFI of the function that it is a part of. */
#ifndef USTACK_USER_SUPPLY_MADE_H
#define USTACK_USER_SUPPLY_MADE_H

#include "host/process/made_code.h"
#include "supply/code.h"

/**
 * made_code_table() - make the table of made code
 * @made: the code, with all answers
 * @cache: cache of sections; NULL for none
 *
 * The rule is that of the function's body: the one that most of its bytes have. Code that never
 * changes gets rows of its own, see sframe/synth_stubs.h. Addresses of the table are offsets in
 * the shared memory.
 *
 * Return: the table, released by free(); NULL if there is none: nothing
 * proves where SP is in the function's body, or there is no memory.
 */
struct code *made_code_table(const struct made_code *made, const struct cache *cache);

#endif /* USTACK_USER_SUPPLY_MADE_H */
