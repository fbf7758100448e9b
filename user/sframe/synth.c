// SPDX-License-Identifier: GPL-2.0-only
/*
 * Translates the CFI of a file into functions with rules, and calls the other sources of
 * rules: the vDSO's leaf functions, Go's table, and the code itself. A function that cannot
 * be translated becomes a gap with a cause. user/supply and the commands call it.
 */
#include "sframe/synth.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "popped.h"
#include "sframe/cfi.h"
#include "sframe/elf_read.h"
#include "sframe/synth_code.h"
#include "sframe/synth_go.h"
#include "sframe/synth_leaf.h"
#include "sframe/synth_rows.h"
#include "sframe/synth_rule.h"
#include "sframe/synth_saved.h"
#include "util/cleanup.h"

/* x86-64: size of the first PLT entry, and of each of the others */
#define PLT_BYTES 16u

#define AARCH64_LR 30u

static const char *const names[] = {
#define SYNTH_CAUSE(name, sentence) #name,
#include "sframe/synth.def"
#undef SYNTH_CAUSE
};

static const char *const texts[] = {
#define SYNTH_CAUSE(name, sentence) sentence,
#include "sframe/synth.def"
#undef SYNTH_CAUSE
};

const char *synth_cause_name(enum synth_cause cause)
{
	return names[cause];
}

const char *synth_cause_text(enum synth_cause cause)
{
	return texts[cause];
}

/*
 * Whether the return address has no rule, in a column that is not the link register's:
 * unwinders do not agree on what that means. rawmemchr() of glibc 2.36 for AArch64 copies it
 * to x15; its CFI claims that it is there from the start on.
 */
static bool is_ra_elsewhere(const struct cfi_fde *fde, const struct cfi_row *row)
{
	return row->ra.how == CFI_SAME && fde->ra_reg != AARCH64_LR;
}

/* Adds the first @nr_rows rows of @fde, which ends at @end, as one function. */
static int translate(struct synth *s, const struct cfi_fde *fde, u64 end,
		     u32 nr_rows, enum synth_cause *cause)
{
	struct sframe_func func = {
		.start = fde->start,
		.size = (u32)(end - fde->start),
		.signal = fde->signal,
	};
	bool forgot = fixup_is_resolver(&s->rows->fixup, fde);
	struct ustack_slots slots = { 0 };
	size_t before = s->rows->nr;
	struct ustack_rule rule;
	int err = 0;
	u32 i;

	for (i = 0; i < nr_rows && !err; i++) {
		*cause = is_ra_elsewhere(fde, &fde->rows[i]) ? SYNTH_RA_RULE :
			 synth_rule(s->arch, &fde->rows[i], fde->signal, &rule);
		if (*cause)
			break;
		if (forgot)
			fixup_rule(&rule);
		ustack_keep_popped(&slots, s->arch, &rule);
		err = synth_add_row(s, &func, (u32)(fde->rows[i].pc - fde->start), &rule);
	}
	if (!err && !*cause)
		return synth_add_func(s, &func);
	s->rows->nr = before;
	return err;
}

/* Adds the entries after PLT0: they have 16 bytes and push a word at byte @pushed. */
static int add_plt_entries(struct synth *s, u64 start, u64 end, u8 pushed)
{
	struct sframe_func func = {
		.start = start, .size = (u32)(end - start), .block = PLT_BYTES,
	};
	struct ustack_rule rule = {
		.cfa = USTACK_OP_SP,
		.cfa_off = 8,
		.ra = USTACK_OP_CFA | USTACK_OP_DEREF,
		.ra_off = -8,
	};
	int err;

	err = synth_add_row(s, &func, 0, &rule);
	rule.cfa_off = 16;
	if (!err)
		err = synth_add_row(s, &func, pushed, &rule);
	return err ? err : synth_add_func(s, &func);
}

/* A PLT's CFA must be in the last row only, and that row must be a usual one otherwise. */
static bool is_plt(const struct cfi_fde *fde)
{
	const struct cfi_row *last = &fde->rows[fde->nr_rows - 1];
	u32 i;

	for (i = 0; i + 1 < fde->nr_rows; i++)
		if (synth_plt_row(&fde->rows[i]))
			return false;
	return !(last->pc % PLT_BYTES) && !fde->signal &&
	       last->ra.how == CFI_OFFSET && last->ra.off == -8 &&
	       last->fp.how == CFI_SAME &&
	       last->sp.how == CFI_VAL_OFFSET && !last->sp.off;
}

static int plt(struct synth *s, const struct cfi_fde *fde, u8 pushed,
	       enum synth_cause *cause)
{
	const struct cfi_row *last = &fde->rows[fde->nr_rows - 1];
	int err = 0;

	if (!is_plt(fde)) {
		*cause = SYNTH_PLT;
		return 0;
	}
	if (fde->nr_rows > 1)
		err = translate(s, fde, last->pc, fde->nr_rows - 1, cause);
	if (!err && !*cause)
		err = add_plt_entries(s, last->pc, fde->end, pushed);
	return err;
}

static bool in_text(const struct ustack_elf *elf, const struct cfi_fde *fde)
{
	unsigned int i;

	for (i = 0; i < elf->nr_text; i++)
		if (fde->start >= elf->text[i].start &&
		    fde->end <= elf->text[i].end)
			return true;
	return false;
}

/* Go's linker makes .debug_frame from the same table, but with less in it: neither FP, nor
 * where stacks begin.
 */
static bool is_go(const struct synth *s, const struct cfi_fde *fde)
{
	return synth_go_has(s->rows->go, fde->start) && fde->section[1] == 'd';
}

