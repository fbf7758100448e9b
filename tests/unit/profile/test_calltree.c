// SPDX-License-Identifier: GPL-2.0-only
/*
 * Trees of calls: each option on a small profile in this file, a million frames of recursion,
 * and random profiles compared with sums over all samples.
 */
#include "support.h"

#include <errno.h>

#include "alloc_fail.h"
#include "rounds.h"
#include "profile/calltree.h"
#include "profile/calltree_index.h"

/* A profile under construction: frames have names and addresses that match. */
struct making {
	struct profile *p;
	uint32_t prog;
	uint32_t kernel;
};

static uint32_t mapping(struct profile *p, const char *file)
{
	struct profile_mapping m = { .limit = UINT64_MAX, .file = profile_string(p, file) };

	return profile_mapping(p, &m);
}

static void making_init(struct making *m)
{
	m->p = profile_new();
	profile_value_type(m->p, "samples", "count");
	profile_value_type(m->p, "cpu", "nanoseconds");
	m->prog = mapping(m->p, "/usr/bin/prog");
	m->kernel = mapping(m->p, "[kernel.kallsyms]");
}

static struct profile_line line(struct profile *p, const char *name, uint32_t nr)
{
	struct profile_function f = { .name = profile_string(p, name),
				      .file = profile_string(p, "prog.c") };

	return (struct profile_line){ profile_function(p, &f), nr };
}

static uint32_t named(struct making *m, uint32_t map, uint64_t address, const char *name,
		      uint32_t nr)
{
	uint32_t l = profile_location(m->p, map, address);
	struct profile_line line1 = line(m->p, name, nr);

	profile_location_lines(m->p, l, &line1, 1);
	return l;
}

static uint32_t labelled(struct making *m, const char *key, const char *text, const char *key2,
			 const char *text2)
{
	struct profile_label l[] = {
		{ .key = profile_string(m->p, key), .str = profile_string(m->p, text) },
		{ .key = profile_string(m->p, key2), .str = profile_string(m->p, text2) },
	};

	return profile_labels(m->p, l, 2);
}

static void count(struct making *m, uint32_t stack, uint32_t labels, int64_t nr)
{
	const int64_t value[PROFILE_MAX_VALUES] = { nr, nr * 100 };

	profile_add(m->p, stack, labels, value);
}

/*
 * main calls work (twice, from two lines), into which step is inlined, and read of the kernel;
 * prog has an address without a name, and one frame belongs to nothing.
 */
static void make_sample(struct making *m)
{
	uint32_t main1, main2, work, s, labels;
	struct profile *p;

	making_init(m);
	p = m->p;
	main1 = named(m, m->prog, 0x1010, "main", 10);
	main2 = named(m, m->prog, 0x1020, "main", 20);
	work = profile_location(p, m->prog, 0x2000);
	profile_location_lines(p, work, (struct profile_line[]){ line(p, "step", 5),
								 line(p, "work", 50) }, 2);
	labels = labelled(m, "command", "prog", "stack", "complete");
	count(m, profile_stack(p, profile_stack(p, 0, main1), work), labels, 5);
	count(m, profile_stack(p, profile_stack(p, 0, main2), work), labels, 4);
	s = profile_stack(p, 0, main1);
	s = profile_stack(p, s, named(m, m->prog, 0x3000, "work", 60));
	count(m, profile_stack(p, s, named(m, m->kernel, 0xffffffff81000000, "read", 0)),
	      labels, 3);
	labels = labelled(m, "command", "other", "stack", "no_table");
	count(m, profile_stack(p, 0, profile_location(p, m->prog, 0x4242)), labels, 2);
	count(m, profile_stack(p, 0, profile_location(p, 0, 0x77)), labels, 1);
	count(m, profile_stack(p, 0, profile_location(p, 0, 0x99)), labels, 0);
}

