/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/host/kernel: tables with the symbols of one list. */
#ifndef USTACK_USER_KERNEL_KALLSYMS_TABLES_H
#define USTACK_USER_KERNEL_KALLSYMS_TABLES_H

#include <stdatomic.h>

#include "host/kernel/kallsyms.h"

/**
 * struct kallsyms_symbol - a function
 * @addr: start address
 * @name: offset of its name in @names of struct kallsyms_tables
 * @image: index of its image
 * @rank: rank of its type; higher is preferred
 */
struct kallsyms_symbol {
	uint64_t addr;
	uint32_t name;
	uint16_t image;
	uint8_t rank;
};

struct kallsyms_tables {
	struct kallsyms_symbol *symbols;
	size_t nr_symbols;
	size_t symbols_room;
	char *names;
	size_t nr_names;
	size_t names_room;
	struct kallsyms_image *images;
	size_t nr_images;
	size_t images_room;
	uint64_t etext;		/* address of _etext in the kernel itself, 0 if it is not listed */
	bool hidden;		/* there are symbols, but their addresses are hidden */
};

/**
 * kallsyms_tables_read() - read a list
 * @path: path of the list
 * @t: tables, zeroed; released in any case
 * @stop: checked at each line; true ends the reading; may be NULL
 * @diag: may be NULL
 *
 * Return: 0; -ECANCELED if @stop was set; else as kallsyms_new().
 */
int kallsyms_tables_read(const char *path, struct kallsyms_tables *t, const atomic_bool *stop,
			 struct diag *diag);
void kallsyms_tables_release(struct kallsyms_tables *t);

/* Sets the build ids of the images to those of the running kernel. */
void kallsyms_tables_build_ids(struct kallsyms_tables *t);

/*
 * The end address of symbol @i: the start of the next one, but at most the end of the
 * page after the one it starts in, if it is the last of its image.
 */
uint64_t kallsyms_symbol_end(const struct kallsyms_tables *t, size_t i);

#endif /* USTACK_USER_KERNEL_KALLSYMS_TABLES_H */
