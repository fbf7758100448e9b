// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps by rows of CFI (sframe/cfi.h) for captured registers. The CFI reader returns one
 * register's column at a time, so it is asked once for each register. walk.c calls it.
 */
#include "darwin/eh_frame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "darwin/eh_expr.h"
#include "sframe/cfi.h"

#define X86_64_SP 7u
#define ARM64_SP 31u
#define ARM64_LR 30u
/* On x86 Darwin swaps the two numbers in __eh_frame; everywhere else it does not. */
#define EH_X86_FP 4u
#define EH_X86_SP 5u
#define X86_FP 5u

/* The core has no 32-bit x86; the CFI reader only needs these fields. */
static const struct ustack_arch x86 = {
	.name = "i386", .sp_reg = EH_X86_SP, .fp_reg = EH_X86_FP, .max_reg = 8, .insn_align = 1,
};

/**
 * struct eh_frame - see eh_frame.h
 * @path: path of the file, for messages
 * @arch: architecture of the file
 * @base: address of the Mach-O header, as linked
 * @core: the same architecture for the CFI reader
 * @cfi: the CFI reader
 */
struct eh_frame {
	const char *path;
	enum unwind_arch arch;
	uint64_t base;
	const struct ustack_arch *core;
	struct cfi *cfi;
};

/**
 * struct step - a step that is being made
 * @eh: the section
 * @image: the process
 * @regs: registers of the frame
 * @pc: address of the frame, as linked
 * @fde: FDE of @pc
 * @cfa: CFA of the frame, set by find_cfa()
 * @diag: receives errors
 */
struct step {
	struct eh_frame *eh;
	const struct unwind_image *image;
	const struct unwind_regs *regs;
	uint64_t pc;
	struct cfi_fde fde;
	uint64_t cfa;
	struct diag *diag;
};

static const struct ustack_arch *core_arch(enum unwind_arch arch)
{
	switch (arch) {
	case UNWIND_X86:
		return &x86;
	case UNWIND_X86_64:
		return &ustack_arch_x86_64;
	case UNWIND_ARM64:
		return &ustack_arch_aarch64;
	}
	return NULL;
}

int eh_frame_new(const struct macho_image *image, struct eh_frame **ret, struct diag *diag)
{
	const struct cfi_raw raw = {
		.bytes = image->eh, .len = (size_t)image->eh_len, .vaddr = image->eh_addr,
		.narrow = image->arch == UNWIND_X86,
	};
	struct eh_frame *eh;
	int err;

	if (!image->eh || !image->eh_len)
		return diag_set(diag, ENOENT, image->m.path, "no __eh_frame");
	if (image->eh_len > CFI_MAX_SECTION)
		return diag_errno(diag, EFBIG, image->m.path);
	eh = calloc(1, sizeof(*eh));
	if (!eh)
		return diag_errno(diag, ENOMEM, image->m.path);
	eh->path = image->m.path;
	eh->arch = image->arch;
	eh->base = image->m.base;
	eh->core = core_arch(image->arch);
	err = cfi_new_raw(eh->core, &raw, 1, &eh->cfi);
	if (err) {
		free(eh);
		return diag_errno(diag, -err, image->m.path);
	}
	*ret = eh;
	return 0;
}

void eh_frame_free(struct eh_frame *eh)
{
	if (eh)
		cfi_free(eh->cfi);
	free(eh);
}

struct cfi *eh_frame_cfi(struct eh_frame *eh)
{
	return eh->cfi;
}

static bool covers(const struct cfi_fde *fde, uint64_t addr)
{
	return fde->status == CFI_GOOD && addr >= fde->start && addr < fde->end;
}

int eh_frame_find(struct eh_frame *eh, uint64_t addr, uint32_t hint, struct cfi_fde *ret,
		  struct diag *diag)
{
	int more;

	cfi_watch(eh->cfi, eh->core->fp_reg);
	if (hint) {
		cfi_seek(eh->cfi, hint);
		more = cfi_next(eh->cfi, ret);
		if (more > 0 && ret->offset == hint && covers(ret, addr))
			return 0;
		cfi_rewind(eh->cfi);
	}
	while ((more = cfi_next(eh->cfi, ret)) > 0)
		if (covers(ret, addr))
			return 0;
	if (more < 0)
		return diag_errno(diag, -more, eh->path);
	return diag_set(diag, ENOENT, eh->path, "__eh_frame has no entry for 0x%" PRIx64, addr);
}

