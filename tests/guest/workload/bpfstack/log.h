/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All events as text with a time, printed in order of time at the end, because samples and
 * mappings arrive in different ways.
 */
#ifndef BPFSTACK_LOG_H
#define BPFSTACK_LOG_H

#include <stdio.h>

void die(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* To write an entry, call log_open(), fprintf() to the returned stream, then log_close(). */
FILE *log_open(unsigned long long time);
void log_close(void);

void log_print(FILE *to);

#endif
