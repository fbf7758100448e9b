// SPDX-License-Identifier: GPL-2.0-only
/* Finds functions of the vDSO that keep SP, FP and LR: by its symbols, proven by its code. */
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "sframe/synth_leaf.h"

/* Most functions; a vDSO has a dozen. */
#define FUNCS_MAX 256u

static Elf_Scn *find_type(Elf *elf, u32 type, GElf_Shdr *ret)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, ret) && ret->sh_type == type)
			return scn;
	return NULL;
}

static bool is_vdso(Elf *elf)
{
	GElf_Shdr sh;
	Elf_Scn *scn = find_type(elf, SHT_DYNAMIC, &sh);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	const char *name;
	GElf_Dyn dyn;
	int i;

	for (i = 0; data && gelf_getdyn(data, i, &dyn) && dyn.d_tag; i++) {
		if (dyn.d_tag != DT_SONAME)
			continue;
		name = elf_strptr(elf, sh.sh_link, dyn.d_un.d_val);
		return name && !strcmp(name, "linux-vdso.so.1");
	}
	return false;
}

/* One section's instructions. */
struct text {
	const u8 *bytes;
	u64 start;
	u64 end;
};

static u32 insn_at(const struct text *t, u64 pc)
{
	return ustack_le32(t->bytes + (pc - t->start));
}

static bool keeps_all(const struct text *t, const struct ustack_range *r)
{
	u64 pc;

	for (pc = r->start; pc < r->end; pc += 4)
		if (!leaf_keeps(insn_at(t, pc)))
			return false;
	return true;
}

/* Any word outside of the function that looks like a branch counts as one. */
static bool is_entered_midway(const struct text *t, const struct ustack_range *r)
{
	u64 pc, to;

	for (pc = t->start; pc < t->end; pc += 4)
		if ((pc < r->start || pc >= r->end) &&
		    leaf_branch(insn_at(t, pc), pc, &to) &&
		    to > r->start && to < r->end)
			return true;
	return false;
}

static bool read_text(Elf *elf, const GElf_Sym *sym, struct text *ret)
{
	Elf_Scn *scn = elf_getscn(elf, sym->st_shndx);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;
	GElf_Shdr sh;

	if (!data || !data->d_buf || !gelf_getshdr(scn, &sh) ||
	    !(sh.sh_flags & SHF_EXECINSTR) || sh.sh_addr & 3)
		return false;
	*ret = (struct text){
		.bytes = data->d_buf,
		.start = sh.sh_addr,
		.end = sh.sh_addr + (data->d_size & ~(size_t)3),
	};
	return ret->end >= ret->start;
}

static bool read_func(Elf *elf, const GElf_Sym *sym, struct leaf_func *ret)
{
	struct ustack_range r = { sym->st_value, sym->st_value + sym->st_size };
	struct text t;

	if (GELF_ST_TYPE(sym->st_info) != STT_FUNC || !sym->st_size ||
	    r.start & 3 || r.end & 3 || !read_text(elf, sym, &t) ||
	    r.start < t.start || r.end < r.start || r.end > t.end)
		return false;
	*ret = (struct leaf_func){
		.range = r,
		.leaf = keeps_all(&t, &r) && !is_entered_midway(&t, &r),
	};
	return true;
}

static size_t read_funcs(Elf *elf, struct leaf_func *ret)
{
	GElf_Shdr sh;
	Elf_Scn *scn = find_type(elf, SHT_DYNSYM, &sh);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	size_t nr = 0;
	GElf_Sym sym;
	int i;

	for (i = 0; data && nr < FUNCS_MAX && gelf_getsym(data, i, &sym); i++)
		nr += read_func(elf, &sym, &ret[nr]);
	return nr;
}

int leaf_read_vdso(int fd, struct leaf_func **ret, size_t *nr)
{
	Elf *elf;

	*nr = 0;
	*ret = calloc(FUNCS_MAX, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && is_vdso(elf))
		*nr = read_funcs(elf, *ret);
	elf_end(elf);
	return 0;
}
