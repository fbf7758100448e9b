// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recognises glibc's _dl_runtime_resolve and _dl_runtime_profile on AArch64 by their rows
 * and instructions, and corrects rules of the first. synth.c calls it for each FDE.
 */
#include "sframe/synth_fixup.h"

#include "sframe/elf_read.h"

#define INSN_LDP_X17_X30_POP 0xa8c17bf1u	/* ldp x17, x30, [sp], #16 */
#define INSN_BR_X16 0xd61f0200u

/* Bytes: _dl_runtime_profile has 356 to 364. */
#define PROFILER_MAX 1024u

static bool read_code(const struct fixup *m, u64 vaddr, u32 *insns, u32 nr)
{
	return elf_read_code(m->fd, m->elf, vaddr, insns, nr * sizeof(*insns));
}

static bool is_aarch64(const struct fixup *m)
{
	return m->elf->arch == &ustack_arch_aarch64;
}

/* CFA = SP + @off */
static bool cfa_is_sp(const struct fixup *m, const struct cfi_row *row, s64 off)
{
	return row->cfa.how == CFI_REGISTER && row->cfa.off == off &&
	       row->cfa.reg == m->elf->arch->sp_reg;
}

static bool ra_above_cfa(const struct cfi_row *row)
{
	return row->ra.how == CFI_OFFSET && row->ra.off == FIXUP_PUSHED - 8;
}

/* Whether @fde has a return address above the CFA, from an empty stack to its end: no other
 * function has that.
 */
static bool rows_count_from_push(const struct fixup *m, const struct cfi_fde *fde)
{
	const struct cfi_row *row = fde->rows, *last = &row[fde->nr_rows - 1];

	if (fde->nr_rows < 3 || !cfa_is_sp(m, row, 0) ||
	    last->pc != fde->end - 4 || !cfa_is_sp(m, last, -FIXUP_PUSHED) ||
	    last[-1].pc != fde->end - 8 || !cfa_is_sp(m, &last[-1], 0))
		return false;
	/* before it is called, the link register still has the return address, too */
	if (row->ra.how == CFI_SAME)
		row++;
	for (; row <= last; row++)
		if (!ra_above_cfa(row) || row->fp.how != CFI_SAME ||
		    row->cfa.how != CFI_REGISTER ||
		    row->cfa.reg != m->elf->arch->sp_reg)
			return false;
	return true;
}

bool fixup_is_resolver(struct fixup *m, const struct cfi_fde *fde)
{
	u32 code[2];

	if (!is_aarch64(m) || !rows_count_from_push(m, fde) ||
	    !read_code(m, fde->end - 8, code, 2) ||
	    code[0] != INSN_LDP_X17_X30_POP || code[1] != INSN_BR_X16)
		return false;
	m->resolver_end = fde->end;
	return true;
}

void fixup_rule(struct ustack_rule *rule)
{
	rule->cfa_off += FIXUP_PUSHED;
	if (rule->ra != USTACK_OP_NONE)
		rule->ra_off -= FIXUP_PUSHED;
	/* at the jump all is popped, and the return address is in the link register */
	if (!rule->cfa_off) {
		rule->ra = USTACK_OP_NONE;
		rule->ra_off = 0;
	}
}

/* nop, paciasp, bti and their like */
static bool is_hint(u32 insn)
{
	return (insn & 0xfffff01f) == 0xd503201f;
}

/* add or sub sp, sp, #n */
static bool moves_sp(u32 insn, u32 op, u32 *ret)
{
	*ret = (insn >> 10) & 0xfff;
	return (insn & 0xffc003ff) == (op | 0x3ff);
}

bool fixup_is_profiler(const struct fixup *m, const struct cfi_fde *fde)
{
	u32 code[PROFILER_MAX / 4], nr = (u32)((fde->end - fde->start) / 4);
	u32 i = 0, taken, given;

	if (!m->resolver_end || fde->start != m->resolver_end ||
	    fde->end - fde->start > PROFILER_MAX ||
	    !cfa_is_sp(m, fde->rows, 0) || !read_code(m, fde->start, code, nr))
		return false;
	while (i < nr && is_hint(code[i]))
		i++;
	if (i == nr || !moves_sp(code[i], 0xd1000000, &taken))
		return false;
	for (; i < nr; i++)
		if (moves_sp(code[i], 0x91000000, &given) &&
		    given == taken + FIXUP_PUSHED)
			return true;
	return false;
}
