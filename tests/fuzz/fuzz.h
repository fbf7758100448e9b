/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Helpers that fuzz targets share: taking numbers from the input, and taking a
 * section through verification and compilation, in allocations of the exact
 * size.
 *
 * An input that contains a section starts with struct fuzz_head;
 * tests/fuzz/seed.py writes such inputs.
 */
#ifndef USTACK_FUZZ_H
#define USTACK_FUZZ_H

#include <stdlib.h>

#include "core.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

struct input {
	const u8 *p;
	size_t left;
};

/* Return: the next @n bytes as a number; bytes after the end of the input are 0. */
static inline u64 take(struct input *in, unsigned int n)
{
	u64 v = 0;

	if (n > in->left)
		n = (unsigned int)in->left;
	memcpy(&v, in->p, n);
	in->p += n;
	in->left -= n;
	return v;
}

struct fuzz_head {
	u64 vaddr;
	u64 text_start;
	u32 text_len;
	/* bit 0: AArch64; bits 16 and up: bytes of the section, 0 = the rest */
	u32 flags;
};

struct fuzz_section {
	struct ustack_section sec;
	struct ustack_range text;
	u8 *bytes;
	void *scratch;
	struct ustack_table *table;
	u64 size;
};

/* Takes a section from the input and verifies it; fuzz_release() is needed in either case. */
static inline enum ustack_reason fuzz_verify(struct fuzz_section *f,
					     struct input *in,
					     const struct ustack_arch *arch)
{
	enum ustack_reason reason;
	struct fuzz_head head = {
		take(in, 8), take(in, 8), (u32)take(in, 4), (u32)take(in, 4),
	};
	size_t len = head.flags >> 16;

	if (!len || len > in->left)
		len = in->left;
	*f = (struct fuzz_section){ .bytes = malloc(len + !len) };
	memcpy(f->bytes, in->p, len);
	in->p += len;
	in->left -= len;
	if (!arch)
		arch = head.flags & 1 ? &ustack_arch_aarch64 : &ustack_arch_x86_64;
	f->text.start = head.text_start;
	f->text.end = head.text_start + head.text_len;
	if (f->text.end < f->text.start)
		f->text.end = ~0ull;
	f->sec = (struct ustack_section){
		.bytes = f->bytes, .len = (u32)len, .vaddr = head.vaddr,
		.arch = arch, .text = &f->text, .nr_text = 1,
	};
	reason = ustack_section_open(&f->sec, NULL);
	if (reason)
		return reason;
	f->scratch = malloc(ustack_section_scratch(&f->sec));
	return ustack_verify(&f->sec, f->scratch);
}

static inline enum ustack_reason fuzz_compile(struct fuzz_section *f)
{
	enum ustack_reason reason = ustack_compile_size(&f->sec, &f->size);

	if (reason)
		return reason;
	/* the limit that bounds.h promises: index, rows, rules */
	must(f->size <= 65536 + 256 + 7 * (u64)f->sec.content +
			USTACK_PALETTE_BYTES * (u64)f->sec.nr_rules);
	f->table = malloc(f->size);
	must(!ustack_compile(&f->sec, f->table));
	must(f->table->size == f->size);
	must(!ustack_table_check(f->table, f->size));
	return USTACK_OK;
}

static inline void fuzz_release(struct fuzz_section *f)
{
	free(f->bytes);
	free(f->scratch);
	free(f->table);
}

#endif /* USTACK_FUZZ_H */
