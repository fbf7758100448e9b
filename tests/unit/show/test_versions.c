// SPDX-License-Identifier: GPL-2.0-only
/* Finding files in two profiles that are versions of one program, and the renaming of these. */
#include "support.h"

#include "show/report/versions.h"

static uint64_t address;

/* A sample of @function of a file, in a process of a command. */
static void add(struct profile *p, const char *path, const char *source, const char *function,
		const char *command)
{
	struct profile_mapping m = { .limit = UINT64_MAX, .file = profile_string(p, path) };
	struct profile_function f = { .name = profile_string(p, function),
				      .file = profile_string(p, source) };
	struct profile_label l = { .key = profile_string(p, PROFILE_LABEL_COMMAND),
				   .str = profile_string(p, command) };
	struct profile_line line = { profile_function(p, &f), 1 };
	uint32_t at = profile_location(p, profile_mapping(p, &m), address++);

	profile_location_lines(p, at, &line, 1);
	profile_value_type(p, "samples", "count");
	profile_add(p, profile_stack(p, 0, at), profile_labels(p, &l, 1), (int64_t[]){ 1 });
	assert_int_equal(profile_error(p), 0);
}

static bool has_file(const struct profile *p, const char *file)
{
	uint32_t i;

	for (i = 1; i < p->nr_mappings; i++)
		if (!strcmp(profile_text(p, p->mappings[i].file), file))
			return true;
	return false;
}

static bool has_command(const struct profile *p, const char *command)
{
	uint32_t i;

	for (i = 0; i < p->nr_label; i++)
		if (!strcmp(profile_text(p, p->label[i].str), command))
			return true;
	return false;
}

static const char *source_of(const struct profile *p, const char *function)
{
	uint32_t i;

	for (i = 1; i < p->nr_functions; i++)
		if (!strcmp(profile_text(p, p->functions[i].name), function))
			return profile_text(p, p->functions[i].file);
	return "";
}

static char notes[256];

static void note(const char *before, const char *after, void *arg)
{
	size_t len = strlen(notes);

	(void)arg;
	snprintf(notes + len, sizeof(notes) - len, "%s=%s ", before, after);
}

static void match(struct profile *before, struct profile *after, unsigned int ignore)
{
	notes[0] = '\0';
	assert_int_equal(versions_match(before, after, ignore, note, NULL), 0);
}

/* Two versions, a library that both have, and a program that only one has. */
static void test_versions(void **state)
{
	struct profile *a = profile_new(), *b = profile_new();

	(void)state;
	add(a, "/opt/app-1.2", "/src/app-1.2/parse.c", "parse", "app-1.2");
	add(a, "/opt/app-1.2", "/src/app-1.2/draw.c", "draw", "app-1.2");
	add(a, "/lib/libc.so.6", "malloc.c", "malloc", "app-1.2");
	add(a, "/bin/only", "only.c", "main", "only");
	add(b, "/opt/new/app-1.3", "/src/app-1.3/parse.c", "parse", "app-1.3");
	add(b, "/opt/new/app-1.3", "/src/app-1.3/sound.c", "sound", "app-1.3");
	add(b, "/lib/libc.so.6", "malloc.c", "malloc", "app-1.3");
	match(a, b, 0);
	assert_string_equal(notes, "app-1.2=app-1.3 ");
	assert_true(has_file(a, "app-1.3"));
	assert_false(has_file(a, "/opt/app-1.2"));
	assert_true(has_file(a, "/lib/libc.so.6") && has_file(a, "/bin/only"));
	assert_true(has_command(a, "app-1.3") && has_command(a, "only"));
	assert_false(has_command(a, "app-1.2"));
	assert_string_equal(source_of(a, "parse"), "/src/app-1.3/parse.c");
	assert_string_equal(source_of(a, "draw"), "/src/app-1.2/draw.c");
	/* the later one keeps its name */
	assert_true(has_file(b, "/opt/new/app-1.3") && has_command(b, "app-1.3"));
	profile_free(a);
	profile_free(b);
}

/*
 * One of three functions of the smaller file is not enough, two are; one of two is enough, too.
 */
static void test_half(void **state)
{
	static const char *const many[] = { "a", "b", "c", "d" };
	unsigned int common, i;

	(void)state;
	for (common = 0; common <= 3; common++) {
		struct profile *a = profile_new(), *b = profile_new();

		for (i = 0; i < 3; i++)
			add(a, "one", "s.c", i < common ? many[i] : (const char *[]){ "x", "y", "z" }[i], "one");
		for (i = 0; i < 4; i++)
			add(b, "two", "s.c", many[i], "two");
		match(a, b, 0);
		assert_string_equal(notes, common >= 2 ? "one=two " : "");
		assert_int_equal(has_file(a, "two"), common >= 2);
		profile_free(a);
		profile_free(b);
	}
}

/* If several pairs are possible, the pair with most in common comes first. */
static void test_most_first(void **state)
{
	struct profile *a = profile_new(), *b = profile_new();

	(void)state;
	add(a, "tool-1", "", "main", "tool-1");
	add(a, "tool-1", "", "run", "tool-1");
	add(b, "other-2", "", "main", "other-2");
	add(b, "tool-2", "", "main", "tool-2");
	add(b, "tool-2", "", "run", "tool-2");
	match(a, b, 0);
	assert_string_equal(notes, "tool-1=tool-2 ");
	profile_free(a);
	profile_free(b);
}

/* A name in brackets is not a file, and commands are cut as the kernel cuts them. */
static void test_names(void **state)
{
	struct profile *a = profile_new(), *b = profile_new();

	(void)state;
	add(a, "[jit:12]", "", "f", "x");
	add(a, "a-long-program-name-1", "", "g", "a-long-program-");
	add(b, "[jit:13]", "", "f", "x");
	add(b, "another-long-program-name", "", "g", "another-long-pr");
	match(a, b, 0);
	assert_string_equal(notes, "a-long-program-name-1=another-long-program-name ");
	assert_true(has_file(a, "[jit:12]"));
	assert_true(has_command(a, "another-long-pr"));
	profile_free(a);
	profile_free(b);
}

static void test_ignored(void **state)
{
	struct profile *a = profile_new(), *b = profile_new();

	(void)state;
	add(a, "one", "/x/s.c", "f", "one");
	add(a, "[kernel.kallsyms]", "", "read", "one");
	add(b, "two", "/y/s.c", "f", "two");
	match(a, b, VERSIONS_IGNORE_IMAGE);
	assert_string_equal(notes, "");
	assert_false(has_file(a, "one") || has_file(b, "two"));
	assert_true(has_file(a, "[kernel.kallsyms]"));
	assert_true(has_command(a, "one") && has_command(b, "two"));
	assert_string_equal(source_of(a, "f"), "/y/s.c");
	match(a, b, VERSIONS_IGNORE_COMMAND);
	assert_false(has_command(a, "one") || has_command(b, "two"));
	profile_free(a);
	profile_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_half),
		cmocka_unit_test(test_most_first),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
