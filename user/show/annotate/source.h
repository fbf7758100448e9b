/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/show/annotate: reads lines of source files. */
#ifndef USTACK_USER_ANNOTATE_SOURCE_H
#define USTACK_USER_ANNOTATE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

/* Limit for the size of a source file; larger ones are not shown. */
#define SOURCE_MAX_BYTES (32u << 20)
/* Limit for the number of files. */
#define SOURCE_MAX_FILES 4096u

struct sources;

/**
 * sources_new() - create an empty set
 * @dir: folder in which files are searched, by their path and by their name,
 *	that are not at their own path; NULL is none
 * @note: gets a text once for each file that is missing or newer; may be NULL
 * @arg: passed to @note
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
 * sources_line() - get a line
 * @s: the sources
 * @path: path as in debug information: any bytes. Only regular files are read
 * @line: number of the line, from 1 on
 * @newer_than: CLOCK_REALTIME nanoseconds: for a file that was written later
 *	@note gets a text; 0 to not check that
 * @len: gets the length of the line, without its newline
 *
 * Return: the line, without NUL, valid until sources_free(); NULL if it does
 * not exist.
 */
const char *sources_line(struct sources *s, const char *path, uint32_t line, uint64_t newer_than,
			 size_t *len);

#endif /* USTACK_USER_ANNOTATE_SOURCE_H */
