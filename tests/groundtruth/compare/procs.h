/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which file was where in which process, moved on chunk by chunk. What a
 * process had at one moment is a space: immutable, shared by all with the same
 * mappings, so that the unwinder's state for it is made once. Exits are not
 * looked at: a leader that is gone says nothing about its threads, and whoever
 * gets the number next starts with a fork or an exec.
 */
#ifndef GT_PROCS_H
#define GT_PROCS_H

#include "files.h"

struct mapping {
	uint64_t start;
	uint64_t end;
	uint64_t bias;
	struct file *file;	/* NULL: anonymous, or no segment of its file */
};

struct dw;

struct space {
	struct space *next;	/* in the table of spaces */
	uint64_t hash;
	unsigned int refs;
	struct dw *dw;		/* the unwinder's, made at need */
	unsigned int count;
	struct mapping maps[];	/* executable, oldest first, disjoint */
};

void procs_map(const struct gt_map *m);
void procs_fork(const struct gt_task *m);
void procs_comm(const struct gt_comm *m);
void procs_release(void);

/* what the process has now; NULL if it has no executable mapping */
struct space *procs_space(uint32_t pid);
const char *procs_name(uint32_t pid);

const struct mapping *space_find(const struct space *s, uint64_t addr);
void space_get(struct space *s);
void space_put(struct space *s);

#endif /* GT_PROCS_H */
