// SPDX-License-Identifier: GPL-2.0-only
/* Makes each kind of guess for frames of a record and counts how many are right (guess.h). */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blind.h"
#include "calls.h"
#include "cfi_cache.h"
#include "guess.h"
#include "util.h"

#define SCAN_WORDS 64
#define ARM64_LR 30

enum kind { FP, FP_CALL, LR, TOP, SCAN, AGREED, BLIND, TRUE, KINDS };
enum group { INTERRUPTED, CALLING, STOPPED, NO_CFI, GROUPS };

struct score {
	uint64_t frames;
	uint64_t made;
	uint64_t right;
	uint64_t leads;		/* CFI leads from here to the outermost frame */
	uint64_t leads_right;
};

struct scores {
	struct file *file;
	struct score scores[GROUPS][KINDS];
};

struct guesses {
	struct scores total;
	struct scores *files;
	unsigned int count;
};

/* a frame whose caller is guessed */
struct frame {
	const struct subject *x;
	unsigned int i;		/* index in the truth */
	uint64_t sp;
	uint64_t fp;
};

/* the guessed caller; pc is 0 if there is none */
struct caller {
	uint64_t pc;
	uint64_t sp;
	uint64_t fp;
};

static bool read_word(const struct subject *x, uint64_t addr, uint64_t *ret)
{
	uint64_t off = addr - x->regs.sp;

	if (addr < x->regs.sp || off > x->stack_len || x->stack_len - off < 8)
		return false;
	memcpy(ret, x->s->stack + off, 8);
	return true;
}

static bool is_candidate(const struct subject *x, uint64_t pc)
{
	const struct mapping *m = space_find(x->space, pc);
	uint8_t code[CALL_BYTES];

	return m && m->file && file_read(m->file, pc - m->bias - CALL_BYTES, code, CALL_BYTES) &&
	       call_before(x->arch->machine, code) && (dw_cfi(x->space, pc - 1) & CFI_ROW);
}

static struct caller by_fp(const struct frame *f)
{
	uint64_t next, pc;

	if (f->fp < f->sp || f->fp % 8 || !read_word(f->x, f->fp, &next) ||
	    !read_word(f->x, f->fp + 8, &pc))
		return (struct caller){};
	return (struct caller){ pc & f->x->arch->pc_mask, f->fp + 16, next };
}

static struct caller by_lr(const struct frame *f)
{
	uint64_t lr = f->x->regs.dwarf[ARM64_LR] & f->x->arch->pc_mask;

	if (f->x->arch->machine != EM_AARCH64 || f->i || !is_candidate(f->x, lr))
		return (struct caller){};
	return (struct caller){ lr, f->sp, f->fp };
}

static struct caller by_scan(const struct frame *f)
{
	unsigned int i;
	uint64_t pc;

	for (i = 0; i < SCAN_WORDS && read_word(f->x, f->sp + 8 * i, &pc); i++) {
		pc &= f->x->arch->pc_mask;
		if (is_candidate(f->x, pc))
			return (struct caller){ pc, f->sp + 8 * i + 8, f->fp };
	}
	return (struct caller){};
}

static void guess_all(const struct frame *f, struct caller ret[KINDS])
{
	memset(ret, 0, KINDS * sizeof(*ret));
	ret[FP] = by_fp(f);
	if (ret[FP].pc && is_candidate(f->x, ret[FP].pc))
		ret[FP_CALL] = ret[FP];
	ret[LR] = by_lr(f);
	if (!blind_step(f->x, f->i, &ret[BLIND].pc, &ret[BLIND].sp, &ret[BLIND].fp))
		ret[BLIND].pc = 0;
	ret[SCAN] = by_scan(f);
	if (ret[SCAN].sp == f->sp + 8)
		ret[TOP] = ret[SCAN];
	if (ret[SCAN].pc != ret[FP_CALL].pc)
		return;
	ret[AGREED] = ret[FP_CALL];
	/* this word itself: the caller's frame pointer is below it */
	if (ret[SCAN].sp == ret[FP_CALL].sp)
		ret[SCAN] = ret[FP_CALL];
}

/*
 * continues with libdw from the guessed caller. Return: whether it reaches the outermost frame.
 */
static bool leads_on(const struct frame *f, const struct caller *c)
{
	static struct unwound u;
	const struct subject *x = f->x;
	struct regs regs = x->regs;
	uint64_t off = c->sp - regs.sp;

	if (off > x->stack_len)
		return false;
	regs.pc = c->pc - 1;	/* libdw takes the first pc for an interrupted one */
	regs.sp = c->sp;
	regs.dwarf[x->arch->sp] = c->sp;
	regs.dwarf[x->arch->fp] = c->fp;
	dw_unwind(x->arch, x->space, &regs, x->s->stack + off, x->stack_len - off, 0, &u);
	return u.end == DW_OUTERMOST;
}

static struct scores *scores_of(struct guesses *g, struct file *file)
{
	unsigned int i;

	for (i = 0; i < g->count; i++)
		if (g->files[i].file == file)
			return &g->files[i];
	g->files = xrealloc(g->files, (g->count + 1) * sizeof(*g->files));
	g->files[g->count] = (struct scores){ .file = file };
	return &g->files[g->count++];
}

