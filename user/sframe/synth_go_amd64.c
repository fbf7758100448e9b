// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads Go's AMD64 code. Rows of Go's table begin at instructions; the instruction before
 * such a place is recognised from its end, by its last bytes and by the effect it must have.
 */
#include "sframe/synth_go_code.h"

/* The @len bytes that end at @at, or NULL. */
static const u8 *in_front(const struct go_code *c, u32 at, u32 len)
{
	return at < len ? NULL : c->bytes + at - len;
}

static bool are(const struct go_code *c, u32 at, const char *bytes, u32 len)
{
	return at <= c->len && len <= c->len - at && !memcmp(c->bytes + at, bytes, len);
}

static s64 imm8(const u8 *p)
{
	return (s8)*p;
}

static s64 imm32(const u8 *p)
{
	return (s32)ustack_le32(p);
}

/* Whether SUBQ $n, SP or ADDQ $-n, SP ends at @at. */
static bool subtracts(const struct go_code *c, u32 at, s64 n)
{
	const u8 *p = in_front(c, at, 4);

	if (p && p[0] == 0x48 && p[1] == 0x83 &&
	    ((p[2] == 0xec && imm8(p + 3) == n) || (p[2] == 0xc4 && imm8(p + 3) == -n)))
		return true;
	p = in_front(c, at, 7);
	return p && p[0] == 0x48 && p[1] == 0x81 &&
	       ((p[2] == 0xec && imm32(p + 3) == n) ||
		(p[2] == 0xc4 && imm32(p + 3) == -n));
}

/* Whether LEAQ -n(SP), SP, which keeps the flags, ends at @at. */
static bool leas(const struct go_code *c, u32 at, s64 n)
{
	const u8 *p = in_front(c, at, 5);

	if (p && !memcmp(p, "\x48\x8d\x64\x24", 4) && imm8(p + 4) == -n)
		return true;
	p = in_front(c, at, 8);
	return p && !memcmp(p, "\x48\x8d\xa4\x24", 4) && imm32(p + 4) == -n;
}

/* Whether PUSHQ of a register or a small constant, or PUSHFQ, ends at @at. */
static bool pushes(const struct go_code *c, u32 at)
{
	const u8 *p = in_front(c, at, 1);

	if (p && ((*p & 0xf8) == 0x50 || *p == 0x9c))
		return true;
	p = in_front(c, at, 2);
	if (p && *p == 0x6a)
		return true;
	p = in_front(c, at, 5);
	return p && *p == 0x68;
}

/* Whether a jump, a return, an instruction that stops the program, or padding ends at @at. */
static bool nothing_falls_through(const struct go_code *c, u32 at)
{
	const u8 *p = in_front(c, at, 7);

	if (!p)
		return false;
	return p[6] == 0xc3 || p[6] == 0xcc || p[6] == 0x90 || p[5] == 0xeb ||
	       p[2] == 0xe9 || p[2] == 0xe8 || (p[5] == 0x0f && p[6] == 0x0b) ||
	       (p[5] == 0x0f && p[6] == 0x05) ||
	       (p[5] == 0xff && (p[6] & 0xe8) == 0xe0) ||
	       (p[4] == 0xff && (p[5] & 0xf8) == 0x60) ||
	       (p[3] == 0x0f && p[4] == 0x1f) || (p[5] == 0x66 && p[6] == 0x90);
}

/* Length of MOVQ BP, off(SP) or LEAQ off(SP), BP at @at, with this offset; else 0. */
static u32 with_sp(const struct go_code *c, u32 at, u8 op, s64 off)
{
	const u8 *p = c->bytes + at;

	if (at > c->len || c->len - at < 8 || p[0] != 0x48 || p[1] != op ||
	    p[3] != 0x24)
		return 0;
	if (p[2] == 0x2c && !off)
		return 4;
	if (p[2] == 0x6c && imm8(p + 4) == off)
		return 5;
	return p[2] == 0xac && imm32(p + 4) == off ? 8 : 0;
}

