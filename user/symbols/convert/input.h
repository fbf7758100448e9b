/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds out what kind of file is to be converted: an ELF file, a text symbol file of
 * Breakpad, a BSYM file of Symbian, a Mach-O file or a fat file with several. For Mach-O
 * files it also finds the DWARF, which may be in a dSYM bundle beside the file; the
 * bundle itself may be given, too.
 */
#ifndef USTACK_USER_CONVERT_INPUT_H
#define USTACK_USER_CONVERT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

enum gsym_input_kind {
	GSYM_INPUT_ELF,		/* or of no known kind: the reader reports that */
	GSYM_INPUT_BREAKPAD,
	GSYM_INPUT_BSYM,
	GSYM_INPUT_MACHO,
};

/**
 * struct gsym_input - one file to convert
 * @path: path of the file; for a bundle, of the file inside
 * @kind: kind of the file
 * @off: offset in @path where the file starts: not 0 for a slice of a fat file
 * @len: size of the file in bytes; 0 for all of @path
 * @arch: name of a Mach-O file's processor, as Apple's tools write it; else ""
 * @other_dsym: there is a bundle beside the file, but it is of another build
 */
struct gsym_input {
	char *path;
	enum gsym_input_kind kind;
	uint64_t off;
	uint64_t len;
	char arch[16];
	bool other_dsym;
};

/**
 * struct gsym_inputs - the files found under one path
 * @p: the files, in the order of a fat file
 * @nr: number of @p; at least 1 on success
 */
struct gsym_inputs {
	struct gsym_input *p;
	size_t nr;
};

/**
 * gsym_inputs_find() - find out what a file is
 * @path: path of a file, or of the folder of a dSYM bundle
 * @arch: take only slices for this processor, a name or number; only for Mach-O files;
 *        NULL for all
 * @ret: set on success; released by gsym_inputs_release()
 * @diag: may be NULL
 *
 * A linked Mach-O file NAME without DWARF is replaced by its namesake in the bundle
 * NAME.dSYM, if that has the same UUID.
 *
 * Return: 0; -ENOENT if no slice is for @arch; -EINVAL if @arch is not NULL and the file
 * is not a Mach-O file; -EISDIR for a folder that is no bundle; -EBADMSG if its headers
 * are damaged; another negative errno.
 */
int gsym_inputs_find(const char *path, const char *arch, struct gsym_inputs *ret,
		     struct diag *diag);
/* A struct that is released already or zeroed is fine. */
void gsym_inputs_release(struct gsym_inputs *in);

#endif /* USTACK_USER_CONVERT_INPUT_H */
