/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile in memory: stacks, what was counted for them, and what is known of
 * the addresses in them. The recorder fills it, the symbolizer adds names,
 * pprof.h reads and writes it, calltree.h makes the tree that is shown.
 *
 *	p = profile_new();
 *	cpu = profile_value_type(p, "cpu", "nanoseconds");
 *	m = profile_mapping(p, &(struct profile_mapping){ ... });
 *	s = profile_stack(p, 0, profile_location(p, m, addr));		outermost first
 *	s = profile_stack(p, s, profile_location(p, m, addr2));
 *	profile_add(p, s, labels, values);
 *	if (profile_error(p)) ...
 *
 * Equal elements are stored once and have a number. Number 0 means none: the
 * empty string, no mapping, no function, the empty stack, no labels. Numbers
 * are given in ascending order. They and strings stay valid until
 * profile_free(), except numbers of stacks and labels, which end with
 * profile_forget_samples(). Pointers into an array are valid until something is
 * added to it.
 *
 * A failed allocation puts the profile in an error state: the call returns 0,
 * further calls change nothing, and profile_error() returns the error. So a
 * builder checks once, at the end.
 *
 * Context: one thread at a time for each profile.
 */
#ifndef USTACK_USER_PROFILE_H
#define USTACK_USER_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Limit for values of a sample; pprof's own profiles have up to four. */
#define PROFILE_MAX_VALUES 8u
/* Limit for labels of a sample; more are not kept. */
#define PROFILE_MAX_LABELS 64u

/**
 * struct profile_value_type - what one of the values of every sample counts
 * @type: string, such as "cpu"
 * @unit: string, such as "nanoseconds"
 */
struct profile_value_type {
	uint32_t type;
	uint32_t unit;
};

/**
 * struct profile_mapping - a mapped file, or something in place of one
 * @start: first address. If the file is known, this and the addresses of
 *	locations are link-time addresses (see profile_location())
 * @limit: address after the last byte
 * @offset: offset in the file of the byte at @start
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
 * @name: string, name for users
 * @system_name: string, name for the linker; may be the same
 * @file: string, path of the source, or 0
 * @start_line: line of its definition, 0 if not known
 */
struct profile_function {
	uint32_t name;
	uint32_t system_name;
	uint32_t file;
	uint32_t start_line;
};

/**
 * struct profile_line - one function at a location
 * @function: number of the function, not 0
 * @line: line in the function's file, 0 if not known
 */
struct profile_line {
	uint32_t function;
	uint32_t line;
};

/**
 * struct profile_location - an address in a mapping
 * @address: see profile_location()
 * @mapping: number of the mapping, 0 if there is none
 * @first_line: index in struct profile's @lines: innermost inlined function
 *	first, then the functions it was inlined into
 * @nr_lines: number of lines, 0 while nothing is known
 */
struct profile_location {
	uint64_t address;
	uint32_t mapping;
	uint32_t first_line;
	uint32_t nr_lines;
};

/**
 * struct profile_frame - a stack: a frame and the stack that called it
 * @parent: stack of the callers, 0 if this frame is outermost
 * @location: location of this frame
 * @depth: number of frames, this one included
 *
 * A parent always has a lower number than its children.
 */
struct profile_frame {
	uint32_t parent;
	uint32_t location;
	uint32_t depth;
};

/**
 * struct profile_label - one label of a sample
 * @key: string
 * @str: string, or 0 if the label is a number
 * @unit: string, unit of @num; 0 is none
 * @num: the number, if @str is 0
 */
struct profile_label {
	uint32_t key;
	uint32_t str;
	uint32_t unit;
	int64_t num;
};

/**
 * struct profile_labels - a set of labels
 * @first: index of the first label in struct profile's @label
 * @nr: number of labels, sorted by key; labels with the same key are in the
 *	order of adding
 */
struct profile_labels {
	uint32_t first;
	uint32_t nr;
};

/**
 * struct profile_sample - values of one stack with one set of labels
 * @stack: number of the stack, from its innermost frame on
 * @labels: number of the set of labels
 * @value: one for each value type
 */
