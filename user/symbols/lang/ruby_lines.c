// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the line tables of Ruby's code, whose format is in ruby_lines.h, and turns them
 * into sorted pairs of code position and line. Numbers come from the process and are
 * untrusted.
 */
#include "symbols/lang/ruby_lines.h"

#include <stdlib.h>
#include <string.h>

#include "util/cleanup.h"
#include "util/poison.h"

/* Code words whose counts are stored directly: 9 counts of 7 bits in each word of memory. */
#define NEAR 54u
#define NEAR_EACH 9u
#define NEAR_BITS 7u
/*
 * Bits of a block, and its words of memory: the count before the block, the counts before
 * each of its words, its bits.
 */
#define BLOCK 512u
#define BLOCK_WORDS 10u
#define BLOCK_BITS 2u
#define RANK_BITS 9u

/**
 * struct pair - an entry of the table that is built
 * @at: first word of the code that the line applies to
 * @line: line number, 0 if not known
 */
struct pair {
	uint32_t at;
	uint32_t line;
};

/* Words of memory in the bit vector of @size words of code. */
static size_t vector_words(uint64_t size)
{
	size_t near = (size < NEAR ? size + NEAR_EACH - 1 : NEAR) / NEAR_EACH;

	return near + (size < NEAR ? 0 : (size - NEAR + BLOCK - 1) / BLOCK * BLOCK_WORDS);
}

/* Number of entries up to and including word @at of the code. */
static uint32_t rank_of(const uint64_t *vector, uint64_t at)
{
	const uint64_t *block;
	uint64_t bit, word, bits;
	uint32_t rank;

	if (at < NEAR)
		return vector[at / NEAR_EACH] >> at % NEAR_EACH * NEAR_BITS & 127;
	at -= NEAR;
	block = vector + NEAR / NEAR_EACH + at / BLOCK * BLOCK_WORDS;
	bit = at % BLOCK;
	word = bit / 64;
	rank = (uint32_t)block[0];
	if (word)
		rank += block[1] >> (word - 1) * RANK_BITS & (BLOCK - 1);
	bits = block[BLOCK_BITS + word] << (63 - bit % 64);
	return rank + (uint32_t)__builtin_popcountll(bits);
}

static uint32_t line_of(const uint8_t *entries, uint32_t i)
{
	int32_t line;

	memcpy(&line, entries + (size_t)i * RUBY_LINES_ENTRY, sizeof(line));
	return line > 0 ? (uint32_t)line : 0;
}

/* Fills @pair, which has room for @nr. Return: number of pairs; 0 if the vector is invalid. */
static size_t make_pairs(const uint64_t *vector, uint64_t size, const uint8_t *entries, uint32_t nr,
			 struct pair *pair)
{
	uint32_t before = 0, rank;
	uint64_t at;
	size_t n = 0;

	for (at = 0; at < size; at++) {
		rank = rank_of(vector, at);
		if (rank == before)
			continue;
		if (rank < before || rank > nr || n == nr)
			return 0;
		pair[n++] = (struct pair){ (uint32_t)at, line_of(entries, rank - 1) };
		before = rank;
	}
	return n;
}

bool ruby_lines_read(const struct lang_memory *m, const struct lang_ruby *d,
		     const struct lang_ruby_print *p, uint8_t **ret, size_t *ret_len)
{
	uint64_t size = lang_ruby_size(p), places = lang_ruby_word(p, d->lines + 8 * RUBY_LINES_PLACES);
	_cleanup_(cleanup_free) uint64_t *vector = NULL;
	_cleanup_(cleanup_free) uint8_t *entries = NULL;
	uint32_t nr = lang_ruby_nr_lines(p, d);
	struct pair *pair;
	size_t n;

	*ret = NULL;
	*ret_len = 0;
	if (!nr || size > RUBY_LINES_MAX_CODE)
		return true;
	if (nr > size)
		return false;
	n = vector_words(size);
	vector = calloc(n, sizeof(*vector));
	entries = malloc((size_t)nr * RUBY_LINES_ENTRY);
	pair = calloc(nr, sizeof(*pair));
	if (!vector || !entries || !pair ||
	    !lang_memory_read(m, lang_ruby_word(p, d->lines + 8 * RUBY_LINES_TABLE), entries,
			      (size_t)nr * RUBY_LINES_ENTRY) ||
	    (nr > 1 && !lang_memory_read(m, places, vector, n * sizeof(*vector)))) {
		free(pair);
		return false;
	}
	if (nr == 1) {	/* there may be no vector */
		pair[0] = (struct pair){ 0, line_of(entries, 0) };
		n = 1;
	} else {
		n = make_pairs(vector, size, entries, nr, pair);
	}
	*ret = (uint8_t *)pair;
	*ret_len = n * sizeof(*pair);
	return n;
}

/* The program counter is after the current instruction, except at the start of the code. */
uint32_t ruby_lines_line(const uint8_t *table, size_t len, uint32_t place)
{
	const struct pair *pair = (const struct pair *)table;
	size_t lo = 0, hi = len / sizeof(*pair), mid;
	uint32_t at = place > 1 ? place - 2 : 0;

	if (!place)
		return 0;
	while (hi > lo) {
		mid = lo + (hi - lo) / 2;
		if (pair[mid].at <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? pair[lo - 1].line : 0;
}
