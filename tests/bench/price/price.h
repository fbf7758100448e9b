/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the guest's program; main.c runs each in its own process. */
#ifndef PRICE_H
#define PRICE_H

#include <stdint.h>

/* CLOCK_MONOTONIC: in a guest with -icount shift=0, instructions. */
uint64_t price_ns(void);

/*
 * Time each operation for about @ms in this process, with @mappings more
 * mappings of code than it began with. Prints "PREFIX op MAPPINGS NAME: NS".
 */
void price_subject(const char *prefix, unsigned int mappings, unsigned int ms);

/*
 * The module's memory for a process, a mapping and an image. Prints
 * "bytes WHAT: NUMBER".
 */
void price_memory(void);

/*
 * Run each loop in @processes processes at once for @ms. Prints
 * "PREFIX loop PROCESSES NAME: RATE", in runs a second of them all.
 */
void price_contend(const char *prefix, unsigned int processes, unsigned int ms);
/*
 * One of these processes: write a byte to stdout, wait for one on stdin, run
 * loop @n for @ms, write how often it ran.
 */
void price_contend_one(unsigned int n, unsigned int ms);

#endif
