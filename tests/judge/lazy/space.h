/* SPDX-License-Identifier: GPL-2.0-only */
/* The executable mappings of a process, with the tables that the module would have. */
#ifndef LAZY_SPACE_H
#define LAZY_SPACE_H

#include <sys/types.h>

#include "sframe/section.h"
#include "sframe/synth.h"

#define SPACE_MAPS 512u

/**
 * struct space_map - one mapping
 * @start: first address
 * @end: address after the last one
 * @bias: number to add to link-time addresses
 * @synth: synthesis of its file, with the parts that were left out
 * @encoded: the section made from it
 * @section: the verified section; @section.table is NULL if there is none
 */
struct space_map {
	u64 start;
	u64 end;
	u64 bias;
	struct synth synth;
	struct synth_section encoded;
	struct sframe_section section;
};

struct space {
	struct space_map maps[SPACE_MAPS];
	unsigned int nr;
};

/* Reads the mappings from /proc. Return: false after printing why. */
bool space_read(struct space *s, pid_t pid);
void space_release(struct space *s);

/* The mapping at an address; NULL if nothing is executable there. */
const struct space_map *space_find(const struct space *s, u64 pc);

/* The rule of a pc, or NULL. */
const struct ustack_rule *space_rule(const struct space *s, u64 key);

/* Why walks end at a pc; SYNTH_NONE if its file's CFI does not say so. */
enum synth_cause space_cause(const struct space *s, u64 key);

#endif /* LAZY_SPACE_H */
