// SPDX-License-Identifier: GPL-2.0-only
/*
 * Computes the states of synth_code_flow.h: code_flow_run() first discovers entries by
 * following calls, then finds states from those that are left, until proofs drop no more
 * entries. synth_code.c calls it.
 */
#include "sframe/synth_code_flow.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"

int code_flow_init(struct code_flow *f, const struct code_text *text)
{
	u32 n = text->size;

	*f = (struct code_flow){ .text = text };
	f->switches.left = (u64)CODE_MAX_SPANS * n;
	if (n > CODE_MAX_TEXT)
		return -EFBIG;
	f->state = calloc(n + 1, sizeof(*f->state));
	f->flags = calloc(n + 1, sizeof(*f->flags));
	f->index = calloc(n + 1, sizeof(*f->index));
	f->queue = malloc((n + 1) * sizeof(*f->queue));
	f->root = malloc((n + 1) * sizeof(*f->root));
	return f->state && f->flags && f->index && f->queue && f->root ? 0 : -ENOMEM;
}

void code_flow_release(struct code_flow *f)
{
	free(f->state);
	free(f->flags);
	free(f->index);
	free(f->insns);
	free(f->queue);
	free(f->root);
	free(f->hints);
	free(f->dead.at);
	free(f->gone.at);
	free(f->alive.at);
	free(f->imported.at);
	code_switches_release(&f->switches);
	*f = (struct code_flow){ .text = NULL };
}

static const struct code_area *area_of(struct code_flow *f, u32 at)
{
	if (!f->area || at - f->area->first >= f->area->size)
		f->area = code_text_area(f->text, at);
	return f->area;
}

/* Whether the system call at @off is rt_sigreturn(2), which never returns, by the
 * instruction before it: mov $15, %eax or mov $15, %rax.
 */
static bool is_sigreturn(const struct code_area *a, u32 off)
{
	const u8 *p = a->bytes + off;

	return (off >= 5 && !memcmp(p - 5, "\xb8\x0f\0\0\0", 5)) ||
	       (off >= 7 && !memcmp(p - 7, "\x48\xc7\xc0\x0f\0\0\0", 7));
}

static bool decode(const struct code_area *a, u32 at, struct code_insn *ret)
{
	u32 off = at - a->first;

	if (!code_text_insn(a, at, &ret->insn))
		return false;
	x86_stack_read(a->bytes + off, &ret->insn, &ret->stack);
	if (ret->stack.effect == X86_SYSCALL && is_sigreturn(a, off))
		ret->insn.kind = X86_END;
	/* a call of the next instruction may only push an address, or be a real call */
	if (ret->insn.kind == X86_CALL && ret->insn.to == a->start + off + ret->insn.len) {
		ret->insn.kind = X86_OTHER;
		ret->insn.to = 0;
		ret->stack.effect = X86_LOSE_BOTH;
	}
	return true;
}

/* Each instruction is decoded once, as long as there is memory for it. */
static bool read_insn(struct code_flow *f, const struct code_area *a, u32 at,
		      struct code_insn *ret)
{
	if (f->index[at]) {
		*ret = f->insns[f->index[at] - 1];
		return true;
	}
	if (!decode(a, at, ret))
		return false;
	if (array_has_room(f->insns, f->nr_insns, f->insns_room)) {
		f->insns[f->nr_insns++] = *ret;
		f->index[at] = (u32)f->nr_insns;
	}
	return true;
}

bool code_flow_step(struct code_flow *f, u32 at, struct code_step *ret)
{
	struct code_insn i;

	ret->area = area_of(f, at);
	ret->at = at;
	ret->state = ret->after = f->state[at];
	if (!read_insn(f, ret->area, at, &i))
		return false;
	ret->insn = i.insn;
	ret->stack = i.stack;
	ret->dead = i.insn.kind == X86_CALL && code_targets_has(&f->dead, i.insn.to);
	/* most instructions do not change the state */
	if (i.stack.effect || i.stack.stores || i.insn.kind == X86_CALL)
		ret->after = code_state_step(ret->state, &i.insn, &i.stack);
	return true;
}

