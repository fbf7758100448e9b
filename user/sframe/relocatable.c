// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sections of relocatable files, which the core refuses: their functions have no addresses. Here
 * they get those that user/dwarf gives the code of such files, .text from 0 on, and the section
 * is relocated as a linker would do it. Nothing of this is in the module.
 */
#include "sframe/relocatable.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>

#include "dwarf/object.h"
#include "util/cleanup.h"
#include "util/file.h"

static void close_object(struct dwarf_object **o)
{
	dwarf_object_close(*o);
}

static const struct ustack_arch *arch_of(const struct dwarf_object *o)
{
	return o->machine == EM_X86_64 ? &ustack_arch_x86_64 :
	       o->machine == EM_AARCH64 ? &ustack_arch_aarch64 : NULL;
}

/* All code as one range: there is nothing else between its sections. */
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
	s->core = (struct ustack_section){
		.bytes = s->bytes, .len = s->elf.sframe_len, .arch = s->elf.arch,
		.text = s->elf.text, .nr_text = s->elf.nr_text,
	};
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
	s->elf = (struct ustack_elf){ .arch = arch_of(o) };
	if (!s->elf.arch)
		return diag_reason(diag, USTACK_ELF_MACHINE, path, DIAG_NO_OFFSET);
	take_text(o, &s->elf);
	err = dwarf_object_section(o, ".sframe", &d, diag);
	if (!err) {
		err = take_section(s, &d, diag);
		dwarf_section_release(&d);
	}
	/* the path in a message is the object's */
	if (err && diag)
		diag->file = path;
	return err;
}

static bool is_relocatable(const char *path)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	u8 head[EI_NIDENT + 2];

	return !file_open(&file, path, NULL) && !file_read(&file, 0, head, sizeof(head), NULL) &&
	       ustack_le16(head + EI_NIDENT) == ET_REL;
}

int sframe_section_read_any(struct sframe_section *s, const char *path,
			    const struct sframe_raw *raw, struct diag *diag)
{
	int err = sframe_section_read(s, path, raw, diag);

	if (err != -EBADMSG || raw || diag->reason != USTACK_NOT_EXECUTABLE ||
	    !is_relocatable(path))
		return err;
	return read_object(s, path, diag);
}
