// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares rows from code (user/sframe/synth_code.h) with CFI: code that has CFI is
 * analysed as if it had none, and the state at each instruction is compared with the
 * CFI's rule.
 *
 * If they differ, either may be wrong. The CFI is wrong if this can be seen without the
 * entries and ways of the analysis: the code continues to a return, where SP must be at the
 * return address but is not by the CFI (RETURNS); or a function's CFI has one row for all
 * of its code, although the code moves SP (ONE_ROW).
 *
 * usage: codejudge [--show N] [--missing N] FILE|DIRECTORY...
 *	--show N: number of differences to print (20)
 *	--missing N: prints so many functions of each file, those with the most bytes without a row
 */
#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sframe/elf_read.h"
#include "sframe/synth.h"
#include "sframe/synth_code.h"
#include "sframe/synth_code_data.h"
#include "sframe/synth_code_fate.h"
#include "sframe/synth_code_flow.h"
#include "sframe/synth_code_hints.h"
#include "sframe/synth_rows.h"
#include "util/cleanup.h"
#include "util/file.h"

/* Bytes of text that are analysed at a time; most files have less in all. */
#define PART (12u << 20)

enum verdict {
	SAME,
	CFA_DIFFERS,
	FP_DIFFERS,
	NO_CALLER,	/* by the CFI there is no caller; or the code is a signal's */
	RETURNS,	/* the CFI is wrong, see above */
	LATE,
	ONE_ROW,
	RESTORED,	/* FP was restored in a way that was not seen, and is still saved */
	OTHER_BASE,	/* the CFI counts from a register that the analysis does not know */
	UNSEEN,		/* by the CFI FP is saved, in a way that was not seen; it is still
			 * the caller's
			 */
	LISTED,		/* a difference that was examined, see known.def */
	NR_VERDICTS,
};

static const char *const names[] = {
	"the same", "CFA differs", "FP differs", "no caller by CFI",
	"CFI is wrong: what follows returns with another SP",
	"CFI is wrong: some instructions late",
	"CFI is wrong: one row for code that moves SP",
	"FP given back unseen, and still saved",
	"CFA by another register", "FP saved unseen, and unchanged",
	"listed as explained: codejudge/known.def",
};

struct totals {
	u64 files;
	u64 others;
	u64 failed;
	u64 text;	/* bytes with a rule from CFI */
	u64 bytes[NR_VERDICTS];
	u64 shown;
	u64 show;
	u64 missing;
};

struct judge {
	const char *path;
	struct totals *t;
	struct synth synth;
	struct file file;
	u8 *bytes;
	struct code_area part;
	const struct sframe_func *shown;
	u32 *covered;	/* for each function with CFI, its bytes that have a row from code */
};

static enum verdict judge_fp(const struct ustack_rule *want, struct code_state s)
{
	if (want->fp == USTACK_OP_NONE)
		return s.how == CODE_FP_SAME ? SAME : FP_DIFFERS;
	if (want->fp != (USTACK_OP_CFA | USTACK_OP_DEREF))
		return OTHER_BASE;
	/* after a pop, GCC's CFI still says where FP was saved, as the word is still there */
	if (s.how == CODE_FP_SAME && s.slot != -want->fp_off)
		return s.sp && (s32)s.sp < -want->fp_off ? SAME : UNSEEN;
	return s.slot == -want->fp_off ? SAME : FP_DIFFERS;
}

static enum verdict judge_state(const struct ustack_rule *want, struct code_state s)
{
	if (want->flags)
		return NO_CALLER;
	if (want->ra != (USTACK_OP_CFA | USTACK_OP_DEREF) || want->ra_off != -8)
		return OTHER_BASE;
	if (want->cfa == USTACK_OP_SP) {
		if (!s.sp || s.soft)
			return OTHER_BASE;
		if ((s32)s.sp != want->cfa_off)
			return CFA_DIFFERS;
	} else if (want->cfa == USTACK_OP_FP) {
		if (s.how == CODE_FP_OTHER)
			return OTHER_BASE;
		if (s.how != CODE_FP_FRAME || s.fp != want->cfa_off)
			return CFA_DIFFERS;
	} else {
		return OTHER_BASE;
	}
	return judge_fp(want, s);
}

