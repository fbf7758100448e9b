// SPDX-License-Identifier: GPL-2.0-only
/* Prints a failing sample for people (show.h). */
#include <inttypes.h>
#include <stdio.h>

#include "show.h"
#include "syms.h"

static void place(struct space *space, uint64_t pc, char *buf, size_t size)
{
	const struct mapping *m = space_find(space, pc);
	char symbol[96] = "";

	if (m && m->file)
		syms_name(m->file, pc - m->bias, symbol, sizeof(symbol));
	snprintf(buf, size, "%s+0x%" PRIx64 " %s",
		 m && m->file ? m->file->name : m ? "(anonymous)" : "(not mapped)",
		 m ? pc - m->bias : pc, symbol);
}

static void show_side(struct space *space, const uint64_t *pcs, unsigned int count,
		      unsigned int i)
{
	char text[192];

	if (i >= count) {
		printf(" %-16s %-44s", "-", "");
		return;
	}
	place(space, pcs[i], text, sizeof(text));
	printf(" %016" PRIx64 " %-44s", pcs[i], text);
}

static void show_registers(const struct arch *arch, uint64_t mask, const uint64_t *regs)
{
	unsigned int i, n = 0;

	for (i = 0; i < arch->perf_regs; i++) {
		if (!(mask >> i & 1))
			continue;
		printf("  %5s %016" PRIx64 "%s", arch->names[i], perf_reg(regs, mask, i),
		       ++n % 4 ? "" : "\n");
	}
	if (n % 4)
		putchar('\n');
}

static void print_build_id(const struct file *f)
{
	unsigned int i;

	for (i = 0; i < f->build_id_len; i++)
		printf("%02x", f->build_id[i]);
}

static void show_maps(const struct space *space)
{
	unsigned int i;

	for (i = 0; i < space->count; i++) {
		const struct mapping *m = &space->maps[i];

		printf("  %012" PRIx64 "-%012" PRIx64 " bias %012" PRIx64 " %s",
		       m->start, m->end, m->bias, m->file ? m->file->path : "(anonymous)");
		if (m->file && m->file->build_id_len)
			printf(" build-id ");
		if (m->file)
			print_build_id(m->file);
		putchar('\n');
	}
}

/* the frame whose step differs, as a line for the list of excuses */
static void show_step(const struct subject *x)
{
	const struct unwound *u = x->truth;
	const struct chain *c = &x->chain;
	const struct file *f;
	unsigned int i = 0;
	uint64_t vaddr;

	while (i < c->count && i < u->count && c->pcs[i] == u->pcs[i])
		i++;
	f = subject_step(x, i, &vaddr);
	if (!f)
		return;
	printf("the step of frame %u: %s ", i - 1, f->name);
	print_build_id(f);
	printf(" 0x%" PRIx64 "\n", vaddr);
}

void show_sample(const char *title, const struct subject *x)
{
	const struct gt_sample *raw = x->s->raw;
	const struct unwound *u = x->truth;
	const struct chain *c = &x->chain;
	unsigned int i, n = c->count > u->count ? c->count : u->count;

	printf("%s: pid %u tid %u (%s) time %" PRIu64 ".%09u, %u bytes of stack; "
	       "libdw ended: %s%s%s\n",
	       title, raw->pid, raw->tid, procs_name(raw->pid),
	       raw->time / 1000000000, (unsigned int)(raw->time % 1000000000),
	       raw->stack, dw_end_name(u->end), u->error[0] ? ": " : "", u->error);
	printf("     %-61s  %s\n", " kernel", "libdw");
	for (i = 0; i < n; i++) {
		bool same = i < c->count && i < u->count && c->pcs[i] == u->pcs[i];

		printf("%3u %c", i, same ? ' ' : '!');
		show_side(x->space, c->pcs, c->count, i);
		show_side(x->space, u->pcs, u->count, i);
		printf("%s\n", i < u->count && u->exact[i] ? " *" : "");
	}
	show_step(x);
	show_registers(x->arch, x->info->reg_mask, x->s->regs);
	show_maps(x->space);
}
