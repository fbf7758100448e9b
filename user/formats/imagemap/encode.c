// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a stream of the Compact ImageMap Format. A path is written as Swift's
 * encoder does it: longest prefix first, then a framework, then the rest.
 * Mistakes of that encoder are avoided: numbers have no needless groups, codes
 * from 320 on have all their bytes, addresses of 16 and 32 bits are written so
 * that its reader gets them, and a prefix that ends inside of a framework is
 * not used if the framework is shorter.
 */
#include "formats/imagemap/imagemap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/imagemap/prefix.h"
#include "formats/imagemap/store.h"
#include "util/array.h"

#include "util/poison.h"

#define MAX_FRAMEWORK 64u

/*
 * Longer prefixes get codes, too, but they are not stored. Each byte of a path
 * may be compared once for each byte of the longest stored prefix, and a map
 * can have paths of megabytes.
 */
#define MAX_PREFIX 512u

/* A prefix: its text, which is in the map's texts or fixed, and its code. */
struct prefix {
	const char *text;
	uint64_t hash;
	uint32_t len;
	uint32_t code;
};

struct encoder {
	const struct imagemap *map;
	/* hash table with open addressing; a free place has @text NULL */
	struct prefix *places;
	size_t nr_places;	/* a power of two */
	size_t nr_prefixes;
	size_t longest;
	uint32_t next_code;
	uint8_t *out;
	size_t len;
	size_t room;
	bool no_memory;
	uint64_t last_base;
};

#define HASH_START 0xcbf29ce484222325ull

/* FNV-1a: the hash of a text's start is a step on the way to the hash of the whole. */
static uint64_t hash_more(uint64_t hash, char c)
{
	return (hash ^ (uint8_t)c) * 0x100000001b3ull;
}

static void put(struct encoder *e, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	for (; len; len--) {
		if (!array_has_room(e->out, e->len, e->room)) {
			e->no_memory = true;
			return;
		}
		e->out[e->len++] = *p++;
	}
}

static void put_byte(struct encoder *e, unsigned int byte)
{
	put(e, &(uint8_t){ (uint8_t)byte }, 1);
}

static void put_big_endian(struct encoder *e, uint64_t v, unsigned int n)
{
	while (n--)
		put_byte(e, (unsigned int)(v >> (8 * n)) & 0xff);
}

static void put_number(struct encoder *e, uint64_t v)
{
	unsigned int shift = 0;

	while (shift < 63 && v >> (shift + 7))
		shift += 7;
	for (; shift; shift -= 7)
		put_byte(e, 0x80 | ((v >> shift) & 0x7f));
	put_byte(e, v & 0x7f);
}

/* Return: number of bytes that a number needs, including its sign. */
static unsigned int signed_bytes(uint64_t v)
{
	uint64_t bits = v >> 63 ? ~v : v;
	unsigned int n = 1;

	while (n < 8 && bits >> (8 * n - 1))
		n++;
	return n;
}

static struct prefix *find_place(const struct encoder *e, uint64_t hash, const char *text,
				 size_t len)
{
	size_t i = hash & (e->nr_places - 1);
	struct prefix *p;

	for (;; i = (i + 1) & (e->nr_places - 1)) {
		p = &e->places[i];
		if (!p->text || (p->hash == hash && p->len == len && !memcmp(p->text, text, len)))
			return p;
	}
}

static bool grow(struct encoder *e)
{
	struct encoder bigger = *e;
	size_t i;

	if (e->nr_places && 4 * (e->nr_prefixes + 1) < 3 * e->nr_places)
		return true;
	bigger.nr_places = e->nr_places ? 2 * e->nr_places : 64;
	bigger.places = calloc(bigger.nr_places, sizeof(*bigger.places));
	if (!bigger.places)
		return false;
	for (i = 0; i < e->nr_places; i++) {
		const struct prefix *p = &e->places[i];

		if (p->text)
			*find_place(&bigger, p->hash, p->text, p->len) = *p;
	}
	free(e->places);
	*e = bigger;
	return true;
}

/* If a text has two codes, the first one is kept, as it is as short or shorter. */
static void define(struct encoder *e, const char *text, uint32_t len, uint64_t hash,
		   uint32_t code)
{
	struct prefix *p;

	if (!grow(e)) {
		e->no_memory = true;
		return;
	}
	p = find_place(e, hash, text, len);
	if (p->text)
		return;
	*p = (struct prefix){ text, hash, len, code };
	e->nr_prefixes++;
	if (len > e->longest)
		e->longest = len;
}

static void define_fixed(struct encoder *e, uint32_t code)
{
	const char *text = imagemap_fixed[code];
	uint64_t hash = HASH_START;
	uint32_t len = 0;

	while (text[len])
		hash = hash_more(hash, text[len++]);
	define(e, text, len, hash, code);
}

static const struct prefix *longest_prefix(const struct encoder *e, const char *path)
{
	const struct prefix *best = NULL, *p;
	uint64_t hash = HASH_START;
	size_t len = 0;

	while (path[len] && len < e->longest) {
		hash = hash_more(hash, path[len++]);
		p = find_place(e, hash, path, len);
		if (p->text)
			best = p;
	}
	return best;
}

/* Return: number of bytes of a code after its opcode. */
static unsigned int code_bytes(uint32_t code)
{
	unsigned int n = 1;

	if (code < IMAGEMAP_EXT_BASE)
		return 0;
	while (n < sizeof(code) && (code - IMAGEMAP_EXT_BASE) >> (8 * n))
		n++;
	return n;
}

