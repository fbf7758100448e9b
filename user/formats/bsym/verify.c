// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks a whole BSYM file: reports what breaks the rules of the format, and
 * what is only unusual.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formats/bsym/read.h"

#include "util/poison.h"

/* Most findings that are reported; further ones are only counted. */
#define MAX_REPORTED 20u

struct verify {
	const struct bsym *b;
	void (*note)(bool odd, const char *text, void *arg);
	void *arg;
	uint64_t wrong;
	unsigned int reported;
	struct bsym_budget left;
};

__attribute__((__format__(__printf__, 3, 4)))
static void say(struct verify *v, bool odd, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	v->wrong += !odd;
	if (v->reported++ >= MAX_REPORTED)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	v->note(odd, text, v->arg);
}

#define wrong(v, ...) say(v, false, __VA_ARGS__)
#define odd(v, ...) say(v, true, __VA_ARGS__)

/* Checks that a string is in the file and that its tokens are defined. */
static void check_string(struct verify *v, uint32_t at, const char *what, uint32_t number)
{
	uint32_t len, i;
	const uint8_t *p;

	if (v->b->units && !at)
		return;
	p = bsym_raw(v->b, at, &len);
	if (p && !bsym_may_name(&v->left, (int)len)) {
		v->left.text = 0;
		return;
	}
	if (!p) {
		wrong(v, "%s %" PRIu32 " has a name outside of the file, at 0x%" PRIx32, what,
		      number, at);
		return;
	}
	for (i = 0; bsym_major(v->b) == 2 && i < len; i++)
		if (p[i] >= 0x80 && p[i] - 0x80u >= v->b->info.nr_tokens) {
			wrong(v, "%s %" PRIu32 " has token %u in its name, of %" PRIu32, what,
			      number, p[i] - 0x80u, v->b->info.nr_tokens);
			break;
		}
	if (len && memchr(p, 0, len))
		odd(v, "%s %" PRIu32 " has a NUL in its name", what, number);
}

static void check_symbol(struct verify *v, const struct bsym_codeseg *c, uint32_t i,
			 uint64_t *last, uint64_t *end)
{
	const uint32_t number = c->first + i;
	struct bsym_symbol s;

	if (bsym_symbol(v->b, c, i, &s))
		wrong(v, "symbol %" PRIu32 " has a prefix outside of the file", number);
	else if (s.has_prefix)
		check_string(v, s.prefix, "the prefix of symbol", number);
	check_string(v, s.name, "symbol", number);
	if (i && s.address < *last)
		wrong(v, "symbol %" PRIu32 " is at 0x%" PRIx32 ", below the one before it", number,
		      s.address);
	else if (i && s.address < *end)
		odd(v, "symbol %" PRIu32 " at 0x%" PRIx32 " begins in the one before it", number,
		    s.address);
	if (s.length > 0xffff && !v->b->units)
		odd(v, "symbol %" PRIu32 " has 0x%" PRIx32 " bytes, which do not fit 16 bits",
		    number, s.length);
	if (!s.length && !v->b->units)
		odd(v, "symbol %" PRIu32 " has no bytes", number);
	*last = s.address;
	*end = (uint64_t)s.address + s.length;
}

static void check_codeseg(struct verify *v, uint32_t i, uint32_t *last)
{
	struct bsym_codeseg c;
	uint64_t address = 0, end = 0;
	struct bsym_symbol first;
	uint32_t k;

	if (bsym_codeseg(v->b, i, &c)) {
		wrong(v, "code segment %" PRIu32 " has symbols outside of the table", i);
		return;
	}
	check_string(v, c.name, "code segment", i);
	if (c.address < *last)
		wrong(v, "code segment %" PRIu32 " is at 0x%" PRIx32 ", below the one before it", i,
		      c.address);
	*last = c.address;
	if (!bsym_may_walk(&v->left, &c)) {
		wrong(v, "code segment %" PRIu32 " shares symbols with others", i);
		return;
	}
	if (!c.nr)
		odd(v, "code segment %" PRIu32 " has no symbols", i);
	for (k = 0; k < c.nr; k++)
		check_symbol(v, &c, k, &address, &end);
	if (c.nr && !v->b->units && !bsym_symbol(v->b, &c, 0, &first) && c.address &&
	    first.address != c.address)
		odd(v, "code segment %" PRIu32 " is at 0x%" PRIx32 ", its first symbol at 0x%" PRIx32,
		    i, c.address, first.address);
}

static void check_renames(struct verify *v)
{
	uint32_t i, codeseg, name, last = 0;

	for (i = 0; i < v->b->info.nr_renames; i++) {
		bsym_rename(v->b, i, &codeseg, &name);
		check_string(v, name, "rename", i);
		if (codeseg >= v->b->info.nr_codesegs)
			wrong(v, "rename %" PRIu32 " is of code segment %" PRIu32
			      ", which is not there", i, codeseg);
		else if (codeseg < last)
			wrong(v, "rename %" PRIu32 " is not in order", i);
		last = codeseg;
	}
}

static void check_tokens(struct verify *v)
{
	uint32_t i, len;

	for (i = 0; i < v->b->info.nr_tokens; i++)
		if (!bsym_raw(v->b, bsym_be32(v->b->tokens + 4 * (size_t)i), &len))
			wrong(v, "token %" PRIu32 " is outside of the file", i);
}

/* The format's document wants aligned sections; readers do not need it. */
static void check_alignment(struct verify *v)
{
	static const char *const names[] = { "code segments", "symbols", "tokens", "renames" };
	const uint8_t *at[] = { v->b->codesegs, v->b->symbols, v->b->tokens, v->b->renames };
	unsigned int i;

	for (i = 0; i < 4 && !v->b->units; i++)
		if (at[i] && (at[i] - v->b->bytes) % 4)
			odd(v, "the table of %s is not aligned", names[i]);
}

uint64_t bsym_verify(const struct bsym *b,
		     void (*note)(bool odd, const char *text, void *arg), void *arg)
{
	struct verify v = { .b = b, .note = note, .arg = arg };
	uint32_t i, last = 0;
	char text[64];

	bsym_budget(b, &v.left);
	check_alignment(&v);
	check_tokens(&v);
	for (i = 0; i < b->info.nr_codesegs; i++)
		check_codeseg(&v, i, &last);
	check_renames(&v);
	if (!v.left.text)
		wrong(&v, "names have more bytes than the file may have");
	if (v.reported > MAX_REPORTED) {
		snprintf(text, sizeof(text), "%u more of this kind", v.reported - MAX_REPORTED);
		note(true, text, arg);
	}
	return v.wrong;
}
