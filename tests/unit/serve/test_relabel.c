// SPDX-License-Identifier: GPL-2.0-only
/*
 * Relabelling: each action as Prometheus' documentation describes it, its defaults, its
 * refusals, and limits that Prometheus does not have.
 */
#include "support.h"

#include <errno.h>

#include "serve/daemon/labels.h"
#include "serve/daemon/relabel.h"
#include "serve/daemon/relabel_rule.h"

#define MAX 8

struct pair {
	const char *name;
	const char *value;
};

struct rule {
	const char *sources[4];
	struct relabel_rule rest;
};

/* Applies rules to a set; without @want the set must be dropped. */
struct scene {
	const char *what;
	struct pair in[MAX];
	struct rule rules[4];
	struct pair want[MAX];
	bool dropped;
};

#define ACTION(a, ...) { .rest = { .action = (a), __VA_ARGS__ } }
#define SOURCES(...) .sources = { __VA_ARGS__ }

static const struct scene scenes[] = {
	{ "no rules", { { "a", "1" } }, { { SOURCES(NULL) } }, { { "a", "1" } } },
	/* replace */
	{ "a group in the middle", { { "a", "foo" } },
	  { { SOURCES("a"), .rest = { .regex = "f(.*)", .target_label = "d",
				      .replacement = "ch${1}-ch${1}" } } },
	  { { "a", "foo" }, { "d", "choo-choo" } } },
	{ "all defaults copy", { { "a", "x y" } },
	  { { SOURCES("a"), .rest = { .target_label = "b" } } },
	  { { "a", "x y" }, { "b", "x y" } } },
	{ "values are joined by ;", { { "a", "1" }, { "b", "2" } },
	  { { SOURCES("a", "none", "b"), .rest = { .target_label = "c" } } },
	  { { "a", "1" }, { "b", "2" }, { "c", "1;;2" } } },
	{ "or by another separator", { { "a", "1" }, { "b", "2" } },
	  { { SOURCES("a", "b"), .rest = { .target_label = "c", .separator = "" } } },
	  { { "a", "1" }, { "b", "2" }, { "c", "12" } } },
	{ "rules see what those before them did", { { "a", "foo" }, { "b", "bar" }, { "c", "baz" } },
	  { { SOURCES("a", "b"), .rest = { .regex = "f(.*);(.*)r", .target_label = "a",
					   .replacement = "b${1}${2}m" } },
	    { SOURCES("c", "a"), .rest = { .regex = "(b).*b(.*)ba(.*)", .target_label = "d",
					   .replacement = "$1$2$2$3" } } },
	  { { "a", "boobam" }, { "b", "bar" }, { "c", "baz" }, { "d", "boooom" } } },
	{ "no match, no change", { { "a", "boo" } },
	  { { SOURCES("a"), .rest = { .regex = "f", .target_label = "b", .replacement = "x" } } },
	  { { "a", "boo" } } },
	{ "all has to match", { { "a", "foo" } },
	  { { SOURCES("a"), .rest = { .regex = "fo", .target_label = "b", .replacement = "x" } },
	    { SOURCES("a"), .rest = { .regex = "oo", .target_label = "c", .replacement = "x" } } },
	  { { "a", "foo" } } },
	{ "also of each alternative", { { "a", "fo" } },
	  { { SOURCES("a"), .rest = { .regex = "f|o", .target_label = "b", .replacement = "x" } },
	    { SOURCES("a"), .rest = { .regex = "f|fo", .target_label = "c", .replacement = "x" } } },
	  { { "a", "fo" }, { "c", "x" } } },
	{ "anchors may be said again", { { "a", "fo" } },
	  { { SOURCES("a"), .rest = { .regex = "^fo$", .target_label = "b", .replacement = "x" } } },
	  { { "a", "fo" }, { "b", "x" } } },
	{ "an empty replacement removes", { { "a", "1" }, { "b", "2" } },
	  { { SOURCES("a"), .rest = { .target_label = "b", .replacement = "" } } },
	  { { "a", "1" } } },
	{ "so does a group that is not there", { { "a", "1" }, { "b", "2" } },
	  { { SOURCES("a"), .rest = { .target_label = "b", .replacement = "${3}" } } },
	  { { "a", "1" } } },
	{ "without sources the text is empty", { { "a", "1" } },
	  { { .rest = { .target_label = "b", .replacement = "x" } },
	    { .rest = { .regex = ".+", .target_label = "c", .replacement = "x" } },
	    { .rest = { .regex = "", .target_label = "d", .replacement = "x" } } },
	  { { "a", "1" }, { "b", "x" }, { "d", "x" } } },
	{ "a target of groups", { { "a", "some-name-value" } },
	  { { SOURCES("a"), .rest = { .regex = "some-([^-]+)-([^,]+)", .target_label = "${1}",
				      .replacement = "${2}" } } },
	  { { "a", "some-name-value" }, { "name", "value" } } },
	{ "that is no name", { { "a", "some-name-0" } },
	  { { SOURCES("a"), .rest = { .regex = "some-([^-]+)-([^,]+)", .target_label = "${3}" } },
	    { SOURCES("a"), .rest = { .regex = "some-([^-]+)(-[^,]+)", .target_label = "${2}" } },
	    { SOURCES("a"), .rest = { .regex = "some-([^-]+)-(.)", .target_label = "${2}x" } } },
	  { { "a", "some-name-0" } } },
	{ "names of groups", { { "a", "nginx-7" } },
	  { { SOURCES("a"), .rest = { .regex = "(?P<name>[a-z]+)-(?<nr>\\d+)", .target_label = "b",
				      .replacement = "$nr/${name}" } } },
	  { { "a", "nginx-7" }, { "b", "7/nginx" } } },
	{ "$$, $0, and what is no reference", { { "a", "xy" } },
	  { { SOURCES("a"), .rest = { .regex = "(x)(y)", .target_label = "b",
				      .replacement = "$$1 $0 ${1 $- ${} $" } } },
	  { { "a", "xy" }, { "b", "$1 xy ${1 $- ${} $" } } },
	{ "a name is as long as it can be", { { "a", "xy" } },
	  { { SOURCES("a"), .rest = { .regex = "(x)(y)", .target_label = "b",
				      .replacement = "[$1y${2}z$01]" } } },
	  { { "a", "xy" }, { "b", "[yz]" } } },
	{ "a group that took no part", { { "a", "y" } },
	  { { SOURCES("a"), .rest = { .regex = "(x)?(y)(z)?", .target_label = "b",
				      .replacement = "<$1$2$3>" } } },
	  { { "a", "y" }, { "b", "<y>" } } },
	{ "one of its three words", { { "m", "path:/secret,job:some-job,label:foo=bar" } },
	  { { SOURCES("m"), .rest = { .regex = "(?:.+,|^)path:(/[^,]+).*", .target_label = "p" } },
	    { SOURCES("m"), .rest = { .regex = "(?:.+,|^)job:([^,]+).*", .target_label = "job" } },
	    { SOURCES("m"), .rest = { .regex = "(?:.+,|^)label:([^=]+)=([^,]+).*",
				      .target_label = "$1", .replacement = "$2" } },
	    ACTION("labeldrop", .regex = "m") },
	  { { "foo", "bar" }, { "job", "some-job" }, { "p", "/secret" } } },
	{ "letters of any script", { { "a", "\xc3\x84rger" } },
	  { { SOURCES("a"), .rest = { .regex = "(.)rger", .target_label = "b" } },
	    { SOURCES("a"), .rest = { .regex = "(?i)\xc3\xa4RGER", .target_label = "c",
				      .replacement = "x" } } },
	  { { "a", "\xc3\x84rger" }, { "b", "\xc3\x84" }, { "c", "x" } } },
	/* keep, drop */
	{ "drop", { { "a", "foo" } },
	  { { SOURCES("a"), .rest = { .action = "drop", .regex = ".*o.*" } } }, { { 0 } }, true },
	{ "drop not", { { "a", "foo" } },
	  { { SOURCES("a"), .rest = { .action = "drop", .regex = "f|o" } } }, { { "a", "foo" } } },
	{ "drop what has a label", { { "a", "foo" } },
	  { { SOURCES("b"), .rest = { .action = "drop", .regex = ".+" } } }, { { "a", "foo" } } },
	{ "drop what has none", { { "a", "foo" } },
	  { { SOURCES("b"), .rest = { .action = "drop", .regex = "" } } }, { { 0 } }, true },
	{ "keep", { { "a", "foo" } },
	  { { SOURCES("a"), .rest = { .action = "keep", .regex = "f.*" } } }, { { "a", "foo" } } },
	{ "keep not", { { "a", "foo" } },
	  { { SOURCES("a"), .rest = { .action = "KEEP", .regex = "f" } } }, { { 0 } }, true },
	{ "nothing comes behind a drop", { { "a", "foo" } },
	  { ACTION("drop"), { SOURCES("a"), .rest = { .target_label = "b" } } }, { { 0 } }, true },
	/* keepequal, dropequal */
	{ "keepequal", { { "a", "1" }, { "b", "1" } },
	  { { SOURCES("a"), .rest = { .action = "keepequal", .target_label = "b" } } },
	  { { "a", "1" }, { "b", "1" } } },
	{ "keepequal not", { { "a", "1" }, { "b", "2" } },
	  { { SOURCES("a"), .rest = { .action = "keepequal", .target_label = "b" } } }, { { 0 } }, true },
	{ "dropequal", { { "a", "1" }, { "b", "1" } },
	  { { SOURCES("a"), .rest = { .action = "dropequal", .target_label = "b" } } }, { { 0 } }, true },
	{ "dropequal not", { { "a", "1" }, { "b", "2" } },
	  { { SOURCES("a"), .rest = { .action = "dropequal", .target_label = "b" } } },
	  { { "a", "1" }, { "b", "2" } } },
	{ "keepequal of two that are not there", { { "a", "1" } },
	  { { SOURCES("x"), .rest = { .action = "keepequal", .target_label = "y" } } },
	  { { "a", "1" } } },
	{ "keepequal of joined values", { { "a", "1" }, { "b", "2" }, { "c", "1;2" } },
	  { { SOURCES("a", "b"), .rest = { .action = "keepequal", .target_label = "c" } } },
	  { { "a", "1" }, { "b", "2" }, { "c", "1;2" } } },
	/* hashmod: printf %s baz | md5sum, its last 16 digits, modulo: python3 */
	{ "hashmod", { { "c", "baz" } },
	  { { SOURCES("c"), .rest = { .action = "hashmod", .target_label = "d", .modulus = 1000 } } },
	  { { "c", "baz" }, { "d", "976" } } },
	{ "hashmod of joined values", { { "a", "foo" }, { "b", "bar" } },
	  { { SOURCES("a", "b"), .rest = { .action = "hashmod", .target_label = "d",
					   .modulus = 18446744073709551615ull } } },
	  { { "a", "foo" }, { "b", "bar" }, { "d", "15973639978189266750" } } },
	{ "hashmod of nothing", { { "a", "foo" } },
	  { ACTION("hashmod", .target_label = "d", .modulus = 997) },
	  { { "a", "foo" }, { "d", "611" } } },
	/* labelmap, labeldrop, labelkeep */
	{ "labelmap", { { "a", "foo" }, { "b1", "bar" }, { "b2", "baz" } },
	  { ACTION("labelmap", .regex = "(b.*)", .replacement = "bar_${1}") },
	  { { "a", "foo" }, { "b1", "bar" }, { "b2", "baz" }, { "bar_b1", "bar" },
	    { "bar_b2", "baz" } } },
	{ "labelmap takes a part of names", { { "__meta_my_bar", "aaa" }, { "__meta_other", "c" } },
	  { ACTION("labelmap", .regex = "__meta_(my.*)") },
	  { { "__meta_my_bar", "aaa" }, { "__meta_other", "c" }, { "my_bar", "aaa" } } },
	{ "labelmap does not map what it has made", { { "a", "1" }, { "ax", "2" } },
	  { ACTION("labelmap", .regex = "(a.*)", .replacement = "${1}x") },
	  { { "a", "1" }, { "ax", "1" }, { "axx", "2" } } },
	{ "labelmap to what is no name", { { "a1", "1" } },
	  { ACTION("labelmap", .regex = "a(.*)") }, { { "a1", "1" } } },
	{ "labeldrop", { { "a", "foo" }, { "b1", "bar" }, { "b2", "baz" } },
	  { ACTION("labeldrop", .regex = "b.*") }, { { "a", "foo" } } },
	{ "labelkeep", { { "a", "foo" }, { "b1", "bar" }, { "b2", "baz" } },
	  { ACTION("labelkeep", .regex = "b.*") }, { { "b1", "bar" }, { "b2", "baz" } } },
	{ "labeldrop of all", { { "a", "foo" }, { "b1", "bar" } },
	  { ACTION("labeldrop") }, { { 0 } } },
	/* lowercase, uppercase */
	{ "case", { { "foo", "bAr123Foo" } },
	  { { SOURCES("foo"), .rest = { .action = "uppercase", .target_label = "u" } },
	    { SOURCES("foo"), .rest = { .action = "lowercase", .target_label = "l" } } },
	  { { "foo", "bAr123Foo" }, { "l", "bar123foo" }, { "u", "BAR123FOO" } } },
	{ "case of joined values, any script", { { "a", "\xc3\x84x" }, { "b", "\xd0\x96" } },
	  { { SOURCES("a", "b"), .rest = { .action = "lowercase", .target_label = "l" } } },
	  { { "a", "\xc3\x84x" }, { "b", "\xd0\x96" }, { "l", "\xc3\xa4x;\xd0\xb6" } } },
	{ "case of nothing removes", { { "a", "1" }, { "l", "x" } },
	  { { SOURCES("none"), .rest = { .action = "lowercase", .target_label = "l" } } },
	  { { "a", "1" } } },
};

