// SPDX-License-Identifier: GPL-2.0-only
/*
 * Windows for the store: their labels; that nothing is lost but samples that were dropped and
 * counted; that no unused name is kept; and that the cache is bounded and changes no result.
 */
#include "support.h"

#include <errno.h>
#include <math.h>

#include "alloc_fail.h"
#include "rounds.h"
#include "serve/daemon/label_cache.h"
#include "serve/daemon/labels.h"
#include "serve/daemon/random.h"
#include "serve/daemon/relabel.h"
#include "serve/daemon/thin.h"
#include "serve/daemon/window.h"
#include "profile/imagemaps.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* The contents of a sample. */
struct who {
	uint32_t pid;
	const char *command;
	const char *cgroup;
};

static const struct who nginx = { 10, "nginx", "/system.slice/nginx.service" };
static const struct who cron = { 20, "cron", "/system.slice/cron.service" };
static const struct who box = { 30, "app", "/system.slice/docker-" ID ".scope" };

static struct profile *new_profile(void)
{
	struct profile *p = profile_new();

	profile_value_type(p, "samples", "count");
	profile_value_type(p, "cpu", "nanoseconds");
	p->time_ns = 1000;
	p->duration_ns = 10000000000ull;
	p->period = 7;
	return p;
}

static uint32_t labels_of(struct profile *p, const struct who *w)
{
	struct profile_label l[] = {
		{ .key = profile_string(p, "pid"), .num = w->pid },
		{ .key = profile_string(p, "command"), .str = profile_string(p, w->command) },
		{ .key = profile_string(p, "cgroup"), .str = profile_string(p, w->cgroup) },
		{ .key = profile_string(p, "stack"), .str = profile_string(p, "complete") },
	};

	return profile_labels(p, l, ARRAY_SIZE(l));
}

/* A stack of one named frame in one file. */
static uint32_t stack_of(struct profile *p, const char *file, uint64_t addr, const char *name)
{
	struct profile_mapping m = {
		.start = 0x1000, .limit = 0x9000, .file = profile_string(p, file),
	};
	struct profile_function f = { .name = profile_string(p, name) };
	struct profile_line line = { .line = 5 };
	uint32_t location = profile_location(p, profile_mapping(p, &m), addr);

	line.function = profile_function(p, &f);
	profile_location_lines(p, location, &line, 1);
	return profile_stack(p, 0, location);
}

static void count(struct profile *p, const struct who *w, uint64_t addr, int64_t n)
{
	char file[64], name[64];

	snprintf(file, sizeof(file), "/bin/%s", w->command);
	snprintf(name, sizeof(name), "%s_%#lx", w->command, (unsigned long)addr);
	profile_add(p, stack_of(p, file, addr, name), labels_of(p, w),
		    (const int64_t[PROFILE_MAX_VALUES]){ n, n * 1000 });
}

static struct relabel *rules_of(const struct relabel_rule *rule, size_t nr)
{
	struct relabel *r;
	size_t i;

	assert_int_equal(relabel_new(&r), 0);
	for (i = 0; i < nr; i++)
		assert_int_equal(relabel_add(r, &rule[i], NULL, NULL), 0);
	return r;
}

static struct window_rules *window_of(struct relabel *r, struct thin *t)
{
	struct config_pair pair[] = { { (char *)"host", (char *)"a\"b" },
				      { (char *)"z", (char *)"\xc3\xa4" } };
	struct config_pairs labels = { pair, 2 };
	struct window_rules *w;

	assert_int_equal(window_rules_new(r, &labels, t, NULL, &w), 0);
	return w;
}

static int64_t sum_of(const struct profile *p, uint32_t value)
{
	int64_t sum = 0;
	uint32_t i;

	for (i = 0; i < p->nr_samples; i++)
		sum += p->samples[i].value[value];
	return sum;
}

static bool has_text(const struct profile *p, const char *text)
{
	uint32_t i;

	for (i = 0; i < p->nr_strings; i++)
		if (!strcmp(profile_text(p, i), text))
			return true;
	return false;
}

