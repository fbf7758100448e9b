/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Helpers for tests of the store: random windows, their contents as text (equal windows have
 * equal texts), and temporary folders. Included by one source of a test.
 */
#ifndef USTACK_UNIT_STORE_RANDOM_H
#define USTACK_UNIT_STORE_RANDOM_H

#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "profile/profile.h"
#include "serve/store/reader.h"
#include "serve/store/store.h"

#define SECOND 1000000000ul
#define BEGIN (1790000000 * SECOND)

static uint64_t random_state = 1;

static inline uint32_t random_below(uint32_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 32) % n;
}

static inline uint32_t numbered(struct profile *p, const char *what, uint32_t n)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%u", what, n);
	return profile_string(p, text);
}

static inline uint32_t random_mapping(struct profile *p)
{
	uint32_t n = random_below(6);
	struct profile_mapping m = {
		.start = n * 0x100000000ull, .limit = n == 5 ? 0 : UINT64_MAX - n, .offset = n << 12,
		.file = numbered(p, "/usr/lib/lib", n), .build_id = n % 2 ? numbered(p, "abcd", n) : 0,
	};

	return n ? profile_mapping(p, &m) : 0;
}

static inline struct profile_line random_line(struct profile *p)
{
	uint32_t n = random_below(300);
	struct profile_function f = {
		.name = numbered(p, "function ", n), .system_name = numbered(p, "_ZN", n),
		.file = numbered(p, "file.c", n / 10), .start_line = n == 7 ? UINT32_MAX : n,
	};

	return (struct profile_line){ profile_function(p, &f), n == 9 ? UINT32_MAX : n / 2 };
}

/*
 * Even addresses have names, sometimes several; odd addresses never have names; 0 may have
 * both.
 */
static inline uint32_t random_location(struct profile *p)
{
	uint64_t address = (uint64_t)random_below(400) * (random_below(50) ? 1 : 1ull << 55);
	struct profile_line lines[3];
	uint32_t nr = 0, want = address % 2 ? 0 : address ? 1 + random_below(2) : random_below(3);

	for (; nr < want; nr++)
		lines[nr] = random_line(p);
	return profile_location_named(p, random_mapping(p), address, lines, nr);
}

static inline uint32_t random_stack(struct profile *p)
{
	uint32_t depth = random_below(random_below(100) ? 12 : 200), stack = 0;

	/* an existing name, or a new one */
	if (p->nr_stacks > 5 && random_below(2))
		stack = random_below(p->nr_stacks);
	if (p->stacks[stack].depth > 30)
		stack = 0;
	while (depth--)
		stack = profile_stack(p, stack, random_location(p));
	return stack;
}

static inline uint32_t random_labels(struct profile *p)
{
	struct profile_label set[5];
	uint32_t i, nr = random_below(5);

	for (i = 0; i < nr; i++) {
		uint32_t n = random_below(4);

		set[i] = (struct profile_label){ .key = numbered(p, "key", n) };
		if (n == 1) {
			set[i].num = (int64_t)random_below(3) - 1;
			set[i].unit = random_below(2) ? numbered(p, "unit", 1) : 0;
		} else {
			set[i].str = numbered(p, "text", random_below(30));
		}
	}
	return profile_labels(p, set, nr);
}

static inline int64_t random_value(uint32_t n)
{
	static const int64_t extreme[] = { INT64_MIN, INT64_MAX, -1, 0 };

	return random_below(100) ? (int64_t)n : extreme[random_below(4)];
}

/* Window @n: it begins @n times ten seconds after BEGIN. */
static inline struct profile *random_window(uint32_t n)
{
	struct profile *p = profile_new();
	uint32_t types = random_below(20) ? 2 : random_below(PROFILE_MAX_VALUES + 1), i, k, count;
	int64_t value[PROFILE_MAX_VALUES];

	p->time_ns = BEGIN + n * 10 * SECOND;
	p->duration_ns = 10 * SECOND;
	p->period = random_below(10) ? 52631578 : (int64_t)random_state;
	p->period_type.type = profile_string(p, "cpu");
	p->period_type.unit = profile_string(p, "nanoseconds");
	for (i = 0; i < types; i++)
		profile_value_type(p, profile_text(p, numbered(p, "type", i)), i ? "nanoseconds" : "count");
	p->default_type = types ? p->value_types[types - 1].type : 0;
	for (i = random_below(4); i; i--)
		profile_comment(p, profile_text(p, numbered(p, "comment ", random_below(5))));
	for (i = random_below(150); i; i--) {
		count = random_below(50);
		for (k = 0; k < PROFILE_MAX_VALUES; k++)
			value[k] = random_value(k ? count * 52631578 : count);
		profile_add(p, random_stack(p), random_labels(p), value);
	}
	assert_int_equal(profile_error(p), 0);
	return p;
}

/* A text that is being written, and its sorted lines. */
struct said {
	char *text;
	size_t len;
	FILE *out;
};

static inline void say_stack(const struct profile *p, uint32_t stack, FILE *out)
{
	for (; stack; stack = p->stacks[stack].parent) {
		const struct profile_location *l = &p->locations[p->stacks[stack].location];
		const struct profile_mapping *m = &p->mappings[l->mapping];
		uint32_t i;

		fprintf(out, " | %" PRIx64 " %" PRIx64 "-%" PRIx64 "+%" PRIx64 " %s %s", l->address,
			m->start, m->limit, m->offset, profile_text(p, m->file),
			profile_text(p, m->build_id));
		for (i = 0; i < l->nr_lines; i++) {
			const struct profile_line *line = &p->lines[l->first_line + i];
			const struct profile_function *f = &p->functions[line->function];

			fprintf(out, " [%s %s %s:%u %u]", profile_text(p, f->name),
				profile_text(p, f->system_name), profile_text(p, f->file),
				f->start_line, line->line);
		}
	}
}

