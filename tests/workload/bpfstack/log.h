/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that happened, as text with a time, to be printed in order of
 * time at the end: samples and mappings come by different ways.
 */
#ifndef BPFSTACK_LOG_H
#define BPFSTACK_LOG_H

#include <stdio.h>

void die(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* write an entry: log_open(), fprintf() to what it returns, log_close() */
FILE *log_open(unsigned long long time);
void log_close(void);

void log_print(FILE *to);

#endif
