// SPDX-License-Identifier: GPL-2.0-only
/* Makes the core's step and DWARF's step from one address and compares them (steps.h). */
#include "steps.h"

#include <inttypes.h>
#include <stdio.h>

#include "callee.h"
#include "sframe/rule_text.h"

/* Prints the end of a step as text, one line each. */
static void print_answer(const struct answer *a, bool signal)
{
	if (a->outermost || a->no_cfa) {
		printf("  DWARF: %s\n", a->outermost ? "no caller" : "no CFA");
		return;
	}
	printf("  DWARF: pc 0x%" PRIx64 " sp 0x%" PRIx64 " CFA 0x%" PRIx64, a->pc, a->sp,
	       a->cfa);
	if (!a->any_fp)
		printf(" fp 0x%" PRIx64, a->fp);
	printf("%s\n", signal ? " interrupted" : "");
}

static void print_state(struct judge *j, const char *who, enum ustack_reason reason,
			const struct ustack_state *s)
{
	u64 fp = 0;

	printf("  %s: ", who);
	if (reason) {
		printf("%s\n", ustack_reason_name(reason));
		return;
	}
	ustack_state_fp(s, &j->p.mem, process_read, &fp);
	printf("pc 0x%" PRIx64 " sp 0x%" PRIx64 " fp 0x%" PRIx64 "%s\n", s->pc, s->sp, fp,
	       s->exact ? " interrupted" : "");
}

/* The result of one step, compared with DWARF's. */
struct outcome {
	const char *who;
	enum ustack_reason reason;
	struct ustack_state state;
};

static void differ_step(struct judge *j, const struct row *r, const struct answer *a,
			const struct ustack_rule *rule, const struct outcome *got)
{
	char text[SFRAME_RULE_TEXT];

	if (!judge_differs(j, j->p.pc))
		return;
	printf("%s: 0x%" PRIx64 " in libdw's row 0x%" PRIx64 "..0x%" PRIx64 ", %s, sp 0x%"
	       PRIx64 "\n  rule: %s\n", j->path, j->p.pc, r->start, r->end,
	       process_frame_name(j->p.frame), j->p.state.sp,
	       sframe_rule_text(rule, j->p.arch, text));
	print_answer(a, r->signal);
	print_state(j, got->who, got->reason, &got->state);
}

#define BIT(reason) (1u << (reason))

/*
 * The allowed ends of a step, as a set of reasons. A refusal is right only if DWARF's answer is
 * not a frame of a stack, or needs a register that is not known in the frame.
 */
static u32 may_end(const struct process *p, const struct row *r,
		   const struct answer *a)
{
	u64 known = 1ull << p->arch->sp_reg | 1ull << p->arch->fp_reg;
	u64 sp = p->regs[p->arch->sp_reg];
	u32 ends = 0;

	if (a->outermost)
		return BIT(USTACK_COMPLETE);
	if (a->no_cfa)
		return 0;
	/* A function that has pushed nothing has its caller's SP. */
	if (a->cfa & 7 ||
	    (!r->signal && (a->cfa < sp ||
			    (a->cfa == sp && !(a->in_register && p->state.exact)))))
		ends |= BIT(USTACK_BAD_CFA);
	if (p->frame == FRAME_CALLER && a->used & ~(known | p->saved))
		ends |= BIT(USTACK_NO_REGISTER);
	/* Signal frames are also recognised by their code, whatever SP is. */
	if (!ends || r->signal)
		ends |= BIT(USTACK_OK);
	return ends;
}

static bool state_is(struct process *p, const struct row *r, const struct answer *a,
		     const struct ustack_state *s)
{
	u64 fp;

	return s->pc == a->pc && s->sp == a->sp && !s->sp_bound &&
	       s->exact == r->signal &&
	       (a->any_fp || (ustack_state_fp(s, &p->mem, process_read, &fp) &&
			      fp == a->fp));
}

static bool is_right(struct process *p, const struct row *r, const struct answer *a,
		     const struct outcome *got)
{
	if (!(may_end(p, r, a) & BIT(got->reason)))
		return false;
	return got->reason || state_is(p, r, a, &got->state);
}

static void one_step(struct judge *j, const struct row *r, const struct answer *a,
		     const struct ustack_rule *rule)
{
	struct outcome got = { .who = "step", .state = j->p.state };

	got.reason = ustack_step(j->p.arch, rule, &got.state, &j->p.mem);
	j->t->steps[j->p.frame]++;
	if (!is_right(&j->p, r, a, &got)) {
		differ_step(j, r, a, rule, &got);
		return;
	}
	j->t->ends[got.reason]++;
	j->t->any_fp += !got.reason && a->any_fp;
}

