// SPDX-License-Identifier: GPL-2.0-only
/*
 * Is a walk shorter than the kernel's own, for the same sample?
 *
 * Each sample has our walk, and the kernel's walk by frame pointers with the code before each
 * of its frames. Ours may be shorter only if it reached the outermost frame, or if the kernel's
 * next frame is proven to be wrong: it lies in no executable mapping, or in a file where no
 * call precedes it. In code made at run time the latter proves nothing, because interpreters
 * push addresses that no call precedes. Frames after a wrong one do not count.
 *
 * usage: beside [-s N] RECORD KERNEL
 * \tRECORD\ta record with our walks (tests/live/bpftables/rechain -g)
 * \tKERNEL\tthe output of tests/live/bpftables/chains -k
 * \t-s N\tprint N samples that are too short, of each command (3)
 *
 * Prints a line for each command: "beside COMMAND SAMPLES WITHOUT LONGER WHOLE WRONG SHORTER":
 * its samples, those without one of the walks or inside execve(), those of which the kernel has
 * more frames, and their verdicts: ours is whole, the kernel's is wrong, or ours is too short.
 */
#include <elf.h>
#include <err.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../live/bpftables/walks.h"
#include "../../groundtruth/compare/calls.h"
#include "../../groundtruth/processes.h"
#include "../../groundtruth/rewrite.h"
#include "core.h"
#include "host/process/processes.h"
#include "capture/stackcopy/sample.h"

#define MAX_COMMANDS 4096u

/**
 * struct command - counts of a command
 * @name: name of the processes
 * @samples: samples with a user stack
 * @without: samples without one of the walks, or inside execve()
 * @longer: samples of which the kernel has more frames
 * @whole: number of @longer where ours reached the outermost frame
 * @wrong: number of @longer where the kernel's walk is proven wrong
 * @shorter: the others of @longer
 */
struct command {
	char name[16];
	u64 samples, without, longer, whole, wrong, shorter;
};

struct job {
	struct processes *processes;
	struct walks kernel;
	u64 reg_mask;
	u64 show;
	struct gt_reason reason;
	struct command commands[MAX_COMMANDS];
	size_t nr;
};

/* One sample's two walks: addresses, innermost first. */
struct pair {
	const struct gt_sample *raw;
	u64 epoch;
	const u64 *ours;
	u32 nr_ours;
	const struct chain *kernel;
	u32 nr_kernel;
	u32 nr_right;	/* number of the kernel's frames before the first wrong one */
};

/* The value of a register by perf's number; 0 if the record does not have it. */
static u64 reg_of(const struct job *j, const struct gt_sample *s, unsigned int number)
{
	unsigned int bit, nr = 0;

	for (bit = 0; bit < number; bit++)
		nr += j->reg_mask >> bit & 1;
	return nr < s->regs ? s->words[nr] : 0;
}

static struct command *command_of(struct job *j, const char *name)
{
	size_t i;

	for (i = 0; i < j->nr; i++)
		if (!strcmp(j->commands[i].name, name))
			return &j->commands[i];
	if (j->nr == MAX_COMMANDS)
		errx(2, "more than %u commands", MAX_COMMANDS);
	snprintf(j->commands[j->nr].name, sizeof(j->commands[0].name), "%s", name);
	return &j->commands[j->nr++];
}

static bool is_made(const struct process_file *f)
{
	return f->kind == PROCESS_ANON || f->kind == PROCESS_GENERATED || !strncmp(f->id.path, "/memfd:", 7) ||
	       !strncmp(f->id.path, "/dev/", 5);
}

/* Is the kernel's frame @i, a caller, proven to be wrong? */
static bool is_wrong(struct job *j, const struct pair *p, u32 i)
{
	struct process_place place;
	u8 code[8];

	if (processes_find(j->processes, p->raw->pid, p->epoch, p->kernel->pc[i] - 1, &place) != 1)
		return true;
	if (is_made(place.file) || p->kernel->unread[i / 64] >> i % 64 & 1)
		return false;
	memcpy(code, &p->kernel->pc[p->nr_kernel + i], sizeof(code));
	return !call_before(EM_X86_64, code + sizeof(code) - CALL_BYTES);
}

