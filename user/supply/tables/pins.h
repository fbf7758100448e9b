/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pins the maps of tables and mappings in a BPF file system, under the names that
 * bpf/ustack_stack.bpf.c expects, so that other people's programs find them.
 */
#ifndef USTACK_USER_TABLES_PINS_H
#define USTACK_USER_TABLES_PINS_H

#include "util/diag.h"

struct table_maker_maps;

/* The folder in which libbpf looks for maps that a program wants pinned by name. */
#define PINS_DIR "/sys/fs/bpf"

/**
 * struct pins - the maps that one supplier has pinned
 * @dir: descriptor of the folder; locked as long as it is open, -1 is none
 * @alive: descriptor of the map that shows that the supplier is alive; it stops to do so when
 *	this descriptor is closed; -1 is none
 */
struct pins {
	int dir;
	int alive;
};

#define PINS_INIT { .dir = -1, .alive = -1 }

/**
 * pins_open() - pin maps; replaces those that an earlier supplier has left
 * @p: PINS_INIT; released by pins_release() in any case
 * @path: folder in a BPF file system, PINS_DIR or another
 * @maps: maps that BPF programs update already, as stacks are unwound by them at once
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno; -EBUSY: another supplier is there.
 */
int pins_open(struct pins *p, const char *path, const struct table_maker_maps *maps,
	      struct diag *diag);

/* Unpins the maps. A program that still has them open sees it before this returns. */
void pins_release(struct pins *p);

#endif /* USTACK_USER_TABLES_PINS_H */
