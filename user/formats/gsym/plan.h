/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the writer: the plan says what goes into the file, in which order
 * and with which numbers.
 */
#ifndef USTACK_USER_GSYM_PLAN_H
#define USTACK_USER_GSYM_PLAN_H

#include "formats/gsym/part.h"

/* More parts than this are refused. */
#define GSYM_MAX_PARTS (1u << 15)

/**
 * struct gsym_kept - a function that goes into the file
 * @start: start of its range
 * @func: index in the part
 * @part: index of its part
 * @merged: function is merged into the last function before it that is not a merged
 *          one
 * @window: window of its line table, once it is chosen
 */
struct gsym_kept {
	uint64_t start;
	uint32_t func;
	uint16_t part : 15, merged : 1;
	struct gsym_window window;
};

/*
 * A source file. @uses: how often its number is written. @starts: number of
 * line tables that start in it.
 */
struct gsym_plan_file {
	const char *dir;
	const char *base;
	uint32_t dir_string;	/* number of the string in the plan */
	uint32_t base_string;
	uint64_t uses;
	uint64_t starts;
};

/**
 * struct gsym_plan_string - a string of the file
 * @s: text; borrowed
 * @len: bytes of @s
 * @is_name: used as the name of a function
 * @is_text: used for something else
 * @gone: not written: it was only a name, which was replaced by another one
 * @shared: another string ends with it
 * @at: offset in the string table
 */
struct gsym_plan_string {
	const char *s;
	uint32_t len;
	bool is_name;
	bool is_text;
	bool gone;
	bool shared;
	uint64_t at;
};

/**
 * struct gsym_plan - the whole plan; released by gsym_plan_release()
 * @parts: all parts, sealed; borrowed
 * @nr_parts: number of @parts
 * @kept: functions, ascending by address; merged ones follow the function that
 *        they are merged into
 * @nr_kept: number of @kept
 * @nr_functions: number of @kept that are not merged ones
 * @last_end: end of the last function if it came without a size; else 0
 * @file_map: for each part, numbers in @files by the number in the part
 * @files: files; number 0 means no file
 * @nr_files: number of @files
 * @string_map: for each part, numbers in @strings by the number in the part
 * @strings: strings in order of their first use; number 0 is the empty one
 * @nr_strings: number of @strings
 * @names: for each of @strings that is a name, the string that is written for
 *         it; NULL if all are written unchanged
 * @renamed: new names by the number of the old one, NULL if it is unchanged
 * @nr_renamed: number of @renamed
 * @strings_len: bytes of the string table
 */
struct gsym_plan {
	struct gsym_part *const *parts;
	size_t nr_parts;
	struct gsym_kept *kept;
	size_t nr_kept;
	size_t nr_functions;
	uint64_t last_end;
	uint32_t **file_map;
	struct gsym_plan_file *files;
	uint32_t nr_files;
	uint32_t **string_map;
	struct gsym_plan_string *strings;
	uint32_t nr_strings;
	uint32_t strings_room;
	uint32_t *names;
	char **renamed;
	uint32_t nr_renamed;
	uint64_t strings_len;
};

/* Chooses the functions (plan.c). Return: 0 or a negative errno. */
int gsym_plan_init(struct gsym_plan *plan, struct gsym_part *const *parts,
		   size_t nr_parts, const struct gsym_write_options *o,
		   struct gsym_write_stats *stats);
void gsym_plan_release(struct gsym_plan *plan);

/* Gives numbers to files and strings (numbers.c). Return: 0 or -ENOMEM. */
int gsym_plan_names(struct gsym_plan *plan);

/* A hash table that finds strings by their text. */
struct gsym_finder {
	uint32_t *slots;
	size_t mask;
};

/* Makes a table for @nr strings. The caller frees @f->slots. Return: 0 or -ENOMEM. */
int gsym_finder_init(struct gsym_finder *f, size_t nr);
/* Return: the slot of a string. It contains its number, or 0, and then the caller sets it. */
uint32_t *gsym_finder_slot(const struct gsym_finder *f, const struct gsym_plan *plan,
			   const char *s, uint32_t len);
/* Appends a string. Return: 0, its number is the last one; -EFBIG; -ENOMEM. */
int gsym_plan_add_string(struct gsym_plan *plan, const char *s, uint32_t len);

/* Replaces names (rename.c). Return: 0; -ENOMEM; -EFBIG if they become too long. */
int gsym_plan_rename(struct gsym_plan *plan, const struct gsym_write_options *o);

/*
 * Sets the offsets of strings (string_table.c). @shared: a string that another one
 * ends with gets no bytes of its own. Return: 0 or -ENOMEM.
 */
int gsym_plan_string_table(struct gsym_plan *plan, bool shared);

/*
 * Compares two functions of the same range (order.c). Return: as strcmp(), the
 * better one comes first; 0 if they are equal in everything.
 */
int gsym_better(const struct gsym_part *pa, const struct gsym_added *a,
		const struct gsym_part *pb, const struct gsym_added *b);
/* The same without their @order. Return: 0 if their contents are equal. */
int gsym_compare(const struct gsym_part *pa, const struct gsym_added *a,
		 const struct gsym_part *pb, const struct gsym_added *b);

static inline const struct gsym_part *gsym_kept_part(const struct gsym_plan *plan,
						     const struct gsym_kept *k)
{
	return plan->parts[k->part];
}

static inline const struct gsym_added *gsym_kept_func(const struct gsym_plan *plan,
						      const struct gsym_kept *k)
{
	return &plan->parts[k->part]->funcs[k->func];
}

/* Return: the end of a function in the plan. */
static inline uint64_t gsym_kept_end(const struct gsym_plan *plan,
				     const struct gsym_kept *k)
{
	const struct gsym_added *f = gsym_kept_func(plan, k);

	return plan->last_end && f->start == f->end &&
	       f->start == plan->kept[plan->nr_kept - 1].start ?
	       plan->last_end : f->end;
}

#endif /* USTACK_USER_GSYM_PLAN_H */