bool code_flow_is_inside(struct code_flow *f, u32 at)
{
	const struct code_area *a = code_text_area(f->text, at);
	struct code_step s;
	u32 back;

	for (back = 1; back < X86_INSN_MAX && back <= at - a->first; back++)
		if (f->flags[at - back] & CODE_VISITED && code_flow_step(f, at - back, &s) &&
		    s.insn.len > back)
			return true;
	return false;
}

/*
 * If padding follows a call, the call does not return, unless its function was proven to
 * return, or is imported and not known never to return. Then the padding aligns a
 * loop.
 */
static bool never_returns(const struct code_flow *f, const struct code_step *s, u32 next)
{
	if (s->insn.kind != X86_CALL || s->dead)
		return s->dead;
	return code_text_pads(s->area, next - s->area->first) &&
	       !code_flow_is_alive(f, s, CODE_ALIVE) &&
	       !code_targets_has(&f->imported, s->insn.to);
}

u32 code_step_next(const struct code_flow *f, const struct code_step *s)
{
	u32 next = s->at + s->insn.len;

	if (s->insn.kind == X86_JUMP || s->insn.kind == X86_END ||
	    next >= s->area->first + s->area->size || never_returns(f, s, next) ||
	    (s->insn.kind == X86_CALL && f->flags[next] & CODE_BOUNDARY))
		return CODE_NOWHERE;
	return next;
}

/* If a compiler knows that a switch has no other case, the jump for other cases goes to the
 * bytes after the function: padding.
 */
u32 code_step_target(const struct code_flow *f, const struct code_step *s)
{
	u64 off = s->insn.to - s->area->start;

	if (!s->insn.to || f->flags[s->at] & CODE_DOUBTFUL)
		return CODE_NOWHERE;
	if (off >= s->area->size)
		return code_text_at(f->text, s->insn.to);
	return code_text_pads(s->area, (u32)off) ? CODE_NOWHERE : s->area->first + (u32)off;
}

const u32 *code_step_cases(const struct code_flow *f, const struct code_step *s, u32 *nr)
{
	*nr = 0;
	return s->insn.kind == X86_JUMP && !s->insn.to ? code_switch_targets(f, s->at, nr) : NULL;
}

static void set(struct code_flow *f, u32 at, struct code_state s)
{
	f->state[at] = s;
	f->flags[at] |= CODE_VISITED;
	if (f->flags[at] & CODE_QUEUED)
		return;
	f->flags[at] |= CODE_QUEUED;
	f->queue[f->nr_queue++] = at;
}

/* Whether @s has no effect at @at: an uncertain state does not change a certain one, and a lost
 * state is no reason to doubt that @at is an entry.
 */
static bool is_ignored(const struct code_flow *f, u32 at, struct code_state s)
{
	struct code_state here = f->state[at];

	if (!(f->flags[at] & CODE_VISITED))
		return false;
	return (!here.called && s.called) ||
	       (f->flags[at] & CODE_ENTRY_POINT && s.lost);
}

/* An instruction with state @s leads to @at: joins it with the state there. */
static void arrive(struct code_flow *f, u32 at, struct code_state s)
{
	struct code_state here;

	if (at == CODE_NOWHERE || is_ignored(f, at, s))
		return;
	here = f->state[at];
	/* a certain state replaces an uncertain one */
	if (f->flags[at] & CODE_VISITED && (s.called || !here.called)) {
		s = code_state_meet(here, s);
		if (code_state_equal(s, here))
			return;
	}
	set(f, at, s);
}

/* Return: false if it is an entry already. */
static bool add_entry(struct code_flow *f, u32 at, u16 flags)
{
	if (at == CODE_NOWHERE)
		return false;
	flags &= (u16)~f->flags[at];
	f->flags[at] |= flags;
	if (flags & CODE_ENTRY_POINT)
		f->grown = true;
	return flags & CODE_ENTRY_POINT;
}

