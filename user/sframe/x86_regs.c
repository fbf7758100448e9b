// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes the effect of instructions of x86-64 on general registers. The opcodes that are not known
 * here are X86_UNKNOWN. synth_code_switch.c calls it.
 */
#include "sframe/x86_regs.h"

#include "sframe/x86_parts.h"

#define AX 0u
#define CX 1u
#define DX 2u
#define SP 4u

/*
 * The operands that an opcode writes, one letter each:
 *
 *	-  unknown		.  no general register, no memory
 *	M  ModRM's r/m		R  ModRM's reg
 *	B  both			O  the register in the opcode's low bits
 *	A  AX			D  DX
 *	X  the register in the opcode's low bits, and AX
 *	S  SP, and the stack	P  SP, and the register in the opcode's low bits
 *	g  by ModRM's reg, see grouped()
 *
 * Lower case m, r, b, o: 8 bits. All may write flags, except those in keeps_flags().
 */
static const char one_byte[256 + 1] =
	"mMrRAA--mMrRAA--" "mMrRAA--mMrRAA--" "mMrRAA--mMrRAA--" "mMrRAA--......--"
	"----------------" "SSSSSSSSPPPPPPPP" "---R----SRSR----" "................"
	"gg-g..bBmMrR-R--" "XXXXXXXXAD------" "--------..------" "ooooooooOOOOOOOO"
	"mM----mM--------" "mMmM------------" "---------.-.----" "-----.gg------gg";

/* The SSE instructions among these have no general register but as a source. */
static const char two_bytes[256 + 1] =
	"-------------.--" "..............-." "--------..----.." "----------------"
	"RRRRRRRRRRRRRRRR" "-..............." "................" "........----..M."
	"................" "mmmmmmmmmmmmmmmm" "---.-----------R" "------RR--g-RRRR"
	"--------OOOOOOOO" "----.-.----.----" "................" "-......-.......-";

static u8 low_reg(const struct x86_parts *p, u8 reg, bool byte)
{
	/* AH, CH, DH and BH */
	return byte && !p->rex && reg >= 4 ? reg - 4 : reg;
}

static u16 bit(const struct x86_parts *p, u8 reg, bool byte)
{
	return (u16)(1u << low_reg(p, reg, byte));
}

/* Opcodes 80 to 83, f6, f7, fe, ff and 0f ba. Return: a letter as in the tables. */
static char grouped(const struct x86_parts *p)
{
	u8 reg = p->reg & 7;
	bool byte = !(p->op & 1);

	if (p->map == X86_MAP_0F)
		return reg == 4 ? '.' : 'M';
	if (p->op < 0x84)
		return reg == 7 ? '.' : byte ? 'm' : 'M';
	if (p->op < 0xf8)
		return reg < 2 ? '.' : reg < 4 ? (byte ? 'm' : 'M') : 'B';
	if (reg < 2)
		return byte ? 'm' : 'M';
	return reg == 6 ? 'S' : reg == 4 ? '.' : '-';
}

static char letter_of(const struct x86_parts *p)
{
	char letter = '-';

	if (p->odd || p->segment || p->map == X86_MAP_0F38 || p->map == X86_MAP_0F3A)
		return '-';
	if (p->map == X86_MAP_ONE)
		letter = one_byte[p->op];
	else if (p->map == X86_MAP_0F)
		letter = two_bytes[p->op];
	/* vector instructions with the meaning that they have without the prefix */
	else if (p->vmap == 1 && !p->evex && two_bytes[p->op] == '.')
		letter = '.';
	return letter == 'g' ? grouped(p) : letter;
}

/* A multiplication or division of AX writes DX, too. */
static u16 writes_both(const struct x86_parts *p, bool byte)
{
	if (p->map == X86_MAP_ONE && p->op >= 0xf0)
		return 1u << AX | 1u << DX;
	return bit(p, p->reg, byte) | (p->mod == 3 ? bit(p, p->rm, byte) : 0);
}

