/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile in memory: stacks, what was counted of them, and what is known of the
 * addresses in them. The recorder fills it, the symbolizer adds names, pprof.h reads and
 * writes it, calltree.h makes what is shown of it.
 *
 *	p = profile_new();
 *	cpu = profile_value_type(p, "cpu", "nanoseconds");
 *	m = profile_mapping(p, &(struct profile_mapping){ ... });
 *	s = profile_stack(p, 0, profile_location(p, m, addr));		outermost first
 *	s = profile_stack(p, s, profile_location(p, m, addr2));
 *	profile_add(p, s, labels, values);
 *	if (profile_error(p)) ...
 *
 * Everything is kept once and has a number; number 0 is nothing: the empty string, no
 * mapping, no function, the empty stack, no labels. Numbers are handed out in ascending
 * order and stay valid until profile_free() (of stacks and labels: until
 * profile_forget_samples()), as do strings; pointers into the arrays are
 * valid until something is added to the same array.
 *
 * Failure to allocate sticks: the call gives 0, further calls change nothing, and
 * profile_error() says so. So a builder looks once, at the end.
 *
 * Context: one thread at a time for each profile.
 */
#ifndef USTACK_USER_PROFILE_H
#define USTACK_USER_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Values of a sample; pprof's own profiles have up to four. */
#define PROFILE_MAX_VALUES 8u
/* Labels of a sample that are kept. */
#define PROFILE_MAX_LABELS 64u

/**
 * struct profile_value_type - what one value of every sample counts
 * @type: string, such as "cpu"
 * @unit: string, such as "nanoseconds"
 */
struct profile_value_type {
	uint32_t type;
	uint32_t unit;
};

/**
 * struct profile_mapping - a file, or what takes the place of one
 * @start: first address. Addresses of locations are link-time addresses where the file
 *         is known (see profile_location()), and then so is this
 * @limit: first address behind it
 * @offset: in the file, of what is at @start
 * @file: string, path or "[kernel.kallsyms]", "[vdso]", "[jit:PID]", "[anon]"
 * @build_id: string, hexadecimal in lower case, or 0
 */
struct profile_mapping {
	uint64_t start;
	uint64_t limit;
	uint64_t offset;
	uint32_t file;
	uint32_t build_id;
};

/**
 * struct profile_function - a function of the source
 * @name: string, as people read it
 * @system_name: string, as the linker has it; may be the same
 * @file: string, path of the source, or 0
 * @start_line: of its definition, 0 if that is not known
 */
struct profile_function {
	uint32_t name;
	uint32_t system_name;
	uint32_t file;
	uint32_t start_line;
};

/**
 * struct profile_line - one function at a location
 * @function: 0 is not allowed
 * @line: in its file, 0 if that is not known
 */
struct profile_line {
	uint32_t function;
	uint32_t line;
};

/**
 * struct profile_location - an address in a mapping
 * @address: see profile_location()
 * @mapping: 0 if there is none
 * @first_line: in struct profile's @lines: innermost inlined function first, then what
 *              it was inlined into
 * @nr_lines: 0 while nothing is known
 */
struct profile_location {
	uint64_t address;
	uint32_t mapping;
	uint32_t first_line;
	uint32_t nr_lines;
};

/**
 * struct profile_frame - a stack: a frame and the stack that called it
 * @parent: stack of the callers, 0 if this is outermost
 * @location: of this frame
 * @depth: frames, this one included
 *
 * Every parent has a lower number than what it calls.
 */
struct profile_frame {
	uint32_t parent;
	uint32_t location;
	uint32_t depth;
};

/**
 * struct profile_label - one label of a sample
 * @key: string
 * @str: string, or 0 if it is a number
 * @unit: string, of @num; 0 is none
 * @num: if @str is 0
 */
struct profile_label {
	uint32_t key;
	uint32_t str;
	uint32_t unit;
	int64_t num;
};

/**
 * struct profile_labels - a set of labels
 * @first: in struct profile's @label
 * @nr: of them, in ascending order of key, then as they came
 */
struct profile_labels {
	uint32_t first;
	uint32_t nr;
};

/**
 * struct profile_sample - what was counted of one stack with one set of labels
 * @stack: innermost frame's
 * @labels: set
 * @value: one for each value type
 */
struct profile_sample {
	uint32_t stack;
	uint32_t labels;
	int64_t value[PROFILE_MAX_VALUES];
};

