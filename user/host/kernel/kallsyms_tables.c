// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a list in the format of /proc/kallsyms into tables sorted by address, see
 * kallsyms_tables.h. Called by kallsyms.c at the start and in its thread.
 */
#include "host/kernel/kallsyms_tables.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/kernel/kallsyms_line.h"
#include "host/kernel/build_id.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/sysctl.h"

#include "util/poison.h"

#define PAGE 4096u
#define NO_MODULE ""

void kallsyms_tables_release(struct kallsyms_tables *t)
{
	size_t i;

	for (i = 0; i < t->nr_images; i++)
		free((char *)t->images[i].name);
	free(t->symbols);
	free(t->names);
	free(t->images);
}

static int add_name(struct kallsyms_tables *t, const char *name, uint32_t *ret)
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

/*
 * Finds or adds an image. Symbols of an image are adjacent, so the last image is tried
 * first.
 */
static int find_image(struct kallsyms_tables *t, const char *module, uint16_t *ret)
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

/* The rank of a symbol by its type letter, see nm(1); 0 if it is not code. */
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

static int add_symbol(struct kallsyms_tables *t, uint64_t addr, char type, const char *name,
		      const char *module)
{
	struct kallsyms_symbol s = { .addr = addr, .rank = rank_of(type) };
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

/* Adds the symbol of a line; lines of another format are skipped. */
static int read_line(struct kallsyms_tables *t, char *text)
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

/* Compares two names of one address: less than 0 if @a is the better one. */
static int by_choice(const char *names, const struct kallsyms_symbol *a, const struct kallsyms_symbol *b)
{
	const char *x = names + a->name, *y = names + b->name;

	if (a->rank != b->rank)
		return b->rank - a->rank;
	if (underscores(x) != underscores(y))
		return underscores(x) < underscores(y) ? -1 : 1;
	if (strlen(x) != strlen(y))
		return strlen(x) > strlen(y) ? -1 : 1;
	/* the first one in the list */
	return a->name < b->name ? -1 : 1;
}

static int by_addr(const void *a, const void *b, void *names)
{
	const struct kallsyms_symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return by_choice(names, x, y);
}

/* Sorts the symbols by address and keeps one for each address. */
static void sort_symbols(struct kallsyms_tables *t)
{
	size_t i, nr = 0;

	qsort_r(t->symbols, t->nr_symbols, sizeof(*t->symbols), by_addr, t->names);
	for (i = 0; i < t->nr_symbols; i++)
		if (!nr || t->symbols[nr - 1].addr != t->symbols[i].addr)
			t->symbols[nr++] = t->symbols[i];
	t->nr_symbols = nr;
}

uint64_t kallsyms_symbol_end(const struct kallsyms_tables *t, size_t i)
{
	const struct kallsyms_symbol *s = &t->symbols[i];
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

static void measure_images(struct kallsyms_tables *t)
{
	size_t i;

	for (i = 0; i < t->nr_symbols; i++) {
		struct kallsyms_image *image = &t->images[t->symbols[i].image];

		if (t->symbols[i].addr < image->start)
			image->start = t->symbols[i].addr;
		if (kallsyms_symbol_end(t, i) > image->limit)
			image->limit = kallsyms_symbol_end(t, i);
	}
}

void kallsyms_tables_build_ids(struct kallsyms_tables *t)
{
	size_t i;

	for (i = 0; i < t->nr_images; i++)
		t->images[i].build_id_len =
			kernel_build_id(t->images[i].name, t->images[i].build_id);
}

/* Return: 0, a negative errno of reading or memory, or -ECANCELED. */
static int read_lines(FILE *f, struct kallsyms_tables *t, const atomic_bool *stop)
{
	_cleanup_(cleanup_free) char *line = NULL;
	size_t room = 0;
	int err = 0;

	while (!err && getline(&line, &room, f) >= 0)
		err = stop && atomic_load_explicit(stop, memory_order_relaxed) ?
			-ECANCELED : read_line(t, line);
	return err;
}

/*
 * See kallsyms_show_value(): with kptr_restrict 0, addresses are shown to users who may
 * sample the kernel.
 */
static int refuse(const char *path, struct diag *diag)
{
	int64_t restricted;

	return diag_set(diag, EPERM, path, "the kernel hides its addresses: run as root, or: sysctl %s",
			sysctl_kernel("kptr_restrict", &restricted) && !restricted ?
			"kernel.perf_event_paranoid=1" : "kernel.kptr_restrict=0");
}

int kallsyms_tables_read(const char *path, struct kallsyms_tables *t, const atomic_bool *stop,
			 struct diag *diag)
{
	_cleanup_(cleanup_file) FILE *f = fopen(path, "re");
	int err;

	if (!f)
		return diag_errno(diag, errno, path);
	err = read_lines(f, t, stop);
	if (err)
		return diag_errno(diag, -err, path);
	if (!t->nr_symbols && t->hidden)
		return refuse(path, diag);
	if (!t->nr_symbols)
		return diag_set(diag, ENOENT, path, "it lists no function");
	sort_symbols(t);
	measure_images(t);
	return 0;
}
