/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts by (reason, file, address), printed most frequent first. */
#ifndef GT_TALLY_H
#define GT_TALLY_H

#include "procs.h"

struct tally_row {
	const char *why;	/* a constant string */
	struct file *file;
	uint64_t vaddr;
	uint64_t count;
};

struct tally {
	struct tally_row *rows;
	size_t count;
	size_t room;
};

void tally_add(struct tally *t, const char *why, struct file *f, uint64_t vaddr);

/* counts the mapped place at PC */
void tally_pc(struct tally *t, const char *why, const struct space *space, uint64_t pc);

/* prints by reason and file, then the MOST most frequent addresses */
void tally_print(const struct tally *t, const char *title, unsigned int most);

/* prints by function; an address without a known function is printed by itself */
void tally_print_functions(const struct tally *t, const char *title, unsigned int most);
void tally_release(struct tally *t);

#endif /* GT_TALLY_H */
