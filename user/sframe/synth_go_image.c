// SPDX-License-Identifier: GPL-2.0-only
/* Reads words of a file with its relative relocations applied; synth_go_elf.c calls it. */
#include "sframe/synth_go_image.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>

#include "sframe/elf_read.h"

#define CHUNK (1u << 20)
/* Most bytes of relocations; dockerd, as PIE, has 20 MB. */
#define RELA_MAX (1u << 28)

bool go_image_read(const struct go_image *m, u64 vaddr, void *buf, size_t len)
{
	return elf_read_at(m->fd, m->elf, vaddr, buf, len);
}

static bool find_dynamic(Elf *elf, GElf_Phdr *ret)
{
	size_t i, nr;

	if (!elf || elf_getphdrnum(elf, &nr))
		return false;
	for (i = 0; i < nr && i < INT32_MAX; i++)
		if (gelf_getphdr(elf, (int)i, ret) && ret->p_type == PT_DYNAMIC)
			return true;
	return false;
}

/* Reads the address and the size of the relocations from the dynamic section. */
static void read_dynamic(const struct go_image *m, const GElf_Phdr *ph, u64 *at,
			 u64 *size)
{
	Elf64_Dyn dyn;
	u64 off;

	for (off = 0; off + sizeof(dyn) <= ph->p_filesz && off < CHUNK;
	     off += sizeof(dyn)) {
		if (!go_image_read(m, ph->p_vaddr + off, &dyn, sizeof(dyn)) ||
		    dyn.d_tag == DT_NULL)
			return;
		if (dyn.d_tag == DT_RELA)
			*at = dyn.d_un.d_ptr;
		else if (dyn.d_tag == DT_RELASZ)
			*size = dyn.d_un.d_val;
	}
}

static bool is_relative(const struct go_image *m, const struct go_rela *r)
{
	return m->elf->arch == &ustack_arch_aarch64 ?
		       r->info == R_AARCH64_RELATIVE : r->info == R_X86_64_RELATIVE;
}

int go_image_relocate(struct go_image *m)
{
	u64 at = 0, size = 0;
	GElf_Phdr ph;
	size_t i, nr;
	Elf *e;

	e = elf_begin(m->fd, ELF_C_READ, NULL);
	if (find_dynamic(e, &ph))
		read_dynamic(m, &ph, &at, &size);
	elf_end(e);
	if (!size || size > RELA_MAX)
		return 0;
	nr = size / sizeof(*m->rela);
	m->rela = calloc(nr + 1, sizeof(*m->rela));
	if (!m->rela)
		return -ENOMEM;
	if (!go_image_read(m, at, m->rela, nr * sizeof(*m->rela)))
		nr = 0;
	for (i = 0; i < nr; i++)
		if (is_relative(m, &m->rela[i]))
			m->rela[m->nr_rela++] = m->rela[i];
	return 0;
}

void go_image_release(struct go_image *m)
{
	free(m->rela);
}

bool go_image_word(const struct go_image *m, u64 vaddr, u64 *ret)
{
	size_t i;

	for (i = 0; i < m->nr_rela; i++)
		if (m->rela[i].at == vaddr) {
			*ret = m->rela[i].value;
			return true;
		}
	return go_image_read(m, vaddr, ret, sizeof(*ret));
}

static int find_in(const struct go_image *m, const struct ustack_segment *s, u64 *buf,
		   u64 value, u64 *ret, int max)
{
	u64 at, skip = -s->vaddr & 7, left, i;
	int nr = 0;

	for (at = skip; at < s->filesz && nr < max; at += CHUNK) {
		left = s->filesz - at < CHUNK ? s->filesz - at : CHUNK;
		if (!go_image_read(m, s->vaddr + at, buf, left))
			break;
		for (i = 0; i < left / 8 && nr < max; i++)
			if (buf[i] == value)
				ret[nr++] = s->vaddr + at + 8 * i;
	}
	return nr;
}

int go_image_find(const struct go_image *m, u64 value, u64 *ret, int max)
{
	u64 *buf = malloc(CHUNK);
	unsigned int i;
	int nr = 0;
	size_t k;

	if (!buf)
		return -ENOMEM;
	for (k = 0; k < m->nr_rela && nr < max; k++)
		if (m->rela[k].value == value)
			ret[nr++] = m->rela[k].at;
	for (i = 0; i < m->elf->nr_segments; i++)
		if (!m->elf->segments[i].exec)
			nr += find_in(m, &m->elf->segments[i], buf, value, ret + nr,
				      max - nr);
	free(buf);
	return nr;
}