static void put_code(struct encoder *e, uint32_t code)
{
	unsigned int n = code_bytes(code);

	if (!n) {
		put_byte(e, IMAGEMAP_OP_EXPAND | code);
		return;
	}
	put_byte(e, IMAGEMAP_OP_EXPAND_EXT | (n - 1));
	put_big_endian(e, code - IMAGEMAP_EXT_BASE, n);
}

/*
 * Whether all of @rest is "/NAME.framework/Versions/V/NAME". Return: bytes of
 * NAME; 0 if it is not.
 */
static size_t framework_of(const char *rest)
{
	const size_t middle = strlen(IMAGEMAP_FRAMEWORK_MIDDLE);
	const size_t near = strnlen(rest, 1 + MAX_FRAMEWORK + middle);
	const char *name = rest + 1, *dot, *behind;
	size_t len;

	dot = memmem(rest, near, IMAGEMAP_FRAMEWORK_MIDDLE, middle);
	if (rest[0] != '/' || !dot || dot == name)
		return 0;
	len = (size_t)(dot - name);
	behind = dot + middle;
	if (memchr(name, '/', len) || !behind[0] || behind[1] != '/' ||
	    strnlen(behind + 2, len + 1) != len || memcmp(behind + 2, name, len))
		return 0;
	return len;
}

/* Writes a framework, which ends the path. */
static void put_framework(struct encoder *e, const char *rest, size_t len)
{
	put_byte(e, IMAGEMAP_OP_FRAMEWORK | (unsigned int)(len - 1));
	put(e, rest + 1 + len + strlen(IMAGEMAP_FRAMEWORK_MIDDLE), 1);
	put(e, rest + 1, len);
}

static void put_chunks(struct encoder *e, const char *rest)
{
	uint64_t hash = HASH_START;
	size_t left = strlen(rest), n;
	uint32_t i;

	for (i = 1; i < left; i++) {
		hash = hash_more(hash, rest[i - 1]);
		if (!imagemap_separates(rest[i]))
			continue;
		if (i <= MAX_PREFIX)
			define(e, rest, i, hash, e->next_code);
		e->next_code++;
	}
	for (; left; left -= n, rest += n) {
		n = left < IMAGEMAP_OPERAND ? left : IMAGEMAP_OPERAND;
		put_byte(e, IMAGEMAP_OP_STR | (unsigned int)n);
		put(e, rest, n);
	}
}

/* Return: number of bytes of a path as put_path() writes it without frameworks. */
static size_t plain_bytes(const struct encoder *e, const char *path)
{
	const struct prefix *p;
	size_t bytes = 1, left;

	while (*path && (p = longest_prefix(e, path))) {
		bytes += 1 + code_bytes(p->code);
		path += p->len;
	}
	left = strlen(path);
	return bytes + left + (left + IMAGEMAP_OPERAND - 1) / IMAGEMAP_OPERAND;
}

static void put_path(struct encoder *e, const char *path)
{
	const struct prefix *p;
	size_t framework;

	while (path && *path) {
		framework = framework_of(path);
		/*
		 * a framework is not recognized if a prefix, such as the "/" of
		 * another path, took its start
		 */
		if (framework && 2 + framework <= plain_bytes(e, path)) {
			put_framework(e, path, framework);
			return;
		}
		p = longest_prefix(e, path);
		if (!p) {
			put_chunks(e, path);
			break;
		}
		put_code(e, p->code);
		path += p->len;
	}
	put_byte(e, 0);
}

static void put_image(struct encoder *e, const struct imagemap_image *i)
{
	/*
	 * Swift's reader extends the sign of a number to 64 bits and does not
	 * cut it to the word size
	 */
	const bool wide = e->map->word == IMAGEMAP_64;
	uint64_t base = i->base, delta = base - e->last_base, end = i->end - base;
	unsigned int n = signed_bytes(base), ends = signed_bytes(end);
	bool relative = signed_bytes(delta) < n && (wide || base >= e->last_base);

	e->last_base = base;
	if (relative)
		n = signed_bytes(delta);
	put_byte(e, (relative ? 0x80 : 0) | (n - 1) << 3 | (ends - 1));
	put_big_endian(e, relative ? delta : base, n);
	put_big_endian(e, end, ends);
	put_number(e, i->build_id_len);
	put(e, imagemap_build_id(e->map, i), i->build_id_len);
	put_path(e, imagemap_path(e->map, i));
}

static int check(const struct imagemap *map, struct diag *diag)
{
	uint32_t i;

	for (i = 0; i < map->nr; i++)
		if ((map->images[i].end - map->images[i].base) >> 63)
			return diag_set(diag, ERANGE, map->platform,
					"a text of 2^63 bytes or more");
	return 0;
}

int imagemap_encode(const struct imagemap *map, uint8_t **ret, size_t *len,
		    struct diag *diag)
{
	struct encoder e = { .map = map, .next_code = IMAGEMAP_FIRST_CODE };
	uint32_t i;
	int err;

	err = check(map, diag);
	if (err)
		return err;
	for (i = 0; i < IMAGEMAP_NR_FIXED; i++)
		define_fixed(&e, i);
	put_byte(&e, map->word);
	put_byte(&e, (unsigned int)strlen(map->platform));
	put(&e, map->platform, strlen(map->platform));
	put_number(&e, map->nr);
	for (i = 0; i < map->nr && !e.no_memory; i++)
		put_image(&e, &map->images[i]);
	free(e.places);
	if (e.no_memory) {
		free(e.out);
		return diag_errno(diag, ENOMEM, map->platform);
	}
	*ret = e.out;
	*len = e.len;
	return 0;
}