struct profile_sample {
	uint32_t stack;
	uint32_t labels;
	int64_t value[PROFILE_MAX_VALUES];
};

/**
 * struct profile - everybody may read it; only the functions below change it
 *
 * Element 0 of an array means none and is counted in nr_*; @value_types,
 * @samples, @lines and
 * @label have no such element.
 *
 * @time_ns: when it began, nanoseconds since 1970; @duration_ns: its length;
 *	@period: distance of
 * two samples, in units of @period_type; @default_type: type (string) of the
 * value that is shown by default. These five may be set directly, and so may
 * @comments.
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

/* Return: 0; -ENOMEM or -E2BIG (4 G of something): the first failure. */
int profile_error(const struct profile *p);

/* Return: number of a string, which is copied. NULL is "". */
uint32_t profile_string(struct profile *p, const char *s);
/* The same for bytes; those after the first NUL are left out. */
uint32_t profile_string_bytes(struct profile *p, const char *s, size_t len);
/* Return: the text of a string's number. */
const char *profile_text(const struct profile *p, uint32_t string);

/*
 * Return: index in @value_types, the same for the same texts. Too many are the
 * error -E2BIG.
 */
uint32_t profile_value_type(struct profile *p, const char *type, const char *unit);

/*
 * Adds a time and a duration: the earlier begin (0 is none) and the sum of
 * durations stay.
 */
void profile_add_time(struct profile *p, uint64_t time_ns, uint64_t duration_ns);
void profile_comment(struct profile *p, const char *text);

/*
 * For comparisons: replaces the file of a mapping, the source of a function, or
 * the text of an element of @label. Do not add to @p after that, because equal
 * elements are not found any more.
 */
void profile_rename_mapping(struct profile *p, uint32_t mapping, uint32_t file);
void profile_rename_source(struct profile *p, uint32_t function, uint32_t file);
void profile_rename_label(struct profile *p, uint32_t label, uint32_t text);

/* Return: number of an equal element if there is one, else of a new one. */
uint32_t profile_mapping(struct profile *p, const struct profile_mapping *m);
uint32_t profile_function(struct profile *p, const struct profile_function *f);

/**
 * profile_location() - get the number of an address
 * @p: the profile
 * @mapping: number of the mapping
 * @address: link-time address if the mapping's file is known, so that two
 *	processes with the same file at different addresses share it
 *
 * Return: number of an equal location (the first, if there are several with
 * different lines), or of a new one without lines.
 */
uint32_t profile_location(struct profile *p, uint32_t mapping, uint64_t address);

/*
 * Sets the lines of a location. @lines may belong to any profile, but must have
 * the numbers of this one.
 */
void profile_location_lines(struct profile *p, uint32_t location,
			    const struct profile_line *lines, uint32_t nr);

/**
 * profile_location_named() - get the number of an address whose lines are known
 * @p: the profile
 * @mapping: number of the mapping
 * @address: see profile_location(); 0 is an unknown address, as other producers
 *	write it, whose locations differ only by their lines
 * @lines: with this profile's numbers; may be part of its own array
 * @nr: number of entries in @lines, 0 for none
 *
 * An equal address without lines gets the lines. If @nr is 0, an equal address
 * counts as equal, unless it is 0. So an address has several numbers only if it
 * has several names.
 *
 * Return: number of an equal location, or of a new one.
 */
uint32_t profile_location_named(struct profile *p, uint32_t mapping, uint64_t address,
				const struct profile_line *lines, uint32_t nr);

/*
 * Return: number of the stack whose innermost frame is @location, called by
 * stack @parent.
 */
uint32_t profile_stack(struct profile *p, uint32_t parent, uint32_t location);

/* Return: number of the set of labels; @label may be in any order. */
uint32_t profile_labels(struct profile *p, const struct profile_label *label,
			uint32_t nr);
/*
 * Return: text of label @key in set @labels; NULL if it is missing or a number.
 */
const char *profile_label_text(const struct profile *p, uint32_t labels,
			       const char *key);

/**
 * profile_add() - add values
 * @p: the profile
 * @stack: number of a stack; 0 is a sample without a stack
 * @labels: number of a set of labels
 * @value: one for each value type; added to those of the same stack and labels
 */
