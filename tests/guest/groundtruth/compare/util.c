// SPDX-License-Identifier: GPL-2.0-only
/* Allocation that cannot fail, and the end of the program with a message (util.h). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util.h"

void die(const char *format, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("gt-compare: ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		die("no memory");
	return p;
}

void *xrealloc(void *p, size_t size)
{
	p = realloc(p, size);
	if (!p)
		die("no memory");
	return p;
}
