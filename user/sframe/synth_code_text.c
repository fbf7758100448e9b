// SPDX-License-Identifier: GPL-2.0-only
/*
 * The areas of text that are analysed: numbers of their bytes, padding, and prologues that
 * are recognised by their bytes.
 */
#include "sframe/synth_code_text.h"

#include <errno.h>

#include "util/array.h"

#define ALIGNED 16u

int code_text_add(struct code_text *t, u64 start, u32 size, const u8 *bytes)
{
	if (!array_has_room(t->areas, t->nr, t->room))
		return -ENOMEM;
	t->areas[t->nr++] = (struct code_area){
		.start = start, .size = size, .first = t->size, .bytes = bytes,
	};
	t->size += size;
	return 0;
}

void code_text_release(struct code_text *t)
{
	free(t->areas);
	*t = (struct code_text){ .nr = 0 };
}

u32 code_text_at(const struct code_text *t, u64 pc)
{
	u32 lo = 0, hi = t->nr, mid;
	const struct code_area *a;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (t->areas[mid].start <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return CODE_NOWHERE;
	a = &t->areas[lo - 1];
	return pc - a->start < a->size ? a->first + (u32)(pc - a->start) : CODE_NOWHERE;
}

const struct code_area *code_text_area(const struct code_text *t, u32 at)
{
	u32 lo = 0, hi = t->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (t->areas[mid].first <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return &t->areas[lo - 1];
}

bool code_text_insn(const struct code_area *a, u32 at, struct x86_insn *ret)
{
	u32 off = at - a->first;

	return x86_insn_read(a->bytes + off, a->size - off, a->start + off, ret);
}

bool code_text_pads(const struct code_area *a, u32 off)
{
	const u8 *p = a->bytes + off, *end = a->bytes + a->size;

	if (end - p >= 2 && !p[0] && !p[1])
		return true;
	while (p < end && (*p == 0x66 || *p == 0x2e))
		p++;
	if (p < end && (*p == 0x90 || *p == 0xcc))
		return true;
	return end - p >= 2 && p[0] == 0x0f && p[1] == 0x1f;
}

u32 code_text_skip_padding(const struct code_area *a, u32 off)
{
	struct x86_insn insn;

	while (off < a->size && code_text_pads(a, off) &&
	       code_text_insn(a, a->first + off, &insn))
		off += insn.len;
	return off;
}

static bool ends_with(const struct code_area *a, u32 off, u32 len, const char *bytes)
{
	return off >= len && !memcmp(a->bytes + off - len, bytes, len);
}

/* Padding that is hardly a constant in an instruction: int3 twice, or a longer nop. */
bool code_text_ends(const struct code_area *a, u32 off)
{
	return ends_with(a, off, 2, "\xcc\xcc") || ends_with(a, off, 3, "\x0f\x1f\0") ||
	       ends_with(a, off, 4, "\x0f\x1f\x40\0") ||
	       ends_with(a, off, 5, "\x0f\x1f\x44\0\0") ||
	       ends_with(a, off, 7, "\x0f\x1f\x80\0\0\0\0") ||
	       ends_with(a, off, 8, "\x0f\x1f\x84\0\0\0\0\0");
}

/* Whether padding ends at @off; short padding counts, too. */
static bool is_padded(const struct code_area *a, u32 off)
{
	return ends_with(a, off, 1, "\xcc") || ends_with(a, off, 1, "\x90") ||
	       code_text_ends(a, off);
}

bool code_text_begins(const struct code_area *a, u32 off)
{
	static const u8 endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const u8 *p = a->bytes + off, *end = a->bytes + a->size;

	if ((a->start + off) % ALIGNED || !is_padded(a, off))
		return false;
	if (end - p > 4 && !memcmp(p, endbr, sizeof(endbr)))
		p += sizeof(endbr);
	return end - p >= 4 && p[0] == 0x55 && p[1] == 0x48 &&
	       ((p[2] == 0x89 && p[3] == 0xe5) || (p[2] == 0x8b && p[3] == 0xec));
}