/* The only sample with a function of this name; NULL if there is none. */
static const struct profile_sample *sample_of(const struct profile *p, const char *name)
{
	uint32_t i;

	for (i = 0; i < p->nr_samples; i++) {
		const struct profile_location *l =
			&p->locations[p->stacks[p->samples[i].stack].location];
		uint32_t function = p->lines[l->first_line].function;

		if (!strcmp(profile_text(p, p->functions[function].name), name))
			return &p->samples[i];
	}
	return NULL;
}

static void check_label(const struct profile *p, const struct profile_sample *s,
			const char *name, const char *want)
{
	const char *got = profile_label_text(p, s->labels, name);

	if (!got != !want || (got && strcmp(got, want)))
		fail_msg("%s is %s, not %s", name, got, want);
}

static int64_t number_of(const struct profile *p, const struct profile_sample *s,
			 const char *name)
{
	const struct profile_labels *l = &p->labels[s->labels];
	uint32_t i;

	for (i = 0; i < l->nr; i++)
		if (!strcmp(profile_text(p, p->label[l->first + i].key), name))
			return p->label[l->first + i].str ? -1 : p->label[l->first + i].num;
	return -2;
}

static struct profile *three(void)
{
	struct profile *p = new_profile();

	count(p, &nginx, 0x1000, 3);
	count(p, &nginx, 0x2000, 4);
	count(p, &cron, 0x1000, 5);
	count(p, &box, 0x1000, 6);
	profile_comment(p, "said by somebody");
	profile_imagemap_add(p, 10, "Q0lG");
	profile_imagemap_add(p, 20, "Q0lH");
	profile_imagemap_add(p, 40, "Q0lI");
	profile_comment(p, "imagemap of nobody");
	return p;
}

static void test_default(void **state)
{
	struct profile *in = three(), *out;
	struct window_counts c;
	struct window_rules *w;
	struct relabel *r;
	const struct profile_sample *s;

	assert_int_equal(relabel_default(&r), 0);
	w = window_of(r, NULL);
	assert_int_equal(window_make(in, w, 0, &out, &c), 0);
	assert_int_equal(out->nr_samples, 4);
	assert_int_equal(c.samples, 4);
	assert_int_equal(c.sets, 3);
	assert_int_equal(c.cached + c.dropped + c.thinned, 0);
	assert_true(out->time_ns == 1000 && out->duration_ns == 10000000000ull);
	assert_int_equal(out->period, 7);
	s = sample_of(out, "nginx_0x2000");
	assert_int_equal(s->value[0], 4);
	assert_int_equal(s->value[1], 4000);
	check_label(out, s, "unit", "nginx.service");
	check_label(out, s, "command", "nginx");
	check_label(out, s, "stack", "complete");
	check_label(out, s, "container", NULL);
	check_label(out, s, "cgroup", NULL);
	check_label(out, s, "__unit", NULL);
	assert_int_equal(number_of(out, s, "pid"), 10);
	s = sample_of(out, "app_0x1000");
	check_label(out, s, "container", ID);
	assert_false(has_text(out, "/system.slice/nginx.service"));
	assert_non_null(profile_imagemap(out, 10));
	assert_non_null(profile_imagemap(out, 20));
	assert_null(profile_imagemap(out, 40));
	assert_int_equal(out->nr_comments, 4);
	assert_string_equal(profile_text(out, out->comments[0]), "said by somebody");
	assert_string_equal(profile_text(out, out->comments[3]),
			    "labels: {\"host\":\"a\\\"b\",\"z\":\"\xc3\xa4\"}");
	profile_free(in);
	profile_free(out);
	window_rules_free(w);
	window_rules_free(NULL);
	relabel_free(r);
}

static const char *const unit[] = { "__unit" };
static const char *const pid[] = { "__pid" };

