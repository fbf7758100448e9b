/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a file of Go's has its table of functions, where the text starts that the
 * table is about, and the bytes of that text.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_GO_ELF_H
#define USTACK_USER_SFRAME_SYNTH_GO_ELF_H

#include "sframe/gopclntab.h"

/**
 * struct go_file - a file with a table
 * @table: open
 * @bias: what is added to the table's addresses or offsets
 * @code: bytes of the text
 * @text: link-time addresses of @code
 */
struct go_file {
	struct gopcln table;
	u64 bias;
	const u8 *code;
	struct ustack_range text;

	/* private: malloc'd */
	u8 *table_bytes;
	u8 *code_bytes;
};

/**
 * go_file_open() - find and check it
 * @f: released by go_file_release() in any case
 * @fd: the file, borrowed
 * @elf: its headers
 * @why: set to a sentence where there is a table that is of no use
 *
 * The table is found by its section's name, or else, where sections tell that it is
 * Go's or there are none, by its first bytes in what is loaded and not executable. Where text starts is in the table's header, or in a
 * relocation of it; or, from Go 1.26 on, in the runtime's description of the module,
 * which is known by what it says: where the table is, and the first and the last
 * address that the table knows.
 *
 * Return: 1; 0 if there is no table, or @why; -ENOMEM.
 */
int go_file_open(struct go_file *f, int fd, const struct ustack_elf *elf,
		 const char **why);
void go_file_release(struct go_file *f);

#endif /* USTACK_USER_SFRAME_SYNTH_GO_ELF_H */
