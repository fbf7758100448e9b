// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns mappings into images: joins the mappings of each file, and reads build ids from
 * the ELF headers in memory.
 */
#include "host/snapshot/mapped.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/snapshot/elf_head.h"
#include "util/array.h"
#include "util/cleanup.h"

#include "util/poison.h"

int imagemap_memory_add(struct imagemap_memory *memory, const struct imagemap_mapped *m)
{
	if (!m->path || !array_has_room(memory->mapped, memory->nr, memory->room)) {
		free(m->path);
		return -ENOMEM;
	}
	memory->mapped[memory->nr++] = *m;
	return 0;
}

void imagemap_memory_release(struct imagemap_memory *memory)
{
	size_t i;

	for (i = 0; i < memory->nr; i++)
		free(memory->mapped[i].path);
	free(memory->mapped);
	memory->mapped = NULL;
	memory->nr = memory->room = 0;
}

static int by_start(const void *x, const void *y)
{
	const struct imagemap_mapped *a = x, *b = y;

	return a->start < b->start ? -1 : a->start > b->start;
}

/*
 * Mappings of one copy of an ELF file ascend in the file as in memory; where they do not,
 * another copy of it begins.
 */
static bool continues(const struct imagemap_mapped *last, const struct imagemap_mapped *m)
{
	return last->file == m->file && !strcmp(last->path, m->path) && m->offset &&
	       m->offset >= last->offset;
}

struct found {
	struct elf_head head;
	uint8_t build_id[ELF_HEAD_MAX_BUILD_ID];
	size_t build_id_len;
};

static void look_at_notes(const struct imagemap_memory *memory, uint64_t addr, uint64_t len,
			  struct found *ret)
{
	_cleanup_(cleanup_free) uint8_t *bytes = NULL;
	struct elf_note n;
	size_t at = 0;

	if (!len || len > ELF_HEAD_MAX_NOTES)
		return;
	bytes = malloc(len);
	if (!bytes || !memory->read(memory->arg, addr, bytes, len))
		return;
	while (!ret->build_id_len && elf_note_next(ret->head.kind, bytes, len, &at, &n)) {
		if (!elf_note_is(&n, "GNU", NT_GNU_BUILD_ID) ||
		    n.desc_len > sizeof(ret->build_id))
			continue;
		memcpy(ret->build_id, n.desc, n.desc_len);
		ret->build_id_len = n.desc_len;
	}
}

static bool read_phdr(const struct imagemap_memory *memory, uint64_t base, uint32_t i,
		      const struct elf_head *head, struct elf_phdr *ret)
{
	const size_t len = head->kind.wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	uint8_t bytes[ELF_PHDR_BYTES];

	if (!memory->read(memory->arg, base + head->phoff + (uint64_t)i * head->phentsize,
			  bytes, len))
		return false;
	elf_phdr_parse(head->kind, bytes, ret);
	return true;
}

/* Reads the headers of the file at @base in memory. Return: whether it is an ELF file. */
static bool look_at_elf(const struct imagemap_memory *memory, uint64_t base,
			struct found *ret)
{
	uint8_t bytes[ELF_HEAD_BYTES];
	uint64_t bias = base;
	struct elf_phdr p;
	uint32_t i;

	*ret = (struct found){ .build_id_len = 0 };
	if (!memory->read(memory->arg, base, bytes, sizeof(bytes)) ||
	    !elf_head_parse(bytes, &ret->head))
		return false;
	for (i = 0; i < ret->head.phnum && read_phdr(memory, base, i, &ret->head, &p); i++)
		if (p.type == PT_LOAD) {
			bias = base - (p.vaddr - p.offset);
			break;
		}
	for (i = 0; i < ret->head.phnum && !ret->build_id_len; i++) {
		if (!read_phdr(memory, base, i, &ret->head, &p))
			break;
		if (p.type == PT_NOTE)
			look_at_notes(memory, bias + p.vaddr, p.memsz, ret);
	}
	return true;
}

/* Adds the image of the mappings [@first, @last], which are of one file. */
static int add_image(struct imagemap *map, const struct imagemap_memory *memory,
		     size_t first, size_t last, bool *narrow, bool *wide)
{
	const struct imagemap_mapped *m = &memory->mapped[first];
	struct imagemap_new image = { .base = m->start, .path = m->path };
	struct found found;
	size_t i;

	for (i = first; i <= last; i++)
		if (memory->mapped[i].exec)
			image.end = memory->mapped[i].end;
	if (!image.end)
		return 0;
	/* the start of the file is not mapped: this is where it would be */
	if (m->offset && m->offset <= m->start)
		image.base = m->start - m->offset;
	if (!m->offset && look_at_elf(memory, m->start, &found)) {
		image.build_id = found.build_id;
		image.build_id_len = found.build_id_len;
		*(found.head.kind.wide ? wide : narrow) = true;
	}
	return imagemap_add(map, &image);
}

int imagemap_from_memory(struct imagemap_memory *memory, struct imagemap *ret)
{
	bool narrow = false, wide = false;
	size_t first = 0, i;
	int err = 0;

	if (memory->nr)
		qsort(memory->mapped, memory->nr, sizeof(*memory->mapped), by_start);
	ret->word = IMAGEMAP_64;
	for (i = 1; !err && i <= memory->nr; i++) {
		if (i < memory->nr && continues(&memory->mapped[i - 1], &memory->mapped[i]))
			continue;
		err = add_image(ret, memory, first, i - 1, &narrow, &wide);
		first = i;
	}
	if (narrow && !wide && (!ret->nr || ret->images[ret->nr - 1].end <= UINT32_MAX))
		ret->word = IMAGEMAP_32;
	imagemap_sort(ret);
	return err;
}
