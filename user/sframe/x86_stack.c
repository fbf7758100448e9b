// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes the effect of an x86 instruction on SP, FP and the stack by tables of the operands
 * that opcodes write. synth_code_flow.c and user/darwin call it.
 */
#include "sframe/x86_stack.h"

#include "sframe/x86_parts.h"

/*
 * The operand that an opcode writes, if it may be a general register; one letter each:
 *
 *	.  none			R  ModRM's reg
 *	M  ModRM's r/m		B  both
 *	O  the opcode's low bits
 *
 * Lower case means 8 bits. M and B may be memory; then it is written.
 */
static const char one_byte[256 + 1] =
	"mMrR....mMrR...." "mMrR....mMrR...." "mMrR....mMrR...." "mMrR............"
	"................" "................" "...R.....R.R...." "................"
	"mM.M..bBmMrRMR.M" "OOOOOOOO........" "................" "ooooooooOOOOOOOO"
	"mM....mM........" "mMmM............" "................" "......mM......mM";

/* Differences in i386: inc and dec, arpl, les and lds. */
static char one_byte_i386(u8 op)
{
	if ((op & 0xf0) == 0x40)
		return 'O';
	if (op == 0xc4 || op == 0xc5)
		return 'R';
	return op == 0x63 ? 'M' : op == 0x82 ? 'm' : one_byte[op];
}

static const char two_bytes[256 + 1] =
	"MMRR............" "..............M." "MM..........RR.." "................"
	"RRRRRRRRRRRRRRRR" "R..............." "................" "........M.....M."
	"................" "mmmmmmmmmmmmmmmm" "....MM.....MMMMR" "mMRMRRRRR.MMRRRR"
	"bB...R.MOOOOOOOO" ".......R........" "................" "................";

#define SP 4u
#define FP 5u

/* Bytes that xsave may store: more than any processor does. */
#define STORES_MANY 65536u

/* Finds the base, if ModRM names memory by SP or FP alone. */
static void find_base(const struct x86_parts *p, struct x86_stack *ret)
{
	if (p->mod == 3 || p->segment || (p->bits32 && p->odd))
		return;
	if (x86_parts_has_sib(p)) {
		/* only without an index, and with SP as base */
		if (((p->sib >> 3 & 7) | p->x) != 4 || p->b || (p->sib & 7) != SP)
			return;
		ret->base = X86_AT_SP;
	} else if (p->rm == FP && p->mod) {
		ret->base = X86_AT_FP;
	}
	if (ret->base)
		ret->at = x86_parts_displacement(p);
}

static char letter_of(const struct x86_parts *p)
{
	u8 op = p->op;

	switch (p->map) {
	case X86_MAP_ONE:
		if (op >= 0x80 && op <= 0x83 && (p->reg & 7) == 7)
			return '.';		/* cmp */
		if ((op == 0xf6 || op == 0xf7) && (p->reg & 6) != 2)
			return '.';
		if (op >= 0xfe && (p->reg & 7) > 1)
			return '.';
		return p->bits32 ? one_byte_i386(op) : one_byte[op];
	case X86_MAP_0F:
		if ((op == 0x01 || op == 0xba) && (p->reg & 7) == 4)
			return op == 0x01 ? 'M' : '.';	/* smsw, bt */
		if (op == 0x01)
			return '.';
		return two_bytes[op];
	case X86_MAP_0F38:
		return op >= 0xe0 ? 'R' : '.';
	case X86_MAP_0F3A:
		return op >= 0x14 && op <= 0x17 ? 'M' : '.';
	}
	/* kmov, vcvtsd2usi */
	if (p->vmap == 1 || p->vmap == 5)
		return op == 0x93 || op == 0x78 || op == 0x79 ? 'R' :
		       two_bytes[op] == 'R' && (op & 0xf0) != 0x40 ? 'R' :
		       op == 0x7e ? 'M' : '.';
	if (p->vmap == 2)
		return op >= 0xe0 ? 'R' : '.';
	return op >= 0x14 && op <= 0x17 ? 'M' : op == 0xf0 ? 'R' : '.';
}

static bool is_stack_reg(const struct x86_parts *p, u8 reg, bool byte)
{
	return (reg == SP || reg == FP) && !(byte && !p->rex);
}

