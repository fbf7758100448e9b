// SPDX-License-Identifier: GPL-2.0-only
/*
 * The model of the terminal view: each command on a small profile in this file, rows compared
 * with text, and the state that stays when another profile replaces it.
 */
#include "support.h"

#include <errno.h>

#include "alloc_fail.h"
#include "show/tui/listing.h"
#include "show/tui/tui.h"

struct making {
	struct profile *p;
	uint32_t image;
	uint32_t next;
};

static void making_init(struct making *m)
{
	struct profile_mapping mapping = { .limit = UINT64_MAX };

	m->p = profile_new();
	m->next = 0x1000;
	profile_value_type(m->p, "samples", "count");
	mapping.file = profile_string(m->p, "/usr/bin/prog");
	m->image = profile_mapping(m->p, &mapping);
}

/* The stack "outer/inner" of a command; every frame has an address of its own. */
static void count(struct making *m, const char *command, const char *path, int64_t nr)
{
	const int64_t value[PROFILE_MAX_VALUES] = { nr };
	struct profile_label label = { .key = profile_string(m->p, "command"),
				       .str = profile_string(m->p, command) };
	char *words = strdup(path), *at = words, *word;
	uint32_t stack = 0, location;

	while ((word = strsep(&at, "/"))) {
		struct profile_function f = { .name = profile_string(m->p, word) };
		struct profile_line line = { profile_function(m->p, &f), 1 };

		location = profile_location(m->p, m->image, m->next++);
		profile_location_lines(m->p, location, &line, 1);
		stack = profile_stack(m->p, stack, location);
	}
	profile_add(m->p, stack, profile_labels(m->p, &label, 1), value);
	free(words);
}

static struct profile *sample(int64_t extra)
{
	struct making m;

	making_init(&m);
	count(&m, "prog", "main/heavy/leaf", 60);
	count(&m, "prog", "main/light", 20 + extra);
	count(&m, "prog", "main/light/leaf", 10);
	count(&m, "other", "main/Odd/leaf", 10);
	return m.p;
}

static struct tui_model *model(const struct profile *p)
{
	struct tui_model *m = tui_model_new(&(struct tui_options){ .value = 0 });

	assert_non_null(m);
	assert_int_equal(tui_model_profile(m, p), 0);
	return m;
}

/* Rows as lines: ">" for the selected one, "+" and "-" for folds. */
static const char *text_of(const struct tui_model *m)
{
	static char text[4096];
	struct tui_cells c;
	char *to = text;
	uint32_t i;

	*to = '\0';
	for (i = 0; i < m->nr_rows; i++) {
		const struct tui_row *r = &m->rows[i];

		tui_model_cells(m, i, &c);
		to += sprintf(to, "%s%*s%s%s %d/%d %.0f%%\n", i == m->selected ? ">" : "",
			      (int)r->depth, "", r->folds ? (r->open ? "-" : "+") : "",
			      c.symbol->name, (int)c.self, (int)c.total,
			      m->view == TUI_FLAT ? c.self_share : c.total_share);
	}
	return text;
}

static void doing(struct tui_model *m, enum tui_command command, const char *want)
{
	assert_int_equal(tui_model_do(m, command), 0);
	if (want)
		assert_string_equal(text_of(m), want);
}

static const char flat[] = ">leaf 80/80 80%\nlight 20/30 20%\nOdd 0/10 0%\nheavy 0/60 0%\n"
			   "main 0/100 0%\n";
static const char tree[] = ">-prog 0/90 90%\n -main 0/90 90%\n  -heavy 0/60 60%\n"
			   "   leaf 60/60 60%\n  +light 20/30 30%\n+other 0/10 10%\n";

static void test_flat(void **state)
{
	struct profile *p = sample(0);
	struct tui_model *m = model(p);

	(void)state;
	assert_string_equal(text_of(m), flat);
	doing(m, TUI_UP, flat);
	doing(m, TUI_DOWN, NULL);
	assert_int_equal(m->selected, 1);
	doing(m, TUI_LAST, NULL);
	doing(m, TUI_DOWN, NULL);
	assert_int_equal(m->selected, 4);
	/* main is still selected */
	doing(m, TUI_SWITCH_CHILDREN,
	      ">main 0/100 0%\nleaf 80/80 80%\nheavy 0/60 0%\nlight 20/30 20%\nOdd 0/10 0%\n");
	/* folding works only in trees */
	doing(m, TUI_OPEN, NULL);
	doing(m, TUI_ZOOM, NULL);
	assert_int_equal(m->nr_zoom, 0);
	tui_model_free(m);
	profile_free(p);
}

