// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps without a table, with any registers and any memory: reads are bounded,
 * and each step goes up, or to the stack that the code after the call says, or
 * back to where a search began.
 */
#include "fuzz.h"

#define BASE 0x10000ull

/*
 * Most reads of a step, except for words of the frame that it scans, which the
 * core counts, and the code before the pc of a leaf function: one look at each
 * of signal trampoline, stub, record, chain of records and functions of Go.
 */
#define FIXED_READS 44
#define LEAF_READS (USTACK_MAX_LEAF_INSNS / 2)	/* for AArch64 */
/* the word, and the code that may be a call before it */
#define READS_PER_WORD 6

struct process {
	struct ustack_mem mem;
	u8 *bytes;
	u64 len;
	unsigned int reads;
	u32 scanned;	/* words scanned before this step */
	unsigned int leaf_reads;
	u64 fs_base;
	u64 pc;		/* pc of this step */
	bool sampled;	/* the frame of this step is the sampled one */
	bool in_call;	/* registers look like those of a system call */
};

static bool read_u64(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	struct process *p = (struct process *)mem;

	must(++p->reads <= FIXED_READS + p->leaf_reads +
	     READS_PER_WORD * (mem->scanned - p->scanned));
	if (addr < BASE || addr - BASE > p->len || p->len - (addr - BASE) < 8)
		return false;
	memcpy(ret, p->bytes + (addr - BASE), 8);
	return true;
}

static bool read_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	struct process *p = (struct process *)mem;

	/*
	 * A rule without a table uses only SP. But the core also looks at the
	 * register that the call of a signal trampoline leaves: rcx or x8; and,
	 * for Go, at fs.base, of any frame.
	 */
	if (reg == USTACK_FS_BASE) {
		*ret = p->fs_base;
		return true;
	}
	must(p->sampled && (reg == 2 || reg == 8));
	*ret = !p->in_call ? 0 : reg == 2 ? p->pc : 139;
	return true;
}

static bool left_stack(struct process *p, const struct ustack_arch *arch,
		       const struct ustack_state *from, const struct ustack_state *s)
{
	u64 sp;

	p->reads = 0;
	return !from->exact && arch->left_stack && arch->left_stack(&p->mem, from, &sp) &&
	       s->sp == sp + 8;
}

static void walk(struct process *p, const struct ustack_arch *arch,
		 struct ustack_state s)
{
	enum ustack_reason reason;
	struct ustack_state from;
	unsigned int i, frames = 0;
	u32 guessed;

	p->leaf_reads = arch->leaf ? LEAF_READS : 0;
	for (i = 0; i < 64; i++) {
		from = s;
		p->reads = 0;
		p->scanned = p->mem.scanned;
		guessed = p->mem.guessed;
		p->pc = s.pc;
		p->sampled = s.regs_in == USTACK_REGS_SAMPLE;
		p->mem.frames = ++frames;
		reason = ustack_step_blind(arch, &s, &p->mem);
		/* of a record's frame, and of the stack in a search */
		must(p->mem.scanned - p->scanned <= 2 * USTACK_MAX_FP_FRAME / 8);
		must(p->mem.guessed - guessed <= p->mem.may_guess);
		if (reason) {
			must(!memcmp(&s, &from, sizeof(s)));
			if (!ustack_step_back(&s, &p->mem))
				return;
			must(p->mem.may_search && p->mem.may_guess && p->mem.search.frames < frames);
			frames = p->mem.search.frames - 1;
			continue;
		}
		must(s.pc >= 4096 && s.pc < p->mem.user_end);
		must(s.exact || s.sp > from.sp || (s.sp == from.sp && from.exact) ||
		     left_stack(p, arch, &from, &s));
		must(s.exact == (s.regs_in == USTACK_REGS_SIGCONTEXT));
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	u8 flags = (u8)take(&in, 1);
	struct ustack_state s = {
		.exact = flags & 1,
		.regs_in = flags & 2 ? USTACK_REGS_SAMPLE : USTACK_REGS_UNKNOWN,
		.pc = BASE + take(&in, 2),
		.sp = BASE + take(&in, 2),
		.fp = flags & 4 ? take(&in, 8) : BASE + take(&in, 2),
		.lr = BASE + take(&in, 2),
	};
	struct process p = {
		.mem = {
			.read_u64 = read_u64,
			.read_reg = read_reg,
			.ra_mask = flags & 8 ? ~0ull : (1ull << 48) - 1,
			.user_end = 0x7ffffffff000ull,
			.may_guess = flags & 64,
			.may_search = flags & 128,
		},
		.in_call = flags & 32,
		.fs_base = s.lr,
		.len = in.left,
		.bytes = malloc(in.left + !in.left),
	};

	memcpy(p.bytes, in.p, in.left);
	walk(&p, flags & 16 ? &ustack_arch_aarch64 : &ustack_arch_x86_64, s);
	free(p.bytes);
	return 0;
}
