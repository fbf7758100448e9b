// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes perf script's text, as stackcollapse-perf.pl and speedscope read it.
 * See export.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/export_text.h"
#include "profile/export_times.h"

#include "util/poison.h"

#define NS_PER_S 1000000000u

/* Writes '?' for characters that would end a line or a block. */
static void put_text(const char *s, FILE *out)
{
	for (; *s; s++)
		fputc((unsigned char)*s < ' ' || *s == 0x7f ? '?' : *s, out);
}

struct perf_text {
	const struct profile *p;
	const struct export_options *o;
	struct export_threads threads;
	FILE *out;
};

static void put_head(const struct perf_text *w, const struct export_time *t)
{
	const struct profile_sample *s = &w->p->samples[t->sample];
	const struct export_thread *thread = &w->threads.at[t->thread];
	const char *event = profile_label_text(w->p, s->labels, PROFILE_LABEL_EVENT);
	const char *comm = profile_label_text(w->p, s->labels, PROFILE_LABEL_THREAD);

	if (!comm)
		comm = profile_label_text(w->p, s->labels, PROFILE_LABEL_COMMAND);
	put_text(comm && *comm ? comm : "[unknown]", w->out);
	fprintf(w->out, " %" PRId64 "/%" PRId64 " %" PRIu64 ".%09" PRIu64 ": %" PRId64 " ", thread->pid,
		thread->tid, t->ns / NS_PER_S, t->ns % NS_PER_S, t->value);
	put_text(event ? event : profile_text(w->p, w->p->value_types[w->o->value].type), w->out);
	fputs(":\n", w->out);
}

/*
 * Writes a frame. For an inlined function perf's readers want "(inlined)" in
 * place of the file.
 */
static void put_frame(const struct profile *p, const struct profile_location *l, uint32_t line,
		      FILE *out)
{
	const char *file = profile_text(p, p->mappings[l->mapping].file), *name = "";
	const struct profile_function *f;

	if (line < l->nr_lines) {
		f = &p->functions[p->lines[l->first_line + line].function];
		name = profile_text(p, f->name ? f->name : f->system_name);
	}
	fprintf(out, "\t%16" PRIx64 " ", l->address);
	put_text(*name ? name : "[unknown]", out);
	fputs(" (", out);
	if (line + 1 < l->nr_lines)
		fputs("inlined", out);
	else
		put_text(*file ? file : "[unknown]", out);
	fputs(")\n", out);
}

static int put_sample(const struct export_time *t, void *arg)
{
	struct perf_text *w = arg;
	const struct profile *p = w->p;
	uint32_t stack, k;

	put_head(w, t);
	for (stack = p->samples[t->sample].stack; stack; stack = p->stacks[stack].parent) {
		const struct profile_location *l = &p->locations[p->stacks[stack].location];

		k = 0;
		do {
			put_frame(p, l, k, w->out);
		} while (++k < l->nr_lines);
	}
	fputc('\n', w->out);
	/* the caller reports the error of @w->out */
	return ferror(w->out);
}

int export_perf(const struct profile *p, const struct calltree *tree,
		const struct export_options *o, FILE *out)
{
	struct perf_text w = { .p = p, .o = o, .out = out };
	int err;

	export_threads_init(&w.threads);
	err = export_times(p, o, &w.threads, put_sample, &w);
	export_threads_release(&w.threads);
	return err > 0 ? 0 : err;
}
