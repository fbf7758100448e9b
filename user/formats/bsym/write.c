// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a BSYM file: sorts and trims what was collected, then makes the
 * tables, and the strings that they point to. The strings follow the tables in
 * the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bsym/new.h"
#include "formats/bsym/read.h"
#include "util/array.h"
#include "util/file.h"

#include "util/poison.h"

#define SEPARATOR "::"
#define MAX_LENGTH 65535u
#define MAX_PREFIXES 65534u

/* A growing piece of the file. */
struct bytes {
	uint8_t *p;
	size_t len;
	size_t room;
	bool no_memory;
};

/**
 * struct writer - a file that is being written
 * @n: what was collected; borrowed
 * @o: options; borrowed
 * @tokens: list of tokens; NULL in version 1.0
 * @nr_tokens: number of @tokens
 * @tables: header and tables
 * @strings: strings, which follow @tables
 * @at: offset in the file of @strings
 * @prefix_of: for each symbol of the present code segment its number in
 *             @prefixes, or 0
 * @prefixes: prefixes of the present code segment
 * @done: figures for the caller
 * @text: buffer for a string while its tokens are replaced
 */
struct writer {
	struct bsym_new *n;
	const struct bsym_write_options *o;
	const char *const *tokens;
	size_t nr_tokens;
	struct bytes tables;
	struct bytes strings;
	uint64_t at;
	uint16_t *prefix_of;
	struct strings prefixes;
	struct bsym_written done;
	char *text;
};

static void put(struct bytes *b, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	while (len--) {
		if (!array_has_room(b->p, b->len, b->room)) {
			b->no_memory = true;
			return;
		}
		b->p[b->len++] = *p++;
	}
}

static void put_u32(struct bytes *b, uint32_t v)
{
	const uint8_t p[] = { (uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8),
			      (uint8_t)v };

	put(b, p, sizeof(p));
}

/* Return: the offset that the next string will have. */
static uint32_t here(const struct writer *w)
{
	return (uint32_t)(w->at + w->strings.len);
}

static void put_raw(struct writer *w, const char *s, size_t len)
{
	struct bytes *b = &w->strings;

	if (len >= 0xff)
		put(b, (const uint8_t[]){ 0xff, (uint8_t)(len >> 8), (uint8_t)len }, 3);
	else
		put(b, (const uint8_t[]){ (uint8_t)len }, 1);
	put(b, s, len);
}

/* Replaces each occurrence of @token by one byte. Return: the new length. */
static size_t replace(char *s, size_t len, const char *token, uint8_t byte)
{
	size_t n = strlen(token);
	char *to = s, *found, *end = s + len;

	while ((found = memmem(s, (size_t)(end - s), token, n))) {
		memmove(to, s, (size_t)(found - s));
		to += found - s;
		*to++ = (char)byte;
		s = found + n;
	}
	memmove(to, s, (size_t)(end - s));
	return len - (size_t)(s - to);
}

static void put_string(struct writer *w, const char *s, size_t len)
{
	bool replaced = false;
	size_t i;

	if (len > BSYM_MAX_STRING)
		len = BSYM_MAX_STRING;
	memcpy(w->text, s, len);
	for (i = 0; w->tokens && i < len; i++)
		if (w->text[i] & 0x80) {
			w->text[i] = '?';
			replaced = true;
		}
	w->done.mended += replaced;
	for (i = w->nr_tokens; i-- && w->tokens;)
		if (w->tokens[i][0])
			len = replace(w->text, len, w->tokens[i], (uint8_t)(0x80 | i));
	put_raw(w, w->text, len);
}

