/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DWARF 2 to 5 of an ELF or Mach-O file, its split units (.dwo, .dwp) and what dwz took
 * out of it included, as functions for a GSYM file.
 *
 *	struct gsym_dwarf d;
 *
 *	err = gsym_from_dwarf("a.debug", &(struct gsym_dwarf_options){ .threads = 2 }, &d,
 *			      &diag);
 *	options.base = d.base; ...
 *	err = gsym_write(d.parts, d.nr_parts, &options, fd, ...);
 *	gsym_dwarf_release(&d);
 *
 * Functions, their names and rows of lines are chosen as LLVM's DwarfTransformer does:
 * a function for every range of a DW_TAG_subprogram that starts in text.
 */
#ifndef USTACK_USER_CONVERT_FROM_DWARF_H
#define USTACK_USER_CONVERT_FROM_DWARF_H

#include "formats/gsym/build.h"

/**
 * struct gsym_dwarf_options - how files are read
 * @threads: that read units; 0 for 1. What comes out is the same with any number
 * @debug_dir: where files of dwz are looked for, NULL for /usr/lib/debug
 * @dwo_dir: where split units and their package are looked for, beside where the file
 *           says; may be NULL
 * @call_sites: take call sites, too
 * @lenient: leave out units that are damaged, and count them
 * @off: of Mach-O files: where it starts in the file, not 0 for a slice of a fat one
 * @len: bytes of it; 0 for all of the file
 * @progress: called now and then by any of the threads, one at a time; may be NULL
 * @arg: for @progress
 */
struct gsym_dwarf_options {
	unsigned int threads;
	const char *debug_dir;
	const char *dwo_dir;
	bool call_sites;
	bool lenient;
	uint64_t off;
	uint64_t len;
	void (*progress)(void *arg, uint64_t done, uint64_t total);
	void *arg;
};

/* What was found. */
struct gsym_dwarf_stats {
	uint64_t units;
	uint64_t damaged;	/* units left out, see @lenient */
	uint64_t functions;	/* ranges of code */
	uint64_t dead;		/* ranges left out as they start in no text */
	uint64_t nameless;	/* functions left out as they have no name */
	uint64_t calls;		/* inlined */
	uint64_t misplaced;	/* inlined calls left out: not in their caller's code */
	uint64_t sites;		/* call sites */
	uint64_t no_return;	/* call sites left out: jumps, or none says where they return to */
	uint64_t lines;		/* rows */
	uint64_t no_dwo;	/* split units that were not found */
};

/**
 * struct gsym_dwarf - what a writer needs
 * @parts: one for each thread
 * @nr_parts: number of @parts
 * @base: address of the first segment
 * @uuid: build id or LC_UUID
 * @uuid_len: bytes of @uuid, 0 if there is none
 * @big_endian: the file is
 * @text: executable sections, ascending
 * @nr_text: number of @text
 * @stats: what was found
 */
struct gsym_dwarf {
	struct gsym_part **parts;
	size_t nr_parts;
	uint64_t base;
	uint8_t uuid[GSYM_MAX_UUID];
	uint8_t uuid_len;
	bool big_endian;
	struct range *text;
	size_t nr_text;
	struct gsym_dwarf_stats stats;
};

/**
 * gsym_from_dwarf() - read a file
 * @path: ELF or Mach-O file, linked or relocatable: of a relocatable ELF file, .text is
 *        at address 0 and other sections with code behind it
 * @o: how
 * @ret: on success: released by gsym_dwarf_release()
 * @diag: may be NULL
 *
 * Return: 0; -ENODATA if it has no DWARF; -EBADMSG if it is damaged, with offset and
 * reason; -ENOENT if what dwz took out is not there; another negative errno.
 */
int gsym_from_dwarf(const char *path, const struct gsym_dwarf_options *o,
		    struct gsym_dwarf *ret, struct diag *diag);
/* Parts and all. A released one, or one of zeros, is fine. */
void gsym_dwarf_release(struct gsym_dwarf *d);

#endif /* USTACK_USER_CONVERT_FROM_DWARF_H */
