/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The known functions of the program; each of their files is linked to another place in the
 * text.
 */
#ifndef COLD_H
#define COLD_H

#include "workload.h"

/* Number of frames of cold_even() and cold_odd() on the stack, minus one; even. */
#define COLD_DEPTH 10

int cold_even(int n);
int cold_odd(int n);

#endif