static void test_folds(void **state)
{
	struct profile *p = sample(0);
	struct tui_model *m = model(p);

	(void)state;
	doing(m, TUI_SHOW_TREE, tree);
	doing(m, TUI_TOGGLE, ">+prog 0/90 90%\n+other 0/10 10%\n");
	doing(m, TUI_OPEN, tree);
	doing(m, TUI_LAST, NULL);
	doing(m, TUI_OPEN_ALL,
	      "-prog 0/90 90%\n -main 0/90 90%\n  -heavy 0/60 60%\n   leaf 60/60 60%\n"
	      "  +light 20/30 30%\n>-other 0/10 10%\n -main 0/10 10%\n  -Odd 0/10 10%\n"
	      "   leaf 10/10 10%\n");
	tui_model_select(m, 8);
	/* on a node without children it goes to the parent, which closes */
	doing(m, TUI_CLOSE, NULL);
	assert_int_equal(m->selected, 7);
	doing(m, TUI_CLOSE, NULL);
	assert_int_equal(m->nr_rows, 8);
	doing(m, TUI_CLOSE_ALL, "+prog 0/90 90%\n>+other 0/10 10%\n");
	doing(m, TUI_CLOSE, "+prog 0/90 90%\n>+other 0/10 10%\n");
	tui_model_free(m);
	profile_free(p);
}

static void test_zoom(void **state)
{
	static const char zoomed[] = ">-main 0/90 100%\n -heavy 0/60 67%\n  leaf 60/60 67%\n"
				     " +light 20/30 33%\n";
	struct profile *p = sample(0);
	struct tui_model *m = model(p);

	(void)state;
	doing(m, TUI_SHOW_TREE, tree);
	assert_null(tui_model_zoomed(m));
	tui_model_select(m, 1);
	doing(m, TUI_ZOOM, zoomed);
	assert_string_equal(tui_model_zoomed(m)->name, "main");
	doing(m, TUI_SWITCH_BASE, ">-main 0/90 90%\n -heavy 0/60 60%\n  leaf 60/60 60%\n"
				  " +light 20/30 30%\n");
	doing(m, TUI_SWITCH_BASE, zoomed);
	/* closing stops at the selected node */
	doing(m, TUI_CLOSE, ">+main 0/90 100%\n");
	doing(m, TUI_CLOSE, ">+main 0/90 100%\n");
	doing(m, TUI_OPEN, zoomed);
	tui_model_select(m, 3);
	doing(m, TUI_ZOOM, ">-light 20/30 100%\n leaf 10/10 33%\n");
	doing(m, TUI_BACK, NULL);
	assert_int_equal(m->selected, 3);
	doing(m, TUI_BACK, NULL);
	assert_null(tui_model_zoomed(m));
	doing(m, TUI_BACK, NULL);
	tui_model_free(m);
	profile_free(p);
}

static void test_callers(void **state)
{
	struct profile *p = sample(0);
	struct tui_model *m = model(p);

	(void)state;
	doing(m, TUI_SHOW_CALLERS, ">-leaf 0/80 100%\n +heavy 0/60 75%\n +Odd 0/10 12%\n"
				   " +light 0/10 12%\n");
	tui_model_select(m, 1);
	doing(m, TUI_OPEN_ALL, "-leaf 0/80 100%\n> -heavy 0/60 75%\n  -main 0/60 75%\n"
			       "   prog 60/60 75%\n +Odd 0/10 12%\n +light 0/10 12%\n");
	/* callers of a caller, and back to where it was */
	doing(m, TUI_SHOW_CALLERS, NULL);
	assert_int_equal(m->rows[0].depth, 0);
	doing(m, TUI_BACK, flat);
	doing(m, TUI_SHOW_TREE, tree);
	doing(m, TUI_SHOW_CALLERS, tree);
	assert_string_equal(m->message, "this is no function");
	tui_model_free(m);
	profile_free(p);
}