void profile_add(struct profile *p, uint32_t stack, uint32_t labels,
		 const int64_t *value);

/*
 * Drops all samples, stacks and sets of labels. Their numbers are given again
 * to new ones, and the memory is reused. Everything else stays.
 */
void profile_forget_samples(struct profile *p);

/*
 * Adds all that @from has; elements are compared by texts, not numbers. Value
 * types that @p lacks are added; locations are added as by
 * profile_location_named(). The result has the earliest time, the sum of
 * durations, and @p's period and default type if @p has them.
 */
void profile_merge(struct profile *p, const struct profile *from);

/*
 * The same with all values times @num / @den (not 0), rounded towards 0; values
 * that overflow stay at the largest number. If the factor is below 1, samples
 * whose values become 0 are left out, with all that only they need: so a sum
 * that decays does not grow for ever.
 */
void profile_merge_scaled(struct profile *p, const struct profile *from, uint32_t num,
			  uint32_t den);

/**
 * profile_merge_samples() - the same with other samples in place of those of
 * @from
 * @p: gets them
 * @from: has their stacks, locations and value types
 * @samples: not NULL; @stack is a number of @from, @labels of @p; samples with
 *	all values 0 are left out
 * @nr: number of entries in @samples
 *
 * Elements that none of them needs are left out, and so are comments.
 */
void profile_merge_samples(struct profile *p, const struct profile *from,
			   const struct profile_sample *samples, uint32_t nr);

/*
 * Adds what is not about samples, as profile_merge() does: times, period,
 * default type and comments, but no value types.
 */
void profile_merge_head(struct profile *p, const struct profile *from);

/* Labels that ustack's own profiles have. pprof's tools know "thread" by this name. */
#define PROFILE_LABEL_PID "pid"			/* number */
#define PROFILE_LABEL_TID "tid"			/* number, if asked for */
#define PROFILE_LABEL_THREAD "thread"		/* name of the thread */
#define PROFILE_LABEL_COMMAND "command"		/* name of the process */
#define PROFILE_LABEL_CGROUP "cgroup"		/* path */
#define PROFILE_LABEL_EVENT "event"		/* where several were sampled */
/*
 * "complete", or why the user stack ends where it does: the reason's name in
 * lower case (reason.def), or one of the words below. whole.h computes the
 * share of complete stacks.
 */
#define PROFILE_LABEL_STACK "stack"
#define PROFILE_STACK_COMPLETE "complete"
#define PROFILE_STACK_GUESSED "guessed"	/* the outermost frame was reached by guesses */
#define PROFILE_STACK_KERNEL "kernel"	/* no user stack: a kernel thread, or none was asked for */
#define PROFILE_STACK_NO_MM "no_mm"	/* the same, as the kernel module reports it */
/*
 * When the sample was taken, in nanoseconds since 1970. Other producers of
 * pprof files use the same name. See pprof_load_merged().
 */
#define PROFILE_LABEL_TIME "end_timestamp_ns"
/*
 * Why frames of a language are not complete: "cut", "torn", "faulted",
 * "compiled"; or "unpaired" if they do not agree with the thread's own stack.
 * Complete ones have no such label.
 */
#define PROFILE_LABEL_LANGUAGE "language"
/* Mapping files for frames of CPython, PHP, Ruby, Perl and the BEAM. */
#define PROFILE_FILE_CPYTHON "[cpython]"
#define PROFILE_FILE_PHP "[php]"
#define PROFILE_FILE_RUBY "[ruby]"
#define PROFILE_FILE_PERL "[perl]"
#define PROFILE_FILE_BEAM "[beam]"

/* Return: whether @file is one of these. */
static inline bool profile_file_is_language(const char *file)
{
	return !strcmp(file, PROFILE_FILE_CPYTHON) || !strcmp(file, PROFILE_FILE_PHP) ||
	       !strcmp(file, PROFILE_FILE_RUBY) || !strcmp(file, PROFILE_FILE_PERL) ||
	       !strcmp(file, PROFILE_FILE_BEAM);
}

#endif /* USTACK_USER_PROFILE_H */
