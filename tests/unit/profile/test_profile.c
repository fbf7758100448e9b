// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles: everything once and in order, values that add up, merging of two profiles by names,
 * and every possible failed allocation.
 */
#include "support.h"

#include <errno.h>

#include "alloc_fail.h"
#include "profile/imagemaps.h"
#include "profile/index.h"

static struct profile_function function_of(struct profile *p, const char *name, uint32_t line)
{
	return (struct profile_function){
		.name = profile_string(p, name),
		.system_name = profile_string(p, name),
		.file = profile_string(p, "/src/a.c"),
		.start_line = line,
	};
}

static uint32_t mapping_of(struct profile *p, const char *file)
{
	struct profile_mapping m = {
		.start = 0x1000, .limit = 0x9000,
		.file = profile_string(p, file),
		.build_id = profile_string(p, "c0ffee"),
	};

	return profile_mapping(p, &m);
}

static uint32_t text_label(struct profile *p, const char *key, const char *text)
{
	struct profile_label l = { .key = profile_string(p, key), .str = profile_string(p, text) };

	return profile_labels(p, &l, 1);
}

static void test_nothing(void **state)
{
	const int64_t none[PROFILE_MAX_VALUES] = { 0 };
	struct profile *p = profile_new();

	assert_int_equal(p->nr_strings, 1);
	assert_int_equal(p->nr_mappings, 1);
	assert_int_equal(p->nr_functions, 1);
	assert_int_equal(p->nr_locations, 1);
	assert_int_equal(p->nr_stacks, 1);
	assert_int_equal(p->nr_labels, 1);
	assert_int_equal(p->nr_samples + p->nr_lines + p->nr_label + p->nr_value_types, 0);
	assert_string_equal(profile_text(p, 0), "");
	assert_int_equal(profile_string(p, NULL), 0);
	assert_int_equal(profile_string(p, ""), 0);
	assert_int_equal(profile_labels(p, NULL, 0), 0);
	assert_null(profile_label_text(p, 0, "pid"));
	profile_add(p, 0, 0, none);
	assert_int_equal(p->nr_samples, 1);
	assert_int_equal(profile_error(p), 0);
	profile_free(p);
	profile_free(NULL);
}

/* Many strings of all lengths: none is lost, none moves, and each is stored once. */
static void test_strings(void **state)
{
	enum { NR = 20000 };
	struct profile *p = profile_new();
	static const char *at[NR];
	static char text[200000];
	uint32_t i, round;

	for (round = 0; round < 2; round++) {
		for (i = 0; i < NR; i++) {
			int len = snprintf(text, sizeof(text), "%u", i);

			/* every thousandth is longer than a chunk */
			memset(text + len, 'x', i % 1000 == 7 ? 100000 : i % 40);
			text[len + (i % 1000 == 7 ? 100000 : (int)(i % 40))] = '\0';
			assert_int_equal(profile_string(p, text), i + 1);
			if (!round)
				at[i] = profile_text(p, i + 1);
			assert_ptr_equal(profile_text(p, i + 1), at[i]);
			assert_string_equal(at[i], text);
		}
	}
	assert_int_equal(p->nr_strings, NR + 1);
	assert_int_equal(profile_string_bytes(p, "7\0rest", 6), profile_string_bytes(p, "7..", 1));
	assert_string_equal(profile_text(p, profile_string_bytes(p, "abcdef", 3)), "abc");
	profile_free(p);
}

static void test_interning(void **state)
{
	struct profile *p = profile_new();
	uint32_t libc = mapping_of(p, "libc.so.6"), prog = mapping_of(p, "prog");
	struct profile_function f = function_of(p, "main", 3), g = function_of(p, "main", 4);
	uint32_t a, b, i;

	assert_int_equal(libc, 1);
	assert_int_equal(prog, 2);
	assert_int_equal(mapping_of(p, "libc.so.6"), libc);
	assert_int_equal(profile_function(p, &f), 1);
	assert_int_equal(profile_function(p, &g), 2);
	assert_int_equal(profile_function(p, &f), 1);
	/* an element of the array itself, while it grows */
	for (i = 0; i < 1000; i++) {
		g = p->functions[p->nr_functions - 1];
		g.start_line++;
		assert_int_equal(profile_function(p, &p->functions[1]), 1);
		assert_int_equal(profile_function(p, &g), 3 + i);
	}
	a = profile_location(p, libc, 0x1234);
	b = profile_location(p, prog, 0x1234);
	assert_int_not_equal(a, b);
	assert_int_equal(profile_location(p, libc, 0x1234), a);
	assert_int_equal(p->locations[b].mapping, prog);
	assert_int_equal(p->locations[b].nr_lines, 0);
	profile_free(p);
}