void code_flow_add_entry(struct code_flow *f, u64 pc)
{
	add_entry(f, code_text_at(f->text, pc), CODE_ENTRY_POINT | CODE_FIRM);
}

void code_flow_add_boundary(struct code_flow *f, u64 pc)
{
	u32 at = code_text_at(f->text, pc);

	if (at != CODE_NOWHERE)
		f->flags[at] |= CODE_BOUNDARY;
}

int code_flow_add_hint(struct code_flow *f, u64 pc)
{
	u32 at = code_text_at(f->text, pc);

	if (at == CODE_NOWHERE)
		return 0;
	f->flags[at] |= CODE_HINTED;
	if (f->flags[at] & (CODE_ENTRY_POINT | CODE_VISITED))
		return 0;
	if (!array_has_room(f->hints, f->nr_hints, f->hints_room))
		return -ENOMEM;
	f->hints[f->nr_hints++] = at;
	return 0;
}

bool code_flow_is_news(const struct code_flow *f, u64 pc)
{
	u32 at = code_text_at(f->text, pc);

	return at != CODE_NOWHERE && !(f->flags[at] & CODE_FIRM);
}

bool code_flow_is_hinted(const struct code_flow *f, u64 pc)
{
	u32 at = code_text_at(f->text, pc);

	return at != CODE_NOWHERE && f->flags[at] & CODE_HINTED;
}

/* jmp *%reg */
static bool jumps_by_register(const u8 *p, const struct x86_insn *insn, unsigned int *reg)
{
	bool rex = insn->len == 3 && p[0] == 0x41;

	p += rex;
	*reg = (p[1] & 7) + 8 * rex;
	return (rex || insn->len == 2) && p[0] == 0xff && (p[1] & 0xf8) == 0xe0;
}

/* lea x(%rip), %reg */
static bool loads_address(const u8 *p, unsigned int reg)
{
	return p[0] == (reg < 8 ? 0x48 : 0x4c) && p[1] == 0x8d && p[2] == (5 | (reg & 7) << 3);
}

/* Length in bytes of a pop of another register than @reg; 0 if it is none. */
static u32 pops_other(const u8 *p, unsigned int reg)
{
	bool rex = p[0] == 0x41;

	if ((p[rex] & 0xf8) != 0x58 || (p[rex] & 7u) + 8 * rex == reg)
		return 0;
	return 1 + rex;
}

/* Bytes of pops: six saved registers, each popped by two bytes at most. */
#define MAX_POPS 12u
#define LEA_BYTES 7u

/*
 * The target of a jump by a register, if only pops are between it and the lea that loads
 * the register; else 0. So musl goes from __libc_start_main() to the caller of main().
 */
static u64 loaded_target(const struct code_area *a, u32 off, const struct x86_insn *insn)
{
	const u8 *jump = a->bytes + off, *lea, *p;
	unsigned int reg;
	u32 back, len;

	if (!jumps_by_register(jump, insn, &reg))
		return 0;
	for (back = LEA_BYTES; back <= LEA_BYTES + MAX_POPS && back <= off; back++) {
		lea = jump - back;
		if (!loads_address(lea, reg))
			continue;
		for (p = lea + LEA_BYTES; p < jump && (len = pops_other(p, reg)); p += len)
			;
		if (p == jump)
			return a->start + off - back + LEA_BYTES +
			       (u64)(s64)(s32)ustack_le32(lea + 3);
	}
	return 0;
}

/* The function that a jump by a register calls as a tail call, or CODE_NOWHERE. */
static u32 tail_call(const struct code_flow *f, const struct code_step *s)
{
	u64 to;

	if (s->insn.kind != X86_JUMP || s->insn.to || !code_state_is_entry(s->state))
		return CODE_NOWHERE;
	to = loaded_target(s->area, s->at - s->area->first, &s->insn);
	return to ? code_text_at(f->text, to) : CODE_NOWHERE;
}

/* Adds @to as an entry while calls are believed. */
static void believe(struct code_flow *f, u32 to)
{
	static const struct code_state entry = CODE_ENTRY;

	if (f->believe && add_entry(f, to, CODE_ENTRY_POINT))
		set(f, to, entry);
}

