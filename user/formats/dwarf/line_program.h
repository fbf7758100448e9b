/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/dwarf: the program of a line table (DWARF 5, 6.2.5),
 * and the fields of the header that it needs.
 */
#ifndef USTACK_USER_DWARF_LINE_PROGRAM_H
#define USTACK_USER_DWARF_LINE_PROGRAM_H

#include "formats/dwarf/line.h"

struct dwarf_line_program {
	uint8_t min_bytes;	/* bytes of the smallest instruction */
	uint8_t max_ops;	/* most operations in an instruction */
	int8_t line_base;
	uint8_t line_range;
	uint8_t opcode_base;
	/* number of operands of each standard opcode, to skip unknown ones */
	uint8_t operands[256];
};

/* Reads the header from min_bytes on. Return: 0 or -EBADMSG. */
int dwarf_line_program_header(struct dwarf_line_program *p, uint16_t version,
			      struct cursor *c);
/* Runs the program and adds rows to @l. Return: 0, -EBADMSG or -ENOMEM. */
int dwarf_line_program_run(const struct dwarf_line_program *p, struct dwarf_lines *l,
			   struct cursor *c);
int dwarf_lines_add_file(struct dwarf_lines *l, struct dwarf_file f);

#endif /* USTACK_USER_DWARF_LINE_PROGRAM_H */
