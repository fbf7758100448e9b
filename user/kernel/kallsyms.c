// SPDX-License-Identifier: GPL-2.0
#include "kernel/kallsyms.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kallsyms_line.h"
#include "kernel/notes.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/poison.h"

#define PAGE 4096u
#define NO_MODULE ""

/**
 * struct symbol - a function
 * @addr: where it starts
 * @name: offset in the names
 * @image: index
 * @rank: of its kind: what is preferred has more
 */
struct symbol {
	uint64_t addr;
	uint32_t name;
	uint16_t image;
	uint8_t rank;
};

/* Everything is read into tables of its own, which then take the place of the old ones. */
struct tables {
	struct symbol *symbols;
	size_t nr_symbols;
	size_t symbols_room;
	char *names;
	size_t nr_names;
	size_t names_room;
	struct kallsyms_image *images;
	size_t nr_images;
	size_t images_room;
	uint64_t etext;		/* of the kernel itself, 0 if it is not listed */
	bool hidden;		/* there were symbols, but no addresses */
};

struct kallsyms {
	char *path;
	struct tables t;
};

static void tables_release(struct tables *t)
{
	size_t i;

	for (i = 0; i < t->nr_images; i++)
		free((char *)t->images[i].name);
	free(t->symbols);
	free(t->names);
	free(t->images);
}

static int add_name(struct tables *t, const char *name, uint32_t *ret)
{
	size_t len = strlen(name) + 1;
	char *names;

	if (t->nr_names + len > UINT32_MAX)
		return -E2BIG;
	if (t->nr_names + len > t->names_room) {
		size_t room = 2 * t->names_room + len + 65536;

		names = realloc(t->names, room);
		if (!names)
			return -ENOMEM;
		t->names = names;
		t->names_room = room;
	}
	memcpy(t->names + t->nr_names, name, len);
	*ret = (uint32_t)t->nr_names;
	t->nr_names += len;
	return 0;
}

static bool is_module(const struct kallsyms_image *i, const char *module)
{
	size_t len = strlen(module);

	if (!len)
		return !strcmp(i->name, "[kernel.kallsyms]");
	return i->name[0] == '[' && !strncmp(i->name + 1, module, len) &&
	       !strcmp(i->name + 1 + len, "]");
}

static char *image_name(const char *module)
{
	char *name;

	if (asprintf(&name, "[%s]", *module ? module : "kernel.kallsyms") < 0)
		return NULL;
	return name;
}

/* Symbols of one image stand together, so that the last one is nearly always right. */
static int find_image(struct tables *t, const char *module, uint16_t *ret)
{
	size_t i = t->nr_images;
	char *name;

	while (i--)
		if (is_module(&t->images[i], module)) {
			*ret = (uint16_t)i;
			return 0;
		}
	if (t->nr_images == UINT16_MAX)
		return -E2BIG;
	if (!array_has_room(t->images, t->nr_images, t->images_room))
		return -ENOMEM;
	name = image_name(module);
	if (!name)
		return -ENOMEM;
	*ret = (uint16_t)t->nr_images;
	t->images[t->nr_images++] = (struct kallsyms_image){ .name = name,
							     .start = UINT64_MAX };
	return 0;
}

/* nm(1)'s letters; what is no code has rank 0. */
static uint8_t rank_of(char type)
{
	switch (type) {
	case 'T':
		return 3;
	case 'W':
	case 'w':
	case 'V':
		return 2;
	case 't':
		return 1;
	default:
		return 0;
	}
}

static int add_symbol(struct tables *t, uint64_t addr, char type, const char *name,
		      const char *module)
{
	struct symbol s = { .addr = addr, .rank = rank_of(type) };
	int err;

	if (!*module && !strcmp(name, "_etext"))
		t->etext = addr;
	if (!s.rank)
		return 0;
	if (!addr) {
		t->hidden = true;
		return 0;
	}
	err = find_image(t, module, &s.image);
	if (!err)
		err = add_name(t, name, &s.name);
	if (err)
		return err;
	if (!array_has_room(t->symbols, t->nr_symbols, t->symbols_room))
		return -ENOMEM;
	t->symbols[t->nr_symbols++] = s;
	return 0;
}

/* Other lines are passed over. */
static int read_line(struct tables *t, char *text)
{
	struct kallsyms_line l;

	if (!kallsyms_line(text, &l))
		return 0;
	return add_symbol(t, l.addr, l.type, l.name, l.module);
}

static size_t underscores(const char *s)
{
	return strspn(s, "_");
}

/* Which of two names of one address is the better one: less than 0 for @a. */
static int by_choice(const char *names, const struct symbol *a, const struct symbol *b)
{
	const char *x = names + a->name, *y = names + b->name;

	if (a->rank != b->rank)
		return b->rank - a->rank;
	if (underscores(x) != underscores(y))
		return underscores(x) < underscores(y) ? -1 : 1;
	if (strlen(x) != strlen(y))
		return strlen(x) > strlen(y) ? -1 : 1;
	/* as listed */
	return a->name < b->name ? -1 : 1;
}

