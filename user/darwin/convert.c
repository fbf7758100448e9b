// SPDX-License-Identifier: GPL-2.0-only
/*
 * Converts a file: goes through __unwind_info and __eh_frame by address and makes a function
 * or a gap of each range. rules.c adds the rows. `ustack macho convert` and table.c call it.
 */
#include "darwin/convert.h"

#include <errno.h>
#include <stdlib.h>

#include "darwin/rules.h"
#include "sframe/cfi.h"
#include "sframe/elf_write.h"
#include "sframe/synth.h"
#include "sframe/synth_rule.h"
#include "util/array.h"
#include "util/cleanup.h"

#define ARM64_LR 30u

/**
 * struct fde - an entry of __eh_frame
 * @start: image offset
 * @end: image offset after the last byte
 * @first: index of its first row in convert.row
 * @nr: number of its rows
 * @signal: the frame was interrupted by a signal
 * @cause: why it has no rows
 */
struct fde {
	u32 start;
	u32 end;
	size_t first;
	u32 nr;
	bool signal;
	enum synth_cause cause;
};

/**
 * struct convert - state of a conversion
 * @image: the file
 * @r: receives functions and gaps
 * @fde: FDEs of the file, ascending
 * @nr_fdes: number of @fde
 * @fdes_room: number of allocated entries of @fde
 * @row: rows of the FDEs
 * @nr_rows: number of @row
 * @rows_room: number of allocated entries of @row
 * @done: stubs up to this offset have been added. Entries may end within stubs: ld64's last
 *        one ends a byte after the code
 * @diag: receives errors
 */
struct convert {
	const struct macho_image *image;
	struct macho_rules *r;
	struct fde *fde;
	size_t nr_fdes;
	size_t fdes_room;
	struct sframe_row *row;
	size_t nr_rows;
	size_t rows_room;
	u32 done;
	struct diag *diag;
};

static int add_fde_rows(struct convert *c, const struct cfi_fde *f, struct fde *ret)
{
	struct ustack_rule rule;
	u32 i;

	ret->first = c->nr_rows;
	for (i = 0; i < f->nr_rows && !ret->cause; i++) {
		ret->cause = f->rows[i].ra.how == CFI_SAME && f->ra_reg != ARM64_LR ?
				     SYNTH_RA_RULE :
				     synth_rule(c->r->arch, &f->rows[i], f->signal, &rule);
		if (ret->cause)
			break;
		if (!array_has_room(c->row, c->nr_rows, c->rows_room))
			return -ENOMEM;
		c->row[c->nr_rows++] = (struct sframe_row){
			.start = (u32)(f->rows[i].pc - f->start), .rule = rule,
		};
		ret->nr++;
	}
	return 0;
}

static int add_fde(struct convert *c, const struct cfi_fde *f)
{
	u64 start = f->start - c->image->m.base, end = f->end - c->image->m.base;
	struct fde *n;

	if (f->status != CFI_GOOD || start >= end || end > UINT32_MAX)
		return 0;
	if (!array_has_room(c->fde, c->nr_fdes, c->fdes_room))
		return -ENOMEM;
	n = &c->fde[c->nr_fdes++];
	*n = (struct fde){ .start = (u32)start, .end = (u32)end, .signal = f->signal };
	return add_fde_rows(c, f, n);
}

static int by_start(const void *a, const void *b)
{
	const struct fde *f = a, *g = b;

	if (f->start != g->start)
		return f->start < g->start ? -1 : 1;
	/* if two have the same start, the first one in the section */
	return f->first < g->first ? -1 : f->first > g->first;
}

static int read_fdes(struct convert *c, struct eh_frame *eh)
{
	struct cfi_fde f;
	int more = 0;

	if (!eh)
		return 0;
	cfi_watch(eh_frame_cfi(eh), c->r->arch->fp_reg);
	while ((more = cfi_next(eh_frame_cfi(eh), &f)) > 0) {
		more = add_fde(c, &f);
		if (more)
			break;
	}
	if (c->nr_fdes)
		qsort(c->fde, c->nr_fdes, sizeof(*c->fde), by_start);
	return more;
}

