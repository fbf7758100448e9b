// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads strings and symbols of Ruby. Lengths come from the process and are untrusted:
 * each is limited before anything is read.
 */
#include "symbols/lang/ruby_text.h"

#include "util/poison.h"

/*
 * Ids up to this one are operators, and are their index in the table. The lowest 4 bits
 * of other ids have another meaning.
 */
#define LAST_OPERATOR 0xa9u
#define ID_SHIFT 4
/* The symbol table: its last index, and an array of arrays of pairs of string and symbol. */
#define SYMBOLS_ARRAYS 16u
#define UNIT 512u
/* A symbol that is never freed: its id, and 12 in the lowest byte. */
#define SYMBOL_SHIFT 8
#define SYMBOL_STATIC 0x0cu

/* Words of an array with separate elements: flags, class, length, capacity, elements. */
enum {
	ARRAY_FLAGS,
	ARRAY_LEN = 2,
	ARRAY_AT = 4,
	ARRAY_WORDS,
};

bool ruby_string(const struct lang_memory *m, uint64_t at, __u64 ret[RUBY_STRING_WORDS])
{
	return lang_memory_read(m, at, ret, 8 * RUBY_STRING_WORDS) && lang_ruby_is_string(ret);
}

bool ruby_ends(const struct lang_memory *m, const struct lang_ruby *d, uint64_t at,
	       struct lang_ends *ret)
{
	__u64 string[RUBY_STRING_WORDS];

	if (!ruby_string(m, at, string))
		return false;
	ret->len = lang_ruby_length(d, string);
	return lang_ends_of(m, lang_ruby_bytes(d, string, at), ret);
}

bool ruby_text(const struct lang_memory *m, const struct lang_ruby *d, uint64_t at,
	       char ret[RUBY_TEXT_BYTES])
{
	__u64 string[RUBY_STRING_WORDS];
	char bytes[RUBY_TEXT + 1];
	uint64_t len;
	size_t n;

	if (!ruby_string(m, at, string))
		return false;
	len = lang_ruby_length(d, string);
	n = len < RUBY_TEXT ? (size_t)len : RUBY_TEXT;
	if (!lang_memory_read(m, lang_ruby_bytes(d, string, at), bytes, n))
		return false;
	bytes[n] = '\0';
	lang_text_utf8(ret, bytes, n, n < len);
	return true;
}

/* Reads @nr elements of an array, from index @i on. */
static bool elements(const struct lang_memory *m, const struct lang_ruby *d, uint64_t array, uint64_t i,
		     uint64_t *ret, size_t nr)
{
	uint64_t word[ARRAY_WORDS], len, at;

	if (!lang_memory_read(m, array, word, sizeof(word)) ||
	    (word[ARRAY_FLAGS] & RUBY_TYPE) != RUBY_T_ARRAY)
		return false;
	if (word[ARRAY_FLAGS] & RUBY_ARRAY_WITHIN) {
		len = word[ARRAY_FLAGS] >> 15 & (d->old ? 3 : 127);
		at = array + 8 * ARRAY_LEN;
	} else {
		len = word[ARRAY_LEN];
		at = word[ARRAY_AT];
	}
	return nr <= len && i <= len - nr && lang_memory_read(m, at + 8 * i, ret, 8 * nr);
}

bool ruby_symbol(const struct lang_memory *m, const struct lang_ruby *d, uint64_t id,
		 char ret[RUBY_TEXT_BYTES])
{
	uint64_t place = id > LAST_OPERATOR ? id >> ID_SHIFT : id, arrays, array, pair[2];

	return place && place <= UINT32_MAX &&
	       lang_memory_read(m, d->symbols + SYMBOLS_ARRAYS, &arrays, sizeof(arrays)) &&
	       elements(m, d, arrays, place / UNIT, &array, 1) &&
	       elements(m, d, array, place % UNIT * 2, pair, 2) &&
	       pair[1] == (id << SYMBOL_SHIFT | SYMBOL_STATIC) && ruby_text(m, d, pair[0], ret);
}
