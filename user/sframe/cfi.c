// SPDX-License-Identifier: GPL-2.0-only
/*
 * A handle over the CFI sections of a file and of its separate debug files: it
 * opens them, returns their FDEs one by one with their rows, and counts them.
 * cfi_elf.c finds the sections, cfi_entry.c reads entries, cfi_run.c makes rows.
 */
#include "sframe/cfi.h"

#include <errno.h>
#include <stdlib.h>

#include "sframe/cfi_elf.h"
#include "sframe/cfi_entry.h"
#include "sframe/cfi_ranges.h"

#define MAX_SECTIONS 8
/* The file itself and up to three debug files. */
#define MAX_FILES 4

/**
 * struct cfi - see cfi.h
 * @watching: copy of @arch whose fp_reg is the register that fills the fp column
 * @sections: sections to read; all .eh_frame come before any .debug_frame
 * @current: index in @sections; @nr_sections after the last
 * @eh: address ranges that .eh_frame covers; filled only if a .debug_frame follows
 */
struct cfi {
	const struct ustack_arch *arch;
	struct ustack_arch watching;
	struct cfi_elf files[MAX_FILES];
	unsigned int nr_files;
	struct cfi_section sections[MAX_SECTIONS];
	unsigned int nr_sections;
	unsigned int current;
	struct cfi_entries entries;
	struct cfi_rows rows;
	struct cfi_ranges eh;
	struct cfi_stats stats;
};

static void enter(struct cfi *cfi, unsigned int i)
{
	cfi->current = i;
	if (i < cfi->nr_sections)
		cfi_entries_init(&cfi->entries, &cfi->sections[i],
				 &cfi->watching);
}

void cfi_rewind(struct cfi *cfi)
{
	unsigned int i;

	cfi->stats = (struct cfi_stats){ 0 };
	for (i = 0; i < cfi->nr_sections; i++)
		cfi->stats.bytes += cfi->sections[i].len;
	cfi_ranges_clear(&cfi->eh);
	enter(cfi, 0);
}

void cfi_seek(struct cfi *cfi, u64 offset)
{
	enter(cfi, 0);
	if (!cfi->nr_sections)
		return;
	cfi->entries.pos = offset < cfi->sections[0].len ? (u32)offset : cfi->sections[0].len;
}

void cfi_watch(struct cfi *cfi, unsigned int reg)
{
	cfi->watching = *cfi->arch;
	cfi->watching.fp_reg = (u8)reg;
	cfi_rewind(cfi);
}

/* @err: result of a search; 1 means that it found the section @s. */
static int add_section(struct cfi *cfi, int err, const struct cfi_section *s)
{
	if (err > 0)
		cfi->sections[cfi->nr_sections++] = *s;
	return err < 0 ? err : 0;
}

static int add_sections(struct cfi *cfi, struct cfi_elf *e, struct diag *diag)
{
	struct cfi_section s;
	int err;

	err = add_section(cfi, cfi_elf_eh_frame(e, &s, diag), &s);
	if (!err)
		err = add_section(cfi, cfi_elf_debug_frame(e, &s, diag), &s);
	return err;
}

static int finish(struct cfi *cfi, int err, struct diag *diag, struct cfi **ret)
{
	if (!err)
		err = add_sections(cfi, &cfi->files[0], diag);
	if (err) {
		cfi_free(cfi);
		return err;
	}
	cfi->arch = cfi->files[0].arch;
	cfi_watch(cfi, cfi->arch->fp_reg);
	*ret = cfi;
	return 0;
}

int cfi_new(const char *path, struct cfi **ret, struct diag *diag)
{
	struct cfi *cfi = calloc(1, sizeof(*cfi));

	if (!cfi)
		return diag_errno(diag, ENOMEM, path);
	cfi->nr_files = 1;
	return finish(cfi, cfi_elf_open(&cfi->files[0], path, diag), diag, ret);
}

int cfi_new_fd(int fd, const char *name, struct cfi **ret, struct diag *diag)
{
	struct cfi *cfi = calloc(1, sizeof(*cfi));

	if (!cfi)
		return diag_errno(diag, ENOMEM, name);
	cfi->nr_files = 1;
	return finish(cfi, cfi_elf_fd(&cfi->files[0], fd, name, diag), diag, ret);
}

int cfi_new_memory(const char *name, const void *image, size_t len,
		   struct cfi **ret, struct diag *diag)
{
	struct cfi *cfi = calloc(1, sizeof(*cfi));
	int err;

	if (!cfi)
		return diag_errno(diag, ENOMEM, name);
	cfi->nr_files = 1;
	err = cfi_elf_memory(&cfi->files[0], name, image, len, diag);
	return finish(cfi, err, diag, ret);
}

int cfi_new_raw(const struct ustack_arch *arch, const struct cfi_raw *raw,
		unsigned int nr, struct cfi **ret)
{
	struct cfi *cfi;
	unsigned int i;

	if (nr > MAX_SECTIONS)
		return -EINVAL;
	cfi = calloc(1, sizeof(*cfi));
	if (!cfi)
		return -ENOMEM;
	cfi->arch = arch;
	cfi->nr_sections = nr;
	for (i = 0; i < nr; i++) {
		if (raw[i].len > CFI_MAX_SECTION ||
		    (i && raw[i - 1].debug && !raw[i].debug)) {
			cfi_free(cfi);
			return -EINVAL;
		}
		cfi->sections[i] = (struct cfi_section){
			.name = raw[i].debug ? ".debug_frame" : ".eh_frame",
			.bytes = raw[i].bytes,
			.len = (u32)raw[i].len,
			.vaddr = raw[i].vaddr,
			.debug = raw[i].debug,
			.narrow = raw[i].narrow,
		};
	}
	cfi_watch(cfi, arch->fp_reg);
	*ret = cfi;
	return 0;
}