static struct relabel *list_of(const struct scene *s)
{
	struct relabel *r;
	size_t i, n;

	assert_int_equal(relabel_new(&r), 0);
	for (i = 0; i < ARRAY_SIZE(s->rules); i++) {
		struct relabel_rule rule = s->rules[i].rest;
		struct diag diag = { 0 };

		for (n = 0; n < 4 && s->rules[i].sources[n]; n++)
			;
		if (!n && !rule.action && !rule.target_label)
			break;
		rule.source_labels = s->rules[i].sources;
		rule.nr_source_labels = n;
		if (relabel_add(r, &rule, NULL, &diag))
			fail_msg("%s: %s", s->what, diag.text);
	}
	return r;
}

static void check_set(const char *what, const struct labels *set, const struct pair *want)
{
	size_t i;

	for (i = 0; i < MAX && want[i].name; i++) {
		if (i == set->nr)
			fail_msg("%s: no %s", what, want[i].name);
		if (strcmp(set->label[i].name, want[i].name) ||
		    strcmp(set->label[i].value, want[i].value))
			fail_msg("%s: %s=\"%s\", not %s=\"%s\"", what, set->label[i].name,
				 set->label[i].value, want[i].name, want[i].value);
	}
	if (i != set->nr)
		fail_msg("%s: %s too much", what, set->label[i].name);
}

