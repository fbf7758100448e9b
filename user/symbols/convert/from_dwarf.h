/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the functions of an ELF or Mach-O file from DWARF 2 to 5, including split units
 * (.dwo, .dwp) and the shared file that dwz makes, for a GSYM file.
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
 * struct gsym_dwarf_options - how DWARF is read
 * @threads: number of threads that read units; 0 means 1. The number does not change the
 *           result
 * @debug_dir: folder where dwz's files are searched, NULL for /usr/lib/debug
 * @dwo_dir: folder where split units and their package are searched, besides the place
 *           that the file names; may be NULL
 * @call_sites: take call sites, too
 * @lenient: leave out damaged units and count them, instead of failing
 * @off: offset in the file where a Mach-O file starts: not 0 for a slice of a fat file
 * @len: size of the Mach-O file in bytes; 0 for the whole file
 * @progress: called from time to time with the bytes done, by one thread at a time; may
 *            be NULL
 * @arg: passed to @progress
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

/* Counts of what was read and of what was left out. */
struct gsym_dwarf_stats {
	uint64_t units;
	uint64_t damaged;	/* units left out, see @lenient */
	uint64_t functions;	/* ranges of code taken */
	uint64_t dead;		/* ranges left out because they start in no text */
	uint64_t nameless;	/* functions left out because they have no name */
	uint64_t calls;		/* inlined calls */
	uint64_t misplaced;	/* inlined calls left out: not in their caller's code */
	uint64_t sites;		/* call sites */
	uint64_t no_return;	/* call sites left out: tail calls, or no return address */
	uint64_t lines;		/* rows of lines */
	uint64_t no_dwo;	/* split units that were not found */
};

/**
 * struct gsym_dwarf - the functions of a file, and what a writer needs besides
 * @parts: the functions, one part for each thread
 * @nr_parts: number of @parts
 * @base: address of the first segment
 * @uuid: build id or LC_UUID
 * @uuid_len: bytes of @uuid, 0 if there is none
 * @big_endian: the file is big-endian
 * @text: ranges of executable sections, ascending
 * @nr_text: number of @text
 * @stats: counts of what was found
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
 * gsym_from_dwarf() - read the functions of a file
 * @path: path of an ELF or Mach-O file, linked or relocatable. In a relocatable ELF file,
 *        .text is at address 0 and other sections with code follow it
 * @o: options
 * @ret: set on success; released by gsym_dwarf_release()
 * @diag: may be NULL
 *
 * Return: 0; -ENODATA if the file has no DWARF; -EBADMSG if it is damaged, with offset
 * and reason; -ENOENT if the file of dwz is missing; another negative errno.
 */
int gsym_from_dwarf(const char *path, const struct gsym_dwarf_options *o,
		    struct gsym_dwarf *ret, struct diag *diag);
/* Frees the parts, too. A struct that is released already or zeroed is fine. */
void gsym_dwarf_release(struct gsym_dwarf *d);

#endif /* USTACK_USER_CONVERT_FROM_DWARF_H */