static char *put_node(const struct calltree *t, uint32_t at, unsigned int depth, char *to)
{
	static const char kinds[] = "ukijxl";
	const struct calltree_node *n = &t->nodes[at];
	const struct calltree_symbol *s = &t->symbols[n->symbol];

	to += sprintf(to, "%*s%s", depth, "", s->name);
	if (s->line)
		to += sprintf(to, ":%u", s->line);
	to += sprintf(to, " %c %d/%d", kinds[s->kind], (int)n->self[0], (int)n->total[0]);
	if (n->total[1])
		to += sprintf(to, " %d/%d", (int)n->self[1], (int)n->total[1]);
	to += sprintf(to, "\n");
	for (at = n->first_child; at; at = t->nodes[at].next) {
		assert_true(at > (uint32_t)(n - t->nodes));
		to = put_node(t, at, depth + 1, to);
	}
	return to;
}

/* The tree as text: name, kind, self/total of one profile and of the other. */
static const char *tree(const struct profile *p, const struct profile *second,
			const struct calltree_options *o)
{
	static char text[8192];
	struct calltree *t;

	assert_int_equal(calltree_new(p, second, o, &t), 0);
	put_node(t, 0, 0, text);
	calltree_free(t);
	return text;
}

static void test_plain(void **state)
{
	struct making m;

	make_sample(&m);
	assert_string_equal(tree(m.p, NULL, &(struct calltree_options){ { 0 } }),
			    "all l 0/15\n"
			    " main u 0/12\n"
			    "  work u 0/12\n"
			    "   step i 9/9\n"
			    "   read k 3/3\n"
			    " prog+0x4242 u 2/2\n"
			    " 0x77 x 1/1\n");
	assert_string_equal(tree(m.p, NULL, &(struct calltree_options){ .value = { 1 },
									.no_inlines = true,
									.lines = true }),
			    "all l 0/1500\n"
			    " main:10 u 0/800\n"
			    "  work:50 u 500/500\n"
			    "  work:60 u 0/300\n"
			    "   read k 300/300\n"
			    " main:20 u 0/400\n"
			    "  work:50 u 400/400\n"
			    " prog+0x4242 u 200/200\n"
			    " 0x77 x 100/100\n");
	assert_string_equal(tree(m.p, NULL, &(struct calltree_options){ .inverted = true,
									.ends = true }),
			    "all l 0/15\n"
			    " step i 0/9\n"
			    "  work u 0/9\n"
			    "   main u 9/9\n"
			    " read k 0/3\n"
			    "  work u 0/3\n"
			    "   main u 3/3\n"
			    " prog+0x4242 u 0/2\n"
			    "  [no_table] l 2/2\n"
			    " 0x77 x 0/1\n"
			    "  [no_table] l 1/1\n");
	profile_free(m.p);
}

static bool is_other(const struct profile *p, const struct profile_sample *s, void *arg)
{
	return !strcmp(profile_label_text(p, s->labels, "command"), arg);
}

static void test_labels(void **state)
{
	static const char *const roots[] = { "command", "lacking", NULL };
	struct making m;
	char other[] = "other";

	make_sample(&m);
	assert_string_equal(tree(m.p, NULL, &(struct calltree_options){ .roots = roots,
									.ends = true }),
			    "all l 0/15\n"
			    " prog l 0/12\n"
			    "  main u 0/12\n"
			    "   work u 0/12\n"
			    "    step i 9/9\n"
			    "    read k 3/3\n"
			    " other l 0/3\n"
			    "  [no_table] l 0/3\n"
			    "   prog+0x4242 u 2/2\n"
			    "   0x77 x 1/1\n");
	assert_string_equal(tree(m.p, NULL, &(struct calltree_options){ .keep = is_other,
									.arg = other }),
			    "all l 0/3\n"
			    " prog+0x4242 u 2/2\n"
			    " 0x77 x 1/1\n");
	profile_free(m.p);
}

