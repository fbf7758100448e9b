// SPDX-License-Identifier: GPL-2.0-only
/* One step by compact unwinding: finds the rule and applies it. walk.c calls it. */
#include "darwin/unwind_step.h"

#include <errno.h>
#include <inttypes.h>

#include "util/poison.h"

unsigned int unwind_frame_reg(enum unwind_arch arch)
{
	switch (arch) {
	case UNWIND_X86:
		return 5;
	case UNWIND_X86_64:
		return 6;
	case UNWIND_ARM64:
		return 29;
	}
	return 0;
}

uint64_t unwind_word(enum unwind_arch arch)
{
	return arch == UNWIND_X86 ? 4 : 8;
}

static uint64_t word_of(const struct unwind_image *image)
{
	return unwind_word(image->arch);
}

bool unwind_is_kept(enum unwind_arch arch, unsigned int reg)
{
	switch (arch) {
	case UNWIND_X86:	/* ebx, ebp, esi, edi */
		return reg == 3 || (reg >= 5 && reg <= 7);
	case UNWIND_X86_64:	/* rbx, rbp, r12 to r15 */
		return reg == 3 || reg == 6 || (reg >= 12 && reg <= 15);
	case UNWIND_ARM64:	/* x19 to x29, d8 to d15 */
		return (reg >= 19 && reg <= 29) || (reg >= 72 && reg <= 79);
	}
	return false;
}

static int no_stack(const struct unwind_image *image, uint64_t addr, struct diag *diag)
{
	return diag_set(diag, EFAULT, image->path, "the stack has no word at 0x%" PRIx64, addr);
}

static int read_word(const struct unwind_image *image, uint64_t addr, uint64_t *ret,
		     struct diag *diag)
{
	return image->word(image->arg, addr, ret) ? 0 : no_stack(image, addr, diag);
}

/* Reads the size of a frame from the code. */
static int indirect_size(const struct unwind_image *image, const struct unwind_entry *e,
			 const struct unwind_rule *r, uint64_t *ret, struct diag *diag)
{
	uint32_t imm;

	if (!image->code || UINT32_MAX - e->start < r->code ||
	    !image->code(image->arg, e->start + r->code, &imm))
		return diag_set(diag, EFAULT, image->path,
				"the size of a frame is in code that is not there");
	*ret = (uint64_t)imm + r->adjust;
	if (*ret % word_of(image) || *ret < (r->nr_saved + 1) * word_of(image))
		return diag_set(diag, EBADMSG, image->path,
				"no frame has the size that the code has");
	return 0;
}

static int find_cfa(const struct unwind_image *image, const struct unwind_entry *e,
		    const struct unwind_rule *r, const struct unwind_regs *regs, uint64_t *ret,
		    struct diag *diag)
{
	unsigned int fp = unwind_frame_reg(image->arch);
	uint64_t from = regs->sp, size = r->size;
	int err;

	if (r->kind == UNWIND_FRAME) {
		if (!regs->known[fp])
			return diag_set(diag, ENODATA, image->path,
					"the frame pointer is not known");
		from = regs->reg[fp];
		size = 2 * word_of(image);
	}
	if (r->kind == UNWIND_INDIRECT) {
		err = indirect_size(image, e, r, &size, diag);
		if (err)
			return err;
	}
	/* only a leaf without a frame may have its CFA at SP: then lr has the return address */
	if (__builtin_add_overflow(from, size, ret) || *ret < regs->sp ||
	    (*ret == regs->sp && r->kind != UNWIND_FRAMELESS) ||
	    (image->arch == UNWIND_X86 && *ret > UINT32_MAX))
		return diag_set(diag, EBADMSG, image->path, "the stack does not go up");
	return 0;
}

static uint64_t slot(const struct unwind_image *image, uint64_t cfa, int off)
{
	cfa += (uint64_t)(int64_t)off;
	return image->arch == UNWIND_X86 ? (uint32_t)cfa : cfa;
}

/* Fills @next, the caller's registers, except for the return address. */
static int restore(const struct unwind_image *image, const struct unwind_rule *r, uint64_t cfa,
		   struct unwind_regs *next, struct diag *diag)
{
	unsigned int fp = unwind_frame_reg(image->arch), i, reg;
	int err = 0;

