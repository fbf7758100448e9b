// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes x86 instructions by tables: their lengths, and the targets of jumps and calls.
 * The callers analyse code: synth_*.c, user/darwin and user/symbols.
 */
#include "sframe/x86_insn.h"

/*
 * Operands after an opcode, one letter for each form:
 *
 *	.  nothing			m  ModRM
 *	b  8 bits			M  ModRM and 8 bits
 *	z  16 or 32 bits		Z  ModRM and 16 or 32 bits
 *	v  16, 32 or 64 bits		a  an address of 32 or 64 bits
 *	w  16 bits			e  16 and 8 bits
 *	s  distance of 8 bits		l  distance of 32 bits
 *	f  a segment and a distance of 16 or 32 bits
 *	g  ModRM, and an operand if its register field is 0 or 1 (f6, f7)
 *	p  a prefix			-  unknown
 */
static const char one_byte[256 + 1] =
	"mmmmbz--mmmmbz--" "mmmmbz--mmmmbz--" "mmmmbzp-mmmmbzp-" "mmmmbzp-mmmmbzp-"
	"pppppppppppppppp" "................" "---mppppzZbM...." "ssssssssssssssss"
	"MZ-Mmmmmmmmmmmmm" "..........-....." "aaaa....bz......" "bbbbbbbbvvvvvvvv"
	"MMw.--MZe.w..b-." "mmmm---.mmmmmmmm" "ssssbbbbll-s...." "p.pp..gg......mm";

/* The same for i386, which has inc and dec in place of REX, and instructions with segments. */
static const char one_byte_i386[256 + 1] =
	"mmmmbz..mmmmbz.-" "mmmmbz..mmmmbz.." "mmmmbzp.mmmmbzp." "mmmmbzp.mmmmbzp."
	"................" "................" "..mmppppzZbM...." "ssssssssssssssss"
	"MZMMmmmmmmmmmmmm" "..........f....." "aaaa....bz......" "bbbbbbbbzzzzzzzz"
	"MMw.mmMZe.w..b.." "mmmmbb-.mmmmmmmm" "ssssbbbbllfs...." "p.pp..gg......mm";

static const char two_bytes[256 + 1] =
	"mmmm-....." "-.-m--" "mmmmmmmmmmmmmmmm" "--------mmmmmmmm" "........--------"
	"mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm" "MMMMmmm.----mmmm"
	"llllllllllllllll" "mmmmmmmmmmmmmmmm" "...mMm--...mMmmm" "mmmmmmmmm-Mmmmmm"
	"mmMmMMMm........" "mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmm-";

/**
 * struct reader - an instruction that is being read
 * @code: bytes from the instruction's start
 * @len: number of @code
 * @pos: number of bytes read
 * @bits32: the code is i386's
 * @narrow: prefix 66, an operand of 16 bits
 * @addr32: prefix 67: an address of 32 bits, in i386 of 16
 * @wide: REX.W, an operand of 64 bits
 * @reg: ModRM's middle field
 * @mod: ModRM's upper field
 * @bad: the bytes end within the instruction
 */
struct reader {
	const u8 *code;
	u64 len;
	u32 pos;
	bool bits32;
	bool narrow;
	bool addr32;
	bool wide;
	u8 reg;
	u8 mod;
	bool bad;
};

static u8 byte(struct reader *r)
{
	if (r->pos < r->len && r->pos < X86_INSN_MAX)
		return r->code[r->pos++];
	r->bad = true;
	return 0;
}

static void skip(struct reader *r, u32 bytes)
{
	while (bytes--)
		byte(r);
}

/* Skips displacements of 16-bit addresses. */
static void modrm16(struct reader *r, u8 rm)
{
	if (r->mod == 1)
		skip(r, 1);
	else if (r->mod == 2 || rm == 6)
		skip(r, 2);
}

static void modrm(struct reader *r)
{
	u8 b = byte(r), rm = b & 7;

	r->mod = b >> 6;
	r->reg = b >> 3 & 7;
	if (r->mod == 3)
		return;
	if (r->bits32 && r->addr32) {
		modrm16(r, rm);
		return;
	}
	if (rm == 4)
		rm = byte(r) & 7;	/* the SIB has the base instead */
	if (r->mod == 1)
		skip(r, 1);
	else if (r->mod == 2 || rm == 5)
		skip(r, 4);
}

/* Skips the operands that the letter stands for. Return: false if it is unknown. */
static bool operands(struct reader *r, char form, u8 op)
{
	u32 z = r->narrow && !r->wide ? 2 : 4;

	switch (form) {
	case '.':
	case 's':
	case 'l':
		return true;
	case 'b':
		skip(r, 1);
		return true;
	case 'w':
		skip(r, 2);
		return true;
	case 'e':
		skip(r, 3);
		return true;
	case 'z':
		skip(r, z);
		return true;
	case 'v':
		skip(r, r->wide ? 8 : z);
		return true;
	case 'a':
		skip(r, (r->bits32 ? 4u : 8u) >> r->addr32);
		return true;
	case 'f':
		skip(r, z + 2);
		return true;
	}
	if (form != 'm' && form != 'M' && form != 'Z' && form != 'g')
		return false;
	modrm(r);
	if (form == 'M')
		skip(r, 1);
	else if (form == 'Z')
		skip(r, z);
	else if (form == 'g' && r->reg < 2)
		skip(r, op & 1 ? z : 1);
	return true;
}