static u16 writes(const struct x86_parts *p, char letter)
{
	u8 low = (p->op & 7) | p->b;
	bool byte = letter >= 'a';

	switch (letter) {
	case '-':
		return 0xffff;
	case 'M': case 'm':
		return p->mod == 3 ? bit(p, p->rm, byte) : 0;
	case 'R': case 'r':
		return bit(p, p->reg, byte);
	case 'B': case 'b':
		return writes_both(p, byte);
	case 'O': case 'o':
		return bit(p, low, byte);
	case 'A':
		return 1u << AX;
	case 'D':
		return 1u << DX;
	case 'X':
		return bit(p, low, false) | 1u << AX;
	case 'S':
		return 1u << SP;
	case 'P':
		return 1u << SP | bit(p, low, false);
	}
	return 0;
}

/* Whether it is a move, lea, push, pop, nop, setcc, cmov or a move of SSE. */
static bool keeps_flags(const struct x86_parts *p)
{
	u8 op = p->op;

	if (p->map == X86_MAP_ONE)
		return (op >= 0x50 && op < 0x60) || op == 0x63 || op == 0x68 || op == 0x6a ||
		       (op >= 0x88 && op < 0x8c) || op == 0x8d || (op >= 0x90 && op < 0x9a) ||
		       (op >= 0xb0 && op < 0xc0) || op == 0xc6 || op == 0xc7;
	return (op >= 0x10 && op < 0x20) || op == 0x28 || op == 0x29 || (op >= 0x40 && op < 0x50) ||
	       op == 0x57 || op == 0x6e || op == 0x6f || op == 0x7e || op == 0x7f ||
	       (op >= 0x90 && op < 0xa0) || op == 0xb6 || op == 0xb7 || op == 0xbe ||
	       op == 0xbf || op == 0xd6 || op == 0xef;
}

static void read_address(const struct x86_parts *p, u64 next, struct x86_regs *ret)
{
	bool based = true;
	u8 base = p->rm;

	ret->base = ret->index = X86_NO_REG;
	ret->scale = 1;
	if (p->mod == 3)
		return;
	ret->at = (u64)(s64)x86_parts_displacement(p);
	if (x86_parts_has_sib(p)) {
		base = (p->sib & 7) | p->b;
		ret->scale = (u8)(1u << (p->sib >> 6));
		if (((p->sib >> 3 & 7) | p->x) != 4)
			ret->index = (p->sib >> 3 & 7) | p->x;
	}
	if (!p->mod && (base & 7) == 5) {
		based = false;
		ret->at = (u64)(s64)(s32)ustack_le32(p->code + p->pos);
		if (!x86_parts_has_sib(p))
			ret->at += next;
	}
	if (based)
		ret->base = base;
}

static u64 immediate(const struct x86_parts *p, u8 bytes)
{
	/* after ModRM and SIB comes the displacement */
	const u8 *at = p->code + p->pos + (p->mod == 1 ? 1 : p->mod == 2 ? 4 : 0);
	u8 base = x86_parts_has_sib(p) ? p->sib : p->rm;

	if (!p->mod && (base & 7) == 5)
		at += 4;
	if (bytes == 1)
		return (u64)(s64)(s8)*at;
	if (bytes == 2)
		return (u64)(s64)(s16)(at[0] | at[1] << 8);
	return (u64)(s64)(s32)ustack_le32(at);
}

static u8 width(const struct x86_parts *p)
{
	return p->wide ? 8 : p->narrow ? 2 : 4;
}

/* cmp $value, and cmp $value, %al or %eax */
static bool compares(const struct x86_parts *p, struct x86_regs *ret)
{
	bool ax = p->op == 0x3c || p->op == 0x3d;
	bool byte = p->op == 0x80 || p->op == 0x3c;

	if (!ax && ((p->op != 0x80 && p->op != 0x81 && p->op != 0x83) || (p->reg & 7) != 7))
		return false;
	ret->bytes = byte ? 1 : width(p);
	ret->value = immediate(p, byte || p->op == 0x83 ? 1 : ret->bytes);
	if (ret->bytes < 8)
		ret->value &= (1ull << 8 * ret->bytes) - 1;
	ret->from = ax ? AX : p->rm;
	ret->action = ax || p->mod == 3 ? X86_COMPARES : X86_COMPARES_MEMORY;
	/* AH and its like */
	if (ret->action == X86_COMPARES && byte && low_reg(p, ret->from, true) != ret->from)
		ret->action = X86_WRITES;
	return true;
}