static void test_scenes(void **state)
{
	struct labels set;
	size_t i, k;

	labels_init(&set);
	for (i = 0; i < ARRAY_SIZE(scenes); i++) {
		const struct scene *s = &scenes[i];
		struct relabel *r = list_of(s);

		/* text left from the previous rule does no harm */
		labels_clear(&set);
		/* in any order */
		for (k = MAX; k--;)
			if (s->in[k].name)
				labels_set(&set, s->in[k].name, s->in[k].value);
		if (relabel_apply(r, &set) != !s->dropped)
			fail_msg("%s: dropped or not", s->what);
		if (!s->dropped)
			check_set(s->what, &set, s->want);
		assert_int_equal(relabel_failures(r), 0);
		relabel_free(r);
	}
	assert_int_equal(set.left_out, 0);
	labels_release(&set);
}

static const char *const one[] = { "a" };
static const char *const bad_name[] = { "a", "b-c" };

#define A .source_labels = one, .nr_source_labels = 1

static const struct {
	struct relabel_rule rule;
	const char *field;
	const char *text;
} refused[] = {
	{ { A }, NULL, "action 'replace' needs a 'target_label'" },
	{ { A, .target_label = "" }, NULL, "needs a 'target_label'" },
	{ { A, .action = "foo" }, "action", "unknown action 'foo'" },
	{ { A, .action = "" }, "action", "unknown action ''" },
	{ { A, .target_label = "0${3}" }, "target_label", "'0${3}' is not a valid label name" },
	{ { A, .target_label = "-${3}" }, "target_label", "is not a valid label name" },
	{ { A, .target_label = "a-b" }, "target_label", "is not a valid label name" },
	{ { A, .target_label = "${" }, "target_label", "is not a valid label name" },
	{ { A, .target_label = "$" }, "target_label", "is not a valid label name" },
	{ { A, .target_label = "${}" }, "target_label", "is not a valid label name" },
	{ { A, .target_label = "a$$" }, "target_label", "is not a valid label name" },
	{ { .source_labels = bad_name, .nr_source_labels = 2, .target_label = "x" },
	  "source_labels", "'b-c' is not a valid label name" },
	{ { A, .target_label = "x", .regex = "a(" }, "regex", "at character 3: missing" },
	{ { A, .target_label = "x", .regex = "a)(b" }, "regex", "at character 2: unmatched" },
	{ { A, .target_label = "x", .regex = "\\C" }, "regex", "at character 3: " },
	{ { A, .target_label = "x", .regex = "(*UCP)\\w" }, "regex", "begins with a verb" },
	{ { A, .target_label = "x", .regex = "\xff" }, "regex", "'regex' is not UTF-8" },
	{ { A, .target_label = "x", .separator = "\xff" }, "separator", "is not UTF-8" },
	{ { A, .target_label = "x", .regex = "((((a{900}){900}){900}){900})" }, "regex",
	  "too large" },
	{ { A, .action = "hashmod", .target_label = "x" }, "modulus", "above 0" },
	{ { A, .action = "hashmod", .modulus = 1 }, NULL, "needs a 'target_label'" },
	{ { A, .action = "hashmod", .modulus = 1, .target_label = "$1" }, "target_label",
	  "is not a valid label name" },
	{ { A, .action = "lowercase" }, NULL, "needs a 'target_label'" },
	{ { A, .action = "lowercase", .target_label = "${3}" }, "target_label", "not a valid label name" },
	{ { A, .action = "uppercase", .target_label = "x", .replacement = "y" },
	  "replacement", "has no 'replacement'" },
	{ { A, .action = "keepequal" }, NULL, "needs a 'target_label'" },
	{ { A, .action = "keepequal", .target_label = "x", .regex = "y" }, "regex",
	  "has no 'regex'" },
	{ { A, .action = "dropequal", .target_label = "x", .modulus = 1 }, "modulus", "has no" },
	{ { A, .action = "dropequal", .target_label = "x", .separator = "," }, "separator",
	  "has no" },
	{ { A, .action = "dropequal", .target_label = "x", .replacement = "," },
	  "replacement", "has no" },
	{ { A, .action = "labeldrop", .regex = "x" }, "source_labels", "has no" },
	{ { .action = "labelkeep", .regex = "x", .target_label = "y" }, "target_label",
	  "has no" },
	{ { .action = "labelkeep", .regex = "x", .separator = "y" }, "separator", "has no" },
	{ { .action = "labelkeep", .regex = "x", .replacement = "y" }, "replacement",
	  "has no" },
	{ { .action = "labelkeep", .regex = "x", .modulus = 2 }, "modulus", "has no" },
	{ { .action = "labelmap", .regex = "x", .replacement = "-" }, "replacement",
	  "cannot give a label name" },
};