static int add_fde(struct synth *s, const struct cfi_fde *fde)
{
	enum synth_cause cause = SYNTH_NONE;
	u8 pushed;
	int err;

	if (fde->status == CFI_LOST)
		return synth_add_gap(s, fde, SYNTH_BROKEN_CFI);
	if (fde->status != CFI_GOOD || fde->overlap || is_go(s, fde))
		return 0;
	if (!in_text(&s->elf, fde))
		return synth_add_gap(s, fde, SYNTH_OUTSIDE_TEXT);
	if (fde->end - fde->start > UINT32_MAX)
		return synth_add_gap(s, fde, SYNTH_OFFSET);
	if (fixup_is_profiler(&s->rows->fixup, fde))
		return synth_add_gap(s, fde, SYNTH_PLT0);
	pushed = synth_plt_row(&fde->rows[fde->nr_rows - 1]);
	if (pushed)
		err = plt(s, fde, pushed, &cause);
	else
		err = translate(s, fde, fde->end, fde->nr_rows, &cause);
	if (!err && cause)
		err = synth_add_gap(s, fde, cause);
	return err;
}

static int read_cfi(struct synth *s, struct cfi *cfi)
{
	struct cfi_fde fde;
	int more, err = 0;

	s->arch = cfi_arch(cfi);
	while (!err && (more = cfi_next(cfi, &fde)))
		err = more < 0 ? more : add_fde(s, &fde);
	s->section_bytes = cfi_stats(cfi)->bytes;
	return err;
}

static int add_leaf(struct synth *s, const struct leaf_func *leaf)
{
	static const struct ustack_rule rule = { .cfa = USTACK_OP_SP };
	struct cfi_fde range = {
		.start = leaf->range.start, .end = leaf->range.end,
	};
	struct sframe_func func = {
		.start = range.start, .size = (u32)(range.end - range.start),
	};
	int err;

	if (!leaf->leaf)
		return synth_add_gap(s, &range, SYNTH_NOT_LEAF);
	err = synth_add_row(s, &func, 0, &rule);
	return err ? err : synth_add_func(s, &func);
}

/* For arm64's vDSO, which has no CFI. */
static int read_leaves(struct synth *s, int fd)
{
	_cleanup_(cleanup_free) struct leaf_func *leaves = NULL;
	size_t nr = 0, i;
	int err = 0;

	if (!s->section_bytes && s->arch == &ustack_arch_aarch64)
		err = leaf_read_vdso(fd, &leaves, &nr);
	for (i = 0; i < nr && !err; i++)
		err = add_leaf(s, &leaves[i]);
	return err;
}

static void free_cfi(struct cfi **cfi)
{
	cfi_free(*cfi);
}

int synth_read(struct synth *s, int fd, const char *path, struct diag *diag)
{
	_cleanup_(free_cfi) struct cfi *cfi = NULL;
	int err;

	s->rows = calloc(1, sizeof(*s->rows));
	s->saved = calloc(1, sizeof(*s->saved));
	if (!s->rows || !s->saved)
		return diag_errno(diag, ENOMEM, path);
	err = elf_read_fd(fd, path, &s->elf, diag);
	if (err)
		return err;
	s->rows->fixup = (struct fixup){ .fd = fd, .elf = &s->elf };
	err = synth_go_new(fd, &s->elf, &s->rows->go, &s->rows->why_no_go);
	if (err)
		return diag_errno(diag, -err, path);
	/* by descriptor: the file may have been renamed, or we may not open it again */
	err = cfi_new_fd(fd, path, &cfi, diag);
	if (err)
		return err;
	err = read_cfi(s, cfi);
	if (!err)
		err = read_leaves(s, fd);
	if (!err)
		err = synth_settle(s);
	if (!err)
		err = synth_read_go(s);
	if (!err)
		synth_count(s);
	if (!err && s->rows->by_register && s->arch == &ustack_arch_x86_64)
		err = saved_find(s, fd, cfi, s->saved);
	if (!err)
		err = synth_read_code(s, fd);
	return err ? diag_errno(diag, -err, path) : 0;
}

void synth_sum_lost(const struct synth *s, struct synth_lost *ret)
{
	size_t i;

	*ret = (struct synth_lost){ 0 };
	for (i = 0; i < s->nr_gaps; i++) {
		ret->funcs[s->gaps[i].cause]++;
		ret->bytes[s->gaps[i].cause] += s->gaps[i].size;
	}
}

static int by_start(const void *a, const void *b)
{
	const struct ustack_range *f = a, *g = b;

	return f->start < g->start ? -1 : f->start > g->start;
}

struct ustack_range *synth_sorted_gaps(const struct synth *s)
{
	struct ustack_range *gaps = calloc(s->nr_gaps + 1, sizeof(*gaps));
	size_t i;

	for (i = 0; gaps && i < s->nr_gaps; i++)
		gaps[i] = (struct ustack_range){
			s->gaps[i].start, s->gaps[i].start + s->gaps[i].size
		};
	if (gaps && s->nr_gaps)
		qsort(gaps, s->nr_gaps, sizeof(*gaps), by_start);
	return gaps;
}

void synth_release(struct synth *s)
{
	if (s->rows) {
		free(s->rows->row);
		free(s->rows->first);
		synth_go_free(s->rows->go);
	}
	if (s->saved)
		saved_release(s->saved);
	free(s->rows);
	free(s->saved);
	free(s->funcs);
	free(s->gaps);
	*s = (struct synth)SYNTH_INIT;
}