/**
 * struct profile - to be read by anyone, changed by the functions below alone
 *
 * Arrays have the element number 0, which is empty, but for @value_types, @samples,
 * @lines and @label, which start with their first element. nr_* counts it.
 *
 * @time_ns: when it began, since 1970; @duration_ns: for how long; @period: @period_type
 * between two samples; @default_type: of @value_types, what is shown unless somebody
 * asks for another. These six, and @comment, may be set directly.
 */
struct profile {
	struct profile_value_type *value_types;
	struct profile_mapping *mappings;
	struct profile_function *functions;
	struct profile_location *locations;
	struct profile_line *lines;
	struct profile_frame *stacks;
	struct profile_label *label;
	struct profile_labels *labels;
	struct profile_sample *samples;
	uint32_t *comments;	/* strings */

	uint32_t nr_value_types;
	uint32_t nr_mappings;
	uint32_t nr_functions;
	uint32_t nr_locations;
	uint32_t nr_lines;
	uint32_t nr_stacks;
	uint32_t nr_label;
	uint32_t nr_labels;
	uint32_t nr_samples;
	uint32_t nr_comments;
	uint32_t nr_strings;

	uint64_t time_ns;
	uint64_t duration_ns;
	int64_t period;
	struct profile_value_type period_type;
	uint32_t default_type;

	struct profile_index *index;	/* private */
};

/* Return: released by profile_free(); NULL without memory. */
struct profile *profile_new(void);
void profile_free(struct profile *p);

/* For _cleanup_(). */
static inline void profile_cleanup(struct profile **p)
{
	profile_free(*p);
}

/* Return: 0, or -ENOMEM or -E2BIG (4 G of something): what sticks. */
int profile_error(const struct profile *p);

/* The number of a string, which is copied. NULL is "". */
uint32_t profile_string(struct profile *p, const char *s);
/* The same of bytes; those behind the first NUL are not kept. */
uint32_t profile_string_bytes(struct profile *p, const char *s, size_t len);
/* The string of a number. */
const char *profile_text(const struct profile *p, uint32_t string);

/* Return: index in @value_types; the same for the same words. -E2BIG sticks. */
uint32_t profile_value_type(struct profile *p, const char *type, const char *unit);

/* Of more samples: the earlier beginning, 0 is none, and the sum of lengths. */
void profile_add_time(struct profile *p, uint64_t time_ns, uint64_t duration_ns);
void profile_comment(struct profile *p, const char *text);

/* For comparing: other words for the file of a mapping, the source of a function, the text of an
 * element of @label. Nothing is added to @p from then on: equal ones are not found any more.
 */
void profile_rename_mapping(struct profile *p, uint32_t mapping, uint32_t file);
void profile_rename_source(struct profile *p, uint32_t function, uint32_t file);
void profile_rename_label(struct profile *p, uint32_t label, uint32_t text);

/* Return: number of the equal one that is there, or of a new one. */
uint32_t profile_mapping(struct profile *p, const struct profile_mapping *m);
uint32_t profile_function(struct profile *p, const struct profile_function *f);

/**
 * profile_location() - the number of an address
 * @p: the profile
 * @mapping: number
 * @address: link-time address where the mapping's file is known, so that two processes
 *           with the same file at different places share it
 *
 * Return: number of the equal one that is there, the first if their lines differ, or of a
 * new one without lines.
 */
uint32_t profile_location(struct profile *p, uint32_t mapping, uint64_t address);

/* Gives a location lines, in place of those it has. @lines may be of any profile but must
 * have this one's numbers.
 */
void profile_location_lines(struct profile *p, uint32_t location,
			    const struct profile_line *lines, uint32_t nr);

/**
 * profile_location_named() - the number of an address whose lines are known
 * @p: the profile
 * @mapping: number
 * @address: as above; 0 is an address that is not known, as other producers write it, and
 *           their locations differ by lines alone
 * @lines: of this profile's numbers; may be its own array
 * @nr: of them, 0 for none
 *
 * An equal address that has no lines gets them, and without lines an equal address is
 * equal, unless it is 0. So one address has several numbers only if it has several names.
 *
 * Return: number of the equal one that is there, or of a new one.
 */
uint32_t profile_location_named(struct profile *p, uint32_t mapping, uint64_t address,
				const struct profile_line *lines, uint32_t nr);

/* The stack of a frame at @location that @parent called. */
uint32_t profile_stack(struct profile *p, uint32_t parent, uint32_t location);

