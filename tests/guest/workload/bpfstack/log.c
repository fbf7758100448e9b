// SPDX-License-Identifier: GPL-2.0-only
/* Collects the entries and prints them in order of time (log.h). */
#include <stdarg.h>
#include <stdlib.h>

#include "log.h"

struct entry {
	unsigned long long time;
	size_t number;		/* keeps the order of entries with the same time */
	char *text;
	size_t length;
};

static struct entry *entries;
static size_t count;
static FILE *open_entry;

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("bpfstack: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(2);
}

FILE *log_open(unsigned long long time)
{
	static size_t room;
	struct entry *entry;

	if (count == room) {
		room = room ? 2 * room : 1024;
		entries = realloc(entries, room * sizeof(*entries));
		if (!entries)
			die("out of memory");
	}
	entry = &entries[count];
	*entry = (struct entry){ .time = time, .number = count };
	open_entry = open_memstream(&entry->text, &entry->length);
	if (!open_entry)
		die("out of memory");
	return open_entry;
}

void log_close(void)
{
	/*
	 * memstream reports the address of the text only now, relative to its address at the
	 * opening of the
	 * entry: nothing may grow in between.
	 */
	fclose(open_entry);
	count++;
}

static int order(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

void log_print(FILE *to)
{
	size_t i;

	qsort(entries, count, sizeof(*entries), order);
	for (i = 0; i < count; i++)
		fwrite(entries[i].text, 1, entries[i].length, to);
}
