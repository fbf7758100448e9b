// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles that do not stay in memory: the saved file has the contents of a profile that was
 * kept in memory, however often it was spooled, also if the disk is full in between.
 */
#include "support.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/pprof.h"
#include "profile/pprof_spool.h"

#define SAMPLES 20000u
#define MAX_TEXT 4096

static char dir[] = "/tmp/ustack-spool.XXXXXX";

static struct profile *new_profile(void)
{
	struct profile *p = profile_new();

	profile_value_type(p, "samples", "count");
	profile_value_type(p, "cpu", "nanoseconds");
	p->period = 1000;
	return p;
}

/* Some stacks that are repeated, of processes that start and end. */
static void add(struct profile *p, uint32_t i)
{
	const int64_t value[PROFILE_MAX_VALUES] = { 1 + i % 3, 1000 + i };
	struct profile_mapping m = { .start = 0x1000, .limit = 0x100000 };
	struct profile_label l = { 0 };
	uint32_t frame, s = 0, seed = i % 97;

	m.file = profile_string(p, "/usr/bin/prog");
	for (frame = 0; frame < 1 + seed % 7; frame++)
		s = profile_stack(p, s, profile_location(p, profile_mapping(p, &m),
							 0x1000 + (seed * 31 + frame * 7) % 900));
	l.key = profile_string(p, "pid");
	l.num = i / 50;
	profile_add(p, s, profile_labels(p, &l, 1), value);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A line for each sample, in the order of their texts. */
static char **lines_of(const struct profile *p)
{
	char **lines = calloc(p->nr_samples, sizeof(*lines)), text[MAX_TEXT];
	uint32_t i, s;

	for (i = 0; i < p->nr_samples; i++) {
		const struct profile_sample *sample = &p->samples[i];
		const struct profile_labels *set = &p->labels[sample->labels];
		size_t len = 0;

		assert_int_equal(set->nr, 1);
		for (s = sample->stack; s; s = p->stacks[s].parent)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%llx;",
						(unsigned long long)
						p->locations[p->stacks[s].location].address);
		snprintf(text + len, sizeof(text) - len, " %s=%lld %lld %lld",
			 profile_text(p, p->label[set->first].key),
			 (long long)p->label[set->first].num, (long long)sample->value[0],
			 (long long)sample->value[1]);
		lines[i] = strdup(text);
	}
	qsort(lines, p->nr_samples, sizeof(*lines), by_text);
	return lines;
}

static void same_samples(const struct profile *a, const struct profile *b)
{
	char **x = lines_of(a), **y = lines_of(b);
	uint32_t i;

	assert_int_equal(a->nr_samples, b->nr_samples);
	for (i = 0; i < a->nr_samples; i++) {
		assert_string_equal(x[i], y[i]);
		free(x[i]);
		free(y[i]);
	}
	free(x);
	free(y);
}

static const char *out(void)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/out", dir);
	return path;
}

/* A saved profile must read as one that was kept in memory. */
static void saved_is(struct profile *p, struct pprof_spool *spool, const struct profile *all)
{
	struct profile *q;
	struct diag diag;

	assert_int_equal(pprof_save_spooled(p, spool, out(), &diag), 0);
	assert_int_equal(pprof_load(out(), &q, &diag), 0);
	same_samples(q, all);
	assert_int_equal(q->nr_value_types, 2);
	assert_int_equal(q->nr_locations, all->nr_locations);
	assert_int_equal(q->period, 1000);
	profile_free(q);
	unlink(out());
}

static void test_same(void **state)
{
	/* never spooled; in the middle; after the last sample, too; and after each */
	static const uint32_t limits[] = { PPROF_SPOOL_SAMPLES, 700, 1 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		struct profile *p = new_profile(), *all = new_profile();
		struct pprof_spool *spool = pprof_spool_new(out());
		uint32_t n, spooled = 0, nr = limits[i] == 1 ? 300 : SAMPLES / 4;
		struct diag diag;

		pprof_spool_set_limit(spool, limits[i]);
		for (n = 0; n < nr; n++) {
			add(p, n);
			add(all, n);
			if (!pprof_spool_is_due(spool, p))
				continue;
			assert_int_equal(pprof_spool_samples(spool, p, &diag), 0);
			assert_int_equal(p->nr_samples, 0);
			spooled++;
		}
		assert_int_equal(spooled, nr / limits[i]);
		saved_is(p, spool, all);
		pprof_spool_free(spool);
		profile_free(all);
		profile_free(p);
	}
}

/* Memory does not grow with the counted samples. */
static void test_flat(void **state)
{
	struct profile *p = new_profile();
	struct pprof_spool *spool = pprof_spool_new(out());
	uint32_t n, strings = 0;
	struct diag diag;

	for (n = 0; n < 10 * SAMPLES; n++) {
		add(p, n);
		if (pprof_spool_is_due(spool, p))
			assert_int_equal(pprof_spool_samples(spool, p, &diag), 0);
		if (n == SAMPLES)
			strings = p->nr_strings;
		assert_true(p->nr_samples < PPROF_SPOOL_SAMPLES);
		assert_true(p->nr_labels <= PPROF_SPOOL_SAMPLES);
		assert_true(p->nr_stacks <= PPROF_SPOOL_SAMPLES);
	}
	assert_int_equal(p->nr_strings, strings);
	pprof_spool_free(spool);
	profile_free(p);
}