static int by_address(const void *x, const void *y)
{
	const struct new_symbol *a = x, *b = y;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static int by_place(const void *x, const void *y)
{
	const struct new_codeseg *a = x, *b = y;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Removes symbols of length 0. @next: address of the next code segment, or 0. */
static void trim(struct writer *w, struct new_codeseg *c, uint32_t next)
{
	struct new_symbol *s;
	uint32_t i, to = 0;

	if (!c->nr)
		return;
	s = w->n->symbols + c->first;
	if (c->nr == 1 && !s->length && !c->relocatable && next > s->address)
		s->length = next - s->address;
	for (i = 0; i < c->nr; i++) {
		if (!s[i].length) {
			w->done.empty++;
			continue;
		}
		s[to] = s[i];
		if (s[to].length > MAX_LENGTH) {
			s[to].length = MAX_LENGTH;
			w->done.cut++;
		}
		to++;
	}
	c->nr = to;
}

static void arrange(struct writer *w)
{
	struct bsym_new *n = w->n;
	struct new_codeseg *c;
	size_t i, to = 0;

	for (i = 0; i < n->nr_codesegs; i++) {
		c = &n->codesegs[i];
		if (c->nr)
			qsort(n->symbols + c->first, c->nr, sizeof(*n->symbols), by_address);
		c->address = c->relocatable || !c->nr ? 0 : n->symbols[c->first].address;
	}
	if (n->nr_codesegs)
		qsort(n->codesegs, n->nr_codesegs, sizeof(*n->codesegs), by_place);
	for (i = 0; i < n->nr_codesegs; i++) {
		c = &n->codesegs[i];
		trim(w, c, i + 1 < n->nr_codesegs ? c[1].address : 0);
		if (!c->nr)
			continue;
		c->address = c->relocatable ? 0 : n->symbols[c->first].address;
		n->codesegs[to++] = *c;
		w->done.symbols += c->nr;
	}
	n->nr_codesegs = to;
	/* a code segment that lost its first symbol may now begin after another one */
	if (to)
		qsort(n->codesegs, to, sizeof(*n->codesegs), by_place);
	w->done.codesegs = (uint32_t)to;
}

static const char *symbol_text(const struct writer *w, const struct new_symbol *s)
{
	return w->n->strings.entries[s->name].s;
}

/* Return: the last "::" of a name, or NULL. */
static const char *last_separator(const char *name)
{
	const char *last = NULL, *at = name;

	while ((at = strstr(at, SEPARATOR)))
		last = at++;
	return last;
}

/* Stores the number of a symbol's prefix in its code segment: from 1; 0 if it has none. */
static int number_prefix(struct writer *w, const struct new_codeseg *c, uint32_t i)
{
	const char *name = symbol_text(w, &w->n->symbols[c->first + i]);
	const char *end = last_separator(name);
	uint32_t number;

	w->prefix_of[i] = 0;
	/* number 0 is the empty prefix */
	if (!end || end == name)
		return 0;
	number = strings_find(&w->prefixes, name, (size_t)(end - name));
	if (!number && w->prefixes.nr > MAX_PREFIXES)
		return 0;
	if (!number && strings_add(&w->prefixes, name, (size_t)(end - name), &number))
		return -ENOMEM;
	w->prefix_of[i] = (uint16_t)number;
	return 0;
}

/*
 * Writes the prefixes of a code segment: a table of offsets and the strings.
 * Return: offset of the table; 0 if there are no prefixes.
 */
static uint32_t put_prefixes(struct writer *w)
{
	uint32_t table = here(w), i;
	size_t slot = w->strings.len;

	if (w->prefixes.nr <= 1)
		return 0;
	for (i = 1; i < w->prefixes.nr; i++)
		put_u32(&w->strings, 0);
	for (i = 1; i < w->prefixes.nr && !w->strings.no_memory; i++, slot += 4) {
		uint32_t at = here(w);
		uint8_t *p = w->strings.p + slot;

		p[0] = (uint8_t)(at >> 24);
		p[1] = (uint8_t)(at >> 16);
		p[2] = (uint8_t)(at >> 8);
		p[3] = (uint8_t)at;
		put_string(w, w->prefixes.entries[i].s, w->prefixes.entries[i].len);
	}
	w->done.prefixes += w->prefixes.nr - 1;
	return table;
}

/*
 * Writes the entry of a code segment and its strings. @words gets the prefix of
 * each symbol, in the order of the symbols of all code segments, for
 * put_symbol().
 */
static int put_codeseg(struct writer *w, const struct new_codeseg *c, uint32_t first,
		       struct bytes *words)
{
	const struct strings_entry *name = &w->n->strings.entries[c->name];
	uint32_t at = here(w), table, i;
	int err;

	put_string(w, name->s, name->len);
	err = strings_init(&w->prefixes);
	free(w->prefix_of);
	w->prefix_of = calloc(c->nr, sizeof(*w->prefix_of));
	for (i = 0; !err && w->prefix_of && i < c->nr; i++)
		err = number_prefix(w, c, i);
	table = err ? 0 : put_prefixes(w);
	strings_release(&w->prefixes);
	if (err || !w->prefix_of)
		return -ENOMEM;
	put_u32(&w->tables, c->address);
	put_u32(&w->tables, c->nr);
	put_u32(&w->tables, at);
	put_u32(&w->tables, first);
	put_u32(&w->tables, table);
	for (i = 0; i < c->nr; i++)
		put_u32(words, (uint32_t)w->prefix_of[i] << 16);
	return 0;
}

static void put_symbol(struct writer *w, const struct new_symbol *s, const uint8_t *word)
{
	const char *name = symbol_text(w, s), *end;
	uint32_t prefix = bsym_be32(word);

	if (prefix) {
		end = last_separator(name);
		name = end + strlen(SEPARATOR);
	}
	put_u32(&w->tables, s->address);
	put_u32(&w->tables, prefix | (uint32_t)s->length);
	put_u32(&w->tables, here(w));
	put_string(w, name, strlen(name));
}

static int put_codesegs(struct writer *w)
{
	struct bytes words = { 0 };
	uint32_t first = 0, k;
	const uint8_t *word;
	size_t i;
	int err = 0;

	put_u32(&w->tables, w->done.codesegs);
	for (i = 0; !err && i < w->n->nr_codesegs; i++) {
		err = put_codeseg(w, &w->n->codesegs[i], first, &words);
		first += w->n->codesegs[i].nr;
	}
	put_u32(&w->tables, first);
	word = words.p;
	if (words.no_memory)
		err = -ENOMEM;
	for (i = 0; !err && i < w->n->nr_codesegs; i++)
		for (k = 0; k < w->n->codesegs[i].nr; k++, word += 4)
			put_symbol(w, &w->n->symbols[w->n->codesegs[i].first + k], word);
	free(words.p);
	return err;
}

static void put_tokens(struct writer *w)
{
	size_t i;

	put_u32(&w->tables, (uint32_t)w->nr_tokens);
	for (i = 0; i < w->nr_tokens; i++) {
		put_u32(&w->tables, here(w));
		put_raw(w, w->tokens[i], strlen(w->tokens[i]));
	}
}

static uint32_t count_renames(const struct writer *w)
{
	uint32_t nr = 0;
	size_t i;

	for (i = 0; i < w->n->nr_codesegs; i++)
		nr += w->n->codesegs[i].nr_renames;
	return nr;
}

static void put_renames(struct writer *w)
{
	const struct strings_entry *name;
	size_t i;
	uint32_t k;

	put_u32(&w->tables, count_renames(w));
	for (i = 0; i < w->n->nr_codesegs; i++)
		for (k = 0; k < w->n->codesegs[i].nr_renames; k++) {
			name = &w->n->strings.entries[w->n->renames[w->n->codesegs[i].first_rename + k]];
			put_u32(&w->tables, (uint32_t)i);
			put_u32(&w->tables, here(w));
			put_string(w, name->s, name->len);
		}
}

/* Writes the header, and computes where the tables and the strings begin. */
static void put_header(struct writer *w)
{
	const uint32_t version = w->o->version;
	const bool tokens = version >= BSYM_VERSION(2, 0), renames = version >= BSYM_VERSION(2, 1);
	uint64_t at = 16 + 4 * (uint64_t)tokens + 4 * (uint64_t)renames;
	uint64_t symbols = at + 4 + BSYM_CODESEG_BYTES * (uint64_t)w->done.codesegs;
	uint64_t token = symbols + 4 + BSYM_SYMBOL_BYTES * (uint64_t)w->done.symbols;
	uint64_t rename = token + (tokens ? 4 + 4 * w->nr_tokens : 0);

	put_u32(&w->tables, BSYM_MAGIC);
	put_u32(&w->tables, version);
	put_u32(&w->tables, (uint32_t)at);
	put_u32(&w->tables, (uint32_t)symbols);
	if (tokens)
		put_u32(&w->tables, (uint32_t)token);
	if (renames)
		put_u32(&w->tables, (uint32_t)rename);
	else
		w->done.renames_lost = count_renames(w);
	w->at = rename + (renames ? 4 + BSYM_RENAME_BYTES * (uint64_t)count_renames(w) : 0);
}

static int make(struct writer *w)
{
	int err;

	arrange(w);
	put_header(w);
	err = put_codesegs(w);
	if (err)
		return err;
	if (w->tokens)
		put_tokens(w);
	if (w->o->version >= BSYM_VERSION(2, 1))
		put_renames(w);
	if (w->tables.no_memory || w->strings.no_memory)
		return -ENOMEM;
	w->done.bytes = w->at + w->strings.len;
	return w->done.bytes > UINT32_MAX ? -EFBIG : 0;
}

static int set_tokens(struct writer *w)
{
	if (w->o->version != BSYM_VERSION(1, 0) && w->o->version != BSYM_VERSION(2, 0) &&
	    w->o->version != BSYM_VERSION(2, 1))
		return -EINVAL;
	if (w->o->version == BSYM_VERSION(1, 0))
		return 0;
	w->tokens = w->o->tokens ? w->o->tokens : bsym_default_tokens;
	while (w->tokens[w->nr_tokens])
		w->nr_tokens++;
	return w->nr_tokens > BSYM_MAX_TOKENS ? -EINVAL : 0;
}

int bsym_write(struct bsym_new *n, const struct bsym_write_options *o, int fd,
	       const char *path, struct bsym_written *ret, struct diag *diag)
{
	struct writer w = { .n = n, .o = o, .text = malloc(BSYM_MAX_STRING) };
	int err;

	err = w.text ? set_tokens(&w) : -ENOMEM;
	err = err ? err : make(&w);
	err = err ? err : file_write_all(fd, w.tables.p, w.tables.len);
	err = err ? err : file_write_all(fd, w.strings.p, w.strings.len);
	free(w.tables.p);
	free(w.strings.p);
	free(w.prefix_of);
	free(w.text);
	if (!err && ret)
		*ret = w.done;
	return err ? diag_errno(diag, -err, path) : 0;
}
