// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's frame-pointer walk over a copied stack (fp_walk.h). */
#include <elf.h>
#include <string.h>

#include "fp_walk.h"

/* nothing is mapped below vm.mmap_min_addr */
#define LOWEST 65536ull

enum got { READ, FAULT, NOT_COPIED };

struct stack {
	uint64_t sp;
	const uint8_t *bytes;
	size_t len;
	uint64_t end;		/* end of user addresses */
};

static enum got get_record(const struct stack *s, uint64_t at, uint64_t ret[2])
{
	if (at < LOWEST || at >= s->end)
		return FAULT;
	if (at < s->sp || at - s->sp > s->len || s->len - (at - s->sp) < 16)
		return NOT_COPIED;
	memcpy(ret, s->bytes + (at - s->sp), 16);
	return READ;
}

static enum got x86_record(const struct stack *s, uint64_t *fp, uint64_t *ret_pc)
{
	uint64_t record[2];
	enum got got = get_record(s, *fp, record);

	if (got == READ) {
		*fp = record[0];
		*ret_pc = record[1];
	}
	return got;
}

static uint64_t arm64_unsigned(uint64_t pc, uint64_t user_end)
{
	return pc >> 55 & 1 ? pc | ~(user_end - 1) : pc & ~(0x7full << 48);
}

static enum got arm64_record(const struct stack *s, uint64_t *fp, uint64_t *ret_pc)
{
	uint64_t record[2];
	enum got got;

	if (!*fp || *fp % 8)
		return FAULT;
	got = get_record(s, *fp, record);
	if (got != READ)
		return got;
	*ret_pc = arm64_unsigned(record[1], s->end);
	/* if the next record is not above this one, its address is added and the walk ends */
	*fp = *fp < record[0] ? record[0] : 0;
	return READ;
}

void fp_walk(const struct arch *arch, const struct regs *regs, const uint8_t *stack,
	     size_t stack_len, unsigned int most, struct fp_chain *ret)
{
	bool x86 = arch->machine == EM_X86_64;
	struct stack s = { regs->sp, stack, stack_len, arch->user_end };
	uint64_t fp = regs->dwarf[arch->fp];
	enum got got = READ;

	if (most > DW_MAX_FRAMES)
		most = DW_MAX_FRAMES;
	ret->count = 0;
	ret->left_copy = false;
	if (most)
		ret->pcs[ret->count++] = regs->pc;
	while (got == READ && ret->count < most) {
		got = x86 ? x86_record(&s, &fp, &ret->pcs[ret->count]) :
			    arm64_record(&s, &fp, &ret->pcs[ret->count]);
		ret->count += got == READ;
		ret->left_copy = got == NOT_COPIED;
	}
}
