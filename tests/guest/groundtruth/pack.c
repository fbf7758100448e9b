// SPDX-License-Identifier: GPL-2.0-only
/*
 * The packed form is a sequence of (number of predicted words, number of given words), both as
 * LEB128, followed by the given words; at the end are the bytes that are not a whole word.
 */
#include <string.h>

#include "pack.h"

static struct gt_pack_slot *slot_of(struct gt_pack *pack, uint32_t tid)
{
	return &pack->slots[tid % GT_PACK_SLOTS];
}

/* the word at ADDR when this thread was last seen */
static uint64_t predict(const struct gt_pack_slot *s, uint32_t tid, uint64_t addr)
{
	uint64_t word, off = addr - s->addr;

	if (s->tid != tid || addr < s->addr || off % 8 || off + 8 > s->len)
		return 0;
	memcpy(&word, s->data + off, 8);
	return word;
}

static uint8_t *put_uleb(uint8_t *out, size_t n)
{
	for (; n >= 0x80; n >>= 7)
		*out++ = n | 0x80;
	*out++ = n;
	return out;
}

static uint64_t word_at(const uint8_t *data, size_t i)
{
	uint64_t word;

	memcpy(&word, data + 8 * i, 8);
	return word;
}

static void remember(struct gt_pack_slot *s, uint32_t tid, uint64_t addr,
		     const uint8_t *data, size_t len)
{
	s->tid = tid;
	s->addr = addr;
	s->len = len;
	memmove(s->data, data, len);
}

size_t gt_pack_stack(struct gt_pack *pack, uint32_t tid, uint64_t addr,
		     const uint8_t *data, size_t len, uint8_t *out)
{
	struct gt_pack_slot *s = slot_of(pack, tid);
	size_t words = len / 8, i = 0, same, given;
	uint8_t *p = out;

	while (i < words) {
		for (same = 0; i + same < words; same++)
			if (word_at(data, i + same) != predict(s, tid, addr + 8 * (i + same)))
				break;
		i += same;
		for (given = 0; i + given < words; given++)
			if (word_at(data, i + given) == predict(s, tid, addr + 8 * (i + given)))
				break;
		p = put_uleb(p, same);
		p = put_uleb(p, given);
		memcpy(p, data + 8 * i, 8 * given);
		p += 8 * given;
		i += given;
	}
	memcpy(p, data + 8 * words, len % 8);
	p += len % 8;
	remember(s, tid, addr, data, len);
	return p - out;
}

static int get_uleb(const uint8_t **in, const uint8_t *end, size_t *ret)
{
	size_t n = 0;
	int shift;

	for (shift = 0; *in < end && shift < 28; shift += 7) {
		uint8_t byte = *(*in)++;

		n |= (size_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*ret = n;
			return 0;
		}
	}
	return -1;
}

const uint8_t *gt_unpack_stack(struct gt_pack *pack, uint32_t tid,
			       uint64_t addr, size_t len, const uint8_t *in,
			       size_t in_len)
{
	static uint8_t buf[GT_MAX_STACK];
	struct gt_pack_slot *s = slot_of(pack, tid);
	const uint8_t *end = in + in_len;
	size_t words = len / 8, i = 0, same, given;

	if (len > sizeof(buf))
		return NULL;
	while (i < words) {
		if (get_uleb(&in, end, &same) || get_uleb(&in, end, &given) ||
		    same > words - i || given > words - i - same ||
		    8 * given > (size_t)(end - in))
			return NULL;
		for (; same; same--, i++) {
			uint64_t word = predict(s, tid, addr + 8 * i);

			memcpy(buf + 8 * i, &word, 8);
		}
		memcpy(buf + 8 * i, in, 8 * given);
		in += 8 * given;
		i += given;
	}
	if ((size_t)(end - in) < len % 8)
		return NULL;
	memcpy(buf + 8 * words, in, len % 8);
	remember(s, tid, addr, buf, len);
	return buf;
}
