// SPDX-License-Identifier: GPL-2.0-only
/* Strings, growing arrays and fatal errors (util.h). Memory is never freed. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

#define BUCKETS 4096

struct name {
	struct name *next;
	char text[];
};

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("chaincheck: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(2);
}

const char *intern(const char *text)
{
	static struct name *table[BUCKETS];
	struct name **bucket, *name;
	unsigned int hash = 5381;
	size_t i, length = strlen(text);

	for (i = 0; i < length; i++)
		hash = hash * 33 + (unsigned char)text[i];
	bucket = &table[hash % BUCKETS];
	for (name = *bucket; name; name = name->next)
		if (!strcmp(name->text, text))
			return name->text;
	name = malloc(sizeof(*name) + length + 1);
	if (!name)
		die("out of memory");
	memcpy(name->text, text, length + 1);
	name->next = *bucket;
	*bucket = name;
	return name->text;
}

void *grow(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	if (count == 0)
		count = 1;
	else
		count *= 2;
	array = realloc(array, count * size);
	if (!array)
		die("out of memory");
	return array;
}

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	/* "//anon" is a name that perf makes up */
	if (path[0] == '/' && path[1] == '/')
		return path;
	return slash ? slash + 1 : path;
}
