// SPDX-License-Identifier: GPL-2.0-only
/* Takes x86 instructions apart, for x86_stack.c and x86_regs.c. */
#include "sframe/x86_parts.h"

static void legacy_prefixes(struct x86_parts *p)
{
	for (;; p->pos++) {
		switch (p->code[p->pos]) {
		case 0x66:
			p->narrow = true;
			continue;
		case 0x64: case 0x65:
			p->segment = true;
			continue;
		case 0x67:
			p->odd = true;
			continue;
		case 0x26: case 0x2e: case 0x36: case 0x3e: case 0xf0: case 0xf2: case 0xf3:
			continue;
		}
		return;
	}
}

/* Prefixes c5, c4 and 62; their register bits are inverted. */
static void vex_prefix(struct x86_parts *p)
{
	u8 first = p->code[p->pos++], bits = p->code[p->pos], last = bits;

	p->map = X86_MAP_VEX;
	p->evex = first == 0x62;
	p->vmap = 1;
	p->r = bits & 0x80 ? 0 : 8;
	if (first != 0xc5) {
		p->vmap = bits & (p->evex ? 0x07 : 0x1f);
		p->x = bits & 0x40 ? 0 : 8;
		p->b = bits & 0x20 ? 0 : 8;
		last = p->code[++p->pos];
	}
	p->pos += p->evex ? 2 : 1;
	p->other = ~last >> 3 & 15;
}

static void rex_prefix(struct x86_parts *p)
{
	u8 op = p->code[p->pos];

	if (p->bits32) {
		p->wide = !p->narrow;
	} else if ((op & 0xf0) == 0x40) {
		p->rex = true;
		p->wide = op & 8;
		p->r = (op & 4) << 1;
		p->x = (op & 2) << 2;
		p->b = (op & 1) << 3;
		p->pos++;
	}
}

/* In i386 the three are other instructions if the next byte names memory. */
static bool is_vex(const struct x86_parts *p)
{
	const u8 *at = p->code + p->pos;

	return (at[0] == 0xc4 || at[0] == 0xc5 || at[0] == 0x62) &&
	       (!p->bits32 || at[1] >= 0xc0);
}

static void prefixes(struct x86_parts *p)
{
	u8 op;

	legacy_prefixes(p);
	rex_prefix(p);
	if (is_vex(p)) {
		vex_prefix(p);
	} else if (p->code[p->pos] == 0x0f) {
		op = p->code[++p->pos];
		p->map = op == 0x38 ? X86_MAP_0F38 : op == 0x3a ? X86_MAP_0F3A : X86_MAP_0F;
		p->pos += p->map != X86_MAP_0F;
	}
	p->op = p->code[p->pos++];
}

/* Whether a ModRM follows; right for all opcodes that matter here. */
static bool has_modrm(const struct x86_parts *p)
{
	u8 op = p->op;

	if (p->map == X86_MAP_ONE)
		return op < 0x40 ? (op & 7) < 4 :
		       op == 0x63 || op == 0x69 || op == 0x6b ||
		       (op >= 0x80 && op < 0x90) || op == 0xc0 || op == 0xc1 ||
		       op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op < 0xd4) ||
		       (p->bits32 && (op == 0x62 || op == 0xc4 || op == 0xc5)) ||
		       (op >= 0xd8 && op < 0xe0) || op == 0xf6 || op == 0xf7 || op >= 0xfe;
	if (p->map == X86_MAP_0F)
		return !((op >= 0x04 && op < 0x0d) || op == 0x0e || (op >= 0x30 && op < 0x40) ||
			 op == 0x77 || (op >= 0x80 && op < 0x90) ||
			 (op >= 0xa0 && op < 0xa3) || (op >= 0xa8 && op < 0xab) ||
			 (op >= 0xc8 && op < 0xd0));
	return !(p->map == X86_MAP_VEX && p->vmap == 1 && op == 0x77);
}

bool x86_parts_has_sib(const struct x86_parts *p)
{
	return p->mod != 3 && (p->rm & 7) == 4 && !(p->bits32 && p->odd);
}

s32 x86_parts_displacement(const struct x86_parts *p)
{
	if (p->mod == 1)
		return (s8)p->code[p->pos];
	return p->mod == 2 ? (s32)ustack_le32(p->code + p->pos) : 0;
}

static void read_modrm(struct x86_parts *p)
{
	u8 b = p->code[p->pos++];

	p->mod = b >> 6;
	p->reg = (b >> 3 & 7) | p->r;
	p->rm = (b & 7) | p->b;
	if (x86_parts_has_sib(p))
		p->sib = p->code[p->pos++];
}

void x86_parts_read(const u8 *code, const struct x86_insn *insn, struct x86_parts *ret)
{
	/* displacements and immediates may be read past the end of the instruction */
	*ret = (struct x86_parts){ .bits32 = insn->bits32, .mod = 3 };
	memcpy(ret->code, code, insn->len);
	prefixes(ret);
	if (has_modrm(ret))
		read_modrm(ret);
}
