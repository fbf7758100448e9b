// SPDX-License-Identifier: GPL-2.0-only
/* Makes up a process and a frame from a seed, and reads their memory (process.h). */
#include "process.h"

#include <stddef.h>

#define STACK 0x100000000000ull
/* The base of the addresses that words of memory contain: 16 TiB above any stack. */
#define WORDS 0x200000000000ull
#define WORDS_MASK 0xfffffffffffull
#define SIGNAL_FRAME 0x700000000000ull
#define SIGNAL_FRAME_BYTES 1024u

/*
 * struct rt_sigframe of both architectures, from SP at the trampoline on, as in the kernel's
 * headers.
 */
struct stack_t64 {
	u64 sp, flags, size;
};

struct amd64_frame {
	u64 uc_flags, uc_link;
	struct stack_t64 uc_stack;
	u64 r8, r9, r10, r11, r12, r13, r14, r15;
	u64 di, si, bp, bx, dx, ax, cx, sp, ip;
};

struct aarch64_frame {
	u8 siginfo[128];
	u64 uc_flags, uc_link;
	struct stack_t64 uc_stack;
	u8 uc_sigmask[128];
	u64 fault_address __attribute__((__aligned__(16)));
	u64 regs[31];
	u64 sp, pc;
};

#define AT(reg) offsetof(struct amd64_frame, reg)
static const u16 amd64_at[] = {
	AT(ax), AT(dx), AT(cx), AT(bx), AT(si), AT(di), AT(bp), AT(sp), AT(r8),
	AT(r9), AT(r10), AT(r11), AT(r12), AT(r13), AT(r14), AT(r15), AT(ip),
};

u64 process_mix(u64 z)
{
	/* the generator splitmix64 */
	z += 0x9e3779b97f4a7c15ull;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static bool is_arm(const struct process *p)
{
	return !p->arch->ra_fixed;
}

static u64 word(const struct process *p, u64 addr)
{
	u64 h = process_mix(p->seed ^ process_mix(addr));
	u64 v = WORDS + (h & WORDS_MASK);

	if (p->seed & 7)
		v &= ~7ull;
	if (is_arm(p) && p->seed & 8)
		v |= process_mix(h) << 48;
	return v;
}

/* A word that overlaps an end of the text has the file's bytes as far as they reach. */
static bool read_text(const struct process *p, u64 addr, u64 *ret)
{
	u64 at = addr - PROCESS_BIAS;
	const struct process_text *t;
	unsigned int i;

	for (i = 0; i < p->nr_text; i++) {
		t = &p->text[i];
		if (at < t->start || at >= t->end)
			continue;
		*ret = 0;
		memcpy(ret, t->bytes + (at - t->start),
		       t->end - at < 8 ? t->end - at : 8);
		return true;
	}
	return false;
}

static u64 saved(const struct process *p, u64 off)
{
	unsigned int i;

	if (is_arm(p)) {
		off -= offsetof(struct aarch64_frame, regs);
		return off & 7 || off > 8 * 31 ? 0 : p->regs[off / 8];
	}
	for (i = 0; i <= 16; i++)
		if (amd64_at[i] == off)
			return p->regs[i];
	return 0;
}

bool process_read(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	const struct process *p =
		(const void *)((char *)mem - offsetof(struct process, mem));

	if (addr - SIGNAL_FRAME < SIGNAL_FRAME_BYTES)
		*ret = saved(p, addr - SIGNAL_FRAME);
	else if (!read_text(p, addr, ret))
		*ret = word(p, addr);
	return true;
}

static bool read_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	const struct process *p =
		(const void *)((char *)mem - offsetof(struct process, mem));

	if (reg > p->arch->max_reg)
		return false;
	*ret = p->regs[reg];
	return true;
}

static void make_regs(struct process *p)
{
	u64 sp = STACK + (process_mix(p->seed + 1) & 0xfffff) * (is_arm(p) ? 16 : 8);
	unsigned int i;

	for (i = 0; i < PROCESS_REGS; i++)
		p->regs[i] = sp + 0x100000 +
			     8 * (process_mix(p->seed + 100 + i) & 0xffffff);
	p->regs[p->arch->sp_reg] = sp;
	p->regs[p->arch->fp_reg] = sp + 0x10000 +
				   8 * (process_mix(p->seed + 2) & 0xffff);
	if (is_arm(p))
		p->regs[30] = word(p, 30);
	else
		p->regs[16] = PROCESS_BIAS + p->pc;
}

void process_frame_at(struct process *p, enum process_frame frame, u64 pc, u64 seed)
{
	struct ustack_state *s = &p->state;

	p->mem = (struct ustack_mem){
		.read_u64 = process_read,
		.read_reg = read_reg,
		.ra_mask = is_arm(p) ? (1ull << 48) - 1 : ~0ull,
		.user_end = is_arm(p) ? 1ull << 48 : (1ull << 47) - 4096,
	};
	p->frame = frame;
	p->saved = 0;
	p->pc = pc;
	p->seed = process_mix(seed ^ process_mix(pc));
	make_regs(p);
	*s = (struct ustack_state){
		.pc = PROCESS_BIAS + pc,
		.sp = p->regs[p->arch->sp_reg],
		.fp = p->regs[p->arch->fp_reg],
		.exact = true,
		.regs_in = USTACK_REGS_SAMPLE,
	};
	if (is_arm(p))
		s->lr = p->regs[30];
	if (frame == FRAME_INTERRUPTED) {
		s->regs_in = USTACK_REGS_SIGCONTEXT;
		s->sigcontext = SIGNAL_FRAME;
	} else if (frame == FRAME_CALLER) {
		/* a return address is looked up minus one */
		s->pc++;
		s->exact = false;
		s->regs_in = USTACK_REGS_UNKNOWN;
		s->lr = 0;
		/* its callee may have saved FP, and no step has read it yet */
		if (p->seed & 16) {
			s->fp_at = s->sp - 16;
			s->fp = 0;
			p->regs[p->arch->fp_reg] = word(p, s->fp_at);
		}
	}
}

void process_save(struct process *p, unsigned int reg, s64 slot)
{
	p->regs[reg] = word(p, p->regs[p->arch->sp_reg] + (u64)slot);
	p->saved |= 1ull << reg;
}

const char *process_frame_name(enum process_frame frame)
{
	static const char *const names[] = {
		"sampled frame", "caller's frame", "interrupted frame",
	};

	return names[frame];
}
