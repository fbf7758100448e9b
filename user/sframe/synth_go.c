// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes rules from Go's table, function by function. The table gives the distance from SP to
 * the caller's frame; the code shows where RA and FP are saved, and where a function leaves
 * its stack. synth_go_add.c calls it.
 */
#include "sframe/synth_go.h"

#include <errno.h>
#include <stdlib.h>

#include "sframe/cfi.h"
#include "sframe/synth_go_code.h"
#include "sframe/synth_go_kind.h"
#include "util/array.h"

/* A function becomes up to so many pieces: with rules, without rules, and with rules again. */
#define PIECES 3

/* Most rows of a file: many functions may share values, so that a small table can have many. */
#define ROWS_MAX (1u << 24)

struct synth_go {
	const struct go_arch *arch;
	bool has_lr;
	bool calls_back;
	struct go_file file;
	u32 next;

	size_t all_rows;
	struct sframe_row *rows;
	size_t nr_rows;
	size_t room;

	struct go_piece pieces[PIECES];
	unsigned int nr_pieces;
	unsigned int given;
};

/* The function that is translated at present. */
struct work {
	struct synth_go *g;
	struct gopcln_func f;
	enum go_kind kind;
	struct go_code code;
	struct go_frame frame;	/* how its frame was set up */
	u32 size;		/* bytes of the frame */
	s32 last;		/* the table's value in the row before */
	enum synth_cause cause;
	bool no_memory;
};

int synth_go_take(struct go_file *file, const struct ustack_elf *elf,
		  struct synth_go **ret)
{
	struct synth_go *g = calloc(1, sizeof(*g));

	*ret = g;
	if (!g) {
		go_file_release(file);
		return -ENOMEM;
	}
	g->has_lr = elf->arch == &ustack_arch_aarch64;
	g->arch = g->has_lr ? &go_aarch64 : &go_amd64;
	g->calls_back = go_calls_back(&file->table);
	g->file = *file;
	return 0;
}

int synth_go_new(int fd, const struct ustack_elf *elf, struct synth_go **ret,
		 const char **why)
{
	struct go_file file;
	int found;

	*ret = NULL;
	found = go_file_open(&file, fd, elf, why);
	if (found > 0)
		return synth_go_take(&file, elf, ret);
	go_file_release(&file);
	return found;
}

void synth_go_free(struct synth_go *g)
{
	if (g) {
		go_file_release(&g->file);
		free(g->rows);
	}
	free(g);
}

bool synth_go_has(const struct synth_go *g, u64 pc)
{
	return g && pc >= g->file.text.start && pc < g->file.text.end;
}

static void add_row(struct work *w, u32 start, const struct ustack_rule *rule)
{
	struct synth_go *g = w->g;

	if (g->nr_rows && g->rows[g->nr_rows - 1].start == start)
		g->nr_rows--;
	if (!array_has_room(g->rows, g->nr_rows, g->room)) {
		w->no_memory = true;
		return;
	}
	g->rows[g->nr_rows++] = (struct sframe_row){ .start = start, .rule = *rule };
}

/*
 * Bytes between the frame and its caller's. On AArch64 a signal's handler pushes the
 * interrupted function's link register before it makes the code seem to have called; see
 * GO_SIGNALLED.
 */
static s32 below_caller(const struct work *w)
{
	return w->g->has_lr && w->kind == GO_SIGNALLED ? 16 : 0;
}

/* Sets RA and FP once the CFA is known; both are in the frame as it was set up. */
static void set_saved(const struct work *w, u32 at, struct ustack_rule *rule)
{
	bool saved = at >= w->frame.fp_saved && w->last > 0;
	s32 ra = w->g->has_lr ? -(s32)w->size - below_caller(w) : -8;

	if (!w->g->has_lr || (w->last > 0 && w->frame.lr_saved)) {
		rule->ra = USTACK_OP_CFA | USTACK_OP_DEREF;
		rule->ra_off = ra;
	}
	if (saved) {
		rule->fp = USTACK_OP_CFA | USTACK_OP_DEREF;
		rule->fp_off = ra - 8;
	}
}

static void add_by_sp(struct work *w, u32 at)
{
	struct ustack_rule rule = {
		.cfa = USTACK_OP_SP,
		.cfa_off = w->last + below_caller(w) + (w->g->has_lr ? 0 : 8),
	};

	set_saved(w, at, &rule);
	add_row(w, at, &rule);
}

