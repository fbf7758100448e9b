// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shortens names of the C++ standard library in one pass (stl.h). A list of
 * arguments is examined when it ends. At that moment its arguments are already
 * shortened, so that an argument and the pattern of a default are spelled
 * alike.
 */
#include "formats/names/stl.h"

#include <string.h>

#include "util/poison.h"

#define NR(array) (sizeof(array) / sizeof(*(array)))

#define MAX_DEFAULTS 4u

/*
 * Replacements for "basic_" by the first argument. The first WIDE entries apply
 * to streams, the first TEXT to strings.
 */
static const struct {
	const char *type;
	const char *prefix;
} typedefs[] = {
	{ "char", "" },
	{ "wchar_t", "w" },
#define WIDE 2u
	{ "char8_t", "u8" },
	{ "char16_t", "u16" },
	{ "char32_t", "u32" },
#define TEXT 5u
};

/**
 * struct stl_template - a template with default arguments
 * @name: name without "std::"
 * @given: number of arguments without a default
 * @defaults: defaults of the other arguments: $0 and $1 stand for arguments, |
 *            separates spellings
 * @typedefs: number of entries in typedefs[] for which the standard has a
 *            typedef of this template
 */
struct stl_template {
	const char *name;
	unsigned int given;
	const char *defaults[MAX_DEFAULTS];
	unsigned int typedefs;
};

#define TRAITS "std::char_traits<$0>"
#define ALLOCATOR "std::allocator<$0>"
#define PAIRS "std::allocator<std::pair<$0 const, $1>>|std::allocator<std::pair<const $0, $1>>"
#define IN "std::istreambuf_iterator<$0>"
#define OUT "std::ostreambuf_iterator<$0>"

/*
 * Templates of ISO C++20: [basic.string], [string.view], [containers],
 * [iostream], [re], [unique.ptr], [locale.categories], [stream.iterators]; and
 * templates by which libraries implement them. Sorted by name.
 */
static const struct stl_template templates[] = {
	{ "_Deque_base", 1, { ALLOCATOR }, 0 },
	{ "_Fwd_list_base", 1, { ALLOCATOR }, 0 },
	{ "_List_base", 1, { ALLOCATOR }, 0 },
	{ "_Vector_base", 1, { ALLOCATOR }, 0 },
	{ "__deque_base", 1, { ALLOCATOR }, 0 },
	{ "__list_imp", 1, { ALLOCATOR }, 0 },
	{ "__split_buffer", 1, { ALLOCATOR }, 0 },
	{ "__vector_base", 1, { ALLOCATOR }, 0 },
	{ "basic_filebuf", 1, { TRAITS }, WIDE },
	{ "basic_fstream", 1, { TRAITS }, WIDE },
	{ "basic_ifstream", 1, { TRAITS }, WIDE },
	{ "basic_ios", 1, { TRAITS }, WIDE },
	{ "basic_iostream", 1, { TRAITS }, WIDE },
	{ "basic_istream", 1, { TRAITS }, WIDE },
	{ "basic_istringstream", 1, { TRAITS, ALLOCATOR }, WIDE },
	{ "basic_ofstream", 1, { TRAITS }, WIDE },
	{ "basic_ostream", 1, { TRAITS }, WIDE },
	{ "basic_ostringstream", 1, { TRAITS, ALLOCATOR }, WIDE },
	{ "basic_regex", 1, { "std::regex_traits<$0>" }, WIDE },
	{ "basic_streambuf", 1, { TRAITS }, WIDE },
	{ "basic_string", 1, { TRAITS, ALLOCATOR }, TEXT },
	{ "basic_string_view", 1, { TRAITS }, TEXT },
	{ "basic_stringbuf", 1, { TRAITS, ALLOCATOR }, WIDE },
	{ "basic_stringstream", 1, { TRAITS, ALLOCATOR }, WIDE },
	{ "deque", 1, { ALLOCATOR }, 0 },
	{ "forward_list", 1, { ALLOCATOR }, 0 },
	{ "istream_iterator", 1, { "char", "std::char_traits<char>", "long" }, 0 },
	{ "istreambuf_iterator", 1, { TRAITS }, 0 },
	{ "list", 1, { ALLOCATOR }, 0 },
	{ "map", 2, { "std::less<$0>", PAIRS }, 0 },
	{ "match_results", 1, { "std::allocator<std::sub_match<$0>>" }, 0 },
	{ "money_get", 1, { IN }, 0 },
	{ "money_put", 1, { OUT }, 0 },
	{ "multimap", 2, { "std::less<$0>", PAIRS }, 0 },
	{ "multiset", 1, { "std::less<$0>", ALLOCATOR }, 0 },
	{ "num_get", 1, { IN }, 0 },
	{ "num_put", 1, { OUT }, 0 },
	{ "ostream_iterator", 1, { "char", "std::char_traits<char>" }, 0 },
	{ "ostreambuf_iterator", 1, { TRAITS }, 0 },
	{ "priority_queue", 1, { "std::vector<$0>", "std::less<$0>" }, 0 },
	{ "queue", 1, { "std::deque<$0>" }, 0 },
	{ "set", 1, { "std::less<$0>", ALLOCATOR }, 0 },
	{ "stack", 1, { "std::deque<$0>" }, 0 },
	{ "time_get", 1, { IN }, 0 },
	{ "time_put", 1, { OUT }, 0 },
	{ "unique_ptr", 1, { "std::default_delete<$0>" }, 0 },
	{ "unordered_map", 2, { "std::hash<$0>", "std::equal_to<$0>", PAIRS }, 0 },
	{ "unordered_multimap", 2, { "std::hash<$0>", "std::equal_to<$0>", PAIRS }, 0 },
	{ "unordered_multiset", 1, { "std::hash<$0>", "std::equal_to<$0>", ALLOCATOR }, 0 },
	{ "unordered_set", 1, { "std::hash<$0>", "std::equal_to<$0>", ALLOCATOR }, 0 },
	{ "vector", 1, { ALLOCATOR }, 0 },
};

