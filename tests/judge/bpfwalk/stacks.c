// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes up stacks. Each frame's rule finds a return address at the place where it looks, mostly
 * one of code that has a row, sometimes any number; other words are left from earlier cases.
 */
#include <stdlib.h>
#include <string.h>

#include "host/file/locate.h"
#include "test.h"

/* number of frames that a stack is made for */
#define MOST_FRAMES 200u

u64 random64(struct test *t)
{
	return (u64)rand_r(&t->seed) << 42 ^ (u64)rand_r(&t->seed) << 21 ^ (u64)rand_r(&t->seed);
}

u64 below(struct test *t, u64 n)
{
	return random64(t) % n;
}

static bool is_aarch64(void)
{
	return supply_native_arch()->id == USTACK_ARCH_AARCH64;
}

/*
 * Rows that strides do not handle are rare, so every fourth pc has one. Instructions are mostly aligned as
 * the architecture requires.
 */
static u64 random_pc(struct test *t)
{
	u64 align = below(t, 40) ? supply_native_arch()->insn_align : 1;

	if (t->nr_rare && !t->bare && below(t, 4) == 0)
		return t->rare[below(t, t->nr_rare)] & ~(align - 1);
	return (t->start + below(t, t->len)) & ~(align - 1);
}

/* A return address as a program stores it: on AArch64 some are signed, above the bits of an address. */
static u64 signed_ra(struct test *t, u64 ra)
{
	return is_aarch64() && below(t, 3) == 0 ? ra ^ random64(t) << 48 : ra;
}

/* A sample of all addresses with a row that is not plain. */
void find_rare(struct test *t)
{
	const struct ustack_rule *rule;
	u64 addr, seen = 0, at;
	u32 why;

	for (addr = t->start; addr < t->start + t->len; addr++) {
		rule = find_rule(t, addr, &why);
		if (!rule || ustack_rule_plain(rule).cfa)
			continue;
		at = seen < MOST_RARE ? seen : below(t, seen + 1);
		if (at < MOST_RARE)
			t->rare[at] = addr;
		seen++;
	}
	t->nr_rare = seen < MOST_RARE ? seen : MOST_RARE;
}

static void put(struct test *t, u64 addr, u64 word)
{
	u64 off = addr - (u64)t->stack;

	if (off <= STACK_BYTES - sizeof(word))
		memcpy(t->stack + off, &word, sizeof(word));
}

/* A return address for a frame: mostly one with a row, rarely none. */
static u64 random_ra(struct test *t)
{
	const struct ustack_rule *rule;
	u32 why;
	u64 pc;
	int i;

	switch (below(t, 60)) {
	case 0:
		return random64(t);
	case 1:
		return (u64)t->stack + below(t, STACK_BYTES);
	case 2:
		return below(t, 8192);
	default:
		for (i = 0; i < 20; i++) {
			pc = random_pc(t) + supply_native_arch()->insn_align;
			rule = find_rule(t, pc - 1, &why);
			/* after a call the return address is hardly in LR */
			if (rule && (!is_aarch64() || rule->ra != USTACK_OP_NONE || below(t, 20) == 0))
				break;
		}
		return pc;
	}
}

/* A number like those that programs keep in registers: it is an address of no memory. */
static u64 small_number(struct test *t)
{
	return 8 * below(t, 128);
}

/* Fits the stack to the rules of frame after frame, if they use SP or FP. */
static void make_stack(struct test *t)
{
	struct walk_case *c = t->c;
	u64 pc = c->pc, sp = c->sp, fp = c->fp, cfa, ra;
	u64 fp_at = 0, end = (u64)t->stack + STACK_BYTES;
	const struct ustack_rule *rule;
	bool exact = true;
	u32 i, why;

	for (i = 0; i < MOST_FRAMES && sp + 64 < end; i++, exact = false) {
		rule = find_rule(t, pc - !exact, &why);
		if (!rule || USTACK_OP_BASE(rule->cfa) == USTACK_OP_BASE_REG)
			return;
		if (USTACK_OP_BASE(rule->cfa) == USTACK_OP_FP) {
			/*
			 * the function's FP is the value that its callee saved: choose it now
			 */
			fp = (sp + 16 + 8 * below(t, 24)) & ~7ull;
			if (fp_at)
				put(t, fp_at, fp);
			else
				c->fp = c->regs[supply_native_arch()->fp_reg] = fp;
			cfa = fp;
		} else {
			cfa = sp;
		}
		cfa += (u64)(s64)rule->cfa_off;
		if (rule->cfa & USTACK_OP_DEREF) {
			u64 to = sp + 16 + 8 * below(t, 24);

			put(t, cfa, to);
			cfa = to;
		}
		ra = random_ra(t);
		put(t, cfa + (u64)(s64)rule->ra_off, signed_ra(t, ra));
		if (rule->ra == USTACK_OP_NONE) {
			if (i)
				return;
			c->lr = c->regs[30] = signed_ra(t, ra);
		}
		if (rule->fp != USTACK_OP_NONE)
			fp_at = cfa + (u64)(s64)rule->fp_off;
		pc = ra;
		sp = cfa;
	}
	/* sometimes the outermost frame is at the stack's start, with FP 0 */
	if (below(t, 4) == 0) {
		c->start_stack = sp + 8 * below(t, 6);
		if (fp_at)
			put(t, fp_at, below(t, 4) ? 0 : small_number(t));
	}
}

