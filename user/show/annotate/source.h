/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/show/annotate: lines of source files. */
#ifndef USTACK_USER_ANNOTATE_SOURCE_H
#define USTACK_USER_ANNOTATE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a source file; what is larger is not shown. */
#define SOURCE_MAX_BYTES (32u << 20)
/* Files that are looked for. */
#define SOURCE_MAX_FILES 4096u

struct sources;

/**
 * sources_new() - begin
 * @dir: is searched for a file by its path and by its name where its own path has none; NULL is none
 * @note: is told once of each file that is missing; may be NULL
 * @arg: for @note
 *
 * Return: released by sources_free(); NULL without memory.
 */
struct sources *sources_new(const char *dir, void (*note)(const char *text, void *arg), void *arg);
void sources_free(struct sources *s);

/* For _cleanup_(). */
static inline void sources_cleanup(struct sources **s)
{
	sources_free(*s);
}

/**
 * sources_line() - a line
 * @s: the sources
 * @path: as debug information has it: any bytes. Only regular files are read
 * @line: from 1 on
 * @newer_than: CLOCK_REALTIME in nanoseconds: a file that was written to later gets a note; 0 for
 *              none
 * @len: of the line, without its newline
 *
 * Return: not terminated, good until sources_free(); NULL if it is not there.
 */
const char *sources_line(struct sources *s, const char *path, uint32_t line, uint64_t newer_than,
			 size_t *len);

#endif /* USTACK_USER_ANNOTATE_SOURCE_H */
