/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the writer: what goes into the file, in which order and by which numbers.
 */
#ifndef USTACK_USER_GSYM_PLAN_H
#define USTACK_USER_GSYM_PLAN_H

#include "formats/gsym/part.h"

/* More parts than this are refused. */
#define GSYM_MAX_PARTS (1u << 15)

/**
 * struct gsym_kept - a function of the file
 * @start: of its range
 * @func: number in the part
 * @part: that has it
 * @merged: it is a merged one of the last function before it that is none
 * @window: of its line table, once that was chosen
 */
struct gsym_kept {
	uint64_t start;
	uint32_t func;
	uint16_t part : 15, merged : 1;
	struct gsym_window window;
};

/* @uses: how often its number is written. @starts: line tables that start in it. */
struct gsym_plan_file {
	const char *dir;
	const char *base;
	uint32_t dir_string;	/* number in the plan */
	uint32_t base_string;
	uint64_t uses;
	uint64_t starts;
};

/**
 * struct gsym_plan_string - a string
 * @s: it
 * @len: of @s
 * @is_name: of a function
 * @is_text: something else
 * @gone: it was a name, which is written otherwise
 * @shared: at the end of another one
 * @at: where it is in the string table
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
 * struct gsym_plan - all of it; released with gsym_plan_release()
 * @parts: sealed
 * @kept: ascending by address; merged ones behind theirs
 * @nr_functions: of @kept that are not merged ones
 * @last_end: if not 0, where the last function ends, which came without size
 * @file_map: for each part, numbers in @files by number in the part
 * @files: number 0 is none
 * @string_map: for each part, numbers in @strings by number in the part
 * @strings: in order of first use; number 0 is the empty one
 * @names: for each of @strings that is a name, the one that is written for it; NULL if
 *         all are written as they are
 * @renamed: what names became, by the number of the name, NULL if it is the same
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

/* Which functions: plan.c. Return: 0 or a negative errno. */
int gsym_plan_init(struct gsym_plan *plan, struct gsym_part *const *parts,
		   size_t nr_parts, const struct gsym_write_options *o,
		   struct gsym_write_stats *stats);
void gsym_plan_release(struct gsym_plan *plan);

/* Numbers of files and strings: names.c. Return: 0 or -ENOMEM. */
int gsym_plan_names(struct gsym_plan *plan);

/* Finds strings by what they say. */
struct gsym_finder {
	uint32_t *slots;
	size_t mask;
};

/* For @nr strings. Return: 0 or -ENOMEM; @f->slots is free()d. */
int gsym_finder_init(struct gsym_finder *f, size_t nr);
/* The slot of a string: its number, or 0, to be filled in. */
uint32_t *gsym_finder_slot(const struct gsym_finder *f, const struct gsym_plan *plan,
			   const char *s, uint32_t len);
/* Return: 0, the number is the last one; -EFBIG; -ENOMEM. */
int gsym_plan_add_string(struct gsym_plan *plan, const char *s, uint32_t len);

/* What names become: rename.c. Return: 0; -ENOMEM; -EFBIG if they become too long. */
int gsym_plan_rename(struct gsym_plan *plan, const struct gsym_write_options *o);

/*
 * Where strings are; @shared: those that others end with are there: tails.c. Return: 0 or
 * -ENOMEM.
 */
int gsym_plan_tails(struct gsym_plan *plan, bool shared);

/* Two functions of the same range. Return: as strcmp(), the better one is first; 0 if
 * they are the same in all. order.c
 */
int gsym_better(const struct gsym_part *pa, const struct gsym_added *a,
		const struct gsym_part *pb, const struct gsym_added *b);
/* The same by what they say alone; 0 if that is the same. */
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

/* Where a kept function ends. */
static inline uint64_t gsym_kept_end(const struct gsym_plan *plan,
				     const struct gsym_kept *k)
{
	const struct gsym_added *f = gsym_kept_func(plan, k);

	return plan->last_end && f->start == f->end &&
	       f->start == plan->kept[plan->nr_kept - 1].start ?
	       plan->last_end : f->end;
}

#endif /* USTACK_USER_GSYM_PLAN_H */
