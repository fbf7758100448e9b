// SPDX-License-Identifier: GPL-2.0-only
/* Prints the functions at addresses of a process, by its image map; for ustack symbolize. */
#include "cmd/symbolize_map.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/symstore/lines.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/json.h"
#include "util/options.h"
#include "util/text.h"

#include "util/poison.h"

struct addresses {
	uint64_t *at;
	size_t nr;
	size_t room;
};

struct printer {
	const struct symbolize_map *m;
	struct symstore_image **images;	/* indexed by the image's number in the map */
	struct names *names;
	struct gsym_frame frames[GSYM_MAX_FRAMES];
};

static int add_address(struct addresses *a, const char *word, struct diag *diag)
{
	if (!array_has_room(a->at, a->nr, a->room))
		return diag_errno(diag, ENOMEM, NULL);
	if (!option_parse_u64(word, &a->at[a->nr]))
		return diag_set(diag, EINVAL, NULL, "'%s' is not an address", word);
	a->nr++;
	return 0;
}

static int read_stdin(struct addresses *a, struct diag *diag)
{
	_cleanup_(cleanup_free) char *line = NULL;
	size_t room = 0;
	char *word;
	int err = 0;

	while (!err && getline(&line, &room, stdin) > 0) {
		word = line + strspn(line, " \t");
		word[strcspn(word, " \t\n")] = '\0';
		if (*word)
			err = add_address(a, word, diag);
	}
	return err;
}

/* Opens the image's file. Return: NULL if there is no build id to find it by. */
static struct symstore_image *open_image(struct printer *p, uint32_t i)
{
	const struct imagemap_image *image = &p->m->map->images[i];
	const char *path = imagemap_path(p->m->map, image);
	struct symstore_key key = {
		.path = path ? path : "", .build_id_len = (uint8_t)image->build_id_len,
	};

	if (!image->build_id_len || image->build_id_len > SYMSTORE_MAX_BUILD_ID)
		return NULL;
	memcpy(key.build_id, imagemap_build_id(p->m->map, image), image->build_id_len);
	return symstore_image(p->m->store, &key);
}

static int want(struct printer *p, const struct addresses *a, struct diag *diag)
{
	const struct imagemap_image *image;
	size_t i, k;
	int err;

	p->images = calloc(p->m->map->nr + 1, sizeof(struct symstore_image *));
	p->names = symstore_names();
	if (!p->images || !p->names)
		return diag_errno(diag, ENOMEM, NULL);
	for (i = 0; i < a->nr; i++) {
		image = imagemap_find(p->m->map, a->at[i]);
		k = image ? (size_t)(image - p->m->map->images) : 0;
		if (!image || p->images[k])
			continue;
		p->images[k] = open_image(p, (uint32_t)k);
		if (p->images[k])
			symstore_want(p->m->store, p->images[k]);
	}
	err = symstore_wait(p->m->store, p->m->progress, p->m->arg);
	return err ? diag_errno(diag, -err, NULL) : 0;
}

static int find_frames(struct printer *p, struct symstore_image *file, uint64_t offset)
{
	uint64_t base;
	int nr;

	if (!file || !symstore_base(file, &base))
		return 0;
	nr = symstore_lookup(file, base + offset, p->frames, GSYM_MAX_FRAMES);
	return nr > (int)GSYM_MAX_FRAMES ? (int)GSYM_MAX_FRAMES : nr;
}

static void print_frame(struct printer *p, const struct gsym_frame *f)
{
	printf("    %s", names_text_from(p->names, f->function, f->file));
	if (f->offset)
		printf(" + %" PRIu64, f->offset);
	if (*f->file)
		printf(" @ %s%s%s:%" PRIu32, f->dir, *f->dir ? "/" : "", f->file, f->line);
	puts(f->inlined ? " [inlined]" : "");
}

static const char *build_id_text(const struct imagemap *map, const struct imagemap_image *i,
				 char text[2 * IMAGEMAP_MAX_BUILD_ID + 1])
{
	if (!i->build_id_len)
		return "-";
	return text_hex(imagemap_build_id(map, i), i->build_id_len, text,
			2 * IMAGEMAP_MAX_BUILD_ID + 1);
}

