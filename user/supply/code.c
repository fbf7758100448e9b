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

/**
 * struct parts - a verified section, divided by functions
 * @sec: the section, each time with other functions; they share its work memory
 * @size: bytes of each part's table, rounded up, so that the next one is 8-aligned
 * @nr: number of parts
 */
struct parts {
	struct ustack_section sec[CODE_MAX_TABLES];
	u64 size[CODE_MAX_TABLES];
	unsigned int nr;
};

/* Makes @part the functions from @first to @last of @all. */
static void take_functions(struct ustack_section *part, const struct ustack_section *all, u32 first,
			   u32 last)
{
	u64 end;
	u32 i;

	*part = *all;
	part->funcs += first;
	part->nr_funcs = last - first;
	if (part->nr_funcs == all->nr_funcs)
		return;
	part->base = part->funcs[0].start & ~0xffull;
	part->end = 0;
	for (i = 0; i < part->nr_funcs; i++) {
		end = part->funcs[i].start + part->funcs[i].size;
		part->end = end > part->end ? end : part->end;
	}
}

/* Divides @all into @nr parts. Return: a reason; USTACK_TOO_LARGE if one has more than @most bytes. */
static enum ustack_reason divide(const struct ustack_section *all, unsigned int nr, u64 most,
				 struct parts *ret)
{
	const u64 funcs = all->nr_funcs;
	enum ustack_reason why;
	unsigned int i;

	if (funcs < nr)
		return USTACK_TOO_LARGE;
	ret->nr = nr;
	for (i = 0; i < nr; i++) {
		take_functions(&ret->sec[i], all, (u32)(funcs * i / nr), (u32)(funcs * (i + 1) / nr));
		why = ustack_compile_size(&ret->sec[i], &ret->size[i]);
		if (why)
			return why;
		if (most && ret->size[i] > most)
			return USTACK_TOO_LARGE;
		ret->size[i] = (ret->size[i] + 7) & ~7ull;
	}
	return USTACK_OK;
}

/* Divides the section into as few parts as possible. */
static enum ustack_reason size_parts(const struct ustack_section *sec, u64 most, struct parts *ret)
{
	enum ustack_reason why = USTACK_TOO_LARGE;
	unsigned int nr;

	for (nr = 1; nr <= CODE_MAX_TABLES && why == USTACK_TOO_LARGE; nr++)
		why = divide(sec, nr, most, ret);
	return why;
}

static struct code *new_code(const struct parts *p)
{
	size_t bytes = offsetof(struct code, table);
	unsigned int i;
	struct code *c;

	for (i = 0; i < p->nr; i++)
		bytes += p->size[i];
	c = calloc(1, bytes);
	if (c)
		c->bytes = bytes;
	return c;
}

/* Makes the tables, one after the other. */
static enum ustack_reason fill(struct code *c, struct parts *p)
{
	u8 *to = (u8 *)&c->table;
	enum ustack_reason why = USTACK_OK;
	unsigned int i;

	for (i = 0; i < p->nr && !why; i++) {
		why = ustack_compile(&p->sec[i], to);
		c->tables[i] = (const struct ustack_table *)to;
		c->from[i] = p->sec[i].funcs[0].start;
		to += p->size[i];
	}
	c->nr_tables = p->nr;
	return why;
}

static struct code *compile(const struct ustack_section *sec, const struct ustack_elf *elf, u64 most,
			    enum ustack_reason *why)
{
	struct parts p;
	struct code *c;

	*why = size_parts(sec, most, &p);
	if (*why)
		return NULL;
	c = new_code(&p);
	*why = c ? fill(c, &p) : USTACK_NO_MEMORY;
	if (*why) {
		free(c);
		return NULL;
	}
	c->covered = sec->report.covered;
	c->partial = ustack_section_is_partial(sec);
	add_segments(c, elf);
	return c;
}

struct code *code_of_section(const u8 *bytes, u32 len, u64 vaddr, const struct ustack_elf *elf,
			     u64 most, enum ustack_reason *why)
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
	return *why ? NULL : compile(&sec, elf, most, why);
}

static struct code *make_own(const struct supply_file *f, u64 most, enum ustack_reason *why)
{
	const struct file file = { .path = f->path, .fd = f->fd, .size = (u64)f->st.st_size };
	_cleanup_(cleanup_free) u8 *bytes = NULL;

	*why = USTACK_NO_SECTION;
	if (!f->elf.sframe_off)
		return NULL;
	*why = USTACK_READ_ERROR;
	if (file_read_new(&file, f->elf.sframe_off, f->elf.sframe_len, &bytes, NULL))
		return NULL;
	return code_of_section(bytes, f->elf.sframe_len, f->elf.sframe_vaddr, &f->elf, most,
			       why);
}

static struct code *make_section(struct supply_file *f, const struct cache *cache, u64 most,
				 enum ustack_reason *why)
{
	_cleanup_(cache_entry_release) struct cache_entry e = CACHE_ENTRY_INIT;
	const struct supply_order order = { cache, SUPPLY_MAY_BE_LARGE | SUPPLY_IN_JAIL };
	struct supply_result result = { 0 };

	supply_section(&order, f, &e, &result);
	*why = USTACK_NO_SECTION;
	return e.bytes ? code_of_section(e.bytes, e.len, e.vaddr, &f->elf, most, why) : NULL;
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

struct code *code_make(struct supply_file *f, const struct cache *cache, u64 most,
		       enum ustack_reason *why)
{
	struct code *c = make_own(f, most, why);

	if (!c || c->partial)
		c = better(c, make_section(f, cache, most, why));
	if (c)
		c->entry = entry_of(f);
	return c;
}
