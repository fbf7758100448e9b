/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's loop over the core, in user space: space, lookup and step, with every check that
 * the kernel makes. It is included once for each way to call the reader: BENCH_WALK is the
 * function to define, BENCH_STEP the step to use, and with BENCH_STRIDE strides come first.
 */
#include "space.h"
#include "methods.h"

#ifndef BENCH_READ_CLAMP
#define BENCH_READ_CLAMP(addr, end) (addr)
#endif

struct walk_mem {
	struct ustack_mem mem;
	u64 lo;
	u64 span;	/* number of bytes from lo at which 8 bytes may be read */
};

static inline bool read_stack(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	const struct walk_mem *w = (const struct walk_mem *)mem;

	if (unlikely(addr - w->lo > w->span))
		return false;
	addr = BENCH_READ_CLAMP(addr, mem->user_end - 7);
	*ret = *(const volatile u64 *)addr;
	return true;
}

static bool no_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	return false;
}

struct store {
	u64 *next;
	u64 *end;
};

static inline bool store_pc(void *to, u64 pc)
{
	struct store *st = to;

	if (unlikely(st->next == st->end))
		return false;
	*st->next++ = pc;
	return true;
}

static inline const struct ustack_rule *
find_rule(const struct bench_map *map, u64 pc)
{
	if (unlikely(!map->window.table))
		return NULL;
	return ustack_lookup(map->window.table,
			     pc - map->window.start + map->window.rel);
}

noinline unsigned int BENCH_WALK(const struct bench_regs *regs, u64 *pcs,
				 unsigned int max)
{
	const struct ustack_arch *arch = &ustack_arch_x86_64;
	struct ustack_state s = {
		.pc = regs->pc,
		.sp = regs->sp,
		.fp = regs->fp,
		.regs_in = USTACK_REGS_SAMPLE,
		.scratch_in = USTACK_REGS_SAMPLE,
		.exact = true,
	};
	/* The walk does not read the stack below SP. */
	struct walk_mem w = {
		.mem = {
			.read_u64 = read_stack,
			.read_reg = no_reg,
			.ra_mask = ~0ull,
			.user_end = 0x7ffffffff000ull,
		},
		.lo = s.sp,
		.span = bench_space.stack_hi - s.sp - 8,
	};
	const struct bench_map *map = &bench_space.maps[0];
	struct store to = { .next = pcs, .end = pcs + max };
	const struct ustack_rule *rule;
	enum ustack_reason reason;

	while (store_pc(&to, s.pc)) {
#ifdef BENCH_STRIDE
		map = bench_space_find(&bench_space, map, ustack_state_key(&s));
		if (map && map->window.table)
			ustack_stride(&map->window, &s, &w.mem, read_stack,
				      store_pc, &to);
		if (to.next == to.end)
			break;
#endif
		map = bench_space_find(&bench_space, map, ustack_state_key(&s));
		if (!map)
			break;
		rule = find_rule(map, ustack_state_key(&s));
		if (likely(rule))
			reason = BENCH_STEP(arch, rule, &s, &w.mem);
		else
			reason = ustack_step_blind(arch, &s, &w.mem);
		if (unlikely(reason))
			break;
	}
	return (unsigned int)(to.next - pcs);
}
