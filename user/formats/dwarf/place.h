/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses for the code of a relocatable file, whose sections all begin at 0: one
 * section behind the other, so that an address is one function's alone. Who reads
 * symbols and who reads DWARF of one file ask here, and so mean the same addresses.
 */
#ifndef USTACK_USER_DWARF_PLACE_H
#define USTACK_USER_DWARF_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What dwarf_place() fails for, as a sentence. */
#define DWARF_NO_PLACE "its sections with code are larger than all addresses are"

/**
 * struct dwarf_place - a section
 * @flags: of its header
 * @size: of its header
 * @align: of its header; what is no power of two is 1
 * @is_dot_text: its name is .text
 * @has_code: result: it is executable, loaded, and not empty
 * @addr: result: where it is, 0 without @has_code
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
 * dwarf_place() - place all sections of a file
 * @s: in the order of their headers
 * @nr: number of @s
 *
 * .text comes first, at 0, which is where other tools have all of them; the others
 * follow in their order.
 *
 * Return: false if there are not so many addresses.
 */
bool dwarf_place(struct dwarf_place *s, size_t nr);

#endif /* USTACK_USER_DWARF_PLACE_H */