static const struct ustack_rule *find_rule(const struct synth *s, u64 pc)
{
	const struct sframe_func *f = synth_func_before(s, s->nr_funcs, pc);
	u32 i, at;

	if (!f || f->by_code || pc - f->start >= f->size)
		return NULL;
	at = (u32)(pc - f->start);
	if (f->block)
		at %= f->block;
	for (i = f->nr_rows; f->rows[i - 1].start > at; i--)
		;
	return &f->rows[i - 1].rule;
}

/* Prints the first difference of each function. */
static void show(struct judge *j, u64 pc, const struct ustack_rule *want,
		 struct code_state s, const char *what)
{
	const struct sframe_func *f =
		synth_func_before(&j->synth, j->synth.nr_funcs, pc);

	if (f == j->shown || j->t->shown++ >= j->t->show)
		return;
	j->shown = f;
	printf("%s: 0x%" PRIx64 ": %s: by code CFA - SP %u, FP %u at %u, kind %u%s; by CFI "
	       "CFA 0x%x %+d, FP 0x%x %+d\n", j->path, (uint64_t)pc, what, s.sp, s.fp, s.slot,
	       s.how, s.called ? ", behind a call" : "", want->cfa, want->cfa_off, want->fp,
	       want->fp_off);
}

/* Most instructions that are read up to a return. */
#define WAY_MAX 4096u

/* Whether the code continues from @pc to a return with the frame of @s. */
static bool returns_with(const struct judge *j, u64 pc, struct code_state s)
{
	const struct code_area *a = &j->part;
	struct x86_stack x;
	struct x86_insn i;
	unsigned int n;

	s.soft = s.called = 0;
	for (n = 0; n < WAY_MAX && pc - a->start < a->size && !s.lost; n++) {
		if (!code_text_insn(a, (u32)(pc - a->start), &i))
			return false;
		x86_stack_read(a->bytes + (pc - a->start), &i, &x);
		if (x.effect == X86_RET ||
		    (i.kind == X86_JUMP && code_state_is_entry(s)))
			return code_state_is_entry(s) && !s.soft;
		if (i.kind == X86_END || (i.kind == X86_JUMP && !i.to))
			return false;
		s = code_state_step(s, &i, &x);
		pc = i.kind == X86_JUMP ? i.to : pc + i.len;
	}
	return false;
}

/* Whether the CFI's next row agrees with the code there: then the CFI's change comes late. */
static bool is_late(const struct judge *j, const struct sframe_func *f, u64 pc,
		    const struct ustack_rule *want, struct code_state s)
{
	const struct code_area *a = &j->part;
	const struct sframe_row *row = f->rows;
	struct x86_stack x;
	struct x86_insn i;

	while (row < f->rows + f->nr_rows && &row->rule <= want)
		row++;
	if (row == f->rows + f->nr_rows)
		return false;
	for (; pc < f->start + row->start; pc += i.len) {
		if (pc - a->start >= a->size ||
		    !code_text_insn(a, (u32)(pc - a->start), &i) || (i.kind != X86_OTHER && i.kind != X86_BRANCH))
			return false;
		x86_stack_read(a->bytes + (pc - a->start), &i, &x);
		s = code_state_step(s, &i, &x);
	}
	return !s.lost && row->rule.cfa == USTACK_OP_SP && (s32)s.sp == row->rule.cfa_off;
}

static bool was_saved(const struct sframe_func *f, const struct ustack_rule *want,
		      struct code_state s)
{
	u32 i;

	for (i = 0; i < f->nr_rows && &f->rows[i].rule < want; i++)
		if (f->rows[i].rule.fp_off == -(s32)s.slot)
			return s.slot;
	return false;
}

/* A known difference; @id: first bytes of the file's build id. */
struct known {
	u32 id;
	u32 bytes;
	u64 pc;
};

