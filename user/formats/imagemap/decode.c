// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a stream of the Compact ImageMap Format. The text of a path goes
 * directly to the map's texts, and a prefix is a piece of these. So a prefix
 * costs 8 bytes, however long its text is: a stream can define one prefix for
 * each of its bytes.
 */
#include "formats/imagemap/imagemap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/imagemap/prefix.h"
#include "formats/imagemap/store.h"
#include "util/array.h"
#include "util/utf8.h"

#include "util/poison.h"

/* Most groups of 7 bits in a number, which make 63 bits. The first groups may be zeros. */
#define MAX_GROUPS 10

/*
 * A piece of the map's texts. @bad: its text is not known, as it contains an
 * undefined prefix.
 */
struct prefix {
	uint32_t at;
	uint32_t len : 31;
	uint32_t bad : 1;
};

struct decoder {
	const uint8_t *start;
	const uint8_t *p;
	const uint8_t *end;
	const char *name;
	unsigned int flags;
	struct imagemap *map;
	struct prefix *prefixes;
	size_t nr_prefixes;
	size_t room;
	uint64_t last_base;
	struct diag *diag;
};

/*
 * The path that is being read. @start: position in the texts. @base: position
 * of its first chunk.
 */
struct path {
	size_t start;
	size_t base;
	bool has_base;
	bool lost;		/* text after @base is missing */
	enum imagemap_damage damage;
};

#define bad(d, ...) fail(d, diag_set((d)->diag, EBADMSG, (d)->name, __VA_ARGS__))

static int fail(struct decoder *d, int err)
{
	if (d->diag)
		d->diag->offset = (uint64_t)(d->p - d->start);
	return err;
}

static int put(struct decoder *d, const void *bytes, size_t len)
{
	int err = imagemap_put(d->map, bytes, len);

	if (err == -E2BIG)
		return fail(d, diag_set(d->diag, E2BIG, d->name,
					"the paths expand to more than %u MB",
					IMAGEMAP_MAX_TEXT >> 20));
	return err ? diag_errno(d->diag, -err, d->name) : 0;
}

static int read_number(struct decoder *d, const char *of, uint64_t *ret)
{
	unsigned int n = 0;
	uint64_t v = 0;
	uint8_t byte;

	do {
		if (d->p == d->end)
			return bad(d, "the stream ends inside the number of %s", of);
		if (n++ == MAX_GROUPS || v >> 56)
			return bad(d, "the number of %s does not fit 63 bits", of);
		byte = *d->p++;
		v = v << 7 | (byte & 0x7f);
	} while (byte & 0x80);
	*ret = v;
	return 0;
}

/*
 * Reads a big-endian number whose first bit is the sign. The format's document
 * says neither.
 */
static int read_address(struct decoder *d, unsigned int n, uint64_t *ret)
{
	uint64_t v;

	if ((size_t)(d->end - d->p) < n)
		return bad(d, "the stream ends inside an address");
	v = *d->p & 0x80 ? UINT64_MAX : 0;
	while (n--)
		v = v << 8 | *d->p++;
	*ret = v;
	return 0;
}

/* Makes the text from the path's first chunk to here the next prefix. */
static int define(struct decoder *d, const struct path *path)
{
	if (!array_has_room(d->prefixes, d->nr_prefixes, d->room))
		return diag_errno(d->diag, ENOMEM, d->name);
	d->prefixes[d->nr_prefixes++] = (struct prefix){
		.at = (uint32_t)path->base,
		.len = (uint32_t)(d->map->text_len - path->base) & INT32_MAX,
		.bad = path->lost,
	};
	return 0;
}

static int read_chunk(struct decoder *d, struct path *path, size_t n)
{
	int err = 0;

	if (!path->has_base)
		path->base = d->map->text_len;
	path->has_base = true;
	for (; !err && n; n--) {
		if (d->p == d->end) {
			path->damage = IMAGEMAP_CUT;
			return 0;
		}
		if (d->map->text_len > path->base && imagemap_separates((char)*d->p))
			err = define(d, path);
		if (!*d->p && !path->damage)
			path->damage = IMAGEMAP_NUL;
		if (!err)
			err = put(d, d->p++, 1);
	}
	return err;
}

static int read_framework(struct decoder *d, struct path *path, size_t n)
{
	const char *version = (const char *)d->p, *name = version + 1;
	int err;

	if ((size_t)(d->end - d->p) < n + 1) {
		d->p = d->end;
		path->damage = IMAGEMAP_CUT;
		return 0;
	}
	d->p += n + 1;
	if (memchr(version, 0, n + 1) && !path->damage)
		path->damage = IMAGEMAP_NUL;
	err = put(d, "/", 1);
	err = err ? err : put(d, name, n);
	err = err ? err : put(d, IMAGEMAP_FRAMEWORK_MIDDLE, strlen(IMAGEMAP_FRAMEWORK_MIDDLE));
	err = err ? err : put(d, version, 1);
	err = err ? err : put(d, "/", 1);
	return err ? err : put(d, name, n);
}