/* A mask of the registers that are written: 1 for SP, 2 for FP. */
static u8 written(const struct x86_parts *p, char letter)
{
	bool byte = letter >= 'a';
	char l = byte ? (char)(letter - 'a' + 'A') : letter;
	u8 reg, mask = 0;

	if ((l == 'R' || l == 'B') && is_stack_reg(p, p->reg, byte))
		mask |= 1u << (p->reg - SP);
	/* moves from control registers have no mod */
	if ((l == 'M' || l == 'B') && is_stack_reg(p, p->rm, byte) &&
	    (p->mod == 3 || (p->map == X86_MAP_0F && p->op >= 0x20 && p->op < 0x22)))
		mask |= 1u << (p->rm - SP);
	reg = (p->op & 7) | p->b;
	if (l == 'O' && is_stack_reg(p, reg, byte))
		mask |= 1u << (reg - SP);
	/* mulx, and bls* */
	if (p->map == X86_MAP_VEX && p->vmap == 2 && (p->op == 0xf3 || p->op == 0xf6) &&
	    is_stack_reg(p, p->other, false))
		mask |= 1u << (p->other - SP);
	return mask;
}

/* Bytes that may be stored; a load counts as a store unless it is known to be a load. */
static u32 store_of(const struct x86_parts *p, char letter)
{
	if (p->mod == 3)
		return 0;
	if (p->map == X86_MAP_ONE) {
		if (p->op >= 0xd8 && p->op < 0xe0)
			return (p->reg & 7) == 6 && p->op & 1 ? 128 : 16;
		return letter == 'm' || letter == 'M' || letter == 'b' || letter == 'B' ? 8 : 0;
	}
	if (p->map == X86_MAP_0F) {
		if (letter == 'R' || letter == 'r' || (p->op >= 0x18 && p->op < 0x20) ||
		    p->op == 0xa3 || p->op == 0xba)
			return letter == 'M' && p->op == 0xba ? 8 : 0;
		if (p->op == 0xae || (p->op == 0xc7 && (p->reg & 7) != 1))
			return STORES_MANY;
	}
	return p->map == X86_MAP_VEX ? 64 : 16;
}

/* Pushes and pops of segment registers, and of all registers at once. */
static bool i386_push(const struct x86_parts *p, struct x86_stack *ret)
{
	switch (p->bits32 ? p->op : 0) {
	case 0x06: case 0x0e: case 0x16: case 0x1e:
		ret->effect = p->narrow ? X86_LOSE_SP : X86_PUSH;
		return true;
	case 0x07: case 0x17: case 0x1f:
		ret->effect = p->narrow ? X86_LOSE_SP : X86_POP;
		return true;
	case 0x60: case 0x61:
		ret->effect = X86_LOSE_BOTH;
		return true;
	}
	return false;
}

static bool one_byte_push(const struct x86_parts *p, struct x86_stack *ret)
{
	u8 op = p->op;

	if (op >= 0x50 && op < 0x58)
		ret->effect = op == 0x50 + FP && !p->b ? X86_PUSH_FP : X86_PUSH;
	else if (op == 0x68 || op == 0x6a || op == 0x9c ||
		 (op == 0xff && (p->reg & 7) == 6))
		ret->effect = X86_PUSH;
	else if (op == 0x58 + SP && !p->b)
		ret->effect = X86_LOSE_SP;
	else if (op >= 0x58 && op < 0x60)
		ret->effect = op == 0x58 + FP && !p->b ? X86_POP_FP : X86_POP;
	else if (op == 0x9d)
		ret->effect = X86_POP;
	else if (op == 0x8f)
		/* an address by SP counts from SP after the pop */
		ret->effect = p->mod == 3 || ret->base == X86_AT_SP ? X86_LOSE_BOTH : X86_POP;
	else
		return false;
	if (p->narrow)
		ret->effect = X86_LOSE_BOTH;
	return true;
}

static bool is_reg(const struct x86_parts *p, u8 rm, u8 reg)
{
	return p->mod == 3 && p->rm == rm && p->reg == reg;
}

/* add, sub and lea */
static bool arithmetic(const struct x86_parts *p, struct x86_stack *ret)
{
	bool adds = !(p->reg & 7), subs = (p->reg & 7) == 5;
	s32 n;

	if ((p->op == 0x81 || p->op == 0x83) && p->mod == 3 && p->rm == SP &&
	    (adds || subs)) {
		n = p->op == 0x83 ? (s8)p->code[p->pos] : (s32)ustack_le32(p->code + p->pos);
		if (n == INT32_MIN)
			return false;
		ret->effect = X86_ADD_SP;
		ret->off = adds ? n : -n;
		return true;
	}
	if (p->op != 0x8d || !ret->base || (p->reg != SP && p->reg != FP))
		return false;
	if (p->reg == FP && ret->base == X86_AT_FP)
		return false;
	ret->effect = p->reg == FP ? X86_FP_BY_SP :
		      ret->base == X86_AT_SP ? X86_ADD_SP : X86_SP_BY_FP;
	ret->off = ret->at;
	return true;
}

