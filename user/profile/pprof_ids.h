/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/profile: from a file's ids, any numbers but 0, to numbers of
 * the profile.
 */
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
 * @ids: entries; the first one is empty
 * @nr: number of entries in @ids, the empty one included
 * @room: entries that @ids has memory for
 * @index: finds an entry by id
 */
struct pprof_ids {
	struct pprof_id *ids;
	uint32_t nr;
	size_t room;
	struct intern index;
};

void pprof_ids_init(struct pprof_ids *t);
void pprof_ids_release(struct pprof_ids *t);

/* Return: 0; -ENOMEM; -EEXIST if the id is there already. */
int pprof_ids_add(struct pprof_ids *t, uint64_t id, uint32_t number);

/* @ret: number of the id. Return: whether it is there. */
bool pprof_ids_find(const struct pprof_ids *t, uint64_t id, uint32_t *ret);

#endif /* USTACK_USER_PROFILE_PPROF_IDS_H */
