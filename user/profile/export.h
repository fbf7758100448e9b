/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles in the forms that other tools take. */
#ifndef USTACK_USER_PROFILE_EXPORT_H
#define USTACK_USER_PROFILE_EXPORT_H

#include "profile/profile.h"
#include "util/diag.h"

/* Blocks of EXPORT_PERF. */
#define EXPORT_MAX_BLOCKS (1u << 24)

enum export_format {
	/* "command;outermost;...;innermost COUNT" a line, sorted by nothing: flamegraph.pl,
	 * speedscope, inferno. In names, ';' is ':' and a control character '?'
	 */
	EXPORT_FOLDED,
	/* https://www.speedscope.app/file-format-schema.json, one "sampled" profile */
	EXPORT_SPEEDSCOPE,
	/* perf script's text: a block each time that a sample was met, as its readers count
	 * blocks: of a value that is a "count", or of the period's unit. Others have one block
	 * with the value as its period. A profile has no times and no offsets in functions:
	 * the time of a block is the sum of the same thread's blocks before it, see
	 * ustack-export(1), and offsets are left out
	 */
	EXPORT_PERF,
	/* pprof.h */
	EXPORT_PPROF,
	EXPORT_NR,
};

/* Names of the formats, for option tables. Return: the @i'th; NULL after the last. */
const char *export_format_word(unsigned int i);
/* "perf-script" is another name of "perf". Return: whether there is such a format. */
bool export_format_find(const char *name, enum export_format *ret);

/**
 * export_save() - write a profile
 * @p: without a sticking error
 * @format: the form
 * @value: index of the value type that is counted; EXPORT_PPROF has all of them
 * @path: as pprof_save() has it
 * @diag: may be NULL
 *
 * Return: 0; -ERANGE for a sample with a negative value, which no form but EXPORT_PPROF
 * has a place for; -EFBIG for more than EXPORT_MAX_BLOCKS; another negative errno.
 */
int export_save(const struct profile *p, enum export_format format, uint32_t value,
		const char *path, struct diag *diag);

/* The same to a descriptor that is open for writing. */
int export_write(const struct profile *p, enum export_format format, uint32_t value, int fd,
		 struct diag *diag);

#endif /* USTACK_USER_PROFILE_EXPORT_H */
