/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's memory after each cycle of the soak program, and whether it grows. */
#ifndef MEMORY_H
#define MEMORY_H

#define CYCLES_MOST 100
#define CYCLES_LEAST 6		/* minimum number of cycles; fewer cannot show growth */

/* Measures the kernel's memory after cycle @n, the first is 0, and prints it. The machine must be quiet. */
void memory_take(unsigned int n);
/*
 * Takes the figures from the output of another run instead, which memory_take() printed. Return: the
 * number of cycles.
 */
unsigned int memory_load(const char *path);
/* Makes checks: no figure grows in the last two thirds of the cycles. Says which slab caches grew. */
void memory_judge(unsigned int cycles);

#endif
