// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds entries that no call leads to: code after padding, such as V8's bytecode handlers,
 * which are called through a table and jump to each other; and addresses that the file
 * suggests (synth_code_hints.h). The code shows whether SP points to a return address there:
 * it returns with that SP, or puts a frame record right below it, or, if functions take
 * arguments off the stack, jumps to proven code that is entered in the same way. If the file
 * suggests the place, the registers that the code saves show it, too (synth_code_saves.h). One
 * way that contradicts this is enough to refuse the place.
 */
#include "sframe/synth_code_flow.h"
#include "sframe/synth_code_saves.h"

/**
 * struct look - check of one place
 * @f: the analysis
 * @from: number of the place's byte; f->root of all bytes met from here has it, too
 * @left: instructions that may still be read
 * @nr: number of @todo
 * @todo: bytes that were met and not read yet; their states are in f->state
 * @after_frame: number of the byte after the instruction that removed a frame, or CODE_NOWHERE
 * @hinted: the file suggests the place, so that a return after calls counts as well
 * @good: something shows that SP points to a return address at @from
 * @bad: something shows that it does not
 */
struct look {
	struct code_flow *f;
	u32 from;
	u64 *left;
	u32 nr;
	u32 todo[CODE_MAX_LOOK];
	u32 after_frame;
	bool hinted;
	bool good;
	bool bad;
};

/* The code leads to a byte with a known state. @jump: by a jump. */
static void meet_known(struct look *l, u32 at, struct code_state s, bool jump)
{
	struct code_state there = l->f->state[at];

	if (there.called && l->f->takes)
		return;
	if (!code_state_agree(there, s))
		l->bad = true;
	else if (jump && code_state_is_entry(s) && l->f->takes)
		l->good |= (l->f->flags[at] & CODE_FIRM) != 0;
}

static bool is_known(const struct code_flow *f, u32 at)
{
	return f->flags[at] & CODE_VISITED && f->root[at] == CODE_NOWHERE &&
	       !f->state[at].lost;
}

/* Adds a byte to read. A lost state is overwritten: nothing needs it. */
static void add(struct look *l, u32 at, struct code_state s)
{
	l->f->root[at] = l->from;
	l->f->state[at] = s;
	l->todo[l->nr++] = at;
}

static void meet(struct look *l, u32 at, struct code_state s, bool jump)
{
	struct code_flow *f = l->f;

	if (s.lost)
		return;
	if (f->root[at] == l->from)
		l->bad |= !code_state_agree(f->state[at], s);
	else if (is_known(f, at))
		meet_known(l, at, s, jump);
	else if (l->nr == CODE_MAX_LOOK)
		l->bad = true;
	else
		add(l, at, s);
}

/* push %rbp; mov %rsp, %rbp */
static bool makes_record(const struct code_step *s)
{
	return s->state.how == CODE_FP_SAME && s->after.how == CODE_FP_FRAME;
}

/* jmp *%reg in a return's place: right after the end of a frame. */
static bool jumps_on(const struct look *l, const struct code_step *s)
{
	const u8 *p = s->area->bytes + (s->at - s->area->first);

	return s->insn.kind == X86_JUMP && p[p[0] == 0x41] == 0xff && s->at == l->after_frame &&
	       !l->f->takes && code_state_is_entry(s->state);
}

/*
 * A jump by a register with SP as at @from, and no frame removed before it: the place may be
 * a label in an interpreter, whose code jumps from one label to the next.
 */
static bool jumps_like_label(const struct look *l, const struct code_step *s)
{
	return s->insn.kind == X86_JUMP && !s->insn.to && s->at != l->after_frame &&
	       code_state_is_entry(s->state);
}

/*
 * Code after a call. If another function begins there, the called one never returns
 * (code_flow_find_dead() needs the call's own function to know it).
 */
static void read_after_call(struct look *l, const struct code_step *s)
{
	u32 next = code_step_next(l->f, s);

	if (next != CODE_NOWHERE && l->hinted &&
	    !code_saves_registers(s->area, next - s->area->first))
		meet(l, next, s->after, false);
}

static void read_one(struct look *l, u32 at)
{
	struct code_step s;
	u32 next, to;

	if (!code_flow_step(l->f, at, &s)) {
		l->bad = true;
		return;
	}
	l->bad |= code_step_is_threads_end(l->f, &s) ||
		  (!l->f->takes && s.after.lost);
	if (s.insn.kind == X86_CALL) {
		read_after_call(l, &s);
		return;
	}
	next = code_step_next(l->f, &s);
	if (s.stack.effect == X86_RET) {
		l->good |= code_state_is_entry(s.state);
		l->bad |= !code_state_is_entry(s.state);
		return;
	}
	l->good |= makes_record(&s) || jumps_on(l, &s);
	l->bad |= l->hinted && jumps_like_label(l, &s);
	if (code_state_is_entry(s.after) && !code_state_is_entry(s.state))
		l->after_frame = next;
	to = code_step_target(l->f, &s);
	if (next != CODE_NOWHERE)
		meet(l, next, s.after, false);
	else if (s.insn.kind != X86_JUMP && s.insn.kind != X86_END)
		l->bad = true;
	if (to != CODE_NOWHERE)
		meet(l, to, s.after, true);
}

static bool is_entered(struct code_flow *f, u32 at, bool hinted, u64 *left)
{
	const struct code_area *a = code_text_area(f->text, at);
	static const struct code_state entry = CODE_ENTRY;
	struct look l = { .f = f, .from = at, .left = left, .hinted = hinted,
			  .after_frame = CODE_NOWHERE };

	l.good = hinted && code_saves_registers(a, at - a->first);
	meet(&l, at, entry, false);
	while (l.nr && !l.bad && *left) {
		--*left;
		read_one(&l, l.todo[--l.nr]);
	}
	return l.good && !l.bad && *left;
}

static void look_at(struct code_flow *f, const struct code_area *a, u32 off, bool hinted,
		    u64 *left)
{
	u32 at = a->first + off;

	if (!is_known(f, at) && !code_text_pads(a, off) && !code_flow_is_inside(f, at) &&
	    is_entered(f, at, hinted, left))
		code_flow_add_entry(f, a->start + off);
}

/* Checks the hints, unless calls may take arguments: then a return proves too little. */
static void look_at_hints(struct code_flow *f, u64 *left)
{
	const struct code_area *a;
	size_t i;
	u32 at;

	for (i = 0; i < f->nr_hints && !f->takes; i++) {
		at = f->hints[i];
		if (!(f->flags[at] & CODE_ENTRY_POINT)) {
			a = code_text_area(f->text, at);
			look_at(f, a, at - a->first, true, left);
		}
	}
	f->nr_hints = 0;
}

void code_flow_look(struct code_flow *f)
{
	u64 left = (u64)CODE_MAX_LOOKS * f->text->size;
	const struct code_area *a;
	u32 at, off;

	for (at = 0; at < f->text->size; at++)
		f->root[at] = CODE_NOWHERE;
	look_at_hints(f, &left);
	for (a = f->text->areas; a < f->text->areas + f->text->nr; a++)
		for (off = -(u32)a->start & 15; off < a->size; off += 16)
			if (code_text_ends(a, off))
				look_at(f, a, off, false, &left);
}
