// SPDX-License-Identifier: GPL-2.0-only
/* copy.h: the copy of a profile in a request has exactly the selected parts of the profile. */
#include "support.h"

#include "profile/profile.h"
#include "serve/push/copy.h"

/* Strings that are only in the source, so that equal texts have other numbers in the copy. */
static struct profile *new_profile(void)
{
	struct profile *p = profile_new();
	unsigned int i;
	char text[16];

	assert_non_null(p);
	for (i = 0; i < 10; i++) {
		snprintf(text, sizeof(text), "only here %u", i);
		profile_string(p, text);
	}
	return p;
}

static const char *text_of(const struct profile *p, uint32_t string)
{
	return profile_text(p, string);
}

static void the_head_of_a_profile(void **state)
{
	struct profile *p = new_profile(), *to = profile_new();
	struct push_copy c;

	profile_value_type(p, "samples", "count");
	profile_value_type(p, "cpu", "nanoseconds");
	p->time_ns = 1;
	p->duration_ns = 2;
	p->period = 3;
	p->period_type.type = profile_string(p, "wall");
	p->period_type.unit = profile_string(p, "seconds");
	p->default_type = profile_string(p, "cpu");
	profile_comment(p, "not copied");
	assert_int_equal(push_copy_init(&c, to, p, NULL), 0);
	push_copy_head(&c);
	assert_int_equal(push_copied(&c), 0);
	assert_int_equal(to->nr_value_types, 2);
	assert_string_equal(text_of(to, to->value_types[0].type), "samples");
	assert_string_equal(text_of(to, to->value_types[0].unit), "count");
	assert_string_equal(text_of(to, to->value_types[1].type), "cpu");
	assert_string_equal(text_of(to, to->value_types[1].unit), "nanoseconds");
	assert_true(to->time_ns == 1 && to->duration_ns == 2 && to->period == 3);
	assert_string_equal(text_of(to, to->period_type.type), "wall");
	assert_string_equal(text_of(to, to->period_type.unit), "seconds");
	assert_string_equal(text_of(to, to->default_type), "cpu");
	assert_int_equal(to->nr_comments, 0);
	push_copy_release(&c);
	profile_free(to);
	profile_free(p);
}

/* One location of two functions, one of them inlined. */
static uint32_t named_stack(struct profile *p)
{
	const struct profile_mapping m = {
		.start = 0x1000, .limit = 0x9000, .offset = 0x200,
		.file = profile_string(p, "/bin/x"), .build_id = profile_string(p, "abcd"),
	};
	const struct profile_function inner = {
		.name = profile_string(p, "inner"), .system_name = profile_string(p, "_Zinner"),
		.file = profile_string(p, "inner.h"), .start_line = 7,
	}, outer = {
		.name = profile_string(p, "outer"), .system_name = profile_string(p, "_Zouter"),
		.file = profile_string(p, "outer.c"), .start_line = 70,
	};
	uint32_t mapping = profile_mapping(p, &m);
	const struct profile_line lines[] = {
		{ profile_function(p, &inner), 8 }, { profile_function(p, &outer), 75 },
	};

	return profile_stack(p, 0, profile_location_named(p, mapping, 0x1234, lines, 2));
}

static void check_function(const struct profile *p, const struct profile_line *l, uint32_t line,
			   const char *name, const char *system_name, const char *file,
			   uint32_t start_line)
{
	const struct profile_function *f = &p->functions[l->function];

	assert_int_equal(l->line, line);
	assert_string_equal(text_of(p, f->name), name);
	assert_string_equal(text_of(p, f->system_name), system_name);
	assert_string_equal(text_of(p, f->file), file);
	assert_int_equal(f->start_line, start_line);
}

static void mappings_and_functions(void **state)
{
	struct profile *p = new_profile(), *to = profile_new();
	uint32_t stack = named_stack(p), copied;
	const struct profile_location *l;
	const struct profile_mapping *m;
	struct push_copy c;

	assert_int_equal(push_copy_init(&c, to, p, NULL), 0);
	assert_int_equal(push_copy_stack(&c, 0), 0);
	copied = push_copy_stack(&c, stack);
	assert_int_equal(push_copied(&c), 0);
	assert_int_equal(to->stacks[copied].depth, 1);
	l = &to->locations[to->stacks[copied].location];
	assert_true(l->address == 0x1234);
	assert_int_equal(l->nr_lines, 2);
	check_function(to, &to->lines[l->first_line], 8, "inner", "_Zinner", "inner.h", 7);
	check_function(to, &to->lines[l->first_line + 1], 75, "outer", "_Zouter", "outer.c", 70);
	m = &to->mappings[l->mapping];
	assert_true(m->start == 0x1000 && m->limit == 0x9000 && m->offset == 0x200);
	assert_string_equal(text_of(to, m->file), "/bin/x");
	assert_string_equal(text_of(to, m->build_id), "abcd");
	/* once, however often it is copied */
	assert_int_equal(push_copy_stack(&c, stack), copied);
	assert_int_equal(to->nr_locations, 2);
	assert_int_equal(to->nr_functions, 3);
	assert_int_equal(to->nr_mappings, 2);
	push_copy_release(&c);
	profile_free(to);
	profile_free(p);
}

#define MANY 40u

