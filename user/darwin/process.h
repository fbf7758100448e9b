/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The images of a captured process, by address: their files, opened when an address in them is
 * first looked up, and the names of their functions.
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
 * @opened: the file was looked for
 * @named: the names were looked for
 * @has_file: @file is open
 * @map: contents of the file
 * @file: unwind information of the file
 * @eh: the file's __eh_frame; NULL if it has none
 * @gsym: names of its functions; NULL if there are none
 * @converted: @table was made, or cannot be made
 * @table: the unwind information as a table of the core; NULL if there is none
 * @link_base: address of the Mach-O header in @gsym
 * @why: why there is no file, or no names; "" if all is well
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
 * @map: images of the process, sorted; borrowed
 * @arch: architecture of the process
 * @files: files that may be those of the images; borrowed
 * @images: state of each image in @map, by the same index
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
 * macho_process_table() - the table of a converted file
 * @p: the process
 * @addr: address in an image
 * @bias: distance from the table's addresses to the process's
 *
 * Return: the image's table, as the module has them; NULL if there is none.
 */
const struct ustack_table *macho_process_table(struct macho_process *p, uint64_t addr,
					       uint64_t *bias);

/* Finds the image at an address, for struct macho_walk.find. Return: false if there is none. */
bool macho_process_find(struct macho_process *p, uint64_t addr, struct macho_place *ret);

/* The image at an address, opened; NULL if there is none. */
struct macho_loaded *macho_process_image(struct macho_process *p, uint64_t addr);

/**
 * macho_process_names() - names of the functions at an address
 * @p: the process
 * @addr: the address; for a caller the return address minus 1
 * @ret: frames, innermost first, see gsym_lookup()
 * @room: number of entries in @ret
 *
 * Names come from a GSYM file with the image's UUID, else from one that is made from its dSYM
 * or, without a dSYM, from its own symbols.
 *
 * Return: number of frames, at most @room; 0 if there is no name.
 */
unsigned int macho_process_names(struct macho_process *p, uint64_t addr, struct gsym_frame *ret,
				 unsigned int room);

#endif /* USTACK_USER_DARWIN_PROCESS_H */
