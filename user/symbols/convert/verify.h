/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a GSYM file says what the DWARF of its program says, address by address. The
 * judge is libdw: nothing of user/formats/dwarf is used.
 *
 * Asked are both at the first and last address of whatever can change within a function:
 * rows of lines, inlined calls, the function itself. What several entries of DWARF have
 * the range of is right if it is what any of them says. Not differences are
 *   - a name that is what the one in DWARF becomes in the style that the file has,
 *   - a name that has namespaces in front of the one in DWARF, which has no linkage name,
 *   - a place where DWARF has no row: GSYM goes on with the row before, or has the line
 *     where the function is declared,
 *   - addresses where another function, which overlaps this one, answers.
 */
#ifndef USTACK_USER_CONVERT_VERIFY_H
#define USTACK_USER_CONVERT_VERIFY_H

#include "formats/gsym/reader.h"
#include "formats/names/style.h"

enum gsym_verify_kind {
	GSYM_VERIFY_FUNCTION,	/* the file does not have it */
	GSYM_VERIFY_NAME,	/* of the function */
	GSYM_VERIFY_CALLS,	/* inlined ones: their names, or where they are called */
	GSYM_VERIFY_FILE,
	GSYM_VERIFY_LINE,
	GSYM_VERIFY_KINDS,
};

/* "inlined calls" */
const char *gsym_verify_kind_name(enum gsym_verify_kind kind);

/**
 * struct gsym_difference - one address
 * @addr: it
 * @kinds: 1 << enum gsym_verify_kind, one or more
 * @have: what the GSYM file says, innermost first
 * @want: what DWARF says; @offset is not set
 * @nr_have: number of @have
 * @nr_want: number of @want
 */
struct gsym_difference {
	uint64_t addr;
	unsigned int kinds;
	const struct gsym_frame *have;
	const struct gsym_frame *want;
	unsigned int nr_have;
	unsigned int nr_want;
};

/**
 * struct gsym_verify_options - how much, and who is told
 * @addresses: about as many are compared, of functions all over the file; 0 for all
 * @names: the style of the file's names; NULL for names as they are in DWARF
 * @each: called for each difference, in the order of addresses; may be NULL
 * @progress: called now and then; may be NULL
 * @arg: for both
 */
struct gsym_verify_options {
	uint64_t addresses;
	struct names *names;
	void (*each)(void *arg, const struct gsym_difference *d);
	void (*progress)(void *arg, uint64_t done, uint64_t total);
	void *arg;
};

/* What was found. */
struct gsym_verified {
	uint64_t units;
	uint64_t damaged;	/* units that libdw could not read all of */
	uint64_t functions;	/* ranges of code that were compared */
	uint64_t nameless;	/* functions that were not, for want of a name */
	uint64_t addresses;	/* compared */
	uint64_t same;
	uint64_t overlapped;	/* addresses where another function answers */
	uint64_t no_row;	/* addresses without a row: file and line not compared */
	uint64_t differences[GSYM_VERIFY_KINDS];	/* addresses; functions for the first */
	bool other_build;	/* the build ids differ */
};

/**
 * gsym_verify() - compare
 * @g: open
 * @path: the ELF file with the DWARF, linked or relocatable
 * @o: how
 * @ret: on success
 * @diag: may be NULL
 *
 * Return: 0, also if there are differences; -ENODATA if there is no DWARF, or no function
 * in it; -EBADMSG if one of the files is damaged; another negative errno.
 */
int gsym_verify(const struct gsym *g, const char *path, const struct gsym_verify_options *o,
		struct gsym_verified *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_VERIFY_H */
