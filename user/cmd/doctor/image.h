/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/cmd/doctor: what an ELF file has for unwinding and for names. It is read in a
 * jail, as it may hold anything.
 */
#ifndef USTACK_USER_DOCTOR_IMAGE_H
#define USTACK_USER_DOCTOR_IMAGE_H

#include "host/file/locate.h"
#include "symbols/symstore/symstore.h"

/* It may take this long, in seconds of the CPU and by the clock, and so much memory. */
#define IMAGE_MAX_SECONDS 60u
#define IMAGE_MEMORY (4ull << 30)

/**
 * struct image_facts - about a file
 * @known: the others are
 * @sframe: it has a section of its own that holds
 * @names: where its names are
 * @debug_link: @names is SYMSTORE_DWARF by .gnu_debuglink, else in the file itself
 * @sframe_reason: enum ustack_reason, why its own section does not hold; 0 if there is none
 * @text: bytes of executable segments
 * @covered: bytes that a synthesized table has rows for
 */
struct image_facts {
	/* no bool: what wrote it may be in other hands */
	uint8_t known;
	uint8_t sframe;
	uint8_t debug_link;
	uint8_t names;
	uint32_t sframe_reason;
	uint64_t text;
	uint64_t covered;
};

/**
 * image_examine() - read a file
 * @f: opened, headers read
 * @path: as its users see it
 * @ret: @known is false if its reader died, of limits or of it
 */
void image_examine(const struct supply_file *f, const char *path, struct image_facts *ret);

#endif /* USTACK_USER_DOCTOR_IMAGE_H */
