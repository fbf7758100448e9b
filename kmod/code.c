// SPDX-License-Identifier: GPL-2.0
/* From a section's snapshot to a published table. Runs where it may sleep. */
#include "code.h"

#include <linux/mm.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "compile.h"

static void add_segments(struct ustack_code *code, const struct ustack_elf *elf)
{
	const struct ustack_segment *seg;
	bool first = true;
	unsigned int i;
	u64 delta;

	for (i = 0; i < elf->nr_segments; i++) {
		seg = &elf->segments[i];
		if (!seg->exec || !seg->filesz)
			continue;
		delta = seg->vaddr - seg->off;
		if (first)
			code->delta = delta;
		else if (delta != code->delta)
			code->more[code->nr_more++] =
				(struct ustack_code_segment){
					.off = seg->off,
					.end = seg->off + seg->filesz,
					.delta = delta,
				};
		first = false;
	}
}

static struct ustack_code *compile(struct ustack_section *sec,
				   const struct ustack_elf *elf,
				   struct ustack_build *build)
{
	struct ustack_code *code;
	size_t bytes;
	u64 size;

	build->reason = ustack_compile_size(sec, &size);
	if (build->reason)
		return NULL;
	bytes = offsetof(struct ustack_code, table) + size;
	code = kvzalloc(bytes, GFP_KERNEL | __GFP_NOWARN);
	if (!code) {
		build->reason = USTACK_NO_MEMORY;
		return NULL;
	}
	code->bytes = bytes;
	code->rows = build->rows;
	code->lost = build->lost;
	add_segments(code, elf);
	build->reason = ustack_compile(sec, &code->table);
	if (build->reason) {
		kvfree(code);
		return NULL;
	}
	return code;
}

struct ustack_code *ustack_code_build(const u8 *bytes, u32 len, u64 vaddr,
				      const struct ustack_elf *elf,
				      struct ustack_build *build)
{
	struct ustack_section sec = {
		.bytes = bytes,
		.len = len,
		.vaddr = vaddr,
		.arch = elf->arch,
		.text = elf->text,
		.nr_text = elf->nr_text,
	};
	struct ustack_code *code = NULL;
	void *scratch;

	might_sleep();
	BUILD_BUG_ON(offsetof(struct ustack_code, table) % 8);
	*build = (struct ustack_build){ 0 };
	/* Another key for each build: nothing can be learned from earlier ones. */
	get_random_bytes(sec.key, sizeof(sec.key));
	build->reason = ustack_section_open(&sec, &build->bad_off);
	if (build->reason)
		return NULL;
	scratch = kvmalloc(ustack_section_scratch(&sec),
			   GFP_KERNEL | __GFP_NOWARN);
	if (!scratch) {
		build->reason = USTACK_NO_MEMORY;
		return NULL;
	}
	build->reason = ustack_verify(&sec, scratch);
	build->functions = sec.report.functions;
	build->lost = sec.report.lost;
	build->rows = sec.report.rows;
	build->bad_off = sec.report.bad_off;
	if (!build->reason)
		code = compile(&sec, elf, build);
	kvfree(scratch);
	return code;
}

void ustack_code_free(struct ustack_code *code)
{
	if (code)
		kvfree_rcu(code, rcu);
}
