// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds functions from Go's own table to a part of a GSYM file, where no symbol names
 * them. Called for ELF files without DWARF, see from_go.h.
 */
#include "symbols/convert/from_go.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "symbols/convert/from_cfi.h"
#include "formats/gsym/part.h"
#include "sframe/cfi_ranges.h"
#include "sframe/elf_read.h"
#include "sframe/synth_go_elf.h"
#include "util/file.h"

/* Added to the order of these functions: after all symbols, before those of CFI. */
#define GO_ORDER (1ull << 32)

static int add_function(struct gsym_part *part, const struct go_file *go,
			const struct gopcln_func *f, u32 i)
{
	struct gsym_new_function new = {
		.range = { go->bias + f->start, go->bias + f->end }, .order = GO_ORDER + i,
	};
	size_t len = strnlen((const char *)f->name, f->name_max);
	int err;

	/* the name is empty or does not end within the table */
	if (!len || len == f->name_max)
		return 0;
	err = gsym_part_string(part, (const char *)f->name, len, &new.name);
	err = err ? err : gsym_part_add(part, &new);
	return err ? err : 1;
}

static int add_functions(struct gsym_part *part, const struct go_file *go,
			 struct cfi_ranges *named, uint64_t *ret)
{
	struct gopcln_func f;
	int added;
	u32 i;

	for (i = 0; i < go->table.nr_funcs; i++) {
		if (!gopcln_func(&go->table, i, &f) || f.start >= f.end ||
		    cfi_ranges_touch(named, go->bias + f.start, go->bias + f.end))
			continue;
		added = add_function(part, go, &f, i);
		if (added < 0)
			return added;
		*ret += (uint64_t)added;
	}
	return 0;
}

/* Adds the functions of an opened file. Return: 0 or -ENOMEM. */
static int add_file(struct gsym_part *part, int fd, const struct ustack_elf *elf, uint64_t *ret)
{
	struct cfi_ranges named = { 0 };
	struct go_file go;
	const char *why;
	int err = go_file_open(&go, fd, elf, &why);

	if (err > 0) {
		err = gsym_named_ranges(part, &named);
		err = err ? err : add_functions(part, &go, &named, ret);
	}
	go_file_release(&go);
	cfi_ranges_release(&named);
	return err;
}

int gsym_from_go(const char *path, struct gsym_part *part, uint64_t *ret, struct diag *diag)
{
	int fd = file_descriptor(path, 0, NULL), err = 0;
	struct ustack_elf elf;

	*ret = 0;
	if (fd < 0)
		return 0;
	if (!elf_read_fd(fd, path, &elf, NULL))
		err = add_file(part, fd, &elf, ret);
	close(fd);
	return err ? diag_errno(diag, ENOMEM, path) : 0;
}