static int by_addr(const void *a, const void *b, void *names)
{
	const struct symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return by_choice(names, x, y);
}

/* One symbol for each address, ascending. */
static void sort_symbols(struct tables *t)
{
	size_t i, nr = 0;

	qsort_r(t->symbols, t->nr_symbols, sizeof(*t->symbols), by_addr, t->names);
	for (i = 0; i < t->nr_symbols; i++)
		if (!nr || t->symbols[nr - 1].addr != t->symbols[i].addr)
			t->symbols[nr++] = t->symbols[i];
	t->nr_symbols = nr;
}

/* Where symbol @i ends: where the next one starts, but not pages behind its image. */
static uint64_t symbol_end(const struct tables *t, size_t i)
{
	const struct symbol *s = &t->symbols[i];
	uint64_t page = s->addr | (PAGE - 1), end;
	bool last = i + 1 == t->nr_symbols || s[1].image != s->image;

	if (__builtin_add_overflow(page, 1 + PAGE, &end))
		end = UINT64_MAX;
	if (i + 1 < t->nr_symbols && (!last || s[1].addr < end))
		end = s[1].addr;
	if (t->etext > s->addr && t->etext < end && is_module(&t->images[s->image], NO_MODULE))
		end = t->etext;
	return end;
}

static void measure_images(struct tables *t)
{
	size_t i;

	for (i = 0; i < t->nr_symbols; i++) {
		struct kallsyms_image *image = &t->images[t->symbols[i].image];

		if (t->symbols[i].addr < image->start)
			image->start = t->symbols[i].addr;
		if (symbol_end(t, i) > image->limit)
			image->limit = symbol_end(t, i);
	}
}

static void read_build_ids(struct tables *t)
{
	size_t i;

	for (i = 0; i < t->nr_images; i++)
		t->images[i].build_id_len =
			kernel_build_id(t->images[i].name, t->images[i].build_id);
}

static void close_file(FILE **f)
{
	if (*f)
		fclose(*f);
}

static int read_tables(const char *path, struct tables *t, struct diag *diag)
{
	_cleanup_(close_file) FILE *f = fopen(path, "re");
	_cleanup_(cleanup_free) char *line = NULL;
	size_t room = 0;
	int err = 0;

	if (!f)
		return diag_errno(diag, errno, path);
	while (!err && getline(&line, &room, f) >= 0)
		err = read_line(t, line);
	if (err)
		return diag_errno(diag, -err, path);
	if (!t->nr_symbols)
		return diag_set(diag, t->hidden ? EPERM : ENOENT, path, "%s", t->hidden ?
				"the kernel hides its addresses: run as root, or: "
				"sysctl kernel.kptr_restrict=0" : "lists no function");
	sort_symbols(t);
	measure_images(t);
	return 0;
}

int kallsyms_new(const char *path, struct kallsyms **ret, struct diag *diag)
{
	const char *file = path ? path : "/proc/kallsyms";
	struct kallsyms *k = calloc(1, sizeof(*k));
	int err;

	if (!k)
		return diag_errno(diag, ENOMEM, file);
	k->path = strdup(file);
	/* what @diag says is read when @k is gone */
	err = k->path ? read_tables(file, &k->t, diag) : diag_errno(diag, ENOMEM, file);
	if (err) {
		kallsyms_free(k);
		return err;
	}
	if (!path)
		read_build_ids(&k->t);
	*ret = k;
	return 0;
}

void kallsyms_free(struct kallsyms *k)
{
	if (!k)
		return;
	tables_release(&k->t);
	free(k->path);
	free(k);
}

int kallsyms_refresh(struct kallsyms *k)
{
	struct tables t = { 0 };
	int err = read_tables(k->path, &t, NULL);

	if (err) {
		tables_release(&t);
		return err;
	}
	read_build_ids(&t);
	tables_release(&k->t);
	k->t = t;
	return 0;
}

static const struct symbol *find(const struct tables *t, uint64_t addr)
{
	size_t low = 0, high = t->nr_symbols;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->symbols[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr < symbol_end(t, low - 1) ? &t->symbols[low - 1] : NULL;
}

const struct kallsyms_image *kallsyms_image(const struct kallsyms *k, uint64_t addr)
{
	const struct symbol *s = find(&k->t, addr);

	return s ? &k->t.images[s->image] : NULL;
}

const char *kallsyms_name(const struct kallsyms *k, uint64_t addr, uint64_t *offset)
{
	const struct symbol *s = find(&k->t, addr);

	if (!s)
		return NULL;
	if (offset)
		*offset = addr - s->addr;
	return k->t.names + s->name;
}
