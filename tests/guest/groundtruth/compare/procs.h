/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mappings of each process, updated chunk by chunk. The mappings of a process at one moment
 * are a space, which is immutable and shared by all processes with the same mappings, so that
 * the unwinder's state for it is made once. Exits are ignored: the end of a leader says nothing
 * about its threads, and the next process with the same number starts with a fork or an exec.
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
	struct space *next;	/* next entry in the table of spaces */
	uint64_t hash;
	unsigned int refs;
	struct dw *dw;		/* state of the unwinder, made when needed */
	unsigned int count;
	struct mapping maps[];	/* executable mappings, oldest first, disjoint */
};

void procs_map(const struct gt_map *m);
void procs_fork(const struct gt_task *m);
void procs_comm(const struct gt_comm *m);
void procs_release(void);

/* the current space of the process; NULL if it has no executable mapping */
struct space *procs_space(uint32_t pid);
const char *procs_name(uint32_t pid);

const struct mapping *space_find(const struct space *s, uint64_t addr);
void space_get(struct space *s);
void space_put(struct space *s);

#endif /* GT_PROCS_H */