/* Invalid rules, and the field that the error names. */
static void test_refused(void **state)
{
	struct relabel *r;
	size_t i;

	assert_int_equal(relabel_new(&r), 0);
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		const char *field = "unset";
		struct diag diag = { 0 };

		assert_int_equal(relabel_add(r, &refused[i].rule, &field, &diag), -EINVAL);
		if (!strstr(diag.text, refused[i].text))
			fail_msg("%s, not %s", diag.text, refused[i].text);
		if (refused[i].field)
			assert_string_equal(field, refused[i].field);
		else
			assert_null(field);
	}
	assert_int_equal(relabel_count(r), 0);
	relabel_free(r);
	relabel_free(NULL);
}

/* An expression that takes too long ends, is counted, and does not match. */
static void test_limits(void **state)
{
	char long_text[LABELS_MAX_VALUE + 1];
	struct relabel *r;
	struct labels set;

	assert_int_equal(relabel_new(&r), 0);
	assert_int_equal(relabel_add(r, &(struct relabel_rule){ A, .action = "drop",
								.regex = "(x+x+)+[yz]" },
				     NULL, NULL), 0);
	assert_int_equal(relabel_add(r, &(struct relabel_rule){ A, .target_label = "b",
								.regex = "(a|b|(c|x))*" },
				     NULL, NULL), 0);
	labels_init(&set);
	memset(long_text, 'x', LABELS_MAX_VALUE);
	long_text[LABELS_MAX_VALUE] = '\0';
	labels_set(&set, "a", long_text);
	assert_true(relabel_apply(r, &set));
	/* the second one is long, but within the limit */
	assert_int_equal(relabel_failures(r), 1);
	assert_string_equal(labels_get(&set, "b"), "x");
	labels_release(&set);
	relabel_free(r);
}

