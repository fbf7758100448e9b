// SPDX-License-Identifier: GPL-2.0-only
/* Rows by keys, compared with sums over all samples; and lists of names. */
#include "support.h"

#include <errno.h>

#include "alloc_fail.h"
#include "show/report/select.h"
#include "show/report/sort.h"

static void test_keys(void **state)
{
	struct report_keys k;
	struct diag diag;

	(void)state;
	assert_int_equal(report_keys_parse("comm,sym,srcline", &k, &diag), 0);
	assert_int_equal(k.nr, 3);
	assert_true(k.key[0] == REPORT_COMM && k.key[1] == REPORT_SYMBOL &&
		    k.key[2] == REPORT_SRCLINE);
	assert_int_equal(report_keys_parse("", &k, &diag), -EINVAL);
	assert_int_equal(report_keys_parse("comm,", &k, &diag), -EINVAL);
	assert_int_equal(report_keys_parse("sym,symbol", &k, &diag), -EINVAL);
	assert_int_equal(report_keys_parse("comma", &k, &diag), -EINVAL);
	assert_int_equal(report_keys_parse("com", &k, &diag), -EINVAL);
	assert_int_equal(report_keys_parse("comm,pid,tid,thread,cgroup,event,dso,symbol,srcfile",
					   &k, &diag), -EINVAL);
}

static void test_listed(void **state)
{
	(void)state;
	assert_true(report_listed("a", "a"));
	assert_true(report_listed("a,bc,d", "bc"));
	assert_true(report_listed("a,bc,d", "d"));
	assert_false(report_listed("a,bc,d", "b"));
	assert_false(report_listed("a,bc,d", "bcd"));
	assert_false(report_listed("a,bc", ""));
	assert_true(report_listed("a,,b", ""));
	assert_true(report_listed("f(int, int)", "f(int, int)"));
	assert_true(report_listed("std::pair<a, b>", "std::pair<a, b>"));
}

/* Functions f0 to f7 of files 0 and 1, at locations with up to three lines. */
static uint32_t location(struct profile *p, uint32_t n)
{
	struct profile_mapping m = { .limit = UINT64_MAX };
	struct profile_line lines[3];
	char name[8];
	uint32_t i, nr = n % 4, l;

	snprintf(name, sizeof(name), "/m%u", n & 1);
	m.file = profile_string(p, name);
	l = profile_location(p, profile_mapping(p, &m), n);
	for (i = 0; i < nr; i++) {
		struct profile_function f = { .file = profile_string(p, "s.c") };

		snprintf(name, sizeof(name), "f%u", (n * 5 + i * 3) % 8);
		f.name = profile_string(p, name);
		lines[i] = (struct profile_line){ profile_function(p, &f), n % 3 };
	}
	profile_location_lines(p, l, lines, nr);
	return l;
}

static struct profile *random_profile(void)
{
	struct profile *p = profile_new();
	char name[8];
	int i, k;

	profile_value_type(p, "samples", "count");
	for (i = 0; i < 200; i++) {
		struct profile_label label = { .key = profile_string(p, "command") };
		const int64_t value[PROFILE_MAX_VALUES] = { rand() % 5 };
		uint32_t stack = 0;

		snprintf(name, sizeof(name), "c%d", rand() % 3);
		label.str = profile_string(p, name);
		for (k = rand() % 9; k; k--)
			stack = profile_stack(p, stack, location(p, (uint32_t)(rand() % 20)));
		profile_add(p, stack, profile_labels(p, &label, rand() % 4 ? 1 : 0), value);
	}
	return p;
}

/* A frame's name as --sort symbol shows it; @line is the index in its location. */
static void symbol_of(const struct profile *p, uint32_t location, uint32_t line, char ret[32])
{
	const struct profile_location *l = &p->locations[location];

	if (l->nr_lines)
		snprintf(ret, 32, "%s",
			 profile_text(p, p->functions[p->lines[l->first_line + line].function]
						 .name));
	else
		snprintf(ret, 32, "%s+0x%x", profile_text(p, p->mappings[l->mapping].file) + 1,
			 (unsigned int)l->address);
}

/* The expected value of the row of a command and a symbol. */
static void sums(const struct profile *p, const char *comm, const char *symbol, bool no_inlines,
		 int64_t *self, int64_t *total)
{
	uint32_t i, s, k;
	char name[32];

	*self = *total = 0;
	for (i = 0; i < p->nr_samples; i++) {
		const char *c = profile_label_text(p, p->samples[i].labels, "command");
		bool innermost = true, found = false;

		if (strcmp(c ? c : "", comm))
			continue;
		if (!p->samples[i].stack && !symbol[0]) {
			*self += p->samples[i].value[0];
			*total += p->samples[i].value[0];
		}
		for (s = p->samples[i].stack; s; s = p->stacks[s].parent) {
			uint32_t at = p->stacks[s].location, nr = p->locations[at].nr_lines;

			for (k = no_inlines && nr ? nr - 1 : 0; k < (nr ? nr : 1); k++) {
				symbol_of(p, at, k, name);
				if (innermost && !strcmp(name, symbol))
					*self += p->samples[i].value[0];
				found |= !strcmp(name, symbol);
				innermost = false;
			}
		}
		*total += found ? p->samples[i].value[0] : 0;
	}
}

static void test_random(void **state)
{
	struct report_keys keys;
	int round;

	(void)state;
	srand(7);
	assert_int_equal(report_keys_parse("comm,symbol", &keys, NULL), 0);
	for (round = 0; round < 40; round++) {
		const struct report_sort_options o = { .by_total = round & 1,
						       .no_inlines = round & 2 };
		struct profile *p = random_profile();
		int64_t all = 0, self, total;
		struct report_rows *r;
		uint32_t i;

		assert_int_equal(report_rows_new(p, &keys, &o, &r), 0);
		for (i = 0; i < r->nr; i++) {
			const struct report_row *row = &r->row[i];

			sums(p, row->text[0], row->text[1], o.no_inlines, &self, &total);
			assert_int_equal(row->self, self);
			assert_int_equal(row->total, total);
			all += row->self;
			if (i)
				assert_true(o.by_total ? row[-1].total >= row->total :
							 row[-1].self >= row->self);
		}
		assert_int_equal(all, r->all);
		report_rows_free(r);
		profile_free(p);
	}
}

static void test_no_memory(void **state)
{
	const struct report_sort_options o = { .value = 0 };
	struct profile *p = random_profile();
	struct report_keys keys;
	struct report_rows *r;
	int err = -ENOMEM;
	long n;

	(void)state;
	assert_int_equal(report_keys_parse("comm,dso,symbol,srcline", &keys, NULL), 0);
	for (n = 0; err; n++) {
		alloc_left = n;
		err = report_rows_new(p, &keys, &o, &r);
		alloc_left = -1;
		assert_true(!err || err == -ENOMEM);
	}
	assert_true(n > 5);
	report_rows_free(r);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_listed),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