static const struct known known[] = {
#define KNOWN(id, pc, bytes, why) { id, bytes, pc },
#include "known.def"
#undef KNOWN
};

static bool is_listed(const struct judge *j, u64 pc)
{
	const u8 *id = j->synth.elf.build_id;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (pc - known[i].pc < known[i].bytes &&
		    known[i].id == ((u32)id[0] << 24 | id[1] << 16 | id[2] << 8 | id[3]))
			return true;
	return false;
}

static enum verdict excuse(const struct judge *j, u64 pc, const struct ustack_rule *want,
			   struct code_state s, enum verdict v)
{
	const struct sframe_func *f =
		synth_func_before(&j->synth, j->synth.nr_funcs, pc);

	if (v == CFA_DIFFERS && is_listed(j, pc))
		return LISTED;
	if (v == CFA_DIFFERS && returns_with(j, pc, s))
		return RETURNS;
	if (v == CFA_DIFFERS && is_late(j, f, pc, want, s))
		return LATE;
	if (v == CFA_DIFFERS && f->nr_rows == 1 && !s.called)
		return ONE_ROW;
	if (v == FP_DIFFERS && s.how == CODE_FP_OTHER && was_saved(f, want, s))
		return RESTORED;
	return v;
}

static int judge_range(void *arg, u64 start, u64 end, struct code_state s)
{
	struct judge *j = arg;
	const struct ustack_rule *want = find_rule(&j->synth, start);
	struct ustack_rule rule;
	enum verdict v;

	if (!want || !code_state_rule(s, &rule))
		return 0;
	v = excuse(j, start, want, s, judge_state(want, s));
	j->t->bytes[v] += end - start;
	j->covered[synth_func_before(&j->synth, j->synth.nr_funcs, start) - j->synth.funcs] +=
		(u32)(end - start);
	if (v == CFA_DIFFERS || v == FP_DIFFERS || v == NO_CALLER)
		show(j, start, want, s, names[v]);
	return 0;
}

static void judge_part(struct judge *j, u64 start, u32 size)
{
	struct code_text text = { .nr = 0 };
	struct code_fates fates;
	struct code_data data;
	struct code_flow flow;

	if (!elf_read_code(j->file.fd, &j->synth.elf, start, j->bytes, size)) {
		j->t->failed++;
		return;
	}
	if (code_text_add(&text, start, size, j->bytes) || code_flow_init(&flow, &text) ||
	    code_fates_init(&fates, &j->synth, j->file.fd))
		abort();
	flow.fate = code_fate;
	flow.arg = &fates;
	code_data_init(&data, &j->synth, j->file.fd);
	code_data_use(&data, &flow);
	if (synth_code_calls(&j->synth, j->file.fd, &flow) ||
	    synth_code_hints(&j->synth, j->file.fd, &flow) || code_flow_run(&flow))
		abort();
	j->part = *text.areas;
	code_flow_each(&flow, judge_range, j);
	code_fates_release(&fates);
	code_flow_release(&flow);
	code_text_release(&text);
}

/* End of a part that starts at @at: at most PART bytes later, and not within a function. */
static u64 part_end(const struct judge *j, u64 at, u64 end)
{
	const struct sframe_func *f;

	if (end - at <= PART)
		return end;
	f = synth_func_before(&j->synth, j->synth.nr_funcs, at + PART);
	return f && f->start > at ? f->start : at + PART;
}

static void judge_text(struct judge *j)
{
	const struct ustack_elf *elf = &j->synth.elf;
	const struct sframe_func *f;
	unsigned int i;
	u64 at, end;

	for (f = j->synth.funcs; f < j->synth.funcs + j->synth.nr_funcs; f++)
		j->t->text += f->by_code ? 0 : f->size;
	for (i = 0; i < elf->nr_text; i++) {
		for (at = elf->text[i].start; at < elf->text[i].end; at = end) {
			end = part_end(j, at, elf->text[i].end);
			judge_part(j, at, (u32)(end - at));
		}
	}
}

static u32 missing_in(const struct judge *j, size_t i)
{
	const struct sframe_func *f = &j->synth.funcs[i];

	return f->by_code || f->size < j->covered[i] ? 0 : f->size - j->covered[i];
}