/* Map 3 (3a) has immediates; of map 1 (0f) only opcodes that legacy code has too are known. */
static bool vector(struct reader *r, unsigned int map)
{
	u8 op = byte(r);

	if (map == 1 && two_bytes[op] != 'm' && two_bytes[op] != 'M' && op != 0x77)
		return false;
	if (map == 3 || (map == 1 && two_bytes[op] == 'M'))
		return operands(r, 'M', op);
	return operands(r, map == 1 && op == 0x77 ? '.' : 'm', op);
}

/* c5, c4 and 62; in i386 they are other instructions if the next byte names memory. */
static bool is_vex(const struct reader *r, u8 op)
{
	if (op != 0xc4 && op != 0xc5 && op != 0x62)
		return false;
	return !r->bits32 || (r->pos < r->len && r->code[r->pos] >= 0xc0);
}

static bool vex(struct reader *r, u8 op)
{
	u8 map = 1;

	if (op != 0xc5)
		map = byte(r) & (op == 0x62 ? 0x0f : 0x1f);
	skip(r, op == 0x62 ? 2 : 1);
	if (op == 0x62 && (map == 5 || map == 6))
		return operands(r, 'm', byte(r));
	return map && map < 4 && vector(r, map);
}

/* A signed distance from the end of the instruction. */
static u64 target(struct reader *r, u64 pc, u32 bytes)
{
	u32 v = 0, i;

	for (i = 0; i < bytes; i++)
		v |= (u32)byte(r) << 8 * i;
	return pc + r->pos + (u64)(s64)(bytes == 1 ? (s8)v : (s32)v);
}

static bool escape(struct reader *r, u64 pc, struct x86_insn *ret)
{
	u8 op = byte(r);

	if (op == 0x38)
		return operands(r, 'm', byte(r));
	if (op == 0x3a)
		return operands(r, 'M', byte(r));
	if (two_bytes[op] == 'l') {
		ret->kind = X86_BRANCH;
		ret->to = target(r, pc, 4);
		return !r->narrow;
	}
	if (op == 0x0b || op == 0x07)	/* ud2, sysret */
		ret->kind = X86_END;
	return operands(r, two_bytes[op], op);
}

/* Reads a direct jump or call. Return: false if processors differ about it. */
static bool direct(struct reader *r, u8 op, u64 pc, struct x86_insn *ret)
{
	ret->kind = op == 0xe8 ? X86_CALL :
		    op == 0xe9 || op == 0xeb ? X86_JUMP : X86_BRANCH;
	ret->to = target(r, pc, one_byte[op] == 'l' ? 4 : 1);
	return !r->narrow || r->wide;
}

/* Opcodes that ModRM's middle field distinguishes, and returns. False if it is unknown. */
static bool chosen(struct reader *r, u8 op, struct x86_insn *ret)
{
	switch (op) {
	case 0x8f:
	case 0xc6:
		return !r->reg;		/* XOP, xabort */
	case 0xc7:
		return !r->reg;		/* xbegin */
	case 0xfe:
		return r->reg < 2;
	case 0x9a:
		ret->kind = X86_CALL;
		return true;
	case 0xea:
		ret->kind = X86_JUMP;
		return true;
	case 0xff:
		if (r->reg == 2 || r->reg == 3)
			ret->kind = X86_CALL;
		else if (r->reg == 4 || r->reg == 5)
			ret->kind = X86_JUMP;
		return r->reg < 7;
	case 0xc2:
	case 0xc3:
	case 0xca:
	case 0xcb:
	case 0xcf:
	case 0xcc:
	case 0xf4:
		ret->kind = X86_END;
	}
	return true;
}

static bool opcode(struct reader *r, u64 pc, struct x86_insn *ret)
{
	const char *forms = r->bits32 ? one_byte_i386 : one_byte;
	u8 op = byte(r);

	while (one_byte[op] == 'p' && (op & 0xf0) != 0x40 && !r->bad) {
		r->narrow |= op == 0x66;
		r->addr32 |= op == 0x67;
		op = byte(r);
	}
	if (!r->bits32 && (op & 0xf0) == 0x40) {
		r->wide = op & 8;
		op = byte(r);
	}
	if (op == 0x0f)
		return escape(r, pc, ret);
	if (is_vex(r, op))
		return vex(r, op);
	if (forms[op] == 's' || forms[op] == 'l')
		return direct(r, op, pc, ret);
	return operands(r, forms[op], op) && chosen(r, op, ret);
}

static bool read_insn(struct reader *r, u64 pc, struct x86_insn *ret)
{
	struct x86_insn insn = { .kind = X86_OTHER, .bits32 = r->bits32 };

	if (!opcode(r, pc, &insn) || r->bad)
		return false;
	if (r->bits32)
		insn.to = (u32)insn.to;
	insn.len = (u8)r->pos;
	*ret = insn;
	return true;
}

bool x86_insn_read(const u8 *code, u64 len, u64 pc, struct x86_insn *ret)
{
	struct reader r = { .code = code, .len = len };

	return read_insn(&r, pc, ret);
}

bool x86_insn_read_i386(const u8 *code, u64 len, u64 pc, struct x86_insn *ret)
{
	struct reader r = { .code = code, .len = len, .bits32 = true };

	return read_insn(&r, pc, ret);
}

u64 x86_insn_address(const u8 *code, const struct x86_insn *insn, u64 pc)
{
	bool wide = (code[0] & 0xfb) == 0x48;

	if (insn->len == 5 && (code[0] & 0xf8) == 0xb8)
		return ustack_le32(code + 1);
	if (insn->len != 7 || !wide)
		return 0;
	if (code[1] == 0x8d && (code[2] & 0xc7) == 5)
		return pc + 7 + (u64)(s64)(s32)ustack_le32(code + 3);
	return code[1] == 0xc7 && (code[2] & 0xf8) == 0xc0 ? ustack_le32(code + 3) : 0;
}