static void test_by_address(void **state)
{
	struct calltree *t;
	struct making m;

	make_sample(&m);
	assert_string_equal(tree(m.p, NULL, &(struct calltree_options){ .by_address = true }),
			    "all l 0/15\n"
			    " main u 0/8\n"
			    "  work u 0/5\n"
			    "   step i 5/5\n"
			    "  work u 0/3\n"
			    "   read k 3/3\n"
			    " main u 0/4\n"
			    "  work u 0/4\n"
			    "   step i 4/4\n"
			    " prog+0x4242 u 2/2\n"
			    " 0x77 x 1/1\n");
	assert_int_equal(calltree_new(m.p, NULL, &(struct calltree_options){ .by_address = true },
				      &t), 0);
	assert_int_equal(t->symbols[t->nodes[t->nodes[0].first_child].symbol].address, 0x1010);
	assert_string_equal(t->symbols[t->nodes[t->nodes[0].first_child].symbol].image, "prog");
	assert_string_equal(t->symbols[t->nodes[t->nodes[0].first_child].symbol].file, "prog.c");
	calltree_free(t);
	profile_free(m.p);
}

/* The second profile has other numbers; equal names decide what is the same. */
static void test_two(void **state)
{
	struct making a, b;
	uint32_t s;

	make_sample(&a);
	making_init(&b);
	mapping(b.p, "shift");
	profile_value_type(b.p, "third", "");
	s = profile_stack(b.p, 0, named(&b, mapping(b.p, "/opt/prog"), 0x9, "main", 1));
	count(&b, profile_stack(b.p, s, named(&b, b.kernel, 0x9, "write", 1)), 0, 7);
	count(&b, s, 0, 1);
	assert_string_equal(tree(a.p, b.p, &(struct calltree_options){ .value = { 0, 1 } }),
			    "all l 0/15 0/800\n"
			    " main u 0/12 100/800\n"
			    "  write k 0/0 700/700\n"
			    "  work u 0/12\n"
			    "   step i 9/9\n"
			    "   read k 3/3\n"
			    " prog+0x4242 u 2/2\n"
			    " 0x77 x 1/1\n");
	profile_free(a.p);
	profile_free(b.p);
}

static void test_kinds(void **state)
{
	struct making m;
	uint32_t i;
	static const struct {
		const char *file;
		uint64_t address;
		const char *text;
	} frames[] = {
		{ "[jit:12]", 0x1, "all l 0/1\n [jit:12]+0x1 j 1/1\n" },
		{ "[anon]", 0x2, "all l 0/1\n [anon]+0x2 x 1/1\n" },
		{ "[vdso]", 0x3, "all l 0/1\n [vdso]+0x3 u 1/1\n" },
		{ "[vsyscall]", 0xffffffffff600000,
		  "all l 0/1\n [vsyscall]+0xffffffffff600000 u 1/1\n" },
		{ "nf.ko", 0xffffffffc0000000, "all l 0/1\n nf.ko+0xffffffffc0000000 k 1/1\n" },
		{ "", 0xffff000000000000, "all l 0/1\n 0xffff000000000000 k 1/1\n" },
		{ "dir/", 0x4, "all l 0/1\n dir/+0x4 u 1/1\n" },
	};

	for (i = 0; i < ARRAY_SIZE(frames); i++) {
		making_init(&m);
		count(&m, profile_stack(m.p, 0, profile_location(m.p, mapping(m.p, frames[i].file),
								 frames[i].address)), 0, 1);
		assert_string_equal(tree(m.p, NULL, &(struct calltree_options){ { 0 } }),
				    frames[i].text);
		profile_free(m.p);
	}
	making_init(&m);
	assert_string_equal(tree(m.p, NULL, &(struct calltree_options){ { 0 } }), "all l 0/0\n");
	count(&m, 0, 0, 3);
	assert_string_equal(tree(m.p, NULL, &(struct calltree_options){ { 0 } }), "all l 3/3\n");
	profile_free(m.p);
}

/* A million frames of one function that calls itself. */
static void test_deep(void **state)
{
	struct calltree_flat *flat;
	struct calltree *t;
	struct making m;
	uint32_t i, s, at, nr;

	making_init(&m);
	at = named(&m, m.prog, 1, "f", 1);
	for (i = 0, s = 0; i < 1000000; i++)
		s = profile_stack(m.p, s, at);
	count(&m, s, 0, 2);
	count(&m, 1, 0, 1);
	for (i = 0; i < 2; i++) {
		assert_int_equal(calltree_new(m.p, NULL,
					      &(struct calltree_options){ .inverted = i }, &t), 0);
		assert_int_equal(t->nr_nodes, 1000001);
		assert_int_equal(calltree_flat(t, true, &flat, &nr), 0);
		assert_int_equal(nr, 1);
		assert_int_equal(flat[0].total[0], 3);
		assert_int_equal(flat[0].self[0], 3);
		free(flat);
		calltree_free(t);
	}
	profile_free(m.p);
}

