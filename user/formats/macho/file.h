/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A Mach-O file on disk, thin or fat, one slice after the other.
 *
 *	struct macho_file f;
 *
 *	err = macho_file_open(path, "arm64", &f, &diag);
 *	while (!err && (err = macho_file_next(&f, &m, &diag)) > 0)
 *		...
 *	macho_file_release(&f);
 *
 * Context: one thread at a time for each file. The file is mapped, see
 * util/map.h.
 */
#ifndef USTACK_USER_MACHO_FILE_H
#define USTACK_USER_MACHO_FILE_H

#include "formats/macho/macho.h"
#include "util/map.h"

/**
 * struct macho_file - an open file
 * @map: mapping of the file
 * @fat: slices of the file; none if it is a thin file
 * @path: borrowed
 * @arch: the only processor whose slices are returned, NULL for all; borrowed
 * @next: number of the next slice
 * @slice: position in the file of the slice that macho_file_next() returned
 */
struct macho_file {
	struct map map;
	struct macho_fat fat;
	const char *path;
	const char *arch;
	uint32_t next;
	struct macho_slice slice;
};

/**
 * macho_file_open() - map a file
 * @path: regular file; must outlive @f
 * @arch: name or number of a processor, or NULL; must outlive @f
 * @f: released by macho_file_release(), also after a failure
 * @diag: may be NULL
 *
 * A file that is neither fat nor thin is found by macho_file_next().
 *
 * Return: 0; -EBADMSG if the table of slices is damaged or empty; another
 * negative errno.
 */
int macho_file_open(const char *path, const char *arch, struct macho_file *f,
		    struct diag *diag);
void macho_file_release(struct macho_file *f);

/**
 * macho_file_next() - get the next slice for the processor
 * @f: open
 * @ret: the slice, which borrows @f's bytes
 * @diag: may be NULL
 *
 * Return: 1; 0 after the last one; -EBADMSG if its headers are damaged.
 */
int macho_file_next(struct macho_file *f, struct macho *ret, struct diag *diag);

#define MACHO_ARCH_TEXT 16u

/* Writes macho_arch_name() of @m, or its number. Return: @ret. */
const char *macho_arch_text(const struct macho *m, char ret[MACHO_ARCH_TEXT]);

#endif /* USTACK_USER_MACHO_FILE_H */