/*
 * Since Go 1.21: PUSHQ BP; MOVQ SP, BP; SUBQ. Before: SUBQ $n, SP; MOVQ BP, n-8(SP);
 * LEAQ n-8(SP), BP. Assembly code has frames without FP.
 */
static struct go_frame opens(const struct go_code *c, u32 at, u32 delta)
{
	struct go_frame f = {
		.how = GO_OPENS, .fp_saved = GO_NEVER, .fp_set = GO_NEVER,
	};
	u32 len;

	if (delta == 8 && pushes(c, at)) {
		if (c->bytes[at - 1] == 0x55 && are(c, at, "\x48\x89\xe5", 3)) {
			f.fp_saved = at;
			f.fp_set = at + 3;
		}
		return f;
	}
	if (subtracts(c, at, delta) || leas(c, at, delta)) {
		len = with_sp(c, at, 0x89, (s64)delta - 8);
		if (len)
			f.fp_saved = at + len;
		if (len && with_sp(c, at + len, 0x8d, (s64)delta - 8))
			f.fp_set = at + 2 * len;
		return f;
	}
	f.how = nothing_falls_through(c, at) ? GO_RESUMES : GO_NOT_PROVEN;
	return f;
}

/* Length in bytes of a ModRM with its SIB and displacement. */
static u32 modrm_len(const u8 *p)
{
	u32 len = 1 + ((*p & 7) == 4 && *p < 0xc0);

	if (*p >= 0x40 && *p < 0x80)
		len += 1;
	else if ((*p >= 0x80 && *p < 0xc0) || (*p & 0xc7) == 5)
		len += 4;
	return len;
}

/*
 * Length of an instruction at @at that may write SP, or 0: MOVQ, LEAQ and XCHGQ to SP,
 * arithmetic with a register, ANDQ of a constant. Bytes within another instruction may look
 * like one: then the function only gets less rules.
 */
static u32 writes_sp(const struct go_code *c, u32 at)
{
	u8 p[4] = { 0 }, to;

	memcpy(p, c->bytes + at, c->len - at < 4 ? c->len - at : 4);
	if ((p[0] & 0xf8) != 0x48)
		return 0;
	to = p[2] & 0x38;
	switch (p[1]) {
	case 0x8b: case 0x8d: case 0x03: case 0x2b: case 0x23:	/* into reg */
		if (to != 0x20 || p[0] & 4)
			return 0;
		/* Go's table counts LEAQ n(SP), SP */
		if (p[1] == 0x8d && (p[2] & 7) == 4 && p[3] == 0x24)
			return 0;
		return 2 + modrm_len(p + 2);
	case 0x89: case 0x01: case 0x29: case 0x21: case 0x87:	/* into r/m */
		return (p[2] & 0xc7) == 0xc4 && !(p[0] & 1) ? 3 : 0;
	case 0x83:
		return p[0] == 0x48 && p[2] == 0xe4 ? 4 : 0;
	case 0x81:
		return p[0] == 0x48 && p[2] == 0xe4 ? 7 : 0;
	}
	return 0;
}

static bool sp_write(const struct go_code *c, u32 from, struct ustack_range *ret)
{
	u32 at, len;

	for (at = from; at < c->len; at++) {
		len = writes_sp(c, at);
		if (!len)
			continue;
		*ret = (struct ustack_range){
			at, len < c->len - at ? at + len : c->len,
		};
		return true;
	}
	return false;
}

/* Length of ADDQ $n, SP, which follows MOVQ n-8(SP), BP; POPQ BP is one instruction: 0. */
static u32 closing(const struct go_code *c, u32 at)
{
	const u8 *p = in_front(c, at, 7);

	if (p && p[0] == 0x48 && p[1] == 0x81 && p[2] == 0xc4)
		return 7;
	if (p && p[3] == 0x48 && p[4] == 0x83 && (p[5] == 0xc4 || p[5] == 0xec))
		return 4;
	return 0;
}

const struct go_arch go_amd64 = {
	.opens = opens,
	.sp_write = sp_write,
	.closing = closing,
};