/* A damaged file may claim what no program needs: 2^40 nodes. */
static void test_too_many(void **state)
{
	struct profile_line *lines;
	struct calltree *t;
	struct making m;
	uint32_t i, s, at;

	making_init(&m);
	lines = malloc(sizeof(*lines) << 20);
	for (i = 0; i < 1u << 20; i++)
		lines[i] = line(m.p, "f", 1);
	at = profile_location(m.p, m.prog, 1);
	profile_location_lines(m.p, at, lines, 1u << 20);
	for (i = 0, s = 0; i < 1u << 20; i++)
		s = profile_stack(m.p, s, at);
	count(&m, s, 0, 1);
	assert_int_equal(calltree_new(m.p, NULL, &(struct calltree_options){ { 0 } }, &t), -E2BIG);
	free(lines);
	profile_free(m.p);
}

/* Sums that overflow. */
static void test_saturation(void **state)
{
	struct calltree *t;
	struct making m;
	uint32_t i;

	making_init(&m);
	for (i = 0; i < 3; i++)
		profile_add(m.p, profile_stack(m.p, 0, profile_location(m.p, 0, i)), 0,
			    (int64_t[]){ INT64_MAX, INT64_MIN });
	assert_int_equal(calltree_new(m.p, m.p, &(struct calltree_options){ .value = { 0, 1 } },
				      &t), 0);
	assert_true(t->nodes[0].total[0] == INT64_MAX && t->nodes[0].total[1] == INT64_MIN);
	calltree_free(t);
	assert_int_equal(calltree_new(m.p, NULL, &(struct calltree_options){ .value = { 8 } }, &t),
			 -EINVAL);
	profile_free(m.p);
}

static uint32_t rnd(uint32_t *state, uint32_t below)
{
	*state = *state * 1664525 + 1013904223;
	return (*state >> 8) % below;
}

#define FUNCS 6u

static void make_random(struct making *m, uint32_t *seed)
{
	uint32_t i, k, s, loc[8];
	char name[8];

	making_init(m);
	for (i = 0; i < 8; i++) {
		struct profile_line lines[3];
		uint32_t nr = 1 + rnd(seed, 3);

		loc[i] = profile_location(m->p, m->prog, i);
		for (k = 0; k < nr; k++) {
			snprintf(name, sizeof(name), "f%u", rnd(seed, FUNCS));
			lines[k] = line(m->p, name, rnd(seed, 3));
		}
		profile_location_lines(m->p, loc[i], lines, nr);
	}
	for (i = 0; i < 60; i++) {
		for (k = rnd(seed, 9), s = 0; k; k--)
			s = profile_stack(m->p, s, loc[rnd(seed, 8)]);
		count(m, s, rnd(seed, 2) ? labelled(m, "command", rnd(seed, 2) ? "f0" : "all",
						    "stack", "no_table") : 0, rnd(seed, 50));
	}
}

/* The value of a function named @name of kind @kind, by a sum over all samples. */
static void naive_flat(const struct profile *p, const struct calltree_symbol *sym, int64_t *self,
		       int64_t *total)
{
	uint32_t i, k, s;

	*self = *total = 0;
	for (i = 0; i < p->nr_samples; i++) {
		bool found = false;

		for (s = p->samples[i].stack; s; s = p->stacks[s].parent) {
			const struct profile_location *l = &p->locations[p->stacks[s].location];

			for (k = 0; k < l->nr_lines; k++) {
				const struct profile_line *ln = &p->lines[l->first_line + k];
				bool inlined = k + 1 < l->nr_lines;

				if (strcmp(profile_text(p, p->functions[ln->function].name),
					   sym->name) ||
				    inlined != (sym->kind == CALLTREE_INLINED))
					continue;
				found = true;
				if (s == p->samples[i].stack && !k)
					*self += p->samples[i].value[0];
			}
		}
		*total += found ? p->samples[i].value[0] : 0;
	}
}