#define SLOW "(x+x+)+[yz]"

/* Number of steps that PCRE2 takes to find that @len times x do not match SLOW. */
static uint32_t steps(size_t len)
{
	pcre2_match_context *limits = pcre2_match_context_create(NULL);
	const struct relabel_rule rule = { .action = "drop", .regex = SLOW };
	struct relabel_compiled c;
	pcre2_match_data *data;
	uint32_t lo = 0, hi = 1u << 30, mid;
	char text[64];

	assert_true(len < sizeof(text));
	memset(text, 'x', len);
	assert_int_equal(relabel_compile(&c, &rule, &(const char *){ NULL }, NULL), 0);
	data = pcre2_match_data_create_from_pattern(c.code, NULL);
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		pcre2_set_match_limit(limits, mid);
		if (pcre2_match(c.code, (PCRE2_SPTR)text, len, 0, PCRE2_NO_UTF_CHECK, data,
				limits) == PCRE2_ERROR_MATCHLIMIT)
			lo = mid;
		else
			hi = mid;
	}
	pcre2_match_data_free(data);
	pcre2_match_context_free(limits);
	relabel_compiled_release(&c);
	return hi;
}

/*
 * The sampling loop waits for an expression, so it has a limit of steps, however fast they are.
 */
static void test_steps(void **state)
{
	enum { MOST = 200000 };
	struct relabel *r;
	struct labels set;
	char text[64];
	uint32_t n;
	size_t len;

	assert_int_equal(relabel_new(&r), 0);
	assert_int_equal(relabel_add(r, &(struct relabel_rule){ A, .action = "drop", .regex = SLOW },
				     NULL, NULL), 0);
	for (len = 4; (n = steps(len)) < 3 * MOST; len++) {
		uint64_t before = relabel_failures(r);

		labels_init(&set);
		memset(text, 'x', len);
		text[len] = '\0';
		labels_set(&set, "a", text);
		assert_true(relabel_apply(r, &set));
		labels_release(&set);
		assert_int_equal(relabel_failures(r) - before, n > MOST);
	}
	/* some texts were on each side of the limit */
	assert_in_range(relabel_failures(r), 1, len - 5);
	relabel_free(r);
}