static void test_search(void **state)
{
	struct profile *p = sample(0);
	struct tui_model *m = model(p);

	(void)state;
	assert_int_equal(tui_model_search(m, "ODD"), 0);
	assert_int_equal(m->selected, 2);
	assert_int_equal(tui_model_search(m, "nothing"), 0);
	assert_string_equal(m->message, "not found: nothing");
	assert_int_equal(m->selected, 2);
	doing(m, TUI_SHOW_TREE, tree);
	/* hidden nodes are found in order, and around */
	assert_int_equal(tui_model_search(m, "leaf"), 0);
	assert_int_equal(m->selected, 3);
	doing(m, TUI_NEXT,
	      "-prog 0/90 90%\n -main 0/90 90%\n  -heavy 0/60 60%\n   leaf 60/60 60%\n"
	      "  -light 20/30 30%\n>   leaf 10/10 10%\n+other 0/10 10%\n");
	doing(m, TUI_NEXT, NULL);
	assert_int_equal(m->nr_rows, 10);
	assert_int_equal(m->selected, 9);
	doing(m, TUI_NEXT, NULL);
	assert_int_equal(m->selected, 3);
	doing(m, TUI_PREVIOUS, NULL);
	assert_int_equal(m->selected, 9);
	tui_model_free(m);
	profile_free(p);
}

static void test_filter(void **state)
{
	struct profile *p = sample(0);
	struct tui_model *m = model(p);

	(void)state;
	assert_int_equal(tui_model_filter(m, "LIGHT"), 0);
	assert_string_equal(text_of(m), "light 20/30 67%\n>leaf 10/10 33%\nmain 0/30 0%\n");
	doing(m, TUI_SWITCH_BASE, "light 20/30 20%\n>leaf 10/10 10%\nmain 0/30 0%\n");
	doing(m, TUI_SWITCH_BASE, NULL);
	doing(m, TUI_BACK, flat);
	assert_int_equal(tui_model_filter(m, "nowhere"), 0);
	assert_string_equal(text_of(m), "");
	/* nothing to apply a command to */
	for (unsigned int c = TUI_UP; c <= TUI_PREVIOUS; c++)
		doing(m, c, NULL);
	tui_model_free(m);
	profile_free(p);
}

/* Another profile: the same rows are open, zoomed into and selected, by name. */
static void test_again(void **state)
{
	struct profile *p = sample(0), *next = sample(80), *none = profile_new();
	struct tui_model *m = model(p);

	(void)state;
	profile_value_type(none, "samples", "count");
	doing(m, TUI_SHOW_TREE, tree);
	tui_model_select(m, 2);
	assert_int_equal(tui_model_profile(m, next), 0);
	profile_free(p);
	/* light has become the larger one */
	assert_string_equal(text_of(m), "-prog 0/170 94%\n -main 0/170 94%\n  +light 100/110 61%\n"
					">  -heavy 0/60 33%\n   leaf 60/60 33%\n+other 0/10 6%\n");
	doing(m, TUI_ZOOM, ">-heavy 0/60 100%\n leaf 60/60 100%\n");
	p = sample(5);
	assert_int_equal(tui_model_profile(m, p), 0);
	assert_string_equal(text_of(m), ">-heavy 0/60 100%\n leaf 60/60 100%\n");
	assert_int_equal(tui_model_profile(m, none), 0);
	assert_string_equal(text_of(m), "");
	assert_null(tui_model_zoomed(m));
	tui_model_free(m);
	profile_free(p);
	profile_free(next);
	profile_free(none);
}

static int run_all(struct tui_model *m, const struct profile *p)
{
	static const enum tui_command commands[] = {
		TUI_SHOW_TREE, TUI_OPEN_ALL, TUI_ZOOM, TUI_BACK, TUI_SWITCH_INLINES,
		TUI_SHOW_FLAT, TUI_SHOW_CALLERS, TUI_OPEN_ALL, TUI_BACK,
	};
	int err = tui_model_profile(m, p);
	unsigned int i;

	for (i = 0; !err && i < sizeof(commands) / sizeof(commands[0]); i++)
		err = tui_model_do(m, commands[i]);
	if (!err)
		err = tui_model_filter(m, "leaf");
	return err ? err : tui_model_search(m, "leaf");
}

static void test_no_memory(void **state)
{
	struct profile *p = sample(0);
	long n;
	int err = -ENOMEM;

	(void)state;
	for (n = 0; err; n++) {
		struct tui_model *m = tui_model_new(&(struct tui_options){ .value = 0 });

		alloc_left = n;
		err = run_all(m, p);
		alloc_left = -1;
		assert_true(!err || err == -ENOMEM);
		tui_model_free(m);
		assert_true(n < 10000);
	}
	assert_true(n > 10);
	profile_free(p);
}

