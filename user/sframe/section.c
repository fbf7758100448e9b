// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a file's .sframe section, and verifies and compiles it with the core, as the
 * module does. The commands and user/darwin/table.c call it.
 */
#include "sframe/section.h"

#include <errno.h>
#include <stdlib.h>

#include "sframe/elf_read.h"
#include "util/cleanup.h"
#include "util/file.h"

/* For a bare section: the file that it came from is unknown, so all memory is text. */
static void assume_headers(const struct file *file, const struct sframe_raw *raw,
			   struct ustack_elf *elf)
{
	*elf = (struct ustack_elf){
		.arch = raw->arch,
		.nr_text = 1,
		.text = { { .start = 0, .end = UINT64_MAX } },
		.sframe_vaddr = raw->vaddr,
		.sframe_len = file->size > USTACK_MAX_SECTION ?
				      USTACK_MAX_SECTION + 1 : (u32)file->size,
	};
}

int sframe_section_read(struct sframe_section *s, const char *path,
			const struct sframe_raw *raw, struct diag *diag)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	int err;

	err = file_open(&file, path, diag);
	if (err)
		return err;
	s->path = path;
	if (raw)
		assume_headers(&file, raw, &s->elf);
	else
		err = elf_read_headers(&file, &s->elf, diag);
	if (!err && !raw && !s->elf.sframe_off)
		err = diag_reason(diag, USTACK_NO_SECTION, path, DIAG_NO_OFFSET);
	if (err)
		return err;
	if (s->elf.sframe_len > USTACK_MAX_SECTION)
		return diag_reason(diag, USTACK_TOO_LARGE, path, 0);
	err = file_read_new(&file, s->elf.sframe_off, s->elf.sframe_len,
			    &s->bytes, diag);
	if (err)
		return err;
	s->core = (struct ustack_section){
		.bytes = s->bytes,
		.len = s->elf.sframe_len,
		.vaddr = s->elf.sframe_vaddr,
		.arch = s->elf.arch,
		.text = s->elf.text,
		.nr_text = s->elf.nr_text,
	};
	return 0;
}

void sframe_section_borrow(struct sframe_section *s, const char *path,
			   const struct ustack_elf *elf, const u8 *bytes,
			   u32 len, u64 vaddr)
{
	s->path = path;
	s->elf = *elf;
	s->core = (struct ustack_section){
		.bytes = bytes,
		.len = len,
		.vaddr = vaddr,
		.arch = elf->arch,
		.text = s->elf.text,
		.nr_text = elf->nr_text,
	};
}

int sframe_section_open(struct sframe_section *s, struct diag *diag)
{
	enum ustack_reason reason;
	u32 bad_off;

	reason = ustack_section_open(&s->core, &bad_off);
	return reason ? diag_reason(diag, reason, s->path, bad_off) : 0;
}

int sframe_section_verify(struct sframe_section *s, struct diag *diag)
{
	enum ustack_reason reason;

	s->scratch = malloc(ustack_section_scratch(&s->core));
	if (!s->scratch)
		return diag_errno(diag, ENOMEM, s->path);
	reason = ustack_verify(&s->core, s->scratch);
	if (!reason)
		return 0;
	/* nothing is left: the first loss says more than "empty" */
	if (reason == USTACK_EMPTY && s->core.report.lost)
		reason = s->core.report.bad_reason;
	return diag_reason(diag, reason, s->path, s->core.report.bad_off);
}

int sframe_section_compile(struct sframe_section *s, struct diag *diag)
{
	enum ustack_reason reason;
	u64 size;

	reason = ustack_compile_size(&s->core, &size);
	if (reason)
		return diag_reason(diag, reason, s->path, 0);
	s->table = calloc(1, size);
	if (!s->table)
		return diag_errno(diag, ENOMEM, s->path);
	reason = ustack_compile(&s->core, s->table);
	if (reason)
		return diag_reason(diag, reason, s->path, 0);
	if (ustack_table_check(s->table, size))
		return diag_set(diag, EPROTO, s->path,
				"the compiled table contradicts itself: a defect of ustack, "
				"please report it with the file");
	return 0;
}

int sframe_section_prove(struct sframe_section *s, struct diag *diag)
{
	int err;

	err = sframe_section_open(s, diag);
	if (!err)
		err = sframe_section_verify(s, diag);
	if (!err)
		err = sframe_section_compile(s, diag);
	return err;
}

void sframe_section_release(struct sframe_section *s)
{
	free(s->bytes);
	free(s->scratch);
	free(s->table);
	*s = (struct sframe_section)SFRAME_SECTION_INIT;
}