/* Return: the prefix of a code, *@len bytes; NULL if it is undefined. */
static const char *find_prefix(const struct decoder *d, uint64_t code, size_t *len)
{
	const struct prefix *p;

	if (code < IMAGEMAP_NR_FIXED) {
		*len = strlen(imagemap_fixed[code]);
		return imagemap_fixed[code];
	}
	if (code < IMAGEMAP_FIRST_CODE || code - IMAGEMAP_FIRST_CODE >= d->nr_prefixes)
		return NULL;
	p = &d->prefixes[code - IMAGEMAP_FIRST_CODE];
	*len = p->len;
	return p->bad ? NULL : d->map->text + p->at;
}

/*
 * An undefined prefix is skipped, so that the end of the path is found, and the
 * prefixes that the rest of the path defines get the codes that the writer
 * meant.
 */
static int expand(struct decoder *d, struct path *path, uint64_t code)
{
	size_t len;
	const char *text = find_prefix(d, code, &len);

	if (text)
		return put(d, text, len);
	path->lost |= path->has_base;
	if (path->damage != IMAGEMAP_CUT)
		path->damage = IMAGEMAP_BAD_CODE;
	return 0;
}

static int read_code(struct decoder *d, struct path *path, unsigned int n)
{
	uint64_t v = 0;

	for (; n; n--) {
		if (d->p == d->end) {
			path->damage = IMAGEMAP_CUT;
			return 0;
		}
		/* no prefix has such a code, but the bytes are to be skipped */
		v = v >> 48 ? UINT32_MAX : v << 8 | *d->p;
		d->p++;
	}
	return expand(d, path, v + IMAGEMAP_EXT_BASE);
}

static int read_opcodes(struct decoder *d, struct path *path)
{
	uint8_t op, operand;
	int err = 0;

	while (!err && path->damage != IMAGEMAP_CUT) {
		if (d->p == d->end) {
			path->damage = IMAGEMAP_CUT;
			break;
		}
		op = *d->p++;
		operand = op & IMAGEMAP_OPERAND;
		if (!op)
			break;
		if (op < IMAGEMAP_OP_FRAMEWORK)
			err = read_chunk(d, path, operand);
		else if (op < IMAGEMAP_OP_EXPAND)
			return read_framework(d, path, operand + 1u);
		else if (op < IMAGEMAP_OP_EXPAND_EXT)
			err = expand(d, path, operand);
		else
			err = read_code(d, path, operand + 1u);
	}
	return err;
}

static int read_path(struct decoder *d, struct imagemap_image *image)
{
	struct path path = { .start = d->map->text_len };
	int err;

	if (d->p != d->end && !*d->p) {
		d->p++;
		return 0;
	}
	err = read_opcodes(d, &path);
	err = err ? err : put(d, "", 1);
	if (err)
		return err;
	if (!path.damage && !utf8_valid(d->map->text + path.start))
		path.damage = IMAGEMAP_NOT_UTF8;
	image->damage = (uint8_t)path.damage;
	/* an empty path, as from "80 00" with an empty prefix, counts as no path */
	if ((!path.damage || path.damage == IMAGEMAP_NOT_UTF8) && d->map->text[path.start])
		image->path = (uint32_t)path.start;
	if (path.damage && d->flags & IMAGEMAP_STRICT)
		return bad(d, "%s", imagemap_damage_text(path.damage));
	return 0;
}

static int read_place(struct decoder *d, struct imagemap_image *image)
{
	const uint64_t mask = imagemap_mask(d->map->word);
	uint64_t base, offset;
	uint8_t header;
	int err;

	if (d->p == d->end)
		return bad(d, "the stream ends before image %" PRIu32, d->map->nr);
	header = *d->p++;
	if (header & 0x40 && d->flags & IMAGEMAP_STRICT)
		return bad(d, "bit 6 of an image's header is set");
	err = read_address(d, (header >> 3 & 7) + 1u, &base);
	err = err ? err : read_address(d, (header & 7) + 1u, &offset);
	if (err)
		return err;
	if (header & 0x80)
		base += d->last_base;
	d->last_base = base;
	image->base = base & mask;
	image->end = (base + offset) & mask;
	if (image->end == image->base && d->flags & IMAGEMAP_EMPTY_TEXT)
		return 0;
	return image->end > image->base ? 0 :
	       bad(d, "image %" PRIu32 " ends at 0x%" PRIx64 ", not above its base 0x%" PRIx64,
		   d->map->nr, image->end, image->base);
}

