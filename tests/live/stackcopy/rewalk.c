// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a record of tests/guest/groundtruth with stackcopy's walks in place of the
 * kernel's callchains. The report of gt-compare about it then holds for
 * stackcopy. Registers, stacks and mappings stay unchanged, so that libdw
 * unwinds the very same samples.
 *
 * usage: rewalk [-b BYTES] [-r DIR] IN OUT
 *	-b BYTES	use at most this much of each stack
 *	-r DIR		mapped files are below this folder
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../guest/groundtruth/pack.h"
#include "../../guest/groundtruth/processes.h"
#include "../../guest/groundtruth/rewrite.h"
#include "capture/stackcopy/stackcopy.h"
#include "capture/stackcopy/walk.h"

#define MAX_TABLES (1ull << 30)

/*
 * gt-record has more registers than are needed: takes those of our mask, in
 * order.
 */
static void take_regs(u64 mask, const u64 *from, u64 *to)
{
	unsigned int bit, nr = 0;

	for (bit = 0; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		if (NATIVE_PERF_MASK >> bit & 1)
			to[nr++] = *from;
		from++;
	}
}

struct job {
	struct walker walker;
	u64 reg_mask;
	u32 stack_bytes;
	struct gt_pack **packs;
	FILE *out;
	u64 samples, complete, copy_end, ns, frames;
};

static u64 now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

/*
 * Return: the stack of a sample. Each stack must be unpacked, because the next
 * one of the thread is packed as a difference to it. If nothing was copied,
 * nothing was packed.
 */
static const u8 *unpack(struct job *j, const struct gt_sample *raw, u64 sp)
{
	const u8 *packed = (const u8 *)(raw->words + raw->regs + raw->chain), *ret = NULL;
	struct gt_pack **pack = &j->packs[raw->h.stream];

	if (!raw->stack)
		return packed;
	if (!*pack)
		*pack = calloc(1, sizeof(**pack));
	if (*pack)
		ret = gt_unpack_stack(*pack, raw->tid, sp, raw->stack, packed, raw->packed);
	if (!ret)
		errx(2, "a stack cannot be unpacked");
	return ret;
}

static void walk(struct job *j, const struct gt_sample *raw, struct walked *ret)
{
	struct sample s = {
		.kind = RECORD_SAMPLE, .time = raw->time, .tgid = raw->pid, .tid = raw->tid,
		.abi = raw->abi, .asked = j->stack_bytes,
		.stack_len = raw->stack < j->stack_bytes ? raw->stack : j->stack_bytes,
	};
	u64 began;

	take_regs(j->reg_mask, raw->words, s.regs);
	s.stack = unpack(j, raw, s.regs[NATIVE_PERF_SP]);
	if (s.abi != PERF_SAMPLE_REGS_ABI_64)
		return;
	began = now();
	walk_sample(&j->walker, &s, ret);
	j->ns += now() - began;
	j->samples++;
	j->frames += ret->nr;
	j->complete += ret->why == USTACK_COMPLETE;
	j->copy_end += ret->why == SAMPLER_WHY_COPY_END;
}

static void rewalk(struct job *j, const struct gt_sample *raw)
{
	static struct walked w;

	walk(j, raw, &w);
	if (raw->abi == PERF_SAMPLE_REGS_ABI_64)
		gt_put_walk(j->out, raw, w.pcs, w.nr, w.why);
	else
		gt_put(j->out, raw, raw->h.size);
}

static void take_chunk(struct job *j, const struct gt_chunk *h)
{
	const struct gt_sample *s = (const void *)h;
	struct gt_info info;

	switch (h->type) {
	case GT_INFO:
		info = *(const struct gt_info *)h;
		j->reg_mask = info.reg_mask;
		info.max_stack = SAMPLER_MAX_FRAMES;
		info.tracepoint = 1;
		gt_put(j->out, &info, sizeof(info));
		break;
	case GT_REASON:
		break;
	case GT_SAMPLE:
		if (s->regs) {
			rewalk(j, s);
			break;
		}
		/* fallthrough */
	default:
		gt_put(j->out, h, h->size);
	}
}

int main(int argc, char **argv)
{
	struct job j = { .stack_bytes = STACKCOPY_MAX_BYTES };
	size_t at = sizeof(struct gt_file);
	const struct gt_chunk *h;
	const char *root = NULL;
	struct gt_input in;
	int option;

	while ((option = getopt(argc, argv, "b:r:")) != -1) {
		if (option == 'b')
			j.stack_bytes = (u32)strtoul(optarg, NULL, 0);
		else if (option == 'r')
			root = optarg;
		else
			return 2;
	}
	argv += optind - 1;
	if (argc - optind != 2) {
		fputs("usage: rewalk [-b BYTES] [-r DIR] IN OUT\n", stderr);
		return 2;
	}
	in = gt_read(argv[1], at);
	j.walker.processes = processes_new(NULL, NULL);
	j.walker.images = images_new(MAX_TABLES, false);
	j.walker.max_frames = SAMPLER_MAX_FRAMES;
	j.packs = calloc(GT_MAX_STREAMS, sizeof(struct gt_pack *));
	j.out = fopen(argv[2], "we");
	if (!j.walker.processes || !j.walker.images || !j.packs || !j.out)
		err(2, "%s", argv[2]);
	if (root && (chroot(root) || chdir("/")))
		err(2, "%s", root);
	gt_take_events(j.walker.processes, &in);
	gt_put(j.out, in.bytes, at);
	while ((h = gt_next(&in, &at)))
		take_chunk(&j, h);
	if (fclose(j.out))
		err(2, "%s", argv[2]);
	printf("rewalk: %llu samples, %llu complete, %llu end with the copy of %u bytes, %llu frames, %llu ns of CPU each\n",
	       (unsigned long long)j.samples, (unsigned long long)j.complete,
	       (unsigned long long)j.copy_end, j.stack_bytes, (unsigned long long)j.frames,
	       (unsigned long long)(j.samples ? j.ns / j.samples : 0));
	return 0;
}
