// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any sequence of reads by util/cursor.h: never outside the bytes, nothing
 * after the first failure, and with the results of a model that stores a number
 * bit by bit.
 */
#include "fuzz.h"

#include "util/cursor.h"

/**
 * model() - read a number in LEB128
 * @p: bytes
 * @len: number of bytes in @p
 * @sign: whether the number is signed
 * @ret: value of the number
 *
 * Return: bytes of the number; 0 if it does not end or does not fit 64 bits.
 */
static size_t model(const u8 *p, size_t len, bool sign, u64 *ret)
{
	size_t n = 0, bits, i;
	bool last;

	*ret = 0;
	while (n < len && p[n] & 0x80)
		n++;
	if (n == len)
		return 0;
	bits = 7 * ++n;
	/* missing bits are zeros, or copies of the highest bit */
	last = sign && p[n - 1] & 0x40;
	for (i = 0; i < bits || i < 64; i++) {
		bool bit = i < bits ? p[i / 7] >> i % 7 & 1 : last;

		if (i < 64)
			*ret |= (u64)bit << i;
		else if (bit != last)
			return 0;
	}
	return !sign || (*ret >> 63 == last) ? n : 0;
}

/* Reads @n bytes as a little-endian number. */
static size_t model_fixed(const u8 *p, size_t len, unsigned int n, bool swap, u64 *ret)
{
	unsigned int i;

	*ret = 0;
	if (len < n)
		return 0;
	for (i = 0; i < n; i++)
		*ret |= (u64)p[swap ? n - 1 - i : i] << 8 * i;
	return n;
}

enum { U8, U16, U32, U64, ULEB, SLEB, VARINT, TAKE, NR_OPS };

static u64 read_one(struct cursor *c, unsigned int op)
{
	switch (op) {
	case U8:
		return cursor_u8(c);
	case U16:
		return cursor_u16(c);
	case U32:
		return cursor_u32(c);
	case U64:
		return cursor_u64(c);
	case ULEB:
		return cursor_uleb(c);
	case SLEB:
		return (u64)cursor_sleb(c);
	case VARINT:
		return cursor_varint(c);
	}
	return !!cursor_take(c, 3);
}

static size_t model_one(const u8 *p, size_t len, unsigned int op, bool swap, u64 *ret)
{
	switch (op) {
	case ULEB:
	case SLEB:
		return model(p, len, op == SLEB, ret);
	case VARINT:
		return model(p, len < LEB_MAX ? len : LEB_MAX, false, ret);
	case TAKE:
		*ret = len >= 3;
		return len >= 3 ? 3 : 0;
	}
	return model_fixed(p, len, 1u << op, swap, ret);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	u32 ops = (u32)take(&in, 4);
	bool swap = ops >> 31;
	size_t len = in.left, n;
	u8 *bytes = malloc(len + !len);
	struct cursor c = cursor_over(bytes, len);
	const u8 *at = bytes;
	u64 want, got;

	memcpy(bytes, in.p, len);
	c.swap = swap;
	/* one read more than there are bytes, so that each input ends in a failure */
	while (!c.bad) {
		unsigned int op = ops % NR_OPS;

		ops = ops >> 3 | ops << 29;
		got = read_one(&c, op);
		n = model_one(at, (size_t)(bytes + len - at), op, swap, &want);
		must(c.bad == !n);
		must(got == (n ? want : 0));
		at += n;
		must(c.bad ? c.p == c.end : c.p == at);
	}
	must(!cursor_u8(&c) && !cursor_uleb(&c) && !cursor_sleb(&c) && !cursor_take(&c, 0));
	free(bytes);
	return 0;
}
