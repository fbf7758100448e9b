/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the table of functions in a file made by Go, the start of the text that the table
 * covers, and the bytes of that text.
 */
#ifndef USTACK_USER_SFRAME_SYNTH_GO_ELF_H
#define USTACK_USER_SFRAME_SYNTH_GO_ELF_H

#include "sframe/gopclntab.h"

/**
 * struct go_file - a file with a table
 * @table: the table, open
 * @bias: number that is added to the table's addresses or offsets
 * @code: contents of the text
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
 * go_file_open() - find and check a table
 * @f: released by go_file_release() in any case
 * @fd: the file, borrowed
 * @elf: headers of the file
 * @why: set to a sentence if there is a table that cannot be used
 *
 * The table is found by its section's name. If sections show that the file is Go's, or if
 * there are no sections, it is found by its first bytes in loaded data that is not
 * executable. The start of text is in the table's header, or in a relocation of it; or,
 * from Go 1.26 on, in the runtime's description of the module, which is recognised by its
 * contents: the table's address, and the first and the last address in the table.
 *
 * Return: 1; 0 if there is no table, or with @why; -ENOMEM.
 */
int go_file_open(struct go_file *f, int fd, const struct ustack_elf *elf,
		 const char **why);
void go_file_release(struct go_file *f);

#endif /* USTACK_USER_SFRAME_SYNTH_GO_ELF_H */
