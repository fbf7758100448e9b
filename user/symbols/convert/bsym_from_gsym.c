// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the code segment of a BSYM file from the functions of a GSYM file. The symbols of
 * an ELF file are first written to a GSYM file in memory, so that the GSYM writer decides
 * which of several symbols at one address is kept.
 */
#include "symbols/convert/bsym_from_gsym.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/convert/symbol_ends.h"
#include "formats/gsym/reader.h"

#include "util/poison.h"

static int add_function(struct bsym_new *n, const struct gsym_function *f,
			const struct gsym_function *next, struct bsym_source *ret)
{
	uint64_t size = f->size;

	if (f->start > UINT32_MAX) {
		ret->outside++;
		return 0;
	}
	if (!size && next)
		size = next->start - f->start;
	ret->symbols++;
	return bsym_new_symbol(n, (uint32_t)f->start, size, f->name);
}

static int add_functions(const struct gsym *g, struct bsym_new *n, struct bsym_source *ret)
{
	struct gsym_function now, next;
	struct gsym_info info;
	uint32_t i;
	int err = 0;

	gsym_identify(g, &info);
	if (info.nr_functions)
		err = gsym_function(g, 0, &now);
	for (i = 0; !err && i < info.nr_functions; i++, now = next) {
		if (i + 1 < info.nr_functions)
			err = gsym_function(g, i + 1, &next);
		if (!err)
			err = add_function(n, &now, i + 1 < info.nr_functions ? &next : NULL, ret);
	}
	return err;
}

static int take_gsym(const char *file, const char *path, const char *name,
		     struct bsym_new *n, struct bsym_source *ret, struct diag *diag)
{
	struct gsym *g;
	int err;

	*ret = (struct bsym_source){ 0 };
	err = gsym_open(file, &g, diag);
	if (err)
		return err;
	err = bsym_new_codeseg(n, name, false);
	err = err ? err : add_functions(g, n, ret);
	gsym_close(g);
	return err ? diag_errno(diag, -err, path) : 0;
}

int bsym_from_gsym(const char *path, const char *name, struct bsym_new *n,
		   struct bsym_source *ret, struct diag *diag)
{
	return take_gsym(path, path, name, n, ret, diag);
}

/* Writes the file's symbols to @fd as GSYM. The writer keeps one name for each function. */
static int make_gsym(const char *path, int fd, struct diag *diag)
{
	struct gsym_part *part = gsym_part_new();
	struct gsym_write_options o = { .layout = GSYM_LLVM_1 };
	struct gsym_symtab symtab = { 0 };
	int err;

	if (!part)
		return diag_errno(diag, ENOMEM, path);
	err = gsym_from_symtab(path, part, &symtab, diag);
	if (!err)
		err = gsym_symtab_ends(path, part, &symtab, diag);
	if (!err && !symtab.symbols && !symtab.dynamic && !symtab.packed)
		err = diag_set(diag, ENODATA, path, "nothing in it names a function");
	o.base = symtab.base;
	o.text = symtab.text;
	o.nr_text = symtab.nr_text;
	o.starts = symtab.starts;
	o.nr_starts = symtab.nr_starts;
	err = err ? err : gsym_write(&part, 1, &o, fd, path, NULL, diag);
	gsym_symtab_release(&symtab);
	gsym_part_free(part);
	return err;
}

int bsym_from_elf(const char *path, const char *name, struct bsym_new *n,
		  struct bsym_source *ret, struct diag *diag)
{
	char file[64];
	int fd = memfd_create("symbols", MFD_CLOEXEC), err;

	if (fd < 0)
		return diag_errno(diag, errno, path);
	snprintf(file, sizeof(file), "/proc/self/fd/%d", fd);
	err = make_gsym(path, fd, diag);
	err = err ? err : take_gsym(file, path, name, n, ret, diag);
	if (err && diag)
		diag->file = path;
	close(fd);
	return err;
}
