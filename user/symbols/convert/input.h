/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a FILE that is to be converted is: an ELF file, a text file of Breakpad's,
 * a BSYM file of Symbian's, a Mach-O file or several of them in a fat one, and where their DWARF is: in a dSYM
 * bundle, which may be named itself or lie beside.
 */
#ifndef USTACK_USER_CONVERT_INPUT_H
#define USTACK_USER_CONVERT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

enum gsym_input_kind {
	GSYM_INPUT_ELF,		/* or nothing that is known: its reader says so */
	GSYM_INPUT_BREAKPAD,
	GSYM_INPUT_BSYM,
	GSYM_INPUT_MACHO,
};

/**
 * struct gsym_input - one of them
 * @path: the file; of a bundle, the one inside
 * @kind: of it
 * @off: where it starts in the file at @path
 * @len: bytes of it
 * @arch: of a Mach-O file, as Apple's tools name its processor; else ""
 * @other_dsym: there is a bundle beside it which is of another build
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
 * struct gsym_inputs - all that are meant
 * @p: in the file's order
 * @nr: at least 1 on success
 */
struct gsym_inputs {
	struct gsym_input *p;
	size_t nr;
};

/**
 * gsym_inputs_find() - look what a file is
 * @path: a file, or the folder of a dSYM bundle: then the file inside is meant
 * @arch: of Mach-O files, only those of this processor: a name or number of it; NULL
 *        for all
 * @ret: on success: released by gsym_inputs_release()
 * @diag: may be NULL
 *
 * A linked Mach-O file NAME without DWARF is replaced by its namesake in the bundle
 * NAME.dSYM, if that has the same UUID.
 *
 * Return: 0; -ENOENT if none is of @arch; -EINVAL if it is no Mach-O file and @arch is
 * not NULL; -EISDIR for a folder that is no bundle; -EBADMSG if its headers are
 * damaged; another negative errno.
 */
int gsym_inputs_find(const char *path, const char *arch, struct gsym_inputs *ret,
		     struct diag *diag);
/* A released one, or one of zeros, is fine. */
void gsym_inputs_release(struct gsym_inputs *in);

#endif /* USTACK_USER_CONVERT_INPUT_H */
