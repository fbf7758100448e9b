/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/bsym: a file that is being made.
 */
#ifndef USTACK_USER_BSYM_NEW_H
#define USTACK_USER_BSYM_NEW_H

#include "formats/bsym/build.h"
#include "util/strings.h"

/*
 * @name: index in the strings of struct bsym_new. @order: position in which it
 *        was added.
 */
struct new_symbol {
	uint32_t address;
	uint32_t name;
	uint64_t length;
	uint32_t order;
};

/*
 * @address: address of the first symbol. @name: index in the strings of struct
 *           bsym_new. @first, @nr: range of its symbols. @first_rename,
 *           @nr_renames: range of its renames. @order: position in which it was
 *           added.
 */
struct new_codeseg {
	uint32_t address;
	uint32_t name;
	uint32_t first;
	uint32_t nr;
	uint32_t first_rename;
	uint32_t nr_renames;
	uint32_t order;
	bool relocatable;
};

struct bsym_new {
	struct strings strings;
	struct new_symbol *symbols;
	size_t nr_symbols;
	size_t symbols_room;
	struct new_codeseg *codesegs;
	size_t nr_codesegs;
	size_t codesegs_room;
	uint32_t *renames;
	size_t nr_renames;
	size_t renames_room;
};

#endif /* USTACK_USER_BSYM_NEW_H */