static const char *numbered(const char *text, uint32_t i)
{
	static char buf[32];

	snprintf(buf, sizeof(buf), "%s %u", text, i);
	return buf;
}

static uint32_t numbered_mapping(struct profile *p, uint32_t i)
{
	const struct profile_mapping m = {
		.start = 0x1000 * i, .limit = 0x1000 * i + 0x800,
		.file = profile_string(p, numbered("mapping", i)),
	};

	return profile_mapping(p, &m);
}

/* The frame @i of a stack of MANY, each with its own function and the mapping MAPPING(i). */
#define MAPPING(i) ((i) * 7 % MANY)
static uint32_t numbered_location(struct profile *p, uint32_t i)
{
	const struct profile_function f = { .name = profile_string(p, numbered("function", i)) };
	const struct profile_line line = { profile_function(p, &f), i };

	return profile_location_named(p, numbered_mapping(p, MAPPING(i)), 0x1000 * i + 8, &line,
				      1);
}

static uint32_t numbered_labels(struct profile *p, uint32_t i)
{
	const struct profile_label l = { .key = profile_string(p, "n"), .num = i };

	return profile_labels(p, &l, 1);
}

/* Many of each kind, whose numbers in the two profiles are unrelated. */
static void a_large_profile(void **state)
{
	struct profile *p = new_profile(), *to = profile_new();
	uint32_t stack[MANY], set[MANY], i, at;
	const struct profile_location *l;
	struct push_copy c;

	for (i = 0; i < MANY; i++)
		numbered_mapping(p, i);
	for (i = 0; i < MANY; i++) {
		stack[i] = profile_stack(p, i ? stack[i - 1] : 0, numbered_location(p, i));
		set[i] = numbered_labels(p, i);
	}
	assert_int_equal(push_copy_init(&c, to, p, NULL), 0);
	for (i = MANY; i--;) {
		at = push_copy_labels(&c, set[i]);
		assert_int_equal(to->label[to->labels[at].first].num, i);
		at = push_copy_stack(&c, stack[i]);
		assert_int_equal(to->stacks[at].depth, i + 1);
		l = &to->locations[to->stacks[at].location];
		assert_true(l->address == 0x1000 * i + 8);
		assert_string_equal(text_of(to, to->mappings[l->mapping].file),
				    numbered("mapping", MAPPING(i)));
		assert_string_equal(text_of(to,
					    to->functions[to->lines[l->first_line].function].name),
				    numbered("function", i));
	}
	assert_int_equal(to->nr_locations, MANY + 1);
	assert_int_equal(to->nr_functions, MANY + 1);
	assert_int_equal(to->nr_mappings, MANY + 1);
	assert_int_equal(push_copied(&c), 0);
	push_copy_release(&c);
	assert_true(!c.to && !c.from && !c.numbers && !c.path && !c.lines);
	assert_true(!c.room && !c.lines_room);
	profile_free(to);
	profile_free(p);
}

static uint32_t some_labels(struct profile *p)
{
	const struct profile_label labels[] = {
		{ .key = profile_string(p, "unit"), .str = profile_string(p, "a.service") },
		{ .key = profile_string(p, "pid"), .num = 42 },
		{ .key = profile_string(p, "bytes"), .num = 7, .unit = profile_string(p, "kilobytes") },
	};

	return profile_labels(p, labels, 3);
}

static const struct profile_label *label_of(const struct profile *p, uint32_t set,
					    const char *key)
{
	uint32_t i;

	for (i = 0; i < p->labels[set].nr; i++)
		if (!strcmp(text_of(p, p->label[p->labels[set].first + i].key), key))
			return &p->label[p->labels[set].first + i];
	return NULL;
}

/* All labels, unless some are selected; with their numbers and units. */
static void labels_that_are_kept(void **state)
{
	static const char *const none[] = { NULL }, *const two[] = { "pid", "bytes", NULL };
	static const char *const *const keep[] = { NULL, two, none };
	static const uint32_t nr[] = { 3, 2, 0 };
	struct profile *p = new_profile(), *to;
	const struct profile_label *l;
	uint32_t set = some_labels(p), copied, i;
	struct push_copy c;

	for (i = 0; i < 3; i++) {
		to = profile_new();
		assert_int_equal(push_copy_init(&c, to, p, keep[i]), 0);
		assert_int_equal(push_copy_labels(&c, 0), 0);
		copied = push_copy_labels(&c, set);
		assert_int_equal(to->labels[copied].nr, nr[i]);
		assert_int_equal(label_of(to, copied, "unit") != NULL, i == 0);
		if (i == 0)
			assert_string_equal(profile_label_text(to, copied, "unit"), "a.service");
		if (i < 2) {
			l = label_of(to, copied, "bytes");
			assert_true(l->num == 7 && !l->str);
			assert_string_equal(text_of(to, l->unit), "kilobytes");
			assert_true(label_of(to, copied, "pid")->num == 42);
		}
		assert_int_equal(push_copied(&c), 0);
		push_copy_release(&c);
		profile_free(to);
	}
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_head_of_a_profile),
		cmocka_unit_test(mappings_and_functions),
		cmocka_unit_test(a_large_profile),
		cmocka_unit_test(labels_that_are_kept),
	};

	return cmocka_run_group_tests_name("push_copy", tests, NULL, NULL);
}
