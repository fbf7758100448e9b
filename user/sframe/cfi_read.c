// SPDX-License-Identifier: GPL-2.0-only
#include "sframe/cfi_read.h"

#include <dwarf.h>

const char cfi_no_memory[] = "out of memory";

u64 cfi_uleb_long(struct ustack_cursor *c)
{
	unsigned int shift = 0;
	u64 v = 0;
	u8 byte;

	do {
		byte = ustack_cursor_u8(c);
		/* zeros may pad it to any length */
		if (shift < 64)
			v |= (u64)(byte & 0x7f) << shift;
		if (shift > 56 && (shift > 63 ? byte & 0x7f : byte & 0x7e))
			c->failed = true;
		shift += shift < 64 ? 7 : 0;
	} while (byte & 0x80);
	return c->failed ? 0 : v;
}

s64 cfi_sleb(struct ustack_cursor *c)
{
	unsigned int shift = 0;
	u64 v = 0;
	u8 byte, want;

	do {
		byte = ustack_cursor_u8(c);
		if (shift < 63) {
			v |= (u64)(byte & 0x7f) << shift;
			shift += 7;
			continue;
		}
		/* bit 63 is the sign; what follows may only repeat it */
		if (shift == 63)
			v |= (u64)(byte & 1) << shift;
		want = v >> 63 ? 0x7f : 0;
		if ((byte & 0x7f) != want)
			c->failed = true;
		shift = 64;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		v |= ~0ull << shift;
	return c->failed ? 0 : (s64)v;
}

static u64 stored(struct ustack_cursor *c, u8 format, const char **why)
{
	switch (format) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return ustack_cursor_u64(c);
	case DW_EH_PE_uleb128:
		return cfi_uleb(c);
	case DW_EH_PE_sleb128:
		return (u64)cfi_sleb(c);
	case DW_EH_PE_udata2:
		return ustack_cursor_u16(c);
	case DW_EH_PE_sdata2:
		return (u64)(s64)(s16)ustack_cursor_u16(c);
	case DW_EH_PE_udata4:
		return ustack_cursor_u32(c);
	case DW_EH_PE_sdata4:
		return (u64)(s64)(s32)ustack_cursor_u32(c);
	}
	*why = "a pointer has an unknown encoding";
	return 0;
}

static const char *base(const struct cfi_section *s, u32 field, u8 relative,
			u64 *ret)
{
	switch (relative) {
	case 0:
		*ret = 0;
		return NULL;
	case DW_EH_PE_pcrel:
		if (s->debug)
			return "a pointer is relative to a section without address";
		*ret = s->vaddr + field;
		return NULL;
	case DW_EH_PE_datarel:
		if (!s->has_base)
			return "a pointer is relative to a base that is not known";
		*ret = s->vaddr;
		return NULL;
	}
	return "a pointer is relative to a base that is not known";
}

const char *cfi_pointer(const struct cfi_section *s, struct ustack_cursor *c,
			u8 encoding, u64 *ret)
{
	u32 field = c->pos;
	const char *why = NULL;
	u64 v, from;

	if (encoding & DW_EH_PE_indirect)
		return "a pointer is indirect, through memory of the process";
	if (s->narrow && !(encoding & 0x0f))
		encoding |= DW_EH_PE_udata4;
	v = stored(c, encoding & 0x0f, &why);
	if (why)
		return why;
	if (c->failed)
		return "the entry ends within a pointer";
	why = base(s, field, encoding & 0x70, &from);
	if (why)
		return why;
	*ret = v ? v + from : 0;
	if (s->narrow)
		*ret = (u32)*ret;
	return NULL;
}
