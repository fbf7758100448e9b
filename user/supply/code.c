// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a file's table in this process: from its .sframe, or from a section of the cache or of a
 * jail if it has none, or one that describes only a part of its text. capture/stackcopy and
 * supply/tables call it.
 */
#include "supply/code.h"

#include <elf.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/file.h"

static void add_segments(struct code *c, const struct ustack_elf *elf)
{
	unsigned int i;

	for (i = 0; i < elf->nr_segments; i++) {
		const struct ustack_segment *s = &elf->segments[i];

		if (s->exec && s->filesz)
			c->segments[c->nr_segments++] = (struct code_segment){
				s->off, s->off + s->filesz, s->vaddr - s->off,
			};
	}
}

static struct code *compile(struct ustack_section *sec, const struct ustack_elf *elf,
			    enum ustack_reason *why)
{
	struct code *c;
	size_t bytes;
	u64 size;

	*why = ustack_compile_size(sec, &size);
	if (*why)
		return NULL;
	bytes = offsetof(struct code, table) + size;
	c = calloc(1, bytes);
	if (!c) {
		*why = USTACK_NO_MEMORY;
		return NULL;
	}
	c->bytes = bytes;
	c->covered = sec->report.covered;
	c->partial = ustack_section_is_partial(sec);
	add_segments(c, elf);
	*why = ustack_compile(sec, &c->table);
	if (*why) {
		free(c);
		return NULL;
	}
	return c;
}

struct code *code_of_section(const u8 *bytes, u32 len, u64 vaddr, const struct ustack_elf *elf,
			     enum ustack_reason *why)
{
	_cleanup_(cleanup_free) void *scratch = NULL;
	struct ustack_section sec = {
		.bytes = bytes, .len = len, .vaddr = vaddr, .arch = elf->arch,
		.text = elf->text, .nr_text = elf->nr_text,
	};

	_Static_assert(offsetof(struct code, table) % 8 == 0, "tables are 8-aligned");
	*why = ustack_section_open(&sec, NULL);
	if (*why)
		return NULL;
	scratch = malloc(ustack_section_scratch(&sec));
	*why = scratch ? ustack_verify(&sec, scratch) : USTACK_NO_MEMORY;
	return *why ? NULL : compile(&sec, elf, why);
}

static struct code *make_own(const struct supply_file *f, enum ustack_reason *why)
{
	const struct file file = { .path = f->path, .fd = f->fd, .size = (u64)f->st.st_size };
	_cleanup_(cleanup_free) u8 *bytes = NULL;

	*why = USTACK_NO_SECTION;
	if (!f->elf.sframe_off)
		return NULL;
	*why = USTACK_READ_ERROR;
	if (file_read_new(&file, f->elf.sframe_off, f->elf.sframe_len, &bytes, NULL))
		return NULL;
	return code_of_section(bytes, f->elf.sframe_len, f->elf.sframe_vaddr, &f->elf, why);
}

static struct code *make_section(struct supply_file *f, const struct cache *cache,
				 enum ustack_reason *why)
{
	_cleanup_(cache_entry_release) struct cache_entry e = CACHE_ENTRY_INIT;
	const struct supply_order order = { cache, SUPPLY_MAY_BE_LARGE | SUPPLY_IN_JAIL };
	struct supply_result result = { 0 };

	supply_section(&order, f, &e, &result);
	*why = USTACK_NO_SECTION;
	return e.bytes ? code_of_section(e.bytes, e.len, e.vaddr, &f->elf, why) : NULL;
}

static u64 entry_of(const struct supply_file *f)
{
	u64 entry = 0;

	if (pread(f->fd, &entry, sizeof(entry), offsetof(Elf64_Ehdr, e_entry)) !=
	    sizeof(entry))
		return 0;
	return entry;
}

/* Return: the table that covers more text; the other one is released. */
static struct code *better(struct code *a, struct code *b)
{
	struct code *less = a && (!b || a->covered >= b->covered) ? b : a;

	free(less);
	return less == a ? b : a;
}

struct code *code_make(struct supply_file *f, const struct cache *cache,
		       enum ustack_reason *why)
{
	struct code *c = make_own(f, why);

	if (!c || c->partial)
		c = better(c, make_section(f, cache, why));
	if (c)
		c->entry = entry_of(f);
	return c;
}
