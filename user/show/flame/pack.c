// SPDX-License-Identifier: GPL-2.0-only
/* Numbers as LEB128 in base64. See pack.h; data.c uses it. */
#include "show/flame/pack.h"

#include "util/array.h"

#include "util/poison.h"

static bool put_char(struct pack *p, char c)
{
	if (!array_has_room(p->text, p->len, p->room))
		return false;
	p->text[p->len++] = c;
	return true;
}

/* Writes the waiting bytes in base64: RFC 4648, section 4. */
static bool put_waiting(struct pack *p)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = (uint32_t)p->waiting[0] << 16 | (uint32_t)p->waiting[1] << 8 |
			p->waiting[2];
	unsigned int i;

	for (i = 0; i < 4; i++)
		if (!put_char(p, i <= p->nr_waiting ? digits[bits >> (18 - 6 * i) & 63] : '='))
			return false;
	p->nr_waiting = 0;
	p->waiting[1] = 0;
	p->waiting[2] = 0;
	return true;
}

static bool put_byte(struct pack *p, uint8_t byte)
{
	p->waiting[p->nr_waiting++] = byte;
	return p->nr_waiting < 3 || put_waiting(p);
}

bool pack_number(struct pack *p, uint64_t number)
{
	for (; number > 127; number >>= 7)
		if (!put_byte(p, (uint8_t)(number | 128)))
			return false;
	return put_byte(p, (uint8_t)number);
}

bool pack_end(struct pack *p)
{
	if (p->nr_waiting && !put_waiting(p))
		return false;
	return put_char(p, '\0');
}
