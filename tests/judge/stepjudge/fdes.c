// SPDX-License-Identifier: GPL-2.0-only
/* Lists the entries of a file's CFI with libdw (fdes.h). */
#include "fdes.h"

#include <dwarf.h>
#include <stdlib.h>

/* The section that is read. */
struct source {
	const GElf_Ehdr *eh;
	Elf_Data *data;
	u64 vaddr;
	Dwarf_CFI *cfi;
	bool debug;
};

/* Reads the pointers of an entry, DW_EH_PE_*. */
struct pointers {
	const struct source *s;
	const u8 *at;
	const u8 *end;
	u8 encoding;
	bool strange;
};

static u64 take(struct pointers *p, unsigned int bytes)
{
	u64 v = 0;

	if ((size_t)(p->end - p->at) < bytes) {
		p->strange = true;
		return 0;
	}
	memcpy(&v, p->at, bytes);
	p->at += bytes;
	return v;
}

/* The number at this place, without the base that it is relative to. */
static u64 number(struct pointers *p)
{
	switch (p->encoding & 0xf) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return take(p, 8);
	case DW_EH_PE_udata4:
		return take(p, 4);
	case DW_EH_PE_sdata4:
		return (u64)(s64)(s32)take(p, 4);
	case DW_EH_PE_udata2:
		return take(p, 2);
	case DW_EH_PE_sdata2:
		return (u64)(s64)(s16)take(p, 2);
	}
	p->strange = true;
	return 0;
}

static u64 address(struct pointers *p)
{
	u64 at = p->s->vaddr + (u64)(p->at - (const u8 *)p->s->data->d_buf);
	u64 v = number(p);

	switch (p->encoding & 0xf0) {
	case DW_EH_PE_absptr:
		return v;
	case DW_EH_PE_pcrel:
		return v + at;
	}
	p->strange = true;
	return 0;
}

/* The encoding after 'R', in an augmentation of the letters that compilers write. */
static bool find_encoding(const Dwarf_CIE *cie, u8 *ret)
{
	const u8 *data = cie->augmentation_data;
	const u8 *end = data + cie->augmentation_data_size;
	const char *letter = cie->augmentation;
	struct pointers skipped = { .end = end };

	*ret = DW_EH_PE_absptr;
	if (*letter != 'z')
		return !*letter;
	while (*++letter) {
		if (strchr("SBG", *letter))
			continue;
		if (data == end || !strchr("RLP", *letter))
			return false;
		if (*letter == 'R')
			*ret = *data;
		skipped.encoding = *data++;
		skipped.at = data;
		if (*letter == 'P')
			number(&skipped);
		data = skipped.at;
	}
	return !skipped.strange;
}

static bool cie_encoding(const struct source *s, Dwarf_Off off, u8 *ret)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	return !dwarf_next_cfi(s->eh->e_ident, s->data, !s->debug, off, &next,
			       &entry) &&
	       dwarf_cfi_cie_p(&entry) && find_encoding(&entry.cie, ret);
}

static void add(struct fdes *f, const struct source *s, const Dwarf_FDE *fde)
{
	struct pointers p = { .s = s, .at = fde->start, .end = fde->end };
	u64 start, size;

	if (!cie_encoding(s, fde->CIE_pointer, &p.encoding) ||
	    p.encoding & DW_EH_PE_indirect) {
		f->strange++;
		return;
	}
	start = address(&p);
	size = number(&p);
	if (p.strange) {
		f->strange++;
		return;
	}
	if (!size || !start || start + size < start) {
		f->empty++;
		return;
	}
	if (f->nr == f->room) {
		f->room = f->room ? f->room * 2 : 1024;
		f->all = reallocarray(f->all, f->room, sizeof(*f->all));
		if (!f->all)
			abort();
	}
	f->nr_eh += !s->debug;
	f->all[f->nr++] = (struct fde){
		.start = start, .end = start + size, .cfi = s->cfi, .debug = s->debug,
	};
}

static void read_section(struct fdes *f, const struct source *s)
{
	Dwarf_Off off = 0, next;
	Dwarf_CFI_Entry entry;
	int status;

	/* it skips entries that it cannot read */
	while ((status = dwarf_next_cfi(s->eh->e_ident, s->data, !s->debug, off,
					&next, &entry)) <= 0) {
		if (status)
			f->strange++;
		else if (!dwarf_cfi_cie_p(&entry))
			add(f, s, &entry.fde);
		if (next <= off)
			return;
		off = next;
	}
}

static void read_sections(struct fdes *f)
{
	size_t names, i, nr;
	GElf_Ehdr eh;

	if (!gelf_getehdr(f->elf, &eh) || elf_getshdrstrndx(f->elf, &names) ||
	    elf_getshdrnum(f->elf, &nr))
		return;
	for (i = 1; i < nr; i++) {
		Elf_Scn *scn = elf_getscn(f->elf, i);
		struct source s = { .eh = &eh };
		const char *name;
		GElf_Shdr sh;
		bool packed;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(f->elf, names, sh.sh_name);
		packed = name && !strcmp(name, ".zdebug_frame");
		s.debug = packed || (name && !strcmp(name, ".debug_frame"));
		s.cfi = s.debug ? f->debug : f->eh;
		if (!name || (!s.debug && strcmp(name, ".eh_frame")) || !s.cfi)
			continue;
		if (packed)
			elf_compress_gnu(scn, 0, 0);
		else if (sh.sh_flags & SHF_COMPRESSED)
			elf_compress(scn, 0, 0);
		s.vaddr = s.debug ? 0 : sh.sh_addr;
		s.data = s.debug ? elf_getdata(scn, NULL) : elf_rawdata(scn, NULL);
		if (s.data && s.data->d_buf)
			read_section(f, &s);
	}
}

static int by_start(const void *a, const void *b)
{
	const struct fde *f = a, *g = b;

	if (f->debug != g->debug)
		return f->debug - g->debug;
	return f->start < g->start ? -1 : f->start > g->start;
}

static void sort(struct fdes *f)
{
	u64 far = 0;
	size_t i;

	if (f->nr)
		qsort(f->all, f->nr, sizeof(*f->all), by_start);
	for (i = 0; i < f->nr; i++) {
		if (i == f->nr_eh)
			far = 0;
		if (f->all[i].end > far)
			far = f->all[i].end;
		f->all[i].far = far;
	}
}

static size_t covering(const struct fde *fde, size_t nr, u64 pc)
{
	size_t lo = 0, hi = nr, mid, n = 0;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (fde[mid].start <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo && fde[lo - 1].far > pc; lo--)
		n += fde[lo - 1].end > pc;
	return n;
}

size_t fdes_covering(const struct fdes *f, u64 pc)
{
	size_t n = covering(f->all, f->nr_eh, pc);

	return n ? n : covering(f->all + f->nr_eh, f->nr - f->nr_eh, pc);
}

bool fdes_open(struct fdes *f, int fd)
{
	*f = (struct fdes){ .room = 0 };
	elf_version(EV_CURRENT);
	f->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!f->elf)
		return false;
	f->eh = dwarf_getcfi_elf(f->elf);
	f->dwarf = dwarf_begin(fd, DWARF_C_READ);
	f->debug = f->dwarf ? dwarf_getcfi(f->dwarf) : NULL;
	read_sections(f);
	sort(f);
	return true;
}

void fdes_release(struct fdes *f)
{
	if (f->eh)
		dwarf_cfi_end(f->eh);
	dwarf_end(f->dwarf);
	elf_end(f->elf);
	free(f->all);
}