/* The largest texts that rules can make from the largest possible labels. */
static void test_large(void **state)
{
	const char *sources[RELABEL_MAX_SOURCES];
	char value[2 * LABELS_MAX_VALUE], replacement[RELABEL_MAX_TEXT + 1];
	struct relabel *r;
	struct labels set;
	size_t i;

	assert_int_equal(relabel_new(&r), 0);
	for (i = 0; i < RELABEL_MAX_SOURCES; i++)
		sources[i] = "a";
	for (i = 0; i < RELABEL_MAX_TEXT; i++)
		replacement[i] = "$1"[i % 2];
	replacement[RELABEL_MAX_TEXT] = '\0';
	assert_int_equal(relabel_add(r, &(struct relabel_rule){
		.source_labels = sources, .nr_source_labels = RELABEL_MAX_SOURCES,
		.target_label = "b", .replacement = replacement }, NULL, NULL), 0);
	labels_init(&set);
	memset(value, 'x', sizeof(value));
	value[sizeof(value) - 1] = '\0';
	labels_set(&set, "a", value);
	assert_true(relabel_apply(r, &set));
	assert_int_equal(strlen(labels_get(&set, "a")), LABELS_MAX_VALUE);
	assert_int_equal(strlen(labels_get(&set, "b")), LABELS_MAX_VALUE);
	for (i = relabel_count(r); i < RELABEL_MAX_RULES; i++)
		assert_int_equal(relabel_add(r, &(struct relabel_rule){ .action = "labeldrop",
									.regex = "z" },
					     NULL, NULL), 0);
	assert_int_equal(relabel_add(r, &(struct relabel_rule){ .action = "keep" }, NULL, NULL),
			 -EINVAL);
	labels_release(&set);
	relabel_free(r);
}

