/* SPDX-License-Identifier: GPL-2.0-only */
/* What a file's ids stand for: any numbers but 0, in any order. */
#ifndef USTACK_USER_PROFILE_PPROF_IDS_H
#define USTACK_USER_PROFILE_PPROF_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/intern.h"

struct pprof_id {
	uint64_t id;
	uint32_t number;
};

/**
 * struct pprof_ids - a table
 * @ids: from 1
 * @nr: of them, with the empty first
 */
struct pprof_ids {
	struct pprof_id *ids;
	uint32_t nr;
	size_t room;
	struct intern index;
};

void pprof_ids_init(struct pprof_ids *t);
void pprof_ids_release(struct pprof_ids *t);

/* Return: 0, -ENOMEM, or -EEXIST if it is there. */
int pprof_ids_add(struct pprof_ids *t, uint64_t id, uint32_t number);

/* Return: whether it is there. */
bool pprof_ids_find(const struct pprof_ids *t, uint64_t id, uint32_t *ret);

#endif /* USTACK_USER_PROFILE_PPROF_IDS_H */