static void disk_of(rlim_t bytes)
{
	struct rlimit l;

	getrlimit(RLIMIT_FSIZE, &l);
	l.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &l), 0);
}

/*
 * A disk that is full for a while: stacks that could not be spooled stay in memory, and none is
 * counted twice.
 */
static void test_full(void **state)
{
	struct profile *p = new_profile(), *all = new_profile();
	struct pprof_spool *spool = pprof_spool_new(out());
	uint32_t n, failed = 0, spooled = 0;
	struct diag diag;

	signal(SIGXFSZ, SIG_IGN);
	pprof_spool_set_limit(spool, 2000);
	for (n = 0; n < SAMPLES; n++) {
		add(p, n);
		add(all, n);
		if (!pprof_spool_is_due(spool, p))
			continue;
		/* the second one does not fit, nor does any after it */
		disk_of(n >= 3000 && n < 9000 ? 20000 : RLIM_INFINITY);
		if (pprof_spool_samples(spool, p, &diag)) {
			assert_string_equal(diag.file, dir);
			assert_true(p->nr_samples > 0);
			failed++;
		} else {
			spooled++;
		}
	}
	disk_of(RLIM_INFINITY);
	assert_true(failed > 0 && spooled > 1);
	saved_is(p, spool, all);
	pprof_spool_free(spool);
	profile_free(all);
	profile_free(p);
}

/* The reported size is that of the saved file, however much was spooled. */
static void test_size(void **state)
{
	static const uint32_t limits[] = { PPROF_SPOOL_SAMPLES, 700 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		struct profile *p = new_profile(), *q;
		struct pprof_spool *spool = pprof_spool_new(out());
		uint64_t bytes, before = 0;
		struct diag diag;
		struct stat st;
		uint32_t n;

		pprof_spool_set_limit(spool, limits[i]);
		for (n = 0; n < SAMPLES / 4; n++) {
			add(p, n);
			if (pprof_spool_is_due(spool, p))
				assert_int_equal(pprof_spool_samples(spool, p, &diag), 0);
			if (n % 1000)
				continue;
			assert_int_equal(pprof_spool_size(spool, p, &bytes), 0);
			assert_true(bytes > before);
			before = bytes;
		}
		assert_int_equal(pprof_spool_size(spool, p, &bytes), 0);
		assert_int_equal(pprof_save_spooled(p, spool, out(), &diag), 0);
		assert_int_equal(stat(out(), &st), 0);
		assert_int_equal(st.st_size, bytes);
		assert_int_equal(pprof_load(out(), &q, &diag), 0);
		profile_free(q);
		unlink(out());
		pprof_spool_free(spool);
		profile_free(p);
	}
}

/* A directory that has gone. */
static void test_nowhere(void **state)
{
	struct profile *p = new_profile(), *all = new_profile();
	struct pprof_spool *spool = pprof_spool_new("/nowhere/at/all");
	struct diag diag;

	add(p, 1);
	add(all, 1);
	pprof_spool_set_limit(spool, 1);
	assert_true(pprof_spool_is_due(spool, p));
	assert_int_equal(pprof_spool_samples(spool, p, &diag), -ENOENT);
	assert_false(pprof_spool_is_due(spool, p));
	saved_is(p, spool, all);
	pprof_spool_free(spool);
	profile_free(all);
	profile_free(p);
}

/* All samples have the same types of values. */
static void test_other_types(void **state)
{
	struct profile *p = new_profile();
	struct pprof_spool *spool = pprof_spool_new("-");
	struct diag diag;

	add(p, 1);
	assert_int_equal(pprof_spool_samples(spool, p, &diag), 0);
	profile_value_type(p, "late", "count");
	add(p, 2);
	assert_int_equal(pprof_spool_samples(spool, p, &diag), -EINVAL);
	assert_int_equal(p->nr_samples, 1);
	assert_int_equal(pprof_save_spooled(p, spool, out(), &diag), -EINVAL);
	assert_int_equal(access(out(), F_OK), -1);
	pprof_spool_free(spool);
	profile_free(p);
}

/* Nothing is left behind, and nothing is visible meanwhile. */
static int no_files(void **state)
{
	return rmdir(dir);
}

static int make_dir(void **state)
{
	return mkdtemp(dir) ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),	cmocka_unit_test(test_flat),
		cmocka_unit_test(test_full),	cmocka_unit_test(test_nowhere),
		cmocka_unit_test(test_other_types), cmocka_unit_test(test_size),
	};

	return cmocka_run_group_tests(tests, make_dir, no_files);
}
