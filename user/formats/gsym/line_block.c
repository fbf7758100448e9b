// SPDX-License-Identifier: MIT
/*
 * The search for a row of a line table, 64 bytes at a time. About every other
 * opcode is not special and has an operand of one or two bytes, in an order
 * that a processor cannot predict. Read opcode by opcode, this takes most of
 * the time of a lookup.
 *
 * A byte is an opcode or part of an operand, which depends on the bytes before
 * it: the bytes 1, 2 and 3 begin an operand if they are opcodes, and end one if
 * they are part of an operand; bytes with bit 7 change nothing; all others end
 * an operand or are an opcode without one. So the answer is whether the number
 * of bytes 1, 2 and 3 since the last byte of the third kind is odd or even.
 */
#include "formats/gsym/line_walk.h"

#ifdef __SSE2__
#include <emmintrin.h>

#define VECTORS (GSYM_LINE_BLOCK / 16)
/*
 * Loops over vectors are unrolled by a pragma, as -O2 does not do it: otherwise
 * the vectors would be kept in memory.
 */

/**
 * struct block - the present bytes, and masks with one bit for each
 * @v: the bytes
 * @high: bytes with bit 7: an operand does not end with them
 * @special: special opcodes
 * @pc: operands of GSYM_LINE_PC: the byte is the advance of the address
 * @line: first bytes of operands of GSYM_LINE_LINE
 * @file: opcodes GSYM_LINE_FILE
 * @stop: bytes that cannot be handled here; nothing is taken from the first of
 *        them on
 * @ends: the first bit of @stop is the end of the table
 */
struct block {
	__m128i v[VECTORS];
	uint64_t high;
	uint64_t special;
	uint64_t pc;
	uint64_t line;
	uint64_t file;
	uint64_t stop;
	bool ends;
};

static inline uint64_t bits_of(const __m128i v[VECTORS])
{
	uint64_t ret = 0;
	unsigned int i;

#pragma GCC unroll 4
	for (i = 0; i < VECTORS; i++)
		ret |= (uint64_t)(uint32_t)_mm_movemask_epi8(v[i]) << 16 * i;
	return ret;
}

static inline uint64_t equal(const struct block *b, char value)
{
	__m128i v[VECTORS];
	unsigned int i;

#pragma GCC unroll 4
	for (i = 0; i < VECTORS; i++)
		v[i] = _mm_cmpeq_epi8(b->v[i], _mm_set1_epi8(value));
	return bits_of(v);
}

/* Return: bytes 0xff for the ones in @bits, for vector @i. */
static inline __m128i bytes_of(uint64_t bits, unsigned int i)
{
	const __m128i each = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128,
					    1, 2, 4, 8, 16, 32, 64, -128);
	__m128i v = _mm_cvtsi32_si128((int)(bits >> 16 * i & 0xffff));

	v = _mm_unpacklo_epi8(v, v);
	v = _mm_shufflelo_epi16(v, 0x50);
	v = _mm_and_si128(_mm_shuffle_epi32(v, 0x50), each);
	return _mm_cmpeq_epi8(v, each);
}

static inline uint64_t sum_of(__m128i v)
{
	v = _mm_add_epi64(v, _mm_unpackhi_epi64(v, v));
	return (uint64_t)_mm_cvtsi128_si64(v);
}

/*
 * @toggle: the bytes 1, 2 and 3. Return: the bytes of operands, if the first
 *          byte is an opcode.
 */
static inline uint64_t operands(uint64_t toggle, uint64_t high)
{
	uint64_t parity = toggle, reset = ~(toggle | high), first, odd, sum;
	unsigned int i;

	for (i = 1; i < 64; i *= 2)
		parity ^= parity << i;
	/* an odd number at a reset holds until the next reset: a carry propagates it */
	first = reset << 1;
	odd = (reset & parity) << 1;
	sum = (~first | odd) + odd;
	return parity << 1 ^ (((sum ^ ~first) & ~first) | odd);
}

/* @most: number of bytes until the end of the table. */
static inline void classify(struct block *b, uint64_t most)
{
	const uint64_t zero = equal(b, GSYM_LINE_END), file = equal(b, GSYM_LINE_FILE);
	const uint64_t pc = equal(b, GSYM_LINE_PC), line = equal(b, GSYM_LINE_LINE);
	const uint64_t toggle = file | pc | line;
	uint64_t op, behind;

	b->high = bits_of(b->v);
	op = ~operands(toggle, b->high);
	b->stop = 0;
	if (most < GSYM_LINE_BLOCK) {
		b->stop = ~0ull << most;
		op &= ~b->stop;
	}
	b->special = op & ~(toggle | zero);
	b->file = op & file;
	b->pc = (op & pc) << 1;
	b->line = (op & line) << 1;
	/*
	 * operands that are too long: of more than one byte, two and three
	 * bytes; and operands that are cut off
	 */
	b->stop |= (op & zero) | (b->pc & b->high);
	behind = (b->file << 1 & b->high) << 1;
	b->stop |= behind & b->high;
	behind = ((b->line & b->high) << 1 & b->high) << 1;
	b->stop |= behind & b->high;
	b->ends = b->stop & -b->stop & op & zero;
}

static inline uint64_t count(uint64_t bits)
{
	bits -= bits >> 1 & 0x5555555555555555;
	bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
	bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return bits * 0x0101010101010101 >> 56;
}

/* Return: all bits up to the last one of @bits, which is not 0. */
static inline uint64_t up_to_last(uint64_t bits)
{
	return ~0ull >> __builtin_clzll(bits);
}

