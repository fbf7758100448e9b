// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record of tests/groundtruth, with the walks of tests/bpftables/chains in place of the kernel's
 * callchains: what gt-compare says of it, it says of the walk by tables. Registers, stacks and
 * mappings stay as they are, so that libdw unwinds the very same samples.
 *
 * A sample's walk is the one of its thread that is next to it in time, with the same pc and SP:
 * kernels before 6.3 take a sample's time behind the program, later ones before it. A sample
 * without one is left out and counted, and so is one with steps that nothing proves: they are
 * marked, and may be wrong.
 *
 * usage: rechain RECORD CHAINS OUT
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../groundtruth/format.h"
#include "chain.h"
#include "core.h"
#include "stackcopy/sample.h"

struct input {
	u8 *bytes;
	size_t len;
};

struct chains {
	const struct chain **at;
	size_t nr;
};

struct job {
	struct chains chains;
	u64 reg_mask;
	FILE *out;
	u64 samples, without, guessed, frames, whys[256];
};

static void die(const char *what)
{
	fprintf(stderr, "rechain: %s: %s\n", what, strerror(errno));
	exit(2);
}

static struct input read_all(const char *path)
{
	struct input in = { NULL, 0 };
	FILE *f = fopen(path, "re");

	if (!f || fseek(f, 0, SEEK_END))
		die(path);
	in.len = (size_t)ftell(f);
	rewind(f);
	in.bytes = malloc(in.len + 1);
	if (!in.bytes || (in.len && fread(in.bytes, in.len, 1, f) != 1))
		die(path);
	fclose(f);
	return in;
}

static int by_thread(const void *a, const void *b)
{
	const struct chain *x = *(const struct chain *const *)a, *y = *(const struct chain *const *)b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

static void take_chains(struct chains *all, const struct input *in)
{
	size_t at = 0, len;

	all->at = calloc(in->len / (8 * CHAIN_HEAD) + 1, sizeof(*all->at));
	if (!all->at)
		die("memory");
	for (; in->len - at >= 8 * CHAIN_HEAD; at += len) {
		const struct chain *c = (const void *)(in->bytes + at);

		len = 8 * (CHAIN_HEAD + (size_t)c->nr);
		if (c->nr > WIRE_FRAMES || len > in->len - at) {
			errno = EBADMSG;
			die("a chain");
		}
		all->at[all->nr++] = c;
	}
	qsort(all->at, all->nr, sizeof(*all->at), by_thread);
}

static bool is_walk(const struct chain *c, u32 tid, u64 pc, u64 sp)
{
	return c->tid == tid && c->sp == sp && c->pc[0] == pc;
}

static const struct chain *find(const struct chains *all, u32 tid, u64 time, u64 pc, u64 sp)
{
	const struct chain *ret = NULL;
	size_t lo = 0, hi = all->nr, mid;

	while (lo < hi) {	/* the first one behind */
		mid = (lo + hi) / 2;
		if (all->at[mid]->tid < tid || (all->at[mid]->tid == tid && all->at[mid]->time <= time))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo && is_walk(all->at[lo - 1], tid, pc, sp))
		ret = all->at[lo - 1];
	if (lo < all->nr && is_walk(all->at[lo], tid, pc, sp) &&
	    (!ret || all->at[lo]->time - time < time - ret->time))
		ret = all->at[lo];
	return ret;
}

static void put(struct job *j, const void *bytes, size_t len)
{
	if (len && fwrite(bytes, len, 1, j->out) != 1)
		die("writing");
}

/* The value of a register by perf's number; 0 if the record has none. */
static u64 reg_of(const struct job *j, const struct gt_sample *s, unsigned int number)
{
	unsigned int bit, nr = 0;

	for (bit = 0; bit < number; bit++)
		nr += j->reg_mask >> bit & 1;
	return nr < s->regs ? s->words[nr] : 0;
}

static void put_reason(struct job *j, const struct gt_sample *raw, const struct chain *c)
{
	const struct gt_reason r = {
		.h = { sizeof(r), GT_REASON, raw->h.stream },
		.time = raw->time, .pid = raw->pid, .tid = raw->tid,
		.reason = c->why, .frames = c->nr, .pc = c->pc[c->nr - 1],
	};

	put(j, &r, sizeof(r));
}

static void rechain(struct job *j, const struct gt_sample *raw)
{
	const u64 marker = (u64)-512;	/* PERF_CONTEXT_USER */
	const struct chain *c = find(&j->chains, raw->tid, raw->time,
				     reg_of(j, raw, SAMPLE_REG_PC), reg_of(j, raw, SAMPLE_REG_SP));
	struct gt_sample s = *raw;

	j->samples++;
	if (!c) {
		j->without++;
		return;
	}
	if (c->guessed) {
		j->guessed++;
		return;
	}
	j->whys[c->why & 255]++;
	j->frames += c->nr;
	put_reason(j, raw, c);
	s.chain = c->nr + 1;
	s.h.size = raw->h.size - 8 * raw->chain + 8 * s.chain;
	put(j, &s, sizeof(s));
	put(j, raw->words, 8ull * raw->regs);
	put(j, &marker, sizeof(marker));
	put(j, c->pc, 8ull * c->nr);
	put(j, raw->words + raw->regs + raw->chain,
	    raw->h.size - sizeof(s) - 8ull * (raw->regs + raw->chain));
}

static void take_chunk(struct job *j, const struct gt_chunk *h)
{
	const struct gt_sample *s = (const void *)h;
	struct gt_info info;

	switch (h->type) {
	case GT_INFO:
		info = *(const struct gt_info *)h;
		j->reg_mask = info.reg_mask;
		info.max_stack = WIRE_FRAMES;
		info.tracepoint = 1;
		put(j, &info, sizeof(info));
		break;
	case GT_REASON:
		break;
	case GT_SAMPLE:
		if (s->regs && s->abi == PERF_SAMPLE_REGS_ABI_64) {
			rechain(j, s);
			break;
		}
		/* fallthrough */
	default:
		put(j, h, h->size);
	}
}

int main(int argc, char **argv)
{
	struct job j = { 0 };
	struct input record, chains;
	size_t at = sizeof(struct gt_file);
	const struct gt_chunk *h;
	unsigned int i;

	if (argc != 4)
		return 2;
	record = read_all(argv[1]);
	chains = read_all(argv[2]);
	take_chains(&j.chains, &chains);
	j.out = fopen(argv[3], "we");
	if (!j.out || record.len < at)
		die(argv[3]);
	put(&j, record.bytes, at);
	for (; record.len - at >= sizeof(*h); at += h->size) {
		h = (const void *)(record.bytes + at);
		if (h->size < sizeof(*h) || h->size > record.len - at) {
			errno = EBADMSG;
			die("a chunk");
		}
		take_chunk(&j, h);
	}
	if (fclose(j.out))
		die(argv[3]);
	printf("rechain: %llu samples, %llu without a walk, %llu guessed, %llu complete, %llu frames;",
	       (unsigned long long)j.samples, (unsigned long long)j.without,
	       (unsigned long long)j.guessed, (unsigned long long)j.whys[USTACK_COMPLETE], (unsigned long long)j.frames);
	for (i = 0; i < 256; i++)
		if (j.whys[i])
			printf(" %s %llu", ustack_reason_name(i) ?: "other",
			       (unsigned long long)j.whys[i]);
	putchar('\n');
	return 0;
}
