/* SPDX-License-Identifier: GPL-2.0-only */
/* The ELF files of a record: embedded in it, or in a system root. */
#ifndef GT_FILES_H
#define GT_FILES_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

#include "../format.h"

struct file {
	struct file *next;
	struct gt_identity id;
	bool vdso;
	char *path;		/* path in the guest */
	const char *name;	/* last component of the path */
	int fd;			/* -1: there is no such file on this machine */
	Elf64_Phdr *phdrs;
	unsigned int phnum;
	uint8_t build_id[20];
	unsigned int build_id_len;
	uint64_t entry;		/* e_entry */
	struct syms *syms;	/* made when needed (syms.h) */
};

/* where to look for files that the record does not contain; may be NULL */
void files_sysroot(const char *dir);
void files_add_image(const struct gt_image *m);
void files_release(void);

/* the file of a mapping, or NULL if it has none */
struct file *files_find(const struct gt_identity *id, const char *path);

/* run-time address minus link-time address, if the mapping is of a segment */
bool file_bias(const struct file *f, uint64_t start, uint64_t pgoff, uint64_t *ret);

/* lowest and highest link-time address of code */
void file_span(const struct file *f, uint64_t *ret_low, uint64_t *ret_high);

/* bytes of the file at a link-time address */
bool file_read(const struct file *f, uint64_t vaddr, void *buf, size_t len);

#endif /* GT_FILES_H */
