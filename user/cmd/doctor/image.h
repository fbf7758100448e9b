/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/cmd/doctor: reads what an ELF file has for unwinding and for names. It is
 * read in a jail, as it may contain anything.
 */
#ifndef USTACK_USER_DOCTOR_IMAGE_H
#define USTACK_USER_DOCTOR_IMAGE_H

#include "host/file/locate.h"
#include "symbols/symstore/symstore.h"

/* Limits of reading one file: seconds, of CPU time and by the clock, and bytes of memory. */
#define IMAGE_MAX_SECONDS 60u
#define IMAGE_MEMORY (4ull << 30)

/**
 * struct image_facts - facts about a file
 * @known: the other members are set
 * @sframe: the file has a valid .sframe section
 * @names: source of its names, enum symstore_source
 * @debug_link: the DWARF was found by .gnu_debuglink; otherwise it is in the file itself
 * @sframe_reason: enum ustack_reason, why the file's .sframe is not valid; 0 if there is none
 * @text: bytes of executable segments
 * @covered: bytes of @text for which a synthesized table has rows
 */
struct image_facts {
	/* no bool: the process that wrote it may be controlled by the file */
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
 * @f: the file, opened, with its headers read
 * @path: path of the file, as its users see it
 * @ret: the facts; @known is false if the jail ended early, by its limits or by a fault
 */
void image_examine(const struct supply_file *f, const char *path, struct image_facts *ret);

#endif /* USTACK_USER_DOCTOR_IMAGE_H */
