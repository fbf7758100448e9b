// SPDX-License-Identifier: GPL-2.0-only
/*
 * A small sorted set of labels whose texts are in chunks of memory. window.c fills it, relabel.c
 * rewrites it.
 */
#include "serve/daemon/labels.h"

#include <stdlib.h>
#include <string.h>

#include "util/utf8.h"

#include "util/poison.h"

/* Bytes of a chunk; a set needs a few hundred. */
#define CHUNK 8192u
/* U+FFFD in UTF-8. */
#define REPLACEMENT "\xef\xbf\xbd"

struct labels_chunk {
	struct labels_chunk *next;
	size_t used;
	char bytes[CHUNK];
};

void labels_init(struct labels *set)
{
	set->nr = 0;
	set->left_out = 0;
	set->chunks = NULL;
}

static void free_chunks(struct labels_chunk *c)
{
	struct labels_chunk *next;

	for (; c; c = next) {
		next = c->next;
		free(c);
	}
}

void labels_release(struct labels *set)
{
	free_chunks(set->chunks);
	set->chunks = NULL;
	set->nr = 0;
}

void labels_clear(struct labels *set)
{
	set->nr = 0;
	if (!set->chunks)
		return;
	free_chunks(set->chunks->next);
	set->chunks->next = NULL;
	set->chunks->used = 0;
}

/* Copies a text to the set's memory. Return: NULL without memory. */
static const char *keep(struct labels *set, const char *s, size_t len)
{
	struct labels_chunk *c = set->chunks;
	char *to;

	if (!c || CHUNK - c->used <= len) {
		c = malloc(sizeof(*c));
		if (!c)
			return NULL;
		c->next = set->chunks;
		c->used = 0;
		set->chunks = c;
	}
	to = c->bytes + c->used;
	memcpy(to, s, len);
	to[len] = '\0';
	c->used += len + 1;
	return to;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool labels_is_name(const char *name)
{
	const char *s;

	if (is_digit(*name))
		return false;
	for (s = name; *s; s++)
		if (!is_digit(*s) && !(*s >= 'a' && *s <= 'z') && !(*s >= 'A' && *s <= 'Z') &&
		    *s != '_')
			return false;
	return s != name && s - name <= LABELS_MAX_NAME;
}

/* The index of a label, or the index at which it would be inserted. */
static size_t position(const struct labels *set, const char *name, bool *there)
{
	size_t i;
	int order = 1;

	for (i = 0; i < set->nr; i++) {
		order = strcmp(set->label[i].name, name);
		if (order >= 0)
			break;
	}
	*there = i < set->nr && !order;
	return i;
}

const char *labels_get(const struct labels *set, const char *name)
{
	bool there;
	size_t at = position(set, name, &there);

	return there ? set->label[at].value : "";
}

void labels_remove(struct labels *set, size_t at)
{
	set->nr--;
	memmove(set->label + at, set->label + at + 1, (set->nr - at) * sizeof(*set->label));
}

static bool insert(struct labels *set, size_t at, const char *name)
{
	const char *copy;

	if (set->nr == LABELS_MAX || !labels_is_name(name))
		return false;
	copy = keep(set, name, strlen(name));
	if (!copy)
		return false;
	memmove(set->label + at + 1, set->label + at, (set->nr - at) * sizeof(*set->label));
	set->label[at].name = copy;
	set->nr++;
	return true;
}

void labels_set(struct labels *set, const char *name, const char *value)
{
	char clean[LABELS_MAX_VALUE + 1];
	size_t len = labels_clean(value, strlen(value), clean), at;
	const char *copy;
	bool there;

	at = position(set, name, &there);
	if (!len) {
		if (there)
			labels_remove(set, at);
		return;
	}
	copy = keep(set, clean, len);
	if (!copy || (!there && !insert(set, at, name))) {
		set->left_out++;
		return;
	}
	set->label[at].value = copy;
}

/* Length of the character at @s; 0 if it is invalid or a control character. */
static unsigned int good(const char *s)
{
	const unsigned char *u = (const unsigned char *)s;

	if (u[0] < ' ' || u[0] == 0x7f || (u[0] == 0xc2 && u[1] >= 0x80 && u[1] < 0xa0))
		return 0;
	return utf8_len(s);
}

size_t labels_clean(const char *value, size_t len, char *ret)
{
	const char *end = value + strnlen(value, len), *from;
	unsigned int n, bytes;
	size_t to = 0;

	for (; value < end; value += n) {
		n = good(value);
		/* a character that is cut by the end is invalid */
		if (n > (size_t)(end - value))
			n = 0;
		from = n ? value : REPLACEMENT;
		bytes = n ?: (unsigned int)strlen(REPLACEMENT);
		n = n ?: 1;
		if (to + bytes > LABELS_MAX_VALUE)
			break;
		memcpy(ret + to, from, bytes);
		to += bytes;
	}
	ret[to] = '\0';
	return to;
}