/*
 * A trie of stacks: a parent has a lower number, depths are right, and no stack is stored
 * twice.
 */
static void test_stacks(void **state)
{
	struct profile *p = profile_new();
	uint32_t i, round, s, loc[7];

	for (i = 0; i < 7; i++)
		loc[i] = profile_location(p, 0, 0x1000 + i);
	for (round = 0; round < 2; round++) {
		for (i = 0; i < 7 * 7 * 7 * 7; i++) {
			uint32_t path = i, depth;

			for (depth = 0, s = 0; depth < 4; depth++, path /= 7) {
				uint32_t child = profile_stack(p, s, loc[path % 7]);

				assert_true(child > s);
				assert_int_equal(p->stacks[child].parent, s);
				assert_int_equal(p->stacks[child].location, loc[path % 7]);
				assert_int_equal(p->stacks[child].depth, depth + 1);
				s = child;
			}
		}
		assert_int_equal(p->nr_stacks, 1 + 7 + 49 + 343 + 2401);
	}
	profile_free(p);
}

static void test_lines(void **state)
{
	struct profile *p = profile_new();
	struct profile_function f = function_of(p, "f", 1), g = function_of(p, "g", 2);
	uint32_t nf = profile_function(p, &f), ng = profile_function(p, &g), i, a, b;
	const struct profile_line both[] = { { nf, 10 }, { ng, 20 } }, one[] = { { ng, 30 } };

	a = profile_location(p, 0, 1);
	b = profile_location(p, 0, 2);
	profile_location_lines(p, a, both, 2);
	profile_location_lines(p, b, one, 1);
	assert_memory_equal(p->lines + p->locations[a].first_line, both, sizeof(both));
	assert_memory_equal(p->lines + p->locations[b].first_line, one, sizeof(one));
	profile_location_lines(p, a, one, 1);
	assert_int_equal(p->locations[a].nr_lines, 1);
	assert_memory_equal(p->lines + p->locations[a].first_line, one, sizeof(one));
	profile_location_lines(p, b, both, 2);
	assert_memory_equal(p->lines + p->locations[b].first_line, both, sizeof(both));
	/* those of another location, while the array moves */
	for (i = 3; i < 5000; i++) {
		a = profile_location(p, 0, i);
		profile_location_lines(p, a, p->lines + p->locations[b].first_line, 2);
		b = a;
		assert_memory_equal(p->lines + p->locations[a].first_line, both, sizeof(both));
	}
	profile_location_lines(p, a, NULL, 0);
	assert_int_equal(p->locations[a].nr_lines, 0);
	assert_int_equal(profile_error(p), 0);
	profile_free(p);
}

/* An address has one number for each set of names; 0 has one without names, too. */
static void test_named(void **state)
{
	struct profile *p = profile_new(), *q = profile_new();
	struct profile_function f = function_of(p, "f", 1), g = function_of(p, "g", 2);
	const struct profile_line lf = { profile_function(p, &f), 1 };
	const struct profile_line lg = { profile_function(p, &g), 1 };
	const struct profile_line both[] = { lf, lg };
	uint32_t a, zero, i;

	a = profile_location(p, 0, 5);
	assert_int_equal(profile_location_named(p, 0, 5, NULL, 0), a);
	assert_int_equal(profile_location_named(p, 0, 5, &lf, 1), a);
	assert_int_equal(p->locations[a].nr_lines, 1);
	assert_int_equal(profile_location_named(p, 0, 5, NULL, 0), a);
	assert_int_equal(profile_location_named(p, 0, 5, &lg, 1), a + 1);
	assert_int_equal(profile_location_named(p, 0, 5, both, 2), a + 2);
	assert_int_equal(profile_location_named(p, 0, 5, &lg, 1), a + 1);
	assert_int_equal(profile_location(p, 0, 5), a);
	zero = profile_location_named(p, 0, 0, &lf, 1);
	assert_int_equal(zero, a + 3);
	assert_int_equal(profile_location_named(p, 0, 0, NULL, 0), a + 4);
	assert_int_equal(profile_location_named(p, 0, 0, &lg, 1), a + 5);
	assert_int_equal(profile_location_named(p, 0, 0, NULL, 0), a + 4);
	assert_int_equal(profile_location_named(p, 0, 0, &lf, 1), zero);
	assert_int_equal(profile_location_named(p, mapping_of(p, "prog"), 0, &lf, 1), a + 6);
	/* many of one address */
	for (i = 2; i < 3000; i++)
		assert_int_equal(profile_location_named(p, 0, 0,
							&(struct profile_line){ 1, i }, 1),
				 a + 5 + i);
	assert_int_equal(profile_location_named(p, 0, 0, &(struct profile_line){ 1, 77 }, 1),
			 a + 82);
	for (i = 0; i < 2; i++) {
		profile_merge(q, p);
		assert_int_equal(q->nr_locations, p->nr_locations);
		assert_int_equal(q->nr_lines, p->nr_lines);
	}
	assert_int_equal(q->lines[q->locations[a + 82].first_line].line, 77);
	assert_int_equal(profile_error(p) + profile_error(q), 0);
	profile_free(p);
	profile_free(q);
}