/* Before = after + dropped, and dropped samples leave nothing behind. */
static void test_drop(void **state)
{
	static const struct relabel_rule rules[] = {
		{ .source_labels = unit, .nr_source_labels = 1, .regex = "nginx.*",
		  .action = "drop" },
		{ .source_labels = unit, .nr_source_labels = 1, .target_label = "unit" },
		{ .source_labels = pid, .nr_source_labels = 1, .target_label = "pid" },
	};
	struct profile *in = three(), *out;
	struct relabel *r = rules_of(rules, ARRAY_SIZE(rules));
	struct window_rules *w = window_of(r, NULL);
	struct window_counts c;

	assert_int_equal(window_make(in, w, 0, &out, &c), 0);
	assert_int_equal(c.dropped, 2);
	assert_int_equal(c.dropped_value[0], 7);
	assert_int_equal(c.dropped_value[1], 7000);
	assert_int_equal(sum_of(out, 0), 11);
	assert_int_equal(sum_of(out, 1), 11000);
	assert_null(sample_of(out, "nginx_0x1000"));
	assert_false(has_text(out, "/bin/nginx"));
	assert_false(has_text(out, "nginx_0x1000"));
	assert_false(has_text(out, "nginx.service"));
	assert_int_equal(out->nr_mappings, 3);
	assert_int_equal(out->nr_functions, 3);
	assert_int_equal(out->nr_stacks, 3);
	assert_null(profile_imagemap(out, 10));
	assert_non_null(profile_imagemap(out, 20));
	profile_free(in);
	profile_free(out);
	window_rules_free(w);
	relabel_free(r);
}

/* Sets that become equal are added up; without the label "pid" image maps are not needed. */
static void test_join(void **state)
{
	static const struct relabel_rule none;
	struct profile *in = new_profile(), *out;
	struct relabel *r = rules_of(&none, 0);
	struct window_rules *w = window_of(r, NULL);
	struct who other = nginx;
	uint32_t i;

	for (i = 0; i < 50; i++) {
		other.pid = 100 + i;
		count(in, &other, 0x1000, i);
	}
	profile_imagemap_add(in, 105, "Q0lG");
	assert_int_equal(window_make(in, w, 0, &out, NULL), 0);
	assert_int_equal(out->nr_samples, 1);
	assert_int_equal(out->samples[0].labels, 0);
	assert_int_equal(out->samples[0].value[0], 49 * 50 / 2);
	assert_int_equal(out->nr_comments, 1);
	profile_free(in);
	profile_free(out);
	window_rules_free(w);
	relabel_free(r);
}

/* Numbers stay numbers, and no text becomes one; labels that are invalid are counted. */
static void test_odd_labels(void **state)
{
	static const struct relabel_rule map = { .action = "labelmap", .regex = "__(.*)" };
	struct relabel *r = rules_of(&map, 1);
	struct window_rules *w = window_of(r, NULL);
	struct profile *in = new_profile(), *out;
	const struct profile_sample *s;
	struct window_counts c;
	struct profile_label l[] = {
		{ .key = profile_string(in, "pid"), .num = 4194304 },
		{ .key = profile_string(in, "tid"), .num = -5 },
		{ .key = profile_string(in, "bytes"), .num = 64,
		  .unit = profile_string(in, "bytes") },
		{ .key = profile_string(in, "a-b"), .str = profile_string(in, "x") },
		{ .key = profile_string(in, "twice"), .str = profile_string(in, "first") },
		{ .key = profile_string(in, "twice"), .str = profile_string(in, "second") },
		{ .key = profile_string(in, "thread"), .str = profile_string(in, "x\n\xff") },
	};

	profile_add(in, 0, profile_labels(in, l, ARRAY_SIZE(l)),
		    (const int64_t[PROFILE_MAX_VALUES]){ 1 });
	assert_int_equal(window_make(in, w, 0, &out, &c), 0);
	assert_int_equal(c.labels_left_out, 1);
	s = &out->samples[0];
	assert_int_equal(number_of(out, s, "pid"), 4194304);
	check_label(out, s, "tid", "-5");
	check_label(out, s, "bytes", "64");
	check_label(out, s, "twice", "first");
	check_label(out, s, "thread", "x\xef\xbf\xbd\xef\xbf\xbd");
	check_label(out, s, "a-b", NULL);
	profile_free(in);
	profile_free(out);
	window_rules_free(w);
	relabel_free(r);
}

/* A window with many sets, some of which are repeated. */
static struct profile *many(struct random *r, unsigned int samples, unsigned int sets)
{
	struct profile *p = new_profile();
	char command[16], cgroup[64];
	unsigned int i;

