/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the files of images by UUID, in folders: Mach-O files, DWARF in dSYM bundles, GSYM files.
 *
 *	macho_find_add(&found, "symbols", &diag);
 *	f = macho_find_get(&found, MACHO_FOUND_IMAGE, uuid, UNWIND_ARM64);
 *	macho_find_release(&found);
 *
 * Context: one thread at a time.
 */
#ifndef USTACK_USER_DARWIN_FIND_H
#define USTACK_USER_DARWIN_FIND_H

#include "darwin/unwind_decode.h"
#include "formats/macho/macho.h"

/* Most files that are read in a folder, which may hold anything. */
#define MACHO_FIND_MAX (1u << 20)

enum macho_found {
	MACHO_FOUND_IMAGE,
	MACHO_FOUND_DSYM,
	MACHO_FOUND_GSYM,
};

/**
 * struct macho_find_file - a file, or a slice of one
 * @kind: enum macho_found
 * @arch: architecture that it is unwound for; 0 for a GSYM file
 * @uuid: UUID of the image
 * @path: path of the file
 * @off: offset of the slice in the file
 * @len: number of bytes of the slice
 * @arch_name: name by Apple's tools; "" for a GSYM file
 */
struct macho_find_file {
	enum macho_found kind;
	enum unwind_arch arch;
	uint8_t uuid[MACHO_UUID];
	char *path;
	uint64_t off;
	uint64_t len;
	char arch_name[16];
};

/**
 * struct macho_files - all files that were found
 * @p: the files, in order of the folders, and by name within them
 * @nr: number of @p
 * @looked: number of files that were read
 * @damaged: number of files that begin as one of the three kinds, but could not be read
 * @room: number of allocated entries of @p
 */
struct macho_files {
	struct macho_find_file *p;
	size_t nr;
	size_t looked;
	size_t damaged;
	size_t room;
};

/**
 * macho_find_add() - read a folder with all folders in it, or one file
 * @files: zeros at first
 * @path: the folder or file. It may be a symbolic link; links inside are not followed
 * @diag: may be NULL
 *
 * Return: 0, also if no file is usable; -E2BIG for too many files; another
 * negative errno if @path itself cannot be read.
 */
int macho_find_add(struct macho_files *files, const char *path, struct diag *diag);
void macho_find_release(struct macho_files *files);

/* Return: the first file with this kind, UUID and (unless it is a GSYM file) @arch; or NULL. */
const struct macho_find_file *macho_find_get(const struct macho_files *files,
					     enum macho_found kind,
					     const uint8_t uuid[MACHO_UUID],
					     enum unwind_arch arch);

#endif /* USTACK_USER_DARWIN_FIND_H */
