// SPDX-License-Identifier: GPL-2.0-only
/*
 * From an address of a process to a location of the profile. An address in a
 * file becomes the file's link-time address, so that all processes share the
 * location. An address in code that the process made stays as it is, in a
 * mapping of that process alone. See names_private.h.
 */
#include "capture/record/names_private.h"

#include <stdio.h>
#include <string.h>

#include "symbols/symstore/find.h"
#include "util/array.h"
#include "util/text.h"

/*
 * Opens the file now, when it is first mapped: its process may be gone in a
 * millisecond.
 */
void record_meet_file(struct process_file *f, uint32_t pid, const struct process_map *map,
		      void *arg)
{
	struct record_names *n = arg;
	struct symstore_key key = {
		.path = f->id.path, .build_id_len = f->id.build_id_len,
		.dev = f->id.dev, .ino = f->id.ino, .generation = f->id.generation,
		.pid = pid, .start = map->start, .end = map->end,
	};
	struct symstore_image *image;

	if (f->kind != PROCESS_FILE && (f->kind != PROCESS_VDSO || n->elsewhere))
		return;
	if (n->options.past)
		key.pid = 0;
	if (jit_is_dump(f->id.path))
		jit_dump(n->jit, pid, f->id.path);
	memcpy(key.build_id, f->id.build_id, f->id.build_id_len);
	if (f->kind == PROCESS_FILE && symstore_is_generated(&key)) {
		f->kind = PROCESS_GENERATED;
		return;
	}
	image = symstore_image(n->store, &key);
	n->no_memory |= !image;
	/* 0 means that the file was not met */
	f->user = (uintptr_t)image;
}

void record_lose_file(struct process_file *f, void *arg)
{
	struct record_names *n = arg;

	if (f->user)
		symstore_put(n->store, record_image_of(f));
}

void record_set_origin(struct record_names *n, uint32_t mapping, struct origin origin)
{
	while (n->nr_origins <= mapping) {
		if (!array_has_room(n->origins, n->nr_origins, n->origins_room)) {
			n->no_memory = true;
			return;
		}
		n->origins[n->nr_origins++] = (struct origin){ .source = SOURCE_NONE };
	}
	n->origins[mapping] = origin;
}

uint32_t record_hex_string(struct profile *p, const uint8_t *bytes, unsigned int nr)
{
	char text[2 * SYMSTORE_MAX_BUILD_ID + 1];

	return nr ? profile_string(p, text_hex(bytes, nr, text, sizeof(text))) : 0;
}

static uint32_t file_location(struct record_names *n, const struct process_place *at,
			      uint64_t addr)
{
	struct symstore_image *image = record_image_of(at->file);
	uint8_t build_id[SYMSTORE_MAX_BUILD_ID];
	struct profile_mapping m = { .file = profile_string(n->p, at->file->id.path) };
	struct symstore_segment s;
	uint32_t mapping;

	if (!image || !symstore_segment(image, at->offset, &s)) {
		/* the file cannot be opened: only offsets in it are known */
		m.start = m.offset = at->offset - (addr - at->start);
		m.limit = m.start + (at->end - at->start);
		m.build_id = record_hex_string(n->p, at->file->id.build_id,
					at->file->id.build_id_len);
		mapping = profile_mapping(n->p, &m);
		record_set_origin(n, mapping, (struct origin){ .source = SOURCE_NONE });
		return profile_location(n->p, mapping, at->offset);
	}
	m.start = s.vaddr;
	m.limit = s.limit;
	m.offset = s.offset;
	m.build_id = record_hex_string(n->p, build_id, symstore_build_id(image, build_id));
	mapping = profile_mapping(n->p, &m);
	if (mapping >= n->nr_origins)
		n->no_memory |= image_index_add(&n->image_index, n->p, mapping, image) != 0;
	record_set_origin(n, mapping, (struct origin){ SOURCE_IMAGE, 0, image });
	if (!n->options.raw)
		symstore_want(n->store, image);
	return profile_location(n->p, mapping, s.vaddr + (at->offset - s.offset));
}

static uint32_t made_location(struct record_names *n, uint32_t pid,
			      const struct process_place *at, uint64_t addr)
{
	struct profile_mapping m = { .start = at->start, .limit = at->end };
	char name[32];
	uint32_t mapping;

	snprintf(name, sizeof(name), "[jit:%u]", pid);
	m.file = profile_string(n->p, name);
	mapping = profile_mapping(n->p, &m);
	record_set_origin(n, mapping, (struct origin){ SOURCE_JIT, pid, NULL });
	return profile_location(n->p, mapping, addr);
}

bool record_is_in_file(const struct record_names *n, uint32_t pid, const struct process_file *f)
{
	return f->kind == PROCESS_FILE || f->kind == PROCESS_VDSO ||
	       (f->kind == PROCESS_GENERATED && strncmp(f->id.path, "/memfd:", 7) &&
		!jit_has_names(n->jit, pid));
}

int record_user_location(struct record_names *n, const struct sampler_count *c,
			 uint64_t addr, uint32_t *ret)
{
	struct process_place at;
	int found = processes_find(n->processes, c->tgid, c->epoch, addr, &at);

	if (found < 0)
		return found;
	if (!found)
		*ret = profile_location(n->p, 0, addr);
	else if (record_is_in_file(n, c->tgid, at.file))
		*ret = file_location(n, &at, addr);
	else
		*ret = made_location(n, c->tgid, &at, addr);
	return 0;
}
