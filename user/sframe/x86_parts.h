/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An x86 instruction taken apart: prefixes, opcode, ModRM and SIB. x86_stack.c and x86_regs.c
 * call it for instructions whose length x86_insn.c has found.
 */
#ifndef USTACK_USER_SFRAME_X86_PARTS_H
#define USTACK_USER_SFRAME_X86_PARTS_H

#include "sframe/x86_insn.h"

enum x86_map { X86_MAP_ONE, X86_MAP_0F, X86_MAP_0F38, X86_MAP_0F3A, X86_MAP_VEX };

/**
 * struct x86_parts - an instruction taken apart
 * @code: bytes of the instruction, and zeros after it
 * @pos: offset of the next byte to read: after the opcode, ModRM and SIB
 * @map: enum x86_map
 * @vmap: for X86_MAP_VEX, number of the map
 * @evex: for X86_MAP_VEX, the prefix is 62
 * @op: the opcode in its map
 * @bits32: an instruction of i386
 * @odd: prefix 67: an address of 32 bits, in i386 of 16
 * @narrow: prefix 66: an operand of 16 bits
 * @segment: prefixes 64 and 65: the address is relative to a segment
 * @rex: there is a REX prefix, which changes the names of 8-bit registers
 * @wide: the operand has 64 bits, in i386 32
 * @r: bit 3 of @reg
 * @x: bit 3 of an index register
 * @b: bit 3 of @rm, or of a register in the opcode
 * @other: VEX's third register
 * @mod: ModRM's mod; 3 if there is no ModRM
 * @reg: ModRM's reg, with @r
 * @rm: ModRM's r/m, with @b
 * @sib: the SIB byte, if ModRM names memory by one
 */
struct x86_parts {
	u8 code[X86_INSN_MAX + 9];
	u32 pos;
	u8 map;
	u8 vmap;
	bool evex;
	u8 op;
	bool bits32;
	bool odd;
	bool narrow;
	bool segment;
	bool rex;
	bool wide;
	u8 r;
	u8 x;
	u8 b;
	u8 other;
	u8 mod;
	u8 reg;
	u8 rm;
	u8 sib;
};

/**
 * x86_parts_read() - take an instruction apart
 * @code: bytes of the instruction
 * @insn: result of x86_insn_read() for them
 * @ret: written in any case
 */
void x86_parts_read(const u8 *code, const struct x86_insn *insn, struct x86_parts *ret);

/* The displacement of 8 or 32 bits that follows ModRM and SIB, by @mod; else 0. */
s32 x86_parts_displacement(const struct x86_parts *p);

/* Whether an address counts from a SIB byte. */
bool x86_parts_has_sib(const struct x86_parts *p);

#endif /* USTACK_USER_SFRAME_X86_PARTS_H */