void make_case(struct test *t)
{
	struct walk_case *c = t->c;
	u64 i, words = STACK_BYTES / 8, *stack = (u64 *)t->stack;

	/* words of earlier cases stay, as on real stacks */
	for (i = 0; i < 32; i++)
		stack[below(t, words)] = below(t, 2) ? random_pc(t) :
					 below(t, 2) ? random64(t) : small_number(t);
	memset(c, 0, offsetof(struct walk_case, pcs));
	c->pc = below(t, 20) ? random_pc(t) : random64(t);
	c->sp = ((u64)t->stack + below(t, STACK_BYTES)) & (below(t, 20) ? ~7ull : ~0ull);
	c->fp = (u64)t->stack + (below(t, STACK_BYTES) & ~7ull);
	c->lr = random_pc(t);
	for (i = 0; i < CASE_REGS; i++)
		c->regs[i] = below(t, 2) ? (u64)t->stack + 8 * below(t, words) :
			     below(t, 4) ? random64(t) : small_number(t);
	c->regs[supply_native_arch()->sp_reg] = c->sp;
	c->regs[supply_native_arch()->fp_reg] = c->fp;
	c->max = below(t, 10) ? WIRE_FRAMES : 1 + (u32)below(t, 40);
	make_stack(t);
	if (below(t, 20) == 0)
		c->fp = c->regs[supply_native_arch()->fp_reg] = small_number(t);
}

/* ---- without rows: frame records, and calls that the code really has ---- */

static int by_target(const void *a, const void *b)
{
	const struct call_site *x = a, *y = b;

	return x->target < y->target ? -1 : x->target > y->target;
}

/* Whether the bytes at @off look like a call (e8, bl) to an address in the text. */
static bool call_at(const struct test *t, u64 off, u64 *target, u64 *ra)
{
	const u8 *p = t->text + off;
	s64 rel;

	if (is_aarch64()) {
		u32 insn = ustack_le32(p);

		if (off & 3 || insn >> 26 != 0x25)
			return false;
		rel = (s64)((u64)insn << 38) >> 36;
		*ra = t->start + off + 4;
		*target = t->start + off + (u64)rel;
	} else {
		if (p[0] != 0xe8)
			return false;
		*ra = t->start + off + 5;
		*target = *ra + (u64)(s64)(s32)ustack_le32(p + 1);
	}
	return *target - t->start < t->len;
}

/* AArch64's PLT stubs: the addresses of their last instruction, br x17. */
static void find_stubs(struct test *t)
{
	u64 off;

	for (off = 0; is_aarch64() && off + 4 <= t->len && t->nr_rare < MOST_RARE; off += 4)
		if (ustack_le32(t->text + off) == 0xd61f0220)
			t->rare[t->nr_rare++] = t->start + off;
}

void find_calls(struct test *t)
{
	u64 off, target, ra;

	t->nr_calls = 0;
	for (off = 0; off + 8 < t->len && t->nr_calls < MOST_CALLS; off++)
		if (call_at(t, off, &target, &ra))
			t->calls[t->nr_calls++] = (struct call_site){ target, ra };
	qsort(t->calls, t->nr_calls, sizeof(t->calls[0]), by_target);
	if (t->bare)
		find_stubs(t);
}

/* A call of the function that @pc may be in. */
static const struct call_site *caller_of(struct test *t, u64 pc)
{
	u64 lo = 0, hi = t->nr_calls, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (t->calls[mid].target <= pc)
			lo = mid;
		else
			hi = mid;
	}
	/* one of the calls of that function, or of functions before it */
	return &t->calls[lo - below(t, lo < 4 ? lo + 1 : 4)];
}

void make_bare_case(struct test *t)
{
	struct walk_case *c = t->c;
	u64 i, end = (u64)t->stack + STACK_BYTES, fp, next, pc, sp, fill;
	u64 align = supply_native_arch()->insn_align;
	const struct call_site *call;

	make_case(t);
	c->pc = t->calls[below(t, t->nr_calls)].target + below(t, 200) / align * align;
	c->sp &= ~7ull;
	sp = c->sp;
	pc = c->pc;
	fp = sp + 8 * below(t, 12);
	c->fp = c->regs[supply_native_arch()->fp_reg] = fp;
	for (i = 0; i < MOST_FRAMES && fp + 16 < end; i++) {
		u64 ra = below(t, 50) ? caller_of(t, pc)->ra : random_ra(t);

		/* locals, hardly ever another return address */
		for (fill = sp; fill < fp; fill += 8)
			put(t, fill, below(t, 200) ? below(t, 4096) : random_ra(t));
		next = below(t, 40) ? fp + 16 + 8 * below(t, 30) : below(t, 2) ? 0 : random64(t);
		put(t, fp, next);
		put(t, fp + 8, below(t, 60) ? signed_ra(t, ra) : 0);
		/* a call that this function makes: the pc of the next frame */
		pc = ra;
		sp = fp + 16;
		if (next < sp || next >= end)
			break;
		fp = next;
	}
	if (below(t, 4) == 0)
		c->start_stack = sp + 8 * below(t, 6);
	/* only the call itself has stored the return address: on the stack, or in LR */
	if (below(t, 4) == 0) {
		call = caller_of(t, c->pc);
		put(t, c->sp, call->ra);
		c->lr = c->regs[30] = signed_ra(t, call->ra);
		c->pc = call->target + below(t, 6) * align;
	}
	/* in a stub, whose return address is in LR, whatever that is */
	if (t->bare && t->nr_rare && below(t, 8) == 0) {
		c->pc = t->rare[below(t, t->nr_rare)] - below(t, 3) * align;
		if (below(t, 2))
			c->lr = c->regs[30] = (u64)t->stack + below(t, STACK_BYTES);
	}
}