static inline int by_text(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

/*
 * Labels are in the order of their numbers, which belong to the profile; here they are sorted
 * by text.
 */
static inline void say_labels(const struct profile *p, uint32_t labels, FILE *out)
{
	const struct profile_labels *set = &p->labels[labels];
	char text[PROFILE_MAX_LABELS][160], *at[PROFILE_MAX_LABELS];
	uint32_t i;

	for (i = 0; i < set->nr; i++) {
		const struct profile_label *l = &p->label[set->first + i];

		at[i] = text[i];
		snprintf(text[i], sizeof(text[i]), "%s=%s/%" PRId64 "%s", profile_text(p, l->key),
			 profile_text(p, l->str), l->num, profile_text(p, l->unit));
	}
	qsort(at, set->nr, sizeof(*at), by_text);
	for (i = 0; i < set->nr; i++)
		fprintf(out, " %s", at[i]);
}

static inline char *say_sample(const struct profile *p, const struct profile_sample *s)
{
	struct said t = { NULL, 0, NULL };
	uint32_t i;

	t.out = open_memstream(&t.text, &t.len);
	for (i = 0; i < p->nr_value_types; i++)
		fprintf(t.out, "%" PRId64 " ", s->value[i]);
	say_labels(p, s->labels, t.out);
	say_stack(p, s->stack, t.out);
	fclose(t.out);
	return t.text;
}

static inline void say_head(const struct profile *p, FILE *out)
{
	uint32_t i;

	fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRId64 " %s %s %s\n", p->time_ns, p->duration_ns,
		p->period, profile_text(p, p->period_type.type),
		profile_text(p, p->period_type.unit), profile_text(p, p->default_type));
	for (i = 0; i < p->nr_value_types; i++)
		fprintf(out, "%s/%s ", profile_text(p, p->value_types[i].type),
			profile_text(p, p->value_types[i].unit));
	for (i = 0; i < p->nr_comments; i++)
		fprintf(out, "# %s\n", profile_text(p, p->comments[i]));
}

/* The whole contents of a profile as text; the caller frees it. */
static inline char *say_profile(const struct profile *p)
{
	char **samples = calloc(p->nr_samples + 1ul, sizeof(*samples));
	struct said t = { NULL, 0, NULL };
	uint32_t i;

	t.out = open_memstream(&t.text, &t.len);
	say_head(p, t.out);
	for (i = 0; i < p->nr_samples; i++)
		samples[i] = say_sample(p, &p->samples[i]);
	qsort(samples, p->nr_samples, sizeof(*samples), by_text);
	for (i = 0; i < p->nr_samples; i++) {
		fprintf(t.out, "%s\n", samples[i]);
		free(samples[i]);
	}
	fclose(t.out);
	free(samples);
	return t.text;
}

static inline void assert_same_profile(const struct profile *a, const struct profile *b)
{
	char *x = say_profile(a), *y = say_profile(b);

	assert_string_equal(x, y);
	free(x);
	free(y);
}

/* A folder for a store; remove_dir() removes it. */
static inline char *make_dir(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir;

	assert_true(asprintf(&dir, "%s/ustack-store-XXXXXX", tmp ? tmp : "/tmp") > 0);
	assert_non_null(mkdtemp(dir));
	return dir;
}

static inline int remove_one(const char *path, const struct stat *st, int flag, struct FTW *f)
{
	return remove(path);
}

static inline void remove_dir(char *dir)
{
	nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(dir);
}

/* The outcome of a call to the store, as text. */
struct notes {
	char text[4096];
	unsigned int nr;
};

static inline void take_note(const char *text, void *arg)
{
	struct notes *n = arg;

	n->nr++;
	snprintf(n->text, sizeof(n->text), "%s", text);
}

static inline struct store *must_open(const char *dir, struct store_options o)
{
	struct diag diag = { .text = "" };
	struct store *s = NULL;
	int err = store_open(dir, &o, &s, &diag);

	if (err)
		print_error("%s\n", diag.text);
	assert_int_equal(err, 0);
	return s;
}

static inline void append_window(struct store *s, uint32_t n, struct store_position *at)
{
	struct profile *p = random_window(n);
	struct diag diag = { .text = "" };
	int err = store_append(s, p, at, &diag);

	if (err)
		print_error("%s\n", diag.text);
	assert_int_equal(err, 0);
	profile_free(p);
}

static inline struct store_reader *must_read(const char *dir, struct store_position from)
{
	struct store_reader *r = NULL;
	struct diag diag;

	assert_int_equal(store_reader_new(dir, &from, &r, &diag), 0);
	return r;
}

static inline uint32_t window_number(const struct profile *p)
{
	return (uint32_t)((p->time_ns - BEGIN) / (10 * SECOND));
}

/* Runs a shell command in the folder; it must succeed. */
static inline void in_dir(const char *dir, const char *command)
{
	char *all;

	assert_true(asprintf(&all, "cd %s && %s", dir, command) > 0);
	assert_int_equal(system(all), 0);
	free(all);
}

#endif /* USTACK_UNIT_STORE_RANDOM_H */