/* Decodes one-byte opcodes whose effect is known exactly. Return: false for others. */
static bool followed(const struct x86_parts *p, struct x86_stack *ret)
{
	if (i386_push(p, ret))
		return true;
	if (p->odd)
		return false;
	if (one_byte_push(p, ret))
		return true;
	if (p->op == 0xc9 || p->op == 0xc2 || p->op == 0xc3) {
		ret->effect = p->narrow ? X86_LOSE_BOTH : p->op == 0xc9 ? X86_LEAVE : X86_RET;
		ret->takes = p->op == 0xc2;
		return true;
	}
	if (!p->wide)
		return false;
	if (arithmetic(p, ret))
		return true;
	if ((p->op == 0x89 && is_reg(p, FP, SP)) || (p->op == 0x8b && is_reg(p, SP, FP)))
		ret->effect = X86_FP_BY_SP;
	else if ((p->op == 0x89 && is_reg(p, SP, FP)) || (p->op == 0x8b && is_reg(p, FP, SP)))
		ret->effect = X86_SP_BY_FP;
	else if (p->op == 0x8b && p->reg == FP && p->mod != 3 && ret->base)
		ret->effect = X86_LOAD_FP;
	else
		return false;
	return true;
}

/* Decodes pushes and pops with other opcodes; other writes of SP or FP lose the register. */
static void others(const struct x86_parts *p, struct x86_stack *ret, char letter)
{
	static const u8 lost[] = { X86_NONE, X86_LOSE_SP, X86_LOSE_FP, X86_LOSE_BOTH };
	u8 op = p->op;

	ret->effect = lost[written(p, letter)];
	if (p->map == X86_MAP_0F && (op == 0xa0 || op == 0xa8))
		ret->effect = p->narrow ? X86_LOSE_SP : X86_PUSH;
	else if (p->map == X86_MAP_0F && (op == 0xa1 || op == 0xa9))
		ret->effect = p->narrow ? X86_LOSE_SP : X86_POP;
	else if (p->map == X86_MAP_0F && op == 0x05)
		ret->effect = X86_SYSCALL;
	else if ((p->map == X86_MAP_0F && op == 0x34) || (p->map == X86_MAP_ONE && op == 0xcd))
		ret->effect = X86_LOSE_BOTH;	/* sysenter, int */
	else if (p->map == X86_MAP_ONE && (op == 0xc8 || op == 0xc9 || (op >= 0x50 && op < 0x60) ||
				       op == 0x68 || op == 0x6a || op == 0x8f || op == 0x9c ||
				       op == 0x9d || (op == 0xff && (p->reg & 7) == 6)))
		ret->effect = X86_LOSE_BOTH;	/* enter, and with prefix 67 */
}

void x86_stack_read(const u8 *code, const struct x86_insn *insn, struct x86_stack *ret)
{
	struct x86_parts p;
	char letter;

	*ret = (struct x86_stack){ .effect = X86_NONE };
	x86_parts_read(code, insn, &p);
	find_base(&p, ret);
	letter = letter_of(&p);
	ret->stores = store_of(&p, letter);
	/* a displacement of EVEX counts in units of up to 64 bytes */
	if (p.evex && p.mod == 1 && ret->base) {
		ret->at *= ret->at < 0 ? 64 : 1;
		ret->stores = STORES_MANY;
	}
	if (p.map == X86_MAP_ONE && followed(&p, ret))
		return;
	others(&p, ret, letter);
}

bool x86_stack_pushed(const struct x86_stack *x, s64 *ret)
{
	*ret = 0;
	switch (x->effect) {
	case X86_PUSH:
	case X86_PUSH_FP:
		*ret = 8;
		return true;
	case X86_POP:
	case X86_POP_FP:
		*ret = -8;
		return true;
	case X86_ADD_SP:
		*ret = -(s64)x->off;
		return true;
	case X86_NONE:
	case X86_FP_BY_SP:
	case X86_LOAD_FP:
	case X86_LOSE_FP:
		return true;
	}
	return false;
}
