// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registry of metrics, and the writer of Prometheus' text format. The answer to /metrics calls
 * every registered function.
 */
#include "serve/daemon/metrics.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/array.h"
#include "util/utf8.h"

#include "util/poison.h"

struct collector {
	void (*collect)(struct metrics_out *out, void *arg);
	void *arg;
};

struct metrics {
	pthread_mutex_t lock;
	struct collector *collectors;
	size_t nr;
	size_t room;
};

struct metrics_out {
	FILE *file;
	const char *name;
};

struct metrics *metrics_new(void)
{
	struct metrics *m = calloc(1, sizeof(*m));

	if (m)
		pthread_mutex_init(&m->lock, NULL);
	return m;
}

void metrics_free(struct metrics *m)
{
	if (!m)
		return;
	pthread_mutex_destroy(&m->lock);
	free(m->collectors);
	free(m);
}

int metrics_register(struct metrics *m, void (*collect)(struct metrics_out *out, void *arg),
		     void *arg)
{
	bool room;

	pthread_mutex_lock(&m->lock);
	room = array_has_room(m->collectors, m->nr, m->room);
	if (room)
		m->collectors[m->nr++] = (struct collector){ collect, arg };
	pthread_mutex_unlock(&m->lock);
	return room ? 0 : -ENOMEM;
}

void metrics_unregister(struct metrics *m, void *arg)
{
	size_t i, to = 0;

	pthread_mutex_lock(&m->lock);
	for (i = 0; i < m->nr; i++)
		if (m->collectors[i].arg != arg)
			m->collectors[to++] = m->collectors[i];
	m->nr = to;
	pthread_mutex_unlock(&m->lock);
}

void metrics_write(struct metrics *m, FILE *out)
{
	struct metrics_out o = { .file = out };
	size_t i;

	pthread_mutex_lock(&m->lock);
	for (i = 0; i < m->nr; i++)
		m->collectors[i].collect(&o, m->collectors[i].arg);
	pthread_mutex_unlock(&m->lock);
}

/* Writes a text, escaped as the format needs it: no line feeds, and valid UTF-8. */
static void put_escaped(FILE *out, const char *s, bool quotes)
{
	unsigned int n;

	for (; *s; s += n ? n : 1) {
		n = utf8_len(s);
		if (!n)
			fputs("\xef\xbf\xbd", out);
		else if (*s == '\n')
			fputs("\\n", out);
		else if (*s == '\\' || (quotes && *s == '"'))
			fprintf(out, "\\%c", *s);
		else
			fwrite(s, 1, n, out);
	}
}

void metrics_family(struct metrics_out *out, const char *name, enum metrics_type type,
		    const char *help)
{
	static const char *const types[] = {
		[METRICS_COUNTER] = "counter",
		[METRICS_GAUGE] = "gauge",
		[METRICS_HISTOGRAM] = "histogram",
	};

	out->name = name;
	fprintf(out->file, "# HELP %s ", name);
	put_escaped(out->file, help, false);
	fprintf(out->file, "\n# TYPE %s %s\n", name, types[type]);
}

/* Writes labels; @le: upper bound of a histogram's bucket, or NULL. */
static void put_labels(FILE *out, const char *le, va_list args)
{
	const char *key, *sep = "{";

	while ((key = va_arg(args, const char *))) {
		fprintf(out, "%s%s=\"", sep, key);
		put_escaped(out, va_arg(args, const char *), true);
		fputc('"', out);
		sep = ",";
	}
	if (le)
		fprintf(out, "%sle=\"%s\"", sep, le);
	if (le || *sep == ',')
		fputc('}', out);
	fputc(' ', out);
}

static void put_double(FILE *out, double value)
{
	if (isnan(value))
		fputs("NaN\n", out);
	else if (isinf(value))
		fputs(value < 0 ? "-Inf\n" : "+Inf\n", out);
	else
		fprintf(out, "%.15g\n", value);
}

void metrics_value(struct metrics_out *out, double value, ...)
{
	va_list args;

	fputs(out->name, out->file);
	va_start(args, value);
	put_labels(out->file, NULL, args);
	va_end(args);
	put_double(out->file, value);
}

void metrics_count(struct metrics_out *out, uint64_t value, ...)
{
	va_list args;

	fputs(out->name, out->file);
	va_start(args, value);
	put_labels(out->file, NULL, args);
	va_end(args);
	fprintf(out->file, "%" PRIu64 "\n", value);
}

void metrics_observe(struct metrics_histogram *h, double value)
{
	unsigned int i = 0;

	while (i < h->nr_bounds && value > h->bounds[i])
		i++;
	__atomic_fetch_add(&h->counts[i], 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&h->sum, (uint64_t)(value * 1e6), __ATOMIC_RELAXED);
}

void metrics_histogram(struct metrics_out *out, const struct metrics_histogram *h, ...)
{
	uint64_t sum = __atomic_load_n(&h->sum, __ATOMIC_RELAXED), all = 0;
	char le[32] = "+Inf";
	unsigned int i;
	va_list args;

	/* each bucket includes those below it; the last one is the count of all */
	for (i = 0; i <= h->nr_bounds; i++) {
		all += __atomic_load_n(&h->counts[i], __ATOMIC_RELAXED);
		if (i < h->nr_bounds)
			snprintf(le, sizeof(le), "%g", h->bounds[i]);
		fprintf(out->file, "%s_bucket", out->name);
		va_start(args, h);
		put_labels(out->file, i < h->nr_bounds ? le : "+Inf", args);
		va_end(args);
		fprintf(out->file, "%" PRIu64 "\n", all);
	}
	fprintf(out->file, "%s_sum", out->name);
	va_start(args, h);
	put_labels(out->file, NULL, args);
	va_end(args);
	put_double(out->file, (double)sum / 1e6);
	fprintf(out->file, "%s_count", out->name);
	va_start(args, h);
	put_labels(out->file, NULL, args);
	va_end(args);
	fprintf(out->file, "%" PRIu64 "\n", all);
}
