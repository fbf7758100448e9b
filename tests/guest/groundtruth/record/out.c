// SPDX-License-Identifier: GPL-2.0-only
/* Writes the record file (out.h). */
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out.h"

#ifdef __x86_64__
#define MACHINE EM_X86_64
#else
#define MACHINE EM_AARCH64
#endif

static FILE *file;

void die(const char *format, ...)
{
	va_list ap;

	fputs("gt-record: ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

static void put(const void *data, size_t len)
{
	if (len && fwrite(data, len, 1, file) != 1)
		die("writing the record: %s", strerror(errno));
}

void out_open(const char *path)
{
	struct gt_file head = { .version = GT_VERSION, .machine = MACHINE };

	file = fopen(path, "we");
	if (!file)
		die("%s: %s", path, strerror(errno));
	setvbuf(file, NULL, _IOFBF, 1 << 20);
	memcpy(head.magic, GT_MAGIC, 8);
	put(&head, sizeof(head));
}

void out_close(void)
{
	if (fclose(file))
		die("writing the record: %s", strerror(errno));
}

void out_chunk(struct gt_chunk *h, size_t head, enum gt_type type,
	       unsigned int stream, const struct out_part *parts,
	       unsigned int count)
{
	static const char zero[8];
	size_t size = head;
	unsigned int i;

	for (i = 0; i < count; i++)
		size += (parts[i].len + 7) & ~(size_t)7;
	if (size > UINT32_MAX)
		die("a file of more than 4 GB cannot be recorded");
	h->size = size;
	h->type = type;
	h->stream = stream;
	put(h, head);
	for (i = 0; i < count; i++) {
		put(parts[i].data, parts[i].len);
		put(zero, -parts[i].len & 7);
	}
}