static bool read_made_up(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	return process_read(mem, addr, ret);
}

/* Space for one frame. */
static bool store_one(void *to, u64 pc)
{
	u32 *frames = to;

	return !(*frames)++;
}

/* The mapping of the segment that contains @pc. */
static bool find_window(const struct judge *j, struct ustack_window *ret)
{
	const struct ustack_table *t = j->section.table;
	unsigned int i;

	for (i = 0; i < j->p.nr_text; i++) {
		if (j->p.pc < j->text[i].start || j->p.pc >= j->text[i].end)
			continue;
		*ret = (struct ustack_window){
			.table = t,
			.start = PROCESS_BIAS + j->text[i].start,
			.len = j->text[i].end - j->text[i].start,
			.rel = j->text[i].start - t->base,
		};
		ustack_window_clip(ret);
		return true;
	}
	return false;
}

/* Whether DWARF's answer depends on the pc, as in PLTs of x86-64. */
static bool uses_pc(const struct process *p, const struct answer *a)
{
	return p->arch->ra_fixed && a->used & 1ull << 16;
}

/*
 * A stride gives the result of the step, or leaves the frame unchanged for the step: in PLT
 * code, for rare rules, and wherever the case is not plain.
 */
static void one_stride(struct judge *j, const struct row *r, const struct answer *a,
		       const struct ustack_rule *rule)
{
	struct outcome got = { .who = "stride", .state = j->p.state };
	struct ustack_window w;
	u32 frames = 0;

	if (!find_window(j, &w))
		return;
	ustack_stride(&w, &got.state, &j->p.mem, read_made_up, store_one, &frames);
	if (!frames) {
		j->t->stayed++;
		return;
	}
	j->t->strides++;
	if (!is_right(&j->p, r, a, &got))
		differ_step(j, r, a, rule, &got);
}

/* Judges one frame. Return: false if other frames would show nothing new. */
static bool judge_frame(struct judge *j, const struct row *r,
			const struct ustack_rule *rule, enum process_frame frame,
			u64 pc, struct answer *a)
{
	process_frame_at(&j->p, frame, pc, j->o->seed + frame);
	answer_find(a, r, &j->p);
	a->any_fp |= j->o->go;
	if (a->unable) {
		totals_unable(j->t, a->unable, 1);
		return false;
	}
	one_step(j, r, a, rule);
	one_stride(j, r, a, rule);
	return true;
}

/* The calling frame at the last byte of a call, where no sample can be. */
static bool judge_call(struct judge *j, const struct row *r,
		       const struct ustack_rule *rule, u64 pc, u64 named)
{
	unsigned int reg;
	struct answer a;
	s64 slot;

	process_frame_at(&j->p, FRAME_TOP, pc, j->o->seed);
	answer_find(&a, r, &j->p);
	if (a.unable || !(a.used & ~named))
		return false;
	reg = (unsigned int)__builtin_ctzll(a.used & ~named);
	if (!callee_of(j, rule, pc, reg, &slot))
		return false;
	process_frame_at(&j->p, FRAME_CALLER, pc, j->o->seed + FRAME_CALLER);
	process_save(&j->p, reg, slot);
	answer_find(&a, r, &j->p);
	one_step(j, r, &a, rule);
	one_stride(j, r, &a, rule);
	j->t->calls++;
	return true;
}

bool steps_from(struct judge *j, const struct row *r, const struct ustack_rule *rule,
		u64 pc)
{
	const struct ustack_arch *arch = j->p.arch;
	u64 named = 1ull << arch->sp_reg | 1ull << arch->fp_reg;
	struct answer a;

	j->t->pcs++;
	if (judge_call(j, r, rule, pc, named))
		return false;
	if (!judge_frame(j, r, rule, FRAME_TOP, pc, &a))
		return false;
	if (uses_pc(&j->p, &a)) {
		j->t->pc_rows++;
		return true;
	}
	if (a.used & ~named)
		judge_frame(j, r, rule, FRAME_INTERRUPTED, pc, &a);
	judge_frame(j, r, rule, FRAME_CALLER, pc, &a);
	return false;
}

bool steps_end(struct judge *j, const struct ustack_rule *rule, u64 pc)
{
	struct ustack_state s;
	struct ustack_window w;
	unsigned int frame;
	u32 frames = 0;

	for (frame = 0; frame < NR_FRAMES; frame++) {
		process_frame_at(&j->p, frame, pc, j->o->seed + frame);
		s = j->p.state;
		if (find_window(j, &w))
			ustack_stride(&w, &s, &j->p.mem, read_made_up, store_one, &frames);
		if (frames || ustack_step(j->p.arch, rule, &s, &j->p.mem) != USTACK_BAD_CFA)
			return false;
	}
	return true;
}
