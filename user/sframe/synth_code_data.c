// SPDX-License-Identifier: GPL-2.0-only
/* Reads tables of jumps from a file's read-only segments, for synth_code_cases.c. */
#include "sframe/synth_code_data.h"

#include <gelf.h>
#include <libelf.h>

#include "sframe/elf_read.h"
#include "sframe/synth_code_flow.h"

static void add_segment(struct code_data *d, const GElf_Phdr *p)
{
	if (p->p_type != PT_LOAD || !(p->p_flags & PF_R) || p->p_flags & PF_W ||
	    p->p_vaddr + p->p_filesz < p->p_vaddr || d->nr == USTACK_MAX_SEGMENTS)
		return;
	d->ranges[d->nr++] = (struct ustack_range){ p->p_vaddr, p->p_vaddr + p->p_filesz };
}

/* Whether relocations change read-only segments when the file is loaded. */
static bool has_text_relocations(Elf *elf)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	GElf_Dyn dyn;
	int i;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_DYNAMIC)
			continue;
		data = elf_getdata(scn, NULL);
		for (i = 0; data && gelf_getdyn(data, i, &dyn); i++)
			if (dyn.d_tag == DT_TEXTREL ||
			    (dyn.d_tag == DT_FLAGS && dyn.d_un.d_val & DF_TEXTREL))
				return true;
	}
	return false;
}

void code_data_init(struct code_data *d, const struct synth *s, int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	GElf_Ehdr eh;
	GElf_Phdr p;
	size_t i, nr;

	*d = (struct code_data){ .fd = fd, .elf = &s->elf };
	if (elf && gelf_getehdr(elf, &eh) && !elf_getphdrnum(elf, &nr) &&
	    !has_text_relocations(elf)) {
		d->fixed = eh.e_type == ET_EXEC;
		for (i = 0; i < nr && gelf_getphdr(elf, (int)i, &p); i++)
			add_segment(d, &p);
	}
	elf_end(elf);
}

static bool read_data(void *arg, u64 at, void *buf, u32 len)
{
	const struct code_data *d = arg;
	const struct ustack_range *r;

	for (r = d->ranges; r < d->ranges + d->nr; r++)
		if (at >= r->start && at < r->end && len <= r->end - at)
			return elf_read_at(d->fd, d->elf, at, buf, len);
	return false;
}

void code_data_use(struct code_data *d, struct code_flow *f)
{
	f->switches.read = read_data;
	f->switches.arg = d;
	f->switches.fixed = d->fixed;
}