static void test_labels(void **state)
{
	struct profile *p = profile_new();
	uint32_t key_a = profile_string(p, "a"), key_b = profile_string(p, "b");
	uint32_t text = profile_string(p, "text"), bytes = profile_string(p, "bytes");
	const struct profile_label set[] = { { key_b, text, 0, 0 }, { key_a, 0, bytes, 5 },
					     { key_b, 0, 0, -1 }, { key_a, text, 0, 0 } };
	/* a unit is of numbers */
	const struct profile_label again[] = { { key_a, 0, bytes, 5 }, { key_b, text, bytes, 9 },
					       { key_a, text, 0, 0 }, { key_b, 0, 0, -1 } };
	const struct profile_label swapped[] = { set[2], set[1], set[0], set[3] };
	struct profile_label many[PROFILE_MAX_LABELS + 9];
	const struct profile_label *l;
	uint32_t n, i;

	n = profile_labels(p, set, 4);
	assert_int_equal(n, 1);
	l = p->label + p->labels[n].first;
	assert_int_equal(p->labels[n].nr, 4);
	assert_true(l[0].key == key_a && l[0].num == 5 && l[0].unit == bytes);
	assert_true(l[1].key == key_a && l[1].str == text);
	assert_true(l[2].key == key_b && l[2].str == text);
	assert_true(l[3].key == key_b && l[3].num == -1);
	assert_int_equal(profile_labels(p, again, 4), n);
	assert_int_equal(profile_labels(p, swapped, 4), 2);
	assert_int_equal(profile_labels(p, set, 3), 3);
	assert_string_equal(profile_label_text(p, n, "a"), "text");
	assert_null(profile_label_text(p, 3, "a"));
	assert_null(profile_label_text(p, n, "bytes"));
	assert_null(profile_label_text(p, n, "never seen"));
	for (i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = (struct profile_label){ .key = text, .num = i };
	n = profile_labels(p, many, ARRAY_SIZE(many));
	assert_int_equal(p->labels[n].nr, PROFILE_MAX_LABELS);
	assert_int_equal(p->label[p->labels[n].first + PROFILE_MAX_LABELS - 1].num,
			 PROFILE_MAX_LABELS - 1);
	profile_free(p);
}

static void test_values(void **state)
{
	const int64_t one[PROFILE_MAX_VALUES] = { 1, 10, 99 }, huge[] = { INT64_MAX, INT64_MIN };
	struct profile *p = profile_new();
	uint32_t s, l, i;
	char type[16];

	assert_int_equal(profile_value_type(p, "samples", "count"), 0);
	assert_int_equal(profile_value_type(p, "cpu", "nanoseconds"), 1);
	assert_int_equal(profile_value_type(p, "samples", "count"), 0);
	s = profile_stack(p, 0, profile_location(p, 0, 1));
	l = text_label(p, "thread", "main");
	profile_add(p, s, 0, one);
	profile_add(p, s, l, one);
	profile_add(p, s, l, one);
	assert_int_equal(p->nr_samples, 2);
	assert_true(p->samples[1].stack == s && p->samples[1].labels == l);
	assert_true(p->samples[1].value[0] == 2 && p->samples[1].value[1] == 20);
	/* with two types, a third value is ignored */
	assert_int_equal(p->samples[1].value[2], 0);
	profile_add(p, s, l, huge);
	profile_add(p, s, l, huge);
	assert_true(p->samples[1].value[0] == INT64_MAX && p->samples[1].value[1] == INT64_MIN);
	for (i = 2; i < PROFILE_MAX_VALUES; i++) {
		snprintf(type, sizeof(type), "type%u", i);
		assert_int_equal(profile_value_type(p, type, ""), i);
	}
	assert_int_equal(profile_error(p), 0);
	assert_int_equal(profile_value_type(p, "one more", ""), 0);
	assert_int_equal(profile_error(p), -E2BIG);
	profile_free(p);
}

/* The limit of all arrays, lowered to a value that a test reaches. */
static void test_limit(void **state)
{
	const int64_t none[PROFILE_MAX_VALUES] = { 0 };
	struct profile *p = profile_new();
	uint32_t i, nr;

	p->index->limit = 100;
	for (i = 1; i < 100; i++)
		assert_int_equal(profile_location(p, 0, i), i);
	assert_int_equal(profile_location(p, 0, 5), 5);
	assert_int_equal(profile_error(p), 0);
	assert_int_equal(profile_location(p, 0, 1000), 0);
	assert_int_equal(profile_error(p), -E2BIG);
	/* now nothing changes any more */
	nr = p->nr_strings;
	assert_int_equal(profile_location(p, 0, 5), 0);
	assert_int_equal(profile_stack(p, 0, 5), 0);
	assert_int_equal(profile_string(p, "new"), 0);
	profile_add(p, 0, 0, none);
	profile_comment(p, "comment");
	profile_location_lines(p, 1, &(struct profile_line){ 1, 1 }, 1);
	assert_int_equal(p->nr_strings, nr);
	assert_int_equal(p->nr_samples + p->nr_comments + p->nr_lines, 0);
	assert_int_equal(p->nr_stacks, 1);
	profile_free(p);
}

/* A profile with some of everything. @shift: numbers differ, names do not. */
static struct profile *sample_profile(uint32_t shift, int64_t weight)
{
	struct profile *p = profile_new();
	struct profile_function f, g;
	struct profile_line lines[2];
	struct profile_label l[2];
	uint32_t i, s, m, set;
	int64_t value[2];

	if (!p)
		return NULL;
	for (i = 0; i < shift; i++) {
		char text[16];

		snprintf(text, sizeof(text), "shift%u", i);
		profile_string(p, text);
		profile_location(p, 0, 0x70000000 + i);
	}
	if (shift)
		profile_value_type(p, "cpu", "nanoseconds");
	profile_value_type(p, "samples", "count");
	profile_value_type(p, "cpu", "nanoseconds");
	value[0] = shift ? weight * 100 : weight;
	value[1] = shift ? weight : weight * 100;
	m = mapping_of(p, "prog");
	f = function_of(p, "inner", 1);
	g = function_of(p, "outer", 2);
	lines[0] = (struct profile_line){ profile_function(p, &f), 11 };
	lines[1] = (struct profile_line){ profile_function(p, &g), 22 };
	for (i = 0, s = 0; i < 200; i++) {
		uint32_t at = profile_location(p, m, 0x1000 + (shift ? 199 - i : i));

		s = profile_stack(p, s, at);
		profile_location_lines(p, at, lines, 2);
	}
	for (i = 0; i < 50; i++) {
		l[0] = (struct profile_label){ .key = profile_string(p, "pid"), .num = i };
		l[1] = (struct profile_label){ .key = profile_string(p, "thread"),
					       .str = profile_string(p, "main") };
		set = profile_labels(p, l, 2);
		profile_add(p, s, set, value);
	}
	profile_comment(p, "made by a test");
	p->time_ns = 1000 - shift;
	p->duration_ns = 5;
	p->period = 100;
	p->period_type.type = profile_string(p, "cpu");
	p->period_type.unit = profile_string(p, "nanoseconds");
	p->default_type = profile_string(p, "cpu");
	return p;
}

/*
 * Other samples replace the existing ones: labels are those of the new profile, and unused
 * parts are not copied.
 */
static void test_merge_samples(void **state)
{
	struct profile *a = profile_new(), *p = profile_new();
	struct profile_sample s[3] = { 0 };
	uint32_t stack[4], k;

	(void)state;
	profile_value_type(p, "cpu", "nanoseconds");
	profile_value_type(a, "samples", "count");
	a->time_ns = 7;
	profile_comment(a, "said");
	text_label(a, "unit", "old");
	for (k = 0; k < 4; k++)
		stack[k] = profile_stack(a, 0, profile_location(a, 0, 100 + k));
	profile_add(a, stack[0], 1, (int64_t[PROFILE_MAX_VALUES]){ 1 });
	s[0].stack = stack[1];
	s[1].stack = stack[3];
	s[2].stack = stack[2];
	s[0].labels = s[1].labels = text_label(p, "team", "web");
	s[0].value[0] = 5;
	s[1].value[0] = 6;
	profile_merge_samples(p, a, s, 3);
	assert_int_equal(profile_error(p), 0);
	assert_int_equal(p->nr_samples, 2);
	assert_int_equal(p->nr_locations, 3);
	assert_int_equal(p->locations[2].address, 103);
	assert_int_equal(p->samples[1].value[1], 6);
	assert_string_equal(profile_label_text(p, p->samples[1].labels, "team"), "web");
	assert_int_equal(p->nr_labels, 2);
	assert_int_equal(p->nr_comments, 0);
	assert_int_equal(p->time_ns, 7);
	profile_merge_samples(p, a, s, 0);
	assert_int_equal(p->nr_samples, 2);
	profile_free(a);
	profile_free(p);
}

/* Values are halved: samples that become 0 are removed, with everything that only they used. */
static void test_merge_scaled(void **state)
{
	struct profile *a = profile_new(), *p = profile_new();
	uint32_t k, nr_stacks, rounds = 0;

	(void)state;
	profile_value_type(a, "samples", "count");
	for (k = 0; k < 10; k++) {
		struct profile_line line;
		struct profile_function f;
		char name[16];
		uint32_t l = profile_location(a, 0, 100 + k);

		snprintf(name, sizeof(name), "function%u", k);
		f = (struct profile_function){ .name = profile_string(a, name) };
		line = (struct profile_line){ profile_function(a, &f), 1 };
		profile_location_lines(a, l, &line, 1);
		profile_add(a, profile_stack(a, profile_stack(a, 0, l), l), 0,
			    (int64_t[PROFILE_MAX_VALUES]){ 1 << k });
	}
	profile_merge_scaled(p, a, 1000, 1);
	assert_int_equal(p->nr_samples, 10);
	assert_int_equal(p->samples[3].value[0], 8000);
	profile_free(p);
	p = profile_new();
	profile_merge_scaled(p, a, 1, 16);
	/* 16 to 512 are left */
	assert_int_equal(p->nr_samples, 6);
	assert_int_equal(p->nr_stacks, 1 + 2 * 6);
	assert_int_equal(p->nr_locations, 1 + 6);
	assert_int_equal(p->nr_functions, 1 + 6);
	assert_string_equal(profile_text(p, p->functions[1].name), "function4");
	for (k = 0; k < 6; k++)
		assert_int_equal(p->samples[k].value[0], 1 << k);
	/* what decays ends */
	while (p->nr_samples) {
		struct profile *next = profile_new();

		nr_stacks = p->nr_stacks;
		profile_merge_scaled(next, p, 2, 3);
		assert_int_equal(profile_error(next), 0);
		assert_true(next->nr_stacks <= nr_stacks);
		profile_free(p);
		p = next;
		assert_true(++rounds < 20);
	}
	assert_int_equal(p->nr_stacks, 1);
	/* the largest number stays the largest */
	profile_add(a, 0, 0, (int64_t[PROFILE_MAX_VALUES]){ INT64_MAX / 2 });
	profile_merge_scaled(p, a, 1000, 1);
	assert_int_equal(p->samples[p->nr_samples - 1].value[0], INT64_MAX);
	profile_free(a);
	profile_free(p);
}

static void test_merge(void **state)
{
	struct profile *p = profile_new(), *a = sample_profile(0, 1), *b = sample_profile(3, 1000);
	uint32_t i, s;

	profile_merge(p, a);
	assert_int_equal(p->nr_samples, 50);
	assert_int_equal(p->nr_stacks, a->nr_stacks);
	assert_string_equal(profile_text(p, p->default_type), "cpu");
	profile_merge(p, a);
	assert_int_equal(p->nr_stacks, a->nr_stacks);
	assert_int_equal(p->nr_locations, a->nr_locations);
	assert_int_equal(p->nr_strings, a->nr_strings);
	/* its stack is the other way round */
	profile_merge(p, b);
	assert_int_equal(profile_error(p), 0);
	assert_int_equal(p->nr_value_types, 2);
	assert_int_equal(p->nr_samples, 100);
	assert_int_equal(p->nr_stacks, 401);
	assert_int_equal(p->nr_locations, a->nr_locations + 3);
	assert_int_equal(p->nr_mappings, 2);
	assert_int_equal(p->nr_functions, 3);
	assert_int_equal(p->nr_labels, 51);
	assert_int_equal(p->nr_comments, 1);
	assert_true(p->time_ns == 997 && p->duration_ns == 15 && p->period == 100);
	for (i = 0; i < 100; i++) {
		assert_int_equal(p->samples[i].value[0], i < 50 ? 2 : 1000);
		assert_int_equal(p->samples[i].value[1], i < 50 ? 200 : 100000);
		assert_string_equal(profile_label_text(p, p->samples[i].labels, "thread"), "main");
	}
	for (i = 0, s = p->samples[99].stack; s; s = p->stacks[s].parent, i++) {
		const struct profile_location *l = &p->locations[p->stacks[s].location];
		const struct profile_line *line = p->lines + l->first_line;

		assert_int_equal(l->address, 0x1000 + i);
		assert_string_equal(profile_text(p, p->mappings[l->mapping].file), "prog");
		assert_int_equal(l->nr_lines, 2);
		assert_string_equal(profile_text(p, p->functions[line[0].function].name), "inner");
		assert_string_equal(profile_text(p, p->functions[line[1].function].name), "outer");
		assert_int_equal(line[1].line, 22);
	}
	/* into itself: values double */
	profile_merge(a, a);
	assert_int_equal(a->nr_samples, 50);
	assert_int_equal(a->samples[7].value[1], 200);
	profile_free(p);
	profile_free(a);
	profile_free(b);
}

/* Every allocation fails once: the error stays, and nothing is lost or freed twice. */
static void test_no_memory(void **state)
{
	struct profile *a = sample_profile(0, 1), *p, *q;
	long n;

	for (n = 0;; n++) {
		alloc_left = n;
		p = sample_profile(3, 2);
		if (p)
			profile_merge(p, a);
		q = p && !profile_error(p) ? profile_new() : NULL;
		if (q)
			profile_merge(q, p);
		alloc_left = -1;
		if (q && !profile_error(q))
			break;
		if (q)
			assert_int_equal(profile_error(q), -ENOMEM);
		else if (p && profile_error(p))
			assert_int_equal(profile_error(p), -ENOMEM);
		profile_free(p);
		profile_free(q);
	}
	assert_true(n > 50);
	assert_int_equal(q->nr_samples, 100);
	profile_free(p);
	profile_free(q);
	/* a failed profile passes its error to the one it is merged into */
	p = profile_new();
	a->index->error = -ENOMEM;
	profile_merge(p, a);
	assert_int_equal(profile_error(p), -ENOMEM);
	profile_free(p);
	profile_free(a);
}

static void test_imagemaps(void **state)
{
	struct profile *p = profile_new();
	uint32_t i, nr = 0;

	profile_comment(p, "imagemap");
	profile_comment(p, "imagemap 0 none");
	profile_comment(p, "imagemap 4294967296 none");
	profile_comment(p, "imagemap 12none");
	profile_imagemap_add(p, 12, "AgA=");
	profile_imagemap_add(p, UINT32_MAX, "BBBB");
	profile_imagemap_add(p, 12, "CCCC");
	assert_string_equal(profile_imagemap(p, 12), "AgA=");
	assert_string_equal(profile_imagemap(p, UINT32_MAX), "BBBB");
	assert_null(profile_imagemap(p, 13));
	assert_null(profile_imagemap(p, 0));
	assert_int_equal(profile_imagemap_pid(p, 4), 12);
	for (i = 0; i < p->nr_comments; i++)
		nr += !!profile_imagemap_pid(p, i);
	assert_int_equal(nr, 3);
	assert_false(profile_is_imagemap(p, 0));
	assert_true(profile_is_imagemap(p, 4));
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imagemaps), cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_interning), cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_lines),	  cmocka_unit_test(test_labels),
		cmocka_unit_test(test_values),	  cmocka_unit_test(test_limit),
		cmocka_unit_test(test_merge_scaled), cmocka_unit_test(test_merge_samples),
		cmocka_unit_test(test_merge),	  cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
