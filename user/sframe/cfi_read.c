// SPDX-License-Identifier: GPL-2.0-only
/* Reads the numbers and the encoded pointers in CFI for cfi_entry, cfi_hdr, cfi_run. */
#include "sframe/cfi_read.h"

#include <dwarf.h>

#include "util/leb.h"

const char cfi_no_memory[] = "out of memory";

u64 cfi_uleb_long(struct ustack_cursor *c)
{
	const u8 *p = c->bytes + c->pos;
	uint64_t v = 0;
	size_t n = c->failed ? 0 : uleb_read(p, c->bytes + c->end, &v);

	c->failed |= !n;
	c->pos += (u32)n;
	return v;
}

s64 cfi_sleb(struct ustack_cursor *c)
{
	const u8 *p = c->bytes + c->pos;
	int64_t v = 0;
	size_t n = c->failed ? 0 : sleb_read(p, c->bytes + c->end, &v);

	c->failed |= !n;
	c->pos += (u32)n;
	return v;
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
