// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table is the one that `ustack supply` gives the module, made by the same functions and
 * verified by the core. The DWARF side is libdw's rows (fdes.c, answer.c) and an evaluator of
 * expressions (expr.c). Both make one step from the same made-up frames (process.c).
 */
#include "steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sframe/synth_rows.h"
#include "util/cleanup.h"
#include "util/file.h"

#define SHOWN 20u

void totals_unable(struct totals *t, const char *name, u64 count)
{
	struct judge_cause *c = t->unable;

	while (c < t->unable + JUDGE_CAUSES - 1 && *c->name && strcmp(c->name, name))
		c++;
	if (!*c->name)
		snprintf(c->name, sizeof(c->name), "%s", name);
	c->count += count;
}

static bool forgets_push(const struct judge *j)
{
	struct row r = { .frame = NULL };
	u64 pc = j->fde->start;
	bool found = false;

	while (!found && pc < j->fde->end &&
	       row_find(&r, j->fde->cfi, j->p.arch, pc) && r.end > pc) {
		found = row_ra_above_cfa(&r);
		pc = r.end;
		row_release(&r);
	}
	row_release(&r);
	return found;
}

bool judge_differs(struct judge *j, u64 pc)
{
	if (j->fde && j->p.arch == &ustack_arch_aarch64 && forgets_push(j)) {
		j->t->mended++;
		return false;
	}
	if (fdes_covering(&j->fdes, pc) > 1) {
		j->t->twice++;
		return false;
	}
	j->t->differ++;
	if (j->o->list) {
		printf("0x%" PRIx64 "\n", pc);
		return false;
	}
	return __atomic_fetch_add(j->o->shown, 1, __ATOMIC_RELAXED) < SHOWN;
}

static void differ(struct judge *j, u64 pc, const char *what)
{
	if (judge_differs(j, pc))
		printf("%s: 0x%" PRIx64 ": %s\n", j->path, pc, what);
}

static const struct ustack_rule *lookup(const struct judge *j, u64 pc)
{
	const struct ustack_table *t = j->section.table;

	return t ? ustack_lookup(t, pc - t->base) : NULL;
}

/* There is no rule, or one that ends walks: the synthesizer must have given the cause. */
static void judge_absent(struct judge *j, u64 pc)
{
	const struct synth_gap *gap = j->gap;
	size_t i;

	/* mostly where the last one was found */
	if (!gap || pc < gap->start || pc - gap->start >= gap->size) {
		for (gap = j->synth.gaps, i = j->synth.nr_gaps; i; i--, gap++)
			if (pc >= gap->start && pc - gap->start < gap->size)
				break;
		j->gap = i ? gap : NULL;
	}
	if (j->gap)
		j->t->left_out[j->gap->cause]++;
	else
		differ(j, pc, "there is CFI, no rule, and nothing was said to be left out");
}

static bool same_rule(const struct ustack_rule *a, const struct ustack_rule *b)
{
	return a && b && ustack_rule_equal(a, b);
}

/* Looks up every address of @r in [start, end). */
static void judge_row(struct judge *j, const struct row *r, u64 start, u64 end)
{
	const struct ustack_rule *rule, *last = NULL;
	bool each = j->o->every;
	u64 pc, chosen;
	u32 left = j->o->random;

	j->t->rows++;
	j->t->looked_up += end - start;
	chosen = process_mix(j->o->seed ^ start) % (end - start) + start;
	for (pc = start; pc < end; pc++, last = rule) {
		rule = lookup(j, pc);
		if (!rule || steps_shall_end(j, rule)) {
			judge_absent(j, pc);
			if (rule && !steps_end(j, rule, pc))
				differ(j, pc, "a step where walks shall end");
			continue;
		}
		if (pc == chosen && left) {
			left--;
			chosen += 1 + process_mix(j->o->seed ^ pc) % (end - start);
		} else if (!each && pc != start && pc != end - 1 &&
			   same_rule(rule, last)) {
			continue;
		}
		each |= steps_from(j, r, rule, pc);
	}
}

/* If libdw has no answer, the table must not have one either. */
static void judge_unable(struct judge *j, u64 pc)
{
	char name[sizeof(j->t->unable[0].name)];

	snprintf(name, sizeof(name), "libdw: %s", dwarf_errmsg(-1));
	totals_unable(j->t, name, 1);
	if (lookup(j, pc))
		differ(j, pc, "a rule where libdw cannot tell");
}

static void judge_fde(struct judge *j, const struct fde *fde)
{
	struct row r = { .frame = NULL };
	struct row_slots slots = { 0 };
	u64 pc, end;

	j->fde = fde;
	for (pc = fde->start; pc < fde->end; pc = end) {
		if (!row_find(&r, fde->cfi, j->p.arch, pc)) {
			judge_unable(j, pc);
			return;
		}
		row_slots_follow(&slots, &r, j->p.arch);
		end = r.end < fde->end ? r.end : fde->end;
		if (end > pc)
			judge_row(j, &r, pc, end);
		else
			differ(j, pc, "libdw's row ends before it starts");
		row_release(&r);
		if (end <= pc)
			return;
	}
}

/* An entry of .debug_frame for code that .eh_frame describes, too. */
static bool is_debug_too(const struct judge *j, const struct fde *fde)
{
	const struct fde *eh = j->fdes.all;
	size_t lo = 0, hi = j->fdes.nr_eh, mid;

	if (!fde->debug)
		return false;
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (eh[mid].start < fde->end)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && eh[lo - 1].end > fde->start;
}

