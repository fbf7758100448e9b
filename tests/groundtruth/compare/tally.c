// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tally.h"
#include "util.h"

/* an open-addressed table, at most half full; a free row has no count */
static struct tally_row *find(const struct tally *t, const char *why,
			      const struct file *f, uint64_t vaddr)
{
	size_t i = mix(mix((uintptr_t)why, (uintptr_t)f), vaddr);

	for (;; i++) {
		struct tally_row *r = &t->rows[i & (t->room - 1)];

		if (!r->count || (r->why == why && r->file == f && r->vaddr == vaddr))
			return r;
	}
}

static void grow(struct tally *t)
{
	struct tally old = *t;
	size_t i;

	if (t->count * 2 < t->room)
		return;
	t->room = t->room ? t->room * 2 : 256;
	t->rows = xcalloc(t->room, sizeof(*t->rows));
	for (i = 0; i < old.room; i++)
		if (old.rows[i].count)
			*find(t, old.rows[i].why, old.rows[i].file,
			      old.rows[i].vaddr) = old.rows[i];
	free(old.rows);
}

void tally_add(struct tally *t, const char *why, const struct file *f, uint64_t vaddr)
{
	struct tally_row *r;

	grow(t);
	r = find(t, why, f, vaddr);
	if (!r->count)
		t->count++;
	r->why = why;
	r->file = f;
	r->vaddr = vaddr;
	r->count++;
}

void tally_pc(struct tally *t, const char *why, const struct space *space, uint64_t pc)
{
	const struct mapping *m = space_find(space, pc);

	tally_add(t, why, m ? m->file : NULL, m ? pc - m->bias : pc);
}

/* the most frequent first; the rest of it makes the order the same in every run */
static int by_count(const void *a, const void *b)
{
	const struct tally_row *x = a, *y = b;
	int names;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	names = strcmp(x->file ? x->file->name : "", y->file ? y->file->name : "");
	if (names)
		return names;
	return x->vaddr < y->vaddr ? -1 : x->vaddr > y->vaddr;
}

static void print_rows(const struct tally *t, unsigned int most, bool addresses)
{
	struct tally_row *rows = xcalloc(t->count, sizeof(*rows));
	size_t i, n = 0;

	for (i = 0; i < t->room; i++)
		if (t->rows[i].count)
			rows[n++] = t->rows[i];
	qsort(rows, n, sizeof(*rows), by_count);
	for (i = 0; i < n && i < most; i++) {
		const char *name = rows[i].file ? rows[i].file->name : "(no file)";

		printf("  %10" PRIu64 "  %-14s %s", rows[i].count, rows[i].why, name);
		if (addresses)
			printf("+0x%" PRIx64, rows[i].vaddr);
		putchar('\n');
	}
	if (i < n)
		printf("  and %zu more places\n", n - i);
	free(rows);
}

void tally_print(struct tally *t, const char *title, unsigned int most)
{
	struct tally by_file = {};
	size_t i;

	if (!t->count)
		return;
	for (i = 0; i < t->room; i++) {
		const struct tally_row *r = &t->rows[i];
		struct tally_row *sum;

		if (!r->count)
			continue;
		tally_add(&by_file, r->why, r->file, 0);
		sum = find(&by_file, r->why, r->file, 0);
		sum->count += r->count - 1;
	}
	printf("%s, by file:\n", title);
	print_rows(&by_file, 1000, false);
	if (most) {
		printf("%s, by place:\n", title);
		print_rows(t, most, true);
	}
	tally_release(&by_file);
}

void tally_release(struct tally *t)
{
	free(t->rows);
	memset(t, 0, sizeof(*t));
}
