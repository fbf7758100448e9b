// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reader of CFI, with sections of any bytes. They end just before a page
 * that cannot be read, since libdw, which takes part, is not built with
 * sanitizers. Rows ascend within their FDE, adjacent rows differ, expressions
 * lie in the section, there are no more rows than bytes, and a second pass
 * gives the same.
 *
 * The input: flags, an address of 8 bytes, and 2 bytes for the start of
 * .debug_frame.
 */
#include "fuzz.h"

#include <sys/mman.h>

#include "sframe/cfi.h"
#include "sframe/cfi_expr.h"
#include "sframe/cfi_hdr.h"

#define AARCH64 1u
#define DEBUG 2u	/* .debug_frame follows */
/* the input is a .eh_frame_hdr and the sections that it points to */
#define HEADER 4u
#define NARROW 8u	/* addresses have 32 bits */

#define ROOM (1u << 20)

/* Copies @len bytes to the end of readable memory. Return: the copy. */
static u8 *guarded(const u8 *bytes, size_t len, unsigned int slot)
{
	static u8 *room[2];
	u8 *p;

	if (!room[slot]) {
		p = mmap(NULL, ROOM + 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		must(p != MAP_FAILED);
		must(!mprotect(p + ROOM, 4096, PROT_NONE));
		room[slot] = p;
	}
	must(len <= ROOM);
	p = room[slot] + ROOM - len;
	memcpy(p, bytes, len);
	return p;
}

static void check_rule(const struct cfi_raw *raw, unsigned int nr,
		       const struct cfi_rule *r, bool is_cfa)
{
	bool inside = false;
	unsigned int i;

	must(r->how <= CFI_VAL_EXPR && !r->pad);
	must(r->how == CFI_REGISTER || !r->reg);
	if (is_cfa)
		must(r->how == CFI_REGISTER || r->how == CFI_VAL_EXPR ||
		     r->how == CFI_UNDEFINED);
	if (r->how != CFI_EXPR && r->how != CFI_VAL_EXPR) {
		must(!r->expr_len);
		must(r->off == 0 || is_cfa || r->how == CFI_OFFSET ||
		     r->how == CFI_VAL_OFFSET);
		return;
	}
	for (i = 0; i < nr; i++) {
		const u8 *bytes = raw[i].bytes;

		inside |= r->expr >= bytes && r->expr <= bytes + raw[i].len &&
			  r->expr_len <= bytes + raw[i].len - r->expr;
	}
	must(inside);
	(void)cfi_expr_read(r->expr, r->expr_len, !is_cfa);
}

static void check_fde(const struct cfi_raw *raw, unsigned int nr,
		      const struct cfi_fde *fde)
{
	const struct cfi_row *row = fde->rows;
	u32 i;

	must((fde->status == CFI_LOST) == !!fde->why);
	if (fde->status != CFI_GOOD) {
		must(!fde->nr_rows && !fde->rows && !fde->overlap);
		return;
	}
	must(fde->start < fde->end && fde->nr_rows && fde->nr_rows <= CFI_MAX_ROWS);
	must(row[0].pc == fde->start && row[fde->nr_rows - 1].pc < fde->end);
	for (i = 0; i < fde->nr_rows; i++, row++) {
		check_rule(raw, nr, &row->cfa, true);
		check_rule(raw, nr, &row->ra, false);
		check_rule(raw, nr, &row->fp, false);
		check_rule(raw, nr, &row->sp, false);
		if (!i)
			continue;
		must(row[-1].pc < row->pc);
		must(!cfi_rule_equal(&row[-1].cfa, &row->cfa) ||
		     !cfi_rule_equal(&row[-1].ra, &row->ra) ||
		     !cfi_rule_equal(&row[-1].fp, &row->fp) ||
		     !cfi_rule_equal(&row[-1].sp, &row->sp));
	}
}

static void read_sections(const struct ustack_arch *arch,
			  const struct cfi_raw *raw, unsigned int nr)
{
	struct cfi_stats first;
	struct cfi_fde fde;
	struct cfi *cfi;
	int more;

	must(!cfi_new_raw(arch, raw, nr, &cfi));
	while ((more = cfi_next(cfi, &fde)) > 0)
		check_fde(raw, nr, &fde);
	must(!more);
	first = *cfi_stats(cfi);
	must(first.rows <= first.bytes);
	cfi_rewind(cfi);
	while (cfi_next(cfi, &fde) > 0)
		;
	must(!memcmp(&first, cfi_stats(cfi), sizeof(first)));
	cfi_free(cfi);
}

static void read_header(const struct cfi_raw *raw)
{
	struct cfi_section s = {
		.bytes = raw->bytes, .len = (u32)raw->len, .vaddr = raw->vaddr,
		.has_base = true,
	};
	struct cfi_hdr hdr;
	u64 at;

	if (cfi_hdr_read(&s, &hdr))
		return;
	at = hdr.eh_frame - s.vaddr;
	if (at < s.len)
		must(cfi_hdr_extent(s.bytes + at, s.len - (u32)at, hdr.eh_frame,
				    &hdr) <= s.len - (u32)at);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	u8 flags = (u8)take(&in, 1);
	u64 vaddr = take(&in, 8);
	size_t split = take(&in, 2);
	struct cfi_raw raw[2];

	if (in.left > ROOM)
		return 0;
	if (split > in.left || !(flags & DEBUG))
		split = in.left;
	raw[0] = (struct cfi_raw){ .bytes = guarded(in.p, split, 0), .len = split,
				   .vaddr = vaddr, .narrow = flags & NARROW };
	raw[1] = (struct cfi_raw){ .bytes = guarded(in.p + split, in.left - split, 1),
				   .len = in.left - split, .debug = true };
	if (flags & HEADER)
		read_header(raw);
	else
		read_sections(flags & AARCH64 ? &ustack_arch_aarch64 :
			      &ustack_arch_x86_64, raw, flags & DEBUG ? 2 : 1);
	return 0;
}
