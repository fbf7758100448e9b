/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks a GSYM file against the DWARF of its program, address by address. DWARF is read
 * with libdw, as a second implementation: nothing of user/formats/dwarf is used.
 *
 * Both are asked at the first and last address of everything that can change within a
 * function: line rows, inlined calls, the function itself. If several DWARF entries have
 * the same range, the GSYM file may agree with any of them. These are not differences:
 * - a name that is DWARF's name written in the style of the file,
 * - a name with namespaces before DWARF's name, where DWARF has no linkage name,
 * - a place where DWARF has no row: GSYM continues the row before, or has the line of the
 *   function's declaration,
 * - addresses where another, overlapping function answers.
 */
#ifndef USTACK_USER_CONVERT_VERIFY_H
#define USTACK_USER_CONVERT_VERIFY_H

#include "formats/gsym/reader.h"
#include "formats/names/style.h"

enum gsym_verify_kind {
	GSYM_VERIFY_FUNCTION,	/* the function is missing in the GSYM file */
	GSYM_VERIFY_NAME,	/* the function's name */
	GSYM_VERIFY_CALLS,	/* names of inlined calls, or where they are called */
	GSYM_VERIFY_FILE,
	GSYM_VERIFY_LINE,
	GSYM_VERIFY_KINDS,
};

/* The name of a kind for users, such as "inlined calls". */
const char *gsym_verify_kind_name(enum gsym_verify_kind kind);

/**
 * struct gsym_difference - one address where the two differ
 * @addr: the address
 * @kinds: set of 1 << enum gsym_verify_kind, not 0
 * @have: frames of the GSYM file, innermost first
 * @want: frames of DWARF, innermost first; their @offset is not set
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
 * struct gsym_verify_options - how much is compared, and who gets reports
 * @addresses: compare about this many addresses, of functions all over the file; 0 for
 *             all
 * @names: style of the file's names; NULL for names as DWARF has them
 * @each: called for each difference, in the order of addresses; may be NULL
 * @progress: called from time to time; may be NULL
 * @arg: passed to @each and @progress
 */
struct gsym_verify_options {
	uint64_t addresses;
	struct names *names;
	void (*each)(void *arg, const struct gsym_difference *d);
	void (*progress)(void *arg, uint64_t done, uint64_t total);
	void *arg;
};

/* Counts of what was compared. */
struct gsym_verified {
	uint64_t units;
	uint64_t damaged;	/* units that libdw could not read all of */
	uint64_t functions;	/* ranges of code that were compared */
	uint64_t nameless;	/* functions not compared because they have no name */
	uint64_t addresses;	/* addresses compared */
	uint64_t same;		/* addresses without a difference */
	uint64_t overlapped;	/* addresses where another function answers */
	uint64_t no_row;	/* addresses without a row: file and line not compared */
	uint64_t differences[GSYM_VERIFY_KINDS];	/* by kind: addresses, or functions */
	bool other_build;	/* the build ids differ */
};

/**
 * gsym_verify() - compare a GSYM file with DWARF
 * @g: the GSYM file, opened
 * @path: path of the ELF file with the DWARF, linked or relocatable
 * @o: options
 * @ret: counts; set on success
 * @diag: may be NULL
 *
 * Return: 0, also if there are differences; -ENODATA if there is no DWARF, or no function
 * in it; -EBADMSG if one of the files is damaged; another negative errno.
 */
int gsym_verify(const struct gsym *g, const char *path, const struct gsym_verify_options *o,
		struct gsym_verified *ret, struct diag *diag);

#endif /* USTACK_USER_CONVERT_VERIFY_H */