/* Prints the functions with the most bytes without a row from code. */
static void show_missing(const struct judge *j)
{
	size_t i, most;
	u64 n;

	for (n = 0; n < j->t->missing && j->synth.nr_funcs; n++) {
		for (most = i = 0; i < j->synth.nr_funcs; i++)
			if (missing_in(j, i) > missing_in(j, most))
				most = i;
		if (!missing_in(j, most))
			return;
		printf("%s: 0x%" PRIx64 ": %u of %u bytes have no row\n", j->path,
		       (uint64_t)j->synth.funcs[most].start, missing_in(j, most),
		       (unsigned int)j->synth.funcs[most].size);
		j->covered[most] = UINT32_MAX;
	}
}

static void judge_release(struct judge *j)
{
	synth_release(&j->synth);
	file_release(&j->file);
	free(j->bytes);
	free(j->covered);
}

static void judge_file(struct totals *t, const char *path)
{
	_cleanup_(judge_release) struct judge j = {
		.path = path, .t = t, .synth = SYNTH_INIT, .file = FILE_INIT,
		.bytes = malloc(PART),
	};
	struct diag diag;
	char text[512];
	int err;

	err = file_open(&j.file, path, &diag);
	if (!err)
		err = synth_read(&j.synth, j.file.fd, path, &diag);
	if (err == -EBADMSG || (!err && (j.synth.elf.arch != &ustack_arch_x86_64 ||
					 j.synth.rows->go))) {
		t->others++;
		return;
	}
	if (err || !j.bytes) {
		diag_format(&diag, text, sizeof(text));
		printf("%s\n", text);
		t->failed++;
		return;
	}
	j.covered = calloc(j.synth.nr_funcs + 1, sizeof(*j.covered));
	if (!j.covered)
		abort();
	t->files++;
	judge_text(&j);
	show_missing(&j);
}

static int walk(struct totals *t, char **paths)
{
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *e;

	if (!fts)
		return -errno;
	while ((e = fts_read(fts)))
		if (e->fts_info == FTS_F || (e->fts_info == FTS_SL && !e->fts_level))
			judge_file(t, e->fts_path);
	fts_close(fts);
	return 0;
}

static int report(const struct totals *t)
{
	u64 all = 0, wrong;
	unsigned int i;

	for (i = 0; i < NR_VERDICTS; i++)
		all += t->bytes[i];
	wrong = t->bytes[CFA_DIFFERS] + t->bytes[FP_DIFFERS] + t->bytes[NO_CALLER];
	printf("codejudge: %" PRIu64 " files, %" PRIu64 " others, %" PRIu64 " failed; of %" PRIu64
	       " bytes with CFI %" PRIu64 " have a row by code (%.2f %%)\n",
	       (uint64_t)t->files, (uint64_t)t->others, (uint64_t)t->failed,
	       (uint64_t)t->text, (uint64_t)all,
	       t->text ? 100.0 * (double)all / (double)t->text : 0.0);
	for (i = 0; i < NR_VERDICTS; i++)
		printf("  %12" PRIu64 " %s\n", (uint64_t)t->bytes[i], names[i]);
	printf("%" PRIu64 " differ\n", (uint64_t)wrong);
	return wrong || t->failed || !t->bytes[SAME];
}

int main(int argc, char **argv)
{
	struct totals t = { .show = 20 };
	char **paths = argv + 1;

	for (; argc - (paths - argv) > 1; paths += 2) {
		if (!strcmp(paths[0], "--show"))
			t.show = strtoull(paths[1], NULL, 10);
		else if (!strcmp(paths[0], "--missing"))
			t.missing = strtoull(paths[1], NULL, 10);
		else
			break;
	}
	if (!*paths) {
		fprintf(stderr, "usage: codejudge [--show N] [--missing N] FILE|DIRECTORY...\n");
		return 2;
	}
	if (walk(&t, paths)) {
		perror("codejudge");
		return 2;
	}
	return report(&t);
}