/* Prints "ADDRESS: PATH+OFFSET BUILD-ID", and the functions there, one a line. */
static void print_text(struct printer *p, uint64_t addr, const struct imagemap_image *i,
		       const char *why, int nr)
{
	const char *path = i ? imagemap_path(p->m->map, i) : NULL;
	char id[2 * IMAGEMAP_MAX_BUILD_ID + 1], escaped[4096];
	int k;

	printf("0x%016" PRIx64 ": ", addr);
	if (i)
		printf("%s+0x%" PRIx64 " %s\n",
		       path ? text_escape(path, escaped, sizeof(escaped)) : "?",
		       addr - i->base, build_id_text(p->m->map, i, id));
	else
		puts("?");
	for (k = 0; k < nr; k++)
		print_frame(p, &p->frames[k]);
	if (nr <= 0)
		printf("    ? (%s)\n", why);
}

static void json_frame(struct printer *p, struct json *j, const struct gsym_frame *f)
{
	json_object(j, NULL);
	json_string(j, "function", names_text_from(p->names, f->function, f->file));
	json_u64(j, "offset", f->offset);
	if (*f->file) {
		json_string(j, "dir", f->dir);
		json_string(j, "file", f->file);
		json_u64(j, "line", f->line);
	}
	json_bool(j, "inlined", f->inlined);
	json_object_end(j);
}

static void print_json(struct printer *p, uint64_t addr, const struct imagemap_image *i,
		       const char *why, int nr)
{
	const char *path = i ? imagemap_path(p->m->map, i) : NULL;
	char id[2 * IMAGEMAP_MAX_BUILD_ID + 1], text[24];
	struct json j;
	int k;

	json_init(&j, stdout);
	json_object(&j, NULL);
	snprintf(text, sizeof(text), "0x%" PRIx64, addr);
	json_string(&j, "address", text);
	if (i) {
		json_u64(&j, "image_offset", addr - i->base);
		json_string(&j, "build_id", build_id_text(p->m->map, i, id));
	}
	if (path)
		json_string(&j, "path", path);
	if (nr <= 0)
		json_string(&j, "error", why);
	json_array(&j, "frames");
	for (k = 0; k < nr; k++)
		json_frame(p, &j, &p->frames[k]);
	json_array_end(&j);
	json_object_end(&j);
	json_end(&j);
}

static const char *why_none(const struct imagemap_image *i,
			    const struct symstore_image *file)
{
	uint64_t base;

	if (!i)
		return "no image has this address";
	if (!i->build_id_len)
		return "the image has no build id, so that nothing says which file it is";
	if (!file)
		return "the image's build id is of no file that is known here";
	if (symstore_source(file) == SYMSTORE_NOTHING)
		return symstore_reason(file);
	if (!symstore_base(file, &base))
		return "nothing here says at which address its file starts";
	return "no function has this address";
}

static void print(struct printer *p, uint64_t addr)
{
	const struct imagemap_image *i = imagemap_find(p->m->map, addr);
	struct symstore_image *file = i ? p->images[i - p->m->map->images] : NULL;
	int nr = i ? find_frames(p, file, addr - i->base) : 0;

	(p->m->json ? print_json : print_text)(p, addr, i, why_none(i, file), nr);
}

int symbolize_map(const struct symbolize_map *m, char **words, int nr, struct diag *diag)
{
	struct printer *p = calloc(1, sizeof(*p));
	struct addresses a = { .nr = 0 };
	size_t i;
	int err = p ? 0 : diag_errno(diag, ENOMEM, NULL);

	for (i = 0; !err && words && i < (size_t)nr; i++)
		err = add_address(&a, words[i], diag);
	if (!err && !words)
		err = read_stdin(&a, diag);
	if (!err) {
		p->m = m;
		err = want(p, &a, diag);
	}
	for (i = 0; !err && i < a.nr; i++)
		print(p, a.at[i]);
	if (p) {
		names_free(p->names);
		free(p->images);
	}
	free(p);
	free(a.at);
	return err;
}