/*
 * Rows from code are judged by tests/judge/codejudge, and rows from Go's own table by tests/judge/gojudge
 * with --go. Here they must not be in text with CFI.
 */
static bool is_by_other(const struct judge *j, u64 pc)
{
	const struct sframe_func *f =
		synth_func_before(&j->synth, j->synth.nr_funcs, pc);
	bool go = j->synth.rows->go && !j->o->go;

	return f && (f->by_code || go) && pc - f->start < f->size;
}

/* The addresses of [start, end) have no CFI: some of them are looked up. */
#define HOLE_PROBES 256u

static void judge_hole(struct judge *j, u64 start, u64 end)
{
	u64 pc, step = (end - start) / HOLE_PROBES + 1;

	for (pc = start; pc < end; pc += step) {
		j->t->no_cfi++;
		if (lookup(j, pc) && !is_by_other(j, pc))
			differ(j, pc, "a rule where there is no CFI");
	}
	if (lookup(j, end - 1) && !is_by_other(j, end - 1))
		differ(j, end - 1, "a rule where there is no CFI");
}

/* The entries of both sections in one order; the code between them has no CFI. */
static void judge_holes(struct judge *j)
{
	const struct ustack_table *t = j->section.table;
	const struct fde *eh = j->fdes.all, *eh_end = eh + j->fdes.nr_eh;
	const struct fde *debug = eh_end, *debug_end = eh + j->fdes.nr, *next;
	u64 behind = t->base;

	j->fde = NULL;
	while (eh < eh_end || debug < debug_end) {
		next = debug == debug_end || (eh < eh_end && eh->start <= debug->start) ?
			       eh++ : debug++;
		if (next->start > behind && behind < t->base + t->range)
			judge_hole(j, behind, next->start);
		if (next->end > behind)
			behind = next->end;
	}
	if (t->base + t->range > behind)
		judge_hole(j, behind, t->base + t->range);
}

static void judge_fdes(struct judge *j)
{
	size_t i;

	for (i = 0; i < j->fdes.nr; i++) {
		if (is_debug_too(j, &j->fdes.all[i]))
			j->t->debug_too++;
		else
			judge_fde(j, &j->fdes.all[i]);
	}
	j->t->fdes += j->fdes.nr + j->fdes.empty;
	j->t->empty += j->fdes.empty;
	if (j->fdes.strange)
		totals_unable(j->t, "an entry whose addresses are strange",
			      j->fdes.strange);
	if (j->section.table)
		judge_holes(j);
}

/* The bytes of executable segments. */
static bool map_text(struct judge *j)
{
	const struct ustack_elf *elf = &j->synth.elf;
	const struct ustack_segment *s;
	size_t size;
	const char *file = elf_rawfile(j->fdes.elf, &size);
	unsigned int i, n = 0;

	for (i = 0; i < elf->nr_segments; i++) {
		s = &elf->segments[i];
		if (!s->exec)
			continue;
		if (!file || s->off > size || s->filesz > size - s->off)
			return false;
		j->text[n++] = (struct process_text){
			s->vaddr, s->vaddr + s->filesz, (const u8 *)file + s->off,
		};
	}
	j->p.text = j->text;
	j->p.nr_text = n;
	j->p.arch = elf->arch;
	return true;
}

/* As `ustack supply` does it, and the module after it. */
static int make_table(struct judge *j, int fd, struct diag *diag)
{
	int err;

	err = synth_read(&j->synth, fd, j->path, diag);
	if (err)
		return err;
	err = synth_encode(&j->synth, j->o->version, &j->encoded, diag);
	if (err || !j->encoded.functions)
		return err;
	sframe_section_borrow(&j->section, j->path, &j->synth.elf, j->encoded.bytes,
			      j->encoded.len, j->encoded.vaddr);
	return sframe_section_prove(&j->section, diag) ? -EPROTO : 0;
}

static void say_failed(struct judge *j, const struct diag *diag)
{
	char text[512];

	diag_format(diag, text, sizeof(text));
	printf("%s\n", text);
	j->t->failed++;
}

static void release(struct judge *j)
{
	fdes_release(&j->fdes);
	sframe_section_release(&j->section);
	synth_section_release(&j->encoded);
	synth_release(&j->synth);
}

void judge_file(const struct judge_opts *o, const char *path, struct totals *t)
{
	_cleanup_(file_release) struct file file = FILE_INIT;
	_cleanup_(release) struct judge j = {
		.o = o,
		.path = path,
		.t = t,
		.synth = SYNTH_INIT,
		.encoded = SYNTH_SECTION_INIT,
		.section = SFRAME_SECTION_INIT,
	};
	struct diag diag;
	int err;

	err = file_open(&file, path, &diag);
	if (!err)
		err = make_table(&j, file.fd, &diag);
	if (err == -EBADMSG) {
		t->others++;
		return;
	}
	if (!err && (!fdes_open(&j.fdes, file.fd) || !map_text(&j)))
		err = diag_set(&diag, EIO, path, "libelf cannot read it");
	if (err) {
		say_failed(&j, &diag);
		return;
	}
	t->files++;
	judge_fdes(&j);
}
