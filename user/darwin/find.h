/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of images by their UUID, in folders: Mach-O files, dSYM bundles' DWARF, GSYM files.
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

/* Files that are looked at; folders may hold anything. */
#define MACHO_FIND_MAX (1u << 20)

enum macho_found {
	MACHO_FOUND_IMAGE,
	MACHO_FOUND_DSYM,
	MACHO_FOUND_GSYM,
};

/**
 * struct macho_find_file - a file, or a slice of one
 * @kind: enum macho_found
 * @arch: how it is unwound; of a GSYM file 0
 * @uuid: of it
 * @path: of it
 * @off: of the slice in it
 * @len: bytes of the slice
 * @arch_name: as Apple's tools name it; "" of a GSYM file
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
 * struct macho_files - what was found
 * @p: in order of folders, and of names in them
 * @nr: number of @p
 * @looked: files that were looked at
 * @damaged: of them, those that begin as one of the three, and could not be read
 */
struct macho_files {
	struct macho_find_file *p;
	size_t nr;
	size_t looked;
	size_t damaged;
	size_t room;
};

/**
 * macho_find_add() - look into a folder and those in it, or at a file
 * @files: of zeros at first
 * @path: symbolic links in it are not followed, but @path itself may be one
 * @diag: may be NULL
 *
 * Return: 0, also if there is nothing of use; -E2BIG for too many files; another
 * negative errno if @path itself cannot be read.
 */
int macho_find_add(struct macho_files *files, const char *path, struct diag *diag);
void macho_find_release(struct macho_files *files);

/* Return: the first one of a UUID, and of @arch unless it is a GSYM file; NULL. */
const struct macho_find_file *macho_find_get(const struct macho_files *files,
					     enum macho_found kind,
					     const uint8_t uuid[MACHO_UUID],
					     enum unwind_arch arch);

#endif /* USTACK_USER_DARWIN_FIND_H */