static void follow_call(struct code_flow *f, const struct code_step *s)
{
	f->flags[s->at] |= CODE_CALLS;
	if (!s->state.lost)
		believe(f, code_step_target(f, s));
	if (f->calls_too)
		arrive(f, code_step_next(f, s), s->after);
}

/* Notes a comparison, which may be that of a switch; without memory fewer switches are found. */
static void note_compare(struct code_flow *f, const struct code_step *s)
{
	struct code_switches *w = &f->switches;

	if (f->flags[s->at] & CODE_COMPARES ||
	    !code_switch_may_begin(s->area->bytes + (s->at - s->area->first), s->insn.len) ||
	    !array_has_room(w->compares, w->nr_compares, w->compares_room))
		return;
	f->flags[s->at] |= CODE_COMPARES;
	w->compares[w->nr_compares++] = s->at;
}

/*
 * Code behind a table is proven by where it leads, like code after a call: if a compiler knows that
 * a case is impossible, its entry may be the end of the function, where another one begins.
 */
static void follow_jump(struct code_flow *f, const struct code_step *s)
{
	struct code_state after = s->after;
	const u32 *to;
	u32 nr;

	believe(f, tail_call(f, s));
	arrive(f, code_step_target(f, s), s->after);
	to = code_step_cases(f, s, &nr);
	after.called = 1;
	for (; nr--; to++)
		arrive(f, *to, after);
}

static void follow(struct code_flow *f, u32 at)
{
	struct code_step s;

	if (!code_flow_step(f, at, &s))
		return;
	f->takes |= s.stack.takes;
	/* without memory there are fewer hints */
	if (f->believe)
		code_flow_add_hint(f, x86_insn_address(s.area->bytes + (at - s.area->first),
						       &s.insn,
						       s.area->start + (at - s.area->first)));
	if (s.insn.kind == X86_CALL) {
		follow_call(f, &s);
		return;
	}
	if (f->believe)
		note_compare(f, &s);
	if (s.insn.kind == X86_JUMP)
		follow_jump(f, &s);
	arrive(f, code_step_next(f, &s), s.after);
	if (s.insn.kind == X86_BRANCH)
		arrive(f, code_step_target(f, &s), s.after);
}

static void settle(struct code_flow *f)
{
	u32 at;

	while (f->nr_queue) {
		at = f->queue[--f->nr_queue];
		f->flags[at] &= (u16)~CODE_QUEUED;
		follow(f, at);
	}
}

/* Lets the code after jumps be reached that were found to go through tables. */
static void queue_switches(struct code_flow *f)
{
	size_t i;
	u32 at;

	for (i = 0; i < f->switches.nr; i++) {
		at = f->switches.found[i].jump;
		if (f->flags[at] & CODE_VISITED)
			set(f, at, f->state[at]);
	}
}

/* Follows what is queued, and switches that are found on the way. Return: 0 or -ENOMEM. */
static int settle_with_switches(struct code_flow *f)
{
	int nr = 1;
	unsigned int i;

	settle(f);
	for (i = 0; i < CODE_MAX_NESTED && nr > 0; i++) {
		nr = code_switches_find(f);
		if (nr > 0)
			queue_switches(f);
		settle(f);
	}
	return nr < 0 ? nr : 0;
}

/* Finds entries: follows calls from the known entries, and from those found on the way. */
static int discover(struct code_flow *f)
{
	static const struct code_state entry = CODE_ENTRY;
	u32 at;

	f->believe = true;
	f->calls_too = true;
	for (at = 0; at < f->text->size; at++)
		if ((f->flags[at] & (CODE_ENTRY_POINT | CODE_VISITED)) == CODE_ENTRY_POINT ||
		    (f->flags[at] & CODE_ENTRY_POINT && f->state[at].lost))
			set(f, at, entry);
	return settle_with_switches(f);
}