static void add_by_fp(struct work *w, u32 at)
{
	struct ustack_rule rule = {
		.cfa = USTACK_OP_FP,
		.cfa_off = w->g->has_lr ? (s32)w->size + 8 : 16,
	};

	set_saved(w, at, &rule);
	add_row(w, at, &rule);
}

/* Adds rows for a range of the table; new rows begin where FP is saved and where it is set. */
static void add_range(struct work *w, const struct gopcln_sp *sp)
{
	bool by_fp = w->kind == GO_BY_FP && sp->delta > 0;
	u32 saved = w->frame.fp_saved, set = w->frame.fp_set;

	if (by_fp && sp->start >= set)
		add_by_fp(w, sp->start);
	else
		add_by_sp(w, sp->start);
	if (sp->delta <= 0)
		return;
	if (saved > sp->start && saved < sp->end)
		add_by_sp(w, saved);
	if (by_fp && set > sp->start && set < sp->end)
		add_by_fp(w, set);
}

/* While a frame is removed FP may be the caller's already, but SP can be trusted. */
static void close_frame(struct work *w, u32 at)
{
	u32 len = w->g->arch->closing(&w->code, at);

	if (w->kind == GO_BY_FP && len && w->g->nr_rows &&
	    w->g->rows[w->g->nr_rows - 1].start < at - len)
		add_by_sp(w, at - len);
}

static bool open_frame(struct work *w, u32 at, s32 delta)
{
	struct go_frame f = w->g->arch->opens(&w->code, at, (u32)delta);

	if (f.how == GO_OPENS) {
		/* with two frames it is unknown which of them is removed later */
		if (w->size && (f.fp_saved != GO_NEVER || f.lr_saved ||
				w->frame.fp_saved != GO_NEVER || w->frame.lr_saved))
			return false;
		w->frame = f;
		w->size = (u32)delta;
	}
	return f.how == GO_OPENS || (f.how == GO_RESUMES && w->size);
}

static void read_rows(struct work *w)
{
	struct gopcln_sp sp;

	gopcln_sp_init(&w->g->file.table, &w->f, &sp);
	while (!w->cause && gopcln_sp_next(&sp)) {
		if (sp.delta > INT32_MAX - 64 || sp.delta & 7 ||
		    w->g->nr_rows >= CFI_MAX_ROWS || ++w->g->all_rows > ROWS_MAX)
			w->cause = SYNTH_GO_TABLE;
		/* it pops words of its caller */
		else if (sp.delta < 0)
			w->cause = SYNTH_GO_CODE;
		else if (sp.delta && !w->last && !open_frame(w, sp.start, sp.delta))
			w->cause = SYNTH_GO_CODE;
		else if (!sp.delta && w->last)
			close_frame(w, sp.start);
		w->last = sp.delta;
		if (!w->cause)
			add_range(w, &sp);
	}
	if (!w->cause && (sp.why || !sp.end))
		w->cause = SYNTH_GO_TABLE;
	/* after the last value comes padding */
	w->code.len = sp.end;
}

/* Adds a piece for the function's bytes [start, end). */
static void add_piece(struct work *w, u32 start, u32 end, enum synth_cause cause,
		      const struct sframe_row *rows, u32 nr)
{
	struct synth_go *g = w->g;
	u64 base = g->file.bias + w->f.start;

	if (start < end)
		g->pieces[g->nr_pieces++] = (struct go_piece){
			.range = { base + start, base + end },
			.cause = cause,
			.signal = w->kind == GO_SIGNALLED || w->kind == GO_BY_FP ||
				  w->kind == GO_TWO_STACKS,
			.nr_rows = nr,
			.rows = rows,
		};
}

static void add_gap(struct work *w, u32 start, u32 end, enum synth_cause cause)
{
	add_piece(w, start, end, cause, NULL, 0);
}

static void add_outermost(struct work *w, u32 start, u32 end)
{
	static const struct sframe_row row = {
		.rule = { .flags = USTACK_RULE_OUTERMOST },
	};

	add_piece(w, start, end, SYNTH_NONE, &row, 1);
}

static void add_rows(struct work *w, u32 end)
{
	u32 n = (u32)w->g->nr_rows;

	while (n && w->g->rows[n - 1].start >= end)
		n--;
	add_piece(w, 0, end, SYNTH_NONE, w->g->rows, n);
}