static void count(struct score *s, bool made, bool right, bool leads)
{
	s->frames++;
	s->made += made;
	s->right += right;
	s->leads += leads;
	s->leads_right += right && leads;
}

static void guess_frame(struct guesses *g, enum group group, const struct frame *f)
{
	const struct unwound *u = f->x->truth;
	const struct mapping *m = space_find(f->x->space, unwound_at(u, f->i));
	struct caller callers[KINDS];
	unsigned int kind;

	guess_all(f, callers);
	if (group != NO_CFI && is_candidate(f->x, u->pcs[f->i + 1]))
		callers[TRUE] = (struct caller){ u->pcs[f->i + 1], u->sp[f->i + 1], u->fp[f->i + 1] };
	for (kind = 0; kind < KINDS; kind++) {
		const struct caller *c = &callers[kind];
		bool right = c->pc && group != NO_CFI && c->pc == u->pcs[f->i + 1];
		bool leads = c->pc && group != CALLING && leads_on(f, c);

		count(&g->total.scores[group][kind], c->pc, right, leads);
		count(&scores_of(g, m->file)->scores[group][kind], c->pc, right, leads);
	}
}

/* whether the module stopped at frame I because a table or row is missing */
static bool stopped_at(const struct subject *x, unsigned int i)
{
	const char *why = x->reason ? reason_name(x->reason->reason) : "";

	return i + 1 == x->chain.count && x->chain.pcs[i] == x->truth->pcs[i] &&
	       (!strcmp(why, "NO_ROW") || !strcmp(why, "NO_TABLE"));
}

void guess_sample(struct guesses *g, const struct subject *x)
{
	const struct unwound *u = x->truth;
	struct frame f = { .x = x };

	for (f.i = 0; f.i < u->count; f.i++) {
		uint64_t at = unwound_at(u, f.i);
		const struct mapping *m = space_find(x->space, at);

		f.sp = u->sp[f.i];
		f.fp = u->fp[f.i];
		if (!m || !m->file)
			continue;
		if (f.i + 1 == u->count) {
			if (u->end == DW_NO_CFI)
				guess_frame(g, NO_CFI, &f);
			continue;
		}
		/* an interrupted pc does not follow a call */
		if (u->exact[f.i + 1] || !(dw_cfi(x->space, at) & CFI_ROW))
			continue;
		guess_frame(g, u->exact[f.i] ? INTERRUPTED : CALLING, &f);
		if (stopped_at(x, f.i))
			guess_frame(g, STOPPED, &f);
	}
}

static double share(uint64_t part, uint64_t of)
{
	return of ? 100.0 * part / of : 0;
}

static void print_scores(const struct scores *t)
{
	static const char *const groups[GROUPS] = {
		"interrupted", "calling", "stopped", "no-cfi",
	};
	static const char *const kinds[KINDS] = {
		"fp", "fp+call", "lr", "top", "scan", "agreed", "blind", "(true)",
	};
	const char *name = t->file ? t->file->name : "(total)";
	unsigned int group, kind;

	for (group = 0; group < GROUPS; group++) {
		for (kind = 0; kind < KINDS; kind++) {
			const struct score *s = &t->scores[group][kind];

			if (!s->made)
				continue;
			printf("  guess %-24s %-11s %-8s %9" PRIu64 " %9" PRIu64, name,
			       groups[group], kinds[kind], s->frames, s->made);
			if (group == NO_CFI)
				printf(" %9s %8s %9" PRIu64 "\n", "?", "?", s->leads);
			else if (group == CALLING)
				printf(" %9" PRIu64 " %7.2f%%\n", s->right,
				       share(s->right, s->made));
			else
				printf(" %9" PRIu64 " %7.2f%% %9" PRIu64 " %7.2f%%\n", s->right,
				       share(s->right, s->made), s->leads,
				       share(s->leads_right, s->leads));
		}
	}
}

static uint64_t frames_of(const struct scores *t)
{
	unsigned int group;
	uint64_t n = 0;

	for (group = 0; group < GROUPS; group++)
		n += t->scores[group][FP].frames;
	return n;
}

static int by_frames(const void *a, const void *b)
{
	uint64_t x = frames_of(a), y = frames_of(b);

	return x < y ? 1 : x > y ? -1 : 0;
}

void guesses_print(struct guesses *g, unsigned int files)
{
	unsigned int i;

	printf("guesses of callers, as if there were no CFI\n");
	printf("  guess %-24s %-11s %-8s %9s %9s %9s %8s %9s %8s\n", "file", "frames", "by",
	       "frames", "made", "right", "of made", "lead on", "right");
	print_scores(&g->total);
	if (g->count)
		qsort(g->files, g->count, sizeof(*g->files), by_frames);
	for (i = 0; i < g->count && i < files; i++)
		print_scores(&g->files[i]);
}

struct guesses *guesses_new(void)
{
	return xcalloc(1, sizeof(struct guesses));
}

void guesses_free(struct guesses *g)
{
	if (!g)
		return;
	free(g->files);
	free(g);
}
