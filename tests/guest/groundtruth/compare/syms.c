// SPDX-License-Identifier: GPL-2.0-only
/* Reads the functions of a file from its symbol tables and from Go's table (syms.h). */
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gopclntab.h"
#include "syms.h"
#include "util.h"

struct syms {
	int fd;
	Elf *elf;		/* its sections contain the names */
	struct sym *rows;	/* sorted by start; of equal starts the first one is used */
	size_t count;
	size_t room;
};

void syms_add(struct syms *t, uint64_t start, uint64_t end, const char *name)
{
	if (t->count == t->room) {
		t->room = t->room ? 2 * t->room : 256;
		t->rows = xrealloc(t->rows, t->room * sizeof(*t->rows));
	}
	t->rows[t->count++] = (struct sym){ start, end, name };
}

static void read_symbols(struct syms *t, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t i, n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;

	for (i = 0; data && i < n; i++) {
		const char *name;
		GElf_Sym sym;

		/* labels in assembly often have no type */
		if (!gelf_getsym(data, i, &sym) || sym.st_shndx == SHN_UNDEF ||
		    sym.st_shndx >= SHN_LORESERVE ||
		    (GELF_ST_TYPE(sym.st_info) != STT_FUNC &&
		     GELF_ST_TYPE(sym.st_info) != STT_GNU_IFUNC &&
		     GELF_ST_TYPE(sym.st_info) != STT_NOTYPE))
			continue;
		name = elf_strptr(t->elf, sh->sh_link, sym.st_name);
		/* $x and $d are arm64's marks of code and data */
		if (name && name[0] && name[0] != '$')
			syms_add(t, sym.st_value, sym.st_value + sym.st_size, name);
	}
}

static void read_sections(struct syms *t)
{
	uint64_t text = 0;
	Elf_Scn *scn = NULL;
	Elf_Data *pclntab = NULL;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(t->elf, &names))
		return;
	while ((scn = elf_nextscn(t->elf, scn))) {
		const char *name;

		if (!gelf_getshdr(scn, &sh))
			continue;
		name = elf_strptr(t->elf, names, sh.sh_name);
		if (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM)
			read_symbols(t, scn, &sh);
		else if (name && !strcmp(name, ".text"))
			text = sh.sh_addr;
		else if (name && (!strcmp(name, ".gopclntab") ||
				  !strcmp(name, ".data.rel.ro.gopclntab")))
			pclntab = elf_rawdata(scn, NULL);
	}
	if (pclntab)
		gopclntab_read(t, pclntab->d_buf, pclntab->d_size, text);
}

/* of equal starts, one with a size comes first */
static int by_start(const void *a, const void *b)
{
	const struct sym *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* a label without a size reaches to the next one */
static void extend(struct syms *t)
{
	uint64_t next = UINT64_MAX;
	size_t i;

	for (i = t->count; i-- > 0; ) {
		struct sym *s = &t->rows[i];

		if (i + 1 < t->count && s[1].start != s->start)
			next = s[1].start;
		if (s->end == s->start)
			s->end = next;
	}
}

static struct syms *syms_read(const struct file *f)
{
	struct syms *t = xcalloc(1, sizeof(*t));

	t->fd = f->fd < 0 ? -1 : dup(f->fd);
	if (t->fd < 0)
		return t;
	elf_version(EV_CURRENT);
	t->elf = elf_begin(t->fd, ELF_C_READ_MMAP, NULL);
	if (!t->elf)
		return t;
	read_sections(t);
	if (t->count)
		qsort(t->rows, t->count, sizeof(*t->rows), by_start);
	extend(t);
	return t;
}

void syms_free(struct syms *t)
{
	if (!t)
		return;
	if (t->elf)
		elf_end(t->elf);
	if (t->fd >= 0)
		close(t->fd);
	free(t->rows);
	free(t);
}

const struct sym *syms_find(struct file *f, uint64_t vaddr)
{
	size_t low = 0, high;
	const struct sym *s;

	if (!f->syms)
		f->syms = syms_read(f);
	high = f->syms->count;
	while (low < high) {
		size_t mid = (low + high) / 2;

		if (f->syms->rows[mid].start <= vaddr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return NULL;
	s = &f->syms->rows[low - 1];
	while (s > f->syms->rows && s[-1].start == s->start)
		s--;
	return vaddr < s->end ? s : NULL;
}

void syms_name(struct file *f, uint64_t vaddr, char *buf, size_t size)
{
	const struct sym *s = syms_find(f, vaddr);

	buf[0] = '\0';
	if (s)
		snprintf(buf, size, "%s+0x%" PRIx64, s->name, vaddr - s->start);
}
