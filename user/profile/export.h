/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles in the forms that other tools take. */
#ifndef USTACK_USER_PROFILE_EXPORT_H
#define USTACK_USER_PROFILE_EXPORT_H

#include "profile/profile.h"
#include "util/diag.h"

/*
 * To add a form:
 *   1. its name in enum export_format, and its line in formats[] (export.c), which owns its name, the
 *      name of its file, whether it is JSON, and whether it has times;
 *   2. user/profile/export_NAME.c: an export_writer of export_text.h;
 *   3. ustack-export(1), ustack-query(1), http-api.md and CHANGELOG.md;
 *   4. tests/cli/68-export.sh, and tests/profile: a reader that shares no code with it.
 */

struct moments;

/* Samples of forms that have them one by one. */
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
	 * with the value as its period. Without moments the time of a block is the sum of the same
	 * thread's blocks before it, see ustack-export(1). A profile has no offsets in functions
	 */
	EXPORT_PERF,
	/* the Firefox Profiler's processed profile, version 60 (docs-developer/CHANGELOG-formats.md
	 * of firefox-devtools/profiler); times as those of EXPORT_PERF
	 */
	EXPORT_FIREFOX,
	/* Chrome's trace events: a V8 CPU profile for each thread ("Profile", "ProfileChunk"), which
	 * Chrome's DevTools, Perfetto and speedscope read; times likewise
	 */
	EXPORT_CHROME,
	/* pprof.h */
	EXPORT_PPROF,
	EXPORT_NR,
};

/* Names of the formats, for option tables. Return: the @i'th; NULL after the last. */
const char *export_format_word(unsigned int i);
/* "perf-script" is another name of "perf". Return: whether there is such a format. */
bool export_format_find(const char *name, enum export_format *ret);

/* The name that a file of the format has. */
const char *export_format_file(enum export_format format);
/* Whether it has the time of each sample. */
bool export_format_has_times(enum export_format format);
/* Whether it is JSON; else it is text, but for EXPORT_PPROF. */
bool export_format_is_json(enum export_format format);

/**
 * struct export_options - what is written
 * @format: enum export_format
 * @value: index of the value type that is counted; EXPORT_PPROF has all of them
 * @moments: when samples were taken, in ascending order of time; NULL, or none, where that is not known
 */
struct export_options {
	enum export_format format;
	uint32_t value;
	const struct moments *moments;
};

/**
 * export_save() - write a profile
 * @p: without a sticking error
 * @o: how
 * @path: as pprof_save() has it
 * @diag: may be NULL
 *
 * Return: 0; -ERANGE for a sample with a negative value, which no form but EXPORT_PPROF
 * has a place for; -EFBIG for more than EXPORT_MAX_BLOCKS; another negative errno.
 */
int export_save(const struct profile *p, const struct export_options *o, const char *path,
		struct diag *diag);

/* The same to a descriptor that is open for writing. */
int export_write(const struct profile *p, const struct export_options *o, int fd,
		 struct diag *diag);

#endif /* USTACK_USER_PROFILE_EXPORT_H */
