// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads an image map from JSON, as `ustack imagemap decode --json` prints it.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/imagemap/imagemap.h"
#include "util/cleanup.h"
#include "util/hex.h"
#include "util/options.h"

#include "util/poison.h"

struct reader {
	struct imagemap *map;
	size_t image;
	const char *name;
	struct diag *diag;
};

static void release_json(json_t **j)
{
	json_decref(*j);
}

static int bad(const struct reader *r, const char *what)
{
	return diag_set(r->diag, EBADMSG, r->name, "image %zu: %s", r->image, what);
}

/* An address is a number, or a string if JSON's numbers do not reach it. */
static bool get_address(const json_t *image, const char *key, uint64_t *ret)
{
	const json_t *v = json_object_get(image, key);

	if (json_is_integer(v) && json_integer_value(v) >= 0) {
		*ret = (uint64_t)json_integer_value(v);
		return true;
	}
	return json_is_string(v) && option_parse_u64(json_string_value(v), ret);
}

/* Reads bytes in hexadecimal; an absent key means none. @ret: freed by the caller. */
static int get_bytes(const struct reader *r, const json_t *image, const char *key,
		     uint8_t **ret, size_t *len)
{
	const json_t *v = json_object_get(image, key);

	*len = 0;
	if (!v || json_is_null(v))
		return 0;
	if (!json_is_string(v) || json_string_length(v) % 2)
		return bad(r, "bytes are not in hexadecimal");
	*ret = malloc(json_string_length(v) / 2 + 1);
	if (!*ret)
		return diag_errno(r->diag, ENOMEM, r->name);
	*len = json_string_length(v) / 2;
	(*ret)[*len] = 0;
	return hex_bytes(json_string_value(v), *ret, *len) ? 0 :
	       bad(r, "bytes are not in hexadecimal");
}

static int get_path(const struct reader *r, const json_t *image, char **hex,
		    const char **ret)
{
	const json_t *v = json_object_get(image, "path");
	size_t len;
	int err;

	if (v && !json_is_null(v)) {
		*ret = json_string_value(v);
		return *ret ? 0 : bad(r, "the path is no string");
	}
	err = get_bytes(r, image, "path_hex", (uint8_t **)hex, &len);
	*ret = *hex;
	if (!err && *hex && strlen(*hex) != len)
		err = bad(r, "there is a NUL in the path");
	return err;
}

static int take_image(const struct reader *r, const json_t *image)
{
	_cleanup_(cleanup_free) uint8_t *build_id = NULL;
	_cleanup_(cleanup_free) char *hex = NULL;
	struct imagemap_new new = { 0 };
	int err;

	if (!json_is_object(image))
		return bad(r, "not an object");
	if (!get_address(image, "base", &new.base) || !get_address(image, "end", &new.end))
		return bad(r, "no address \"base\" or \"end\"");
	err = get_bytes(r, image, "build_id", &build_id, &new.build_id_len);
	err = err ? err : get_path(r, image, &hex, &new.path);
	if (err)
		return err;
	new.build_id = build_id;
	err = imagemap_add(r->map, &new);
	if (err == -EINVAL)
		return bad(r, "its end is not above its base, or does not fit the word size");
	if (err == -E2BIG)
		return diag_set(r->diag, E2BIG, r->name, "image %zu: too many bytes of build id, or images, or text",
				r->image);
	return err ? diag_errno(r->diag, -err, r->name) : 0;
}

static int take_head(const struct reader *r, const json_t *root)
{
	const json_t *platform = json_object_get(root, "platform");
	const json_t *word = json_object_get(root, "word");
	struct imagemap *map = r->map;

	map->word = IMAGEMAP_64;
	if (platform && (!json_is_string(platform) ||
			 json_string_length(platform) > IMAGEMAP_MAX_PLATFORM))
		return diag_set(r->diag, EBADMSG, r->name,
				"\"platform\" is no string of up to %u bytes",
				IMAGEMAP_MAX_PLATFORM);
	if (platform)
		strcpy(map->platform, json_string_value(platform));
	if (!word)
		return 0;
	for (map->word = IMAGEMAP_16; map->word <= IMAGEMAP_64; map->word++)
		if (json_integer_value(word) == imagemap_bits(map->word))
			return 0;
	map->word = IMAGEMAP_64;
	return diag_set(r->diag, EBADMSG, r->name, "\"word\" is 16, 32 or 64");
}

int imagemap_from_json(const char *text, size_t len, const char *name, struct imagemap *ret,
		       struct diag *diag)
{
	struct reader r = { .map = ret, .name = name, .diag = diag };
	_cleanup_(release_json) json_t *root = NULL;
	const json_t *images;
	json_error_t error;
	int err;

	if (diag)
		diag->offset = DIAG_NO_OFFSET;
	root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		return diag_set(diag, EBADMSG, name, "line %d: %s", error.line, error.text);
	images = json_object_get(root, "images");
	if (!json_is_array(images))
		return diag_set(diag, EBADMSG, name, "no array \"images\"");
	err = take_head(&r, root);
	for (; !err && r.image < json_array_size(images); r.image++)
		err = take_image(&r, json_array_get(images, r.image));
	return err;
}