static void test_default(void **state)
{
	static const struct pair in[] = {
		{ "__pid", "7" }, { "__command", "c" }, { "__thread", "t" }, { "__event", "e" },
		{ "__stack", "complete" }, { "__unit", "u" }, { "__slice", "s" },
		{ "__container_id", "i" }, { "__container_runtime", "r" }, { "__pod_uid", "p" },
		{ "__cgroup", "g" },
	};
	static const struct pair want[] = {
		{ "pid", "7" }, { "command", "c" }, { "thread", "t" }, { "event", "e" },
		{ "stack", "complete" }, { "unit", "u" }, { "container", "i" }, { "pod", "p" },
		{ "slice", "" }, { "cgroup", "" }, { "runtime", "" },
	};
	struct relabel *r;
	struct labels set;
	size_t i;

	assert_int_equal(relabel_default(&r), 0);
	labels_init(&set);
	for (i = 0; i < ARRAY_SIZE(in); i++)
		labels_set(&set, in[i].name, in[i].value);
	assert_true(relabel_apply(r, &set));
	for (i = 0; i < ARRAY_SIZE(want); i++)
		assert_string_equal(labels_get(&set, want[i].name), want[i].value);
	assert_int_equal(set.nr, ARRAY_SIZE(in) + 8);
	labels_release(&set);
	relabel_free(r);
}

/* Values of any bytes, names of allowed characters. */
static void test_labels(void **state)
{
	static const struct {
		const char *in;
		const char *want;
	} values[] = {
		{ "a\nb\x7f", "a\xef\xbf\xbd" "b\xef\xbf\xbd" },
		{ "\xc2\x9b", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xff\xc3", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xc3\xa4 \\x2d", "\xc3\xa4 \\x2d" },
	};
	char clean[LABELS_MAX_VALUE + 1], text[LABELS_MAX_VALUE + 8], name[8];
	struct labels set;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		labels_clean(values[i].in, strlen(values[i].in), clean);
		assert_string_equal(clean, values[i].want);
	}
	/* it is cut after a whole character, and an invalid rest is dropped */
	memset(text, 'x', sizeof(text));
	memcpy(text + LABELS_MAX_VALUE - 1, "\xc3\xa4", 3);
	assert_int_equal(labels_clean(text, strlen(text), clean), LABELS_MAX_VALUE - 1);
	assert_int_equal(labels_clean("x\xc3\xa4", 2, clean), 4);
	assert_true(labels_is_name("_a9"));
	assert_false(labels_is_name(""));
	assert_false(labels_is_name("9a"));
	assert_false(labels_is_name("a-b"));
	assert_false(labels_is_name("\xc3\xa4"));
	labels_init(&set);
	labels_set(&set, "not a name", "x");
	assert_int_equal(set.left_out, 1);
	for (i = 0; i < LABELS_MAX + 3; i++) {
		snprintf(name, sizeof(name), "n%zu", i);
		labels_set(&set, name, text);
	}
	assert_int_equal(set.nr, LABELS_MAX);
	assert_int_equal(set.left_out, 4);
	labels_set(&set, "n5", "new");
	labels_set(&set, "n6", "");
	assert_string_equal(labels_get(&set, "n5"), "new");
	assert_string_equal(labels_get(&set, "n6"), "");
	assert_int_equal(set.nr, LABELS_MAX - 1);
	labels_clear(&set);
	assert_int_equal(set.nr, 0);
	labels_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenes),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_default),
		cmocka_unit_test(test_labels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