	for (i = 0; i < samples; i++) {
		uint32_t n = (uint32_t)(random_u64(r) % sets);
		struct who w = { n + 1, command, cgroup };

		snprintf(command, sizeof(command), "c%u", n % 7);
		snprintf(cgroup, sizeof(cgroup), "/system.slice/u%u.service", n % 13);
		count(p, &w, 0x1000 + random_u64(r) % 64, (int64_t)(random_u64(r) % 9 + 1));
	}
	return p;
}

static const struct relabel_rule some_rules[] = {
	{ .source_labels = unit, .nr_source_labels = 1, .regex = "u[3-5]\\.service",
	  .action = "drop" },
	{ .source_labels = pid, .nr_source_labels = 1, .regex = "(.*)[02468]",
	  .target_label = "pid" },
	{ .source_labels = unit, .nr_source_labels = 1, .target_label = "unit" },
};

/* Windows made with one cache equal windows made with a new cache each; sums are kept. */
static void test_cache(void **state)
{
	struct relabel *r = rules_of(some_rules, ARRAY_SIZE(some_rules));
	struct window_rules *w = window_of(r, NULL);
	struct random random;
	uint64_t cached = 0;
	int i, k;

	random_seed(&random, 3);
	for (i = 0; i < 10; i++) {
		struct profile *in = many(&random, 2000, 500), *a, *b;
		struct window_rules *fresh = window_of(r, NULL);
		struct window_counts c, d;

		assert_int_equal(window_make(in, w, 0, &a, &c), 0);
		assert_int_equal(window_make(in, fresh, 0, &b, &d), 0);
		for (k = 0; k < 2; k++)
			assert_int_equal(sum_of(a, k) + c.dropped_value[k], sum_of(in, k));
		assert_int_equal(c.dropped, d.dropped);
		assert_int_equal(a->nr_samples, b->nr_samples);
		assert_int_equal(a->nr_labels, b->nr_labels);
		assert_memory_equal(a->samples, b->samples, a->nr_samples * sizeof(*a->samples));
		assert_int_equal(d.cached, 0);
		assert_true(i < 3 || c.cached * 10 > c.sets * 9);
		cached += c.cached;
		profile_free(in);
		profile_free(a);
		profile_free(b);
		window_rules_free(fresh);
	}
	assert_true(cached > 3000);
	window_rules_free(w);
	relabel_free(r);
}

/* Compared with a list of the last lookups. */
static void test_lru(void **state)
{
	enum { KEYS = 64, STEPS = 20000 };
	struct label_cache *c = label_cache_new(4096);
	uint32_t asked[KEYS] = { 0 }, step, key, other, value[16];
	struct random r;
	const void *got;
	size_t len;

	random_seed(&r, 9);
	for (step = 1; step < STEPS; step++) {
		key = (uint32_t)(random_u64(&r) % KEYS);
		len = 4 * (key % 16 + 1);
		for (other = 0; other < 16; other++)
			value[other] = key;
		got = label_cache_find(c, &key, sizeof(key), &len);
		/* among those that were not looked up since it was stored, none is younger */
		if (got) {
			assert_int_equal(len, 4 * (key % 16 + 1));
			assert_memory_equal(got, value, len);
		} else {
			label_cache_put(c, &key, sizeof(key), value, 4 * (key % 16 + 1));
			assert_non_null(label_cache_find(c, &key, sizeof(key), &len));
		}
		asked[key] = step;
		assert_true(label_cache_bytes(c) <= 4096);
		assert_true(step < 1000 || label_cache_entries(c) >= 16);
		/* the last ten are there, because they take less than the room */
		for (other = 0; step % 100 == 0 && other < KEYS; other++)
			if (asked[other] + 10 > step)
				assert_non_null(label_cache_find(c, &other, sizeof(other), &len));
	}
	label_cache_put(c, value, 64, asked, 5000);
	assert_null(label_cache_find(c, value, 64, &len));
	label_cache_free(c);
	label_cache_free(NULL);
}

