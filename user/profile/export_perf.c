// SPDX-License-Identifier: GPL-2.0-only
/* perf script's text, as stackcollapse-perf.pl and speedscope read it. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "profile/export.h"
#include "profile/export_text.h"

#include "util/poison.h"

/* What would end a line, or a block, becomes '?'. */
static void put_text(const char *s, FILE *out)
{
	for (; *s; s++)
		fputc((unsigned char)*s < ' ' || *s == 0x7f ? '?' : *s, out);
}

static int64_t label_number(const struct profile *p, uint32_t labels, const char *key)
{
	const struct profile_labels *set = &p->labels[labels];
	uint32_t i;

	for (i = 0; i < set->nr; i++) {
		const struct profile_label *l = &p->label[set->first + i];

		if (!l->str && !strcmp(profile_text(p, l->key), key))
			return l->num;
	}
	return -1;
}

static void put_head(const struct profile *p, const struct profile_sample *s, uint32_t value,
		     int64_t period, FILE *out)
{
	const char *comm = profile_label_text(p, s->labels, PROFILE_LABEL_THREAD);
	const char *event = profile_label_text(p, s->labels, PROFILE_LABEL_EVENT);
	int64_t pid = label_number(p, s->labels, PROFILE_LABEL_PID);
	int64_t tid = label_number(p, s->labels, PROFILE_LABEL_TID);

	if (!comm)
		comm = profile_label_text(p, s->labels, PROFILE_LABEL_COMMAND);
	put_text(comm && *comm ? comm : "[unknown]", out);
	pid = pid < 0 ? 0 : pid;
	fprintf(out, " %" PRId64 "/%" PRId64 " %" PRId64 " ", pid, tid < 0 ? pid : tid,
		period);
	put_text(event ? event : profile_text(p, p->value_types[value].type), out);
	fputs(":\n", out);
}

/* The kernel's reader says "(inlined)" where there is the file. */
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

/* How often a sample was met; 1 where its value does not say. */
static uint64_t times(const struct profile *p, const struct profile_sample *s, uint32_t value)
{
	const struct profile_value_type *v = &p->value_types[value];
	int64_t n = 1;

	if (!strcmp(profile_text(p, v->unit), "count"))
		n = s->value[value];
	else if (p->period > 0 && p->period_type.unit == v->unit)
		n = s->value[value] / p->period;
	return n > 1 ? (uint64_t)n : 1;
}

static void put_sample(const struct profile *p, const struct profile_sample *s, uint32_t value,
		       FILE *out)
{
	uint64_t n = times(p, s, value);
	uint32_t stack, k;

	put_head(p, s, value, s->value[value] / (int64_t)n, out);
	for (stack = s->stack; stack; stack = p->stacks[stack].parent) {
		const struct profile_location *l = &p->locations[p->stacks[stack].location];

		k = 0;
		do {
			put_frame(p, l, k, out);
		} while (++k < l->nr_lines);
	}
	fputc('\n', out);
}

int export_perf(const struct profile *p, const struct calltree *t, uint32_t value, FILE *out)
{
	uint64_t blocks = 0, n;
	uint32_t i;

	for (i = 0; i < p->nr_samples; i++) {
		n = p->samples[i].value[value] ? times(p, &p->samples[i], value) : 0;
		if (n > EXPORT_MAX_BLOCKS - blocks)
			return -EFBIG;
		blocks += n;
	}
	for (i = 0; i < p->nr_samples && !ferror(out); i++) {
		n = p->samples[i].value[value] ? times(p, &p->samples[i], value) : 0;
		for (; n; n--)
			put_sample(p, &p->samples[i], value, out);
	}
	return 0;
}
