/* SPDX-License-Identifier: GPL-2.0-only */
/* Damaged copies of an ELF file with .sframe, the same way every time. */
#ifndef HOSTILE_MUTATE_H
#define HOSTILE_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base {
	const char *name;
	uint8_t *bytes;
	size_t len;
	size_t text_off, text_len;	/* of the executable segment, whole pages */
	size_t sframe_off, sframe_len;
	bool plug;			/* the text is a plug's, and can be called */
};

struct mutant {
	uint8_t *bytes;			/* room of len + 4096 of the base */
	size_t len;
	bool text_intact;		/* and inside the file */
	unsigned int kinds;		/* bits of what was done, for people */
};

/* Finds the parts of the file in @base; ends the program if it has none. */
void base_read(struct base *base, const char *path);

/* Fills @mutant from @base, by @seed and @number alone. */
void mutate(const struct base *base, uint64_t seed, unsigned int number,
	    struct mutant *mutant);

#define MUTATIONS 14
extern const char *const mutation_name[MUTATIONS];

#endif
