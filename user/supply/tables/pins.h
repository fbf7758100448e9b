/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables and mappings where programs of others find them: maps that are pinned in a BPF file
 * system, by the names that bpf/ustack_stack.bpf.c has for them.
 */
#ifndef USTACK_USER_TABLES_PINS_H
#define USTACK_USER_TABLES_PINS_H

#include "util/diag.h"

struct keeper_maps;

/* Where libbpf looks for maps that a program wants pinned by name. */
#define PINS_DIR "/sys/fs/bpf"

/**
 * struct pins - what one supplier has pinned
 * @dir: folder; locked as long as it is open, -1 is none
 * @alive: the map that says that the supplier is there, by the descriptor whose end takes that
 *	back; -1 is none
 */
struct pins {
	int dir;
	int alive;
};

#define PINS_INIT { .dir = -1, .alive = -1 }

/**
 * pins_open() - pin maps, in place of those that an earlier supplier has left
 * @p: PINS_INIT; released by pins_release() in any case
 * @path: folder in a BPF file system, PINS_DIR or another
 * @maps: that programs keep by now: stacks are walked by them at once
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno; -EBUSY: another supplier is there.
 */
int pins_open(struct pins *p, const char *path, const struct keeper_maps *maps, struct diag *diag);

/* Who has the maps open hears of it before it returns. */
void pins_release(struct pins *p);

#endif /* USTACK_USER_TABLES_PINS_H */