/* Finds states: the certain ones first, which code after calls cannot change. */
static void find_states(struct code_flow *f)
{
	static const struct code_state entry = CODE_ENTRY;
	u32 at;

	f->believe = false;
	f->nr_queue = 0;
	for (at = 0; at < f->text->size; at++) {
		f->flags[at] &= CODE_ENTRY_POINT | CODE_FIRM | CODE_BOUNDARY | CODE_ALIVE |
				CODE_COMPARES | CODE_DOUBTFUL | CODE_HINTED;
		if (f->flags[at] & CODE_ENTRY_POINT)
			set(f, at, entry);
	}
	f->calls_too = false;
	settle(f);
	f->calls_too = true;
	for (at = 0; at < f->text->size; at++)
		if (f->flags[at] & CODE_CALLS)
			follow(f, at);
	settle(f);
}

static void reach(struct code_flow *f, u32 at)
{
	if (at == CODE_NOWHERE || !(f->flags[at] & CODE_PROVEN) ||
	    f->flags[at] & CODE_QUEUED)
		return;
	f->flags[at] |= CODE_QUEUED;
	f->queue[f->nr_queue++] = at;
}

/* Drops entries that no proven code leads to from firm ones. Return: how many. */
static u32 drop_entries(struct code_flow *f)
{
	struct code_step s;
	u32 at, i, nr = 0, nr_cases;
	const u32 *to;

	for (at = 0; at < f->text->size; at++)
		if (f->flags[at] & CODE_FIRM)
			reach(f, at);
	for (i = 0; i < f->nr_queue; i++) {
		if (!code_flow_step(f, f->queue[i], &s))
			continue;
		to = code_step_cases(f, &s, &nr_cases);
		for (; nr_cases--; to++)
			reach(f, *to);
		reach(f, code_step_next(f, &s));
		reach(f, code_step_target(f, &s));
		reach(f, tail_call(f, &s));
	}
	for (at = 0; at < f->text->size; at++)
		if ((f->flags[at] & (CODE_ENTRY_POINT | CODE_QUEUED)) == CODE_ENTRY_POINT) {
			f->flags[at] &= (u16)~(CODE_ENTRY_POINT | CODE_FIRM);
			nr++;
		}
	return nr;
}

/* Adds functions whose beginning can be seen: a prologue after padding. */
static void add_seen(struct code_flow *f)
{
	const struct code_area *a;
	u32 off;

	for (a = f->text->areas; a < f->text->areas + f->text->nr; a++)
		for (off = -(u32)a->start & 15; off < a->size; off += 16)
			if (code_text_begins(a, off))
				add_entry(f, a->first + off, CODE_ENTRY_POINT | CODE_FIRM);
}

/* Keeps CODE_RETURNS of entries for the next round. Return: number of new ones. */
static u32 keep_returns(struct code_flow *f)
{
	u32 at, nr = 0;

	for (at = 0; at < f->text->size; at++)
		if ((f->flags[at] & (CODE_ENTRY_POINT | CODE_RETURNS | CODE_ALIVE)) ==
		    (CODE_ENTRY_POINT | CODE_RETURNS)) {
			f->flags[at] |= CODE_ALIVE;
			nr++;
		}
	return nr;
}

int code_flow_run(struct code_flow *f)
{
	unsigned int i;
	u32 dropped = 1, found = 1;
	int err = 0;

	add_seen(f);
	for (i = 0; i < CODE_MAX_ROUNDS && (f->grown || !i) && !err; i++) {
		f->grown = false;
		err = discover(f);
		err = err ? err : code_flow_find_fates(f);
		err = err ? err : code_flow_find_dead(f);
		code_flow_look(f);
	}
	for (i = 0; i < CODE_MAX_ROUNDS && (dropped || found) && !err; i++) {
		err = code_flow_find_dead(f);
		find_states(f);
		code_flow_prove(f);
		dropped = drop_entries(f) + code_switches_check(f);
		found = keep_returns(f);
	}
	/* what is left was proven with the help of dropped entries, so nothing is proven */
	if (dropped || err)
		memset(f->flags, 0, f->text->size);
	return err;
}
