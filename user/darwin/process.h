/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The images of a captured process, by address: the files that they are of, opened when
 * an address is first met in them, and what names their functions.
 *
 *	macho_process_init(&p, &map, UNWIND_ARM64, &files);
 *	macho_process_find(&p, addr, &place);
 *	macho_process_names(&p, addr, frames, GSYM_MAX_FRAMES);
 *	macho_process_release(&p);
 *
 * Context: one thread at a time.
 */
#ifndef USTACK_USER_DARWIN_PROCESS_H
#define USTACK_USER_DARWIN_PROCESS_H

#include "darwin/find.h"
#include "darwin/walk.h"
#include "formats/gsym/reader.h"
#include "formats/imagemap/imagemap.h"
#include "util/map.h"

struct sframe_section;
struct ustack_table;

/**
 * struct macho_loaded - an image
 * @opened: it was looked for
 * @named: its names were
 * @has_file: @file is it
 * @map: its bytes
 * @file: unwinding of it
 * @eh: its __eh_frame, if it has one
 * @gsym: its names; NULL if there are none
 * @converted: @table was looked for
 * @table: its unwinding as rules; NULL if there are none
 * @link_base: address of its Mach-O header as its names have it
 * @why: why there is no file, or no names; "" if there is nothing to say
 */
struct macho_loaded {
	bool opened;
	bool named;
	bool has_file;
	struct map map;
	struct macho_image file;
	struct eh_frame *eh;
	struct gsym *gsym;
	bool converted;
	struct sframe_section *table;
	uint64_t link_base;
	char why[256];
};

/**
 * struct macho_process - a process
 * @map: its images, sorted; borrowed
 * @arch: of it
 * @files: where files are; borrowed
 * @images: as in @map
 */
struct macho_process {
	const struct imagemap *map;
	enum unwind_arch arch;
	const struct macho_files *files;
	struct macho_loaded *images;
};

/* Return: 0 or -ENOMEM. */
int macho_process_init(struct macho_process *p, const struct imagemap *map,
		       enum unwind_arch arch, const struct macho_files *files);
void macho_process_release(struct macho_process *p);

/**
 * macho_process_table() - the rules of a converted file
 * @p: the process
 * @addr: in an image
 * @bias: what an address is above the one that the table has
 *
 * Return: its table, as the module has it; NULL if there is none.
 */
const struct ustack_table *macho_process_table(struct macho_process *p, uint64_t addr,
					       uint64_t *bias);

/* What is at an address: as struct macho_walk's @find. Return: false if no image is. */
bool macho_process_find(struct macho_process *p, uint64_t addr, struct macho_place *ret);

/* The image that has it, opened; NULL if none has. */
struct macho_loaded *macho_process_image(struct macho_process *p, uint64_t addr);

/**
 * macho_process_names() - the functions at an address
 * @p: the process
 * @addr: of a caller the return address minus 1
 * @ret: innermost first, see gsym_lookup()
 * @room: of @ret
 *
 * Of a GSYM file by the image's UUID, else of one that is made of its dSYM or, without
 * one, of its own symbols.
 *
 * Return: number of frames, at most @room; 0 if there is no name.
 */
unsigned int macho_process_names(struct macho_process *p, uint64_t addr, struct gsym_frame *ret,
				 unsigned int room);

#endif /* USTACK_USER_DARWIN_PROCESS_H */