#define BASIC "basic_"
#define STD "std::"

static bool is(const char *s, size_t len, const char *what)
{
	return len == strlen(what) && !memcmp(s, what, len);
}

/* @name: the name after "std::". */
static const struct stl_template *find_template(const char *name, size_t len)
{
	size_t low = 0, high = NR(templates), middle;
	int order;

	while (low < high) {
		middle = low + (high - low) / 2;
		order = strncmp(templates[middle].name, name, len);
		if (!order)
			order = templates[middle].name[len] != '\0';
		if (!order)
			return &templates[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* A piece of the new text. */
struct piece {
	const char *s;
	size_t len;
};

/*
 * Return: argument @i of the list that ends at the end of the text, without
 * spaces around it.
 */
static struct piece argument(const struct stl *s, const struct stl_list *l, unsigned int i)
{
	size_t end = i + 1 < l->nr_args ? l->args[i + 1] - 1 : s->len, at = l->args[i];

	while (at < end && s->out[at] == ' ')
		at++;
	while (end > at && s->out[end - 1] == ' ')
		end--;
	return (struct piece){ s->out + at, end - at };
}

/*
 * Return: whether an argument matches the pattern of a default, which ends with
 * a NUL or '|'. Spaces before '>' are ignored.
 */
static bool is_default(const struct stl *s, const struct stl_list *l, struct piece arg,
		       const char *pattern)
{
	const char *p = arg.s, *end = arg.s + arg.len;
	struct piece other;

	for (; *pattern && *pattern != '|'; pattern++) {
		while (*pattern == '>' && p < end && *p == ' ')
			p++;
		if (*pattern != '$') {
			if (p == end || *p++ != *pattern)
				return false;
			continue;
		}
		other = argument(s, l, (unsigned int)(*++pattern - '0'));
		if ((size_t)(end - p) < other.len || memcmp(p, other.s, other.len))
			return false;
		p += other.len;
	}
	return p == end;
}

/* The same for all spellings of a default. */
static bool is_any_default(const struct stl *s, const struct stl_list *l, struct piece arg,
			   const char *patterns)
{
	while (!is_default(s, l, arg, patterns)) {
		patterns = strchr(patterns, '|');
		if (!patterns)
			return false;
		patterns++;
	}
	return true;
}

/*
 * Return: whether a '>' directly after an argument would be read as part of it,
 * as in "->".
 */
static bool joins(struct piece arg)
{
	static const char word[] = "operator";
	const size_t len = sizeof(word) - 1;
	size_t n = arg.len;

	while (n && strchr("<>=-", arg.s[n - 1]))
		n--;
	return (n >= len && !memcmp(arg.s + n - len, word, len)) ||
	       (arg.len && arg.s[arg.len - 1] == '-');
}

/* Removes arguments at the end that are equal to their defaults. */
static void drop_defaults(struct stl *s, struct stl_list *l, const struct stl_template *t)
{
	const char *pattern;
	struct piece last;
	unsigned int i;

	while (l->nr_args > t->given && l->nr_args <= t->given + MAX_DEFAULTS) {
		i = l->nr_args - 1;
		pattern = t->defaults[i - t->given];
		last = argument(s, l, i - 1);
		if (!pattern || !is_any_default(s, l, argument(s, l, i), pattern) || joins(last))
			return;
		l->nr_args--;
		s->len = (size_t)(last.s + last.len - s->out);
	}
}

/* Replaces "std::basic_string<char" by "std::string". Return: whether it did. */
static bool use_typedef(struct stl *s, const struct stl_list *l, const struct stl_template *t)
{
	struct piece type = argument(s, l, 0);
	const char *rest = t->name + strlen(BASIC);
	size_t i, len;

	for (i = 0; i < t->typedefs; i++)
		if (is(type.s, type.len, typedefs[i].type))
			break;
	if (i == t->typedefs)
		return false;
	s->len = l->name + strlen(STD);
	len = strlen(typedefs[i].prefix);
	memcpy(s->out + s->len, typedefs[i].prefix, len);
	memcpy(s->out + s->len + len, rest, strlen(rest));
	s->len += len + strlen(rest);
	return true;
}

/*
 * Handles the end of a list. A name that would be joined with the word after it
 * is not replaced by a typedef. Return: whether the '>' must still be written.
 */
static bool end_list(struct stl *s, struct stl_list *l)
{
	const char *name = s->out + l->name;
	size_t len = l->open - l->name;
	const struct stl_template *t;

	if (len <= strlen(STD) || memcmp(name, STD, strlen(STD)) || l->nr_args > STL_MAX_ARGS)
		return true;
	t = find_template(name + strlen(STD), len - strlen(STD));
	if (!t)
		return true;
	drop_defaults(s, l, t);
	return l->nr_args != 1 || scan_is_word(*s->scan.s) || !use_typedef(s, l, t);
}

/*
 * Return: whether the last token is an inline namespace of libstdc++, libc++ or
 * Android's libc++, followed by "::".
 */
static bool is_inline(const struct stl *s)
{
	static const char *const names[] = { "__cxx11", "__1", "__ndk1", "_V2" };
	size_t i;

	if (s->scan.before != SCAN_SCOPE || strncmp(s->scan.s, "::", 2) ||
	    s->len - s->name < strlen(STD) || memcmp(s->out + s->name, STD, strlen(STD)))
		return false;
	for (i = 0; i < NR(names); i++)
		if (is(s->scan.text, s->scan.len, names[i]))
			return true;
	return false;
}

static void put(struct stl *s)
{
	memcpy(s->out + s->len, s->scan.text, s->scan.len);
	s->len += s->scan.len;
}

static void open_list(struct stl *s)
{
	struct stl_list *l = &s->lists[s->scan.depth - 1];

	l->name = s->in_name ? s->name : s->len;
	l->open = s->len;
	put(s);
	l->args[0] = s->len;
	l->nr_args = 1;
	s->in_name = false;
}

static void next_argument(struct stl *s)
{
	unsigned int depth = s->scan.depth;
	struct stl_list *l;

	put(s);
	s->in_name = false;
	if (!depth || s->scan.open[depth - 1].kind != SCAN_OPEN)
		return;
	l = &s->lists[depth - 1];
	if (l->nr_args < STL_MAX_ARGS)
		l->args[l->nr_args] = s->len;
	l->nr_args += l->nr_args <= STL_MAX_ARGS;
}

static void close_list(struct stl *s)
{
	struct stl_list *l = &s->lists[s->scan.depth];

	if (end_list(s, l))
		put(s);
	/* "std::vector<int>::iterator" is one name */
	s->name = l->name;
	s->in_name = true;
}

/* A word continues a name only after "::". */
static void take_word(struct stl *s)
{
	if (!s->in_name || s->scan.before != SCAN_SCOPE) {
		s->name = s->len;
		s->in_name = true;
	}
	if (is_inline(s)) {
		/* skip the "::" after it, too; the "::" before it remains */
		scan_next(&s->scan);
		return;
	}
	put(s);
}

static void take_scope(struct stl *s)
{
	if (!s->in_name) {
		s->name = s->len;
		s->in_name = true;
	}
	put(s);
}

/*
 * Return: whether this is the space between two '>' whose first one was
 * removed: "std::string >".
 */
static bool is_left_over(const struct stl *s)
{
	return s->scan.before == SCAN_CLOSE && *s->scan.s == '>' && s->out[s->len - 1] != '>';
}

static void take(struct stl *s, enum scan_kind kind)
{
	switch (kind) {
	case SCAN_WORD:
		take_word(s);
		break;
	case SCAN_SCOPE:
		take_scope(s);
		break;
	case SCAN_OPEN:
		open_list(s);
		break;
	case SCAN_CLOSE:
		close_list(s);
		break;
	case SCAN_COMMA:
		next_argument(s);
		break;
	case SCAN_SPACE:
		if (is_left_over(s))
			break;
		__attribute__((__fallthrough__));
	default:
		/* the space in "operator< <char>" is part of the name */
		s->in_name = s->in_name && kind == SCAN_SPACE && s->scan.operator;
		put(s);
	}
}

size_t stl_shorten(struct stl *s, const char *name, char *out)
{
	enum scan_kind kind;

	s->out = out;
	s->len = s->name = 0;
	s->in_name = false;
	scan_init(&s->scan, name);
	while ((kind = scan_next(&s->scan)) != SCAN_END)
		take(s, kind);
	if (s->scan.lost) {
		s->len = strlen(name);
		memcpy(out, name, s->len);
	}
	out[s->len] = '\0';
	return s->len;
}
