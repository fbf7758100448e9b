/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/capture/branches: the parts, in the order in which branches
 * pass them.
 */
#ifndef USTACK_USER_BRANCHES_PRIVATE_H
#define USTACK_USER_BRANCHES_PRIVATE_H

#include <stdio.h>

#include "capture/branches/branches.h"
#include "capture/perfimport/processes.h"
#include "sframe/elf_read.h"
#include "util/intern.h"
#include "util/strings.h"

/* program.c */

/**
 * struct branches_program - the program that branches are counted for
 * @file: the open file
 * @real: path of the file without links; tells it if perf recorded no build id
 * @elf: headers of the file
 */
struct branches_program {
	struct file file;
	char *real;
	struct ustack_elf elf;
};

/* Return: 0, or a negative errno; branches_program_release() is needed in either case. */
int branches_program_open(struct branches_program *p, const char *path, struct diag *diag);
void branches_program_release(struct branches_program *p);

enum branches_match {
	BRANCHES_OTHER_FILE = 1,
	BRANCHES_BY_BUILD_ID,
	BRANCHES_BY_PATH,	/* perf recorded no build id of it */
	BRANCHES_OTHER_BUILD,	/* the program's path, but another build id */
};

/* Return: whether a file that a process had mapped is the program. */
enum branches_match branches_program_is(const struct branches_program *p,
					const struct process_file_id *id);
/*
 * Turns an offset in the file into an address of code. Return: whether there is
 * code.
 */
bool branches_program_address(const struct branches_program *p, uint64_t offset, uint64_t *ret);
/* Return: the offset of an address that branches_program_address() returned. */
uint64_t branches_program_offset(const struct branches_program *p, uint64_t address);

/* counts.c */

/**
 * struct branches_count - how often something happened
 * @from: where a branch or a range starts; an address
 * @to: target of a branch; the last instruction of a range; 0 for an address
 * @count: number of times
 * @missed: how many of them the CPU had predicted wrongly
 * @followed: after how many of them a range was counted
 */
struct branches_count {
	uint64_t from;
	uint64_t to;
	uint64_t count;
	uint64_t missed;
	uint64_t followed;
};

/**
 * struct branches_counts - counts of distinct pairs
 * @at: the counts; number 0 is not used
 * @nr: number of entries of @at, with the unused one
 * @room: entries that @at has memory for
 * @index: finds them by @from and @to
 */
struct branches_counts {
	struct branches_count *at;
	uint32_t nr;
	uint32_t room;
	struct intern index;
};

void branches_counts_init(struct branches_counts *c);
void branches_counts_release(struct branches_counts *c);
/* Adds @add to a pair. Return: 0; -ENOMEM; -E2BIG. */
int branches_counts_add(struct branches_counts *c, const struct branches_count *add);
/* Sorts them by @from and @to; nothing may be added afterwards. */
void branches_counts_sort(struct branches_counts *c);
/* Return: the first count after sorting; @end gets the place after the last. */
const struct branches_count *branches_counts_first(const struct branches_counts *c,
						   const struct branches_count **end);

/* load.c */

/* In @from and @to of a branch: outside the program. */
#define BRANCHES_OUTSIDE UINT64_MAX

/**
 * struct branches - what was counted, by addresses of the program's file
 * @branches: branches; one end may be BRANCHES_OUTSIDE
 * @ranges: code that ran from the target of a branch to the next branch
 * @samples: addresses at which samples were taken
 */
struct branches {
	struct branches_program program;
	struct branches_counts branches;
	struct branches_counts ranges;
	struct branches_counts samples;
};

/* functions.c */

/**
 * struct branches_function - a function, or an entry of one
 * @start: address
 * @end: address after it
 * @name: name of the function in fdata
 */
struct branches_function {
	uint64_t start;
	uint64_t end;
	const char *name;
};

/**
 * struct branches_functions - functions of the symbol table
 * @at: functions, ascending, without overlaps
 * @nr: number of entries of @at
 * @names: owns the names
 */
struct branches_functions {
	struct branches_function *at;
	size_t nr;
	struct strings names;
};

/*
 * Reads the symbol table. Return: 0; -ENODATA if there is none; -EBADMSG;
 * -ENOMEM. branches_functions_release() is needed in either case.
 */
int branches_functions_read(struct branches_functions *f, const struct file *file,
			    struct diag *diag);
void branches_functions_release(struct branches_functions *f);
/* Return: the function that contains an address; NULL if none. */
const struct branches_function *branches_functions_find(const struct branches_functions *f,
							uint64_t address);

/* blocks.c */

/**
 * struct branches_blocks - basic blocks of one function
 * @code: the function's bytes
 * @insn: offset of each instruction, ascending
 * @nr: number of entries of @insn
 * @kind: enum x86_kind of each instruction
 * @begins: whether a block begins at each byte of the function
 */
struct branches_blocks {
	uint8_t *code;
	uint32_t *insn;
	uint8_t *kind;
	size_t nr;
	bool *begins;
};

/*
 * Reads a function's instructions. @all: the recorded branches. The targets of
 * jumps through tables are known from them alone. Return: 0; -ENOMEM; -ENOTSUP if its bytes are not
 * instructions from its start to its end, or are too many.
 * branches_blocks_release() is needed in either case.
 */
int branches_blocks_read(struct branches_blocks *b, const struct branches_program *p,
			 const struct branches_function *f, const struct branches_counts *all);
void branches_blocks_release(struct branches_blocks *b);
/*
 * Adds the edge from a call to the block after it, if @branch came back from
 * another function to such a block. Return: 0; -ENOMEM; -E2BIG.
 */
int branches_blocks_returned(const struct branches_blocks *b, const struct branches_function *f,
			     const struct branches_count *branch, struct branches_counts *to);
/* Return: whether the instruction at an offset in the function returns from it. */
bool branches_blocks_is_return(const struct branches_blocks *b, uint64_t at);
/*
 * Adds an edge for each block that a range goes through without a jump. @range
 * lies in @f. Return: 0; -ENODATA if the code cannot have run from its start to
 * its end, and nothing is added; -ENOMEM; -E2BIG.
 */
int branches_blocks_edges(const struct branches_blocks *b, const struct branches_function *f,
			  const struct branches_count *range, struct branches_counts *to);

/* autofdo.c, fdata.c */

/* Writes sorted counts. Return: 0 or a negative errno with @diag filled. */
typedef int branches_writer(const struct branches *b, FILE *out, struct diag *diag);
branches_writer branches_autofdo, branches_fdata;

#endif /* USTACK_USER_BRANCHES_PRIVATE_H */