/* Rows of a listing as texts: ">" for the selected one. */
static void shows(const struct tui_listing *l, const char *want)
{
	char text[256];
	char *to = text;
	uint32_t i;

	*to = '\0';
	for (i = 0; i < l->nr_shown; i++)
		to += sprintf(to, "%s%s ", i == l->selected ? ">" : "", tui_listing_line(l, i)->text);
	assert_string_equal(text, want);
}

static void after(struct tui_listing *l, enum tui_listing_command command, const char *want)
{
	tui_listing_do(l, command);
	shows(l, want);
}

static const struct tui_line listed[] = {
	{ "call", 0, false }, { "one", 1, true }, { "two", 0, true },	{ "line", 0, false },
	{ "three", 9, true }, { "four", 5, true }, { "five", 5, true }, { "end", 0, false },
};

#define NR_LISTED ((uint32_t)(sizeof(listed) / sizeof(listed[0])))

static void test_listing(void **state)
{
	struct tui_listing l;

	assert_int_equal(tui_listing_init(&l, "", listed, NR_LISTED), 0);
	shows(&l, "call one two line >three four five end ");
	after(&l, TUI_LINE_COOLER, "call one two line three >four five end ");
	after(&l, TUI_LINE_COOLER, "call one two line three four >five end ");
	after(&l, TUI_LINE_COOLER, "call >one two line three four five end ");
	after(&l, TUI_LINE_COOLER, "call one two line >three four five end ");
	after(&l, TUI_LINE_HOTTER, "call >one two line three four five end ");
	after(&l, TUI_LINE_HOTTEST, "call one two line >three four five end ");
	after(&l, TUI_LINE_UP, "call one two >line three four five end ");
	/* the instructions of a source line follow it */
	after(&l, TUI_LINE_SOURCE, "one two >three four five ");
	after(&l, TUI_LINE_COOLER, "one two three >four five ");
	after(&l, TUI_LINE_SOURCE, "call one two line three >four five end ");
	after(&l, TUI_LINE_LAST, "call one two line three four five >end ");
	after(&l, TUI_LINE_DOWN, "call one two line three four five >end ");
	after(&l, TUI_LINE_SOURCE, "one two three four >five ");
	after(&l, TUI_LINE_SOURCE, "call one two line three four >five end ");
	after(&l, TUI_LINE_FIRST, ">call one two line three four five end ");
	after(&l, TUI_LINE_UP, ">call one two line three four five end ");
	after(&l, TUI_LINE_SOURCE, ">one two three four five ");
	tui_listing_release(&l);
}

static void test_listing_search(void **state)
{
	struct tui_listing l;

	assert_int_equal(tui_listing_init(&l, "", listed, NR_LISTED), 0);
	after(&l, TUI_LINE_NEXT, "call one two line >three four five end ");
	tui_listing_search(&l, "NE");
	shows(&l, "call >one two line three four five end ");
	after(&l, TUI_LINE_NEXT, "call one two >line three four five end ");
	after(&l, TUI_LINE_PREVIOUS, "call >one two line three four five end ");
	tui_listing_search(&l, "call");
	shows(&l, ">call one two line three four five end ");
	after(&l, TUI_LINE_NEXT, ">call one two line three four five end ");
	assert_string_equal(l.message, "");
	tui_listing_search(&l, "nowhere");
	assert_string_equal(l.message, "not found: nowhere");
	tui_listing_select(&l, NR_LISTED);
	shows(&l, ">call one two line three four five end ");
	tui_listing_release(&l);
}

static void test_listing_of_nothing(void **state)
{
	struct tui_listing l;
	unsigned int command;

	assert_int_equal(tui_listing_init(&l, "", listed, 0), 0);
	for (command = TUI_LINE_UP; command <= TUI_LINE_PREVIOUS; command++)
		after(&l, command, "");
	tui_listing_search(&l, "x");
	assert_int_equal(l.selected, 0);
	tui_listing_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_listing),
		cmocka_unit_test(test_listing_search),
		cmocka_unit_test(test_listing_of_nothing),
		cmocka_unit_test(test_flat),   cmocka_unit_test(test_folds),
		cmocka_unit_test(test_zoom),   cmocka_unit_test(test_callers),
		cmocka_unit_test(test_search), cmocka_unit_test(test_filter),
		cmocka_unit_test(test_again),  cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
