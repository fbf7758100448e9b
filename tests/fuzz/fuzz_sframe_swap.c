// SPDX-License-Identifier: GPL-2.0-only
/*
 * Big-endian SFrame sections of any bytes: their byte order is converted, and
 * they are walked as `sframe dump` does.
 */
#include <elf.h>

#include "fuzz.h"
#include "sframe/swap.h"
#include "sframe/section_walk.h"

/* Walks over all rows. Their number is bounded, whatever the entries say. */
static void walk(struct sframe_section *s)
{
	enum ustack_reason reason;
	struct ustack_cursor c;
	struct ustack_func f;
	struct ustack_row row;
	struct sframe_walk w;
	u32 i, nr = 0;

	sframe_walk_init(&w, s);
	while (sframe_walk_part(&w))
		while (sframe_walk_func(&w, &f, &reason)) {
			if (reason)
				continue;
			ustack_rows_init(&c, s->core.bytes, &f);
			for (i = 0; i < f.nr_rows && !sframe_walk_row(&w, &c, &f, &row); i++) {
				if (s->foreign->row)
					s->foreign->row(&row.rule, f.is_flex);
				nr++;
			}
			if (f.nr_rows && !w.rows_left)
				break;
		}
	must(nr <= s->core.len / 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct sframe_foreign *foreign;
	struct ustack_elf elf = { .nr_text = 1, .text = { { .end = UINT64_MAX } } };
	struct sframe_section s = SFRAME_SECTION_INIT;
	uint64_t before = 0, after = 0;
	size_t i;
	u8 *copy;

	if (!size || size > USTACK_MAX_SECTION)
		return 0;
	foreign = sframe_foreign_by_machine(data[0] & 1 ? EM_S390 : EM_AARCH64);
	size--;
	copy = malloc(size + !size);
	memcpy(copy, data + 1, size);
	must(!sframe_swap(copy, (u32)size, foreign));
	/* only bytes that depend on the architecture change; a part has 28 bytes or more */
	for (i = 0; i < size; i++) {
		before += data[1 + i];
		after += copy[i];
	}
	must(after <= before + 5 * (size / 28) && before <= after + 255 * (size / 28));
	elf.arch = foreign->arch;
	sframe_section_borrow(&s, "fuzz", &elf, copy, (u32)size, 0);
	s.foreign = foreign;
	if (!sframe_section_open(&s, NULL)) {
		sframe_section_verify(&s, NULL);
		walk(&s);
	}
	sframe_section_release(&s);
	free(copy);
	return 0;
}
