// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a table, ready to be published, from a section's snapshot. Runs in
 * process context; may sleep.
 */
#include "code.h"

#include <linux/mm.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "compile.h"
#include "limits.h"

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
				   struct ustack_payer *payer,
				   struct ustack_build *build)
{
	struct ustack_code *code;
	size_t bytes;
	u64 size;

	build->reason = ustack_compile_size(sec, &size);
	if (build->reason)
		return NULL;
	bytes = offsetof(struct ustack_code, table) + size;
	if (!ustack_budget_reserve(payer, bytes)) {
		build->reason = USTACK_BUDGET;
		build->need = bytes;
		return NULL;
	}
	code = kvzalloc(bytes, USTACK_GFP_LARGE);
	if (!code) {
		ustack_budget_release(payer, bytes);
		build->reason = USTACK_NO_MEMORY;
		return NULL;
	}
	code->payer = payer;
	code->bytes = bytes;
	code->rows = build->rows;
	code->lost = build->lost;
	code->covered = sec->report.covered;
	code->partial = ustack_section_is_partial(sec);
	add_segments(code, elf);
	build->reason = ustack_compile(sec, &code->table);
	if (build->reason) {
		ustack_budget_release(payer, bytes);
		kvfree(code);
		return NULL;
	}
	return code;
}

struct ustack_code *ustack_code_build(const u8 *bytes, u32 len, u64 vaddr,
				      const struct ustack_elf *elf,
				      struct ustack_payer *payer,
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
	/*
	 * Each build has another key, so nothing can be learned from earlier
	 * ones.
	 */
	get_random_bytes(sec.key, sizeof(sec.key));
	build->reason = ustack_section_open(&sec, &build->bad_off);
	if (build->reason)
		return NULL;
	scratch = kvmalloc(ustack_section_scratch(&sec), USTACK_GFP_LARGE);
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
		code = compile(&sec, elf, payer, build);
	kvfree(scratch);
	return code;
}

static void free_code_rcu(struct rcu_head *rcu)
{
	kvfree(container_of(rcu, struct ustack_code, rcu));
}

/*
 * Not kvfree_rcu(), which collects for seconds: memory that is no longer
 * charged should be freed soon.
 */
void ustack_code_free(struct ustack_code *code)
{
	if (!code)
		return;
	ustack_budget_release(code->payer, code->bytes);
	call_rcu(&code->rcu, free_code_rcu);
}
