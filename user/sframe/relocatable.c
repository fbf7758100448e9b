// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads sections of files that the core refuses, for commands that show them. Functions
 * of relocatable files have no addresses: here they get those that user/formats/dwarf
 * gives the code of such files, .text from 0 on, and the section is relocated as a linker
 * would do it. Sections of big-endian files are byte-swapped. The module does neither.
 */
#include "sframe/relocatable.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>

#include "formats/dwarf/object.h"
#include "sframe/swap.h"
#include "util/cleanup.h"
#include "util/file.h"

static void close_object(struct dwarf_object **o)
{
	dwarf_object_close(*o);
}

static const struct ustack_arch *arch_of(const struct dwarf_object *o,
					 const struct sframe_foreign *foreign)
{
	/* a big-endian file is not for this machine, even if e_machine is the same */
	if (o->swap)
		return foreign ? foreign->arch : NULL;
	return o->machine == EM_X86_64 ? &ustack_arch_x86_64 :
	       o->machine == EM_AARCH64 ? &ustack_arch_aarch64 : NULL;
}

/* All code becomes one range: there is nothing else between its sections. */
static void take_text(const struct dwarf_object *o, struct ustack_elf *elf)
{
	if (!o->nr_text)
		return;
	elf->text[0] = (struct ustack_range){ o->text[0].start, o->text[o->nr_text - 1].end };
	elf->nr_text = 1;
}

static int take_section(struct sframe_section *s, const struct dwarf_section *d, struct diag *diag)
{
	if (!d->data)
		return diag_reason(diag, USTACK_NO_SECTION, s->path, DIAG_NO_OFFSET);
	if (d->size > USTACK_MAX_SECTION)
		return diag_reason(diag, USTACK_TOO_LARGE, s->path, 0);
	s->bytes = malloc(d->size + !d->size);
	if (!s->bytes)
		return diag_errno(diag, ENOMEM, s->path);
	memcpy(s->bytes, d->data, d->size);
	s->elf.sframe_off = d->file_off;
	s->elf.sframe_len = (u32)d->size;
	s->elf.sframe_vaddr = d->addr;
	s->core = (struct ustack_section){
		.bytes = s->bytes, .len = s->elf.sframe_len, .vaddr = d->addr, .arch = s->elf.arch,
		.text = s->elf.text, .nr_text = s->elf.nr_text,
	};
	if (s->foreign && sframe_swap(s->bytes, s->core.len, s->foreign))
		return diag_errno(diag, ENOMEM, s->path);
	return 0;
}

static int read_object(struct sframe_section *s, const char *path, struct diag *diag)
{
	_cleanup_(close_object) struct dwarf_object *o = NULL;
	struct dwarf_section d;
	int err = dwarf_object_open(path, &o, diag);

	if (err)
		return err;
	s->path = path;
	s->foreign = o->swap ? sframe_foreign_by_machine(o->machine) : NULL;
	s->elf = (struct ustack_elf){ .arch = arch_of(o, s->foreign) };
	if (!s->elf.arch)
		return diag_reason(diag, USTACK_ELF_MACHINE, path, DIAG_NO_OFFSET);
	take_text(o, &s->elf);
	err = dwarf_object_section(o, ".sframe", &d, diag);
	if (!err) {
		err = take_section(s, &d, diag);
		dwarf_section_release(&d);
	}
	/* diag->file may point into the object, which is closed now */
	if (err && diag)
		diag->file = path;
	return err;
}

/* Whether a file that was refused for @reason can still be shown. */
static bool can_be_shown(const char *path, enum ustack_reason reason)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	u8 head[EI_NIDENT + 2];

	if (file_open(&file, path, NULL) || file_read(&file, 0, head, sizeof(head), NULL))
		return false;
	if (reason == USTACK_ELF_CLASS)
		return head[EI_CLASS] == ELFCLASS64 && head[EI_DATA] == ELFDATA2MSB;
	return reason == USTACK_NOT_EXECUTABLE && ustack_le16(head + EI_NIDENT) == ET_REL;
}

int sframe_section_read_any(struct sframe_section *s, const char *path,
			    const struct sframe_raw *raw, struct diag *diag)
{
	int err = sframe_section_read(s, path, raw, diag);

	if (err != -EBADMSG || raw || !can_be_shown(path, diag->reason))
		return err;
	return read_object(s, path, diag);
}
