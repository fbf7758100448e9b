// SPDX-License-Identifier: GPL-2.0-only
/* Writes a rule as text for `ustack sframe` and for tests. */
#include "sframe/rule_text.h"

#include <stdio.h>

#define OPERAND_TEXT 40

/* "System V ABI, AMD64 supplement", figure 3.36 */
static const char *const amd64_regs[] = {
	"RAX", "RDX", "RCX", "RBX", "RSI", "RDI", "RBP", "RSP", "R8",
	"R9",  "R10", "R11", "R12", "R13", "R14", "R15", "RIP",
};

static void reg_name(unsigned int reg, const struct ustack_arch *arch,
		     char *buf, size_t len)
{
	if (arch->id == USTACK_ARCH_X86_64 &&
	    reg < sizeof(amd64_regs) / sizeof(amd64_regs[0]))
		snprintf(buf, len, "%s", amd64_regs[reg]);
	else
		snprintf(buf, len, "%c%u", arch->id == USTACK_ARCH_AARCH64 ? 'X' : 'r', reg);
}

static void base_name(u8 op, const struct ustack_arch *arch, char *buf,
		      size_t len)
{
	switch (USTACK_OP_BASE(op)) {
	case USTACK_OP_SP:
		snprintf(buf, len, "SP");
		break;
	case USTACK_OP_FP:
		snprintf(buf, len, "FP");
		break;
	case USTACK_OP_BASE_REG:
		reg_name(USTACK_OP_REGNO(op), arch, buf, len);
		break;
	default:
		snprintf(buf, len, "CFA");
	}
}

static const char *operand(u8 op, s32 off, const struct ustack_arch *arch,
			   char buf[OPERAND_TEXT])
{
	char base[8], number[16] = "";

	base_name(op, arch, base, sizeof(base));
	if (off)
		snprintf(number, sizeof(number), "%+d", off);
	snprintf(buf, OPERAND_TEXT, op & USTACK_OP_DEREF ? "*(%s%s)" : "%s%s",
		 base, number);
	return buf;
}

const char *sframe_rule_text(const struct ustack_rule *rule,
			     const struct ustack_arch *arch,
			     char buf[SFRAME_RULE_TEXT])
{
	char cfa[OPERAND_TEXT], ra[OPERAND_TEXT] = "LR", fp[OPERAND_TEXT] = "";
	char add[8] = "";

	if (rule->flags & USTACK_RULE_OUTERMOST) {
		snprintf(buf, SFRAME_RULE_TEXT, "outermost");
		return buf;
	}
	operand(rule->cfa, rule->cfa_off, arch, cfa);
	if (USTACK_RULE_CFA_ADD(rule->flags))
		snprintf(add, sizeof(add), "+%d",
			 8 * USTACK_RULE_CFA_ADD(rule->flags));
	if (rule->ra != USTACK_OP_NONE)
		operand(rule->ra, rule->ra_off, arch, ra);
	if (rule->fp != USTACK_OP_NONE)
		operand(rule->fp, rule->fp_off, arch, fp);
	snprintf(buf, SFRAME_RULE_TEXT, "CFA=%s%s RA=%s%s%s%s", cfa, add, ra,
		 *fp ? " FP=" : "", fp,
		 rule->flags & USTACK_RULE_SIGNAL ? " signal" : "");
	return buf;
}