static void show_walk(struct job *j, const struct pair *p, const char *whose, const u64 *pcs, u32 nr)
{
	struct process_place place;
	u32 i;

	for (i = 0; i < nr; i++) {
		if (processes_find(j->processes, p->raw->pid, p->epoch, pcs[i], &place) == 1)
			printf("    %-6s %2u %016llx %s+0x%llx\n", whose, i, (unsigned long long)pcs[i],
			       place.file->id.path, (unsigned long long)place.offset);
		else
			printf("    %-6s %2u %016llx\n", whose, i, (unsigned long long)pcs[i]);
	}
}

static void show(struct job *j, const struct command *c, const struct pair *p)
{
	printf("  shorter: %s, thread %u: ours has %u frames and ends as %s, the kernel's has %u of %u\n",
	       c->name, p->raw->tid, p->nr_ours, ustack_reason_name(j->reason.reason) ?: "other",
	       p->nr_right, p->nr_kernel);
	show_walk(j, p, "ours", p->ours, p->nr_ours);
	show_walk(j, p, "kernel", (const u64 *)p->kernel->pc, p->nr_right);
}

static void compare(struct job *j, struct command *c, struct pair *p)
{
	if (p->nr_kernel <= p->nr_ours)
		return;
	c->longer++;
	if (j->reason.reason == USTACK_COMPLETE || j->reason.reason == WIRE_WHY_GUESSED) {
		c->whole++;
		return;
	}
	for (p->nr_right = 1; p->nr_right < p->nr_kernel; p->nr_right++)
		if (is_wrong(j, p, p->nr_right))
			break;
	if (p->nr_right <= p->nr_ours) {
		c->wrong++;
		return;
	}
	if (c->shorter++ < j->show)
		show(j, c, p);
}

static void take_sample(struct job *j, const struct gt_sample *raw)
{
	struct pair p = {
		.raw = raw,
		.epoch = processes_epoch(j->processes, raw->pid, raw->time),
		.ours = raw->words + raw->regs + 1,
		.nr_ours = raw->chain ? raw->chain - 1 : 0,
		.kernel = walks_find(&j->kernel, raw->tid, raw->time, reg_of(j, raw, NATIVE_PERF_PC),
				     reg_of(j, raw, NATIVE_PERF_SP)),
	};
	struct command *c = command_of(j, processes_command(j->processes, raw->pid, p.epoch) ?: "?");

	c->samples++;
	/* inside execve() a task has no stack, and the kernel walks the rest of the old one */
	if (j->reason.reason == USTACK_EXECVE || raw->unjudged || !p.kernel || !p.nr_ours || j->reason.time != raw->time || j->reason.tid != raw->tid) {
		c->without++;
		return;
	}
	p.nr_kernel = p.kernel->nr / 2;
	compare(j, c, &p);
}

static void take_chunk(struct job *j, const struct gt_chunk *h)
{
	const struct gt_sample *s = (const void *)h;

	switch (h->type) {
	case GT_INFO:
		j->reg_mask = ((const struct gt_info *)h)->reg_mask;
		break;
	case GT_REASON:
		j->reason = *(const struct gt_reason *)h;
		break;
	case GT_SAMPLE:
		if (s->regs && s->abi == PERF_SAMPLE_REGS_ABI_64)
			take_sample(j, s);
		break;
	}
}

static void print_command(const struct command *c)
{
	printf("beside %s\t%llu %llu %llu %llu %llu %llu\n", c->name, (unsigned long long)c->samples,
	       (unsigned long long)c->without, (unsigned long long)c->longer,
	       (unsigned long long)c->whole, (unsigned long long)c->wrong,
	       (unsigned long long)c->shorter);
}

int main(int argc, char **argv)
{
	static struct job j = { .show = 3 };
	size_t at = sizeof(struct gt_file), i;
	const struct gt_chunk *h;
	struct gt_input in;

	if (argc == 5 && !strcmp(argv[1], "-s")) {
		j.show = strtoull(argv[2], NULL, 0);
		argv += 2;
		argc -= 2;
	}
	if (argc != 3) {
		fputs("usage: beside [-s N] RECORD KERNEL\n", stderr);
		return 2;
	}
	in = gt_read(argv[1], at);
	j.kernel = walks_read(argv[2]);
	j.processes = processes_new(NULL, NULL);
	if (!j.processes)
		err(2, "memory");
	gt_take_events(j.processes, &in);
	while ((h = gt_next(&in, &at)))
		take_chunk(&j, h);
	for (i = 0; i < j.nr; i++)
		print_command(&j.commands[i]);
	return 0;
}
