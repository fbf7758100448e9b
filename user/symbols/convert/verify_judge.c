// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the addresses of one function: finds the addresses, then the frames of DWARF
 * and of the GSYM file, and counts the differences.
 */
#include "symbols/convert/verify_judge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/poison.h"

void verify_judge_release(struct verify_judge *j)
{
	verify_calls_release(&j->calls);
	verify_names_release(&j->names);
	free(j->points);
	j->points = NULL;
	j->nr_points = j->room_points = 0;
}

/* Something changes at @addr: adds it and the address before it. */
static int add_point(struct verify_judge *j, struct range in, uint64_t addr)
{
	uint64_t p;

	for (p = addr - (addr > in.start); p <= addr; p++) {
		if (p < in.start || p >= in.end)
			continue;
		if (!array_has_room(j->points, j->nr_points, j->room_points))
			return -ENOMEM;
		j->points[j->nr_points++] = p;
	}
	return 0;
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void sort_points(struct verify_judge *j)
{
	size_t i, n = 0;

	qsort(j->points, j->nr_points, sizeof(*j->points), by_address);
	for (i = 0; i < j->nr_points; i++)
		if (!n || j->points[i] != j->points[n - 1])
			j->points[n++] = j->points[i];
	j->nr_points = n;
}

static int find_points(struct verify_judge *j, const struct verify_unit *u,
		       struct range in)
{
	Dwarf_Addr addr;
	size_t i;
	int err;

	j->nr_points = 0;
	err = add_point(j, in, in.start);
	if (!err)
		err = add_point(j, in, in.end);
	for (i = verify_unit_above(u, in.start); !err && i < u->nr_lines; i++) {
		if (dwarf_lineaddr(dwarf_onesrcline(u->lines, i), &addr) || addr >= in.end)
			break;
		err = add_point(j, in, addr);
	}
	for (i = 0; !err && i < j->calls.nr_ranges; i++) {
		err = add_point(j, in, j->calls.ranges[i].start);
		if (!err)
			err = add_point(j, in, j->calls.ranges[i].end);
	}
	if (!err)
		sort_points(j);
	return err;
}

/* A path in two pieces, folder and file, read character by character. */
struct path {
	const char *piece[2];
	unsigned int at;
	bool slash;	/* the last character was a slash */
};

/* The next character, with repeated slashes as one. Return: '\0' at the end. */
static char next_char(struct path *p)
{
	char c;

	for (;;) {
		c = *p->piece[p->at];
		if (c) {
			p->piece[p->at]++;
		} else if (p->at) {
			return '\0';
		} else {
			/* a slash separates folder and file */
			p->at = 1;
			c = '/';
		}
		if (c != '/' || !p->slash)
			break;
	}
	p->slash = c == '/';
	return c;
}

static struct path path_of(const struct gsym_frame *f)
{
	return (struct path){ { f->dir, f->file }, !*f->dir, false };
}

static bool same_file(const struct gsym_frame *a, const struct gsym_frame *b)
{
	struct path x = path_of(a), y = path_of(b);
	char c, d;

	do {
		c = next_char(&x);
		d = next_char(&y);
	} while (c == d && c);
	return c == d;
}

/*
 * Sets the frames of DWARF in @j->want: their names, and the places of all but the first.
 * Return: number of frames.
 */
static unsigned int find_frames(struct verify_judge *j, const char *function,
				const struct verify_unit *u, uint64_t addr)
{
	const struct verify_call *calls[GSYM_MAX_DEPTH];
	unsigned int nr = verify_calls_at(&j->calls, addr, calls), i;

	for (i = 0; i <= nr; i++) {
		struct gsym_frame *f = &j->want[i];
		const struct verify_call *inner = i ? calls[nr - i] : NULL;
		const char *name = i < nr ? calls[nr - i - 1]->name : function;

		*f = (struct gsym_frame){
			.function = name ? name : "", .dir = "", .file = "",
			.inlined = i < nr,
		};
		if (!inner)
			continue;
		verify_unit_file(u, inner->call_file, f);
		f->line = (uint32_t)inner->call_line;
	}
	return nr + 1;
}

static bool same_calls(struct verify_judge *j, const struct gsym_difference *d)
{
	unsigned int i;

	if (d->nr_have != d->nr_want)
		return false;
	for (i = 0; i < d->nr_have; i++) {
		if (j->have[i].inlined &&
		    !verify_names_same(&j->names, j->have[i].function, j->want[i].function))
			return false;
		if (i && (j->have[i].line != j->want[i].line ||
			  !same_file(&j->have[i], &j->want[i])))
			return false;
	}
	return true;
}

static void read_row(const struct verify_unit *u, size_t i, struct gsym_frame *ret)
{
	Dwarf_Line *row = dwarf_onesrcline(u->lines, i);
	int line;

	verify_unit_path(u, dwarf_linesrc(row, NULL, NULL), ret);
	ret->line = dwarf_lineno(row, &line) ? 0 : (uint32_t)line;
}

static unsigned int compare_places(const struct verify_judge *j)
{
	unsigned int kinds = 0;

	if (!same_file(&j->have[0], &j->want[0]))
		kinds |= 1u << GSYM_VERIFY_FILE;
	if (j->have[0].line != j->want[0].line)
		kinds |= 1u << GSYM_VERIFY_LINE;
	return kinds;
}

/*
 * Compares the place with each of the @nr rows that may be the address's. One match is
 * enough; else the last row stays in @j->want.
 */
static unsigned int compare_rows(struct verify_judge *j, const struct verify_unit *u,
				 size_t first, size_t nr)
{
	unsigned int kinds = 1;
	size_t i;

	for (i = first; kinds && i < first + nr; i++) {
		read_row(u, i, &j->want[0]);
		kinds = compare_places(j);
	}
	return kinds;
}

static void count(struct verify_tally *t, const struct gsym_difference *d,
		  const struct gsym_verify_options *o)
{
	unsigned int kind;

	t->addresses++;
	if (!d->kinds) {
		t->same++;
		return;
	}
	for (kind = 0; kind < GSYM_VERIFY_KINDS; kind++)
		if (d->kinds & 1u << kind)
			t->differences[kind]++;
	if (o && o->each)
		o->each(o->arg, d);
}

/* Facts about a function that are the same for all its addresses. */
struct about {
	const char *name;
	const struct verify_unit *u;
	/*
	 * The function's start may have no row: the row found there may be the end of
	 * another sequence. Then GSYM has the line of the declaration.
	 */
	bool in_doubt;
	uint32_t decl_line;
};

static void describe(struct about *a, const struct verify_function *f,
		     const struct verify_unit *u)
{
	Dwarf_Die die = f->die;
	size_t first;
	int line;

	*a = (struct about){ .name = verify_name(&die), .u = u };
	a->in_doubt = verify_unit_rows(u, f->range.start, &first) &&
		      verify_unit_may_end(u, first);
	if (!dwarf_decl_line(&die, &line))
		a->decl_line = (uint32_t)line;
}

/* Compares the place; the @nr rows from @first on may be the address's. */
static void judge_row(struct verify_judge *j, const struct about *a, size_t first, size_t nr,
		      struct gsym_difference *d, struct verify_tally *t)
{
	unsigned int kinds = nr ? compare_rows(j, a->u, first, nr) : 0;

	if (!nr || (kinds && a->in_doubt && j->have[0].line == a->decl_line))
		t->no_row++;
	else
		d->kinds |= kinds;
}

static int judge_point(struct verify_judge *j, const struct about *a, uint64_t addr,
		       struct verify_tally *t, const struct gsym_verify_options *o)
{
	struct gsym_difference d = { .addr = addr, .have = j->have, .want = j->want };
	size_t first = 0, rows = verify_unit_rows(a->u, addr, &first);
	int nr;

	nr = gsym_lookup(j->g, addr, j->have, GSYM_MAX_FRAMES);
	if (nr <= 0)
		return -EBADMSG;
	d.nr_have = (unsigned int)nr;
	d.nr_want = find_frames(j, a->name, a->u, addr);
	if (!verify_names_same(&j->names, j->have[nr - 1].function, a->name))
		d.kinds |= 1u << GSYM_VERIFY_NAME;
	/* GSYM has no inlined calls where there is no row */
	if ((rows || nr > 1) && !same_calls(j, &d))
		d.kinds |= 1u << GSYM_VERIFY_CALLS;
	judge_row(j, a, first, rows, &d, t);
	count(t, &d, o);
	return 0;
}

int verify_judge(struct verify_judge *j, const struct verify_function *f,
		 const struct verify_unit *u, const struct gsym_verify_options *o,
		 struct verify_tally *ret, struct diag *diag)
{
	struct gsym_function have;
	Dwarf_Die die = f->die;
	struct about a;
	size_t i;
	int err;

	*ret = (struct verify_tally){ 0 };
	describe(&a, f, u);
	err = verify_calls_read(&j->calls, &die);
	ret->damaged = err == -EBADMSG;
	if (err == -ENOMEM || find_points(j, u, f->range))
		return diag_errno(diag, ENOMEM, NULL);
	for (i = 0; i < j->nr_points; i++) {
		err = gsym_find(j->g, j->points[i], &have);
		if (err > 0 && (have.start != f->range.start ||
				have.size != f->range.end - f->range.start)) {
			ret->overlapped++;
			continue;
		}
		if (err > 0)
			err = judge_point(j, &a, j->points[i], ret, o);
		else
			err = -EBADMSG;
		if (err)
			return diag_set(diag, EBADMSG, NULL, "damaged at address 0x%llx",
					(unsigned long long)j->points[i]);
	}
	return 0;
}

void verify_judge_missing(struct verify_judge *j, const struct verify_function *f,
			  const struct gsym_verify_options *o)
{
	struct gsym_difference d = {
		.addr = f->range.start, .kinds = 1u << GSYM_VERIFY_FUNCTION,
		.have = j->have, .want = j->want, .nr_want = 1,
	};
	Dwarf_Die die = f->die;
	int nr;

	if (!o->each)
		return;
	nr = gsym_lookup(j->g, d.addr, j->have, GSYM_MAX_FRAMES);
	d.nr_have = nr > 0 ? (unsigned int)nr : 0;
	j->want[0] = (struct gsym_frame){
		.function = verify_name(&die), .dir = "", .file = "",
	};
	o->each(o->arg, &d);
}