/* Whether FP does not lead to its own frame: it has none, or FP is written before a call. */
static bool fp_is_lost(struct work *w, const struct ustack_range *jump)
{
	const struct go_arch *a = w->g->arch;
	u32 gone;

	if (w->kind != GO_BY_FP || w->frame.fp_set > jump->start)
		return true;
	if (!a->fp_gone)
		return false;
	gone = a->fp_gone(&w->code, (u32)jump->start, w->code.len);
	return gone < w->code.len && !a->calls(&w->code, (u32)jump->start, gone);
}

/* The instruction with which it leaves its stack for good; its end if it does not. */
static struct ustack_range find_jump(struct work *w)
{
	struct ustack_range jump, none = { w->code.len, w->code.len };

	if (w->kind == GO_PLAIN || w->kind == GO_SIGNALLED ||
	    w->kind == GO_TWO_STACKS ||
	    !w->g->arch->sp_write(&w->code, 0, &jump) || !fp_is_lost(w, &jump))
		return none;
	return jump;
}

/* Keeps the rows only as far as the return address and the stack are known. */
static void cut(struct work *w)
{
	const struct go_arch *a = w->g->arch;
	struct ustack_range jump = find_jump(w);
	u32 switched = (u32)jump.end, len = w->code.len, good = switched, lost;

	if (a->lost_lr && !w->frame.lr_saved) {
		lost = a->lost_lr(&w->code);
		if (lost < good)
			good = lost;
	}
	add_rows(w, good);
	if (w->kind != GO_NO_RETURN) {
		add_gap(w, good, len, good < switched ? SYNTH_GO_CODE : SYNTH_GO_STACK);
		return;
	}
	add_gap(w, good, switched, SYNTH_GO_CODE);
	add_outermost(w, switched, len);
}

static void read_func(struct work *w)
{
	u64 size = w->f.end - w->f.start;
	u32 end = size > INT32_MAX ? INT32_MAX : (u32)size;

	w->code = (struct go_code){
		w->g->file.code + (w->f.start - gopcln_first(&w->g->file.table)), end,
	};
	w->kind = go_kind_of(&w->g->file.table, &w->f);
	if (w->kind == GO_CALLS_C)
		w->kind = w->g->calls_back ? GO_LEAVES : GO_BY_FP;
	if (w->kind == GO_TOP) {
		add_outermost(w, 0, end);
		return;
	}
	if (w->kind == GO_SIGRETURN)
		w->cause = SYNTH_GO_SIGRETURN;
	else if (w->kind == GO_FORKS)
		w->cause = SYNTH_GO_STACK;
	else if (!w->f.sp)
		w->cause = SYNTH_GO_FOREIGN;
	else
		read_rows(w);
	if (w->cause)
		add_gap(w, 0, end, w->cause);
	else if (!w->no_memory)
		cut(w);
}

/*
 * The signal trampoline is never called: handlers return to its first byte, and a return
 * address is looked up one byte before. That byte must have no rule.
 */
static void spare_trampoline(struct synth_go *g)
{
	struct go_piece *last = g->pieces + g->nr_pieces;
	struct gopcln_func f;

	if (last-- == g->pieces || g->next == g->file.table.nr_funcs ||
	    !gopcln_func(&g->file.table, g->next, &f) ||
	    last->range.end != g->file.bias + f.start ||
	    go_kind_of(&g->file.table, &f) != GO_SIGRETURN)
		return;
	if (--last->range.end == last->range.start)
		g->nr_pieces--;
	else if (!last->cause && last->rows[last->nr_rows - 1].start ==
				 last->range.end - last->range.start)
		last->nr_rows--;
}

/* Return: 1 if there was another function, 0 if not; -ENOMEM. */
static int next_func(struct synth_go *g)
{
	struct work w = { .g = g };

	if (g->next == g->file.table.nr_funcs)
		return 0;
	g->nr_rows = 0;
	g->nr_pieces = g->given = 0;
	w.frame.fp_saved = w.frame.fp_set = GO_NEVER;
	if (gopcln_func(&g->file.table, g->next++, &w.f))
		read_func(&w);
	else
		add_gap(&w, 0, (u32)(w.f.end - w.f.start), SYNTH_GO_TABLE);
	if (w.no_memory)
		return -ENOMEM;
	spare_trampoline(g);
	return 1;
}

int synth_go_next(struct synth_go *g, struct go_piece *ret)
{
	int more = 1;

	while (more > 0 && g->given == g->nr_pieces)
		more = next_func(g);
	if (more > 0)
		*ret = g->pieces[g->given++];
	return more;
}