/* However many sets there are, the cache does not exceed its limit. */
static void test_bounded(void **state)
{
	struct relabel *r = rules_of(some_rules, ARRAY_SIZE(some_rules));
	struct window_rules *w = window_of(r, NULL);
	const unsigned int most = rounds(4, 2);
	uint64_t cached = 0;
	unsigned int i;

	for (i = 0; i < most; i++) {
		struct profile *in = new_profile(), *out;
		struct window_counts c;
		uint32_t k;

		for (k = 0; k < 40000; k++) {
			struct who who = nginx;

			who.pid = k + 1;
			count(in, &who, 0x1000, 1);
		}
		assert_int_equal(window_make(in, w, 0, &out, &c), 0);
		assert_int_equal(c.sets, 40000);
		assert_int_equal(sum_of(out, 0), 40000);
		cached += c.cached;
		profile_free(in);
		profile_free(out);
	}
	/* in this order, the oldest entry is always the next one to be looked up */
	assert_int_equal(cached, 0);
	window_rules_free(w);
	relabel_free(r);
}

/*
 * Thinning: weights keep the totals, there are fewer samples, and names of removed samples are
 * removed.
 */
static void test_thinned(void **state)
{
	struct config_target target = { (char *)"nginx.service", 3600 };
	struct config_thinning config = { (char *)"unit", 0, &target, 1 };
	double weight = 0, want = 0, variance = 0, samples = 0;
	struct window_rules *w;
	struct thin *t;
	struct relabel *r;
	int i, k;

	assert_int_equal(relabel_default(&r), 0);
	assert_int_equal(thin_new(&config, &t), 0);
	w = window_of(r, t);
	for (i = 0; i < 720; i++) {
		struct profile *in = new_profile(), *out;
		double share = thin_share(t, thin_service(t, "nginx.service"));
		struct window_counts c;

		for (k = 0; k < 50; k++)
			count(in, &nginx, 0x1000 + (uint64_t)(i + k) % 100, 2);
		count(in, &cron, 0x1000, 1000);
		assert_int_equal(window_make(in, w, (uint64_t)i, &out, &c), 0);
		assert_int_equal(sample_of(out, "cron_0x1000")->value[1], 1000000);
		assert_int_equal(out->nr_samples + c.thinned, 51);
		want += 100 * 1000;
		weight += (double)sum_of(out, 1) - 1000000;
		samples += (double)sum_of(out, 0) - 1000;
		variance += 100 * 1e6 * (1 - share) / share + 51 * 0.25;
		profile_free(in);
		profile_free(out);
	}
	/* 5.9 standard deviations: less than once in 2e8 */
	assert_true(fabs(weight - want) < 5.9 * sqrt(variance));
	/* two hours of 3,600, and the surplus of the first */
	assert_true(samples > 7200 && samples < 3 * 3600);
	window_rules_free(w);
	thin_free(t);
	relabel_free(r);
}

/* A failed allocation anywhere in profiles and their tables is reported. */
static void test_no_memory(void **state)
{
	struct relabel *r;
	long n;
	int err = -ENOMEM;

	assert_int_equal(relabel_default(&r), 0);
	for (n = 0; err && n < 500; n++) {
		struct window_rules *w = window_of(r, NULL);
		struct profile *in = three(), *out = NULL;

		alloc_left = n;
		err = window_make(in, w, 0, &out, NULL);
		alloc_left = -1;
		assert_true(err == 0 || err == -ENOMEM);
		profile_free(in);
		profile_free(out);
		window_rules_free(w);
	}
	assert_true(n > 10 && !err);
	relabel_free(r);
}

/* A profile that is already broken stays so; an empty one stays empty. */
static void test_empty(void **state)
{
	struct profile *in = profile_new(), *out;
	struct window_rules *w;
	struct relabel *r;

	assert_int_equal(relabel_default(&r), 0);
	w = window_of(r, NULL);
	assert_int_equal(window_make(in, w, 0, &out, NULL), 0);
	assert_int_equal(out->nr_samples, 0);
	assert_int_equal(out->nr_comments, 1);
	profile_free(out);
	alloc_left = 0;
	while (!profile_error(in))
		profile_comment(in, "y");
	alloc_left = -1;
	assert_int_equal(window_make(in, w, 0, &out, NULL), -ENOMEM);
	profile_free(in);
	window_rules_free(w);
	relabel_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default),
		cmocka_unit_test(test_drop),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_odd_labels),
		cmocka_unit_test(test_cache),
		cmocka_unit_test(test_lru),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_thinned),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
