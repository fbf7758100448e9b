// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any sequence of reads by the core's cursor: never outside [pos, end), and
 * with the results of a model.
 */
#include "fuzz.h"

/* The model: reads @n bytes at @pos as a number. Return: false if there are fewer. */
static bool model(const u8 *bytes, u32 *pos, u32 end, bool *failed, u32 n, u64 *ret)
{
	*ret = 0;
	if (*failed || *pos > end || n > end - *pos) {
		*failed = true;
		return false;
	}
	while (n) {
		n--;
		*ret = *ret << 8 | bytes[*pos + n];
	}
	return true;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	u32 pos = (u32)take(&in, 1), end = (u32)take(&in, 1), n, op;
	u8 *bytes = malloc(end + !end);
	struct ustack_cursor c;
	bool failed = pos > end;
	u64 want, got;

	memset(bytes, 0x5a, end);
	memcpy(bytes, in.p, in.left < end ? in.left : end);
	ustack_cursor_init(&c, bytes, pos, end);
	while (in.left) {
		op = (u32)take(&in, 1);
		n = op & 4 ? (u32)take(&in, 4) : 1u << (op & 3);
		if (op & 4) {
			/* an access of any length */
			const u8 *p = ustack_cursor_take(&c, n);

			if (failed || n > end - pos)
				failed = true;
			must(!p == failed);
			must(failed || p == bytes + pos);
			got = want = 0;
		} else {
			got = n == 1 ? ustack_cursor_u8(&c) :
			      n == 2 ? ustack_cursor_u16(&c) :
			      n == 4 ? ustack_cursor_u32(&c) :
				       ustack_cursor_u64(&c);
			model(bytes, &pos, end, &failed, n, &want);
		}
		must(got == want);
		must(c.failed == failed);
		if (!failed)
			pos += n;
		must(failed || c.pos == pos);
		must(failed || c.pos <= c.end);
	}
	free(bytes);
	return 0;
}
