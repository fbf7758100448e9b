/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the program in the guest; main.c runs each in its own process. */
#ifndef PRICE_H
#define PRICE_H

#include <stdint.h>

/* CLOCK_MONOTONIC; in a guest with -icount shift=0 it counts instructions. */
uint64_t price_ns(void);

/*
 * Measures each operation for about @ms in this process, with @mappings more mappings of code
 * than it began with. Prints "PREFIX op MAPPINGS NAME: NS".
 */
void price_subject(const char *prefix, unsigned int mappings, unsigned int ms);

/*
 * Measures the module's memory for a process, a mapping and an image. Prints "bytes WHAT:
 * NUMBER".
 */
void price_memory(void);

/*
 * Runs each loop in @processes processes at once for @ms. Prints "PREFIX loop PROCESSES NAME:
 * RATE", in runs per second of all processes together.
 */
void price_contend(const char *prefix, unsigned int processes, unsigned int ms);
/*
 * One of these processes: writes a byte to stdout, waits for a byte on stdin, runs loop @n for
 * @ms, and writes the number of runs.
 */
void price_contend_one(unsigned int n, unsigned int ms);

#endif