static const struct cfi_row *row_of(const struct cfi_fde *fde, uint64_t pc)
{
	u32 i = fde->nr_rows - 1;

	while (i && fde->rows[i].pc > pc)
		i--;
	return &fde->rows[i];
}

/* @reg: number in the section. */
static bool get_reg(void *arg, uint64_t reg, uint64_t *ret)
{
	const struct step *s = arg;
	const struct unwind_regs *r = s->regs;

	if (reg == s->eh->core->sp_reg) {
		*ret = r->sp;
		return true;
	}
	if (s->eh->arch == UNWIND_ARM64 && reg == ARM64_LR) {
		*ret = r->lr;
		return unwind_lr_counts(r);
	}
	if (s->eh->arch == UNWIND_X86 && reg == EH_X86_FP)
		reg = X86_FP;
	if (reg >= UNWIND_NR_REGS)
		return false;
	*ret = r->reg[reg];
	return r->known[reg];
}

static bool get_word(void *arg, uint64_t addr, uint64_t *ret)
{
	const struct step *s = arg;

	return s->image->word(s->image->arg, addr, ret);
}

static int eval(const struct step *s, const struct cfi_rule *r, const uint64_t *first,
		uint64_t *ret)
{
	const struct eh_expr_env env = {
		.word = (unsigned int)unwind_word(s->eh->arch),
		.reg = get_reg, .read = get_word, .arg = (void *)s,
	};
	const char *why;
	int err = eh_expr_eval(r->expr, r->expr_len, &env, first, ret, &why);

	return err ? diag_set(s->diag, -err, s->eh->path, "0x%" PRIx64 ": %s", s->pc, why) : 0;
}

static int read_word(const struct step *s, uint64_t addr, uint64_t *ret)
{
	if (get_word((void *)s, addr, ret))
		return 0;
	return diag_set(s->diag, EFAULT, s->eh->path, "the stack has no word at 0x%" PRIx64, addr);
}

static int no_reg(const struct step *s)
{
	return diag_set(s->diag, ENODATA, s->eh->path,
			"0x%" PRIx64 " needs a register that is not known", s->pc);
}

static uint64_t wrap(const struct step *s, uint64_t v)
{
	return s->eh->arch == UNWIND_X86 ? (uint32_t)v : v;
}

/* Computes the CFA; its rule cannot use the CFA. */
static int find_cfa(struct step *s, const struct cfi_rule *r)
{
	uint64_t v;

	switch (r->how) {
	case CFI_REGISTER:
		if (!get_reg(s, r->reg, &v))
			return no_reg(s);
		s->cfa = wrap(s, v + (uint64_t)r->off);
		return 0;
	case CFI_VAL_EXPR:
		return eval(s, r, NULL, &s->cfa);
	}
	return diag_set(s->diag, EBADMSG, s->eh->path, "0x%" PRIx64 " has no CFA", s->pc);
}

/* The value that a rule gives, except CFI_UNDEFINED and CFI_SAME. */
static int value(const struct step *s, const struct cfi_rule *r, uint64_t *ret)
{
	uint64_t at = wrap(s, s->cfa + (uint64_t)r->off);
	int err;

	switch (r->how) {
	case CFI_OFFSET:
		return read_word(s, at, ret);
	case CFI_VAL_OFFSET:
		*ret = at;
		return 0;
	case CFI_REGISTER:
		return get_reg((void *)s, r->reg, ret) ? 0 : no_reg(s);
	case CFI_EXPR:
		err = eval(s, r, &s->cfa, &at);
		return err ? err : read_word(s, at, ret);
	case CFI_VAL_EXPR:
		return eval(s, r, &s->cfa, ret);
	}
	return no_reg(s);
}

/* The rule of a register, by its number in the section; not for SP and the return address. */
static int column(struct step *s, unsigned int reg, struct cfi_rule *ret)
{
	struct cfi_fde fde;
	int more;

	*ret = (struct cfi_rule){ .how = CFI_SAME };
	cfi_watch(s->eh->cfi, reg);
	cfi_seek(s->eh->cfi, s->fde.offset);
	more = cfi_next(s->eh->cfi, &fde);
	if (more > 0 && covers(&fde, s->pc))
		*ret = row_of(&fde, s->pc)->fp;
	return more < 0 ? diag_errno(s->diag, -more, s->eh->path) : 0;
}