static int read_build_id(struct decoder *d, struct imagemap_image *image)
{
	uint64_t len;
	int err;

	err = read_number(d, "bytes of a build id", &len);
	if (err)
		return err;
	if (len > IMAGEMAP_MAX_BUILD_ID)
		return bad(d, "a build id of %" PRIu64 " bytes: up to %u are allowed", len,
			   IMAGEMAP_MAX_BUILD_ID);
	if (len > (uint64_t)(d->end - d->p))
		return bad(d, "the stream ends inside a build id");
	err = put(d, d->p, len);
	image->build_id = (uint32_t)(d->map->text_len - len);
	image->build_id_len = (uint16_t)len;
	d->p += len;
	return err;
}

static int read_image(struct decoder *d)
{
	struct imagemap_image image = { 0 }, *to;
	int err;

	err = read_place(d, &image);
	err = err ? err : read_build_id(d, &image);
	err = err ? err : read_path(d, &image);
	if (err)
		return err;
	to = imagemap_place(d->map);
	if (!to)
		return diag_errno(d->diag, ENOMEM, d->name);
	*to = image;
	d->map->nr++;
	return 0;
}

static int read_platform(struct decoder *d)
{
	size_t len;

	if (d->p == d->end)
		return bad(d, "the stream ends before the platform");
	len = *d->p++;
	if (len > (size_t)(d->end - d->p))
		return bad(d, "the stream ends inside the platform");
	memcpy(d->map->platform, d->p, len);
	d->map->platform[len] = '\0';
	if (strlen(d->map->platform) != len || !utf8_valid(d->map->platform))
		return bad(d, "the platform is not UTF-8, or there is a NUL in it");
	d->p += len;
	return 0;
}

static int read_info(struct decoder *d)
{
	uint8_t info;

	if (d->p == d->end)
		return bad(d, "the stream is empty");
	info = *d->p;
	if (info >> 2)
		return bad(d, "version %u of the format: only 0 is known", info >> 2);
	if ((info & 3) > IMAGEMAP_64)
		return bad(d, "addresses of reserved size 3");
	d->p++;
	d->map->word = info & 3;
	return 0;
}

static int read_all(struct decoder *d)
{
	uint64_t nr;
	int err;

	err = read_info(d);
	if (!err && !d->map->old)
		err = read_platform(d);
	err = err ? err : read_number(d, "images", &nr);
	if (err)
		return err;
	if (nr > IMAGEMAP_MAX_IMAGES)
		return bad(d, "%" PRIu64 " images: up to %u are allowed", nr,
			   IMAGEMAP_MAX_IMAGES);
	while (!err && nr--)
		err = read_image(d);
	d->map->trailing = (size_t)(d->end - d->p);
	if (!err && d->map->trailing && d->flags & IMAGEMAP_STRICT)
		err = bad(d, "%zu bytes after the last image", d->map->trailing);
	return err;
}

static int decode(const void *bytes, size_t len, const char *name, unsigned int flags,
		  bool old, struct imagemap *map, struct diag *diag)
{
	struct decoder d = {
		.start = bytes, .p = bytes, .end = (const uint8_t *)bytes + len,
		.name = name, .flags = flags, .map = map, .diag = diag,
	};
	int err;

	map->old = old;
	err = read_all(&d);
	free(d.prefixes);
	return err;
}

static bool is_clean(const struct imagemap *map)
{
	uint32_t i;

	for (i = 0; i < map->nr; i++)
		if (map->images[i].damage && map->images[i].damage != IMAGEMAP_NOT_UTF8)
			return false;
	return !map->trailing;
}

int imagemap_decode(const void *bytes, size_t len, const char *name, unsigned int flags,
		    struct imagemap *ret, struct diag *diag)
{
	struct imagemap old = IMAGEMAP_INIT;
	int err;

	if (len > IMAGEMAP_MAX_BYTES)
		return diag_set(diag, E2BIG, name, "a stream of more than %u MB",
				IMAGEMAP_MAX_BYTES >> 20);
	if (diag)
		diag->offset = DIAG_NO_OFFSET;
	err = decode(bytes, len, name, flags, false, ret, diag);
	if (err == -ENOMEM || flags & IMAGEMAP_STRICT || (!err && is_clean(ret)))
		return err;
	/* the stream itself does not say whether it has a platform */
	if (decode(bytes, len, name, flags, true, &old, NULL) || !is_clean(&old)) {
		imagemap_release(&old);
		return err;
	}
	imagemap_release(ret);
	*ret = old;
	return 0;
}