static void check_tree(const struct profile *p, const struct calltree *t, bool by_total)
{
	struct calltree_flat *flat;
	int64_t self, total;
	uint32_t i, k, nr;

	assert_int_equal(calltree_flat(t, by_total, &flat, &nr), 0);
	for (i = 0; i < nr; i++) {
		const struct calltree_symbol *s = &t->symbols[flat[i].symbol];

		if (i && by_total)
			assert_true(flat[i].total[0] <= flat[i - 1].total[0]);
		else if (i)
			assert_true(flat[i].self[0] <= flat[i - 1].self[0]);
		if (s->kind == CALLTREE_LABEL)
			continue;
		naive_flat(p, s, &self, &total);
		assert_int_equal(flat[i].self[0], self);
		assert_int_equal(flat[i].total[0], total);
	}
	free(flat);
	for (i = 0; i < t->nr_nodes; i++) {
		int64_t sum = t->nodes[i].self[0], last = INT64_MAX;

		for (k = t->nodes[i].first_child; k; k = t->nodes[k].next) {
			assert_int_equal(t->nodes[k].parent, i);
			assert_true(t->nodes[k].total[0] <= last);
			last = t->nodes[k].total[0];
			sum += last;
		}
		assert_int_equal(t->nodes[i].total[0], sum);
	}
}

static void test_random(void **state)
{
	static const char *const roots[] = { "command", NULL };
	const uint32_t most = rounds(200, 40);
	uint32_t seed = 1, round, how;
	int64_t all;

	for (round = 0; round < most; round++) {
		struct making m;
		uint32_t i;

		make_random(&m, &seed);
		for (i = 0, all = 0; i < m.p->nr_samples; i++)
			all += m.p->samples[i].value[0];
		for (how = 0; how < 16; how++) {
			struct calltree_options o = { .inverted = how & 1, .ends = how & 2,
						      .roots = how & 4 ? roots : NULL };
			struct calltree *t;

			assert_int_equal(calltree_new(m.p, NULL, &o, &t), 0);
			assert_int_equal(t->nodes[0].total[0], all);
			check_tree(m.p, t, how & 8);
			calltree_free(t);
		}
		profile_free(m.p);
	}
}

/* A label with the same name as the root. */
static void test_all(void **state)
{
	static const char *const roots[] = { "command", NULL };
	struct calltree_flat *flat;
	struct calltree *t;
	struct making m;
	uint32_t nr;

	making_init(&m);
	count(&m, 0, labelled(&m, "command", "all", "x", "y"), 4);
	assert_string_equal(tree(m.p, NULL, &(struct calltree_options){ .roots = roots }),
			    "all l 0/4\n all l 4/4\n");
	assert_int_equal(calltree_new(m.p, NULL, &(struct calltree_options){ .roots = roots }, &t),
			 0);
	assert_int_equal(calltree_flat(t, false, &flat, &nr), 0);
	assert_true(nr == 1 && flat[0].self[0] == 4);
	free(flat);
	calltree_free(t);
	profile_free(m.p);
}

static int64_t least_first(const struct calltree *t, uint32_t node, void *arg)
{
	(void)arg;
	return -t->nodes[node].total[0];
}