	next->sp = cfa;
	for (i = 0; i < UNWIND_NR_REGS; i++)
		next->known[i] &= unwind_is_kept(image->arch, i);
	if (r->kind == UNWIND_FRAME)
		err = read_word(image, cfa - 2 * word_of(image), &next->reg[fp], diag);
	for (i = 0; !err && i < r->nr_saved; i++) {
		reg = r->saved[i].reg;
		next->known[reg] = image->word(image->arg, slot(image, cfa, r->saved[i].off),
					       &next->reg[reg]);
	}
	if (!r->unsure)
		return err;
	for (i = 0; i < UNWIND_NR_REGS; i++)
		next->known[i] &= i == fp;
	return err;
}

static const struct unwind_saved *saved_lr(const struct unwind_rule *r)
{
	unsigned int i;

	for (i = 0; i < r->nr_saved; i++)
		if (r->saved[i].reg == UNWIND_LR)
			return &r->saved[i];
	return NULL;
}

static int return_address(const struct unwind_image *image, const struct unwind_rule *r,
			  const struct unwind_regs *regs, struct unwind_regs *next,
			  struct diag *diag)
{
	const struct unwind_saved *lr = saved_lr(r);
	int err = 0;

	if (r->kind != UNWIND_FRAMELESS)
		err = read_word(image, next->sp - word_of(image), &next->pc, diag);
	else if (lr)
		err = read_word(image, slot(image, next->sp, lr->off), &next->pc, diag);
	else if (unwind_lr_counts(regs))
		next->pc = regs->lr;
	else
		err = diag_set(diag, ENODATA, image->path, "the link register is not known");
	if (image->arch == UNWIND_ARM64 && image->strip)
		next->pc &= image->strip;
	next->has_lr = false;
	next->inner = false;
	return err;
}

/* The rule before the first instruction, whatever the function does later. */
static struct unwind_rule at_start(const struct unwind_image *image)
{
	struct unwind_rule r = { .kind = UNWIND_IMMEDIATE, .size = (uint32_t)word_of(image) };

	if (image->arch == UNWIND_ARM64)
		r = (struct unwind_rule){ .kind = UNWIND_FRAMELESS };
	return r;
}

int unwind_find(const struct unwind_image *image, const struct unwind_regs *regs,
		struct unwind_entry *e, struct unwind_rule *ret, struct diag *diag)
{
	uint64_t off = regs->pc - image->base - !regs->inner;
	int found = 0;

	if (off <= UINT32_MAX)
		found = unwind_info_find(image->u, (uint32_t)off, e, diag);
	if (found < 0)
		return found;
	if (!found)
		return diag_set(diag, ENOENT, image->path, "no entry covers 0x%" PRIx64,
				regs->pc);
	if (regs->inner && off == e->start) {
		*ret = at_start(image);
		return 0;
	}
	found = unwind_decode(image->arch, e->encoding, ret, diag);
	if (found)
		return found;
	if (ret->kind == UNWIND_NONE)
		return diag_set(diag, ENOENT, image->path, "the encoding is 0 at 0x%" PRIx64,
				regs->pc);
	if (ret->kind == UNWIND_DWARF)
		return diag_set(diag, EOPNOTSUPP, image->path,
				"only __eh_frame covers 0x%" PRIx64, regs->pc);
	return 0;
}

int unwind_apply(const struct unwind_image *image, const struct unwind_entry *e,
		 const struct unwind_rule *r, struct unwind_regs *regs, struct diag *diag)
{
	struct unwind_regs next = *regs;
	uint64_t cfa = 0;
	int err;

	err = find_cfa(image, e, r, regs, &cfa, diag);
	if (!err)
		err = restore(image, r, cfa, &next, diag);
	if (!err)
		err = return_address(image, r, regs, &next, diag);
	if (err)
		return err;
	if (!next.pc)
		return 0;
	*regs = next;
	return 1;
}

int unwind_step(const struct unwind_image *image, struct unwind_regs *regs, struct diag *diag)
{
	struct unwind_entry e = { 0 };
	struct unwind_rule r = { 0 };
	int err = unwind_find(image, regs, &e, &r, diag);

	return err ? err : unwind_apply(image, &e, &r, regs, diag);
}