static int restore_reg(struct step *s, unsigned int reg, struct unwind_regs *next)
{
	unsigned int number = reg;
	struct diag *diag = s->diag;
	struct cfi_rule r;
	int err;

	if (s->eh->arch == UNWIND_X86 && reg == X86_FP)
		number = EH_X86_FP;
	err = column(s, number, &r);
	if (err || r.how == CFI_SAME)
		return err;
	s->diag = NULL;
	next->known[reg] = !value(s, &r, &next->reg[reg]);
	s->diag = diag;
	return 0;
}

static bool is_general(enum unwind_arch arch, unsigned int reg)
{
	switch (arch) {
	case UNWIND_X86:
		return reg < 8 && reg != 4;
	case UNWIND_X86_64:
		return reg < 16 && reg != X86_64_SP;
	case UNWIND_ARM64:
		return reg < 30 || (reg >= 72 && reg < 80);
	}
	return false;
}

/* After a call only registers that the callee preserves are known; after a signal all. */
static int restore(struct step *s, struct unwind_regs *next)
{
	unsigned int reg;
	int err = 0;

	for (reg = 0; !err && reg < UNWIND_NR_REGS; reg++) {
		if (is_general(s->eh->arch, reg) &&
		    (s->fde.signal || unwind_is_kept(s->eh->arch, reg)))
			err = restore_reg(s, reg, next);
		else
			next->known[reg] = false;
	}
	return err;
}

/* In an interrupted function the link register is needed, too. */
static int restore_lr(struct step *s, struct unwind_regs *next)
{
	struct cfi_rule r;
	int err;

	next->has_lr = false;
	if (!s->fde.signal || s->eh->arch != UNWIND_ARM64 || s->fde.ra_reg == ARM64_LR)
		return 0;
	err = column(s, ARM64_LR, &r);
	if (err)
		return err;
	next->has_lr = r.how == CFI_SAME ? unwind_lr_counts(s->regs) : !value(s, &r, &next->lr);
	return 0;
}

/* Return: 1; 0 if the frame has no caller; a negative errno. */
static int return_address(const struct step *s, const struct cfi_rule *r, uint64_t *ret)
{
	int err;

	if (r->how == CFI_UNDEFINED)
		return 0;
	if (r->how != CFI_SAME) {
		err = value(s, r, ret);
	} else {
		err = s->eh->arch == UNWIND_ARM64 && unwind_lr_counts(s->regs) ? 0 : no_reg(s);
		*ret = s->regs->lr;
	}
	if (err)
		return err;
	if (s->eh->arch == UNWIND_ARM64 && s->image->strip)
		*ret &= s->image->strip;
	return *ret != 0;
}

static bool goes_up(const struct step *s, const struct cfi_rule *ra, uint64_t sp)
{
	if (s->fde.signal)
		return true;
	return sp > s->regs->sp || (sp == s->regs->sp && ra->how == CFI_SAME);
}

static int step(struct step *s, struct unwind_regs *next)
{
	struct cfi_row row = *row_of(&s->fde, s->pc);
	int err, more;

	err = find_cfa(s, &row.cfa);
	if (!err)
		err = value(s, &row.sp, &next->sp);
	if (err)
		return err;
	more = return_address(s, &row.ra, &next->pc);
	if (more <= 0)
		return more;
	if (!goes_up(s, &row.ra, next->sp))
		return diag_set(s->diag, EBADMSG, s->eh->path, "the stack does not go up");
	err = restore(s, next);
	if (!err)
		err = restore_lr(s, next);
	next->inner = s->fde.signal;
	return err ? err : 1;
}

int eh_frame_step(struct eh_frame *eh, const struct unwind_image *image, uint32_t hint,
		  struct unwind_regs *regs, struct diag *diag)
{
	struct unwind_regs next = *regs;
	struct step s = {
		.eh = eh, .image = image, .regs = regs, .diag = diag,
		.pc = regs->pc - image->base + eh->base - !regs->inner,
	};
	int err = eh_frame_find(eh, s.pc, hint, &s.fde, diag);

	if (err)
		return err;
	err = step(&s, &next);
	if (err > 0)
		*regs = next;
	return err;
}
