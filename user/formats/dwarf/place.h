/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses for the code of a relocatable file, in which all sections begin at
 * 0: the sections are placed one after the other, so that each address belongs
 * to one function. Readers of symbols and readers of DWARF both use this, so
 * that they agree about the addresses of a file.
 */
#ifndef USTACK_USER_DWARF_PLACE_H
#define USTACK_USER_DWARF_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Text of the error when dwarf_place() fails. */
#define DWARF_NO_PLACE "its sections with code do not fit into the address space"

/**
 * struct dwarf_place - the place of a section
 * @flags: flags in its header
 * @size: size in its header
 * @align: alignment in its header; 1 is used if it is not a power of two
 * @is_dot_text: the section's name is .text
 * @has_code: result: it is executable, loaded, and not empty
 * @addr: result: its address, 0 if @has_code is false
 */
struct dwarf_place {
	uint64_t flags;
	uint64_t size;
	uint64_t align;
	bool is_dot_text;
	bool has_code;
	uint64_t addr;
};

/**
 * dwarf_place() - give addresses to all sections of a file
 * @s: sections in the order of their headers
 * @nr: number of sections in @s
 *
 * .text comes first, at 0, where other tools place every section; the others
 * follow in their order.
 *
 * Return: false if the sections do not fit into 64 bits.
 */
bool dwarf_place(struct dwarf_place *s, size_t nr);

#endif /* USTACK_USER_DWARF_PLACE_H */