/* Adds the part of @f in [start, end). */
static int put_fde(struct convert *c, const struct fde *f, u32 start, u32 end)
{
	struct rules_body body = { .nr = f->nr, .origin = f->start };

	if (f->cause)
		return rules_gap(c->r, c->image->m.base + start, c->image->m.base + end,
				 synth_cause_name(f->cause), synth_cause_text(f->cause));
	body.row = c->row + f->first;
	c->r->dwarf++;
	return (f->signal ? rules_trampoline : rules_function)(c->r, c->image, start, end, &body);
}

/* The first FDE that may reach beyond @off: those before it end too early. FDEs that overlap
 * could be missed, but nobody writes such.
 */
static size_t first_fde(const struct convert *c, u32 off)
{
	size_t lo = 0, hi = c->nr_fdes, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (c->fde[mid].start <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? lo - 1 : 0;
}

/* Adds the FDEs in [start, end), and gaps between them; without @name there are no gaps. */
static int put_dwarf(struct convert *c, u32 start, u32 end, const char *name, const char *text)
{
	u64 base = c->image->m.base;
	size_t i = first_fde(c, start);
	const struct fde *f;
	u32 to;
	int err = 0;

	for (; !err && i < c->nr_fdes && c->fde[i].start < end; i++) {
		f = &c->fde[i];
		if (f->end <= start)
			continue;
		if (f->start > start && name)
			err = rules_gap(c->r, base + start, base + f->start, name, text);
		if (f->start > start)
			start = f->start;
		to = f->end < end ? f->end : end;
		if (!err)
			err = put_fde(c, f, start, to);
		start = to;
	}
	if (!err && name)
		err = rules_gap(c->r, base + start, base + end, name, text);
	return err;
}

/* Reads a frame's size from the code. Return: false if it is not there, or impossible. */
static bool indirect_size(const struct convert *c, const struct unwind_entry *e,
			  const struct unwind_rule *u, u32 *ret)
{
	const uint8_t *bytes;
	u64 size;

	if (macho_image_bytes(c->image, (u64)e->start + u->code, &bytes) < 4)
		return false;
	size = (u64)ustack_le32(bytes) + u->adjust;
	*ret = (u32)size;
	return size % 8 == 0 && size >= (u->nr_saved + 1) * 8 && size <= INT32_MAX;
}

/* Linkers merge functions into one entry; each of them has a prologue of its own. */
static int put_functions(struct convert *c, u32 start, u32 end, const struct ustack_rule *rule)
{
	const struct sframe_row row = { .rule = *rule };
	const struct rules_body body = { &row, 1, start };
	size_t i = macho_image_starts_up_to(c->image, start);
	u32 to;
	int err = 0;

	while (!err && start < end) {
		to = i < c->image->nr_starts && c->image->starts[i] < end ?
			     c->image->starts[i] : end;
		err = rules_function(c->r, c->image, start, to, &body);
		start = to;
		i++;
	}
	return err;
}

static int put_piece(struct convert *c, const struct unwind_entry *e, u32 start, u32 end)
{
	u64 base = c->image->m.base;
	struct ustack_rule body;
	struct unwind_rule u;
	u32 size = 0;

	if (!e)
		return put_dwarf(c, start, end, NULL, NULL);
	if (unwind_decode(c->image->arch, e->encoding, &u, NULL))
		return rules_gap(c->r, base + start, base + end, "DAMAGED",
				 "its encoding is invalid");
	if (u.kind == UNWIND_NONE)
		return put_dwarf(c, start, end, "NONE", "its encoding is 0, which means unknown");
	if (u.kind == UNWIND_DWARF)
		return put_dwarf(c, start, end, "NO_FDE",
				 "it should be in __eh_frame, and is not");
	if (u.kind == UNWIND_INDIRECT && !indirect_size(c, e, &u, &size))
		return rules_gap(c->r, base + start, base + end, "NO_CODE",
				 "the size of its frame is in code that is not there");
	body = rules_of(c->image->arch, &u, size);
	c->r->compact++;
	return put_functions(c, start, end, &body);
}

/* The stubs that contain @at, or the first ones after it. */
static const struct macho_stubs *next_stubs(const struct macho_image *image, u32 at)
{
	const struct macho_stubs *s = image->stubs, *found = NULL;

	for (; s < image->stubs + image->nr_stubs; s++)
		if (s->end > at && (!found || s->start < found->start))
			found = s;
	return found;
}

/* Adds [start, end) with the entry @e, or without any if NULL. Stubs get rules of their own. */
static int put_range(struct convert *c, const struct unwind_entry *e, u32 start, u32 end)
{
	const struct macho_stubs *s;
	u32 to;
	int err = 0;

	if (start < c->done)
		start = c->done;
	while (!err && start < end) {
		s = next_stubs(c->image, start);
		if (s && s->start <= start) {
			to = s->end;
			err = rules_stubs(c->r, c->image, start, to);
			c->r->stubs++;
			c->done = to;
		} else {
			to = s && s->start < end ? s->start : end;
			err = put_piece(c, e, start, to);
		}
		start = to;
	}
	return err;
}

static int put_entries(struct convert *c)
{
	struct unwind_iter it = { 0 };
	struct unwind_entry e;
	u32 at = 0;
	int more, err = 0;

	while (c->image->has_unwind &&
	       (more = unwind_info_next(&c->image->u, &it, &e, c->diag))) {
		if (more < 0)
			return more;
		if (e.start > at)
			err = put_range(c, NULL, at, e.start);
		if (!err)
			err = put_range(c, &e, e.start, e.end);
		if (err)
			return diag_errno(c->diag, -err, c->image->m.path);
		at = e.end;
	}
	err = put_range(c, NULL, at, UINT32_MAX);
	return err ? diag_errno(c->diag, -err, c->image->m.path) : 0;
}

static void finish(struct macho_rules *r)
{
	size_t i;

	/* without a row r->rows is NULL, even if there are functions */
	for (i = 0; r->rows && i < r->nr_funcs; i++)
		r->funcs[i].rows = r->rows + r->first[i];
	if (!r->nr_funcs)
		return;
	r->text = (struct ustack_range){
		.start = r->funcs[0].start,
		.end = r->funcs[r->nr_funcs - 1].start + r->funcs[r->nr_funcs - 1].size,
	};
}

int macho_convert(const struct macho_image *image, struct eh_frame *eh, struct macho_rules *ret,
		  struct diag *diag)
{
	struct convert c = { .image = image, .r = ret, .diag = diag };
	int err;

	if (image->arch == UNWIND_X86)
		return diag_set(diag, EINVAL, image->m.path, "SFrame does not have i386");
	ret->arch = image->arch == UNWIND_ARM64 ? &ustack_arch_aarch64 : &ustack_arch_x86_64;
	err = read_fdes(&c, eh);
	err = err ? diag_errno(diag, -err, image->m.path) : put_entries(&c);
	if (!err)
		finish(ret);
	free(c.fde);
	free(c.row);
	return err;
}

static int add_refused(struct macho_rules *r, const struct sframe_verdict *v)
{
	const struct sframe_func *f;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < r->nr_funcs; i++) {
		f = &r->funcs[i];
		if (v[i].cause)
			err = rules_gap(r, f->start, f->start + f->size,
					sframe_cause_name(v[i].cause),
					sframe_cause_text(v[i].cause));
	}
	return err;
}

int macho_convert_encode(struct macho_rules *r, unsigned int version, struct sframe_encoded *ret,
			 struct diag *diag)
{
	_cleanup_(cleanup_free) struct sframe_verdict *v = calloc(r->nr_funcs + 1, sizeof(*v));
	struct sframe_format fmt = { .arch = r->arch, .version = version };
	int err;

	if (!v || r->nr_funcs > UINT32_MAX)
		return diag_errno(diag, ENOMEM, NULL);
	r->vaddr = sframe_free_vaddr(&r->text, 1);
	fmt.vaddr = r->vaddr;
	err = sframe_encode(&fmt, r->funcs, (u32)r->nr_funcs, v, ret, diag);
	if (!err && add_refused(r, v))
		err = diag_errno(diag, ENOMEM, NULL);
	return err;
}

void macho_rules_release(struct macho_rules *r)
{
	free(r->funcs);
	free(r->gaps);
	free(r->rows);
	free(r->first);
	*r = (struct macho_rules)MACHO_RULES_INIT;
}
