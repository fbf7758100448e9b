/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes profiles in the formats of other tools. */
#ifndef USTACK_USER_PROFILE_EXPORT_H
#define USTACK_USER_PROFILE_EXPORT_H

#include "profile/profile.h"
#include "util/diag.h"

/*
 * To add a format:
 *   1. its name in enum export_format, and its line in formats[] (export.c),
 *      which has its name, the name of its file, whether it is JSON, and whether
 *      it has times;
 *   2. user/profile/export_NAME.c: an export_writer of export_text.h;
 *   3. ustack-export(1), ustack-query(1), http-api.md and CHANGELOG.md;
 *   4. tests/live/cli/68-export.sh, and tests/judge/profile: a reader that shares no code with it.
 */

struct moments;

/* Limit for samples in formats that list them one by one. */
#define EXPORT_MAX_BLOCKS (1u << 24)

enum export_format {
	/*
	 * a line "command;outermost;...;innermost COUNT" for each stack, not
	 * sorted: for flamegraph.pl, speedscope, inferno. In names ';' becomes
	 * ':', a control character '?'
	 */
	EXPORT_FOLDED,
	/*
	 * https://www.speedscope.app/file-format-schema.json, one "sampled"
	 * profile
	 */
	EXPORT_SPEEDSCOPE,
	/*
	 * perf script's text, whose readers count blocks. A value that is a
	 * "count", or has the period's unit, has a block for each time that the
	 * sample was met. Other values have one block, with the value as its
	 * period. Without moments the time of a block is the sum of the same
	 * thread's blocks before it, see ustack-export(1). Offsets in functions
	 * are missing: a profile has none
	 */
	EXPORT_PERF,
	/*
	 * the Firefox Profiler's processed profile, version 60
	 * (docs-developer/CHANGELOG-formats.md of firefox-devtools/profiler);
	 * times as in EXPORT_PERF
	 */
	EXPORT_FIREFOX,
	/*
	 * Chrome's trace events: a V8 CPU profile for each thread ("Profile",
	 * "ProfileChunk"), for Chrome's DevTools, Perfetto and speedscope;
	 * times as in EXPORT_PERF
	 */
	EXPORT_CHROME,
	/* see pprof.h */
	EXPORT_PPROF,
	EXPORT_NR,
};

/* Names of the formats, for option tables. Return: the @i'th; NULL after the last. */
const char *export_format_word(unsigned int i);
/*
 * "perf-script" is another name for "perf". Return: whether there is such a
 * format.
 */
bool export_format_find(const char *name, enum export_format *ret);

/* Return: the usual name of a file in this format. */
const char *export_format_file(enum export_format format);
/* Return: whether the format has the time of each sample. */
bool export_format_has_times(enum export_format format);
/* Return: whether it is JSON; the others are text, except EXPORT_PPROF. */
bool export_format_is_json(enum export_format format);

/**
 * struct export_options - what to write
 * @format: enum export_format
 * @value: index of the value type to write; EXPORT_PPROF has all of them
 * @moments: times of samples, sorted; NULL or empty if not known
 */
struct export_options {
	enum export_format format;
	uint32_t value;
	const struct moments *moments;
};

/**
 * export_save() - write a profile
 * @p: without an error
 * @o: what to write
 * @path: see pprof_save()
 * @diag: may be NULL
 *
 * Return: 0; -ERANGE for a sample with a negative value, which only
 * EXPORT_PPROF can have; -EFBIG for more than EXPORT_MAX_BLOCKS samples;
 * another negative errno.
 */
int export_save(const struct profile *p, const struct export_options *o, const char *path,
		struct diag *diag);

/* Does the same to a descriptor that is open for writing. */
int export_write(const struct profile *p, const struct export_options *o, int fd,
		 struct diag *diag);

#endif /* USTACK_USER_PROFILE_EXPORT_H */
