// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the entries of a section one after the other. libdw parses each CIE and
 * FDE; augmentations and encoded pointers are read here. CIEs are cached, as many
 * FDEs share one. cfi.c calls it.
 */
#include "sframe/cfi_entry.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

/* libdw wants to know the ELF class: files of 64 bits, and of 32. */
static const unsigned char idents[2][EI_NIDENT] = {
	{ ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
	{ ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
};

static int read_entry(const struct cfi_section *s, u64 off, Dwarf_Off *next,
		      Dwarf_CFI_Entry *ret)
{
	Elf_Data data = {
		.d_buf = (void *)(uintptr_t)s->bytes,
		.d_type = ELF_T_BYTE,
		.d_size = s->len,
		.d_version = EV_CURRENT,
	};

	return dwarf_next_cfi(idents[s->narrow], &data, !s->debug, off, next, ret);
}

static u32 offset_of(const struct cfi_section *s, const u8 *p)
{
	return (u32)(p - s->bytes);
}

/*
 * Reads one letter of the augmentation and its data. Unknown letters are refused:
 * after a z their data can be skipped, but their meaning stays unknown.
 */
static bool augment(const struct cfi_section *s, char letter,
		    struct ustack_cursor *c, struct cfi_cie *cie)
{
	const char *why;
	u8 encoding;
	u64 routine;

	/* letters with data need a z; .debug_frame uses S and B without one */
	if (!cie->sized && strchr("RLP", letter))
		return cfi_lose(&cie->loss, cie->offset,
				"the CIE has an unknown augmentation");
	switch (letter) {
	case 'R':
		cie->encoding = ustack_cursor_u8(c);
		return true;
	case 'L':
		ustack_cursor_u8(c);
		return true;
	case 'S':
		cie->signal = true;
		return true;
	case 'B':	/* AArch64: addresses are signed with the other key */
	case 'G':	/* AArch64: the frame has tagged memory */
		return true;
	case 'P':
		/* only its length matters, whatever the pointer is relative to */
		encoding = ustack_cursor_u8(c);
		if (encoding == DW_EH_PE_omit)
			return true;
		why = (encoding & 0x70) == DW_EH_PE_aligned ?
			      "the pointer to the personality is aligned" :
			      cfi_pointer(s, c, encoding & 0x0f, &routine);
		return why ? cfi_lose(&cie->loss, c->pos, why) : true;
	}
	return cfi_lose(&cie->loss, cie->offset,
			"the CIE has an unknown augmentation");
}

static bool read_augmentation(const struct cfi_section *s, const Dwarf_CIE *dw,
			      struct cfi_cie *cie)
{
	u32 from = offset_of(s, dw->augmentation_data);
	const char *letter = dw->augmentation;
	struct ustack_cursor c;

	/* g++ 2 wrote "eh": a pointer, which libdw skips, and nothing in the FDE */
	if (letter[0] == 'e' && letter[1] == 'h')
		letter += 2;
	cie->sized = *letter == 'z';
	if (cie->sized)
		letter++;
	/* with a z libdw has checked the length; without one there is no data */
	ustack_cursor_init(&c, s->bytes, from, cie->sized ?
			   from + (u32)dw->augmentation_data_size : from);
	for (; *letter; letter++)
		if (!augment(s, *letter, &c, cie))
			return false;
	if (c.failed)
		return cfi_lose(&cie->loss, cie->offset,
				"the CIE's augmentation data is too short");
	return true;
}

static bool read_cie(const struct cfi_section *s, const struct ustack_arch *arch,
		     struct cfi_cie *cie)
{
	struct cfi_loss *loss = &cie->loss;
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	if (cie->offset >= s->len ||
	    read_entry(s, cie->offset, &next, &entry) ||
	    !dwarf_cfi_cie_p(&entry))
		return cfi_lose(loss, cie->offset, "there is no CIE that libdw can read");
	cie->program = offset_of(s, entry.cie.initial_instructions);
	cie->program_end = offset_of(s, entry.cie.initial_instructions_end);
	cie->code_align = entry.cie.code_alignment_factor;
	cie->data_align = entry.cie.data_alignment_factor;
	if (cie->program > cie->program_end ||
	    cie->program_end - cie->program > CFI_MAX_CIE)
		return cfi_lose(loss, cie->program, "the CIE's program is too long");
	if (entry.cie.return_address_register > UINT16_MAX ||
	    entry.cie.return_address_register == arch->sp_reg ||
	    entry.cie.return_address_register == arch->fp_reg ||
	    (arch->id == USTACK_ARCH_X86_64 &&
	     entry.cie.return_address_register != 16))
		return cfi_lose(loss, cie->offset,
				"the CIE has its return addresses in an unknown column");
	cie->ra_reg = (u16)entry.cie.return_address_register;
	if (!read_augmentation(s, &entry.cie, cie))
		return false;
	cfi_run_cie(s, arch, cie);
	return !loss->why;
}

static const struct cfi_cie *find_cie(struct cfi_entries *e, u64 off)
{
	/* lengths of entries are multiples of 4, most of 8 */
	unsigned int i = (off >> 2 ^ off >> 8) % CFI_CIE_CACHE;
	struct cfi_cie *cie = &e->cies[i];

	if (e->valid >> i & 1 && cie->offset == off)
		return cie;
	*cie = (struct cfi_cie){ .offset = off, .encoding = DW_EH_PE_absptr };
	read_cie(e->s, e->arch, cie);
	e->valid |= 1ull << i;
	return cie;
}

void cfi_entries_init(struct cfi_entries *e, const struct cfi_section *s,
		      const struct ustack_arch *arch)
{
	e->s = s;
	e->arch = arch;
	e->pos = 0;
	e->valid = 0;
}

static bool skip_augmentation(struct cfi_head *fde)
{
	struct ustack_cursor *c = &fde->program;
	u64 len = fde->cie->sized ? cfi_uleb(c) : 0;

	if (len > c->end - c->pos)
		return false;
	ustack_cursor_take(c, (u32)len);
	return !c->failed;
}

static bool read_fde(struct cfi_entries *e, const Dwarf_FDE *dw,
		     struct cfi_head *ret, struct cfi_loss *loss)
{
	const struct cfi_section *s = e->s;
	struct ustack_cursor *c = &ret->program;
	const struct cfi_cie *cie;
	const char *why;

	cie = find_cie(e, dw->CIE_pointer);
	if (cie->loss.why)
		return cfi_lose(loss, cie->loss.off, cie->loss.why);
	ret->cie = cie;
	ustack_cursor_init(c, s->bytes, offset_of(s, dw->start),
			   offset_of(s, dw->end));
	why = cfi_pointer(s, c, cie->encoding, &ret->start);
	if (!why)
		why = cfi_pointer(s, c, cie->encoding & 0x0f, &ret->len);
	if (why)
		return cfi_lose(loss, c->pos, why);
	if (!skip_augmentation(ret))
		return cfi_lose(loss, c->pos, "the FDE's augmentation data is cut");
	return true;
}

/*
 * Reads the entry at e->pos. Returns 0 for an FDE, 1 for an entry that is not
 * reported, -1 for a lost one. An entry that libdw refuses is skipped if its length
 * shows where the next one is; else the rest of the section is lost.
 */
static int next_entry(struct cfi_entries *e, Dwarf_CFI_Entry *entry,
		      struct cfi_loss *loss)
{
	u32 at = e->pos;
	Dwarf_Off next = at;
	int err;

	if (!ustack_le32(e->s->bytes + at)) {
		e->pos += 4;
		return 1;
	}
	entry->CIE_id = 0;
	err = read_entry(e->s, at, &next, entry);
	e->pos = next > at && next <= e->s->len ? (u32)next : e->s->len;
	if (e->pos == e->s->len && next != e->pos) {
		cfi_lose(loss, at, "the entry has a wrong length; so the rest of the section is lost");
		return -1;
	}
	/* a wrong CIE is reported by each of its FDEs */
	if (dwarf_cfi_cie_p(entry))
		return 1;
	if (err)
		cfi_lose(loss, at, "the FDE's CIE is not in the section");
	return err ? -1 : 0;
}

bool cfi_entries_next(struct cfi_entries *e, struct cfi_head *ret,
		      struct cfi_loss *loss)
{
	Dwarf_CFI_Entry entry;
	u32 at;
	int kind;

	*loss = (struct cfi_loss){ .why = NULL };
	do {
		if (e->s->len - e->pos < 4)
			return false;
		at = e->pos;
		kind = next_entry(e, &entry, loss);
	} while (kind > 0);
	*ret = (struct cfi_head){ .offset = at };
	if (!kind)
		read_fde(e, &entry.fde, ret, loss);
	return true;
}
