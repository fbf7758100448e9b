// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recognises the beginning of a function by the registers that it saves. A function must keep RBX,
 * RBP and R12 to R15. Compilers push those that they need in a fixed order, and make room for local
 * variables after it: only the first instructions of a function do both. Registers that are pushed as
 * arguments have a call after them and not a subtraction from SP.
 */
#include "sframe/synth_code_saves.h"

#include "sframe/x86_parts.h"
#include "sframe/x86_regs.h"
#include "sframe/x86_stack.h"

/* Most instructions to read: compilers mix a few others with the pushes. */
#define MOST 32u
/* Least registers to be pushed. */
#define LEAST 3u

/* Number of registers that a function must keep. */
#define KEPT 6u

/*
 * The orders in which gcc and clang push them, and the macros of x86inc.asm (x264, x265, dav1d,
 * FFmpeg).
 */
static const u8 orders[][KEPT] = {
	{ 15, 14, 13, 12, 5, 3 },
	{ 5, 15, 14, 13, 12, 3 },
	{ 3, 5, 14, 15, 12, 13 },
};

/* The mask of these registers and SP. */
#define MUST_KEEP 0xf038u

/**
 * struct saves - what a function's first instructions have done
 * @order: the order in which registers must be pushed
 * @next: number in @order of the first register that may still be pushed
 * @nr: number of registers in @mask
 * @mask: registers that were pushed, a bit for each
 */
struct saves {
	const u8 *order;
	u32 next;
	u32 nr;
	u32 mask;
};

/* The register that a push pushes; X86_NO_REG if it is no register. */
static unsigned int pushed(const u8 *code, const struct x86_insn *insn)
{
	struct x86_parts p;

	x86_parts_read(code, insn, &p);
	return p.map == X86_MAP_ONE && (p.op & 0xf8) == 0x50 ? (p.op & 7u) | p.b : X86_NO_REG;
}

/* Return: whether @reg may be pushed now. */
static bool save(struct saves *s, unsigned int reg)
{
	while (s->next < KEPT && s->order[s->next] != reg)
		s->next++;
	if (s->next == KEPT)
		return false;
	s->mask |= 1u << s->order[s->next++];
	s->nr++;
	return true;
}

/* Whether the instruction changes no register that must be kept and was not saved. */
static bool keeps(const struct saves *s, const u8 *code, const struct x86_insn *insn, u64 pc)
{
	struct x86_regs r;

	x86_regs_read(code, insn, pc, &r);
	return r.action != X86_UNKNOWN && !(r.writes & MUST_KEEP & ~s->mask);
}

static bool saves_in_order(const struct code_area *a, u32 off, const u8 *order)
{
	struct saves s = { .order = order };
	struct x86_insn insn;
	struct x86_stack x;
	const u8 *code;
	u32 i;

	for (i = 0; i < MOST && code_text_insn(a, a->first + off, &insn); i++, off += insn.len) {
		code = a->bytes + off;
		x86_stack_read(code, &insn, &x);
		if (insn.kind != X86_OTHER)
			return false;
		if (x.effect == X86_ADD_SP)
			return x.off < 0 && s.nr >= LEAST;
		if (x.effect == X86_PUSH || x.effect == X86_PUSH_FP) {
			if (!save(&s, pushed(code, &insn)))
				return false;
		} else if (!keeps(&s, code, &insn, a->start + off)) {
			return false;
		}
	}
	return false;
}

bool code_saves_registers(const struct code_area *a, u32 off)
{
	unsigned int i;

	for (i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (saves_in_order(a, off, orders[i]))
			return true;
	return false;
}
