// SPDX-License-Identifier: GPL-2.0-only
/* A hash table of counts and its output as tables (tally.h). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "syms.h"
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

static void add(struct tally *t, const char *why, struct file *f, uint64_t vaddr,
		uint64_t count)
{
	struct tally_row *r;

	grow(t);
	r = find(t, why, f, vaddr);
	if (!r->count)
		t->count++;
	r->why = why;
	r->file = f;
	r->vaddr = vaddr;
	r->count += count;
}

void tally_add(struct tally *t, const char *why, struct file *f, uint64_t vaddr)
{
	add(t, why, f, vaddr, 1);
}

void tally_pc(struct tally *t, const char *why, const struct space *space, uint64_t pc)
{
	const struct mapping *m = space_find(space, pc);

	tally_add(t, why, m ? m->file : NULL, m ? pc - m->bias : pc);
}

/* the most frequent first; the other comparisons make the order the same in every run */
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

enum what { FILES, FUNCTIONS, PLACES };

/* the name of the function of a row, if there is one */
static void print_name(const struct tally_row *r, enum what what)
{
	const struct sym *s = r->file && what != FILES ? syms_find(r->file, r->vaddr) : NULL;

	fputs(r->file ? r->file->name : "(no file)", stdout);
	if (what == PLACES || (what == FUNCTIONS && !s))
		printf("+0x%" PRIx64, r->vaddr);
	if (s)
		printf(" %s", s->name);
	if (s && what == PLACES)
		printf("+0x%" PRIx64, r->vaddr - s->start);
	putchar('\n');
}

static void print_rows(const struct tally *t, unsigned int most, enum what what)
{
	struct tally_row *rows = xcalloc(t->count, sizeof(*rows));
	size_t i, n = 0;

	for (i = 0; i < t->room; i++)
		if (t->rows[i].count)
			rows[n++] = t->rows[i];
	qsort(rows, n, sizeof(*rows), by_count);
	for (i = 0; i < n && i < most; i++) {
		printf("  %10" PRIu64 "  %-14s ", rows[i].count, rows[i].why);
		print_name(&rows[i], what);
	}
	if (i < n)
		printf("  and %zu more places\n", n - i);
	free(rows);
}

/* the address that stands for the row's file or function */
static uint64_t group_of(const struct tally_row *r, enum what what)
{
	const struct sym *s = r->file ? syms_find(r->file, r->vaddr) : NULL;

	return what == FILES ? 0 : s ? s->start : r->vaddr;
}

static void print_groups(const struct tally *t, unsigned int most, enum what what)
{
	struct tally sums = {};
	size_t i;

	for (i = 0; i < t->room; i++) {
		const struct tally_row *r = &t->rows[i];

		if (r->count)
			add(&sums, r->why, r->file, group_of(r, what), r->count);
	}
	print_rows(&sums, most, what);
	tally_release(&sums);
}

void tally_print(const struct tally *t, const char *title, unsigned int most)
{
	if (!t->count)
		return;
	printf("%s, by file:\n", title);
	print_groups(t, 1000, FILES);
	if (most) {
		printf("%s, by place:\n", title);
		print_rows(t, most, PLACES);
	}
}

void tally_print_functions(const struct tally *t, const char *title, unsigned int most)
{
	if (!t->count)
		return;
	printf("%s, by function:\n", title);
	print_groups(t, most, FUNCTIONS);
}

void tally_release(struct tally *t)
{
	free(t->rows);
	memset(t, 0, sizeof(*t));
}
