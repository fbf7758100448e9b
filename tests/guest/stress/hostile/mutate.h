/* SPDX-License-Identifier: GPL-2.0-only */
/* Damaged copies of an ELF file with .sframe, reproducible by seed and number. */
#ifndef HOSTILE_MUTATE_H
#define HOSTILE_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base {
	const char *name;
	uint8_t *bytes;
	size_t len;
	size_t text_off, text_len;	/* the executable segment, in whole pages */
	size_t sframe_off, sframe_len;
	bool plug;			/* the text is that of a plug, and can be called */
};

struct mutant {
	uint8_t *bytes;			/* capacity: len + 4096 of the base */
	size_t len;
	bool text_intact;		/* the text is unchanged and inside the file */
	unsigned int kinds;		/* bits of the mutations that were made, for messages */
};

/* Finds the parts of the file in @base; ends the program if a part is missing. */
void base_read(struct base *base, const char *path);

/* Fills @mutant from @base; the result depends only on @seed and @number. */
void mutate(const struct base *base, uint64_t seed, unsigned int number,
	    struct mutant *mutant);

#define MUTATIONS 14
extern const char *const mutation_name[MUTATIONS];

#endif
