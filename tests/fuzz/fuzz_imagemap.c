// SPDX-License-Identifier: GPL-2.0-only
/*
 * Image maps of any bytes: what is read is within bounds, and the same after it
 * is written and read again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/imagemap/imagemap.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct imagemap *map)
{
	uint32_t i;

	must(map->text_len <= IMAGEMAP_MAX_TEXT && map->nr <= IMAGEMAP_MAX_IMAGES);
	for (i = 0; i < map->nr; i++) {
		const struct imagemap_image *m = &map->images[i];
		const char *path = imagemap_path(map, m);

		must(m->base < m->end && m->build_id_len <= IMAGEMAP_MAX_BUILD_ID);
		must(m->build_id + m->build_id_len <= map->text_len);
		must(!path || (path[0] && m->path + strlen(path) < map->text_len));
		must(!path == !imagemap_name(map, m));
	}
}

static void compare(const struct imagemap *a, const struct imagemap *b)
{
	uint32_t i;

	must(a->nr == b->nr && a->word == b->word && !strcmp(a->platform, b->platform));
	for (i = 0; i < a->nr; i++) {
		const struct imagemap_image *x = &a->images[i], *y = &b->images[i];
		const char *path = imagemap_path(a, x);

		must(x->base == y->base && x->end == y->end);
		must(x->build_id_len == y->build_id_len);
		must(!memcmp(imagemap_build_id(a, x), imagemap_build_id(b, y), x->build_id_len));
		must(path ? !strcmp(path, imagemap_path(b, y)) : !imagemap_path(b, y));
	}
}

static void write_and_read(const struct imagemap *map)
{
	struct imagemap again = IMAGEMAP_INIT;
	uint8_t *bytes;
	size_t len;
	int err = imagemap_encode(map, &bytes, &len, NULL);

	must(!err || err == -ERANGE);
	if (err)
		return;
	must(!imagemap_decode(bytes, len, "again", 0, &again, NULL) && !again.old);
	compare(map, &again);
	imagemap_release(&again);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct imagemap map = IMAGEMAP_INIT, strict = IMAGEMAP_INIT;
	uint8_t *copy = malloc(size + !size);
	struct diag diag = { 0 };
	int err;

	memcpy(copy, data, size);
	err = imagemap_decode(copy, size, "fuzz", 0, &map, &diag);
	must(!err || (diag.text[0] && (err == -EBADMSG || err == -E2BIG)));
	must(!err || diag.offset <= size);
	check(&map);
	if (!err)
		write_and_read(&map);
	/* a stream that is accepted with IMAGEMAP_STRICT gives the same map */
	if (!imagemap_decode(copy, size, "fuzz", IMAGEMAP_STRICT, &strict, NULL)) {
		must(!err);
		compare(&map, &strict);
	}
	imagemap_release(&strict);
	imagemap_release(&map);
	free(copy);
	return 0;
}