static bool adds(const struct x86_parts *p, struct x86_regs *ret)
{
	u8 reg = p->reg & 7;

	if (p->mod != 3 || p->narrow)
		return false;
	if (p->wide && (p->op == 0x01 || p->op == 0x03)) {
		ret->action = X86_ADDS;
		ret->to = p->op == 0x01 ? p->rm : p->reg;
		ret->from = p->op == 0x01 ? p->reg : p->rm;
		return true;
	}
	if ((p->op != 0x81 && p->op != 0x83) || (reg != 0 && reg != 5))
		return false;
	ret->action = X86_ADDS_VALUE;
	ret->to = p->rm;
	ret->bytes = width(p);
	ret->value = immediate(p, p->op == 0x83 ? 1 : 4);
	if (reg == 5)
		ret->value = -ret->value;
	return true;
}

/* mov between registers or from memory, and movslq */
static bool moves(const struct x86_parts *p, struct x86_regs *ret)
{
	bool sign = p->op == 0x63;

	if (p->narrow || (p->op != 0x8b && p->op != 0x89 && !sign) || (sign && !p->wide) ||
	    (p->op == 0x89 && p->mod != 3))
		return false;
	ret->action = p->mod == 3 ? X86_COPIES : X86_LOADS;
	ret->to = p->op == 0x89 ? p->rm : p->reg;
	ret->from = p->op == 0x89 ? p->reg : p->rm;
	ret->bytes = p->wide && !sign ? 8 : 4;
	ret->sign = sign;
	return true;
}

/* movzbl, movzwl, movsbl, movswl and their 64-bit forms */
static bool extends(const struct x86_parts *p, struct x86_regs *ret)
{
	bool byte = !(p->op & 1);

	if (p->map != X86_MAP_0F || p->narrow || (p->op & 0xf6) != 0xb6)
		return false;
	if (byte && p->mod == 3 && low_reg(p, p->rm, true) != p->rm)
		return false;
	ret->action = p->mod == 3 ? X86_COPIES : X86_LOADS;
	ret->to = p->reg;
	ret->from = p->rm;
	ret->bytes = byte ? 1 : 2;
	ret->sign = p->op & 8;
	ret->narrow = !p->wide;
	return true;
}

/* lea, mov $value, and the jumps */
static bool sets(const struct x86_parts *p, struct x86_regs *ret)
{
	ret->bytes = width(p);
	if (p->op == 0x8d && !p->narrow) {
		ret->action = X86_ADDRESSES;
		ret->to = p->reg;
	} else if (p->op >= 0xb8 && p->op < 0xc0 && !p->narrow && !p->wide) {
		ret->action = X86_SETS;
		ret->to = (p->op & 7) | p->b;
		ret->value = ustack_le32(p->code + p->pos);
	} else if (p->op == 0xc7 && p->mod == 3 && p->wide) {
		ret->action = X86_SETS;
		ret->to = p->rm;
		ret->value = immediate(p, 4);
	} else if (p->op == 0xff && (p->reg & 7) == 4 && !p->narrow) {
		ret->action = p->mod == 3 ? X86_GOES : X86_GOES_BY_MEMORY;
		ret->from = p->rm;
		ret->bytes = 8;
	} else if (p->op == 0x98 && p->wide) {
		*ret = (struct x86_regs){ .action = X86_COPIES, .to = AX, .from = AX,
					  .bytes = 4, .sign = true };
	} else {
		return false;
	}
	return true;
}

static bool is_exact(const struct x86_parts *p, struct x86_regs *ret)
{
	if (extends(p, ret))
		return true;
	return p->map == X86_MAP_ONE &&
	       (compares(p, ret) || adds(p, ret) || moves(p, ret) || sets(p, ret));
}

void x86_regs_read(const u8 *code, const struct x86_insn *insn, u64 pc, struct x86_regs *ret)
{
	struct x86_regs exact = { .action = X86_UNKNOWN };
	struct x86_parts p;
	char letter;

	x86_parts_read(code, insn, &p);
	letter = letter_of(&p);
	*ret = (struct x86_regs){ .action = letter == '-' ? X86_UNKNOWN : X86_WRITES };
	if (letter != '-' && is_exact(&p, &exact))
		*ret = exact;
	read_address(&p, pc + insn->len, ret);
	ret->writes = writes(&p, letter);
	/* what is no load is taken for a store */
	ret->stores = letter == 'S' || letter == '-' ||
		      (p.mod != 3 && ret->action == X86_WRITES);
	ret->flags = letter == '-' || !keeps_flags(&p);
}