/**
 * struct special - effect of special opcodes
 * @advance: bytes by which each one advances the address
 * @sum: sum of @advance
 * @adjusted: sum of the opcodes, each minus GSYM_LINE_SPECIAL
 */
struct special {
	__m128i advance[VECTORS];
	uint64_t sum;
	uint64_t adjusted;
};

static inline void take_special(const struct block *b, uint64_t special, uint64_t range,
				struct special *ret)
{
	const __m128i zero = _mm_setzero_si128(), first = _mm_set1_epi8(GSYM_LINE_SPECIAL);
	const __m128i factor = _mm_set1_epi16((short)gsym_line_reciprocal(range));
	__m128i adjusted = zero, sum = zero, v, low, high;
	unsigned int i;

#pragma GCC unroll 4
	for (i = 0; i < VECTORS; i++) {
		v = _mm_and_si128(_mm_sub_epi8(b->v[i], first), bytes_of(special, i));
		low = _mm_mulhi_epu16(_mm_unpacklo_epi8(v, zero), factor);
		high = _mm_mulhi_epu16(_mm_unpackhi_epi8(v, zero), factor);
		ret->advance[i] = _mm_packus_epi16(low, high);
		adjusted = _mm_add_epi64(adjusted, _mm_sad_epu8(v, zero));
		sum = _mm_add_epi64(sum, _mm_sad_epu8(ret->advance[i], zero));
	}
	ret->sum = sum_of(sum);
	ret->adjusted = sum_of(adjusted);
}

/* Return: sum of the bytes at @bits. */
static inline uint64_t sum_at(const __m128i v[VECTORS], uint64_t bits)
{
	const __m128i zero = _mm_setzero_si128();
	__m128i sum = zero;
	unsigned int i;

#pragma GCC unroll 4
	for (i = 0; i < VECTORS; i++)
		sum = _mm_add_epi64(sum, _mm_sad_epu8(_mm_and_si128(v[i], bytes_of(bits, i)),
						      zero));
	return sum_of(sum);
}

/*
 * Return: sum of the signed operands whose first bytes are @at. It adds the
 * groups of 7 bits; the last group of each operand counts as 64 more than it
 * is, so that no byte is negative, and 64 is subtracted afterwards.
 */
static inline uint64_t line_operands(const struct gsym_line_walk *w, const struct block *b,
				     uint64_t at)
{
	const __m128i last = _mm_set1_epi8(0x40), other = _mm_set1_epi8((char)0xc0);
	uint64_t second = (at & b->high) << 1, third = (second & b->high) << 1, sum;
	__m128i v[VECTORS], c;
	unsigned int i;

#pragma GCC unroll 4
	for (i = 0; i < VECTORS; i++) {
		c = _mm_and_si128(_mm_cmplt_epi8(b->v[i], _mm_setzero_si128()), other);
		v[i] = _mm_xor_si128(b->v[i], _mm_xor_si128(c, last));
	}
	sum = sum_at(v, at) - 64 * count(at & ~b->high);
	sum += (sum_at(v, second) - 64 * count(second & ~b->high)) << 7;
	for (; unlikely(third); third &= third - 1)
		sum += ((uint64_t)(w->p[__builtin_ctzll(third)] ^ 0x40) - 0x40) << 14;
	return sum;
}

/*
 * Return: those of the rows at @rows that are at or below the address that @w
 * searches for.
 */
static inline uint64_t reached(const struct gsym_line_walk *w, const struct block *b,
			       const struct special *s, uint64_t rows)
{
	uint8_t advance[GSYM_LINE_BLOCK];
	uint64_t left = w->left;
	unsigned int i;

#pragma GCC unroll 4
	for (i = 0; i < VECTORS; i++)
		_mm_storeu_si128((__m128i *)advance + i,
				 _mm_or_si128(s->advance[i],
					      _mm_and_si128(b->v[i], bytes_of(b->pc & rows, i))));
	for (i = 0; advance[i] <= left; i++)
		left -= advance[i];
	return rows & ((1ull << i) - 1);
}

static inline void take_file(struct gsym_line_walk *w, uint64_t file)
{
	const uint8_t *p = w->p + 64 - __builtin_clzll(file);

	w->file = p[0] & 0x80 ? (p[0] & 0x7fu) | (uint32_t)p[1] << 7 : p[0];
}

int gsym_line_block(struct gsym_line_walk *w)
{
	uint64_t rows, upto, advanced;
	struct special s;
	struct block b;
	unsigned int i;
	bool found;

#pragma GCC unroll 4
	for (i = 0; i < VECTORS; i++)
		b.v[i] = _mm_loadu_si128((const __m128i *)w->p + i);
	classify(&b, (uint64_t)(w->end - w->p));
	rows = (b.special | b.pc) & ((b.stop & -b.stop) - 1);
	if (!rows)
		return b.ends ? 1 : -EAGAIN;
	take_special(&b, b.special & rows, w->h->range, &s);
	advanced = s.sum + sum_at(b.v, b.pc & rows);
	found = b.ends;
	if (advanced > w->left) {
		found = true;
		rows = reached(w, &b, &s, rows);
		if (!rows)
			return 1;
		take_special(&b, b.special & rows, w->h->range, &s);
		advanced = 0;
	}
	upto = up_to_last(rows);
	w->line += s.adjusted - w->h->range * s.sum + (uint64_t)w->h->min *
		   count(b.special & rows) + line_operands(w, &b, b.line & upto);
	if (b.file & upto)
		take_file(w, b.file & upto);
	w->left -= advanced;
	w->p += 64 - __builtin_clzll(rows);
	w->has_row = true;
	return found;
}
#endif