/* The set of labels; @label is in any order. Return: its number. */
uint32_t profile_labels(struct profile *p, const struct profile_label *label,
			uint32_t nr);
/* The string of label @key in set @labels, or NULL; numbers are no strings. */
const char *profile_label_text(const struct profile *p, uint32_t labels,
			       const char *key);

/**
 * profile_add() - count
 * @p: the profile
 * @stack: number; 0 is a sample without a stack
 * @labels: number of a set
 * @value: one for each value type; added to what is there of the same stack and labels
 */
void profile_add(struct profile *p, uint32_t stack, uint32_t labels,
		 const int64_t *value);

/* Forgets all samples, and the stacks and sets of labels, whose numbers mean nothing any more
 * and are handed out again; their memory is kept for the next ones. All else stays as it is.
 */
void profile_forget_samples(struct profile *p);

/* Adds all that @from has, by words, not numbers. Value types are found by name: those
 * that @p lacks are added; locations as by profile_location_named(). The earliest time, the
 * sum of durations, and @p's period and default type if it has them. Sticks on failure.
 */
void profile_merge(struct profile *p, const struct profile *from);

/* The same with all values times @num / @den (not 0), rounded towards 0, which stay at the
 * largest number if they do not fit. With less than 1, samples that are nothing then are left
 * out, and so is what only they have: a sum that decays does not grow for ever.
 */
void profile_merge_scaled(struct profile *p, const struct profile *from, uint32_t num,
			  uint32_t den);

/**
 * profile_merge_samples() - the same with other samples in place of those that @from has
 * @p: gets them
 * @from: has stacks, locations and value types of them
 * @samples: not NULL; @stack of @from's numbers, @labels of @p's; all values 0 is left out
 * @nr: of @samples
 *
 * What none of them needs is left out, and so are comments.
 */
void profile_merge_samples(struct profile *p, const struct profile *from,
			   const struct profile_sample *samples, uint32_t nr);

/* What stands in front of samples, as profile_merge() adds it: times, period, default type and
 * comments, no value types.
 */
void profile_merge_head(struct profile *p, const struct profile *from);

/* Labels that ustack's own profiles have. pprof's tools know "thread" by this name. */
#define PROFILE_LABEL_PID "pid"			/* number */
#define PROFILE_LABEL_TID "tid"			/* number, if asked for */
#define PROFILE_LABEL_THREAD "thread"		/* name of the thread */
#define PROFILE_LABEL_COMMAND "command"		/* name of the process */
#define PROFILE_LABEL_CGROUP "cgroup"		/* path */
#define PROFILE_LABEL_EVENT "event"		/* where several were sampled */
/* "complete", or why the user's stack ends where it does: the reason's name in lower
 * case (reason.def), or one of the words below. whole.h says what share is complete.
 */
#define PROFILE_LABEL_STACK "stack"
#define PROFILE_STACK_COMPLETE "complete"
#define PROFILE_STACK_GUESSED "guessed"	/* the outermost frame was reached by guesses */
#define PROFILE_STACK_KERNEL "kernel"	/* none: a thread of the kernel, or none was asked for */
#define PROFILE_STACK_NO_MM "no_mm"	/* the same, as the module has it */
/* When the sample was taken, in nanoseconds since 1970: the name that other producers of pprof's form
 * give it. See pprof_load_merged().
 */
#define PROFILE_LABEL_TIME "end_timestamp_ns"
/* Why frames of a language are not whole: "cut", "torn", "faulted", "compiled"; or "unpaired", where
 * they do not agree with the thread's own stack. Whole ones have no such label.
 */
#define PROFILE_LABEL_LANGUAGE "language"
/* The files of mappings of frames that are CPython's, PHP's, Ruby's and Perl's. */
#define PROFILE_FILE_CPYTHON "[cpython]"
#define PROFILE_FILE_PHP "[php]"
#define PROFILE_FILE_RUBY "[ruby]"
#define PROFILE_FILE_PERL "[perl]"

/* Whether @file is one of these. */
static inline bool profile_file_is_language(const char *file)
{
	return !strcmp(file, PROFILE_FILE_CPYTHON) || !strcmp(file, PROFILE_FILE_PHP) ||
	       !strcmp(file, PROFILE_FILE_RUBY) || !strcmp(file, PROFILE_FILE_PERL);
}

#endif /* USTACK_USER_PROFILE_H */