int cfi_add_debug(struct cfi *cfi, const char *path, struct diag *diag)
{
	struct cfi_section s;
	struct cfi_elf *e;
	int err;

	if (cfi->nr_files == MAX_FILES || cfi->nr_sections == MAX_SECTIONS)
		return diag_errno(diag, E2BIG, path);
	e = &cfi->files[cfi->nr_files];
	err = cfi_elf_open(e, path, diag);
	if (!err && e->arch != cfi->arch)
		err = diag_set(diag, EBADMSG, path,
			       "the debug file is for another machine than the file");
	if (!err)
		err = add_section(cfi, cfi_elf_debug_frame(e, &s, diag), &s);
	if (err) {
		cfi_elf_release(e);
		return err;
	}
	cfi->nr_files++;
	cfi_rewind(cfi);
	return 0;
}

void cfi_free(struct cfi *cfi)
{
	unsigned int i;

	if (!cfi)
		return;
	for (i = 0; i < cfi->nr_files; i++)
		cfi_elf_release(&cfi->files[i]);
	free(cfi->rows.rows);
	cfi_ranges_release(&cfi->eh);
	free(cfi);
}

const struct ustack_arch *cfi_arch(const struct cfi *cfi)
{
	return cfi->arch;
}

const struct cfi_stats *cfi_stats(const struct cfi *cfi)
{
	return &cfi->stats;
}

/* Linkers write address 0 for code that they dropped; lld also the two largest. */
static bool is_discarded(u64 start)
{
	return !start || start >= UINT64_MAX - 1;
}

static void read_rows(struct cfi *cfi, const struct cfi_head *head,
		      struct cfi_fde *ret, struct cfi_loss *loss)
{
	ret->start = head->start;
	ret->signal = head->cie->signal;
	ret->ra_reg = head->cie->ra_reg;
	if (is_discarded(head->start)) {
		ret->status = CFI_DISCARDED;
		return;
	}
	if (!head->len) {
		ret->status = CFI_EMPTY;
		return;
	}
	if (__builtin_add_overflow(head->start, head->len, &ret->end)) {
		ret->end = 0;
		cfi_lose(loss, head->offset, "the FDE's end is beyond 64 bits");
		return;
	}
	if (!cfi_run_fde(cfi->entries.s, &cfi->watching, head->cie, &head->program,
			 ret->start, ret->end, &cfi->rows, loss))
		return;
	ret->nr_rows = cfi->rows.nr;
	ret->rows = cfi->rows.rows;
}

/* A lost FDE of .eh_frame covers nothing, so one of .debug_frame may replace it. */
static int note_overlap(struct cfi *cfi, struct cfi_fde *ret)
{
	unsigned int last = cfi->nr_sections - 1;

	if (ret->status != CFI_GOOD || !cfi->sections[last].debug)
		return 0;
	if (!cfi->sections[cfi->current].debug)
		return cfi_ranges_add(&cfi->eh, ret->start, ret->end);
	ret->overlap = cfi_ranges_touch(&cfi->eh, ret->start, ret->end);
	return 0;
}

static void count(struct cfi_stats *stats, const struct cfi_fde *fde)
{
	stats->good += fde->status == CFI_GOOD;
	stats->lost += fde->status == CFI_LOST;
	stats->empty += fde->status == CFI_EMPTY;
	stats->discarded += fde->status == CFI_DISCARDED;
	stats->overlaps += fde->overlap;
	stats->rows += fde->nr_rows;
}

int cfi_next(struct cfi *cfi, struct cfi_fde *ret)
{
	struct cfi_head head;
	struct cfi_loss loss;

	for (;;) {
		if (cfi->current >= cfi->nr_sections)
			return 0;
		if (cfi_entries_next(&cfi->entries, &head, &loss))
			break;
		enter(cfi, cfi->current + 1);
	}
	*ret = (struct cfi_fde){
		.section = cfi->entries.s->name,
		.offset = head.offset,
		.start = head.start,
	};
	if (!loss.why)
		read_rows(cfi, &head, ret, &loss);
	if (loss.why == cfi_no_memory)
		return -ENOMEM;
	if (loss.why) {
		ret->status = CFI_LOST;
		ret->why = loss.why;
		ret->bad_off = loss.off;
	}
	if (note_overlap(cfi, ret))
		return -ENOMEM;
	count(&cfi->stats, ret);
	return 1;
}

bool cfi_rule_equal(const struct cfi_rule *a, const struct cfi_rule *b)
{
	if (a->how != b->how || a->reg != b->reg || a->expr_len != b->expr_len)
		return false;
	if (a->how != CFI_EXPR && a->how != CFI_VAL_EXPR)
		return a->off == b->off;
	return a->expr == b->expr || !memcmp(a->expr, b->expr, a->expr_len);
}