/* Numbers of samples in addition to values, in nodes and rows, and another order. */
static void test_counts(void **state)
{
	const struct calltree_options o = { .value = { 1 }, .counts = true, .count = { 0 } };
	struct calltree_flat *flat;
	struct calltree *t;
	struct making m;
	uint32_t nr, i, c;

	(void)state;
	make_sample(&m);
	assert_int_equal(calltree_new(m.p, NULL, &o, &t), 0);
	for (i = 0; i < t->nr_nodes; i++) {
		assert_int_equal(t->nodes[i].self[0], 100 * t->counts[i].self[0]);
		assert_int_equal(t->nodes[i].total[0], 100 * t->counts[i].total[0]);
		assert_int_equal(t->counts[i].total[1], 0);
	}
	assert_int_equal(calltree_flat(t, false, &flat, &nr), 0);
	for (i = 0; i < nr; i++) {
		assert_int_equal(flat[i].self[0], 100 * flat[i].count.self[0]);
		assert_int_equal(flat[i].total[0], 100 * flat[i].count.total[0]);
	}
	free(flat);
	assert_int_equal(calltree_order(t, least_first, NULL), 0);
	for (c = t->nodes[0].first_child, i = 0; c; c = t->nodes[c].next, i++)
		if (t->nodes[c].next)
			assert_true(t->nodes[c].total[0] <=
				    t->nodes[t->nodes[c].next].total[0]);
	assert_int_equal(i, 3);
	calltree_free(t);
	profile_free(m.p);
}

static uint32_t symbol_of(const struct calltree *t, const char *name)
{
	uint32_t i;

	for (i = 0; i < t->nr_symbols; i++)
		if (!strcmp(t->symbols[i].name, name))
			return i;
	fail();
	return 0;
}

static void expect_callers(const struct profile *p, const struct calltree_options *o,
			   const char *name, const char *want)
{
	struct calltree *t, *callers;
	char text[1024] = "";

	assert_int_equal(calltree_new(p, NULL, o, &t), 0);
	assert_int_equal(calltree_callers(t, symbol_of(t, name), &callers), 0);
	put_node(callers, 0, 0, text);
	assert_string_equal(text, want);
	calltree_free(callers);
	calltree_free(t);
}

/* A function in the middle of stacks, one that calls itself, and one below a label. */
static void test_callers(void **state)
{
	static const char *const roots[] = { "command", NULL };
	const struct calltree_options plain = { .value = { 0 } };
	const struct calltree_options by_command = { .value = { 0 }, .roots = roots,
						     .counts = true };
	struct making m;
	uint32_t main1, f, g, s;

	(void)state;
	make_sample(&m);
	expect_callers(m.p, &plain, "work",
		       "all l 0/12\n work u 0/12\n  main u 12/12\n");
	expect_callers(m.p, &by_command, "work",
		       "all l 0/12\n work u 0/12\n  main u 0/12\n   prog l 12/12\n");
	main1 = named(&m, m.prog, 0x5000, "start", 1);
	f = named(&m, m.prog, 0x6000, "fib", 1);
	g = named(&m, m.prog, 0x7000, "leaf", 1);
	s = profile_stack(m.p, profile_stack(m.p, 0, main1), f);
	count(&m, profile_stack(m.p, s, g), 0, 10);
	count(&m, profile_stack(m.p, profile_stack(m.p, s, g), f), 0, 3);
	count(&m, profile_stack(m.p, s, f), 0, 2);
	/* each sample once, for the innermost call: 10 of the first, 3 by leaf, 2 by itself */
	expect_callers(m.p, &plain, "fib",
		       "all l 0/15\n fib u 0/15\n  start u 10/10\n"
		       "  leaf u 0/3\n   fib u 0/3\n    start u 3/3\n"
		       "  fib u 0/2\n   start u 2/2\n");
	profile_free(m.p);
}

static void test_no_memory(void **state)
{
	struct calltree *t;
	struct making m;
	long n;
	int err;

	make_sample(&m);
	for (n = 0; n < 100; n++) {
		alloc_left = n;
		err = calltree_new(m.p, NULL, &(struct calltree_options){ .ends = true }, &t);
		alloc_left = -1;
		if (!err)
			break;
		assert_int_equal(err, -ENOMEM);
	}
	assert_true(n > 5 && !err);
	calltree_free(t);
	profile_free(m.p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),	   cmocka_unit_test(test_labels),
		cmocka_unit_test(test_by_address), cmocka_unit_test(test_two),
		cmocka_unit_test(test_kinds),	   cmocka_unit_test(test_deep),
		cmocka_unit_test(test_too_many),   cmocka_unit_test(test_saturation),
		cmocka_unit_test(test_random),	   cmocka_unit_test(test_all),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_callers),
		cmocka_unit_test(test_no_memory),
	};

	rounds_leave_out("test_too_many");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
