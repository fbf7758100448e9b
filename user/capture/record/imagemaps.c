// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notes the processes that were sampled and writes what each had mapped at its
 * last sample as comments of the profile. See imagemaps.h; resolve_stack.c
 * calls it.
 */
#include "capture/record/imagemaps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/snapshot/capture.h"
#include "profile/imagemaps.h"
#include "capture/record/names.h"
#include "util/cleanup.h"
#include "util/hex.h"

#include "util/poison.h"

#define PLACES (2 * RECORD_MAX_IMAGEMAPS)
#define MAX_BYTES (4u << 20)

void record_imagemaps_release(struct record_imagemaps *all)
{
	uint32_t i;

	for (i = 0; all->places && i < PLACES; i++)
		free(all->places[i].text);
	free(all->places);
	*all = (struct record_imagemaps){ 0 };
}

static struct record_imagemap *find(const struct record_imagemaps *all, uint32_t pid)
{
	uint32_t i = pid % PLACES;

	while (all->places[i].pid && all->places[i].pid != pid)
		i = (i + 1) % PLACES;
	return &all->places[i];
}

void record_imagemaps_see(struct record_imagemaps *all, uint32_t pid, uint64_t epoch)
{
	struct record_imagemap *m;

	if (!all->places)
		all->places = calloc(PLACES, sizeof(*all->places));
	if (!pid || !all->places)
		return;
	m = find(all, pid);
	if (m->pid && m->text && m->epoch == epoch && !m->samples)
		return;
	if (!m->pid && all->nr == RECORD_MAX_IMAGEMAPS) {
		all->left_out++;
		return;
	}
	all->nr += !m->pid;
	m->pid = pid;
	m->epoch = epoch;
	m->samples++;
}

/*
 * Return: address of the file's first page, or where it would be. Other parts
 * of the file may be further apart in memory than in the file.
 */
static uint64_t base_of(const struct process_map *map, const struct symstore_image *image)
{
	struct symstore_segment s;
	uint64_t base;

	if (image && symstore_segment(image, map->offset, &s) && symstore_base(image, &base))
		return map->start - (s.vaddr + (map->offset - s.offset)) + base;
	return map->offset <= map->start ? map->start - map->offset : map->start;
}

static void add(struct imagemap *m, const struct process_map *map,
		const struct symstore_image *image)
{
	uint8_t build_id[SYMSTORE_MAX_BUILD_ID];
	struct imagemap_new new = {
		.base = base_of(map, image), .end = map->end, .path = map->file->id.path,
		.build_id = map->file->id.build_id, .build_id_len = map->file->id.build_id_len,
	};

	/* this mapping is another part of the same file's text */
	if (m->nr && m->images[m->nr - 1].base == new.base) {
		m->images[m->nr - 1].end = map->end;
		return;
	}
	if (image) {
		new.build_id = build_id;
		new.build_id_len = symstore_build_id(image, build_id);
	}
	imagemap_add(m, &new);
}

static char *encode(const struct imagemap *m)
{
	_cleanup_(cleanup_free) uint8_t *bytes = NULL;
	char *text;
	size_t len;

	if (!m->nr || imagemap_encode(m, &bytes, &len, NULL))
		return NULL;
	text = malloc(BASE64_LEN(len) + 1);
	if (text)
		base64_write(bytes, len, text);
	return text;
}

static char *text_of(const struct process_maps *maps,
		     struct symstore_image *(*image_of)(const struct process_file *f))
{
	struct imagemap m = IMAGEMAP_INIT;
	char *text;
	uint32_t i;

	snprintf(m.platform, sizeof(m.platform), IMAGEMAP_LINUX);
	for (i = 0; i < maps->nr; i++) {
		const struct process_file *f = maps->map[i].file;

		if (f->kind == PROCESS_FILE || f->kind == PROCESS_VDSO)
			add(&m, &maps->map[i], image_of(f));
	}
	imagemap_sort(&m);
	text = encode(&m);
	imagemap_release(&m);
	return text;
}

static void update(struct record_imagemaps *all, struct record_imagemap *m, char *text)
{
	size_t had = m->text ? strlen(m->text) : 0;

	if (!text || all->bytes - had + strlen(text) > MAX_BYTES) {
		all->left_out += text ? m->samples : 0;
		free(text);
		return;
	}
	all->bytes += strlen(text) - had;
	free(m->text);
	m->text = text;
}

/*
 * Frees the places of processes without a mapped file, such as kernel threads.
 */
static void drop_those_without(struct record_imagemaps *all)
{
	struct record_imagemap *old = all->places, *places = calloc(PLACES, sizeof(*places));
	uint32_t i;

	if (!places)
		return;
	all->places = places;
	all->nr = 0;
	for (i = 0; i < PLACES; i++)
		if (old[i].text) {
			*find(all, old[i].pid) = old[i];
			all->nr++;
		}
	free(old);
}

void record_imagemaps_update(struct record_imagemaps *all, struct processes *processes,
			     struct symstore_image *(*image_of)(const struct process_file *f))
{
	const struct process_maps *maps;
	struct record_imagemap *m;
	bool without = false;

	for (m = all->places; m && m < all->places + PLACES; m++) {
		maps = m->samples ? processes_maps(processes, m->pid, m->epoch) : NULL;
		if (maps)
			update(all, m, text_of(maps, image_of));
		m->samples = 0;
		without |= m->pid && !m->text;
	}
	if (without)
		drop_those_without(all);
}

static int by_pid(const void *x, const void *y)
{
	const struct record_imagemap *a = *(const struct record_imagemap *const *)x;
	const struct record_imagemap *b = *(const struct record_imagemap *const *)y;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

void record_imagemaps_write(const struct record_imagemaps *all, struct profile *p)
{
	const struct record_imagemap *order[RECORD_MAX_IMAGEMAPS];
	char text[96];
	uint32_t i, nr = 0;

	for (i = 0; all->places && i < PLACES; i++)
		if (all->places[i].text)
			order[nr++] = &all->places[i];
	if (nr)
		qsort(order, nr, sizeof(*order), by_pid);
	for (i = 0; i < nr; i++)
		profile_imagemap_add(p, order[i]->pid, order[i]->text);
	if (!all->left_out)
		return;
	snprintf(text, sizeof(text), "image maps: no room for those of %" PRIu64 " samples",
		 all->left_out);
	profile_comment(p, text);
}
