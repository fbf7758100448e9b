/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks that the fuzz targets of DWARF share: an object is read as the program reads it.
 */
#ifndef USTACK_FUZZ_DWARF_H
#define USTACK_FUZZ_DWARF_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/convert/from_dwarf_unit.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Checks that rows ascend within sequences, and sequences by their ends. */
static inline void check_lines(const struct dwarf_lines *l)
{
	const struct dwarf_sequence *s;
	size_t i, k;

	for (i = 0; i < l->nr_sequences; i++) {
		s = &l->sequences[i];
		must(s->nr && s->start < s->end && s->start == l->rows[s->first].addr);
		must(s->first + (size_t)s->nr <= l->nr_rows);
		must(!i || l->sequences[i - 1].end <= s->end);
		for (k = 1; k < s->nr; k++)
			must(l->rows[s->first + k - 1].addr < l->rows[s->first + k].addr);
		must(l->rows[s->first + s->nr - 1].addr <= s->end);
		must(dwarf_lines_row(l, s, s->start) == s->first);
		must(dwarf_lines_row(l, s, s->end - 1) < s->first + (size_t)s->nr);
	}
}

/*
 * Reads all units as the program does. Whatever the input, the writer of GSYM
 * must accept what is read.
 */
static inline void convert_object(struct dwarf_object *o)
{
	struct gsym_part *part = gsym_part_new();
	struct dwarf_budget budget;
	struct from_dwarf t;
	struct dwarf_unit u;
	struct diag diag;
	int64_t n;
	size_t i;
	int err;

	dwarf_budget_init(&budget, o);
	must(part && !from_dwarf_init(&t, o, &budget, part));
	t.call_sites = true;
	if (!dwarf_object_index(o, &diag)) {
		for (i = 0; i < o->nr_units; i++) {
			must(!dwarf_unit_header(o, o->units[i], &u, &diag));
			n = dwarf_unit_open(&u, &t.cache, &diag);
			must(n >= 0 || n == -EBADMSG);
			if (n < 0)
				continue;
			err = from_dwarf_unit(&t, &u, 0, &diag);
			must(!err || (err == -EBADMSG && diag.text[0]));
			if (t.lines_read && !err)
				check_lines(&t.lines);
			dwarf_unit_close(&u);
		}
	}
	from_dwarf_release(&t);
	gsym_part_free(part);
}

#endif /* USTACK_FUZZ_DWARF_H */
