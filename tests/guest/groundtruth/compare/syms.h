/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of a file by address: from .symtab or .dynsym, and from Go's .gopclntab, which
 * even a stripped Go program has.
 */
#ifndef GT_SYMS_H
#define GT_SYMS_H

#include "files.h"

struct sym {
	uint64_t start;
	uint64_t end;
	const char *name;
};

/* the function at a link-time address, or NULL */
const struct sym *syms_find(struct file *f, uint64_t vaddr);

/* writes "name+0x12" into BUF, or an empty string */
void syms_name(struct file *f, uint64_t vaddr, char *buf, size_t size);

/* adds a function while the file is read */
struct syms;
void syms_add(struct syms *t, uint64_t start, uint64_t end, const char *name);
void syms_free(struct syms *t);

#endif /* GT_SYMS_H */
