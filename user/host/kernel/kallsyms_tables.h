/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/host/kernel: what one reading of the kernel's list gave. */
#ifndef USTACK_USER_KERNEL_KALLSYMS_TABLES_H
#define USTACK_USER_KERNEL_KALLSYMS_TABLES_H

#include <stdatomic.h>

#include "host/kernel/kallsyms.h"

/**
 * struct kallsyms_symbol - a function
 * @addr: where it starts
 * @name: offset in the names
 * @image: index
 * @rank: of its kind: what is preferred has more
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
	uint64_t etext;		/* of the kernel itself, 0 if it is not listed */
	bool hidden;		/* there were symbols, but no addresses */
};

/**
 * kallsyms_tables_read() - read a list
 * @path: the file
 * @t: all zero; to be released in any case
 * @stop: looked at line by line; true ends it; may be NULL
 * @diag: may be NULL
 *
 * Return: 0; -ECANCELED if @stop said so; as kallsyms_new().
 */
int kallsyms_tables_read(const char *path, struct kallsyms_tables *t, const atomic_bool *stop,
			 struct diag *diag);
void kallsyms_tables_release(struct kallsyms_tables *t);

/* Gives the images the build ids that the running kernel says. */
void kallsyms_tables_build_ids(struct kallsyms_tables *t);

/* Where symbol @i ends: where the next one starts, but not pages behind its image. */
uint64_t kallsyms_symbol_end(const struct kallsyms_tables *t, size_t i);

#endif /* USTACK_USER_KERNEL_KALLSYMS_TABLES_H */
